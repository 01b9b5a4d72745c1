"""The calibration of verdicts as its page shows it: both worlds of a class of boards in one line."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from analysis.boards import (
    METHODS,
    CalibrationRow,
    EvidenceKind,
    SuiteCalibrationRow,
    SuiteQuestion,
    audit,
    calibration,
)
from registry.core.grouping import grouped

_PROMISED = 0.95
#: In the order of their strength, with what each means.
KINDS: dict[EvidenceKind, tuple[str, str]] = {
    "own-topics": ("Own topics", "Topic scores of every row that competes."),
    "own-variance": (
        "Own variance",
        "Means alone; how much scores vary was measured on other runs of the same collection.",
    ),
    "own-and-predicted": (
        "Own variance and prediction",
        "Means alone. Three or five other runs of the collection were measured, or fewer than ten where there are"
        " no more, without near-copies. What they tell is taken together with a prediction.",
    ),
    "predicted": (
        "Predicted",
        "Means alone. How much scores vary is predicted from the measure, the mean of the scores and the relevant"
        " documents of a topic. The model was fitted without the collection. Classes: how many documents the"
        " score of a topic hangs on. Boards of one are made of where real runs have the first right document.",
    ),
    "predicted-without-density": (
        "Predicted, relevant documents not known",
        "The same on real tables as if nobody had counted how many documents are relevant.",
    ),
}


#: The questions about suites, what each means, and what they were drawn from.
SUITES: dict[SuiteQuestion, tuple[str, str, str]] = {
    "other-collections": (
        "Suites, on other collections",
        "The collections of real tables of systems and collections are drawn again. What systems score on all of them"
        " is taken for true.",
        "tables",
    ),
    "same-collections": (
        "Suites, on the same collections",
        "Topics are drawn again. No systems with topic scores ran on many collections, so that systems about as good on"
        " each are put together.",
        "kinds of measures",
    ),
}


#: How many documents decide, in words.
_DECIDING = {
    "one": "one deciding document",
    "few": "few",
    "many": "many",
    "ERR": "ERR",
    "Bpref": "bpref",
    "cut-short": "lists shorter than the relevant documents",
    "unknown": "not known",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One class of boards or of suites: ``equal`` with all systems equally good, ``measured`` as they differ."""

    name: str
    equal: CalibrationRow | SuiteCalibrationRow
    measured: CalibrationRow | SuiteCalibrationRow


@dataclass(frozen=True, slots=True)
class Section:
    """The lines of one kind of evidence by families of measures, all of them first; of one question about suites.

    ``source`` is what the boards of suites were drawn from.
    """

    key: EvidenceKind | SuiteQuestion
    name: str
    meaning: str
    source: str = ""
    families: Mapping[str, Sequence[Line]] = field(default_factory=dict)

    @property
    def has_leaders(self) -> bool:
        """Return whether leaders can be verified and values have intervals."""
        return self.key == "own-topics"

    @property
    def has_classes(self) -> bool:
        """Return whether lines are of how many documents decide."""
        return self.key.startswith("predicted")


def calibration_context() -> dict[str, object]:
    """Return what the template of the page needs beside its document."""
    found = calibration()
    equal = [row for row in found.rows if row.world == "equal"]
    by_evidence = grouped(_lines(found.rows, _class_of), attrgetter("equal.evidence"))
    by_question = grouped(_lines(found.suites, _suites_of), attrgetter("equal.question"))
    return {
        "below": [row for row in equal if row.coverage < _PROMISED],
        "lowest": min(equal, key=lambda row: row.coverage),
        "worst": min((row for row in equal if row.family != "all"), key=lambda row: row.coverage_min),
        "n_lines": len(equal),
        "lowest_predicted": min(row.coverage_min for row in equal if row.variance_class),
        "calibration": found,
        "audited": [(row, _DECIDING[row.variance_class]) for row in audit()],
        "n_beyond": sum(row.is_beyond for row in audit()),
        "n_collections": len({table.collection for table in found.tables}),
        "n_tables": sum(not table.is_sparse for table in found.tables),
        "present_methods": METHODS.version,
        "sections": [Section(key, *KINDS[key], "", _by_family(by_evidence[key])) for key in KINDS if by_evidence[key]],
        "suite_sections": [Section(key, *SUITES[key], {"all": lines}) for key, lines in by_question.items()],
    }


def _lines(rows: Iterable[Any], name: Callable[[Any], str]) -> list[Line]:
    """Return both worlds of each class of boards together."""
    by_world = {(row.key, row.world): row for row in rows}
    return [
        Line(name(row), row, by_world[key, "as-measured"]) for (key, world), row in by_world.items() if world == "equal"
    ]


def _by_family(lines: Iterable[Any]) -> dict[str, Sequence[Line]]:
    families = grouped(lines, attrgetter("equal.family"))
    return {family: families[family] for family in sorted(families, key=lambda one: (one != "all", one))}


def _class_of(row: CalibrationRow) -> str:
    """Return how many rows such boards have, over how many topics; of predictions, how many documents decide."""
    if row.variance_class:
        return _DECIDING[row.variance_class]
    systems, topics = _range(row.min_systems, row.max_systems), _range(row.min_topics, row.max_topics)
    return f"{systems} rows, {topics} topics"


def _suites_of(row: SuiteCalibrationRow) -> str:
    """Return how many systems compete in such suites, over how many collections."""
    systems, collections = (
        _range(row.min_systems, row.max_systems),
        _range(row.min_collections, row.max_collections),
    )
    return f"{systems} systems, {collections} collections"


def _range(low: int, high: int | None) -> str:
    return f"{low} or more" if high is None else f"{low} to {high}"
