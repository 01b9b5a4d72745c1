"""The record that scores are held against, in a dump's folder or on a site: its names and its standing analyses."""

import gzip
import json
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from analysis.readers.names import collection_key, measure_key
from plumbline.errors import AmbiguousNameError, NotFoundError, PlumblineError
from plumbline.site import Site, part_of

_KEYS: Mapping[str, Callable[[str], str]] = {"collection": collection_key, "measure": measure_key}
#: The columns that name a collection or a measure.
_NAMES = ("slug", "name", "long_name", "ir_datasets_id", "ir_measures", "trec_eval")
#: The id at the start of a line of a dump.
_ID = re.compile(r'^\{"id": ?"([^"]+)"')

#: The collection and the measure of a leaderboard, by any of their names.
Pair = tuple[str, str]


class Record(Protocol):
    """A source of names, as readers of tables ask for them, and of analyses."""

    def has_collection(self, text: str) -> bool: ...

    def has_measure(self, text: str) -> bool: ...

    def asks_about_measure(self, text: str) -> bool: ...

    def snapshots(self, pairs: Iterable[Pair]) -> dict[Pair, str | PlumblineError]:
        """Return the standing snapshot of each leaderboard, or why there is none to be had."""


class _Named:
    """Collections and measures by their names."""

    def __init__(self) -> None:
        self._exact: dict[str, dict[str, set[Any]]] = {kind: defaultdict(set) for kind in _KEYS}
        self._ids: dict[str, dict[str, set[Any]]] = {kind: defaultdict(set) for kind in _KEYS}
        self._asked: dict[str, set[Any]] = defaultdict(set)

    def add(self, kind: str, pk: Any, names: Iterable[str | None]) -> None:
        for name in filter(None, names):
            self._exact[kind][name].add(pk)
            self._ids[kind][_KEYS[kind](name)].add(pk)

    def add_asked(self, pk: Any, names: Iterable[str]) -> None:
        """Take names that mean this collection or another."""
        for name in names:
            self._asked[collection_key(name)].add(pk)

    def ids(self, kind: str, name: str) -> set[Any]:
        """Return the ids of this name to the letter, else in another spelling, else those that it may mean."""
        called = self._exact[kind].get(name) or self._ids[kind].get(_KEYS[kind](name))
        return called or (self._asked.get(collection_key(name)) if kind == "collection" else None) or set()

    def has_collection(self, text: str) -> bool:
        return bool(self.ids("collection", text))

    def has_measure(self, text: str) -> bool:
        return bool(self.ids("measure", text))

    def asks_about_measure(self, text: str) -> bool:
        return len(self.ids("measure", text)) > 1


class DumpRecord(_Named):
    """The record of a dump: the folder of its JSON Lines files.

    Raises
    ------
    PlumblineError
        If the folder is no dump, or a file of it is damaged.
    """

    def __init__(self, folder: str | Path) -> None:
        super().__init__()
        self._folder = Path(folder)
        self._slugs: dict[tuple[str, Any], str] = {}
        for kind in _KEYS:
            for row in rows_of(self._folder, f"{kind}s"):
                self.add(kind, row["id"], (row.get(name) for name in _NAMES))
                self._slugs[kind, row["id"]] = row.get("slug", row["name"])
            for row in rows_of(self._folder, f"{kind}_aliases"):
                self.add(kind, row[f"{kind}_id"], [row["alias"]])
        questions = {
            row["id"]: row["names"].splitlines()
            for row in rows_of(self._folder, "questions")
            if row["kind"] == "collection"
        }
        for row in rows_of(self._folder, "question_collections"):
            self.add_asked(row["collection_id"], questions.get(row["question_id"], ()))
        self._boards = {
            row["id"]: (row["collection_id"], row["measure_id"]) for row in rows_of(self._folder, "leaderboards")
        }

    def snapshots(self, pairs: Iterable[Pair]) -> dict[Pair, str | PlumblineError]:
        """Return the standing snapshot of each leaderboard, or why there is none; the dump is read once for all."""
        by_ids: dict[tuple[Any, Any], set[str]] = defaultdict(set)
        for row in rows_of(self._folder, "analyses"):
            if row["snapshot_id"]:
                by_ids[self._boards[row["leaderboard_id"]]].add(row["snapshot_id"])
        wanted: dict[Pair, set[str]] = {}
        ambiguous: dict[Pair, str | PlumblineError] = {}
        for pair in pairs:
            collections, measures = (self.ids(kind, name) for kind, name in zip(_KEYS, pair, strict=True))
            wanted[pair] = {pk for c in collections for m in measures for pk in by_ids.get((c, m), ())}
            if len(collections) > 1:
                slugs = ", ".join(sorted(self._slugs["collection", pk] for pk in collections))
                message = f"{', '.join(pair)} may be {len(collections)} collections: {slugs}."
                ambiguous[pair] = AmbiguousNameError(message)
        texts = self._contents({pk for pair, ids in wanted.items() if pair not in ambiguous for pk in ids})
        return {pair: _only_content(pair, ids, texts) for pair, ids in wanted.items()} | ambiguous

    def content_of(self, id: str) -> str:
        """Return the JSON of a snapshot; NotFoundError where the dump has none of this id."""
        if id not in (contents := self._contents({id})):
            raise NotFoundError(f"The dump has no snapshot {id}.")
        return contents[id]

    def _contents(self, ids: set[str]) -> dict[str, str]:
        contents: dict[str, str] = {}
        for line in _lines(self._folder, "snapshots") if ids else ():
            start = _ID.match(line)
            if start and start[1] not in ids:
                continue
            row = json.loads(line)
            if row["id"] in ids:
                contents[row["id"]] = row["content"]
                if len(contents) == len(ids):
                    break
        return contents


