"""The calibration of verdicts as its page shows it: both worlds of a class of boards in one line."""

from collections.abc import Iterable
from dataclasses import dataclass

from analysis.boards import (
    METHODS,
    CalibrationRow,
    EvidenceKind,
    SuiteCalibrationRow,
    SuiteQuestion,
    audit,
    calibration,
)

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
        "Means alone; three or five other runs of the collection were measured, no two of them near-copies, or fewer"
        " than ten where there are no more. What they tell is taken together with a prediction.",
    ),
    "predicted": (
        "Predicted",
        "Means alone; how much scores vary is predicted from the measure, the mean of the scores and the relevant"
        " documents of a topic, by a model that was fitted without the collection. Classes: how many documents the"
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
    """One class of boards: ``equal`` with all systems equally good, ``measured`` as they differ."""

    equal: CalibrationRow
    measured: CalibrationRow

    @property
    def name(self) -> str:
        """How many rows such boards have, over how many topics; of predictions, how many documents decide."""
        row = self.equal
        if row.variance_class:
            return _DECIDING[row.variance_class]
        systems, topics = _range(row.min_systems, row.max_systems), _range(row.min_topics, row.max_topics)
        return f"{systems} rows, {topics} topics"


@dataclass(frozen=True, slots=True)
class Group:
    """The lines of one family of measures, or of all."""

    family: str
    lines: tuple[Line, ...]

    @property
    def is_all(self) -> bool:
        """Whether boards under all measures are in it."""
        return self.family == "all"

    @property
    def name(self) -> str:
        """For people."""
        return "all measures" if self.is_all else self.family


@dataclass(frozen=True, slots=True)
class Section:
    """The groups of one kind of evidence, that of all measures first."""

    key: EvidenceKind
    name: str
    meaning: str
    groups: tuple[Group, ...]

    @property
    def has_leaders(self) -> bool:
        """Whether leaders can be verified and values have intervals."""
        return self.key == "own-topics"

    @property
    def has_classes(self) -> bool:
        """Whether lines are of how many documents decide."""
        return self.key.startswith("predicted")


@dataclass(frozen=True, slots=True)
class SuiteLine:
    """One class of suites: ``equal`` with all systems equally good, ``measured`` as they differ."""

    equal: SuiteCalibrationRow
    measured: SuiteCalibrationRow

    @property
    def systems(self) -> str:
        """How many systems compete."""
        return _range(self.equal.min_systems, self.equal.max_systems)

    @property
    def collections(self) -> str:
        """How many collections they are averaged over."""
        return _range(self.equal.min_collections, self.equal.max_collections)


@dataclass(frozen=True, slots=True)
class SuiteSection:
    """The lines of one question about suites."""

    key: SuiteQuestion
    name: str
    meaning: str
    source: str
    lines: tuple[SuiteLine, ...]


def calibration_context() -> dict[str, object]:
    """What the template of the page needs beside its document."""
    found = calibration()
    by_world = {(row.key, row.world): row for row in found.rows}
    lines: dict[EvidenceKind, dict[str, list[Line]]] = {}
    for row in found.rows:
        if row.world == "equal":
            line = Line(row, by_world[row.key, "as-measured"])
            lines.setdefault(row.evidence, {}).setdefault(row.family, []).append(line)
    sections = [
        Section(key, *KINDS[key], tuple(Group(family, tuple(lines[key][family])) for family in _all_first(lines[key])))
        for key in KINDS
        if key in lines
    ]
    equal = [row for row in found.rows if row.world == "equal"]
    predicted = [row for row in equal if row.variance_class]
    return {
        "below": [row for row in equal if row.coverage < _PROMISED],
        "lowest": min(equal, key=lambda row: row.coverage),
        "worst": min((row for row in equal if row.family != "all"), key=lambda row: row.coverage_min),
        "n_lines": len(equal),
        "lowest_predicted": min(row.coverage_min for row in predicted),
        "calibration": found,
        "audited": [(row, _DECIDING[row.variance_class]) for row in audit()],
        "n_beyond": sum(row.is_beyond for row in audit()),
        "n_collections": len({table.collection for table in found.tables}),
        "n_tables": sum(not table.is_sparse for table in found.tables),
        "present_methods": METHODS.version,
        "sections": sections,
        "suite_sections": _suite_sections(found.suites),
    }


def _suite_sections(rows: Iterable[SuiteCalibrationRow]) -> list[SuiteSection]:
    by_world = {(row.key, row.world): row for row in rows}
    lines: dict[SuiteQuestion, list[SuiteLine]] = {}
    for row in rows:
        if row.world == "equal":
            lines.setdefault(row.question, []).append(SuiteLine(row, by_world[row.key, "as-measured"]))
    return [SuiteSection(key, *SUITES[key], tuple(found)) for key, found in lines.items()]


def _all_first(families: Iterable[str]) -> list[str]:
    return sorted(families, key=lambda family: (family != "all", family))


def _range(low: int, high: int | None) -> str:
    return f"{low} or more" if high is None else f"{low} to {high}"
