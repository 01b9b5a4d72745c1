"""Rows, states, rules and files of leaderboards, from findings put together by hand."""

import datetime
import io
import zipfile
from types import SimpleNamespace

import pytest
from django.utils.datastructures import MultiValueDict

from analysis.boards import SuiteFlag
from registry.leaderboards.documents.rows import Marks, competition_ranks, ranks_of, sorted_rows
from registry.leaderboards.documents.states import analysis_state, past_state, state_of
from registry.leaderboards.documents.suite_findings import (
    SuiteRuleDocument,
    _listed,
    _sentence,
    describe_rules,
    describe_uplift,
    uplift_sentence,
)
from registry.leaderboards.exports import badges, latex
from registry.leaderboards.exports.bundles import _DAY, _inputs_csv
from registry.leaderboards.forms import FileSelectionForm, PagedSelectionForm, Selection, SelectionForm
from registry.leaderboards.models import Analysis, SuiteAnalysis
from registry.leaderboards.queries.boards import unjudged_of
from registry.leaderboards.queries.suites import MembersState, _Rows, _state_of
from registry.leaderboards.references import _rounded
from registry.leaderboards.snapshot_page import Member, _method, _of_members, _ranks
from registry.leaderboards.traits import Traits, _fits
from registry.leaderboards.words import OF_MEANS, OF_RESULTS, left_out

METHODS = analysis_state.__globals__["METHODS"].version


def test_equal_scores_share_a_rank_and_the_next_is_counted_on():
    assert competition_ranks([(7, 0.5), (8, 0.4), (9, 0.4), (1, 0.3)]) == {7: 1, 8: 2, 9: 2, 1: 4}
    assert competition_ranks([]) == {}
    families = [SimpleNamespace(results=(1, 2)), SimpleNamespace(results=(3,))]
    found = SimpleNamespace(families=families)

    def ranks(higher: bool) -> dict[int, int]:
        means = {1: 0.1, 2: 0.3, 3: 0.2, 4: 0.9}
        measure = SimpleNamespace(higher_is_better=higher)
        return ranks_of(SimpleNamespace(measure=measure, means=means), found)

    assert ranks(True) == {2: 1, 3: 2, 1: 3}
    assert ranks(False) == {1: 1, 3: 2, 2: 3}


def test_rows_are_sorted_by_a_column_and_what_is_missing_comes_last():
    rows = [
        SimpleNamespace(id=place, system=system, year=year, z=z, team=team)
        for place, (system, year, z, team) in enumerate(
            [("b", 2001, 0.5, ""), ("A", None, None, "x"), ("c", 2003, -1.0, ""), ("a", 2001, 0.0, "W")]
        )
    ]

    def order(sort: str) -> list[int]:
        return [row.id for row in sorted_rows(rows, sort)]

    assert (order("rank"), order("-rank")) == ([0, 1, 2, 3], [3, 2, 1, 0])
    assert (order("system"), order("-system")) == ([1, 3, 0, 2], [2, 0, 1, 3])
    assert (order("year"), order("-year")) == ([2, 0, 3, 1], [0, 3, 2, 1])
    assert (order("z"), order("-z")) == ([0, 3, 2, 1], [2, 3, 0, 1])
    assert (order("team"), order("-team")) == ([3, 1, 0, 2], [1, 3, 0, 2])
    assert isinstance(sorted_rows(rows, "rank"), tuple)


def test_what_a_verdict_says_of_single_rows():
    verdict = SimpleNamespace(
        set=SimpleNamespace(members=(1, 2)), best_unflagged=SimpleNamespace(set=SimpleNamespace(members=(2,))),
        distances={1: "d", 2: "d", 3: "d"}, held_back=frozenset({1}),
        cautions=(SimpleNamespace(code="a", results=(1, 2)), SimpleNamespace(code="b", results=(1,))),
    )  # fmt: skip
    marks = Marks(verdict)
    assert [marks.can_be_best(row) for row in (1, 2, 3, 4)] == [True, True, False, None]
    assert [marks.can_be_best_unflagged(row) for row in (1, 2, 3, 4)] == [False, True, False, None]
    assert (marks.cautions, marks.held_back) == ({1: ("a", "b"), 2: ("a",)}, {1})
    verdict.set = verdict.best_unflagged.set = None
    assert (Marks(verdict).can_be_best(1), Marks(verdict).can_be_best_unflagged(1)) == (None, None)
    nothing = Marks(None)
    assert (nothing.can_be_best(1), nothing.distances, nothing.held_back, nothing.cautions) == (None, {}, set(), {})


