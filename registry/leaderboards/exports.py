"""Leaderboards and snapshots in the formats that people take away."""

import csv
import io
import re
from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpResponse

from registry.core.http import json_response, link_header
from registry.core.tables import guard_formula
from registry.core.templatetags.formatting import plural, printed
from registry.leaderboards.wording import finding, published_finding

Document = dict[str, Any]

_COLUMNS = (
    "id", "rank", "tier", "in_best_set", "plausible", "system", "team", "printed", "value", "year", "role", "run_type",
    "evidence", "z", "percentile", "topic_z", "why_not_counted", "paper", "source",
)  # fmt: skip

_LATEX = {
    "\\": r"\textbackslash{}",
    # Not \{ and \}: BibTeX counts braces without looking at what stands before them.
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "−": r"$-$",
    "\u202f": r"\,",
    "\u00a0": "~",
    "\n": " ",
    "\r": " ",
    **{character: f"\\{character}" for character in "&%$#_"},
}
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~&!])")


def leaderboard_file(document: Document, suffix: str, site: str) -> HttpResponse:
    """The leaderboard in one of its formats; ``site`` is the address of the site, for formats that cite."""
    if suffix == "json":
        return json_response(document)
    write, content_type = _FORMATS[suffix]
    return as_download(write(document, site), f"{content_type}; charset=utf-8", file_name(document, suffix))


def with_links(response: HttpResponse, document: Document) -> HttpResponse:
    """The answer with a header that says how to cite what it shows: by the snapshot."""
    if document["snapshot"]:
        address = document["snapshot"]["url"]
        response["Link"] = link_header(cite_as=address, describedby=f"{address.rstrip('/')}.bib")
    return response


