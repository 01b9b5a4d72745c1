"""Facts against results, from a source itself, the members of a mean or a twin, and what the rows say then.

Facts are gathered outside: every score block of the files that rows cite, means beside their members, runs that stand
under several names. A row that they refute does not compete, by its ``comparability``; others get a note.
"""

import csv
import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations
from pathlib import Path

from builder.tables import Row, join_notes, read_table

COLUMNS = ["kind", "collection", "measure", "system", "team", "source", "says"]
#: What each kind makes of its row; of a kind that is not here the row has a note and competes.
EXCLUDES = {
    "partial-mean": "partial_mean",
    "impossible": "doubtful",
    "same-run": "same_run",
    "shard": "other_documents",
}
_ROLES = ("proposed", "leaderboard", "trec_run", "baseline", "reference_implementation")
_POST_PROCESSED = " (NIST post-processed)"
#: What is wrong in a block, by the code of the gathered file.
_IMPOSSIBLE: Mapping[str, str] = {
    "N1>P1": "nDCG@1 ({nDCG@1}) is above P@1 ({P@1})",
    "A1>P1": "AP@1 ({AP@1}) is above P@1 ({P@1})",
    "R1>P1": "R@1 ({R@1}) is above P@1 ({P@1})",
    "A>R": "AP is above recall at one depth",
    "Rfall": "recall falls with depth",
    "Afall": "AP falls with depth",
    "Mfall": "RR falls with depth",
    "Pfall": "fewer relevant documents are found at a larger depth",
}
_AT_ONE = ("P@1", "nDCG@1", "MRR@1", "AP@1", "R@1")
_OF_SAME_RUN = {"copied model or renamed maker": "copied", "partly the same scores": "copied", "shard": "shard"}
#: So many measures of a collection must agree, and all that two runs share, by their role.
_MIN_ALIKE = {"trec_run": 5, "reference_implementation": 4}
#: Leaderboards of which a third of the rows or more are ``impossible`` or ``unequal-at-1``, whose median lies apart
#: from that of the others by more than the margin of the verdict that they all would have (28 November 2026).
_DOUBTFUL = (
    ("mteb-bright-long-biology", "4 of 8", "0.474", "0.316", "0.091"),
    ("mteb-spanish-passage-retrievals2s", "22 of 36", "0.711", "0.643", "0.068"),
    ("mteb-synthetic-text2sql", "175 of 193", "0.487", "0.668", "0.018"),
    ("mteb-twitterhjerne", "118 of 221", "0.101", "0.700", "0.138"),
)
#: What no row of the record shows by itself.
_SHIPPED = ("partial-mean", "unequal-mean", "impossible", "unequal-at-1", "copied")
_OTHER_NAMES = "other-names"
_SHARD = "one part of an index, and only the merged lists of all parts are a run"
_LINE = re.compile(r"(.+)#L(\d+)$")
_ON_BOARDS = re.compile(r"on (\d+) of (\d+) shared boards")


def refute(rows: Iterable[Row], facts: Path, with_topic_scores: Collection[tuple[str, str, str]]) -> list[Row]:
    """Mark the rows that the facts refute or remark on, and return what is said of each.

    Of one run under several names the row stays in that has scores by topic, else that of the system with most rows.
    """
    standing = _Standing(rows, with_topic_scores)
    refutations = [
        *_means(read_table(facts / "aggregates.csv"), standing),
        *_blocks(facts / "mteb_blocks.csv.gz", standing),
        *_same_runs(read_table(facts / "same_runs.csv"), standing),
        *_post_processed(standing),
    ]
    distinct = {(row["kind"], *_key(row)): row for row in refutations}
    for row in distinct.values():
        _mark(standing.rows[_key(row)], row)
    return sorted(
        (row for row in distinct.values() if row["kind"] in _SHIPPED), key=lambda row: [row[name] for name in COLUMNS]
    )


Key = tuple[str, str, str, str, str]


def _key(row: Row) -> Key:
    return row["collection"], row["measure"], row["system"], row["team"], row["source"]


