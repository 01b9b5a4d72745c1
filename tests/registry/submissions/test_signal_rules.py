"""What signals go by, on leaderboards that are made up: which scores agree, which names are alike, what is usual."""

from typing import Any

import pytest

from analysis.readers.paper_facts import PaperFacts
from analysis.readers.scores import PrintedScore
from registry.catalog.models import Measure
from registry.results.pipeline.rows import ResultRow
from registry.submissions.pipeline import signals
from registry.submissions.pipeline.signals import Board, Recorded

MEASURE = Measure(name="P@10", ir_measures="P@10", low=0, high=1, decimals=4)


def recorded(pk: int, system: str, printed: str, **fields: Any) -> Recorded:
    said: dict[str, Any] = {
        "name_key": system.lower(),
        "team_key": "",
        "unit": "",
        "paper": None,
        "cite": None,
        "source": f"source {pk}",
        "replicate_of": None,
        "is_counted": True,
    }
    value = PrintedScore(printed, fields.get("unit", "")).value
    return Recorded(id=pk, system=system, printed=printed, value=value, **(said | fields))


def result(system: str = "Model X", printed: str = "0.3012", **fields: Any) -> ResultRow:
    said: dict[str, Any] = {
        "line": 1,
        "collection_id": 1,
        "measure_id": 1,
        "team": "",
        "name_key": system.lower(),
        "team_key": "",
        "paper": None,
        "unit": "",
        "year": None,
        "date": None,
        "role": "proposed",
        "run_type": "",
        "provenance": "transcribed",
        "comparability": "standard",
        "replicate_of": "",
        "first_team_key": "",
        "n_topics_here": None,
        "is_self_reported": False,
        "locator": "",
        "source": "here",
        "notes": "",
    }
    return ResultRow(system=system, printed=printed, **(said | fields))


def board(*standing: Recorded, n_topics: int | None = 50) -> Board:
    return signals._board(n_topics, list(standing))


def told(found: Any) -> list[tuple[str, str, str]]:
    return [(str(one.code), str(one.severity), one.message) for one in found]


@pytest.mark.parametrize(
    ("one", "other", "do_agree"),
    [
        ("0.3012", "0.3012", True),
        ("0.3012", "0.3013", False),
        ("0.301", "0.3012", True),
        ("0.3015", "0.301", True),
        ("0.3016", "0.301", False),
        ("0.3005", "0.301", True),
        ("0.3004", "0.301", False),
        ("0.30", "0.305", True),
        ("1", "0.5", True),
        ("1", "0.49", False),
        ("12", "12", True),
        ("12", "13", False),
    ],
)
def test_printed_scores_agree_as_far_as_the_shorter_is_printed(one, other, do_agree):
    first, second = PrintedScore(one), PrintedScore(other)
    assert signals._agree(first, second) is do_agree
    assert signals._agree(second, first) is do_agree


def test_what_agrees_with_a_score_is_found_by_its_value_on_both_sides():
    here = board(*(recorded(pk, f"s{pk}", printed) for pk, printed in enumerate(
        ["0.294", "0.295", "0.30", "0.3000", "0.3001", "0.304", "0.305", "0.306"], 1
    )))  # fmt: skip
    assert [one.printed for one in here.agreeing(PrintedScore("0.30"))] == [
        "0.295", "0.30", "0.3000", "0.3001", "0.304", "0.305",
    ]  # fmt: skip
    assert [one.id for one in here.agreeing(PrintedScore("0.3000"))] == [3, 4]
    assert [one.id for one in here.of_value(0.3)] == [3, 4]
    assert here.of_value(0.2999) == []


def test_a_board_keeps_its_results_by_name_and_score_and_tells_what_is_usual_from_those_that_count():
    values = ["0.21", "0.22", "0.23", "0.24", "0.25", "0.26", "0.27", "0.30"]
    standing = [recorded(20 - pk, f"s{pk % 2}", printed) for pk, printed in enumerate(values)]
    here = board(*standing, recorded(99, "s9", "0.9", is_counted=False))
    assert [one.id for one in here.by_name["s0"]] == [14, 16, 18, 20]
    assert here.values == [*map(float, values), 0.9]
    assert [one.value for one in here.ordered] == here.values
    assert here.usual is not None
    assert (here.usual.n_scores, here.usual.low, here.usual.high) == (8, 0.21, 0.30)
    assert here.usual.centre == pytest.approx(0.245)
    # Distances from 0.245: 0.035, 0.025, 0.015, 0.005, 0.005, 0.015, 0.025, 0.055; their median is 0.02.
    assert here.usual.deviation == pytest.approx(1.4826 * 0.02)
    assert here.usual.times_off(0.49) == pytest.approx(2)
    assert here.usual.times_off(0.1225) == pytest.approx(2)
    assert here.usual.times_off(0.0) == here.usual.times_off(-0.1) == float("inf")
    assert board(*standing[1:]).usual is None


