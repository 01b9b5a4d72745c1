"""At the desk: scores, comparisons, luck and verification from files, by the statistics of the site; none is asked.

Scores are those of ir-measures over every judged topic; a topic that a run does not answer counts as 0, as with
``trec_eval -c``. Needs ``pip install . './clients/python[statistics]'`` in a checkout.
"""

import gzip
import json
import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

import ir_measures

from analysis.readers.names import collection_key, measure_key, with_grade
from plumbline.errors import NotFoundError, PlumblineError
from plumbline.statistics import best, boards, comparisons, documents, errors, scores

Parsed = TypeVar("Parsed")

#: Resampling begins from the seed of the site's verdicts, so that it gives the same numbers.
SEED = boards.METHODS.seed
#: Of cutoffs and of the grade from which on documents are relevant, which begin at 1: others end some evaluators.
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


def read(path: str | Path) -> bytes:
    """The content of a file, unpacked if it is gzip.

    Raises
    ------
    PlumblineError
        If it is gzip, and broken off or damaged.
    """
    content = Path(path).read_bytes()
    try:
        return gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
    except (EOFError, zlib.error) as error:
        raise PlumblineError(f"{path} is broken off or damaged; gzip says: {error}") from error


def read_text(path: str | Path) -> str:
    """The JSON of a snapshot from a file, plain or gzip, as it was before an editor ended its last line."""
    try:
        return read(path).decode().rstrip("\n")
    except UnicodeDecodeError as error:
        raise PlumblineError(f"{path} is no text: {error}") from error


def read_scores(text: str) -> tuple[tuple[str, str], tuple[Scored, Scored]]:
    """Return two systems of a table of scores by topic: their names, and each as a run that was scored.

    Raises
    ------
    PlumblineError
        If the table has another number of systems, or can't be read.
    """
    try:
        matrix = scores.parse_score_table(text)
    except errors.FormatError as error:
        raise PlumblineError(str(error)) from error
    if matrix.n_systems != 2:
        raise PlumblineError(f"The table has {matrix.n_systems} systems; a comparison takes two.")
    first, second = (
        Scored("score", float(mean), dict(zip(matrix.topics, row, strict=True)), ())
        for mean, row in zip(matrix.means, matrix.scores.tolist(), strict=True)
    )
    return (matrix.systems[0], matrix.systems[1]), (first, second)


def score(
    run: bytes, judgements: bytes, measures: Sequence[str], *, names: tuple[str, str] = ("run", "judgements")
) -> list[Scored]:
    """A run in TREC format under measures as ir-measures spells them ("nDCG@10", "AP(rel=2)").

    Errors call the two files by ``names``.

    Raises
    ------
    PlumblineError
        If run, judgements or a measure can't be read, with the line; if no topic of the run is judged.
    """
    ranked, judged = _parsed(scores.parse_run, run, names[0]), _parsed(scores.parse_judgements, judgements, names[1])
    if not judged.grades.keys() & ranked.rankings.keys():
        raise PlumblineError("No topic of the run is judged: are these judgements of the same collection?")
    parsed = {name: _parse(name) for name in measures}
    documents_of = {
        topic: dict(zip(names, ranked.scores[topic], strict=True)) for topic, names in ranked.rankings.items()
    }
    grades = {topic: dict(of_topic) for topic, of_topic in judged.grades.items()}
    found: dict[Any, dict[str, float]] = {measure: dict.fromkeys(grades, 0.0) for measure in parsed.values()}
    answered = {topic: documents_of[topic] for topic in grades if topic in documents_of}
    # Beside a measure with gains of its own, ir_measures gives these to nDCG without any, whichever it meets first.
    for _, same_gains in groupby(sorted(found, key=_gains), _gains):
        for one in ir_measures.iter_calc(list(same_gains), grades, answered):
            found[one.measure][one.query_id] = one.value
    missing = tuple(topic for topic in grades if topic not in answered)
    return [
        Scored(name, math.fsum(found[measure].values()) / len(grades), found[measure], missing,
               _interval(measure, ranked, judged))
        for name, measure in parsed.items()
    ]  # fmt: skip


def _parsed(parse: Callable[[bytes], Parsed], content: bytes, name: str) -> Parsed:
    try:
        return parse(content)
    except errors.FormatError as error:
        raise PlumblineError(f"{name}: {error}") from error


def _parse(measure: str) -> Any:
    try:
        parsed: Any = ir_measures.parse_measure(measure)
        # What has a parameter that it does not take, or lacks one that it needs, is told by an assertion.
        parsed.validate_params()
        if not all(1 <= parsed.params.get(name, 1) <= _LARGEST for name in ("cutoff", "rel")):
            raise ValueError(f"cutoff and rel lie within 1 and {_LARGEST}")
    except (ValueError, NameError, SyntaxError, AttributeError, KeyError, TypeError, AssertionError) as error:
        raise PlumblineError(f"{measure!r} is no measure as ir-measures spells them{_meant(measure)}.") from error
    return parsed


def _meant(measure: str) -> str:
    """What trec_eval calls so, or else an example."""
    try:
        return f"; it writes {', '.join(map(str, ir_measures.parse_trec_measure(measure)))}"
    except ValueError:
        return ", such as nDCG@10"


def with_its_grade(measure: str) -> str:
    """The measure from grade 1 on where it names no grade, as ir-measures counts it; a site may ask which is meant."""
    return (with_grade(measure) if "rel" in _parse(measure).SUPPORTED_PARAMS else "") or measure


