"""A study that is kept: one canonical text of inputs, methods and findings, an id made of it, and how to check both."""

import hashlib
import json
import math
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Annotated, Any, TypeVar, overload

import msgspec

from analysis.boards._findings import Findings
from analysis.boards._inputs import BoardInputs, BoardRow
from analysis.boards._methods import METHODS, Methods
from analysis.boards._plain import plain
from analysis.boards._study import study
from analysis.boards._suite_inputs import SuiteFindings, SuiteInputs
from analysis.boards._suites import study_suite
from analysis.errors import ArgumentError
from analysis.scores import ScoreMatrix, real_digits

FORMAT = "plumbline-snapshot/2"
SUITE_FORMAT = "plumbline-suite/1"

#: Numbers that differ by less, relatively, are the same: another processor may round the last digits otherwise.
TOLERANCE = 1e-8

_LIBRARIES = ("numpy", "scipy")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A snapshot without its inputs and findings."""

    format: Annotated[str, '"plumbline-snapshot/2" of a board, "plumbline-suite/1" of a suite.']
    methods: Methods
    libraries: Annotated[dict[str, str], "Versions of the libraries that computed it."]

    @property
    def text(self) -> str:
        """Canonical JSON: sorted keys, no blanks, shortest floats, no NaN."""
        return json.dumps(plain(self), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot(_Kept):
    """One study of one board, with everything that it needs to be made again."""

    inputs: BoardInputs
    findings: Findings


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteSnapshot(_Kept):
    """One study of one suite, with everything that it needs to be made again."""

    inputs: SuiteInputs
    findings: SuiteFindings


@overload
def make_snapshot(inputs: BoardInputs, topic_scores: ScoreMatrix | None = None) -> Snapshot: ...


@overload
def make_snapshot(inputs: SuiteInputs) -> SuiteSnapshot: ...


def make_snapshot(
    inputs: BoardInputs | SuiteInputs, topic_scores: ScoreMatrix | None = None
) -> Snapshot | SuiteSnapshot:
    """Return the study of a board under the default question, or of a suite, ready to be kept.

    Parameters
    ----------
    inputs : BoardInputs or SuiteInputs
    topic_scores : ScoreMatrix, optional
        As for :func:`study`. A suite has none.

    Returns
    -------
    Snapshot or SuiteSnapshot

    Raises
    ------
    ArgumentError
        As for :func:`study` and :func:`study_suite`.

    References
    ----------
    Text: Bray (2017), "The JavaScript Object Notation (JSON) data interchange format", RFC 8259,
    doi:10.17487/RFC8259.

    Examples
    --------
    >>> from analysis.boards import BoardRow, MeasureFacts
    >>> row = BoardRow(id=1, system="BM25", printed="0.2531", value=0.2531)
    >>> made = make_snapshot(BoardInputs(collection="robust04", measure=MeasureFacts(name="AP"), rows=(row,)))
    >>> made.findings.verdict.best.value, verify_snapshot(made.text)
    (0.2531, [])
    """
    if not isinstance(inputs, SuiteInputs):
        findings = study(inputs, topic_scores=topic_scores)
        return Snapshot(format=FORMAT, inputs=inputs, methods=METHODS, libraries=_libraries(), findings=findings)
    if topic_scores is not None:
        raise ArgumentError("topic_scores", topic_scores, "must be None for a suite")
    of_suite = study_suite(inputs)
    return SuiteSnapshot(format=SUITE_FORMAT, inputs=inputs, methods=METHODS, libraries=_libraries(), findings=of_suite)


def _libraries() -> dict[str, str]:
    return {name: _version_of(name) for name in _LIBRARIES}


@cache
def _version_of(library: str) -> str:
    """Read from its files once."""
    return version(library)


def snapshot_id(text: str) -> str:
    """Return the id of the snapshot with this canonical text.

    Parameters
    ----------
    text : str
        As :attr:`Snapshot.text` has it.

    Returns
    -------
    str
        The start of its SHA-256: 20 hexadecimal digits.

    Raises
    ------
    ArgumentError
        If ``text`` is no text.

    References
    ----------
    Dang (2015), Secure Hash Standard, FIPS 180-4, doi:10.6028/NIST.FIPS.180-4.

    Examples
    --------
    >>> snapshot_id("{}")
    '44136fa355b3678a1146'
    """
    if not isinstance(text, str):
        raise ArgumentError("text", text, "must be a text")
    return hashlib.sha256(text.encode()).hexdigest()[:20]


Kept = TypeVar("Kept", Snapshot, SuiteSnapshot)


def read_snapshot(text: str, kind: type[Kept] = Snapshot) -> Kept:  # type: ignore[assignment]  # mypy: a default of one
    """Return the snapshot that a text holds.

    Parameters
    ----------
    text : str
        JSON, as :attr:`Snapshot.text` has it.
    kind : {Snapshot, SuiteSnapshot}, default Snapshot
        Of a leaderboard or of a suite, or a class of either that reads less of it.

    Returns
    -------
    Snapshot or SuiteSnapshot

    Raises
    ------
    ArgumentError
        If the text is not a snapshot of this kind; that of an earlier format names the release that reads it.

    References
    ----------
    Text: Bray (2017), "The JavaScript Object Notation (JSON) data interchange format", RFC 8259,
    doi:10.17487/RFC8259.

    Examples
    --------
    >>> from analysis.boards import BoardRow, MeasureFacts
    >>> row = BoardRow(id=1, system="BM25", printed="0.2531", value=0.2531)
    >>> made = make_snapshot(BoardInputs(collection="robust04", measure=MeasureFacts(name="AP"), rows=(row,)))
    >>> read_snapshot(made.text) == made
    True
    """
    if not (isinstance(kind, type) and issubclass(kind, (Snapshot, SuiteSnapshot))):
        raise ArgumentError("kind", kind, "must be Snapshot or SuiteSnapshot")
    wanted, snapshot, fault = SUITE_FORMAT if issubclass(kind, SuiteSnapshot) else FORMAT, None, None
    if isinstance(text, str):
        try:
            snapshot = msgspec.json.decode(text, type=kind)
        except msgspec.DecodeError as error:
            fault = error
    # Of what can't be read it is asked whether it is another format: of all else that would take half as long again.
    stated = snapshot.format if snapshot else _format_of(text)
    if stated not in ("", wanted):
        raise ArgumentError("text", stated, f"must be of the format {wanted}; the release that wrote it reads it")
    if snapshot is None:
        raise ArgumentError("text", text[:60], f"must be a snapshot of the format {wanted}: {fault}") from fault
    return snapshot


class _Formatted(msgspec.Struct):
    """A snapshot of whatever format."""

    format: str = ""


def _format_of(text: str) -> str:
    """Return the format that a text names as its own; blank where it names none."""
    if not isinstance(text, str):
        raise ArgumentError("text", text, "must be a text")
    try:
        return msgspec.json.decode(text, type=_Formatted).format
    except msgspec.DecodeError as error:
        raise ArgumentError("text", text[:60], f"must be a snapshot: {error}") from error


def verify_snapshot(text: str, topic_scores: ScoreMatrix | None = None, *, expected_id: str | None = None) -> list[str]:
    """Return what is wrong with a snapshot, in words; nothing where it is what it was and every number comes out again.

    Parameters
    ----------
    text : str
        As it is kept: of a leaderboard or of a suite.
    topic_scores : ScoreMatrix, optional
        The vectors that its inputs name by digest, labelled by result id.
    expected_id : str, optional
        The id under which it was found.

    Returns
    -------
    list of str
        One sentence for each thing that is wrong.

    Raises
    ------
    ArgumentError
        If the text is no snapshot of these formats, or one by other methods than this release has.

    References
    ----------
    Dang (2015), Secure Hash Standard, FIPS 180-4, doi:10.6028/NIST.FIPS.180-4.

    Examples
    --------
    >>> from analysis.boards import BoardRow, MeasureFacts
    >>> row = BoardRow(id=1, system="BM25", printed="0.2531", value=0.2531)
    >>> made = make_snapshot(BoardInputs(collection="robust04", measure=MeasureFacts(name="AP"), rows=(row,)))
    >>> changed = made.text.replace('"value":0.2531', '"value":0.9')
    >>> verify_snapshot(changed, expected_id=snapshot_id(made.text)) == [
    ...     f"the content has the id {snapshot_id(changed)}, not {snapshot_id(made.text)}"
    ... ]
    True
    """
    if expected_id is not None and not isinstance(expected_id, str):
        raise ArgumentError("expected_id", expected_id, "must be a text")
    if expected_id is not None and (own_id := snapshot_id(text)) != expected_id:
        return [f"the content has the id {own_id}, not {expected_id}"]
    is_suite = _format_of(text) == SUITE_FORMAT
    stored = read_snapshot(text, SuiteSnapshot) if is_suite else read_snapshot(text)
    problems = [] if stored.text == text else ["the content is not in canonical form"]
    if stored.methods != METHODS:
        made_by, ours = stored.methods.version, METHODS.version
        raise ArgumentError("text", made_by, f"was made by methods {made_by}; this release has {ours}, take that one")
    computed: Snapshot | SuiteSnapshot
    if isinstance(stored, SuiteSnapshot):
        computed = make_snapshot(stored.inputs)
    else:
        problems += _misprinted(stored.inputs.rows)
        computed = make_snapshot(stored.inputs, topic_scores)
    changes = differences(plain(stored.findings), plain(computed.findings))
    return problems + [f"{place} differs: {ours}" for place, ours in changes]


def _misprinted(rows: tuple[BoardRow, ...]) -> list[str]:
    """Return rows whose value does not round to what they print."""
    return [
        f"inputs: row {row.id} prints {' '.join(filter(None, (row.printed, row.unit)))}, and its value is {row.value!r}"
        for row in rows
        if not _is_as_printed(row)
    ]


def _is_as_printed(row: BoardRow) -> bool:
    try:
        digits = real_digits(row.printed)
    except ArgumentError:
        return False
    scale = 100.0 if row.unit == "percent" else 1.0
    half = 0.5 * 10.0 ** -len(digits.partition(".")[2]) / scale
    return abs(float(digits) / scale - row.value) <= half * (1.0 + 1e-6)


def differences(stored: Any, computed: Any, place: str = "findings") -> list[tuple[str, str]]:
    """Return where two nested plain values differ beyond rounding: the place, and both values in words."""
    if isinstance(stored, dict) and isinstance(computed, dict):
        keys = sorted({*stored, *computed})
        return [
            difference
            for key in keys
            for difference in differences(stored.get(key), computed.get(key), f"{place}.{key}")
        ]
    if isinstance(stored, list) and isinstance(computed, list) and len(stored) == len(computed):
        pairs = zip(stored, computed, strict=True)
        return [difference for i, pair in enumerate(pairs) for difference in differences(*pair, f"{place}[{i}]")]
    is_number = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (stored, computed))
    if stored == computed or (is_number and math.isclose(stored, computed, rel_tol=TOLERANCE, abs_tol=1e-12)):
        return []
    return [(place, f"{stored!r} is stored, {computed!r} comes out")]
