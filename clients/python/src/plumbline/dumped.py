"""A dump in place of a site: the same calls, offline. Needs the statistics."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from analysis.readers.text import comparison_key
from plumbline.errors import PlumblineError
from plumbline.record import DumpRecord, Pair, rows_of
from plumbline.records import Analysis, Collection, Leaderboard, Measure, Row, Snapshot, Verdict
from plumbline.statistics import boards, comparisons


class Dump:
    """The record in a dump: the folder of its JSON Lines files (``*.jsonl.gz``). Nothing is fetched.

    Methods are those of :class:`Site`; lists hold the rows of the dump's tables, by their columns.

    Raises
    ------
    PlumblineError
        If the folder is no dump, or a file of it is damaged.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._record = DumpRecord(self.folder)

    def __repr__(self) -> str:
        return f"Dump({str(self.folder)!r})"

    def collections(self, text: str = "") -> Iterator[Collection]:
        """Yield all collections, or those whose names ``text`` is in."""
        yield from (msgspec.convert(row, Collection) for row in self._named("collections", text))

    def measures(self) -> Iterator[Measure]:
        """Yield all measures."""
        yield from (msgspec.convert(row, Measure) for row in rows_of(self.folder, "measures"))

    def systems(self, text: str = "") -> list[dict[str, Any]]:
        """Return the systems, or those whose names ``text`` is in."""
        return list(self._named("systems", text))

    def models(self, text: str = "") -> list[dict[str, Any]]:
        """Return the models, or those whose names ``text`` is in."""
        return list(self._named("models", text))

    def papers(self, text: str = "") -> list[dict[str, Any]]:
        """Return the papers, or those whose citation, title or authors ``text`` is in."""
        return list(self._named("papers", text))

    def log(self, **choices: str) -> list[dict[str, Any]]:
        """Return the changes of the record, the latest first; ``choices`` are what columns say, as ``actor="ada"``."""
        entries = list(rows_of(self.folder, "entries"))
        for name in choices.keys() - {column for entry in entries[:1] for column in entry}:
            raise PlumblineError(f"The log of a dump has no column {name}.")
        kept = [entry for entry in entries if all(str(entry[name]) == text for name, text in choices.items())]
        return sorted(kept, key=lambda entry: -int(entry["id"]))

    def heads(self) -> str:
        """Return the signed heads that the site had told when it wrote the dump, as ``Site.heads`` does."""
        return (self.folder / "heads.txt").read_text(encoding="utf-8")

    def snapshot(self, id: str) -> dict[str, Any]:
        """Return one analysis for good, with all that it rests on."""
        return dict(msgspec.json.decode(self._record.content_of(id)))

    def leaderboard(self, collection: str, measure: str) -> Leaderboard:
        """Return the results of a collection under a measure, by its standing analysis, with the verdict.

        What takes other tables (papers, standardized scores) is left out.

        Raises
        ------
        NotFoundError
            If there is none in the dump.
        """
        text = self._text(collection, measure)
        kept, told = boards.read_snapshot(text), msgspec.json.decode(text)
        headline, snapshot_id = self._headline(text)
        inputs, found = kept.inputs, kept.findings.verdict
        competing = {result for family in kept.findings.families for result in family.results}
        means = {result: mean for result, mean in inputs.means.items() if result in competing}
        sign = -1.0 if inputs.measure.higher_is_better else 1.0
        firsts: dict[float, int] = {}
        for place, mean in enumerate(sorted(means.values(), key=lambda mean: sign * mean), start=1):
            firsts.setdefault(mean, place)
        members = found.set.members if found.set else None
        ranges = boards.rank_ranges(inputs, kept.findings)
        rows = [
            {
                **row,
                # Of a result alone; names of systems have no numbers in an analysis.
                "system_id": 0,
                "rank": firsts.get(means[row["id"]]) if row["id"] in means else None,
                "rank_low": ranges[row["id"]].low if row["id"] in ranges else None,
                "rank_high": ranges[row["id"]].high if row["id"] in ranges else None,
                "can_be_best": None if members is None or row["id"] not in found.distances else row["id"] in members,
                "is_held_back": row["id"] in found.held_back,
            }
            for row in told["inputs"]["rows"]
        ]
        rows.sort(key=lambda row: sign * means.get(row["id"], row["value"]))
        verdict = told["findings"]["verdict"] | {"sentence": headline.get("sentence", "")}
        return Leaderboard(
            collection=self._first("collection", collection, Collection),
            measure=self._first("measure", measure, Measure),
            url="",
            analysis=Analysis(state="current", message="As the dump has it."),
            verdict=msgspec.convert(verdict, Verdict, strict=False),
            snapshot=Snapshot(id=snapshot_id, url="", created=""),
            results=tuple(msgspec.convert(row, Row, strict=False) for row in rows),
        )

    def check(self, collection: str, measure: str, score: float) -> dict[str, Any]:
        """Return what a leaderboard says of a score: the numbers of ``boards.check_score``."""
        kept = boards.read_snapshot(self._text(collection, measure))
        return asdict(boards.check_score(kept.inputs, score, held_back=kept.findings.verdict.held_back))

    def compare(self, *systems: str) -> dict[str, Any]:
        """Return two to four systems, by name or slug, on every leaderboard of theirs, by the keys of ``Site.compare``.

        What takes more than scores and analyses (training, reversals, z) is left out.

        Raises
        ------
        PlumblineError
            If it is not two to four, or a name is that of none or of several.
        """
        named: dict[tuple[str, str], int] = {}
        for name in systems:
            rows = [row for row in rows_of(self.folder, "systems") if _is_called(row, name)]
            if len(rows) != 1:
                raise PlumblineError(f"The dump has {len(rows)} systems {name}; write the slug of one.")
            named[rows[0]["name"], rows[0]["team"]] = rows[0]["id"]
        if not 2 <= len(named) <= 4:
            raise PlumblineError("Name two to four systems.")
        by_board: dict[Pair, list[dict[str, Any]]] = defaultdict(list)
        for row in rows_of(self.folder, "scores"):
            if row["comparability"] == "standard" and (owner := named.get((row["system"], row["team"]))):
                by_board[row["collection"], row["measure"]].append(row | {"system": owner, "result": row["id"]})
        order = list(named.values())
        signs = {row["name"]: 1.0 if row["higher_is_better"] else -1.0 for row in rows_of(self.folder, "measures")}
        best = {pair: _best(rows, signs[pair[1]], order) for pair, rows in by_board.items()}
        shared = {pair: rows for pair, rows in best.items() if len(rows) > 1}
        ids = {row["id"] for rows in shared.values() for row in rows}
        standing = (row for row in rows_of(self.folder, "topic_scores") if not row["ended_at"])
        behind = {row["result_id"]: row["scores"] for row in standing if row["result_id"] in ids}
        vectors = {pk: scores for pk, scores in behind.items() if None not in scores}
        compared: list[dict[str, Any]] = []
        for (collection, measure), content in self._record.snapshots(shared).items():
            rows = shared[collection, measure]
            kept = boards.read_snapshot(content) if isinstance(content, str) else None
            differences = _differences(rows, signs[measure], kept, vectors)
            names = {"collection": {"slug": collection}, "measure": {"name": measure}}
            compared.append(names | {"scores": rows, "differences": differences})
        told = [one["told_apart"] for board in compared for one in board["differences"]]
        return {
            "systems": [{"id": pk, "name": name, "team": team} for (name, team), pk in named.items()],
            "n_shared_by_all": sum(len(rows) == len(order) for rows in shared.values()),
            "n_comparisons": len(told), "n_told_apart": told.count(True), "n_unknown": told.count(None),
            "boards": sorted(compared, key=lambda board: -len(board["scores"])),
        }  # fmt: skip

    def _text(self, collection: str, measure: str) -> str:
        (content,) = self._record.snapshots([(collection, measure)]).values()
        if isinstance(content, PlumblineError):
            raise content
        return content

    def _headline(self, text: str) -> tuple[Mapping[str, Any], str]:
        """Return what stands beside the analysis of a snapshot, and its id."""
        snapshot = boards.snapshot_id(text)
        standing = (row for row in rows_of(self.folder, "analyses") if row["snapshot_id"] == snapshot)
        return next((row.get("headline") or {} for row in standing), {}), snapshot

    def _first(self, kind: str, name: str, record: type[Any]) -> Any:
        ids = self._record.ids(kind, name)
        return next(msgspec.convert(row, record) for row in rows_of(self.folder, f"{kind}s") if row["id"] in ids)

    def _named(self, table: str, text: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of a table in one of whose names the text is, as names are compared."""
        key = comparison_key(text)
        for row in rows_of(self.folder, table):
            names = (row.get(column) for column in ("slug", "name", "cite", "title", "authors"))
            if not key or any(key in comparison_key(name) for name in names if name):
                yield row


def _is_called(row: Mapping[str, Any], name: str) -> bool:
    names = {row["slug"], comparison_key(row["name"])}
    return row["merged_into_id"] is None and not names.isdisjoint({name, comparison_key(name)})


def _best(rows: Sequence[dict[str, Any]], sign: float, order: Sequence[int]) -> list[dict[str, Any]]:
    """Return the best score of each system, in this order, further executions aside."""
    own = {row["id"] for row in rows}
    first = [row for row in rows if row["replicate_of"] not in own]
    best = {row["system"]: row for row in sorted(first, key=lambda row: (sign * float(row["value"]), -row["id"]))}
    return [best[system] for system in order if system in best]


def _differences(
    rows: Sequence[dict[str, Any]], sign: float, kept: Any, vectors: Mapping[int, list[float]]
) -> list[dict[str, Any]]:
    """Return each pair by its scores by topic, else by its means; those of one leaderboard are corrected together."""
    pairs = [sorted(pair, key=lambda row: -sign * float(row["value"])) for pair in combinations(rows, 2)]
    competing = {pk for family in kept.findings.families for pk in family.results} if kept else set()
    error = boards.error_of_pair(kept.inputs, kept.findings) if kept else None
    tests: dict[int, Any] = {}
    gains: dict[int, float] = {}
    for place, (better, other) in enumerate(pairs):
        given = [vectors[row["id"]] for row in (better, other) if row["id"] in vectors]
        # What differs by the same on every topic has no t test.
        if len(given) == 2 and len({round(one - two, 9) for one, two in zip(*given, strict=True)}) > 1:
            tests[place] = comparisons.ttest_rel(*sorted(given, key=sum, reverse=True))
        elif error and {better["id"], other["id"]} <= competing:
            gains[place] = float(better["value"] - other["value"])
    pvalues = [test.pvalue for test in tests.values()]
    adjusted = comparisons.adjust_pvalues(pvalues, n_comparisons=len(pairs)).tolist() if pvalues else []
    judged = boards.planned_pairs(list(gains.values()), [error] * len(gains), len(pairs)) if error and gains else ()
    told: dict[int, dict[str, Any]] = {}
    for (place, test), pvalue in zip(tests.items(), adjusted, strict=True):
        told[place] = {"basis": "topic-scores", "difference": test.mean_difference, "pvalue": pvalue}
        told[place]["told_apart"] = pvalue <= 1 - boards.METHODS.confidence_level
    for place, one in zip(gains, judged, strict=True):
        told[place] = {"basis": "means", "told_apart": one.is_told_apart, "margin": one.margin, "pvalue": one.pvalue}
    return [
        {"better": better["system"], "other": other["system"], "difference": abs(better["value"] - other["value"])}
        | told.get(place, {"basis": "none", "told_apart": None})
        for place, (better, other) in enumerate(pairs)
    ]
