"""Leaderboards and snapshots in the formats that people take away; bundles that compute a snapshot again."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

import msgspec
from django.http import Http404, HttpResponse
from django.urls import reverse

from analysis.boards import Snapshot as StoredStudy
from analysis.scores import ScoreMatrix
from registry.catalog.models import Collection, Leaderboard
from registry.core.columns import csv_text, table_csv
from registry.core.http import as_download, json_response, site_address
from registry.core.messages import say
from registry.core.metadata import CONTEXT, set_collection, set_signposts
from registry.core.tabular import parquet_bytes, workbook_bytes, zipped
from registry.core.templatetags.formatting import as_query, percent, plural, printed
from registry.curation.lineage.queries import papers_to_cite
from registry.leaderboards.documents.shapes import BoardDocument
from registry.leaderboards.documents.suite_shapes import SuiteDocument
from registry.leaderboards.exports.citing import CITATIONS, FileFormat, citable_address, made_on, quoted, title_of
from registry.leaderboards.exports.latex import AnyRowDocument, latex_table, ranked
from registry.leaderboards.exports.metadata import BOARD_COLUMNS, LICENCE, SUITE_COLUMNS, croissant_text
from registry.leaderboards.models import Snapshot
from registry.leaderboards.queries.boards import read_kept
from registry.leaderboards.verification import topic_scores_of
from registry.results.exports import keyed_bibtex
from registry.results.models import Paper, Source

Table = BoardDocument | SuiteDocument

_WORKBOOK = "openxmlformats-officedocument.spreadsheetml.sheet"
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~&!])")


@dataclass(frozen=True, slots=True)
class Format:
    """A format that the leaderboard can be taken away in, under the reader's choices."""

    name: str
    media_type: str
    address: str


def leaderboard_file(document: Table, suffix: str, site: str) -> HttpResponse:
    """Return the leaderboard or suite in one of its formats; ``site`` is the site's address, for formats that cite."""
    if suffix == "json":
        return json_response(msgspec.to_builtins(document))
    if suffix in CITATIONS and document.verdict is None:
        raise Http404(say("nothing-to-cite", rows=document.row))
    file_format = _FORMATS[suffix]
    written = file_format.write(document, site)
    charset = "; charset=utf-8" if isinstance(written, str) else ""
    return as_download(written, f"{file_format.media_type}{charset}", file_name(document, suffix))


def file_address(document: Table, suffix: str, more: Mapping[str, str] | None = None) -> str:
    """Return where one of its files is, under the reader's choices and ``more``."""
    return f"{document.url.rstrip('/')}.{suffix}{as_query({**document.selection, **(more or {})})}"


def with_links(response: HttpResponse, document: Table) -> HttpResponse:
    """Return the answer with links for programs: how to cite what it shows, by its snapshot; its files, its terms."""
    cite_as = document.snapshot.url if document.snapshot else f"{document.url}{as_query(document.selection)}"
    if not response.get("Content-Type", "").startswith("text/html"):
        return set_collection(response, document.url, cite_as)
    described_by = ["croissant.json", *(CITATIONS if document.verdict else ())]
    return set_signposts(
        response,
        cite_as=cite_as,
        kind="Dataset",
        described_by={file_address(document, suffix): MEDIA_TYPES[suffix] for suffix in described_by},
        items={file_address(document, suffix): MEDIA_TYPES[suffix] for suffix in ("json", "csv")},
    )


def collection_linked_data(
    collection: Collection, aliases: Iterable[str], leaderboards: Sequence[Leaderboard]
) -> dict[str, Any]:
    """Return the results that are recorded on a collection."""
    boards = plural(len(leaderboards), "leaderboard,leaderboards")
    about = f"Scores of systems on the test collection {collection.name}, as reported, with sources: {boards}."
    return _dataset(
        collection.get_absolute_url(),
        name=f"Published results on {collection.name}",
        description=about,
        alternateName=list(aliases),
        identifier=collection.ir_datasets_id or collection.slug,
        hasPart=[
            {"@type": "Dataset", "url": site_address(board.get_absolute_url()), "name": str(board)}
            for board in leaderboards
        ],
    )


