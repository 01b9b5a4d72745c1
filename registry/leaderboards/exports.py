"""Leaderboards and snapshots in the formats that people take away."""

import csv
import hashlib
import io
import re
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

import msgspec
from django.http import Http404, HttpResponse
from django.utils import timezone

from analysis.scores import ScoreMatrix
from registry.core.http import as_download, json_response, link_header
from registry.core.latex import bibtex_entry, latex
from registry.core.tables import guard_formula
from registry.core.templatetags.formatting import printed
from registry.leaderboards.documents import BoardDocument, RowDocument, SnapshotDocument
from registry.leaderboards.latex import latex_table
from registry.leaderboards.suite_documents import SuiteDocument, SuiteRowDocument, SuiteSnapshotDocument
from registry.leaderboards.wording import Analysed

_COLUMNS = (
    "id", "rank", "tier", "can_be_best", "behind", "margin", "rival", "family", "plausible", "is_counted", "system",
    "team", "printed", "unit", "value", "year", "role", "run_type", "provenance", "declared_training",
    "is_self_reported", "cautions", "z", "percentile", "topic_z", "why_not_comparable", "paper", "source",
)  # fmt: skip

_SUITE_COLUMNS = (
    "id", "rank", "system", "team", "value", "can_be_best", "can_be_best_unflagged", "can_be_best_here",
    "can_be_best_here_unflagged", "behind", "family", "is_original", "is_self_reported", "cautions", "missing",
)  # fmt: skip

Table = BoardDocument | SuiteDocument

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~&!])")


def leaderboard_file(document: Table, suffix: str, site: str) -> HttpResponse:
    """The leaderboard or suite in one of its formats; ``site`` is the site's address, for formats that cite."""
    if suffix == "json":
        return json_response(msgspec.to_builtins(document))
    write, content_type = _FORMATS[suffix]
    return as_download(write(document, site), f"{content_type}; charset=utf-8", file_name(document, suffix))


def with_links(response: HttpResponse, document: Analysed) -> HttpResponse:
    """The answer with a header that says how to cite what it shows: by the snapshot."""
    if document.snapshot:
        address = document.snapshot.url
        response["Link"] = link_header(cite_as=address, describedby=f"{address.rstrip('/')}.bib")
    return response


def results_csv(document: Table, site: str = "") -> str:
    """The table of a leaderboard as CSV, one line a result, numbers unrounded; of a suite with every score."""
    if isinstance(document, SuiteDocument):
        return _suite_csv(document)
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for row in document.results:
        writer.writerow([_cell(getattr(row, column)) for column in _COLUMNS])
    return stream.getvalue()


def _suite_csv(document: SuiteDocument) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*_SUITE_COLUMNS, *(member.collection for member in document.members)])
    for row in document.results:
        writer.writerow([*(_cell(getattr(row, column)) for column in _SUITE_COLUMNS), *row.scores])
    return stream.getvalue()


def _cell(value: Any) -> Any:
    """The value, with a quote before texts that a spreadsheet would run; take one quote off to have them back."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ";".join(value)
    return guard_formula(value) if isinstance(value, str) else value


def topic_scores_csv(matrix: ScoreMatrix) -> str:
    """Topic scores as a table: a row a topic, a column a result, with every digit."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["topic", *matrix.systems])
    for topic, scores in zip(matrix.topics, matrix.scores.T.tolist(), strict=True):
        writer.writerow([topic, *scores])
    return stream.getvalue()


def results_latex(document: Table, site: str) -> str:
    """The table of a leaderboard or suite for LaTeX."""
    address = site + citable_address(document) if document.verdict else ""
    return latex_table(
        _listed(document), document.measure, title=_title(document), text=_caption(document), address=address
    )


def _listed(document: Table) -> Sequence[RowDocument | SuiteRowDocument]:
    """The rows that tables for papers list: of a suite those with a mean."""
    if isinstance(document, SuiteDocument):
        return [row for row in document.results if row.rank is not None]
    return document.results


