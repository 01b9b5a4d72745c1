"""The calibration of verdicts as its page shows it: both worlds of a class of boards in one line."""

from collections.abc import Iterable
from dataclasses import dataclass

from analysis.boards import METHODS, CalibrationRow, EvidenceKind, calibration

#: In the order of their strength, with what each means.
KINDS: dict[EvidenceKind, tuple[str, str]] = {
    "own-topics": ("Own topics", "Topic scores of every row that competes."),
    "own-variance": (
        "Own variance",
        "Means alone; how much scores vary was measured on other runs of the same collection.",
    ),
    "transferred": (
        "Transferred",
        "Means alone; how much scores vary is what is typical of the measure in other collections.",
    ),
    "predicted": (
        "Predicted",
        "Means alone; how much scores vary is predicted from the measure and the mean of the scores, by a model that"
        " was fitted without the collection.",
    ),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One class of boards: ``equal`` with all systems equally good, ``measured`` as they differ."""

    equal: CalibrationRow
    measured: CalibrationRow

    @property
    def systems(self) -> str:
        """How many rows such boards have."""
        return _range(self.equal.min_systems, self.equal.max_systems)

    @property
    def topics(self) -> str:
        """Over how many topics their means are."""
        return _range(self.equal.min_topics, self.equal.max_topics)


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
    return {
        "calibration": found,
        "n_collections": len({table.collection for table in found.tables}),
        "present_methods": METHODS.version,
        "sections": sections,
    }


def _all_first(families: Iterable[str]) -> list[str]:
    return sorted(families, key=lambda family: (family != "all", family))


def _range(low: int, high: int | None) -> str:
    return f"{low} or more" if high is None else f"{low} to {high}"
