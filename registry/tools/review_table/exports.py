"""A reviewed table as Markdown, to be put into a review."""

from registry.leaderboards.exports.files import markdown
from registry.tools.review_table.shapes import Cell, Column, ReviewDocument


def review_markdown(document: ReviewDocument) -> str:
    """The table with what is said of every score, and how many comparisons were made."""
    heads = ["System", *(column.name for column in document.columns)]
    lines = [
        "# A table against the record",
        "",
        document.summary,
        "",
        f"| {' | '.join(map(markdown, heads))} |",
        f"| {' | '.join([':---', *('---:' for _ in document.columns)])} |",
    ]
    for system, cells in document.rows:
        name = markdown(system) + (" (baseline)" if system in document.baselines else "")
        lines.append(f"| {' | '.join([name, *map(_short, cells)])} |")
    for column in document.columns:
        lines += ["", *_in_words(column)]
    if document.rejections:
        lines += ["", "## Not matched", ""]
        lines += [f"- line {one.line}: {markdown(one.message)}" for one in document.rejections]
    return "\n".join([*lines, ""])


def _short(cells: list[Cell]) -> str:
    return "; ".join(
        markdown(" ".join([cell.score.digits, *(f"({label})" for _, label in cell.labels)])) for cell in cells
    )


def _in_words(column: Column) -> list[str]:
    best = f"Best on record: {column.best}." if column.best else ""
    said = [markdown(f"{cell.system}, {cell.score.digits}: {'; '.join(cell.words)}.") for cell in column.cells]
    return [f"## {markdown(column.name)}", "", *([markdown(best), ""] if best else []), *(f"- {one}" for one in said)]