def results_markdown(document: Table, site: str) -> str:
    """The table of a leaderboard or suite for Markdown; the results that may be the best in bold."""
    decimals, is_suite = document.measure["decimals"], isinstance(document, SuiteDocument)
    year, line = ("", "") if is_suite else (" Year |", " ---: |")
    lines = [
        f"# {markdown(_title(document))}",
        "",
        markdown(_caption(document)),
        "",
        f"| Rank | System | Team |{year} {markdown(document.measure['name'])} |",
        f"| ---: | :--- | :--- |{line} ---: |",
    ]
    for row in _listed(document):
        system = markdown(row.system)
        cells = [
            "–" if row.rank is None else str(row.rank),
            f"**{system}**" if row.can_be_best else system,
            markdown(row.team),
            *([] if is_suite else ["" if row.year is None else str(row.year)]),
            markdown(printed(row, decimals)),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    if document.snapshot:
        lines += ["", f"Plumbline, snapshot <{site}{document.snapshot.url}>."]
    return "\n".join([*lines, ""])


def leaderboard_bibtex(document: Table, site: str) -> str:
    """A BibTeX entry for what is shown: the snapshot, or the address of a view with the day."""
    if document.verdict is None:
        what = "suite" if isinstance(document, SuiteDocument) else "leaderboard"
        raise Http404(f"This {what} has no verdict that could be cited.")
    return _bibtex(document, site + citable_address(document), *_made(document))


def citable_address(document: Analysed) -> str:
    """Where what is shown will be found again: the snapshot, or the reader's choices as of a day."""
    if document.snapshot:
        return document.snapshot.url
    assert isinstance(document, BoardDocument)
    query = {"as_of": timezone.localdate().isoformat()} | document.selection
    return f"{document.url}?{urlencode(sorted(query.items()))}"


def snapshot_bibtex(document: SnapshotDocument | SuiteSnapshotDocument, address: str) -> str:
    """A BibTeX entry for the snapshot."""
    return _bibtex(document, address, *_made(document))


def _made(document: Analysed) -> tuple[str, str]:
    """The day of what is shown, and what it is."""
    if document.snapshot:
        return document.snapshot.created[:10], f"Snapshot {document.snapshot.id} of {document.snapshot.created[:10]}"
    today = timezone.localdate().isoformat()
    return today, f"As of {today}"


def _bibtex(document: Analysed, address: str, day: str, made: str) -> str:
    best = "mean" if isinstance(document, (SuiteDocument, SuiteSnapshotDocument)) else "published result"
    title = f"{_title(document)}: the best {best}, and what it is worth"
    sentence = document.verdict.sentence if document.verdict else ""
    return bibtex_entry(
        "misc",
        _key(document),
        {
            "author": "{Plumbline}",
            "title": f"{{{latex(title)}}}",
            "year": day[:4],
            "month": str(int(day[5:7])),
            "howpublished": f"\\url{{{address}}}",
            "note": f"{made}. {latex(sentence)}",
        },
    )


def snapshot_sentences(document: Analysed) -> str:
    """The verdict and what it rests on as sentences for a paper in LaTeX, citing the snapshot."""
    if document.verdict is None:
        return ""
    found = document.verdict.sentence
    where = f"On {document.name} ({document.measure['name']}), "
    text = latex(f"{where}{found[0].lower()}{found[1:].removesuffix('.')}")
    return f"{text}~\\cite{{{_key(document)}}}.\n{latex(document.verdict.evidence_sentence)}\n"


def _key(document: Analysed) -> str:
    if document.snapshot:
        return f"plumbline-{document.snapshot.id}"
    assert isinstance(document, BoardDocument)
    digest = hashlib.sha256(citable_address(document).encode()).hexdigest()
    return f"plumbline-view-{digest[:12]}"


def _title(document: Analysed) -> str:
    return f"{document.name}, {document.measure['name']}"


def _caption(document: Table) -> str:
    """What the table shows: the finding, then the reader's choices and the day."""
    selection = document.selection if isinstance(document, BoardDocument) else {}
    choices = ", ".join(f"{name} {value}" for name, value in selection.items())
    shown = f"Chosen: {choices}." if choices else ""
    return " ".join(filter(None, [document.verdict.sentence if document.verdict else "", shown]))


def markdown(text: str) -> str:
    """The text on one line, with the characters escaped that Markdown takes for formatting."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def file_name(document: Table, suffix: str) -> str:
    """A file name that says which leaderboard or suite it is, in plain ASCII."""
    slug = document.suite.slug if isinstance(document, SuiteDocument) else document.collection["slug"]
    measure = "".join(c if c.isascii() and c.isalnum() else "-" for c in document.measure["name"]).strip("-")
    return f"{slug}-{measure}.{suffix}"


_FORMATS: dict[str, tuple[Callable[[Table, str], str], str]] = {
    "csv": (results_csv, "text/csv"),
    "tex": (results_latex, "application/x-tex"),
    "md": (results_markdown, "text/markdown"),
    "bib": (leaderboard_bibtex, "application/x-bibtex"),
}

#: The media types of a leaderboard's formats, by the suffix of their address.
MEDIA_TYPES = {"json": "application/json"} | {suffix: media_type for suffix, (_, media_type) in _FORMATS.items()}