def test_how_an_analysis_stands():
    board = SimpleNamespace(results_version=3)

    def analysis(results: int, methods: str, snapshot: str | None) -> SimpleNamespace:
        return SimpleNamespace(results_version=results, methods_version=methods, snapshot_id=snapshot)

    assert state_of(board, None) == "queued"
    assert state_of(SimpleNamespace(results_version=0), None) == "none"
    assert state_of(board, analysis(3, METHODS, "x")) == "current"
    assert state_of(board, analysis(3, METHODS, None)) == "none"
    assert state_of(board, analysis(2, METHODS, "x")) == "stale"
    assert state_of(board, analysis(3, "1", "x")) == "stale"


def test_a_state_in_words():
    obstacle = next(one for one in Analysis.Obstacle if one.value)
    why = f"No analysis: {obstacle.label}."
    said = {state: analysis_state(state, "").message for state in ("current", "stale", "queued", "none", "past")}
    assert said == {
        "current": "The analysis covers every result recorded here.",
        "stale": "Results or methods changed since this analysis; it is being made again.",
        "queued": "This leaderboard has not been analysed yet; it is about to be.", "none": "", "past": "",
    }  # fmt: skip
    assert [analysis_state(state, obstacle).message for state in ("current", "none", "stale")] == [
        why, why, said["stale"],
    ]  # fmt: skip
    assert analysis_state("stale", obstacle, is_filtered=True).message == why
    assert analysis_state("stale", "", is_filtered=True).message == said["stale"]
    of_suite = analysis_state("queued", "", words=OF_MEANS, obstacles=SuiteAnalysis.Obstacle)
    assert of_suite.message == "This suite has not been analysed yet; it is about to be."
    assert (of_suite.state, of_suite.obstacle) == ("queued", "")


def test_an_earlier_day_in_words():
    day, other = datetime.date(2020, 1, 2), datetime.date(2019, 5, 6)
    obstacle = next(one for one in Analysis.Obstacle if one.value)

    def said(n_undated: int = 0, rows: tuple = (1,), because: str = "", **fields) -> str:
        recorded = SimpleNamespace(rows=rows, n_undated=n_undated)
        return past_state(Selection(**fields), recorded, because).message

    assert said(as_of=day) == "The results as the registry knew them on that day, with their analysis."
    bare = {"recorded": SimpleNamespace(rows=(1,), n_undated=0), "has_snapshot": False}
    assert past_state(Selection(as_of=day), obstacle="", **bare).message == (
        "The results as the registry knew them on that day, with their analysis. No analysis from then can be read: "
        "this one takes the topics, variances, reference systems and suites of today."
    )
    assert "of today" not in past_state(Selection(as_of=day), obstacle=obstacle, **bare).message
    assert past_state(Selection(published_by=other), obstacle="", **bare).message == (
        "Only results that were published by 2019-05-06, analysed by themselves."
    )
    assert said(as_of=day, rows=()) == "The registry knew none of these results on that day."
    published = "Only results that were published by 2019-05-06, analysed by themselves."
    assert said(published_by=other) == published
    assert said(1, published_by=other) == (f"{published} 1 result is left out because its year is not known.")
    assert said(2, published_by=other).endswith("2 results are left out because their year is not known.")
    assert said(because=obstacle, published_by=other) == f"{published} No analysis: {obstacle.label}."
    assert said(because=obstacle, published_by=other, rows=()) == published
    assert past_state(Selection(as_of=day), SimpleNamespace(rows=(), n_undated=0), "").state == "past"


