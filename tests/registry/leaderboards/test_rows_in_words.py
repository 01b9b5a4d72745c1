"""Rows as documents have them, and what is said of choices, columns and equal systems around them."""

from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.boards import BoardRow, Question
from registry.curation.lineage.training import NOT_KNOWN, Training, TrainingState
from registry.leaderboards.documents import rows as documents_rows
from registry.leaderboards.documents.rows import Shown, shown_rows
from registry.leaderboards.forms import Selection
from registry.leaderboards.queries.boards import RowFacts
from registry.leaderboards.traits import Traits
from registry.leaderboards.wording import choices_in_words, column_meanings, equal_means_finding, names_of


def facts_of(pk: int, **fields: Any) -> RowFacts:
    known = {
        "id": pk, "system_id": pk + 100, "system_slug": f"s-{pk}", "team": "Uni", "paper_id": None, "paper_slug": None,
        "paper": "", "paper_url": "", "source": "a page", "notes": "", "is_disputed": False,
    } | fields  # fmt: skip
    return RowFacts(**known)


def row(pk: int, value: float, **fields: Any) -> BoardRow:
    return BoardRow(**{"id": pk, "system": f"s {pk}", "printed": f"{value:.4f}", "value": value} | fields)


def shown(rows: list[BoardRow], *, findings: Any = None, higher: bool = True, means: dict[int, float] | None = None,
          trained: dict[int, Training] | None = None) -> Any:  # fmt: skip
    inputs = SimpleNamespace(
        measure=SimpleNamespace(higher_is_better=higher),
        means={one.id: one.value for one in rows} if means is None else means,
    )
    return Shown(inputs=inputs, findings=findings, snapshot=None, obstacle="", trained=trained or {})


def found(**fields: Any) -> SimpleNamespace:
    verdict = SimpleNamespace(
        set=SimpleNamespace(members=(1,)), best_unflagged=SimpleNamespace(set=SimpleNamespace(members=(2,))),
        distances={
            1: SimpleNamespace(behind=0.0, margin=0.02, rival=2), 2: SimpleNamespace(behind=0.1, margin=0.03, rival=1),
        },
        held_back=frozenset({1}),
        cautions=(
            SimpleNamespace(code="few-topics", results=(1,)), SimpleNamespace(code="failed-runs", results=(4,)),
        ),
    )  # fmt: skip
    known = {
        "verdict": verdict, "tiers": ((1,), (2, 3)),
        "families": (SimpleNamespace(results=(1, 3)), SimpleNamespace(results=(2,))),
        "equal_means": (
            SimpleNamespace(scale="published", plausible=(1,)), SimpleNamespace(scale="residual", plausible=(2,)),
        ),
        "standing": (SimpleNamespace(result=2, z=0.5, percentile=80.0, topic_z=0.25),),
    } | fields  # fmt: skip
    return SimpleNamespace(**known)