def _only_content(pair: Pair, ids: set[str], texts: Mapping[str, str]) -> str | PlumblineError:
    named = ", ".join(pair)
    if len(ids) > 1:
        return PlumblineError(f"{named} may be {len(ids)} leaderboards; give the slug.")
    content = next((texts[pk] for pk in ids if pk in texts), None)
    return content if content is not None else NotFoundError(f"The dump has no analysis of {named}.")


class SiteRecord(_Named):
    """The record of a site, asked over its API.

    Raises
    ------
    UnreachableError
        If the site does not answer.
    """

    def __init__(self, site: Site) -> None:
        super().__init__()
        self._site = site
        for collection in site.collections():
            names = (collection.slug, collection.name, collection.ir_datasets_id, *collection.aliases)
            self.add("collection", collection.slug, names)
            self.add_asked(collection.slug, collection.asked)
        for measure in site.measures():
            names = (measure.name, measure.long_name, measure.ir_measures, measure.trec_eval, *measure.aliases)
            self.add("measure", measure.name, names)

    def snapshots(self, pairs: Iterable[Pair]) -> dict[Pair, str | PlumblineError]:
        """Return the standing snapshot of each leaderboard, or the error of the site in its place."""
        snapshots: dict[Pair, str | PlumblineError] = {}
        for pair in pairs:
            try:
                snapshots[pair] = self._snapshot(*pair)
            except PlumblineError as error:
                if not 400 <= error.status < 500:
                    raise
                snapshots[pair] = error
        return snapshots

    def _snapshot(self, collection: str, measure: str) -> str:
        address = f"api/v1/leaderboards/{part_of(collection)}/{part_of(measure)}/?page_size=1"
        snapshot = self._site.ask(address)["snapshot"]
        if snapshot is None:
            raise NotFoundError(f"{self._site.url} has no analysis of {collection}, {measure}.", 404)
        return self._site.send("GET", f"snapshots/{part_of(snapshot['id'])}.json").decode().rstrip("\n")


def snapshot_of_dump(folder: str | Path, collection: str, measure: str) -> str:
    """Return the standing snapshot of a leaderboard in a dump, by any name that the dump has of both.

    Raises
    ------
    NotFoundError
        If there is none.
    PlumblineError
        If the folder is no dump, or has several under these names.
    """
    (content,) = DumpRecord(folder).snapshots([(collection, measure)]).values()
    if isinstance(content, PlumblineError):
        raise content
    return content


def rows_of(folder: Path, table: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table of a dump; PlumblineError where there is none, or it is damaged."""
    yield from map(json.loads, _lines(folder, table))


def _lines(folder: Path, table: str) -> Iterator[str]:
    file = folder / f"{table}.jsonl.gz"
    try:
        with gzip.open(file, "rt", encoding="utf-8") as stream:
            yield from stream
    except (FileNotFoundError, NotADirectoryError) as error:
        raise PlumblineError(f"{folder} is no dump: {file.name} is missing.") from error
    except (EOFError, zlib.error) as error:
        raise PlumblineError(f"{file} is broken off or damaged; gzip says: {error}") from error