def rules(*winners: tuple[str, tuple[int, ...]], wins: float = 0.79, beats_all: int | None = None) -> SimpleNamespace:
    found = [SimpleNamespace(rule=rule, winner=who[0], tied=who[1:], wins=wins) for rule, who in winners]
    return SimpleNamespace(rules=found, beats_all=beats_all)


def test_who_wins_by_each_rule_in_words():
    names = {1: "A", 2: "B", 3: "C"}
    again = "Drawn again, these 9 members name the same winner by the mean in 79 of 100."
    assert _sentence(rules(("mean", (1,)), ("copeland", (1,))), names, 9) == f"Every rule here names A. {again}"
    assert _sentence(rules(("mean", (1,)), wins=0.8), names, 9) == "Every rule here names A."
    found = rules(("mean", (1,)), ("copeland", (2, 3)), ("mean-z", (1,)), ("worst-rank", (2, 3)), ("mean-rank", (3,)))
    assert _sentence(found, names, 9) == (
        "By mean and mean z A leads; by duels and worst rank B and C, tied; by mean rank C. No system beats every "
        f"other on more members than it loses. {again}"
    )
    found.beats_all = 2
    assert "B beats every other on more members than it loses." in _sentence(found, names, 9)
    tied = rules(("mean", (1, 2)), ("copeland", (3,)))
    assert _sentence(tied, names, 9).startswith("By mean A and B, tied, lead; by duels C. No system beats")
    assert [_listed(list("abc"[:n])) for n in (1, 2, 3)] == ["a", "a and b", "a, b and c"]
    one = SuiteRuleDocument.__dict__["sentence"].fget
    told = SimpleNamespace(name="duels", system="A", tied_systems=(), wins=0.646, halves=0.5)
    assert one(told) == (
        "By duels A leads. Drawn again, the members name the same winner in 65 of 100, two halves of them in 50. Teal "
        "is judged by the mean."
    )
    told.tied_systems = ("B",)
    assert one(told).startswith("By duels A and B lead, tied. ")


def test_rules_have_the_names_of_their_winners_and_say_of_whom():
    inputs = SimpleNamespace(rows=[SimpleNamespace(id=1, system="A"), SimpleNamespace(id=2, system="B")], members="xyz")
    told = [SimpleNamespace(rule="mean", winner=1, tied=(), wins=0.9, halves=0.8),
            SimpleNamespace(rule="copeland", winner=2, tied=(1,), wins=0.5, halves=0.4)]  # fmt: skip
    found = SimpleNamespace(rules=told, beats_all=2, places=range(1234))
    document = describe_rules(inputs, found, "all")
    assert [(one.name, one.system, one.tied_systems, one.rule, one.wins, one.halves) for one in document.rules] == [
        ("mean", "A", (), "mean", 0.9, 0.8), ("duels", "B", ("A",), "copeland", 0.5, 0.4),
    ]  # fmt: skip
    assert document.beats_all == 2
    assert document.sentence == (
        "By mean A leads; by duels B and A, tied. B beats every other on more members than it loses. Drawn again, these"
        " 3 members name the same winner by the mean in 90 of 100."
    )
    of_some = describe_rules(inputs, found, "declared-none").sentence
    assert of_some == f"Of all 1,234 systems, whatever is said of their training: b{document.sentence[1:]}"


@pytest.mark.parametrize(
    ("estimate", "words"), [(0.0404, "0.040 higher"), (0.0, "0.000 higher"), (-0.04, "0.040 lower")]
)
def test_what_declared_training_goes_with_on_all_members(estimate, words):
    inputs = SimpleNamespace(members=[SimpleNamespace(collection=one, name=one.upper()) for one in "abc"])
    members = [
        SimpleNamespace(member=place, value=value, low=value - 0.01, high=value + 0.01, n_declare=7, n_others=8)
        for place, value in ((0, -0.05), (2, 0.08), (1, 0.02))
    ]
    found = SimpleNamespace(estimate=estimate, standard_error=0.0123, n_systems=1234, n_families=5678, members=members)
    told = describe_uplift(inputs, found)
    assert told.sentence == (
        f"Where systems declare training on a collection, they score about {words} there than their other scores "
        "suggest (standard error 0.012, 1,234 systems of 5,678 families)."
    )
    assert [(one.collection, one.name, one.value, one.n_declare) for one in told.members] == [
        ("c", "C", 0.08, 7), ("b", "B", 0.02, 7), ("a", "A", -0.05, 7),
    ]  # fmt: skip
    assert told.members[0].sentence == (
        "Systems that declare training on C score about 0.08 higher there than their other scores suggest (90 %: 0.07 "
        "to 0.09)."
    )


