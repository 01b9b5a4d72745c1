"""Where a result stands, in the words of its page and of lists."""

from types import SimpleNamespace

import pytest

from registry.leaderboards.stored import ItsBaseline, KnownBefore, Strip, read_stored, strips_of
from registry.leaderboards.templatetags import places
from registry.leaderboards.templatetags.places import ListedResult, with_places
from registry.leaderboards.wording import Fact
from registry.results.models import Result
from tests.registry.factory import make_paper, make_system
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed


def strip(**fields) -> Strip:
    known = {
        "result": 1, "rank": 2, "n_results": 1234, "is_best": False, "is_held_back": False, "can_be_best": None,
        "can_be_best_unflagged": None, "distance": None, "rival": "", "worth": None, "worth_decimals": 3,
        "percentile": None, "z": None, "reference": "", "before": None, "baseline": None,
    }  # fmt: skip
    return Strip(**(known | fields))


def baseline(gain: float, *, is_beyond: bool | None = None, percentile: float | None = None) -> ItsBaseline:
    return ItsBaseline(result=9, system="BM25", value=0.25, gain=gain, is_beyond=is_beyond, percentile=percentile)


RESULT = SimpleNamespace(
    pk=1, leaderboard=SimpleNamespace(measure=SimpleNamespace(decimals=3)), comparability="standard",
    replicate_of_id=None, get_comparability_display=lambda: "on fewer topics",
)  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, []),
        ({"is_best": True, "is_held_back": True, "can_be_best": False}, ["the best on record"]),
        ({"is_held_back": True, "can_be_best": True}, ["held back"]),
        ({"can_be_best": True}, ["can’t be told from the best"]),
        ({"can_be_best": False}, ["ruled out as the best"]),
        ({"can_be_best": False, "can_be_best_unflagged": True}, ["can’t be told from the best"]),
        ({"can_be_best": True, "can_be_best_unflagged": False}, ["ruled out as the best"]),
        ({"percentile": 49.6, "reference": "Robust04: the runs: of 2004"}, ["percentile 49 among of 2004"]),
        ({"percentile": 0.0, "z": -1.5, "reference": "the runs"}, ["z −1.50, percentile 0 among the runs"]),
        ({"baseline": baseline(0.0125)}, ["0.013 better than its baseline"]),
        ({"baseline": baseline(-0.02, is_beyond=False)}, ["0.020 worse than its baseline"]),
        ({"baseline": baseline(0.0, is_beyond=False)}, ["no better than its baseline"]),
        ({"baseline": baseline(0.02, is_beyond=True, percentile=50.0)},
         ["0.020 better than its baseline, told apart by means"]),
        ({"baseline": baseline(0.02, is_beyond=False, percentile=49.4)},
         ["0.020 better than its baseline, not told apart by means", "a weak baseline: percentile 49"]),
    ],
)  # fmt: skip
def test_a_result_in_a_list_has_words(fields, words):
    row = places._row(RESULT, strip(**fields))
    assert row == ListedResult(RESULT, "2 of 1\u202f234", tuple(words))


def test_a_result_without_a_place_has_none():
    assert places._row(RESULT, None) == ListedResult(RESULT, "", ())
    assert places._row(RESULT, strip(rank=None, is_best=True)) == ListedResult(RESULT, "", ())


def board(**verdict) -> SimpleNamespace:
    said = {"why_no_set": "", "view": "all", "set": None, "held_back": frozenset(), "cautions": ()} | verdict
    ranges = said.pop("ranges", {})
    return SimpleNamespace(ranges=ranges, findings=SimpleNamespace(verdict=SimpleNamespace(**said)))


def facts(one: Strip, of: SimpleNamespace | None = None) -> dict[str, tuple[str, str]]:
    return {fact.name: (fact.value, fact.meaning) for fact in places._facts(one, of or board(), RESULT)}