def test_the_median_of_scores_around_zero_is_no_scale():
    usual = signals._usual([-0.4, -0.3, -0.2, -0.1, 0.1, 0.2, 0.3, 0.4])
    assert usual is not None
    assert usual.times_off(0.2) == float("inf")


@pytest.mark.parametrize(
    ("one", "other", "are_alike", "are_of_one_kind"),
    [
        ("model-x", "model x", True, True),
        ("model xx", "model xy", True, True),  # Six of seven letters are 0.857.
        ("model x", "model y", False, False),  # Five of six are 0.833.
        ("bm25", "bm26", False, False),
        ("bm25 default", "bm25 defaults", True, True),
        ("bm25", "anserini bm25", False, True),
        ("anserini bm25", "bm25", False, True),
        ("ql", "ql rm3", False, False),
        ("dpr", "dpr multi", False, True),
        ("lm", "dense", False, False),
        ("v2", "v 2", True, True),
    ],
)
def test_names_that_may_be_spellings_of_one(one, other, are_alike, are_of_one_kind):
    assert signals._is_alike(one, other) is are_alike
    assert signals._is_of_one_kind(one, other) is are_of_one_kind


def test_only_the_first_hundred_letters_of_very_long_names_are_compared():
    long = "abcdefghij" * 10
    assert signals._is_alike(long + "x" * 50, long + "y" * 50)
    assert not signals._is_alike("x" * 50 + long, "y" * 50 + long)


def duplicates(row: ResultRow, *standing: Recorded, existing: int | None = None, is_pending: bool = False):
    return told(signals._duplicates(row, board(*standing), existing, is_pending=is_pending))


def test_of_the_same_system_the_first_that_has_the_score_is_named():
    first, second = recorded(1, "Model X", "0.3012"), recorded(2, "Model X", "0.3012", cite="Roe (2022)")
    message = "Model X stands here with the same score already, from {}."
    assert duplicates(result(), second, first) == [("duplicate", "warning", message.format("source 1"))]
    assert duplicates(result(), second, first, existing=1) == [("duplicate", "warning", message.format("Roe (2022)"))]
    assert duplicates(result(), first, existing=1) == []
    assert duplicates(result(team_key="lab"), first) == [
        ("near_duplicate", "warning", "Model X stands here with the same score, from source 1: the same system?")
    ]
    pending = ("duplicate", "warning", "Another submission that waits for review has the same result.")
    assert duplicates(result(), is_pending=True) == [pending]
    assert duplicates(result(), recorded(1, "Model X", "0.4"), is_pending=True) == [pending]


def test_the_same_score_in_another_paper_is_told_and_no_warning():
    here, there = PaperFacts(identity="doi:1", cite="Doe"), recorded(1, "Model X", "0.301", paper="doi:2", cite="Roe")
    (found,) = duplicates(result(paper=here), there)
    assert found == ("duplicate", "info", "Model X stands here with the same score, as 0.301, already, from Roe.")
    assert duplicates(result(paper=None), there)[0][1] == "warning"
    assert duplicates(result(paper=here), recorded(1, "Model X", "0.301", paper="doi:1"))[0][1] == "warning"
    assert duplicates(result(paper=here), recorded(1, "Model X", "0.301"))[0][1] == "warning"


def test_another_spelling_is_told_with_a_rounded_score_and_a_name_like_it_with_the_very_score_alone():
    spelled, alike = recorded(3, "Model-XX", "0.301"), recorded(4, "Model XY", "0.3012")
    as_it_is = "stands here with the same score, from source"
    assert [one[2] for one in duplicates(result("Model XX"), spelled, alike)] == [
        "Model-XX stands here with the same score, as 0.301, from source 3: the same system?"
    ]
    assert [one[2] for one in duplicates(result("Model XX"), spelled, alike, existing=3)] == [
        f"Model XY {as_it_is} 4: the same system?"
    ]
    assert duplicates(result("Model XX"), recorded(4, "Model XY", "0.301")) == []
    assert duplicates(result("Model XX"), alike, existing=4) == []


def contested(row: ResultRow, *standing: Recorded, existing: int | None = None):
    return told(signals._contested(row, board(*standing), existing))


def test_other_scores_of_the_system_contest_it_unless_they_are_of_another_team_or_repeat_another():
    other = recorded(1, "Model X", "0.25", team_key="lab")
    said = "Other scores of this system stand here: 0.25 in source 1."
    assert contested(result(), other) == [("contested", "warning", said)]
    assert contested(result(team_key="lab"), other) == [("contested", "warning", said)]
    assert contested(result(team_key="lab"), recorded(1, "Model X", "0.25")) == [("contested", "warning", said)]
    assert contested(result(team_key="institute"), other) == []
    assert contested(result(), other, existing=1) == []
    assert contested(result(), recorded(1, "Model X", "0.25", replicate_of=7)) == []
    assert contested(result(replicate_of="model x"), other) == []
    assert contested(result("Model Y"), other) == []
    assert contested(result(role="baseline"), other)[0][1] == "info"