@pytest.mark.parametrize(
    ("value", "low", "high", "said"),
    [
        (0.05, 0.0149, 0.09, "Systems that declare training on X score about 0.05 higher there than their other scores "
         "suggest (90 %: 0.01 to 0.09)."),
        (-0.05, -0.09, -0.004, "Systems that declare training on X score about 0.05 lower there than their other "
         "scores suggest (90 %: −0.090 to −0.004)."),
        (0.004, 0.001, 0.007, "Systems that declare training on X score less than 0.01 higher there than their other "
         "scores suggest (90 %: 0.001 to 0.007)."),
        (-0.004, -0.0071, -0.001, "Systems that declare training on X score less than 0.01 lower there than their "
         "other scores suggest (90 %: −0.007 to −0.001)."),
        (0.05, 0.0004, 0.1, "Systems that declare training on X score about 0.05 higher there than their other scores "
         "suggest (90 %: 0.0004 to 0.1000)."),
        (0.05, -0.01, 0.09, "How systems that declare training on X score there can’t be told from what their other "
         "scores suggest (90 %: −0.01 to 0.09)."),
        (0.05, 0.0, 0.09, "How systems that declare training on X score there can’t be told from what their other "
         "scores suggest (90 %: 0.0000 to 0.0900)."),
    ],
)  # fmt: skip
def test_what_declared_training_goes_with(value, low, high, said):
    assert uplift_sentence("X", SimpleNamespace(value=value, low=low, high=high)) == said


def suite_row(pk: int, value: float, **fields) -> SimpleNamespace:
    known = {"is_comparable": True, "replicate_of": None, "system": "A", "team": "T", "is_original": True,
             "is_self_reported": False, "lineage": ("x",), "training": "none"}  # fmt: skip
    return SimpleNamespace(id=pk, value=value, **(known | fields))


def test_a_suite_takes_the_first_result_of_each_system_and_the_mean_of_executions():
    rows = _Rows(2)
    first = [
        suite_row(2, 0.4), suite_row(3, 0.6, replicate_of=2), suite_row(1, 0.1, is_comparable=False), suite_row(5, 0.9),
        suite_row(6, 0.3, is_original=False, lineage=("y",)), suite_row(7, 0.2, replicate_of=1),
    ]  # fmt: skip
    system_of = {2: 20, 5: 20, 6: 30, 7: 40}
    rows.add(0, first, competing={2, 5, 6, 7}, flags=[("odd", 2), ("late", 5), ("b", 6), ("a", 6)], system_of=system_of)
    second = [suite_row(8, 0.7, system="A2", is_self_reported=True, lineage=("z", "x"), training="some")]
    rows.add(1, second, competing={8}, flags=[("odd", 8)], system_of={8: 20})
    one, other, third = rows.made()
    assert (one.id, one.system, one.team, one.scores, one.results) == (20, "A", "T", (pytest.approx(0.5), 0.7), (2, 8))
    assert (one.is_original, one.is_self_reported, one.lineage, one.training) == (
        True,
        True,
        ("x", "z"),
        ("none", "some"),
    )
    assert one.flags == (SuiteFlag(code="odd", member=0), SuiteFlag(code="odd", member=1))
    assert (other.id, other.scores, other.results, other.training) == (30, (0.3, None), (6, None), ("none", ""))
    assert (other.is_original, other.flags) == (False, (SuiteFlag(code="a", member=0), SuiteFlag(code="b", member=0)))
    assert (third.id, third.scores) == (40, (0.2, None))


