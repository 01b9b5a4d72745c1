"""At the desk: scores, comparisons, luck and verification from files, by the statistics of the site; none is asked.

Scores are those of ir-measures over every judged topic; a topic that a run does not answer counts as 0, as with
``trec_eval -c``. Needs ``pip install 'plumbline-ir[statistics]'``.
"""

import gzip
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import ir_measures

from plumbline.errors import NotFoundError, PlumblineError
from plumbline.statistics import best, boards, comparisons, documents, errors, scores

#: Resampling begins from the seed of the site's verdicts, so that it gives the same numbers.
SEED = boards.METHODS.seed


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
    """The content of a file, unpacked if it is gzip."""
    content = Path(path).read_bytes()
    return gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content


def score(run: bytes, judgements: bytes, measures: Sequence[str]) -> list[Scored]:
    """A run in TREC format under measures as ir-measures spells them ("nDCG@10", "AP(rel=2)").

    Raises
    ------
    PlumblineError
        If run, judgements or a measure can't be read, with the line; if no topic of the run is judged.
    """
    try:
        ranked, judged = scores.parse_run(run), scores.parse_judgements(judgements)
    except errors.FormatError as error:
        raise PlumblineError(str(error)) from error
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


def _parse(measure: str) -> Any:
    try:
        return ir_measures.parse_measure(measure)
    except (ValueError, NameError, SyntaxError, AttributeError, KeyError, TypeError) as error:
        raise PlumblineError(f"{measure!r} is no measure as ir-measures spells them, such as nDCG@10.") from error


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
    return limits.low, limits.high


def compare(first: Scored, second: Scored) -> dict[str, Any]:
    """Two runs under one measure on the same topics: means, and paired tests of the difference; the t-test leads."""
    matrix = scores.ScoreMatrix.from_topic_scores({"first": first.by_topic, "second": second.by_topic})
    if not any(abs(first.by_topic[topic] - second.by_topic[topic]) > 1e-12 for topic in first.by_topic):
        tests: list[dict[str, Any]] = []
    else:
        drawn = {"rng": SEED}
        tests = [
            comparisons.compare(matrix, "first", "second", test=test, **(drawn if test == "randomization" else {}))
            .to_dict()
            for test in ("t", "wilcoxon", "sign", "randomization")
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
    luck = best.maximum_distribution(n, sd=math.sqrt(variance / n_topics)).mean()
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
    if kept.inputs.measure.name != scored.measure:
        raise PlumblineError(f"The snapshot is of {kept.inputs.measure.name}, and the score of {scored.measure}.")
    held_back = kept.findings.verdict.held_back
    found = asdict(boards.check_score(kept.inputs, scored.mean, held_back=held_back))
    return found | {"collection": kept.inputs.collection, "measure": kept.inputs.measure.name}


def snapshot_of_dump(folder: str | Path, collection: str, measure: str) -> str:
    """The standing snapshot of a leaderboard in a dump, by any name that the dump has of collection and measure.

    Raises
    ------
    NotFoundError
        If there is none.
    """
    place = Path(folder)
    collections = _ids(place, "collections", "collection_aliases", "collection_id", collection)
    measures = _ids(place, "measures", "measure_aliases", "measure_id", measure)
    wanted = {
        row["id"]
        for row in _rows(place, "leaderboards")
        if row["collection_id"] in collections and row["measure_id"] in measures
    }
    snapshots = {row["snapshot_id"] for row in _rows(place, "analyses") if row["leaderboard_id"] in wanted}
    for row in _rows(place, "snapshots"):
        if row["id"] in snapshots:
            return str(row["content"])
    raise NotFoundError(f"The dump has no analysis of {collection}, {measure}.")


def _ids(place: Path, table: str, aliases: str, key: str, name: str) -> set[Any]:
    plain = name.casefold()
    named = {row["id"] for row in _rows(place, table) if plain in (str(row.get(one)).casefold() for one in _NAMES)}
    return named | {row[key] for row in _rows(place, aliases) if str(row["alias"]).casefold() == plain}


_NAMES = ("slug", "name", "long_name")


def _rows(place: Path, table: str) -> Iterator[dict[str, Any]]:
    with gzip.open(place / f"{table}.jsonl.gz", "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def verify(text: str, *, expected: str = "") -> list[str]:
    """What is wrong with a snapshot, in words; nothing where every number comes out again."""
    return boards.verify_snapshot(text, expected_id=expected or None)


def as_latex(columns: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    """A table for a paper that uses booktabs."""
    names = [_escaped(name) for name in columns]
    lines = [" & ".join(map(_escaped, row)) + r" \\" for row in rows]
    head = [r"\begin{tabular}{l" + "r" * (len(names) - 1) + "}", r"\toprule", " & ".join(names) + r" \\", r"\midrule"]
    return "\n".join([*head, *lines, r"\bottomrule", r"\end{tabular}"])


def _escaped(text: str) -> str:
    return "".join(f"\\{one}" if one in "&%$#_{}" else one for one in text)