def test_a_row_has_what_the_source_says_and_what_was_found(monkeypatch):
    ranges = {1: SimpleNamespace(low=1, high=2), 2: SimpleNamespace(low=3, high=4)}
    monkeypatch.setattr(documents_rows, "rank_ranges", lambda inputs, findings: ranges)
    rows = [
        row(1, 0.9, team="T", year=2004, role="trec_run", run_type="manual", provenance="double_checked",
            is_self_reported=True),
        row(2, 0.8, unit="percent", role="reference_implementation"), row(3, 0.7, replicate_of=1), row(4, 0.0),
        row(5, 0.95, comparability="topic_subset"),
    ]  # fmt: skip
    facts = {one.id: facts_of(one.id) for one in rows}
    facts[1] = facts_of(
        1, paper_id=7, paper_slug="doe", paper="Doe (2004)", paper_url="https://x.org", notes="a note", is_disputed=True
    )
    facts[2] = facts_of(2, paper_url="https://y.org")
    trained = {1: Training(TrainingState.DECLARES, split="train")}
    recorded: Any = SimpleNamespace(rows=rows, facts=facts)
    told = shown_rows(recorded, Selection(), shown(rows, findings=found(), trained=trained))
    assert [one.id for one in told] == [5, 1, 2, 3, 4]
    by_id = {one.id: one for one in told}
    first = asdict(by_id[1])
    assert first == first | {
        "id": 1, "rank": 1, "rank_low": 1, "rank_high": 2, "tier": 1, "can_be_best": True,
        "can_be_best_unflagged": False, "is_held_back": True, "behind": 0.0, "margin": 0.02, "rival": 2, "family": 1,
        "plausible": True, "is_counted": True, "is_original": True, "why_not_comparable": "", "system": "s 1",
        "system_id": 101, "system_slug": "s-1", "team": "T", "value": 0.9, "printed": "0.9000", "unit": "",
        "year": 2004, "role": "trec_run", "run_type": "manual", "provenance": "double_checked",
        "declared_training": "yes", "training": "declares", "training_split": "train", "is_self_reported": True,
        "cautions": ("few-topics",), "is_disputed": True, "z": None, "percentile": None, "topic_z": None,
        "paper": "Doe (2004)", "paper_id": 7, "paper_slug": "doe", "source": "a page", "notes": "a note",
    }  # fmt: skip
    second = asdict(by_id[2])
    assert second == second | {
        "rank": 2, "rank_low": 3, "rank_high": 4, "tier": 2, "can_be_best": False, "can_be_best_unflagged": True,
        "is_held_back": False, "behind": 0.1, "margin": 0.03, "rival": 1, "family": 2, "plausible": False,
        "is_original": False, "unit": "percent", "declared_training": NOT_KNOWN.answer, "training": NOT_KNOWN.word,
        "training_split": "", "is_self_reported": False, "cautions": (), "is_disputed": False, "z": 0.5,
        "percentile": 80.0, "topic_z": 0.25, "paper": "https://y.org", "paper_id": None, "paper_slug": None,
    }  # fmt: skip
    again, failed, oracle = asdict(by_id[3]), asdict(by_id[4]), asdict(by_id[5])
    assert (again["why_not_comparable"], again["rank"], again["tier"], again["family"], again["paper"]) == (
        "another execution; the mean of all competes", 3, 2, 1, None,
    )  # fmt: skip
    assert (failed["why_not_comparable"], failed["is_counted"], failed["rank"], failed["rank_low"]) == (
        "failed run", False, None, None,
    )  # fmt: skip
    assert (failed["can_be_best"], failed["behind"], failed["margin"], failed["rival"]) == (None, None, None, None)
    assert (oracle["rank"], oracle["is_counted"], oracle["tier"], oracle["family"], oracle["rank_high"]) == (
        None, rows[4].is_counted, None, None, None,
    )  # fmt: skip
    assert oracle["why_not_comparable"] == "other set of topics"
    variance = shown_rows(recorded, Selection(scale="residual"), shown(rows, findings=found()))
    assert [one.id for one in variance if one.plausible] == [2]
    filtered = shown_rows(recorded, Selection(Question(role="trec_run")), shown(rows, findings=found()))
    assert [(one.id, one.rank, one.rank_low, one.rank_high) for one in filtered] == [(1, 1, None, None)]


def test_rows_stand_by_what_they_compete_with_and_pass_every_filter():
    rows = [
        row(1, 0.9, role="baseline", run_type="automatic"), row(2, 0.8, role="baseline", run_type="manual"),
        row(3, 0.7, role="proposed", provenance="recomputed"), row(4, 0.6, role="proposed", run_type="manual"),
    ]  # fmt: skip
    recorded: Any = SimpleNamespace(rows=rows, facts={one.id: facts_of(one.id) for one in rows})

    def told(selection: Selection | None = None, **fields: Any) -> list[tuple[int, int | None]]:
        return [(one.id, one.rank) for one in shown_rows(recorded, selection or Selection(), shown(rows, **fields))]

    assert told() == [(1, None), (2, None), (3, None), (4, None)]
    assert told(higher=False) == [(4, None), (3, None), (2, None), (1, None)]
    for asked, ids in (
        ({"role": "baseline"}, [1, 2]), ({"role": "proposed"}, [3, 4]), ({"run_type": "manual"}, [2, 4]),
        ({"provenance": "recomputed"}, [3]), ({"role": "proposed", "run_type": "manual"}, [4]),
        ({"role": "baseline", "provenance": "recomputed"}, []),
    ):  # fmt: skip
        assert [pk for pk, _ in told(Selection(Question(**asked)))] == ids
    bare = found(verdict=SimpleNamespace(set=None, best_unflagged=None, distances={}, held_back=frozenset(),
                                         cautions=()))  # fmt: skip
    bare.families = (SimpleNamespace(results=(1, 2, 3)),)
    means = {1: 0.5, 2: 0.8, 3: 0.7, 4: 0.99}
    asked = Selection(Question(provenance="transcribed"))
    assert told(asked, findings=bare, means=means) == [(2, 1), (4, None), (1, 3)]
    assert told(asked, findings=bare, means=means, higher=False) == [(1, 1), (4, None), (2, 3)]


