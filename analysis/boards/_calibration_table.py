"""The table of how often verdicts held where the truth is known, as it ships, and the row that a board is like."""

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, Literal, get_args

import msgspec

from analysis.boards._findings import Coverage, Evidence, EvidenceKind
from analysis.boards._suite_inputs import SuiteQuestion
from analysis.errors import ArgumentError
from analysis.results import Result

FORMAT = "plumbline-calibration/6"
FILE = "calibration.json"

#: "equal": every system of the board is as good as the others; "as-measured": they differ as they did.
World = Literal["equal", "as-measured"]

WORLDS: tuple[World, ...] = get_args(World)

#: Boards under all measures together.
ALL_MEASURES = "all"
#: Families whose boards are counted together.
_TOGETHER = {"Rprec": "R", "Success": "RR"}
#: From so many tables of so many collections, what happened to boards is said of others.
MIN_TABLES, MIN_COLLECTIONS = 8, 4

#: Classes of boards: from so many rows that compete to so many, and topics likewise.
SYSTEMS: tuple[tuple[int, int | None], ...] = ((2, 9), (10, 29), (30, None))
TOPICS: tuple[tuple[int, int | None], ...] = ((10, 24), (25, 49), (50, 99), (100, None))
#: Of suites: from so many members to so many.
COLLECTIONS: dict[SuiteQuestion, tuple[tuple[int, int | None], ...]] = {
    "other-collections": ((8, 11), (12, 15), (16, None)),
    "same-collections": ((2, None),),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationTable(Result):
    """One table of topic scores that boards were drawn from."""

    collection: Annotated[str, "Where its scores are from."]
    measure: Annotated[str, "What they are scores under."]
    n_systems: Annotated[int, "Distinct systems that did not fail; topics."]
    n_topics: Annotated[int, "Distinct systems that did not fail; topics."]
    is_sparse: Annotated[
        bool, "Whether the scores are what the first right document gives, as if it were the only one."
    ]
    relevant: Annotated[float | None, "Relevant documents a topic, as the measure counts them; None: not known."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutTable(Result):
    """A matrix that is known, and that no boards were drawn from."""

    collection: Annotated[str, "Where its scores are from."]
    measure: Annotated[str, "What they are scores under."]
    why: Annotated[str, "The reason, for people."]


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationRow(Result):
    """The verdicts on boards of one class in one world: how often they held."""

    evidence: Annotated[EvidenceKind, "What the verdicts rest on."]
    family: Annotated[
        str,
        'Of the measure, as "nDCG" with all its cutoffs, "R" with Rprec, "RR" with success; "all" for all together.',
    ]
    variance_class: Annotated[
        str, 'Of what is predicted: how many documents decide, as "one", "few", "many"; else blank.'
    ]
    n_tables: Annotated[int, "Tables of topic scores that the boards were drawn from."]
    min_systems: Annotated[int, "The class: rows that compete, and topics; None without an upper end."]
    max_systems: Annotated[int | None, "The class: rows that compete, and topics; None without an upper end."]
    min_topics: Annotated[int, "The class: rows that compete, and topics; None without an upper end."]
    max_topics: Annotated[int | None, "The class: rows that compete, and topics; None without an upper end."]
    world: World
    n_boards: Annotated[int, "Boards that were drawn, from ``n_collections``."]
    n_collections: int
    coverage: Annotated[float, "Share of the draws in which the set held the truly best system; the mean over boards."]
    coverage_low: Annotated[float, "19 of 20 boards reach at least that; of fewer than 20, all."]
    coverage_min: Annotated[float, "That of the worst board."]
    n_rows: Annotated[float, "Rows of a board, and of these those in the set, on average."]
    n_members: Annotated[float, "Rows of a board, and of these those in the set, on average."]
    false_leaders: Annotated[
        float | None, "Share of the draws in which a leader was verified that is not the best; None where none can be."
    ]

    @property
    def key(self) -> str:
        """Its name in addresses: the same in both worlds."""
        size = self.variance_class or f"{self.min_systems}-{self.min_topics}"
        return f"{self.evidence}-{self.family}-{size}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteCalibrationRow(Result):
    """The verdicts on suites of one class in one world: how often they held."""

    question: Annotated[SuiteQuestion, "What the leader is asked to be the best at."]
    min_systems: Annotated[int, "The class: systems that compete, and members; None without an upper end."]
    max_systems: Annotated[int | None, "The class: systems that compete, and members; None without an upper end."]
    min_collections: Annotated[int, "The class: systems that compete, and members; None without an upper end."]
    max_collections: Annotated[int | None, "The class: systems that compete, and members; None without an upper end."]
    world: World
    n_boards: Annotated[int, "Suites that were drawn, from ``n_suites`` tables."]
    n_suites: int
    coverage: Annotated[float, "As of :class:`CalibrationRow`."]
    coverage_low: Annotated[float, "As of :class:`CalibrationRow`."]
    coverage_min: Annotated[float, "As of :class:`CalibrationRow`."]
    n_rows: Annotated[float, "As of :class:`CalibrationRow`."]
    n_members: Annotated[float, "As of :class:`CalibrationRow`."]

    @property
    def key(self) -> str:
        """Its name in addresses: the same in both worlds."""
        return f"{self.question}-{self.min_systems}-{self.min_collections}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredAgain(Result):
    """Measurements under one later version of the methods, of what it changed alone."""

    methods: Annotated[str, "Version of the methods that were measured."]
    measured_on: Annotated[str, "The day, as YYYY-MM-DD."]
    data_sha256: Annotated[str, "Of the files that went in."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration(Result):
    """The table of how often verdicts held where the truth is known."""

    format: Annotated[str, "Which layout the file has."]
    methods: Annotated[str, "Version of the methods that were measured."]
    measured_on: Annotated[str, "The day, as YYYY-MM-DD."]
    seed: Annotated[int, "Of the draws; draws of topics for each board."]
    n_trials: Annotated[int, "Of the draws; draws of topics for each board."]
    data_sha256: Annotated[str, "Of the files that went in."]
    again: Annotated[tuple[MeasuredAgain, ...], "What a later version of the methods changed, measured alone."]
    tables: tuple[CalibrationTable, ...]
    left_out: tuple[LeftOutTable, ...]
    rows: tuple[CalibrationRow, ...]
    suites: tuple[SuiteCalibrationRow, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of everything in it."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


def calibration() -> Calibration:
    """Return how often verdicts of each kind held where the truth is known: the table that ships with the methods.

    Returns
    -------
    Calibration

    Raises
    ------
    ArgumentError
        If the file of this release was changed.

    Notes
    -----
    Topics of real tables are drawn again, with replacement, and systems without; what is known from elsewhere comes
    from other collections only. ``python -m tools.calibration calibrate data`` makes the table anew.

    References
    ----------
    Gupta (1965), "On some multiple decision (selection and ranking) rules", Technometrics 7,
    doi:10.1080/00401706.1965.10490251. That all results are equal is the worst case.

    Examples
    --------
    >>> rows = [row for row in calibration().rows if row.key == "own-topics-AP-30-50"]
    >>> [row.world for row in rows]
    ['as-measured', 'equal']
    """
    return _shipped()


@lru_cache(maxsize=1)
def _shipped() -> Calibration:
    return parse_calibration(files("analysis.boards").joinpath(FILE).read_text(encoding="utf-8"))


def parse_calibration(text: str) -> Calibration:
    """Return a table from its text, as :func:`calibration_text` writes it."""
    head = json.loads(text)
    digest = head.pop("sha256", None)
    table = msgspec.convert(head, Calibration)
    if table.format != FORMAT or table.digest != digest:
        raise ArgumentError("text", text[:60], f"must be a table of the format {FORMAT} that nobody changed")
    return table


def calibration_text(table: Calibration) -> str:
    """Return the table as JSON with its digest, a row a line."""
    head = asdict(table)
    lists = {key: head.pop(key) for key in ("again", "tables", "left_out", "rows", "suites")}
    entries = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in {**head, "sha256": table.digest}.items()]
    for key, values in lists.items():
        inside = ",\n".join(f"  {json.dumps(value)}" for value in values)
        entries.append(f' "{key}": [\n{inside}\n ]' if values else f' "{key}": []')
    return "{\n" + ",\n".join(entries) + "\n}\n"


def coverage_like(evidence: Evidence, family: str, n_systems: int, n_topics: int) -> Coverage | None:
    """Return how often sets of boards like this one held the best with all systems equal; None where too few were
    measured."""
    family, kind = family_group(family), evidence.kind
    if kind.startswith("predicted"):
        is_unknown = evidence.variance_class == "unknown"
        size = class_measured(family, evidence.variance_class)
        row = _rows().get(f"{kind}-{ALL_MEASURES if is_unknown else family}-{size}")
        if row is None or row.n_tables < MIN_TABLES or row.n_collections < MIN_COLLECTIONS:
            return None
    else:
        place = class_of(n_systems, SYSTEMS), class_of(n_topics, TOPICS)
        if kind not in ("own-topics", "own-variance") or min(place) < 0:
            return None
        size = f"{SYSTEMS[place[0]][0]}-{TOPICS[place[1]][0]}"
        # One procedure for all measures: where none of this kind was at hand, what it did for the others.
        row = _rows().get(f"{kind}-{family}-{size}") or _rows().get(f"{kind}-{ALL_MEASURES}-{size}")
        if row is None:
            return None
    return Coverage(
        mean=row.coverage,
        low=row.coverage_min if row.variance_class else row.coverage_low,
        n_boards=row.n_boards,
        n_collections=row.n_collections,
        family="" if row.family == ALL_MEASURES else row.family,
        world="all systems equally good",
        row=row.key,
        variance_class=row.variance_class,
    )


def suite_coverage_like(question: SuiteQuestion, n_systems: int, n_collections: int) -> Coverage | None:
    """Return how often sets of suites like this one held the best with all systems equal; None where none was
    measured."""
    systems, collections = class_of(n_systems, SYSTEMS), class_of(n_collections, COLLECTIONS[question])
    if min(systems, collections) < 0:
        return None
    key = f"{question}-{SYSTEMS[systems][0]}-{COLLECTIONS[question][collections][0]}"
    row = next((row for row in calibration().suites if (row.key, row.world) == (key, "equal")), None)
    if row is None:
        return None
    return Coverage(
        mean=row.coverage,
        low=row.coverage_low,
        n_boards=row.n_boards,
        n_collections=row.n_suites,
        family="",
        world="all systems equally good",
        row=row.key,
    )


def family_group(family: str) -> str:
    """Return the family of measures that this one is counted with."""
    return _TOGETHER.get(family, family)


def class_measured(family: str, variance_class: str) -> str:
    """Return the class that boards are counted in: of reciprocal rank one document decides, whatever the mean."""
    return "one" if family == "RR" and variance_class == "few" else variance_class


@lru_cache(maxsize=1)
def _rows() -> dict[str, CalibrationRow]:
    return {row.key: row for row in calibration().rows if row.world == "equal"}


def class_of(n: int, classes: tuple[tuple[int, int | None], ...]) -> int:
    """Return the place of the class that holds a number; -1 where none does."""
    return sum(n >= low for low, _ in classes) - 1