def test_members_are_settled_once_all_that_have_results_are_analysed_by_these_methods():
    settled = _state_of({1: (5, 5, METHODS, "s1"), 2: None})
    assert (settled.snapshots, settled.is_settled) == ({1: "s1", 2: None}, True)
    assert not _state_of({1: (5, 4, METHODS, "s1")}).is_settled
    assert not _state_of({1: (5, 5, "1", "s1")}).is_settled
    assert not _state_of({1: (5, 5, METHODS, "s1"), 2: (1, None, None, None)}).is_settled
    assert settled.version == MembersState({2: None, 1: "s1"}).version != MembersState({1: "s1"}).version


def facts(*, is_open: bool | None = None, n: int | None = None, maker: str = "") -> SimpleNamespace:
    return SimpleNamespace(has_open_weights=is_open, n_parameters=n, organisation=maker)


@pytest.mark.parametrize(
    ("traits", "fits", "fails"),
    [
        (Traits(weights="open"), facts(is_open=True), facts(is_open=False)),
        (Traits(weights="open"), facts(is_open=True), facts()),
        (Traits(weights="closed"), facts(is_open=False), facts(is_open=True)),
        (Traits(weights="closed"), facts(is_open=False), None),
        (Traits(size="1B"), facts(n=10**9), facts(n=10**9 + 1)),
        (Traits(size="100M"), facts(n=10**8), facts()),
        (Traits(size="8B"), facts(n=8 * 10**9), None),
        (Traits(maker="acme"), facts(maker="ACME"), facts(maker="Acme Labs")),
        (Traits(maker="acme"), facts(maker="Acme"), None),
    ],
)
def test_systems_are_as_asked_where_that_is_said(traits, fits, fails):
    assert _fits(fits, None, 2020, traits)
    assert not _fits(fails, None, 2020, traits)


def test_makers_of_models_and_years_are_asked_of_results():
    assert _fits(None, "Acme", None, Traits(maker="ACME"))
    assert not _fits(None, "Beta", None, Traits(maker="ACME"))
    assert [_fits(None, None, year, Traits(since=2020)) for year in (2019, 2020, 2021, None)] == [
        False,
        True,
        True,
        False,
    ]
    assert _fits(None, None, None, Traits())
    assert not Traits()
    for one in (Traits(weights="open"), Traits(size="1B"), Traits(maker="x"), Traits(since=2020)):
        assert one
    assert Traits("open", "1B", "Acme", 2020).in_words == [
        "open weights", "at most 1B parameters", "made by Acme", "published in 2020 or later",
    ]  # fmt: skip
    assert Traits().in_words == []


def members(n: int, *, n_members: int | None = None, telling: bool = True) -> dict:
    found = SimpleNamespace(members=tuple(range(n)), n_members=n_members or n, is_telling=telling)
    rows = [SimpleNamespace(id=pk, rank=n - pk, system=f"s{pk}", value=0.5) for pk in range(n + 2)]
    document = SimpleNamespace(measure={"decimals": 2})
    return _of_members(SimpleNamespace(shown=SimpleNamespace(set=found)), document, SimpleNamespace(), rows)


def test_those_that_may_be_the_best_stand_in_two_columns():
    four, five, many = members(4), members(5), members(33)
    assert [[one.system for one in part] for part in four["members"]] == [["s3", "s2", "s1", "s0"]]
    assert [[one.system for one in part] for part in five["members"]] == [["s4", "s3", "s2"], ["s1", "s0"]]
    assert five["members"][0][0] == Member("", "s4", "0.50", None)
    assert (four["members_title"], four["n_more"]) == ("The 4 that can’t be told from the best", 0)
    assert (four["has_ranks"], four["has_years"]) == (False, False)
    assert members(1)["members_title"] == "The one that stands alone"
    assert (many["members_title"], many["n_more"], len(many["members"][0])) == ("The first 30 of 33", 3, 15)
    assert members(3, telling=False) == {}
    assert _of_members(SimpleNamespace(shown=SimpleNamespace(set=None)), None, None, []) == {}
    assert [_ranks(one) for one in (None, SimpleNamespace(low=1, high=1), SimpleNamespace(low=1, high=4))] == [
        "", "1", "1–4",
    ]  # fmt: skip


