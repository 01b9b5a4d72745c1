"""Each question about a verdict, asked of the smallest one that answers it with yes, and of its neighbours."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests.verdicts import contradictions as of
from tests.verdicts.contradictions import Studied


def row(pk: int, value: float, **fields: Any) -> SimpleNamespace:
    return SimpleNamespace(
        **{
            "id": pk, "value": value, "system": f"s{pk}", "printed": f"{value}", "unit": "", "is_comparable": True,
            "replicate_of": None, "view": "declared-none", "flagged_on": (), "linked": (),
        }
        | fields
    )  # fmt: skip


def caution(code: str, *results: int, **fields: Any) -> SimpleNamespace:
    return SimpleNamespace(**({"code": code, "results": results, "withholds": False, "is_flag": False} | fields))


def worth(value: float, luck: float) -> SimpleNamespace:
    return SimpleNamespace(value=value, luck=luck)


def among(*members: int, **fields: Any) -> SimpleNamespace:
    known = {"members": members, "n_members": len(members), "n_rows": 4, "margin": 0.05, "is_telling": True,
             "distances": [SimpleNamespace(result=pk) for pk in (1, 2, 3, 4)]}  # fmt: skip
    return SimpleNamespace(**(known | fields))


ROWS = (row(1, 0.4), row(2, 0.3), row(3, 0.2), row(4, 0.1))


def board(rows=ROWS, families=((1,), (2,), (3, 4)), tiers=((1, 2),), inputs=(), evidence=(), **verdict: Any) -> Studied:
    """Return four rows of three makers; the best and the next may be the best."""
    best_set = among(1, 2)
    parts = {
        "best": SimpleNamespace(result=1, value=0.4), "best_unflagged": None, "corrected": None, "set": best_set,
        "cautions": (), "flagged": frozenset(), "held_back": frozenset(), "view": "all", "views": (),
        "tries": SimpleNamespace(n_families=3, n_results=4), "leader_verified": False, "family_verified": False,
        "evidence": SimpleNamespace(**({"kind": "own-topics", "residual_variance": 0.01, "degrees_of_freedom": 9.0,
                                        "n_topics": 50, "variance_class": "", "audited": None, "coverage": None}
                                       | dict(evidence))),
    } | verdict  # fmt: skip
    parts.setdefault("shown", SimpleNamespace(result=1, value=0.4, set=parts["set"]))
    measure = SimpleNamespace(name="AP", higher_is_better=True, low=0.0, high=1.0)
    known = {"rows": rows, "measure": measure, "n_topics": 50, "n_topics_at_least": None, "relevant": None,
             "members": None, "variances": (), "is_zero_shot": False, "cleared": (), "linked": ()}  # fmt: skip
    findings = SimpleNamespace(
        verdict=SimpleNamespace(**parts), families=[SimpleNamespace(results=ids) for ids in families], tiers=tiers
    )
    return Studied("c AP", SimpleNamespace(**(known | dict(inputs))), findings)


def less(**fields: Any) -> dict[str, Any]:
    """Return facts of a measure of which less is better."""
    return {"inputs": {"measure": SimpleNamespace(name="Cost", higher_is_better=False, low=None, high=None)}} | fields


@pytest.mark.parametrize(
    ("question", "no", "yes"),
    [
        (of.beyond_margin, {"corrected": worth(0.36, 0.04)}, {"corrected": worth(0.34, 0.06)}),
        (of.beyond_margin, {"corrected": worth(0.1, 0.3), "set": None}, {"corrected": worth(0.46, 0.06)}),
        (of.beyond_margin, {"corrected": worth(0.1, 0.3), "set": among(1, margin=None)}, {"corrected": worth(0.3, 0)}),
        (of.better_than_best, {}, {"best": SimpleNamespace(result=2, value=0.3)}),
        (
            of.better_than_best,
            less(best=SimpleNamespace(result=4, value=0.1)),
            less(best=SimpleNamespace(result=3, value=0.2)),
        ),
        (of.better_than_best, {"rows": (row(1, 0.4), row(2, 0.4 * (1 + 5e-10)), *ROWS[2:])},
         {"rows": (row(1, 0.4), row(2, 0.4 * (1 + 2e-9)), *ROWS[2:])}),
        (of.lacks_degrees, {}, {"evidence": {"degrees_of_freedom": None}}),
        (of.lacks_degrees, {"evidence": {"degrees_of_freedom": None, "residual_variance": None}},
         {"evidence": {"degrees_of_freedom": None}}),
        (of.lacks_topics, {}, {"evidence": {"n_topics": None}}),
        (of.lacks_topics, {"evidence": {"n_topics": None, "kind": "predicted"}},
         {"evidence": {"n_topics": None, "kind": "own-variance"}}),
        (of.claims_of_no_mean, {}, {"cautions": (caution("not-a-topic-mean", 1),)}),
        (of.claims_of_no_mean, {"cautions": (caution("not-a-topic-mean", 1),), "set": None},
         {"cautions": (caution("a", 1), caution("not-a-topic-mean"))}),
        (of.claims_from_few, {"inputs": {"n_topics": 25}, "evidence": {"kind": "none"}},
         {"inputs": {"n_topics": 24}, "evidence": {"kind": "predicted"}}),
        (of.claims_from_few, {"inputs": {"n_topics": 24}}, {"inputs": {"n_topics": 1}, "evidence": {"kind": "none"}}),
        (of.claims_from_few, {"inputs": {"n_topics": None}, "evidence": {"kind": "none"}},
         {"inputs": {"n_topics": 1}, "evidence": {"kind": "none"}}),
        (of.claims_from_few, {"inputs": {"n_topics": 24}, "evidence": {"kind": "none"}, "set": None},
         {"inputs": {"n_topics": 2}, "evidence": {"kind": "none"}}),
        (of.claims_without_evidence, {"set": None, "evidence": {"kind": "none"}}, {"evidence": {"kind": "none"}}),
        (of.claims_without_evidence, {},
         {"set": None, "evidence": {"kind": "none"}, "corrected": worth(0.3, 0.1)}),
        (of.values_without_set, {"corrected": worth(0.3, 0.1), "evidence": {"kind": "predicted"}},
         {"corrected": worth(0.3, 0.1), "evidence": {"kind": "predicted"}, "set": None}),
        (of.values_without_set, {"evidence": {"kind": "predicted"}, "set": None},
         {"corrected": worth(0.3, 0.1), "evidence": {"kind": "none"}, "set": None}),
        (of.values_without_set, {"corrected": worth(0.3, 0.1), "set": None},
         {"corrected": worth(0.3, 0.1), "evidence": {"kind": "none"}, "set": None}),
        (of.predicts, {}, {"evidence": {"kind": "predicted-from-siblings"}}),
        (of.predicts, {"evidence": {"kind": "predicted"}, "inputs": {"members": ()}},
         {"evidence": {"kind": "predicted"}}),
        (of.passes_over_a_matrix, {"evidence": {"kind": "predicted"}},
         {"evidence": {"kind": "predicted"}, "inputs": {"variances": ("one",)}}),
        (of.passes_over_a_matrix, {"inputs": {"variances": ("one",)}},
         {"evidence": {"kind": "predicted"}, "inputs": {"variances": ("one",)}}),
        (of.values_beyond_the_audit, {"evidence": {"audited": 2.0}},
         {"evidence": {"audited": 2.0}, "corrected": worth(0.3, 0.1)}),
        (of.values_beyond_the_audit, {"corrected": worth(0.3, 0.1)},
         {"evidence": {"audited": 2.0}, "best_unflagged": SimpleNamespace(result=2, value=0.3, corrected=1, set=None)}),
        (of.is_outside, {}, {"set": among(2)}),
        (of.is_outside, {"set": None},
         {"best_unflagged": SimpleNamespace(result=2, value=0.3, corrected=None, set=among(3))}),
        (of.tier_is_another, {}, {"tiers": ((1,), (2,))}),
        (of.tier_is_another, {"tiers": (), "set": None}, {"set": None}),
        (of.tier_is_another, {"tiers": ((1, 2), (3,))}, {"tiers": ()}),
        (of.leader_is_flagged, {"flagged": {2}}, {"flagged": {1}}),
        (of.counts_other_makers, {}, {"tries": SimpleNamespace(n_families=3, n_results=5)}),
        (of.counts_other_makers, {}, {"tries": SimpleNamespace(n_families=4, n_results=4)}),
        (of.has_makers_of_several, {"tries": SimpleNamespace(n_families=4, n_results=4)}, {}),
        (of.fails_and_competes, {"cautions": (caution("failed-runs", 9),)}, {"cautions": (caution("failed-runs", 4),)}),
        (of.calls_failed_what_is_constant, {"cautions": (caution("constant-runs", 2),)},
         {"cautions": (caution("failed-runs", 2),)}),
        (of.calls_failed_what_is_constant, {"rows": (*ROWS, row(5, 0.0)), "cautions": (caution("failed-runs", 5),)},
         {"rows": (*ROWS, row(5, 0.0)), "cautions": (caution("constant-runs", 5, 2),)}),
        (of.calls_failed_what_is_constant, {},
         {"rows": (*ROWS, row(5, 0.0)), "cautions": (caution("failed-runs", 5, 4),)}),
        (of.verifies_what_is_noted, {"leader_verified": True, "cautions": (caution("x", 2, withholds=True),)},
         {"leader_verified": True, "cautions": (caution("x", 1, withholds=True),)}),
        (of.verifies_what_is_noted, {"leader_verified": True, "cautions": (caution("x", 1),)},
         {"leader_verified": True, "cautions": (caution("y", 3), caution("x", 2, 1, withholds=True))}),
        (of.verifies_what_is_noted, {"cautions": (caution("x", 1, withholds=True),)},
         {"leader_verified": True, "cautions": (caution("x", 1, withholds=True),)}),
        (of.is_falsely_verified, {}, {"leader_verified": True}),
        (of.is_falsely_verified, {"leader_verified": True, "set": among(1)},
         {"leader_verified": True, "set": among(1), "inputs": {"n_topics": 24}}),
        (of.is_falsely_verified, {"family_verified": True}, {"family_verified": True, "set": None}),
        (of.is_falsely_verified, {"leader_verified": True, "set": among(1), "inputs": {"n_topics": 25}},
         {"leader_verified": True, "set": among(1), "evidence": {"kind": "own-variance"}}),
        (of.is_falsely_verified, {"leader_verified": True, "set": among(1)},
         {"leader_verified": True, "set": among(1), "tries": SimpleNamespace(n_families=2, n_results=4)}),
        (of.judges_members_as_one, {"evidence": {"kind": "predicted"}},
         {"evidence": {"kind": "predicted"}, "inputs": {"members": ("a", "b")}}),
        (of.judges_members_as_one,
         {"evidence": {"kind": "predicted", "n_topics": 2}, "inputs": {"members": ("a", "b")}},
         {"evidence": {"kind": "predicted", "n_topics": 3}, "inputs": {"members": ("a", "b")}}),
        (of.judges_members_as_one, {"inputs": {"members": ("a",)}},
         {"evidence": {"kind": "none"}, "inputs": {"members": ("a",)}}),
        (of.judges_members_as_one,
         {"evidence": {"kind": "none", "residual_variance": None}, "inputs": {"members": ("a",)}},
         {"evidence": {"kind": "none"}, "inputs": {"members": ("a",)}}),
        (of.competes_by_score, {}, {"views": ("v",), "set": among(1, distances=[])}),
        (of.competes_by_score, {"views": ("v",)}, {"views": ("v",), "view": "declared-some"}),
        (of.competes_by_score, {"set": None, "views": ("v",), "view": "declared-some"},
         {"views": ("v",), "view": "declared-some"}),
        (of.competes_by_score, {"view": "declared-some"}, {"views": ("v",), "view": "declared-some"}),
        (of.lacks_other, {"flagged": {1}, "best_unflagged": SimpleNamespace(result=2)}, {"flagged": {1}}),
        (of.lacks_other, {"flagged": {2}}, {"flagged": {1, 2}, "best_unflagged": SimpleNamespace(result=2)}),
        (of.lacks_other, {"flagged": {1, 2, 3, 4}}, {"flagged": {1, 2, 3}}),
        (of.is_not_finite, {}, {"corrected": worth(float("nan"), 0.1)}),
        (of.is_not_finite, {"corrected": worth(0.3, 0.1)}, {"best": SimpleNamespace(result=1, value=float("inf"))}),
    ],
)  # fmt: skip
def test_a_question_is_answered_by_what_stands(question, no, yes):
    assert question(board(**no)) is False
    assert question(board(**yes)) is True


def test_what_is_held_back_on_a_member_is_held_back_on_the_mean():
    rows = (*ROWS[:3], row(4, 0.1, flagged_on=("a",)))
    assert of.passes_over_a_member(board(rows))
    assert not of.passes_over_a_member(board(rows, flagged={4}))
    assert not of.passes_over_a_member(board(rows, families=((1,), (2,), (3,))))
    cleared = SimpleNamespace(code="flagged-on-member", result=4)
    assert not of.passes_over_a_member(board(rows, inputs={"cleared": (cleared,)}))
    cleared.code = "other"
    assert of.passes_over_a_member(board(rows, inputs={"cleared": (cleared,)}))


def test_a_variance_is_none_that_such_scores_cannot_have():
    def above(variance, **inputs):
        return of.above_cap(board(evidence={"residual_variance": variance}, inputs=inputs))

    cap = of.variance_cap([0.4, 0.3, 0.2, 0.1], n_topics=50, value_range=(0.0, 1.0))
    assert not above(cap * (1 + 5e-7))
    assert above(cap * (1 + 2e-6))
    assert not above(None)
    assert above(9.0)
    assert not above(9.0, n_topics=1)
    assert above(9.0, n_topics=2)
    assert above(9.0, n_topics=None, n_topics_at_least=2)
    assert not above(9.0, n_topics=None)
    for low, high in ((None, 1.0), (0.0, None), (0.15, 1.0), (0.0, 0.35)):
        measure = SimpleNamespace(name="AP", higher_is_better=True, low=low, high=high)
        assert not above(9.0, measure=measure)
    edge = SimpleNamespace(name="AP", higher_is_better=True, low=0.1, high=0.4)
    assert above(9.0, measure=edge)


@pytest.mark.parametrize(
    ("measure", "mean", "evidence", "takes"),
    [
        ("AP", 1.5, {"variance_class": "many"}, True),
        ("AP", 1.6, {"variance_class": "many"}, False),
        ("AP", 1.5, {"variance_class": "one", "residual_variance": 0.0280}, True),
        ("AP", 1.5, {"variance_class": "one", "residual_variance": 0.0282}, False),
        ("infAP", 1.5, {"variance_class": "one", "residual_variance": 0.0280}, True),
        ("nDCG@10", 1.5, {"variance_class": "one", "residual_variance": 0.0}, False),
        ("nDCG@10", 1.5, {"variance_class": "many"}, True),
        ("RR", 1.5, {"variance_class": "many"}, True),
        ("P@10", 1.5, {"variance_class": "many"}, False),
        ("AP", 1.5, {"variance_class": "cut-short", "residual_variance": 0.0}, False),
        ("AP", 1.5, {"variance_class": "one", "residual_variance": None}, True),
        ("AP", None, {"variance_class": "many"}, False),
        ("AP", 1.5, {"variance_class": "many", "kind": "own-variance"}, False),
    ],
)
def test_one_relevant_document_decides_alone(measure, mean, evidence, takes):
    inputs = {
        "measure": SimpleNamespace(name=measure, higher_is_better=True, low=0.0, high=1.0),
        "relevant": None if mean is None else SimpleNamespace(mean=mean),
    }
    # The mean of the rows is 0.25: 0.15 of 0.25 times 0.75 are 0.028125.
    assert of.takes_that_of_many(board(inputs=inputs, evidence={"kind": "predicted"} | evidence)) == takes