def board_linked_data(document: BoardDocument | SuiteDocument, formats: Iterable[Format]) -> dict[str, Any]:
    """Return the results on a leaderboard or a suite, with its verdict as what they come to."""
    measure = document.measure
    return _dataset(
        document.url,
        name=f"Published results on {document.name}, {measure['name']}",
        description=document.verdict.sentence if document.verdict else document.analysis.message,
        variableMeasured={"@type": "PropertyValue", "name": measure["name"], "description": measure["long_name"]},
        dateModified=document.snapshot.created if document.snapshot else "",
        distribution=[
            {"@type": "DataDownload", "contentUrl": site_address(file.address), "encodingFormat": file.media_type}
            for file in formats
        ],
    )


def _dataset(url: str, **properties: Any) -> dict[str, Any]:
    fixed = {
        "@context": CONTEXT,
        "@type": "Dataset",
        "url": site_address(url),
        "isAccessibleForFree": True,
        "creator": {"@type": "Organization", "name": "Plumbline", "url": site_address("/")},
        # No one licence holds for all rows: the page has those of each source.
        "license": site_address(reverse("about:sources")),
        "isPartOf": {"@type": "DataCatalog", "name": "Plumbline", "url": site_address(reverse("dumps:dump-list"))},
    }
    return fixed | {name: value for name, value in properties.items() if value}


def _table(document: Table) -> tuple[Sequence[str], list[list[Any]], Sequence[str]]:
    """Return the columns of a leaderboard or suite, its rows with numbers unrounded, and the data sets of a suite."""
    if isinstance(document, SuiteDocument):
        scored = [[*(getattr(row, column) for column in SUITE_COLUMNS), *row.scores] for row in document.results]
        return SUITE_COLUMNS, scored, [member.collection for member in document.members]
    licences = dict(Source.objects.values_list("name", "licence"))
    cells = attrgetter(*BOARD_COLUMNS)
    rows = [[*cells(row), licences.get(row.source, "")] for row in document.results]
    return (*BOARD_COLUMNS, LICENCE), rows, ()


def topic_scores_csv(matrix: ScoreMatrix) -> str:
    """Return topic scores as a table: a row a topic, a column a result, with every digit."""
    by_topic = zip(matrix.topics, matrix.scores.T.tolist(), strict=True)
    return csv_text([["topic", *matrix.systems], *([topic, *scores] for topic, scores in by_topic)])


def results_latex(document: Table, site: str) -> str:
    """Return the table of a leaderboard or suite for LaTeX, with where the entries of the papers that it cites are."""
    rows, title, verdict, source, defined = _citing(document), title_of(document), document.verdict, "", ""
    if verdict:
        state = "snapshot" if document.snapshot else made_on(document)[1].lower()
        address = f"\\url{{{site}{citable_address(document)}}}"
        if "%" in address:
            # In a caption it would begin a comment.
            defined, address = f"\\urldef\\plumblineaddress{address}\n", r"\plumblineaddress"
        source = f"Plumbline, {state} {address}."
    table = latex_table(rows, document.measure, title=title, text=_caption(document), source=source, verdict=verdict)
    packages, _, rest = table.partition("\n")
    table = f"{packages}\n{defined}{rest}"
    if not any(row.paper_slug for row in rows):
        return table
    top = {"top": str(len(rows))} if len(rows) < document.count else {}
    return f"{table}% BibTeX of what it cites: {site}{file_address(document, 'sources.bib', top)}\n"


def _what_is_doubtful(document: Table) -> str:
    """Return the interval of the corrected value, what ranges of ranks and bold rows are, how many rows are left out;
    as far as there are any."""
    if (verdict := document.verdict) is None:
        return ""
    sentences = []
    if corrected := verdict.shown.corrected:
        # No level, where none was shown to hold.
        level = "" if corrected.confidence_level is None else f" ({percent(corrected.confidence_level, 0)})"
        sentences.append(f"Adjusted for luck: {corrected.in_words}{level}.")
    if any(row.rank_low for row in document.results):
        sentences.append(say("ranks-are"))
    if verdict.is_telling and any(row.may_be_best for row in document.listed):
        sentences.append(say("bold", rows=document.row))
    n_rows, count = len(document.listed), document.n_listed
    if n_rows < count:
        sentences.append(say("first-rows", n=str(n_rows), count=str(count), rows=document.row))
    return " ".join(sentences)


