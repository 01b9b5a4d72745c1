"""What stands behind the mean of a run: results beside it, topics that decide, and the numbers of its page."""

from types import SimpleNamespace

import pytest

from analysis.boards import PairError
from registry.runs.models import OwnMeasure, Upload, Work
from registry.runs.verdicts import (
    DecidingTopic,
    Precision,
    _besides,
    _decide,
    _precision,
    boards_of,
)

#: Published results, and toolkits' runs from place 2 on.
PUBLISHED = [(1, "best", 0.9, "proposed"), (2, "second", 0.85, "proposed")]


def rows(*tools: float) -> list[SimpleNamespace]:
    found = [*PUBLISHED, *((10 + place, f"tool {value}", value, "reference_implementation")
                           for place, value in enumerate(tools))]  # fmt: skip
    return [SimpleNamespace(id=pk, system=name, value=value, role=role) for pk, name, value, role in found]


def besides(mean: float, *tools: float, sign: float = 1.0, margin: float | None = None, error=None) -> list[tuple]:
    shown = [SimpleNamespace(**(vars(row) | {"value": sign * row.value})) for row in rows(*tools)]
    stored = SimpleNamespace(
        shown=shown,
        pair_error=error,
        inputs=SimpleNamespace(measure=SimpleNamespace(higher_is_better=sign > 0)),
    )
    check = SimpleNamespace(checked=SimpleNamespace(margin=margin, behind=0.9 - mean))
    return list(_besides(stored, check, sign * mean, 3, {}))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_nearest_runs_of_toolkits_stand_beside_the_best_and_the_best_of_the_weaker_half(sign):
    tools = (0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2)
    found = besides(0.65, *tools, sign=sign)
    assert [(one.system, one.is_weak) for one in found] == [
        ("best", False), ("tool 0.7", False), ("tool 0.6", False), ("tool 0.4", True),
    ]  # fmt: skip
    assert [one.value for one in found] == [sign * value for value in (0.9, 0.7, 0.6, 0.4)]
    assert [one.difference for one in found] == pytest.approx([sign * one for one in (-0.25, -0.05, 0.05, 0.25)])
    assert [one.url for one in found] == [f"/results/{pk}/" for pk in (1, 11, 12, 14)]
    # Of six the weaker three, of five the weaker two, of four none.
    assert [one.system for one in besides(0.65, *tools[:6])][-1] == "tool 0.5"
    assert [(one.system, one.is_weak) for one in besides(0.65, *tools[:5])][-2:] == [
        ("tool 0.6", False), ("tool 0.5", True),
    ]  # fmt: skip
    assert [one.system for one in besides(0.65, *tools[:4])] == ["best", "tool 0.7", "tool 0.6"]


def test_each_is_told_apart_or_not_as_one_of_those_that_are_compared():
    best = "The best on record that is not excluded"
    unknown = "Nothing here says how much scores vary between topics."
    assert [one.said for one in besides(0.65, 0.7, 0.6)] == [f"{best}.", unknown, unknown]
    assert besides(0.65, margin=0.25)[0].said == f"{best}; within the margin of 0.250."
    assert besides(0.65, margin=0.24)[0].said == f"{best}; beyond the margin of 0.240."
    assert besides(1.15, margin=0.24)[0].said == f"{best}; beyond the margin of 0.240."
    told = [one.said for one in besides(0.6, 0.7, 0.59, error=PairError(value=0.0253, degrees_of_freedom=10.0))]
    assert told == [
        f"{best}.", "Told apart: as one of 2 comparisons, it takes 0.067.",
        "A tie: as one of 2 comparisons, it takes 0.056.",
    ]  # fmt: skip
    alone = besides(0.6, 0.7, error=PairError(value=0.0253, degrees_of_freedom=10.0))
    assert [one.said for one in alone] == [f"{best}.", "Told apart: it takes 0.056."]


AP = OwnMeasure(name="AP", decimals=2)


def test_the_topics_that_decide_and_how_few_of_them_turn_it():
    own = {f"t{place}": value for place, value in enumerate((0.9, 0.5, 0.5, 0.5, 0.1, 0.5, 0.4, 0.7))}
    found = _decide(own, dict.fromkeys(own, 0.5), "3 others", 3, AP)
    # +0.4 and +0.2 against −0.4 and −0.1: without the best topic it is no longer better.
    assert (found.n_systems, found.n_topics) == (3, 8)
    assert found.difference == pytest.approx(0.1 / 8)
    assert [one.topic for one in found.gains] == ["t0", "t7"]
    assert [one.topic for one in found.losses] == ["t4", "t6"]
    assert found.losses[0] == DecidingTopic("t4", 0.1, 0.5, -0.4)
    assert found.said == (
        "Over all topics the run is 0.01 better than the mean of the 3 others. Without 1 topic of 8 it is not."
    )
    less = _decide(own, dict.fromkeys(own, 0.5), "3 others", 3, OwnMeasure(name="Cost", decimals=3,
                                                                            higher_is_better=False))  # fmt: skip
    assert [one.topic for one in less.gains] == ["t4", "t6"]
    assert [one.topic for one in less.losses] == ["t0", "t7"]
    assert less.difference == found.difference
    assert "the run is 0.012 worse than" in less.said


def interval(estimate: float, grade: int) -> dict[str, float]:
    return {"estimate": estimate, "low": estimate - 0.1, "high": estimate + 0.1, "n_topics": 43.0, "grade": grade}


def test_precision_is_of_the_measure_itself_or_of_the_grade_of_its_collection():
    found = {"AP": interval(0.3, 1), "AP(rel=2)": interval(0.4, 2), "AP(rel=3)": interval(0.5, 2)}
    assert _precision(found, "AP(rel=3)", 1) == Precision("AP(rel=3)", 0.5, 0.4, 0.6, 43)
    assert _precision(found, "nDCG@10", 2).measure == "AP(rel=2)"
    assert _precision(found, "nDCG@10", 1).measure == "AP"
    assert _precision(found, "nDCG@10", 4).measure == "AP"
    assert _precision({}, "AP", 1) is None


@pytest.mark.parametrize(
    "work",
    [Work(kind="matrix", state="done"), Work(kind="run", state="waiting"), Work(kind="run", state="refused")],
)
def test_what_is_no_scored_run_stands_on_no_leaderboard(work):
    assert boards_of(Upload(work=work)) == {}