def test_three_other_scores_are_named_and_the_rest_counted():
    others = [recorded(pk, "Model X", f"0.1{pk}") for pk in range(1, 5)]
    named = "0.11 in source 1; 0.12 in source 2; 0.13 in source 3"
    begin = "Other scores of this system stand here: "
    assert contested(result(), *others[:3])[0][2] == f"{begin}{named}."
    assert contested(result(), *others)[0][2] == f"{begin}{named}; and 1 more."


def unreachable(row: ResultRow, measure: Measure = MEASURE, n_topics: int | None = 50):
    return told(signals._unreachable(row, board(n_topics=n_topics), measure))


def test_what_no_mean_can_be_is_told_with_the_nearest_that_can():
    (found,) = unreachable(result(printed="0.4531"))
    assert found[:2] == ("unreachable_value", "warning")
    assert found[2].startswith("No mean of P@10 over 50 topics is printed like this: the nearest are 0.452 and 0.454.")
    assert unreachable(result(printed="0.4520")) == []
    assert unreachable(result(printed="0.4531"), n_topics=None) == []
    assert "over 20 topics" in unreachable(result(printed="0.4531", n_topics_here=20), n_topics=None)[0][2]
    assert unreachable(result(printed="0.4531"), Measure(name="AP", low=0, high=1)) == []
    assert unreachable(result(printed="0.4531"), Measure(name="P@10", low=0, high=100)) == []
    assert unreachable(result(printed="0.4531"), Measure(name="P@10", low=0, high=None)) == []
    named = Measure(name="Early precision", ir_measures="P@10", low=0, high=1)
    assert "No mean of Early precision over" in unreachable(result(printed="0.4531"), named)[0][2]
    assert unreachable(result(printed="0.4531"), Measure(name="P@10", low=0, high=1))[0][0] == "unreachable_value"


def outside(printed: str, values: list[str], unit: str = ""):
    standing = [recorded(pk, f"s{pk}", value) for pk, value in enumerate(values, 1)]
    return told(signals._outside(result(printed=printed, unit=unit), board(*standing), MEASURE))


USUAL = ["0.21", "0.22", "0.23", "0.24", "0.25", "0.26", "0.27", "0.28"]


def test_what_lies_outside_is_told_by_how_far_it_is_from_the_median():
    between = "Recorded are 8 scores between 0.2100 and 0.2800"
    assert outside("0.21", USUAL) == outside("0.28", USUAL) == outside("0.3", USUAL) == outside("0.15", USUAL) == []
    assert outside("0.9", USUAL[:7]) == []
    assert outside("0.44", USUAL) == [
        (
            "far_outside",
            "warning",
            # 0.195 / (1.4826 × 0.02) is 6.58.
            f"{between}; this is far outside, 6.6 robust standard deviations from their median 0.245.",
        )
    ]
    assert outside("0.05", USUAL)[0][2].endswith("6.6 robust standard deviations from their median 0.245.")
    assert outside("0.0025", USUAL) == [
        ("percent_scale", "warning", f"{between}. Multiplied by 100 it would be among them: a percentage?")
    ]
    assert outside("0.25", USUAL, unit="percent")[0][2].endswith("among them: not in percent after all?")
    assert outside("25", USUAL)[0][2] == f"{between}. Divided by 100 it would be among them: a percentage?"
    assert outside("21", USUAL)[0][0] == outside("28", USUAL)[0][0] == "percent_scale"
    assert outside("29", USUAL)[0][0] == "far_outside"


def wrong_paper(row: ResultRow, proposals: dict[str, str]):
    return told(signals._wrong_paper(row, proposals))


def test_who_proposed_a_system_is_compared_with_what_a_row_says():
    here = PaperFacts(identity="doi:1", cite="Doe")
    proposing = {"doi:2": "Roe", "doi:3": "Moe", "doi:4": "Poe", "doi:5": "Zoe"}
    assert wrong_paper(result(paper=here), {}) == wrong_paper(result(), proposing) == []
    assert wrong_paper(result(paper=here), proposing) == [
        (
            "baseline_of_other_paper",
            "info",
            "This system is recorded as proposed by Roe; Moe; Poe. In another paper it would be a baseline.",
        )
    ]
    assert wrong_paper(result(paper=here), proposing | {"doi:1": "Doe"}) == []
    assert wrong_paper(result(paper=here, role="baseline"), proposing) == []
    (found,) = wrong_paper(result(paper=here, role="baseline"), proposing | {"doi:1": "Doe"})
    assert (found[1], found[2].partition(".")[0]) == ("warning", "Doe proposed this system")
    assert wrong_paper(result(paper=here, role="trec_run"), proposing | {"doi:1": "Doe"}) == []