def _gains(measure: Any) -> str:
    return str(measure.params.get("gains", ""))


def _interval(measure: Any, run: "scores.Run", judged: "scores.Judgements") -> tuple[float, float] | None:
    if measure.NAME != "AP" or measure.params.get("judged_only"):
        return None
    grade, depth = measure.params.get("rel", 1), measure.params.get("cutoff", 1_000_000)
    try:
        lists = documents.judge_run(run, judged, minimum_grade=grade, depth=depth).lists
    except errors.ArgumentError:  # No topic has a relevant document.
        return None
    limits = documents.map_interval(lists, SEED).interval
    # The mean counts a judged topic without a relevant document as 0, whatever the documents.
    share = len(lists) / len(judged.grades)
    return share * limits.low, share * limits.high


def compare(first: Scored, second: Scored) -> dict[str, Any]:
    """Two runs under one measure on the same topics: means, and paired tests of the difference.

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
    if not any(abs(one) > 1e-12 for one in differences):
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
        "tests": [{name: one[name] for name in ("test", "pvalue", "interval")} for one in tests],
        "is_told_apart": bool(tests) and tests[0]["pvalue"] <= 0.05,
    }


def best_of(n: int, *, n_topics: int, variance: float, printed: float | None = None) -> dict[str, Any]:
    """How far the best of ``n`` equally good systems is expected above what they are worth, by luck alone.

    ``variance`` is the residual variance of scores by topic, in the unit of the measure squared.
    """
    luck = best.maximum_distribution(n, sd=math.sqrt(variance / n_topics)).mean() if n > 1 else 0.0
    found = {"n": n, "n_topics": n_topics, "variance": variance, "luck": luck}
    return found if printed is None else found | {"printed": printed, "worth": printed - luck}


def against(text: str, scored: Scored) -> dict[str, Any]:
    """What the board of a snapshot says of a score: the numbers of ``boards.check_score``.

    Raises
    ------
    PlumblineError
        If the board is under another measure.
    """
    kept = boards.read_snapshot(text)
    if measure_key(kept.inputs.measure.name) != measure_key(scored.measure):
        raise PlumblineError(f"The snapshot is of {kept.inputs.measure.name}, and the score of {scored.measure}.")
    held_back = kept.findings.verdict.held_back
    found = asdict(boards.check_score(kept.inputs, scored.mean, held_back=held_back))
    named = {"collection": kept.inputs.collection, "measure": kept.inputs.measure.name}
    return found | named | {"n_topics": kept.inputs.n_topics}


def snapshot_of_dump(folder: str | Path, collection: str, measure: str) -> str:
    """The standing snapshot of a leaderboard in a dump, by any name that the dump has of collection and measure.

    Raises
    ------
    NotFoundError
        If there is none.
    PlumblineError
        If the folder is no dump, or has several under these names.
    """
    place = Path(folder)
    collections = _ids(place, "collection", collection, collection_key)
    measures = _ids(place, "measure", measure, measure_key)
    wanted = {
        row["id"]
        for row in _rows(place, "leaderboards")
        if row["collection_id"] in collections and row["measure_id"] in measures
    }
    snapshots = {row["snapshot_id"] for row in _rows(place, "analyses") if row["leaderboard_id"] in wanted}
    if len(snapshots) > 1:
        raise PlumblineError(f"{collection}, {measure} may be {len(snapshots)} leaderboards; give the slug.")
    for row in _rows(place, "snapshots"):
        if row["id"] in snapshots:
            return str(row["content"])
    raise NotFoundError(f"The dump has no analysis of {collection}, {measure}.")


_NAMES = ("slug", "name", "long_name", "ir_datasets_id", "ir_measures", "trec_eval")


def _ids(place: Path, kind: str, name: str, key: Callable[[str], str]) -> set[Any]:
    """Of the collections or measures that are called so to the letter; else of those by whose names the key is."""
    named = [(row["id"], row.get(one)) for row in _rows(place, f"{kind}s") for one in _NAMES]
    named += [(row[f"{kind}_id"], row["alias"]) for row in _rows(place, f"{kind}_aliases")]
    exact = {pk for pk, text in named if text == name}
    return exact or {pk for pk, text in named if text and key(text) == key(name)}


def _rows(place: Path, table: str) -> Iterator[dict[str, Any]]:
    file = place / f"{table}.jsonl.gz"
    try:
        with gzip.open(file, "rt", encoding="utf-8") as stream:
            yield from map(json.loads, stream)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise PlumblineError(f"{place} is no dump: {file.name} is missing.") from error
    except (EOFError, zlib.error) as error:
        raise PlumblineError(f"{file} is broken off or damaged; gzip says: {error}") from error


def verify(text: str, *, expected: str = "") -> list[str]:
    """What is wrong with a snapshot, in words; nothing where every number comes out again."""
    return boards.verify_snapshot(text, expected_id=expected or None)


def as_latex(columns: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    """A table for a paper that uses booktabs."""
    names = [_escaped(name) for name in columns]
    lines = [" & ".join(map(_escaped, row)) + r" \\" for row in rows]
    head = [r"\begin{tabular}{l" + "r" * (len(names) - 1) + "}", r"\toprule", " & ".join(names) + r" \\", r"\midrule"]
    return "\n".join([*head, *lines, r"\bottomrule", r"\end{tabular}"])


_LATEX = str.maketrans(
    {one: f"\\{one}" for one in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
)


def _escaped(text: str) -> str:
    return text.translate(_LATEX)
