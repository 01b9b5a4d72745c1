"""A collection of one's own on a Plumbline: its measures, judgements, runs and tables, and its boards."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias
from urllib.parse import quote, urlsplit

import msgspec

from plumbline.records import OwnCollection, OwnCollections, PublicOwnCollection, Run
from plumbline.site import Site, decode

#: You alone see it, whoever has its address, or everybody.
Visibility: TypeAlias = Literal["private", "unlisted", "public"]


class Own:
    """A collection of your own: private, unlisted (whoever has its address reads it) or public (it is listed, too).

    Parameters
    ----------
    address : str
        Of its page, or its key.
    site : Site, optional
        By default the one that the variable ``PLUMBLINE_URL`` has.
    """

    def __init__(self, address: str, site: Site | None = None) -> None:
        self._site = site or Site()
        self.key = urlsplit(address).path.rstrip("/").rpartition("/")[2]

    def __repr__(self) -> str:
        return f"Own({self.key!r})"

    @classmethod
    def begin(
        cls,
        name: str,
        *,
        measures: Sequence[str] = (),
        topics: Sequence[str] = (),
        visibility: Visibility = "private",
        site: Site | None = None,
    ) -> "Own":
        """Begin a collection, kept for a year; ``measures`` are known by their names alone.

        Raises
        ------
        RefusedError
            If a name can't be taken: nothing is begun then.
        """
        site = site or Site()
        body = {"name": name, "visibility": visibility, "topics": _names(topics), "measures": _names(measures)}
        return cls(_change(site, "POST", "", body).url, site)

    @classmethod
    def all(cls, site: Site | None = None) -> tuple[OwnCollection, ...]:
        """Return your own collections that are still kept, the latest first."""
        return (site or Site()).read("api/v1/runs/own/", OwnCollections).collections

    @classmethod
    def public(cls, site: Site | None = None) -> Iterator[PublicOwnCollection]:
        """Yield the collections that people show to everybody, the latest first. None is on record or reviewed."""
        return (site or Site()).read_pages("api/v1/runs/own/public/", PublicOwnCollection, {})

    def read(self) -> OwnCollection:
        """Return the collection with its boards."""
        return self._site.read(f"api/v1/runs/own/{self.key}/", OwnCollection)

    def change(
        self, *, name: str | None = None, visibility: Visibility | None = None, topics: Sequence[str] | None = None
    ) -> OwnCollection:
        """Rename it, say who sees it, or name its topics."""
        changes = {"name": name, "visibility": visibility, "topics": None if topics is None else _names(topics)}
        return self._change("PATCH", "", {key: value for key, value in changes.items() if value is not None})

    def add_measure(
        self,
        name: str,
        *,
        low: float | None = None,
        high: float | None = None,
        higher_is_better: bool = True,
        decimals: int | None = None,
    ) -> OwnCollection:
        """Add a measure; one that the site knows needs its name alone. Runs that are there are scored under it."""
        about = {"low": low, "high": high, "higher_is_better": higher_is_better, "decimals": decimals}
        return self._change("POST", "measures/", {"name": name, **about})

    def remove_measure(self, name: str) -> None:
        """Remove a measure with the tables under it; runs stay."""
        self._site.send("DELETE", f"api/v1/runs/own/{self.key}/measures/{quote(name, safe='')}/")

    def put_judgements(self, path: str | os.PathLike[str]) -> OwnCollection:
        """Have runs be scored against a file of judgements: topic, iteration, document, grade; plain, gzip or zstd."""
        return self._change("POST", "judgements/", Path(path).read_bytes())

    def send_run(self, path: str | os.PathLike[str], *, name: str = "") -> Run:
        """Have a run scored against the judgements of the collection."""
        return self._site.score_run(path, own=self.key, name=name)

    def send_table(self, path: str | os.PathLike[str], measure: str, *, name: str = "") -> Run:
        """Send a CSV table of topic scores under a measure: a row for each topic, a column for each system."""
        return self._site.score_run(path, own=self.key, measure=measure, name=name)

    def delete(self) -> None:
        """Delete it with everything that was sent to it."""
        self._site.send("DELETE", f"api/v1/runs/own/{self.key}/")

    def _change(self, method: str, part: str, body: dict[str, Any] | bytes) -> OwnCollection:
        return _change(self._site, method, f"{self.key}/{part}", body)


def _names(several: Sequence[str]) -> list[str]:
    """Return the names as a list; refuse a single text, which would be its letters."""
    if isinstance(several, str):
        raise ValueError(f"Give several names as a list, as [{several!r}].")
    return list(several)


def _change(site: Site, method: str, path: str, body: dict[str, Any] | bytes) -> OwnCollection:
    kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
    content = body if isinstance(body, bytes) else msgspec.json.encode(body)
    answer = site.send(method, f"api/v1/runs/own/{path}", headers={"Content-Type": kind}, body=content)
    return decode(answer, OwnCollection)