def sources_bibtex(document: Table, site: str) -> str:
    """Return the papers of the results, in the order of the table, under the keys by which its LaTeX cites them."""
    assert isinstance(document, BoardDocument)
    cited_papers: dict[str, list[str]] = {}
    for row, citing in zip(document.results, _citing(document), strict=True):
        if citing.paper_slug:
            pages = [row.paper_slug] if row.paper_slug and row.paper_slug != citing.paper_slug else []
            cited_papers.setdefault(citing.paper_slug, []).extend(pages)
    slugs = {*cited_papers, *(page for pages in cited_papers.values() for page in pages)}
    papers = Paper.objects.in_bulk(slugs, field_name="slug")
    return "\n".join(
        keyed_bibtex(papers[slug])
        + "".join(f"% Scores as its page has them: {papers[page].address}\n" for page in dict.fromkeys(pages))
        for slug, pages in cited_papers.items()
    )


def _citing(document: Table) -> Sequence[AnyRowDocument]:
    """Return the rows that tables for papers list; those that name a model's page, or nothing, with the paper on the
    model."""
    if isinstance(document, SuiteDocument):
        return document.listed
    about = papers_to_cite((row.system_id, row.paper_id) for row in document.results)
    return [
        replace(row, paper_slug=about.get((row.system_id, row.paper_id), row.paper_slug)) for row in document.results
    ]