def test_how_a_set_was_found_in_words():
    document = SimpleNamespace(words=OF_RESULTS, measure={"decimals": 3})

    def method(found, corrected=None) -> str:
        verdict = SimpleNamespace(
            shown=SimpleNamespace(set=found, corrected=corrected), why_no_set="no topics",
            evidence_sentence="It rests.", tries=SimpleNamespace(n_results=8, makers="5 teams"),
        )  # fmt: skip
        return _method(verdict, document)

    of_means = SimpleNamespace(margin=0.05, method="gupta-means", confidence_level=0.95)
    assert method(None) == "There is no set of those that may be the best: no topics. It rests."
    assert method(of_means, corrected=1).endswith(
        "It rests. The luck of coming first is taken off by Tweedie’s correction, from the best results of 5 teams."
    )
    assert method(of_means).startswith("The set holds every result within 0.050 of the best: Gupta’s constant times")
    of_topics = SimpleNamespace(margin=None, method="gupta-means", confidence_level=0.95)
    assert method(of_topics).startswith("The set is found by gupta-means for 8 results, at 95")
    other = SimpleNamespace(margin=0.05, method="hybrid", confidence_level=0.9)
    assert method(other).startswith("The set is found by hybrid for 8 results, at 90")


def verdict(**fields) -> SimpleNamespace:
    known = {
        "best": SimpleNamespace(result=1, value=0.5), "best_unflagged": None, "leader_verified": False,
        "tries": SimpleNamespace(n_results=8),
        "shown": SimpleNamespace(corrected=None, n_left_out=0, set=SimpleNamespace(n_members=1, n_rows=None)),
    }  # fmt: skip
    return SimpleNamespace(**(known | fields))


def shown(n_members: int | None, n_rows: int | None = None, n_left_out: int = 0, corrected=None) -> SimpleNamespace:
    found = None if n_members is None else SimpleNamespace(n_members=n_members, n_rows=n_rows)
    return SimpleNamespace(corrected=corrected, n_left_out=n_left_out, set=found)


def test_a_badge_in_two_lines():
    other = SimpleNamespace(result=2, value=0.4)
    assert badges._score(verdict(), 3, "printed") == "printed 0.500"
    worth = SimpleNamespace(value=0.4567, decimals=2)
    assert badges._score(verdict(shown=shown(1, corrected=worth)), 3, "mean") == "mean 0.500, probably 0.46"
    assert badges._score(verdict(best_unflagged=other), 2, "printed") == (
        "printed 0.50, held back; best that is not 0.40"
    )
    assert badges._score(verdict(best_unflagged=SimpleNamespace(result=1, value=0.5)), 2, "printed") == "printed 0.50"
    assert badges._reach(verdict(shown=shown(2))) == "2 of 8 can’t be told from the best"
    assert badges._reach(verdict(shown=shown(2, 5))) == "2 of 5 can’t be told from the best"
    assert badges._reach(verdict(shown=shown(2, n_left_out=1), best_unflagged=other)) == (
        "2 of 7 not held back can’t be told apart"
    )
    assert badges._reach(verdict(shown=shown(1))) == "every other is ruled out"
    assert badges._reach(verdict(shown=shown(1), best_unflagged=other)) == "every other not held back is ruled out"
    assert badges._reach(verdict(shown=shown(1), leader_verified=True)) == "lead verified: every other is ruled out"
    assert badges._reach(verdict(shown=shown(None))) == "not known which could be the best"
    assert badges._reach(verdict(shown=shown(None, n_left_out=7))) == "one result, nothing to compare it with"


