"""A dump in place of a site: the same calls, offline. Needs the statistics."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from analysis.readers.text import comparison_key
from plumbline.errors import PlumblineError
from plumbline.record import DumpRecord, rows_of
from plumbline.records import Analysis, Collection, Leaderboard, Measure, Row, Snapshot, Verdict
from plumbline.statistics import boards


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

        Rank ranges and what takes other tables (papers, standardized scores) are left out.

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
        rows = [
            {
                **row,
                # Of a result alone; names of systems have no numbers in an analysis.
                "system_id": 0,
                "rank": firsts.get(means[row["id"]]) if row["id"] in means else None,
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
