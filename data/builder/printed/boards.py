"""Leaderboards and lists of results: MTEB's and TIREx's JSON, MS MARCO's table, papers on Robust04."""

import csv
import re
from collections.abc import Hashable, Iterator

from analysis.readers.upstream.scores import Json, Printed
from builder.lines import Finder, once
from builder.tables import Row, hyphened

#: A description that several entries share, and the day that tells them apart.
_SUBMITTED = re.compile(r"(.*) \(submitted (\d{4})-(\d\d)-(\d\d)(?: #(\d+))?\)")
_IN_MTEB = {"nDCG": "ndcg", "AP": "map", "RR": "mrr", "R": "recall", "P": "precision", "Success": "hit_rate"}
_IN_TIREX = {"nDCG@10": "ndcg@10", "P@10": "precision@10"}
_ON_ROBUST04 = {"Rprec": "R-precision", "GMAP": "gMAP"}
_OF_MS_MARCO = {"msmarco-passage-eval": "eval", "msmarco-passage-dev": "dev"}


def mteb_file(text: str) -> Finder:
    """Return a finder in what MTEB keeps of one model on one task: scores by split and subset."""
    parts = [
        (split, part.read()["hf_subset"], part)
        for split, of_split in _member(Json(text), "scores").members()
        for part in of_split.items()
    ]

    def find(row: Row) -> Printed | None:
        of_subset = [(split, part) for split, subset, part in parts if _is_subset(row, subset, split, parts)]
        of_split = [part for split, part in of_subset if _is_split(row, split, {split for split, _ in of_subset})]
        if len(of_split) != 1:
            return None
        values = [value for key in (_key_in_mteb(row["measure"]), "main_score") if (value := of_split[0].get(key))]
        same = (value for value in values if value.read() == float(row["value"]))
        value = next(same, values[0] if values else None)
        return value.printed() if value else None

    return find


def _member(whole: Json, key: str) -> Json:
    member = whole.get(key)
    if member is None:
        raise ValueError(f"there is no {key}, or more than one")
    return member


def _is_subset(row: Row, subset: str, split: str, parts: list[tuple[str, str, Json]]) -> bool:
    """Say whether a subset is the row's: the subset in brackets behind the task, else the only one or the default."""
    named = re.search(r" \((.+)\)$", row["mteb_task"])
    if named:
        return subset == named[1]
    n_of_split = sum(other == split for other, _, _ in parts)
    return subset == "default" or n_of_split == 1 or f"-{hyphened(subset)}" in row["collection"]


def _is_split(row: Row, split: str, splits: set[str]) -> bool:
    """Say whether a split is the row's: what the notes name, else the only one, or the end of a collection's
    name."""
    named = re.search(r"(?:^|; )split=([^;]+)", row["notes"])
    if named:
        return split == named[1]
    return len(splits) == 1 or row["collection"].endswith("-" + hyphened(split)) or f" {split}|" in f"{row['aliases']}|"


def _key_in_mteb(measure: str) -> str:
    """Return the key of a measure there.

    ``nDCG@10`` is ``ndcg_at_10``, ``max over subqueries AP@1000`` ``max_over_subqueries_map_at_1000``.
    """
    before, _, last = measure.rpartition(" ")
    name, _, cutoff = last.partition("@")
    key = _IN_MTEB.get(name, name) + (f"_at_{cutoff}" if cutoff else "")
    return f"{before} {key}".strip().replace(" ", "_")


def tirex_file(text: str) -> Finder:
    """Return a finder in the evaluations of TIREx: scores by data set and system."""
    places = once(
        ((dataset, system, key), value.printed())
        for dataset, systems in Json(text).members()
        for system, scores in systems.members()
        for key, value in scores.members()
        if key in _IN_TIREX.values()
    )

    def find(row: Row) -> Printed | None:
        dataset = re.search(r"(?:^|; )dataset=([^;]+)", row["notes"])
        return places.get((dataset[1], row["system"], _IN_TIREX[row["measure"]])) if dataset else None

    return find


def robust04_papers(text: str) -> Finder:
    """Return a finder in the list of papers on Robust04: of each the scores of its best method and of its baseline."""
    places = once(_scores_of_papers(text))

    def find(row: Row) -> Printed | None:
        which = {"proposed": "best", "baseline": "baseline"}[row["role"]]
        return places.get((row["paper_url"], which, _ON_ROBUST04.get(row["measure"], row["measure"])))

    return find


def _scores_of_papers(text: str) -> Iterator[tuple[Hashable, Printed]]:
    for paper in Json(text).items():
        members = dict(paper.members())
        for which in ("best", "baseline"):
            if which in members:
                for key, value in members[which].members():
                    yield (members["link"].read(), which, key), value.printed()


def ms_marco_table(text: str) -> Finder:
    """Return a finder in the table of MS MARCO's passage ranking, whose entries go by their description."""
    reader = csv.DictReader(text.splitlines(keepends=True))
    entries = [(entry, reader.line_num) for entry in reader]

    def find(row: Row) -> Printed | None:
        submitted = _SUBMITTED.fullmatch(row["system"])
        name, nth = (submitted[1], int(submitted[5] or 1)) if submitted else (row["system"], 1)
        of_name = [
            (entry, line)
            for entry, line in entries
            if entry["description"] == name and entry["date"] == row["date"].replace("-", "/")
        ]
        if len(of_name) < nth or (len(of_name) > 1 and not submitted):
            return None
        entry, line = of_name[nth - 1]
        return Printed(entry[_OF_MS_MARCO[row["collection"]]], line)

    return find