def test_a_badge_is_as_wide_as_its_lines_and_leads_to_its_page():
    svg = badges.draw_badge("first", "the second line", "it says so", has_verdict=True)
    assert f'width="{round(52.0 + 7.6 * 15)}"' in svg
    assert f'width="{round(52.0 + 6.7 * 30)}"' in badges.draw_badge("f" * 30, "s", "", has_verdict=False)
    one = badges.snippet_of("A [b] c\\d", "said", "https://x.org", "/leaderboards/é/AP/")
    assert (one.path, one.description) == ("/leaderboards/é/AP/badge.svg", "said")
    assert one.markdown == (
        "[![Plumbline: A \\[b\\] c\\\\d](https://x.org/leaderboards/%C3%A9/AP/badge.svg)]"
        "(https://x.org/leaderboards/%C3%A9/AP/)"
    )
    assert one.html == one.html.strip()
    assert one.html.startswith("<a ")


def test_a_table_for_papers_breaks_long_names_and_counts_its_lines():
    def row(system: str, team: str = "", paper: str = "") -> SimpleNamespace:
        return SimpleNamespace(system=system, team=team, paper_slug=paper, rank=3, rank_low=None, rank_high=None)

    assert latex._breakable("short a/b.c") == "short a/b.c"
    assert latex._breakable("organisation/model_v1.5-x") == (
        "organisation/\\allowbreak{}model\\_\\allowbreak{}v1.\\allowbreak{}5-x"
    )
    assert latex._breakable("owner/model-14 of/one") == "owner/model-14 of/one"
    assert latex._breakable("owner/model-is15") == "owner/\\allowbreak{}model-is15"
    assert latex._widths([row("abc")]) == {"system": 0.58}
    assert latex._widths([row("abc", paper="p")]) == {"system": 0.5}
    assert latex._widths([row("a" * 10, "b" * 10)]) == {"system": 0.28, "team": 0.28}
    assert latex._widths([row("a" * 6, "b" * 5)]) == {"system": 0.31, "team": 0.25}
    assert latex._widths([row("a" * 30, "b")]) == {"system": 0.38, "team": 0.18}
    assert latex._widths([row("a", "b" * 30)]) == {"system": 0.22, "team": 0.34}
    # A share of 0.4 has 26 characters a line.
    assert [latex._n_lines(row("x" * n), {"system": 0.4}) for n in (1, 26, 27, 53)] == [1, 1, 2, 3]
    assert latex._n_lines(row("x", "y" * 27), {"system": 0.4, "team": 0.4}) == 2
    assert [latex._letter(mark) for mark in ("declares no training", "disputed")] == ["u", "d"]
    ranked = row("x")
    assert latex.rank_of(ranked) == "3"
    ranked.rank_low = ranked.rank_high = 1
    assert latex.rank_of(ranked) == "3"
    ranked.rank_high = 4
    assert latex.rank_of(ranked) == "1–4"
    ranked.rank_low = ranked.rank = None
    assert latex.rank_of(ranked) == "–"


def test_the_same_snapshot_makes_the_same_archive():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(zipfile.ZipInfo("x", _DAY), "text")
    with zipfile.ZipFile(stream) as archive:
        assert archive.getinfo("x").date_time == (1980, 1, 1, 0, 0, 0)
    columns = ("id", "system", "team", "printed", "unit", "value", "year", "role", "run_type", "provenance",
               "comparability", "replicate_of")  # fmt: skip
    row = SimpleNamespace(**dict.fromkeys(columns, "v")) if columns else None
    assert _inputs_csv((row,)) == f"{','.join(columns)}\n{','.join(['v'] * 12)}\n"


def test_cautions_that_leave_rows_out_are_told_from_others():
    cautions = [SimpleNamespace(code=code, results=(pk,)) for pk, code in
                enumerate(("failed-runs", "constant-runs", "disputed"))]  # fmt: skip
    assert left_out(cautions) == {0: "failed run", 1: "constant: the same score on every topic"}
    assert (OF_RESULTS.row, OF_RESULTS.many, OF_MEANS.row, OF_MEANS.many) == ("result", "results", "system", "systems")