class _Standing:
    """The rows that ship, by what tells them apart and by their line."""

    def __init__(self, rows: Iterable[Row], with_topic_scores: Collection[tuple[str, str, str]]) -> None:
        self.rows = {_key(row): row for row in rows}
        self.by_line = {(row["collection"], *_place(row["locator"])): row for row in self.rows.values()}
        self._n_rows = Counter((row["system"], row["team"]) for row in self.rows.values())
        self._with_topic_scores = with_topic_scores

    def precedence(self, row: Row) -> tuple[bool, int, int, str]:
        """Return what the first of the names of one run is the least of."""
        n_rows = self._n_rows[row["system"], row["team"]]
        has_topic_scores = (row["collection"], row["measure"], row["system"]) in self._with_topic_scores
        return not has_topic_scores, _ROLES.index(row["role"]), -n_rows, row["system"]


def _place(locator: str) -> tuple[str, int]:
    """Return file and line of a locator; line 0 where it names none."""
    match = _LINE.match(locator)
    return (match[1], int(match[2])) if match else (locator, 0)


def _refutation(kind: str, row: Row, says: str) -> Row:
    return {name: row.get(name, "") for name in COLUMNS} | {"kind": kind, "says": says}


def _mark(row: Row, refutation: Row) -> None:
    row["notes"] = join_notes(row["notes"], refutation["says"])
    excluded = EXCLUDES.get(refutation["kind"])
    if excluded and row["comparability"] in ("", "standard"):
        row["comparability"] = excluded


def _means(gathered: Iterable[Row], standing: _Standing) -> Iterator[Row]:
    """Yield means of a few members, and those that are not the mean of their members."""
    for fact in gathered:
        if fact["verdict"] not in ("partial mean", "differs"):
            continue
        row = standing.by_line[(fact["collection"], *_place(fact["locator"]))]
        if fact["verdict"] == "differs":
            mean = f"{float(fact['mean_on_record']):.5f}"
            yield _refutation("unequal-mean", row, f"the mean of its {fact['n_members']} members on record is {mean}")
        else:
            members = fact["partial_members"].split(";")
            of = f"{len(members)} of {fact['n_members']} members: {', '.join(members)}"
            yield _refutation("partial-mean", row, f"a mean over {of}")


