"""At the desk: scores, comparisons, luck and verification from files, by the statistics of the site; none is asked.

Scores are those of ir-measures over every judged topic; a topic that a run does not answer counts as 0, as with
``trec_eval -c``. Needs ``pip install . './clients/python[statistics]'`` in a checkout.
"""

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from io import BytesIO
from itertools import combinations
from operator import itemgetter
from pathlib import Path
from typing import Any

import ir_measures
from ir_measures.providers import registry as providers

from analysis.heads import check_heads, leaf_of, read_heads
from analysis.readers.names import measure_key, with_grade
from analysis.runs.layouts import use_run
from analysis.runs.reading import WITHOUT_LIMITS, Rest, Unreadable, told_briefly, unpacked
from analysis.runs.reports import is_complete, mean_intervals, mean_of_answered, report_lines
from analysis.runs.scoring import score_run
from plumbline.errors import PlumblineError
from plumbline.record import rows_of
from plumbline.statistics import best, boards, comparisons, errors, scores

#: Resampling begins from the seed of the site's verdicts, so that it gives the same numbers.
SEED = boards.METHODS.seed
#: The largest cutoff, and grade from which on documents are relevant; both begin at 1: others end some evaluators.
_LARGEST = 1_000_000


@dataclass(frozen=True)
class Scored:
    """A run under one measure: the mean, scores by topic in the order of the judgements, topics without an answer."""

    measure: str
    mean: float
    by_topic: Mapping[str, float]
    missing: tuple[str, ...]
    #: The 95 % interval of average precision on other documents of the kind; None of other measures.
    interval: tuple[float, float] | None = None
    #: Why average precision has no interval; blank of other measures, and where it has one.
    why_no_interval: str = ""
    #: The mean over the topics that the run answers; None where it answers all.
    mean_of_answered: float | None = None
    #: The least and the most that another order of equal scores gives; None where no scores are equal.
    ties: tuple[float, float] | None = None
    #: Whether it answers so many of the judged topics that its mean can be compared with others.
    is_complete: bool = True
    #: How the run departs from what a run should be, and what was done about it.
    report: tuple[str, ...] = ()


def read(path: str | Path) -> bytes:
    """Return the content of a file, unpacked if it is gzip or zstd.

    Raises
    ------
    PlumblineError
        If it is packed, and broken off or damaged.
    """
    with Path(path).open("rb") as stream:
        try:
            # What is unpacked ends with the end of a line, which a file need not.
            packed = Rest(stream)
            is_packed = packed.peek().startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd"))
            return b"".join(unpacked(packed, WITHOUT_LIMITS, line_bytes=sys.maxsize)) if is_packed else packed.read()
        except Unreadable as error:
            raise PlumblineError(f"{path}: {error}") from error


def runs_of(path: Path) -> list[Path]:
    """Return the files of a folder, in the order of their names; of a file itself.

    Raises
    ------
    PlumblineError
        If the folder has none.
    """
    files = sorted(file for file in path.iterdir() if file.is_file()) if path.is_dir() else [path]
    if not files:
        raise PlumblineError(f"{path} has no files: a folder of runs has a file for each.")
    return files


def read_text(path: str | Path) -> str:
    """Return the JSON of a snapshot from a file, plain or gzip, as it was before an editor ended its last line."""
    try:
        return read(path).decode().rstrip("\n")
    except UnicodeDecodeError as error:
        raise PlumblineError(f"{path} is no text: {error}") from error


def read_scores(text: str, *, is_sparse: bool = False) -> dict[str, Scored]:
    """Return the systems of a table of scores by topic, each as a run that was scored.

    With ``is_sparse`` cells may be blank: each system has the topics of its own.

    Raises
    ------
    PlumblineError
        If the table can't be read, or a column has no score.
    """
    try:
        cells = scores.parse_score_cells(text)
        if not is_sparse:
            scores.parse_score_table(text)
    except errors.FormatError as error:
        raise PlumblineError(told_briefly(error, text.encode())) from error
    if empty := [name for name, by_topic in cells.items() if not by_topic]:
        raise PlumblineError(f"The column {empty[0]} has no score.")
    return {
        name: Scored("score", math.fsum(by_topic.values()) / len(by_topic), by_topic, ())
        for name, by_topic in cells.items()
    }