def test_the_facts_of_a_page():
    known = facts(strip())
    assert known == {
        "Rank": ("2 of 1,234", "by the printed score; equal scores share one"),
        "Can it be the best?": ("not known", ""),
    }
    ranges = {1: SimpleNamespace(low=1, high=1100)}
    assert facts(strip(), board(ranges=ranges))["Rank"][1] == "by the printed score; in truth anything from 1 to 1,100"
    ranges[1].high = 1
    assert facts(strip(), board(ranges=ranges))["Rank"][1] == "by the printed score; equal scores share one"
    full = strip(
        worth=0.31239, percentile=87.4, reference="the runs of 2004", baseline=baseline(0.02, percentile=40.0),
        before=KnownBefore(result=3, system="older", value=0.2, year=2001),
    )  # fmt: skip
    found = facts(full)
    assert list(found) == [
        "Rank", "Can it be the best?", "Probably worth", "Percentile", "Best known before", "Its baseline",
    ]  # fmt: skip
    assert found["Probably worth"] == ("0.312", "once the luck of coming first is taken off")
    assert found["Percentile"] == ("87", "per cent that are worse, ties counted half, of the runs of 2004")
    assert found["Best known before"] == ("0.200", "older, 2001")
    assert found["Its baseline"] == ("0.250", "BM25; this is 0.020 better than it; percentile 40")
    kinds = {fact.name: (fact.kind, fact.page) for fact in places._facts(full, board(), RESULT)}
    assert kinds["Probably worth"] == ("worth", "corrected-best")
    assert kinds["Percentile"] == ("", "standing-among-reference-means")
    assert "Percentile" not in facts(strip(percentile=5.0))
    assert "Percentile" not in facts(strip(reference="the runs"))
    assert facts(strip(baseline=baseline(-0.02, is_beyond=True)))["Its baseline"][1] == (
        "BM25; this is 0.020 worse than it"
    )


def distance(behind: float) -> SimpleNamespace:
    return SimpleNamespace(behind=behind, margin=0.05, rival=2)


@pytest.mark.parametrize(
    ("fields", "verdict", "value", "meaning"),
    [
        ({}, {"why_no_set": "no topics"}, "not known", "no topics"),
        ({}, {"set": "some", "view": "declared-none"}, "not known",
         "not asked: the verdict is on results with no training declared"),
        ({"can_be_best": True, "is_held_back": True, "distance": distance(0.1)}, {}, "yes",
         "held back: its leaderboard says why"),
        ({"can_be_best": True, "distance": distance(0.0)}, {}, "yes", "nothing on record is better"),
        ({"can_be_best": True, "distance": distance(-0.1)}, {"held_back": frozenset({4})}, "yes",
         "nothing on record not held back is better"),
        ({"can_be_best": True, "distance": distance(0.0)}, {"view": "declared-none"}, "yes",
         "nothing on record with no training declared is better"),
        ({"can_be_best": True, "distance": distance(0.0)},
         {"view": "trained-here", "held_back": frozenset({4})}, "yes",
         "nothing on record with training declared and not held back is better"),
        ({"can_be_best": False, "distance": distance(0.1), "rival": "ours"}, {}, "no",
         "0.100 behind ours; ruled out from 0.050 on"),
        ({"can_be_best": True, "distance": distance(0.01)}, {}, "yes", "0.010 behind; ruled out from 0.050 on"),
        ({"can_be_best": True}, {}, "yes", ""),
    ],
)  # fmt: skip
def test_whether_it_can_be_the_best(fields, verdict, value, meaning):
    found = places._can_be_best(strip(**fields), board(**verdict), 3)
    kind = "" if value == "not known" else "set"
    assert found == Fact("Can it be the best?", value, meaning, kind, "verdict")


def test_why_a_result_does_not_compete():
    why = places._why_not
    out = strip(rank=None)
    constant = (SimpleNamespace(code="constant-runs", results=(1,)),)
    assert why(RESULT, strip(), board()) == ""
    assert why(SimpleNamespace(**(vars(RESULT) | {"comparability": "topic_subset"})), out, board()) == "on fewer topics"
    assert why(SimpleNamespace(**(vars(RESULT) | {"replicate_of_id": 5})), out, board()) == (
        "another execution; the mean of all competes"
    )
    assert why(RESULT, out, board(cautions=constant)) == "constant: the same score on every topic"
    assert why(RESULT, out, board()) == "failed run"


def listed(**fields) -> SimpleNamespace:
    known = {
        "year": 2004, "role": "baseline", "run_type": "", "provenance": "transcribed", "comparability": "standard",
        "is_disputed": False, "source": "a.csv", "notes": "", "ended_at": None,
    }  # fmt: skip
    return SimpleNamespace(**(known | fields))


def test_what_all_of_five_say_stands_once():
    every = {"year", "role", "provenance", "source", "notes"}
    assert places._alike([listed()] * 5) == every
    assert places._alike([listed()] * 4) == set()
    for fields, differing in (
        ({"year": 2005}, {"year"}), ({"role": "proposed"}, {"role"}), ({"run_type": "manual"}, {"role"}),
        ({"is_disputed": True}, {"provenance"}), ({"comparability": "other"}, {"provenance"}),
        ({"source": "b.csv"}, {"source"}), ({"notes": "x"}, {"notes"}), ({"ended_at": 1}, {"source", "notes"}),
    ):  # fmt: skip
        assert places._alike([*[listed()] * 5, listed(**fields)]) == every - differing


