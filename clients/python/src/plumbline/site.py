"""A Plumbline on the web: reading it, and handing results in."""

import gzip
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode, urljoin, urlsplit

import msgspec
import urllib3

from plumbline.errors import (
    AmbiguousNameError,
    NotFinishedError,
    NotFoundError,
    Part,
    PlumblineError,
    RefusedError,
    UnreachableError,
)
from plumbline.records import Check, Collection, Finds, Leaderboard, Measure, Record, Run, Submission, Suite

T = TypeVar("T", bound=Record)
Answer = TypeVar("Answer")

#: Where Plumbline is, and the token of whoever submits results.
ADDRESS_VARIABLE, TOKEN_VARIABLE = "PLUMBLINE_URL", "PLUMBLINE_TOKEN"
_LONGEST_PAUSE = 5.0
_WAIT_SECONDS = 600.0
#: The first bytes of packed files: gzip, zstd.
_PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")


class _Page(msgspec.Struct, Generic[T], frozen=True):
    next: str | None
    results: tuple[T, ...]
    count: int = 0


class _Part(msgspec.Struct, frozen=True):
    code: str = ""
    message: str = ""
    field: str = ""
    candidates: tuple[dict[str, Any], ...] = ()


class _Error(msgspec.Struct, frozen=True):
    error: str
    errors: tuple[_Part, ...] = ()


class _Waiting(msgspec.Struct, frozen=True):
    message: str = ""