def results_markdown(document: Table, site: str) -> str:
    """Return the table of a leaderboard or suite for Markdown; the results that may be the best in bold."""
    decimals, is_suite = document.measure["decimals"], isinstance(document, SuiteDocument)
    verdict = document.verdict
    view, is_telling = (verdict.view, verdict.is_telling) if verdict else ("all", False)
    year, line = ("", "") if is_suite else (" Year |", " ---: |")
    lines = [
        f"# {markdown(title_of(document))}",
        "",
        markdown(_caption(document)),
        "",
        f"| Rank | System | Team |{year} {markdown(document.measure['name'])} |",
        f"| ---: | :--- | :--- |{line} ---: |",
    ]
    for row, rank in ranked(document.listed):
        system, marks = markdown(row.system), ", ".join(row.marks(view))
        cells = [
            rank,
            (f"**{system}**" if row.may_be_best and is_telling else system) + (f" ({marks})" if marks else ""),
            markdown(row.team),
            *([] if is_suite else ["" if row.year is None else str(row.year)]),
            markdown(printed(row, decimals)),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    if document.snapshot:
        lines += ["", f"Plumbline, snapshot <{site}{document.snapshot.url}>."]
    return "\n".join([*lines, ""])


def _caption(document: Table) -> str:
    """Return what the table shows: the finding, then the reader's choices, and what is to know of it."""
    choices = ", ".join(f"{name} {value}" for name, value in document.selection.items())
    shown = f"Chosen: {choices}." if choices else ""
    return " ".join(filter(None, [quoted(document), shown, _what_is_doubtful(document)]))


def markdown(text: str) -> str:
    """Return the text on one line, with the characters escaped that Markdown takes for formatting."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def file_name(document: Table, suffix: str) -> str:
    """Return a file name that says which leaderboard or suite it is, in plain ASCII."""
    measure = "".join(c if c.isascii() and c.isalnum() else "-" for c in document.measure["name"]).strip("-")
    return f"{document.slug}-{measure}.{suffix}"


#: What leaderboards and benchmarks can be taken away as, by the suffix of the address.
_FORMATS = {
    "csv": FileFormat("CSV", "text/csv", lambda document, site: table_csv(*_table(document))),
    "parquet": FileFormat(
        "Parquet", "application/vnd.apache.parquet", lambda document, site: parquet_bytes(*_table(document))
    ),
    "xlsx": FileFormat(
        "Excel", f"application/vnd.{_WORKBOOK}", lambda document, site: workbook_bytes(*_table(document))
    ),
    "tex": FileFormat("LaTeX", "application/x-tex", results_latex),
    "md": FileFormat("Markdown", "text/markdown", results_markdown),
    "croissant.json": FileFormat("Croissant", "application/ld+json", croissant_text),
    "sources.bib": FileFormat("BibTeX of the sources", "application/x-bibtex", sources_bibtex),
    **CITATIONS,
}
#: The media types of all; and those that a page offers, in its order: others stand where it is cited.
MEDIA_TYPES = {"json": "application/json"} | {suffix: file.media_type for suffix, file in _FORMATS.items()}
_OFFERED = {"json": "JSON"} | {
    suffix: _FORMATS[suffix].name for suffix in ("csv", "parquet", "xlsx", "tex", "md", "bib", "ris")
}


def formats(document: Table) -> list[Format]:
    """Return the formats of a document, of which those that cite need a verdict."""
    return [
        Format(name, MEDIA_TYPES[suffix], file_address(document, suffix))
        for suffix, name in _OFFERED.items()
        if suffix not in CITATIONS or document.verdict
    ]


def drawings(url: str, query: str = "") -> list[Format]:
    """Return the formats of the drawing of the page at this path, under the reader's choices."""
    return [
        Format(suffix.upper(), media_type, f"{url}figure.{suffix}{query}")
        for suffix, media_type in (("svg", "image/svg+xml"), ("png", "image/png"))
    ]


_ROW_COLUMNS = (
    "id", "system", "team", "printed", "unit", "value", "year", "role", "run_type", "provenance", "comparability",
    "replicate_of",
)  # fmt: skip

_README = """Snapshot {id} of Plumbline

snapshot.json      inputs, methods, libraries and findings, to the byte: sha256sum begins with the id
inputs.csv         its rows, to look at; recompute.py reads snapshot.json
parameters.json    methods, thresholds and seed, and the libraries that computed it
topic_scores.csv   scores by topic, a column for each row id; only where some entered
citation.bib       how to cite it, with the sentence of the verdict
recompute.py       computes every number again, with the statistics library alone:

    pip install {requirements}
    PYTHONPATH=/path/to/plumbline python recompute.py

The library is the folder `analysis` of Plumbline; it needs no site and no network. It ends with 0 where every number
comes out, with 1 where one differs.
"""

_SCRIPT = '''"""Computes every number of snapshot {id} again, with the statistics library of Plumbline alone."""

import sys
from pathlib import Path

from analysis.boards import verify_snapshot
from analysis.scores import parse_score_table

here = Path(__file__).resolve().parent
text = (here / "snapshot.json").read_text(encoding="utf-8")
table, matrix = here / "topic_scores.csv", None
if table.exists():
    with table.open("rb") as file:
        matrix = parse_score_table(file)
problems = verify_snapshot(text, matrix, expected_id="{id}")
print("\\n".join(problems) or "Every number comes out again.")
sys.exit(1 if problems else 0)
'''


def bundle_of(snapshot: Snapshot, citation: str) -> bytes:
    """Return inputs, parameters, topic scores, citation, and a script that computes every number again, zipped."""
    content = json.loads(snapshot.content)
    requirements = " ".join(f"{name}=={version}" for name, version in sorted(content["libraries"].items()))
    parameters = {"methods": content["methods"], "libraries": content["libraries"]}
    files = {
        "README.txt": _README.format(id=snapshot.pk, requirements=f"{requirements} msgspec lazy-loader"),
        "snapshot.json": snapshot.content,
        "parameters.json": json.dumps(parameters, indent=2, sort_keys=True, ensure_ascii=False) + "\n",
        "citation.bib": citation,
        "recompute.py": _SCRIPT.format(id=snapshot.pk),
    }
    stored = None if snapshot.leaderboard_id is None else read_kept(snapshot, StoredStudy)
    if stored:
        files["inputs.csv"] = csv_text([_ROW_COLUMNS, *map(attrgetter(*_ROW_COLUMNS), stored.inputs.rows)])
    if matrix := topic_scores_of(snapshot):
        files["topic_scores.csv"] = topic_scores_csv(matrix)
    return zipped((f"plumbline-{snapshot.pk}/{name}", text) for name, text in sorted(files.items()))