@pytest.mark.django_db
def test_places_are_of_results_that_stand_today(client):
    analysed = make_board()
    analyse(analysed)
    first, second, *_ = analysed.results.order_by("-value", "pk")
    Result.objects.filter(pk=second.pk).update(ended_at=second.recorded_at, ending="withdrawn",
                                               ended_by=second.recorded_by)  # fmt: skip
    second.refresh_from_db()
    found = with_places([first, second], "system")
    assert [(one.result, one.rank) for one in found.rows] == [(first, "1 of 8"), (second, "")]
    assert found.has_places
    past = with_places([first, second], "system", {"as_of": "2020-01-01"})
    assert ([one.rank for one in past.rows], past.has_places) == (["", ""], False)
    shown = places.place(first)
    assert shown["is_shown"]
    assert (shown["address"], shown["stale"], shown["why_not"]) == (analysed.get_absolute_url(), "", "")
    assert shown["facts"][0].value == "1 of 8"
    assert shown["snapshot"].startswith("/snapshots/")
    assert places.place(second) == {}
    failed = make_run(analysed, "0.0", system=make_system("failed", team="t"))
    mark_changed(analysed)
    assert places.place(first)["stale"].startswith("Results or methods changed since this analysis")
    analyse(analysed)
    out = places.place(failed)
    assert (out["facts"], out["why_not"]) == ([], "failed run")
    alone = make_run(make_board([]), "0.5")
    assert places.place(alone) == {}


@pytest.mark.django_db
def test_a_strip_has_the_best_of_its_papers_baselines_and_of_the_years_before(django_assert_num_queries):
    analysed = make_board(year=2004)
    paper, other = make_paper("Doe (2010)"), make_paper("Roe (2011)")
    own, second = (make_run(analysed, value, role="proposed", paper=paper, year=2010) for value in ("0.34", "0.20"))
    better, worse = (make_run(analysed, value, role="baseline", paper=paper, year=2010) for value in ("0.28", "0.22"))
    make_run(analysed, "0.33", role="baseline", paper=other, year=2011)
    undated = make_run(analysed, "0.26", role="proposed", paper=other, year=None)
    mark_changed(analysed)
    analyse(analysed)
    boards = read_stored([analysed.pk])
    stored = boards[analysed.pk]
    results = list(analysed.results.select_related("leaderboard__measure").order_by("pk"))
    with django_assert_num_queries(1):
        found = strips_of(results, boards)
    assert set(found) == {one.pk for one in results}
    one = found[own.pk]
    assert (one.rank, one.n_results, one.is_best, one.rival) == (1, 14, True, "")
    assert one.before == KnownBefore(result=results[0].pk, system="run 0", value=0.31, year=2004)
    assert (one.baseline.result, one.baseline.value, one.baseline.gain) == (better.pk, 0.28, pytest.approx(0.06))
    assert one.baseline.is_beyond == stored.is_beyond(0.34 - 0.28, 2)
    low = found[second.pk]
    assert (low.rank, low.is_best, low.worth, low.baseline.gain) == (12, False, None, pytest.approx(-0.08))
    assert low.rival == stored.rows[low.distance.rival].system
    assert low.baseline.is_beyond is False
    assert found[better.pk].baseline is None
    assert (found[undated.pk].before, found[results[0].pk].before) == (None, None)
    assert found[worse.pk].before.value == 0.31
    assert strips_of(results, {}) == {}
    assert stored.best_before(2004) is None
    assert stored.best_before(2005).value == 0.31
    assert stored.strip(10**9) is None
    assert (stored.sign, stored.percentile(own.pk), one.reference) == (1.0, 100.0, stored.reference)
    assert one.baseline.percentile == 62.5
    assert stored.reference != ""


@pytest.mark.django_db
def test_papers_are_read_only_where_one_is_named(django_assert_num_queries):
    analysed = make_board()
    analyse(analysed)
    boards, results = read_stored([analysed.pk]), list(analysed.results.all())
    with django_assert_num_queries(0):
        assert len(strips_of(results, boards)) == 8
    with django_assert_num_queries(1):
        assert read_stored([analysed.pk, analysed.pk + 1000]).keys() == {analysed.pk}


@pytest.mark.parametrize(("percentile", "is_weak"), [(None, False), (49.9, True), (50.0, False)])
def test_a_baseline_is_weak_below_the_half(percentile, is_weak):
    assert baseline(0.1, percentile=percentile).is_weak == is_weak