@pytest.mark.parametrize(
    ("notes", "share"),
    [("unjudged@10=0.25", 0.25), ("x unjudged@10=1 y", 1.0), ("unjudged@10=1.00", 1.0), ("unjudged@10=0", 0.0),
     ("unjudged@10=1.5", None), ("unjudged@10=0.2.5", None), ("unjudged@100=0.5", None), ("", None)],
)  # fmt: skip
def test_sources_print_how_many_documents_nobody_judged(notes, share):
    assert unjudged_of(notes) == share


def test_factors_keep_ten_digits():
    assert _rounded({"a": [0.123456789012345, 3, "x"], "b": (1.0,)}) == {"a": [0.123456789, 3, "x"], "b": [1.0]}


def address(choices: dict[str, str]) -> MultiValueDict:
    return MultiValueDict({name: [value] for name, value in choices.items()})


def test_choices_are_read_from_addresses():
    form = SelectionForm(
        address({"training": "all", "n_multiplier": "5", "sort": "-year", "counted_roles": "trec_run, baseline"})
    )
    assert form.is_valid(), form.errors
    found = form.selection()
    assert (found.question.training, found.question.n_multiplier, found.sort) == ("all", 5, "-year")
    assert found.question.counted_roles == ("baseline", "trec_run")
    assert found.query == {
        "training": "all",
        "n_multiplier": "5",
        "sort": "-year",
        "counted_roles": "baseline,trec_run",
    }
    assert not found.is_default
    blanks = SelectionForm(address({"counted_roles": " , baseline,", "maker": " ", "scale": ""}))
    assert blanks.is_valid(), blanks.errors
    assert blanks.selection().query == {"counted_roles": "baseline"}
    past = SelectionForm(address({"as_of": "2020-01-02", "published_by": "2019-01-02"}))
    assert past.is_valid(), past.errors
    days = (datetime.date(2020, 1, 2), datetime.date(2019, 1, 2))
    assert (past.selection().as_of, past.selection().published_by) == days, "of no leaderboard, days stay as they are"
    nobody = SelectionForm(address({"counted_roles": ", ,"}))
    assert (nobody.is_valid(), nobody.selection()) == (True, Selection())
    nothing = SelectionForm(address({}))
    assert nothing.is_valid()
    assert (nothing.selection(), nothing.selection().is_default, nothing.selection().key) == (
        Selection(),
        True,
        "page=1",
    )
    wrong = SelectionForm(address({"counted_roles": "zebra,ape"}))
    assert wrong.errors["counted_roles"][0].startswith("ape is not a role that counts; those are ")
    top = FileSelectionForm(address({"top": "3"}))
    assert top.is_valid()
    assert (top.selection().top, top.selection().view, FileSelectionForm(address({})).is_valid()) == (
        3,
        {"top": "3"},
        True,
    )
    every = FileSelectionForm(address({}))
    assert (every.is_valid(), every.selection().top, every.selection().view) == (True, None, {})
    paged = PagedSelectionForm(
        address({"q": "bert", "columns": "year, tier,, ", "rows": "50", "page": "2", "since": "2019"})
    )
    assert paged.is_valid(), paged.errors
    chosen = paged.selection()
    assert (chosen.page, chosen.q, chosen.columns, chosen.rows) == (2, "bert", ("tier", "year"), 50)
    assert chosen.view == {"q": "bert", "columns": "tier,year", "rows": "50"}
    assert (chosen.traits, chosen.query) == (Traits(since=2019), {"since": "2019"})
    assert chosen.key == "columns=tier%2Cyear&q=bert&rows=50&since=2019&page=2"
    usual = PagedSelectionForm(address({"rows": "20"}))
    assert usual.is_valid()
    assert (usual.selection().view, usual.selection().rows) == ({}, 20)
    assert "There is no column “zebra”" in PagedSelectionForm(address({"columns": "zebra"})).errors["columns"][0]
    day = datetime.date(2020, 1, 1)
    assert [Selection(**one).is_past for one in ({}, {"as_of": day}, {"published_by": day})] == [False, True, True]
    assert not Selection(as_of=day).is_default
    assert not Selection(traits=Traits(since=1)).is_default