class Site:
    """A Plumbline at an address.

    Answers that take time are asked for again when the site says so (``Retry-After``). Names are found in any spelling.
    Several threads may use one.

    Parameters
    ----------
    url : str, optional
        The address; that of the variable ``PLUMBLINE_URL`` by default.
    token : str, optional
        For submitting, made under your account; that of ``PLUMBLINE_TOKEN`` by default.
    timeout : float
        Seconds that an answer may take.
    on_wait : callable, optional
        Gets each message of the site to somebody who waits, once: that nobody is at work on it just now, …

    Raises
    ------
    ValueError
        If no address is known, or it is none of HTTP, or would send a token unencrypted to another machine.
    """

    def __init__(
        self, url: str = "", *, token: str = "", timeout: float = 60.0, on_wait: Callable[[str], object] | None = None
    ) -> None:
        url = url or os.environ.get(ADDRESS_VARIABLE, "")
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError(f"Say where Plumbline is, as Site('https://…') or in {ADDRESS_VARIABLE}; this is {url!r}.")
        self._token = token or os.environ.get(TOKEN_VARIABLE, "")
        if self._token and parts.scheme == "http" and parts.hostname not in {"localhost", "127.0.0.1", "::1"}:
            raise ValueError(f"A token is sent over https alone; this is {url!r}.")
        self._on_wait = on_wait
        self.url = f"{parts.scheme}://{parts.netloc}/"
        retries = urllib3.Retry(
            total=None, connect=2, read=2, redirect=5, status=3, status_forcelist={429, 503}, backoff_factor=0.5,
            raise_on_status=False,
        )  # fmt: skip
        self._pool = urllib3.PoolManager(timeout=timeout, retries=retries)

    def __repr__(self) -> str:
        return f"Site({self.url!r})"

    def leaderboard(self, collection: str, measure: str, **choices: str | int) -> Leaderboard:
        """Return the results of a collection under a measure, with their verdict.

        Parameters
        ----------
        collection, measure : str
            Any of their names: "robust04", "map".
        **choices : str or int
            Parameters of the leaderboard: ``as_of="2026-01-31"``, ``role="proposed"``, …

        Raises
        ------
        NotFoundError
            If there is none; AmbiguousNameError where a name may mean several things.
        RefusedError
            If a choice is not known.
        """
        return self.read(f"leaderboards/{part_of(collection)}/{part_of(measure)}.json", Leaderboard, choices)

    def suite(self, suite: str, measure: str) -> Suite:
        """Return the mean over a suite of collections: ``suite("beir-13", "nDCG@10")``."""
        return self.read(f"benchmarks/{part_of(suite)}/{part_of(measure)}.json", Suite)

    def snapshot(self, id: str) -> dict[str, Any]:
        """Return one analysis for good, with all that it rests on."""
        return decode(self.send("GET", f"snapshots/{part_of(id)}.json"), dict[str, Any])

    def search(self, text: str, *, kind: str = "") -> Finds:
        """Return what is found by a name in any spelling, beginnings of words, a DOI; the first page of it."""
        return self.read("api/v1/search/", Finds, {"q": text} | ({"kind": kind} if kind else {}))

    def collections(self, text: str = "") -> Iterator[Collection]:
        """Yield all collections that have results, or those that ``text`` finds."""
        return self.read_pages("api/v1/collections/", Collection, {"q": text} if text else {})

    def systems(self, text: str = "") -> list[dict[str, Any]]:
        """Return the systems on record, or those that ``text`` finds, each by the keys of ``/systems.json``."""
        return self._listed("systems", text)

    def papers(self, text: str = "") -> list[dict[str, Any]]:
        """Return the papers on record, or those that ``text`` finds, each by the keys of ``/papers.json``."""
        return self._listed("papers", text)

    def models(self, text: str = "") -> list[dict[str, Any]]:
        """Return the models on record, or those that ``text`` finds, each by the keys of ``/models.json``."""
        return self._listed("models", text)

    def _listed(self, kind: str, text: str) -> list[dict[str, Any]]:
        query = f"?{urlencode({'q': text})}" if text else ""
        results: list[dict[str, Any]] = self.ask(f"{kind}.json{query}")["results"]
        return results

    def system(self, name: str) -> dict[str, Any]:
        """Return a system with its results, by the last part of its address or by its name."""
        return self._one_of("systems", name)

    def paper(self, name: str) -> dict[str, Any]:
        """Return a paper with the results that it reports, by the last part of its address or by its title."""
        return self._one_of("papers", name)

    def model(self, name: str) -> dict[str, Any]:
        """Return a model and where it stands, by the last part of its address or by its name."""
        return self._one_of("models", name)

    def _one_of(self, kind: str, name: str) -> dict[str, Any]:
        """Return the record at the address; else the only one that the name finds, or the first of this name.

        Raises
        ------
        NotFoundError
            If there is none; AmbiguousNameError where several are found and none is called so.
        """
        if re.fullmatch(r"[a-z0-9._-]+", name):
            try:
                return self.ask(f"api/v1/{kind}/{part_of(name)}/")
            except NotFoundError as error:
                if isinstance(error, AmbiguousNameError):
                    raise
        finds = self.search(name, kind=kind.removesuffix("s")).results
        called = [find for find in finds if find.title.casefold() == name.casefold()] or finds
        if not called:
            raise NotFoundError(f"{self.url} has no {kind.removesuffix('s')} {name}.", 404)
        if len(called) > 1 and called is finds:
            named = tuple(find.url.rstrip("/").rpartition("/")[2] for find in finds)
            message = f"{name} may be any of {len(named)}: {', '.join(named[:5])}."
            raise AmbiguousNameError(message, 404, (Part("ambiguous", message, candidates=named),))
        return self.ask(f"api/v1{called[0].url}")

    def pairs(self, collection: str, measure: str, **choices: str) -> dict[str, Any]:
        """Return every pair of a leaderboard's systems with scores by topic: ``test="t"``, ``correction="holm"``."""
        return self._of_board(collection, measure, "pairs/", choices)

    def topics(self, collection: str, measure: str) -> dict[str, Any]:
        """Return the topics of a leaderboard: which are hard, which split the systems."""
        return self._of_board(collection, measure, "topics/", {})

    def _of_board(self, collection: str, measure: str, end: str, choices: Mapping[str, str]) -> dict[str, Any]:
        query = f"?{urlencode(choices)}" if choices else ""
        return self.ask(f"api/v1/leaderboards/{part_of(collection)}/{part_of(measure)}/{end}{query}")

    def bibtex(self, collection: str, measure: str) -> str:
        """Return the BibTeX entry of a leaderboard's snapshot, to cite."""
        return self.send("GET", f"leaderboards/{part_of(collection)}/{part_of(measure)}.bib").decode()

    def compare(self, *systems: str, models: Iterable[str] = ()) -> dict[str, Any]:
        """Return two to four systems or models beside each other on every leaderboard that they share."""
        names = [*(("system", name) for name in systems), *(("model", name) for name in models)]
        return self.ask(f"api/v1/compare/?{urlencode(names)}")

    def compare_topics(
        self, first: Sequence[float], second: Sequence[float], *, margin: float | None = None
    ) -> dict[str, Any]:
        """Return every paired test of two systems' scores on the same topics; nothing is kept.

        ``margin`` asks whether the two are as good within so much.
        """
        scores = {"first": list(map(float, first)), "second": list(map(float, second))}
        return self.ask("api/v1/compare/topics/", scores | ({} if margin is None else {"margin": margin}))

    def best_of(self, n: int, *, topics: int, mean: float, best: float, **spread: float) -> dict[str, Any]:
        """Return how good the best of ``n`` equal systems looks by chance; ``spread`` is ``sd`` or ``variance``."""
        query = {"n": n, "topics": topics, "mean": mean, "best": best} | spread
        return self.ask(f"api/v1/check/best-of/?{urlencode(query)}")

    def review_table(self, text: str, **choices: str | Sequence[str]) -> dict[str, Any]:
        """Return what the record says of each score of a table, as ``/review-table/`` does; nothing is kept.

        ``collection``, ``measure``, ``system``, ``unit``, ``own`` and ``baselines`` say what the table does not.
        """
        return self.ask("api/v1/review-table/", {"text": text} | choices)

    def log(self, **choices: str) -> Iterator[dict[str, Any]]:
        """Yield the changes of the public record, the latest first: ``since="2026-11-01"``, ``actor="ada"``, …

        Raises
        ------
        RefusedError
            If a choice is not known.
        """
        page, entries = 1, True
        while entries:
            entries = self.ask(f"log.json?{urlencode(choices | {'page': str(page)})}")["results"]
            yield from entries
            page += 1

    def heads(self) -> str:
        """Return the signed heads of the chain of seals, a text to keep elsewhere and compare a dump with."""
        return self.send("GET", "log/heads/").decode()

    def ask(self, address: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the answer at an address by the keys of the API; with a body, of what is posted."""
        if body is None:
            return decode(self.send("GET", address), dict[str, Any])
        sent, headers = msgspec.json.encode(body), {"Content-Type": "application/json"}
        return decode(self.send("POST", address, headers=headers, body=sent), dict[str, Any])

    def submissions(self) -> Iterator[Submission]:
        """Yield what you submitted, the latest first, without its rows."""
        return self.read_pages("api/v1/submissions/", Submission, {})

    def measures(self) -> Iterator[Measure]:
        """Yield all measures, with their other names."""
        return self.read_pages("api/v1/measures/", Measure, {})

    def check(
        self,
        collection: str,
        measure: str,
        score: float | None = None,
        *,
        baseline: float | None = None,
        tried: int = 1,
    ) -> Check:
        """Return what a leaderboard says of a score, of its baseline, or of both; nothing is kept."""
        query: dict[str, str | float] = {"collection": collection, "measure": measure, "tried": tried}
        values = {"score": score, "baseline": baseline}
        query |= {name: value for name, value in values.items() if value is not None}
        return self.read("api/v1/check/", Check, query)

    def submit(
        self,
        results: Iterable[Mapping[str, object]] | str | os.PathLike[str],
        *,
        dry_run: bool = False,
        note: str = "",
        key: str = "",
        **cells: str,
    ) -> Submission:
        """Submit results as a draft, or say what would become of them.

        Parameters
        ----------
        results : iterable of mapping, data frame, or path
            A result each, by the columns of the import format: collection, measure, system, value, paper_url, …. Scores
            are best given as text, exactly as printed. Or a CSV file with these columns, which is sent as it is; a file
            of another kind is read as the page reads what is pasted (``submit_table``).
        dry_run : bool
            Whether nothing is to be stored.
        note : str
            For reviewers.
        key : str
            Names the request: what was submitted under the same key before is not submitted again.
        **cells : str
            What holds for every result that does not say it: ``unit="percent"``, ``paper="Doe (SIGIR 2021)"``.

        Raises
        ------
        RefusedError
            If the request is refused; rows that are refused stand in the answer (``refused``).
        ValueError
            If a result is no mapping, or a cell neither text nor number.
        NotFinishedError
            If a large one is still being worked on after ten minutes.
        """
        if isinstance(results, (str, os.PathLike)):
            content, kind = Path(results).read_bytes(), Path(results).suffix.lower()
            if kind not in (".csv", ""):
                for_all: dict[str, Any] = dict(cells)
                return self.submit_table(content.decode(), dry_run=dry_run, note=note, key=key, **for_all)
            query = {name: text for name, text in {"note": note, **cells}.items() if text}
            return self._submit(content, "text/csv", query, dry_run, key)
        rows = results.to_dict("records") if hasattr(results, "to_dict") else list(results)
        if not all(isinstance(row, Mapping) for row in rows):
            raise ValueError("Give a dictionary for each result, a data frame, or a path.")
        # A missing cell of a frame is no number, and unequal to itself.
        present = [{name: cell for name, cell in row.items() if cell == cell} for row in rows]
        sent = {"results": [cells | row for row in present]} | ({"note": note} if note else {})
        return self._submit(msgspec.json.encode(sent, enc_hook=_number), "application/json", {}, dry_run, key)

    def submit_table(
        self,
        text: str,
        *,
        answers: Mapping[str, str] | None = None,
        own: Sequence[str] | None = None,
        dry_run: bool = False,
        note: str = "",
        key: str = "",
        **cells: str,
    ) -> Submission:
        """Hand a table in: LaTeX, Markdown, HTML, CSV, the output of a tool; its looks tell which.

        ``own`` are the systems that its author proposes, the others are baselines then; without it the page of the
        draft asks. What the table leaves open is an error with parts ``open``: its ``answers`` go by what follows
        ``answers.`` in their ``field``. For the rest see ``submit``.
        """
        options = {"answers": answers, "own": own, "note": note, **cells}
        sent = {"text": text} | {name: value for name, value in options.items() if value or value == []}
        return self._submit(msgspec.json.encode(sent), "application/json", {}, dry_run, key)

    def _submit(self, body: bytes, kind: str, wishes: Mapping[str, str], dry_run: bool, key: str) -> Submission:
        query = urlencode({**wishes, **({"dry_run": "true"} if dry_run else {})})
        headers = {"Content-Type": kind} | ({"Idempotency-Key": key} if key else {})
        address = "api/v1/submissions/" + (f"?{query}" if query else "")
        return decode(self.send("POST", address, headers=headers, body=body), Submission)

    def score_run(
        self,
        path: str | os.PathLike[str],
        *,
        collection: str = "",
        name: str = "",
        until: str = "",
        result: int | None = None,
        own: str = "",
        measure: str = "",
    ) -> Run:
        """Have a run scored under every measure of its collection, for your own eyes.

        Parameters
        ----------
        path : str or path
            A TREC run, plain, gzip or zstd; a plain one is packed before it is sent.
        collection : str
            Any of its names.
        name : str
            What the system is called in reports; that of the file by default.
        until : str
            The day until which it is kept ("2027-01-31"); by default all is deleted after an hour.
        result : int, optional
            The number of the result on record that it is said to be the run of.
        own : str
            In place of ``collection``: the key of a collection of your own (:class:`plumbline.Own`).
        measure : str
            The file is a table of topic scores under this measure, and no run.

        Raises
        ------
        RefusedError
            If the run or the request is refused.
        NotFinishedError
            If it is still being worked on after ten minutes.
        """
        file = Path(path)
        content = file.read_bytes()
        query = {"collection": collection, "name": name or file.name.partition(".")[0], "until": until}
        query |= {} if result is None else {"result": str(result)}
        query |= {"own": own, "measure": measure, "kind": "matrix" if measure else ""}
        body = content if content.startswith(_PACKED) else gzip.compress(content, 6, mtime=0)
        headers = {"Content-Type": "application/octet-stream"}
        address = f"api/v1/runs/?{urlencode({key: text for key, text in query.items() if text})}"
        run = decode(self.send("POST", address, headers=headers, body=body), Run)
        started, message = time.monotonic(), ""
        while run.state == "waiting":
            waited = time.monotonic() - started
            if run.is_failed:
                raise PlumblineError(run.message)
            message = self._still(message, run.message, run.url, is_over=waited > _WAIT_SECONDS)
            time.sleep(min(0.2 + waited, _LONGEST_PAUSE))
            run = self.read(f"api/v1{run.url}", Run)
        if run.state == "refused":
            raise RefusedError(run.message)
        return run

    def judgements(self, collection: str) -> bytes:
        """Return the public judgements of a collection, as lines of topic, iteration, document, grade.

        Raises
        ------
        NotFoundError
            If none are given out.
        """
        return self.send("GET", f"collections/{part_of(collection)}/judgements.qrels")

    def runs(self) -> Iterator[Run]:
        """Yield your own runs and tables of topic scores that are still kept, the latest first."""
        return self.read_pages("api/v1/runs/", Run, {})

    def delete_run(self, run: Run | str) -> None:
        """Delete what you sent, with its studies and everything that was found.

        Parameters
        ----------
        run : Run or str
            The run, or the address of its page (``run.url``).

        Raises
        ------
        NotFoundError
            If it is gone already.
        PlumblineError
            If it is somebody else's.
        ValueError
            If the address is none of a run on this site.
        """
        address = run if isinstance(run, str) else run.url
        url = self._absolute(address)
        path = url.removeprefix(self.url.rstrip("/"))
        if not re.fullmatch(r"/runs/[^/?#]+/", path):
            raise ValueError(f"{address} is no run on {self.url}; its page has an address like {self.url}runs/…/.")
        self.send("DELETE", f"api/v1{path}")

    def read(self, path: str, kind: type[T], query: Mapping[str, str | float] | None = None) -> T:
        """Return the answer at a path, as a record of this kind."""
        return decode(self.send("GET", f"{path}?{urlencode(query)}" if query else path), kind)

    def read_pages(self, path: str, kind: type[T], query: Mapping[str, str | int]) -> Iterator[T]:
        """Yield the rows of a list at a path, page after page, as records of this kind.

        A terminal shows how far it is while the next page is waited for.
        """
        address: str | None = f"{path}?{urlencode({'page_size': 200, **query})}"
        n, terminal = 0, sys.stderr if sys.stderr.isatty() else None
        while address:
            page = decode(self.send("GET", address), _Page[kind])  # type: ignore[valid-type]
            if terminal and n:
                print("\r\x1b[K", end="", file=terminal, flush=True)
            yield from page.results
            n, address = n + len(page.results), page.next
            if terminal and address and page.count:
                done = "█" * (20 * n // page.count)
                print(f"{done:░<20} {n:,} of {page.count:,}", end="", file=terminal, flush=True)

    def send(
        self, method: str, address: str, *, headers: Mapping[str, str] | None = None, body: bytes | None = None
    ) -> bytes:
        """Return the answer to a request, once it is there."""
        answer = self._request(method, address, headers, body)
        until, told = time.monotonic() + _WAIT_SECONDS, ""
        while answer.status == 202:
            # A worker is at it; its answer will be where it says.
            address = answer.headers.get("Location", address)
            message = decode(answer.data, _Waiting).message
            told = self._still(told, message, address, is_over=time.monotonic() > until)
            time.sleep(min(float(answer.headers.get("Retry-After", 1)), _LONGEST_PAUSE))
            answer = self._request("GET", address, None, None)
        if answer.status >= 400:
            raise _error_of(answer, self._absolute(address))
        if method == "DELETE" and answer.status != 204:
            text = f"{self._absolute(address)} answered {answer.status}, and not that anything is deleted."
            raise PlumblineError(f"{text} Is there a Plumbline at this address?", answer.status)
        return answer.data

    def _still(self, told: str, message: str, address: str, *, is_over: bool) -> str:
        """Pass a new message on to whoever waits, and return it; NotFinishedError where it takes too long."""
        if is_over:
            text = f"This is still being worked on. {message}".strip()
            raise NotFinishedError(f"{text} Ask later: {self._absolute(address)}", 202)
        if self._on_wait and message and message != told:
            self._on_wait(message)
        return message

    def _request(
        self, method: str, address: str, headers: Mapping[str, str] | None, body: bytes | None
    ) -> urllib3.BaseHTTPResponse:
        url = self._absolute(address)
        own = {"User-Agent": "plumbline-python/1", "Accept": "application/json", **(headers or {})}
        if self._token and url.startswith(self.url):
            own["Authorization"] = f"Bearer {self._token}"
        try:
            return self._pool.request(method, url, headers=own, body=body)
        except urllib3.exceptions.HTTPError as error:
            raise UnreachableError(f"No answer from {url}: {error}") from error

    def _absolute(self, address: str) -> str:
        return urljoin(self.url, address)


def _number(value: object) -> str:
    """Return a number of NumPy as it prints itself, which msgspec does not know."""
    if isinstance(value, Real):
        return str(value)
    raise ValueError(f"A cell of a result is text, a number or None; this is {value!r}.")


def part_of(name: str) -> str:
    """Return a name as a part of an address."""
    return quote(name, safe="@=")


def decode(content: bytes, kind: type[Answer]) -> Answer:
    """Return the answer as an object of this kind; PlumblineError where it is none."""
    try:
        return msgspec.json.decode(content, type=kind)
    except msgspec.DecodeError as error:
        raise PlumblineError(
            f"The answer is none that this version of the client reads ({error}). Is there a newer one?"
        ) from error


def _error_of(answer: urllib3.BaseHTTPResponse, url: str) -> PlumblineError:
    try:
        refusal = msgspec.json.decode(answer.data, type=_Error)
    except msgspec.DecodeError:
        refusal = _Error(f"{url} answered {answer.status}.")
    parts = tuple(
        Part(
            error.code,
            error.message,
            error.field,
            *(tuple(str(each.get(key, "")) for each in error.candidates) for key in ("value", "label")),
        )
        for error in refusal.errors
    )
    message = refusal.error
    if answer.status == 401:
        message += f" The client sends the one in {TOKEN_VARIABLE}, or that of Site(token=…)."
    kind = PlumblineError
    if any(part.candidates for part in parts):
        kind = AmbiguousNameError
    elif answer.status == 404:
        kind = NotFoundError
    elif answer.status < 500:
        kind = RefusedError
    return kind(message, answer.status, parts)