def score(
    run: bytes, judgements: bytes, measures: Sequence[str], *, names: tuple[str, str] = ("run", "judgements")
) -> list[Scored]:
    """Score a run under measures as ir-measures spells them ("nDCG@10", "AP(rel=2)"), read as the site does; errors
    call the two files by ``names``.

    Raises
    ------
    PlumblineError
        If run, judgements or a measure can't be read, with the line; if no topic of the run is judged.
    """
    spelled = {name: str(_parse(name)) for name in measures}
    try:
        parsed = scores.parse_judgements(judgements)
    except errors.FormatError as error:
        raise PlumblineError(f"{names[1]}: {told_briefly(error, judgements)}") from error
    grades = {topic: dict(of_topic) for topic, of_topic in parsed.grades.items()}
    use = partial(score_run, judged=grades, measures=spelled, providers=[*providers], most_characters=sys.maxsize)
    try:
        run_scores = use_run(BytesIO(run), WITHOUT_LIMITS, use)
    except Unreadable as error:
        raise PlumblineError(f"{names[0]}: {error}") from error
    report = asdict(run_scores.report)
    if not report["n_answered"]:
        first, judged = report["foreign"][0][1], next(iter(grades))
        raise PlumblineError(f"No topic of the run is judged: it begins with {first}, the judgements with {judged}")
    missing = tuple(topic for topic in grades if topic not in run_scores.rankings)
    lines = tuple(f"{line.name}: {line.count:,}. {line.policy} {line.where}".rstrip() for line in report_lines(report))
    rows = []
    for name, text in spelled.items():
        by_topic = dict(zip(run_scores.topics, run_scores.scores[name], strict=True))
        mean = math.fsum(by_topic.values()) / len(grades)
        ties = run_scores.report.ties.get(name)
        precision = mean_intervals(run_scores.rankings, grades, {name: text}).get(name)
        rows.append(
            Scored(
                name, mean, by_topic, missing,
                interval=_of_all(precision, len(grades)) if precision else None,
                why_no_interval=precision["unknown"] if precision else "",
                mean_of_answered=mean_of_answered(mean, report),
                ties=(ties[0], ties[1]) if ties else None,
                is_complete=is_complete(report),
                report=lines,
            )
        )  # fmt: skip
    return rows


def _of_all(precision: Mapping[str, Any], n_topics: int) -> tuple[float, float] | None:
    """Return the interval of the mean over all judged topics: one without a relevant document is always 0."""
    if precision["unknown"]:
        return None
    share = precision["n_topics"] / n_topics
    return share * precision["low"], share * precision["high"]


def _parse(measure: str) -> Any:
    try:
        parsed: Any = ir_measures.parse_measure(measure)
        # An assertion tells of a parameter that it does not take, and of a missing one.
        parsed.validate_params()
        if not all(1 <= parsed.params.get(name, 1) <= _LARGEST for name in ("cutoff", "rel")):
            raise ValueError(f"cutoff and rel lie within 1 and {_LARGEST}")
    except (ValueError, NameError, SyntaxError, AttributeError, KeyError, TypeError, AssertionError) as error:
        raise PlumblineError(f"{measure!r} is no measure as ir-measures spells them{_meant(measure)}.") from error
    return parsed


def _meant(measure: str) -> str:
    """Return the measures of this name in trec_eval, or else an example."""
    try:
        return f"; it writes {', '.join(map(str, ir_measures.parse_trec_measure(measure)))}"
    except ValueError:
        return ", such as nDCG@10"


def with_its_grade(measure: str) -> str:
    """Return the measure from grade 1 on where it names none, as ir-measures counts; a site may ask which is meant."""
    return (with_grade(measure) if "rel" in _parse(measure).SUPPORTED_PARAMS else "") or measure


def compare(first: Scored, second: Scored) -> dict[str, Any]:
    """Compare two runs under one measure on the same topics: means, and paired tests of the difference.

    The first test decides: the t-test, and Wilcoxon's where all topics differ by the same and *t* has no error.

    Raises
    ------
    PlumblineError
        If one topic alone is judged.
    """
    if len(first.by_topic) < 2:
        raise PlumblineError("Only one topic is judged; a comparison takes two or more.")
    matrix = scores.ScoreMatrix.from_topic_scores({"first": first.by_topic, "second": second.by_topic})
    differences = [value - second.by_topic[topic] for topic, value in first.by_topic.items()]
    if not any(abs(difference) > 1e-12 for difference in differences):
        tests: list[dict[str, Any]] = []
    else:
        drawn = {"rng": SEED}
        varies = max(differences) - min(differences) > 1e-12
        tests = [
            comparisons.compare(matrix, "first", "second", test=test, **(drawn if test == "randomization" else {}))
            .to_dict()
            for test in ("t", "wilcoxon", "sign", "randomization")
            if varies or test != "t"
        ]  # fmt: skip
    return {
        "measure": first.measure,
        "n_topics": len(first.by_topic),
        "means": [first.mean, second.mean],
        "difference": first.mean - second.mean,
        "tests": [{name: test[name] for name in ("test", "pvalue", "interval")} for test in tests],
        "is_told_apart": bool(tests) and tests[0]["pvalue"] <= 0.05,
    }