def results_csv(document: Document, site: str = "") -> str:
    """The table of a leaderboard as CSV, one line a result, numbers unrounded."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for row in document["results"]:
        writer.writerow([_cell(row[column]) for column in _COLUMNS])
    return stream.getvalue()


def _cell(value: Any) -> Any:
    """The value, with a quote before texts that a spreadsheet would run; take one quote off to have them back."""
    if isinstance(value, bool):
        return str(value).lower()
    return guard_formula(value) if isinstance(value, str) else value


def results_latex(document: Document, site: str) -> str:
    """The table of a leaderboard for LaTeX with booktabs; the results that may be the best in bold."""
    decimals = document["measure"]["decimals"]
    lines = []
    for row in document["results"]:
        cells = [
            "--" if row["rank"] is None else str(row["rank"]),
            latex(row["system"]),
            latex(row["team"]),
            "" if row["year"] is None else str(row["year"]),
            latex(printed(row, decimals).replace("-", "−")),
        ]
        if row["in_best_set"]:
            cells = [cells[0], *(f"\\textbf{{{cell}}}" if cell else "" for cell in cells[1:])]
        lines.append("    " + " & ".join(cells) + r" \\")
    measure = latex(document["measure"]["name"])
    return "\n".join(
        [
            f"% {plural(len(lines), 'result,results')}. Needs \\usepackage{{booktabs}} and \\usepackage{{url}}.",
            r"\begin{table}",
            r"  \centering",
            f"  \\caption{{{latex(_title(document))}. {latex(_caption(document))}{_latex_source(document, site)}}}",
            r"  \begin{tabular}{rllrr}",
            r"    \toprule",
            f"    Rank & System & Team & Year & {measure} \\\\",
            r"    \midrule",
            *lines,
            r"    \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _latex_source(document: Document, site: str) -> str:
    snapshot = document["snapshot"]
    return f" Plumbline, snapshot \\url{{{site}{snapshot['url']}}}." if snapshot else ""


def results_markdown(document: Document, site: str) -> str:
    """The table of a leaderboard for Markdown; the results that may be the best in bold."""
    decimals = document["measure"]["decimals"]
    lines = [
        f"# {markdown(_title(document))}",
        "",
        markdown(_caption(document)),
        "",
        f"| Rank | System | Team | Year | {markdown(document['measure']['name'])} |",
        "| ---: | :--- | :--- | ---: | ---: |",
    ]
    for row in document["results"]:
        system = markdown(row["system"])
        cells = [
            "–" if row["rank"] is None else str(row["rank"]),
            f"**{system}**" if row["in_best_set"] else system,
            markdown(row["team"]),
            "" if row["year"] is None else str(row["year"]),
            markdown(printed(row, decimals)),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    if document["snapshot"]:
        lines += ["", f"Plumbline, snapshot <{site}{document['snapshot']['url']}>."]
    return "\n".join([*lines, ""])


def leaderboard_bibtex(document: Document, site: str) -> str:
    """A BibTeX entry for the snapshot that the leaderboard shows."""
    if document["snapshot"] is None:
        raise Http404("This leaderboard has no analysis that could be cited.")
    return snapshot_bibtex(document, site + document["snapshot"]["url"])


def snapshot_bibtex(document: Document, address: str) -> str:
    """A BibTeX entry for the snapshot."""
    snapshot = document["snapshot"]
    created = snapshot["created"]
    title = f"{_title(document)}: adjusted best published result"
    return (
        f"@misc{{{_key(document)},\n"
        f"  author       = {{{{Plumbline}}}},\n"
        f"  title        = {{{{{latex(title)}}}}},\n"
        f"  year         = {{{created[:4]}}},\n"
        f"  month        = {{{int(created[5:7])}}},\n"
        f"  howpublished = {{\\url{{{address}}}}},\n"
        f"  note         = {{Snapshot {snapshot['id']} of {created[:10]}. {latex(finding(document))}}}\n"
        "}\n"
    )


def snapshot_sentences(document: Document) -> str:
    """The finding and the adjusted mean as sentences for a paper in LaTeX, citing the snapshot."""
    found = finding(document)
    where = f"On {document['collection']['name']} ({document['measure']['name']}), "
    adjusted = published_finding(document, document["scales"][document["recommended_scale"]])
    text = latex(f"{where}{found[0].lower()}{found[1:].removesuffix('.')}")
    return f"{text}~\\cite{{{_key(document)}}}.\n{latex(adjusted)}\n"


def _key(document: Document) -> str:
    return f"plumbline-{document['snapshot']['id']}"


def _title(document: Document) -> str:
    return f"{document['collection']['name']}, {document['measure']['name']}"


def _caption(document: Document) -> str:
    """What the table shows: the finding, then the reader's choices and the day."""
    choices = ", ".join(f"{name} {value}" for name, value in document["selection"].items())
    shown = f"Chosen: {choices}." if choices else ""
    return " ".join(filter(None, [finding(document), shown]))


def latex(text: str) -> str:
    """The text with what LaTeX takes for commands escaped; names in other scripts need XeLaTeX or LuaLaTeX."""
    return "".join(_LATEX.get(character, character) for character in text)


def markdown(text: str) -> str:
    """The text on one line, with the characters escaped that Markdown takes for formatting."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def file_name(document: Document, suffix: str) -> str:
    """A file name that says which leaderboard it is, in plain ASCII."""
    measure = "".join(c if c.isascii() and c.isalnum() else "-" for c in document["measure"]["name"]).strip("-")
    return f"{document['collection']['slug']}-{measure}.{suffix}"


def as_download(text: str, content_type: str, name: str) -> HttpResponse:
    """The text as an answer that browsers save under the name."""
    return HttpResponse(
        text, content_type=content_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


_FORMATS: dict[str, tuple[Callable[[Document, str], str], str]] = {
    "csv": (results_csv, "text/csv"),
    "tex": (results_latex, "application/x-tex"),
    "md": (results_markdown, "text/markdown"),
    "bib": (leaderboard_bibtex, "application/x-bibtex"),
}

#: The media types of a leaderboard's formats, by the suffix of their address.
MEDIA_TYPES = {"json": "application/json"} | {suffix: media_type for suffix, (_, media_type) in _FORMATS.items()}