def _blocks(path: Path, standing: _Standing) -> Iterator[Row]:
    """Yield rows whose block of scores is impossible, or has a reciprocal rank at 1 that is not its precision at 1."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        for block in csv.DictReader(file):
            is_doubted = block["impossible"] or block["mrr1_differs"] == "yes"
            if not (is_doubted and block["collections"]):
                continue
            lines = range(int(block["line_from"]), int(block["line_to"]) + 1)
            places = ((block["collections"], block["path"], line) for line in lines)
            row = next(standing.by_line[place] for place in places if place in standing.by_line)
            at_one = {name: f"{float(block[name]):.4f}" for name in _AT_ONE if block[name]}
            if block["impossible"]:
                wrong = [_IMPOSSIBLE[code].format(**at_one) for code in block["impossible"].split(";")]
                yield _refutation("impossible", row, f"impossible in its file: {', '.join(wrong)}")
            else:
                yield _refutation("unequal-at-1", row, "RR@1 ({MRR@1}) is not P@1 ({P@1}) in its file".format(**at_one))


def _same_runs(gathered: Iterable[Row], standing: _Standing) -> Iterator[Row]:
    """Yield rows of one run under several names, of parts of an index, and of models with the scores of another."""
    groups: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    runs: dict[Key, list[Row]] = {}
    facts: dict[str, Row] = {}
    for fact in gathered:
        row, place = standing.rows[_key(fact)], (fact["group"], fact["collection"], fact["measure"])
        facts[fact["group"]] = fact
        if _OF_SAME_RUN.get(fact["kind"]) or not (row["comparability"] != "standard" or row["replicate_of"]):
            groups[place].append(row)
    for (group, _, _), rows in groups.items():
        match _OF_SAME_RUN.get(facts[group]["kind"]):
            case "shard":
                yield from (_refutation("shard", row, _SHARD) for row in rows)
            case "copied":
                yield from _copied(rows, facts[group]["evidence"])
            case _:
                _join(rows, runs)
    for pair in _alike(standing.rows.values()):
        _join(pair, runs)
    for rows in {id(rows): rows for rows in runs.values()}.values():
        yield from _twins(rows, standing)


def _alike(rows: Iterable[Row]) -> Iterator[tuple[Row, Row]]:
    """Yield the rows of two runs whose scores agree under all measures of a collection that both have."""
    runs: dict[str, dict[tuple[str, str, str], dict[str, Row]]] = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        is_counted = row["comparability"] in ("", "standard") and not row["replicate_of"] and _value(row)
        if row["role"] in _MIN_ALIKE and is_counted:
            runs[row["collection"]][row["system"], row["team"], row["source"]][row["measure"]] = row
    for here in runs.values():
        places: dict[tuple[str, float], list[tuple[str, str, str]]] = defaultdict(list)
        for run, scores in here.items():
            for measure, row in scores.items():
                places[measure, _value(row)].append(run)
        pairs = Counter(pair for runs_there in places.values() for pair in combinations(sorted(runs_there), 2))
        for (first, other), n_alike in pairs.items():
            shared = here[first].keys() & here[other].keys()
            if n_alike == len(shared) >= _MIN_ALIKE[next(iter(here[first].values()))["role"]]:
                yield from ((here[first][measure], here[other][measure]) for measure in sorted(shared))


def _join(rows: Iterable[Row], runs: dict[Key, list[Row]]) -> None:
    """Put the rows of a run together with those that another group has of it."""
    every = {_key(other): other for row in rows for other in [row, *runs.get(_key(row), [])]}
    together = list(every.values())
    runs |= dict.fromkeys(every, together)


def _copied(rows: list[Row], evidence: str) -> Iterator[Row]:
    shared = _ON_BOARDS.search(evidence)
    assert shared
    for row in rows:
        if others := ", ".join(sorted({other["system"] for other in rows} - {row["system"]})):
            yield _refutation(
                "copied", row, f"{others} has the same scores on {shared[1]} of {shared[2]} boards that list both"
            )


def _twins(rows: list[Row], standing: _Standing) -> Iterator[Row]:
    first, *others = sorted(rows, key=standing.precedence)
    alike = [row for row in others if _value(row) == _value(first)]
    for row in alike:
        yield _refutation("same-run", row, f"the same scores as {first['system']}")
    if alike:
        yield _refutation(_OTHER_NAMES, first, f"also listed as {', '.join(row['system'] for row in alike)}")


def _value(row: Row) -> float:
    """Return the score in the unit of its measure, to four digits."""
    return round(float(row["value"]) / (100 if row.get("unit") == "percent" else 1), 4)


def _post_processed(standing: _Standing) -> Iterator[Row]:
    """Yield runs beside which the same run stands after NIST took out what was judged before."""
    for (collection, measure, system, team, source), row in standing.rows.items():
        if not system.endswith(_POST_PROCESSED):
            continue
        other = standing.rows.get((collection, measure, system.removesuffix(_POST_PROCESSED), team, source))
        if other:
            yield _refutation("same-run", other, f"the same run as {system}, before that processing")
            yield _refutation(_OTHER_NAMES, row, f"also listed as {other['system']}")


def doubtful_boards() -> list[Row]:
    """Return the rows of ``leaderboards.csv`` on which there is no verdict, with the reason."""
    return [
        {
            "collection": slug,
            "measure": "nDCG@10",
            "note": f"In {rows} files at the source RR@1 is not P@1, or a block of scores is impossible. Their median"
            f" is {doubtful}, that of the others {others}, with a margin of {margin}",
            "is_doubtful": "yes",
        }
        for slug, rows, doubtful, others, margin in _DOUBTFUL
    ]