def compare_all(runs: Sequence[tuple[str, Scored]], correct: str = "holm") -> list[dict[str, Any]]:
    """Compare every two of the named runs under one measure on the same topics by ``compare``, with ``systems``.

    ``pvalue`` and ``interval`` are those of the test that decides; ``pvalue_adjusted`` is corrected for all pairs by
    Holm's rule, or is the same with ``correct="none"``. Of runs that are the same on every topic both are 1. Where all
    topics differ by the same there is no interval.
    """
    pairs = list(combinations(runs, 2))
    compared = [compare(first, second) for (_, first), (_, second) in pairs]
    pvalues = [numbers["tests"][0]["pvalue"] if numbers["tests"] else 1.0 for numbers in compared]
    adjusted = comparisons.adjust_pvalues(pvalues).tolist() if correct == "holm" else pvalues
    return [
        numbers
        | {"systems": [name for name, _ in pair], "pvalue": pvalue, "pvalue_adjusted": corrected}
        | {"interval": _interval_of(numbers), "is_told_apart": corrected <= 0.05}
        for numbers, pair, pvalue, corrected in zip(compared, pairs, pvalues, adjusted, strict=True)
    ]


def _interval_of(numbers: Mapping[str, Any]) -> dict[str, float] | None:
    ends = numbers["tests"][0]["interval"] if numbers["tests"] else None
    return ends if ends and ends["high"] > ends["low"] else None


def best_of(n: int, *, n_topics: int, variance: float, printed: float | None = None) -> dict[str, Any]:
    """Return how far the best of ``n`` equally good systems is expected above what they are worth, by luck alone.

    ``variance`` is the residual variance of scores by topic, in the unit of the measure squared.
    """
    luck = best.maximum_distribution(n, sd=math.sqrt(variance / n_topics)).mean() if n > 1 else 0.0
    numbers = {"n": n, "n_topics": n_topics, "variance": variance, "luck": luck}
    return numbers if printed is None else numbers | {"printed": printed, "worth": printed - luck}


def against(text: str, scored: Scored) -> dict[str, Any]:
    """Check a score against the board of a snapshot; return the numbers of ``boards.check_score``.

    Raises
    ------
    PlumblineError
        If the board is under another measure.
    """
    snapshot = boards.read_snapshot(text)
    inputs, held_back = snapshot.inputs, snapshot.findings.verdict.held_back
    if measure_key(inputs.measure.name) != measure_key(scored.measure):
        raise PlumblineError(f"The snapshot is of {inputs.measure.name}, and the score of {scored.measure}.")
    numbers = asdict(boards.check_score(inputs, scored.mean, held_back=held_back))
    named = {"collection": inputs.collection, "measure": inputs.measure.name}
    return numbers | named | {"n_topics": inputs.n_topics}


def verify(text: str, *, expected: str = "", topic_scores: str = "") -> list[str]:
    """Return the faults of a snapshot, in words; none where every number comes out again.

    ``topic_scores`` is the CSV that its page gives where it rests on scores by topic.

    Raises
    ------
    PlumblineError
        If it does, and they are not given, or can't be read.
    """
    columns = read_scores(topic_scores) if topic_scores else {}
    by_topic = {name: column.by_topic for name, column in columns.items()}
    matrix = scores.ScoreMatrix.from_topic_scores(by_topic) if by_topic else None
    try:
        return boards.verify_snapshot(text, matrix, expected_id=expected or None)
    except errors.ArgumentError as error:
        if error.argument != "topic_scores":
            raise
        raise PlumblineError(
            "This analysis rests on scores by topic; the ones given are others."
            if topic_scores
            else "This analysis rests on scores by topic: give the CSV of them that its page has, too (--topic-scores)."
        ) from error


def verify_heads(dump: Path, heads: str) -> list[str]:
    """Return the faults, in words, where the seals of a dump are not those of the kept heads."""
    rows = sorted(rows_of(dump, "seals"), key=itemgetter("id"))
    leaves = [leaf_of(f"{row['id']} {row['kind']} {row['subject']} {row['digest']}") for row in rows]
    try:
        return list(check_heads(read_heads(heads), leaves))
    except errors.FormatError as error:
        raise PlumblineError(f"The file of heads: {error}") from error
    except ImportError as error:
        raise PlumblineError("Signatures are checked by another package: pip install cryptography") from error


def as_latex(columns: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table for a paper that uses booktabs."""
    names = [_escaped(name) for name in columns]
    lines = [" & ".join(map(_escaped, row)) + r" \\" for row in rows]
    head = [r"\begin{tabular}{l" + "r" * (len(names) - 1) + "}", r"\toprule", " & ".join(names) + r" \\", r"\midrule"]
    return "\n".join([*head, *lines, r"\bottomrule", r"\end{tabular}"])


_LATEX = str.maketrans(
    {letter: f"\\{letter}" for letter in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
)


def _escaped(text: str) -> str:
    return text.translate(_LATEX)
