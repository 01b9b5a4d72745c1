"""The table of a leaderboard for papers in LaTeX: a float, or a table over several pages."""

import re
from collections.abc import Iterator, Sequence

from analysis.boards import Verdict, ViewName
from registry.catalog.documents import MeasureBrief
from registry.core.latex import latex, needs_t1
from registry.core.templatetags.formatting import plural, printed
from registry.leaderboards.documents.shapes import RowDocument
from registry.leaderboards.documents.suite_shapes import SuiteRowDocument
from registry.results.exports import paper_key

AnyRowDocument = RowDocument | SuiteRowDocument

#: As many lines fit on a page, besides the caption; about as many characters in a line.
_LINES_OF_A_PAGE, _CHARACTERS_OF_A_LINE = 30, 65
#: A longer name of a measure stands in the caption alone.
_LONGEST_HEAD = 16
#: A longer word may go on in the next line behind any of these, as it may behind a hyphen.
_LONGEST_WORD = 14
_BREAKS = re.compile(r"(?<=[/._:+@=])(?=.)")


def latex_table(
    rows: Sequence[AnyRowDocument], of: MeasureBrief, *, title: str, text: str, source: str, verdict: Verdict | None
) -> str:
    """Return the results under a measure, those that may be the best in bold where that tells anything, with their
    ranks.

    The caption ends with the source, in LaTeX, if there is one. Papers are cited by their keys, those of
    ``sources.bib``.

    A comment before the table names the packages that it needs.
    """
    widths, is_telling = _widths(rows), verdict is not None and verdict.is_telling
    view = verdict.view if verdict else "all"
    years = [] if any(isinstance(row, SuiteRowDocument) for row in rows) else ["year"]
    sources = ["source"] if any(row.paper_slug for row in rows) else []
    columns = ["rank", *widths, *years, "score", *sources]
    lines = [_row(row, rank, columns, of["decimals"], view, is_telling) for row, rank in ranked(rows)]
    measure = of["name"]
    heads = {name: name.capitalize() for name in columns}
    if len(measure) <= _LONGEST_HEAD:
        heads["score"] = latex(measure)
    head = " & ".join(heads.values()) + r" \\"
    # The list of tables gets the title alone: it cannot take an address. A mark is known by its first letter.
    marks = {mark for row in rows for mark in row.marks(view)}
    legend = "".join(rf" \textsuperscript{{{mark[0]}}}: {mark}." for mark in sorted(marks))
    long_caption = f"{latex(f'{title}. {text}'.strip())}{legend} {source}".rstrip()
    caption = f"\\caption[{{{latex(title)}}}]{{{long_caption}}}"
    shape = "".join(
        rf">{{\raggedright\arraybackslash}}p{{{widths[name]}\linewidth}}"
        if name in widths
        else "l"
        if name == "source"
        else "r"
        for name in columns
    )
    # About how many lines of a page a row takes up.
    parts = ([len(getattr(row, name)) // -int(_CHARACTERS_OF_A_LINE * widths[name]) for name in widths] for row in rows)
    is_long = sum(-min(-1, *of_row) for of_row in parts) > _LINES_OF_A_PAGE
    table = (_over_pages if is_long else _float)(caption, f"@{{}}{shape}@{{}}", head, lines)
    packages = ["array", "booktabs", *(["longtable"] if is_long else []), "url"]
    needed = [f"\\usepackage{{{name}}}" for name in packages]
    if needs_t1(table):
        needed.insert(0, r"\usepackage[T1]{fontenc}")
    comment = f"% {plural(len(lines), 'result,results')}. Needs {' '.join(needed)}"
    return "\n".join([comment, *table, ""])


def _widths(rows: Sequence[AnyRowDocument]) -> dict[str, float]:
    """Return the columns whose texts are broken into lines, with their shares of a line; teams, where any is known."""
    n_system, n_team = (sum(len(getattr(row, name)) for row in rows) for name in ("system", "team"))
    share = 0.48 if any(row.paper_slug for row in rows) else 0.56
    if not n_team:
        return {"system": round(share + 0.02, 2)}
    team = min(max(share * n_team / (n_system + n_team), 0.18), 0.34)
    return {"system": round(share - team, 2), "team": round(team, 2)}


def ranked(rows: Sequence[AnyRowDocument]) -> Iterator[tuple[AnyRowDocument, str]]:
    """Yield rows with the ranges of their true ranks, where any is known, else with their ranks; a dash without."""
    are_known = any(row.rank_low for row in rows)
    for row in rows:
        low, high = (row.rank_low, row.rank_high) if are_known else (row.rank, row.rank)
        yield row, "–" if low is None else str(low) if low == high else f"{low}–{high}"


def _row(row: AnyRowDocument, rank: str, columns: Sequence[str], digits: int, view: ViewName, is_telling: bool) -> str:
    marks = ",".join(mark[0] for mark in row.marks(view))
    cells = {
        "rank": latex(rank),
        "system": _breakable(row.system) + (rf"\textsuperscript{{{marks}}}" if marks else ""),
        "team": _breakable(row.team),
        "year": "" if row.year is None else str(row.year),
        "score": latex(printed(row, digits).replace("-", "−")),
        "source": rf"\cite{{{paper_key(row.paper_slug)}}}" if row.paper_slug else "",
    }
    if row.may_be_best and is_telling:
        cells |= {name: rf"\textbf{{{cells[name]}}}" for name in ("system", "score")}
    return " & ".join(cells[name] for name in columns) + r" \\"


def _breakable(name: str) -> str:
    words = (_BREAKS.split(word) if len(word) > _LONGEST_WORD else [word] for word in name.split(" "))
    return " ".join(r"\allowbreak{}".join(map(latex, parts)) for parts in words)


def _float(caption: str, shape: str, head: str, lines: list[str]) -> list[str]:
    body = [r"\toprule", head, r"\midrule", *lines, r"\bottomrule"]
    tabular = [rf"\begin{{tabular}}{{{shape}}}", *(f"  {line}" for line in body), r"\end{tabular}"]
    return [r"\begin{table}", *(f"  {line}" for line in (r"\centering", caption, *tabular)), r"\end{table}"]


def _over_pages(caption: str, shape: str, head: str, lines: list[str]) -> list[str]:
    on_every_page = [r"\toprule", head, r"\midrule"]
    first = [rf"{caption} \\", *on_every_page, r"\endfirsthead"]
    body = [*first, *on_every_page, r"\endhead", r"\bottomrule", r"\endfoot"]
    return [
        r"% It runs over several pages, which LaTeX does in one column only; elsewhere put \onecolumn before it.",
        rf"\begin{{longtable}}{{{shape}}}",
        *(f"  {line}" for line in (*body, *lines)),
        r"\end{longtable}",
    ]