def board(**fields: Any) -> Any:
    known = {"measure": {"decimals": 3, "higher_is_better": True}, "selection": {}, "scales": ("published",),
             "verdict": None, "reference_sets": ()} | fields  # fmt: skip
    return SimpleNamespace(**known)


@pytest.mark.parametrize(
    ("higher", "n", "said"),
    [
        (True, 1, "1 result lies at or above 0.250, the far end of the range that they would cover."),
        (True, 2, "2 results lie at or above 0.250, the far end of the range that they would cover."),
        (False, 1234, "1\u202f234 results lie at or below 0.350, the far end of the range that they would cover."),
    ],
)
def test_what_equal_systems_would_reach(higher, n, said):
    bounds: Any = SimpleNamespace(
        higher_is_better=higher, lower=0.25, upper=0.35, n_effective_results=1200, adjusted_mean=0.3, best=0.4,
        n_plausible=n,
    )  # fmt: skip
    assert equal_means_finding(board(), bounds) == (
        "If all 1\u202f200 had one and the same true mean of 0.300, the best of them would reach 0.400 one time in"
        f" five. {said}"
    )
    assert equal_means_finding(board(), None) == ""


def test_what_choices_do_is_said_a_sentence_each():
    labels = {"role": "baseline", "run_type": "manual", "provenance": "transcribed", "counted_roles": "shared tasks"}

    def said(traits: Traits | None = None, **chosen: str) -> list[str]:
        return choices_in_words(board(selection=chosen), labels, traits or Traits())

    only = "Only these may be the best: {}. The others were tried too, so they still count."
    unknown = "Systems of which nobody says this are among the others."
    assert said() == []
    assert said(role="baseline") == [only.format("baseline")]
    assert said(provenance="x", run_type="y", role="z") == [only.format("baseline, manual, transcribed")]
    open_ones = Traits(weights="open", since=2020)
    told = "open weights, published in 2020 or later"
    assert said(open_ones) == [only.format(told), unknown]
    assert said(open_ones, role="baseline") == [only.format(f"baseline, {told}"), unknown]
    assert said(counted_roles="x") == ["The analysis of equal systems counts only these: shared tasks."]
    assert said(scale="published") == []
    assert said(scale="residual") == ["No residual standard error is known here."]
    assert choices_in_words(board(selection={"scale": "residual"}, scales=()), labels, Traits()) == []
    assert said(n_multiplier="1") == [
        "In the analysis of equal systems each result stands for 1 attempt, published or not."
    ]
    assert said(n_multiplier="3") == [
        "In the analysis of equal systems each result stands for 3 attempts, published or not."
    ]


def test_columns_say_what_they_mean():
    meanings = column_meanings(board())
    assert meanings["can_be_best"] == "Whether it can be told from the best, at the stated confidence."
    sets = (SimpleNamespace(basis="topic-scores", name="8 runs"),
            SimpleNamespace(basis="published-means", name="99 runs"))  # fmt: skip
    told = column_meanings(board(reference_sets=sets))
    assert told["topic_z"] == "Standardized topic by topic against 8 runs, then averaged."
    assert told["z"] == "Distance from the mean of 99 runs, in their standard deviations."
    bar = (
        "Whether it can be told from the best, at the stated confidence. The bar shows how far it is behind {}, which"
        " stands at the right end; the shaded part is the margin: what is further behind is ruled out."
    )
    verdict = SimpleNamespace(shown=SimpleNamespace(set=SimpleNamespace(margin=0.02)), best_unflagged=None)
    assert column_meanings(board(verdict=verdict))["can_be_best"] == bar.format("the best")
    verdict.best_unflagged = SimpleNamespace()
    assert column_meanings(board(verdict=verdict))["can_be_best"] == bar.format("the best not held back")
    verdict.shown.set.margin = None
    assert column_meanings(board(verdict=verdict))["can_be_best"] == bar.format(
        "the one that it is most clearly behind over the same topics"
    )
    verdict.shown.set = None
    assert column_meanings(board(verdict=verdict)) == meanings
    assert names_of([SimpleNamespace(id=3, system="x"), SimpleNamespace(id=4, system="y")]) == {3: "x", 4: "y"}
