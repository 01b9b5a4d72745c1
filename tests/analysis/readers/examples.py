"""What the tests of the parsers share: names, hostile texts, and writers of tables in every form."""

import csv
import io
import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from analysis.readers.names import collection_key, measure_key
from analysis.readers.pasted.tables import PastedTable, read_pasted
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.tables import Record
from analysis.readers.text import comparison_key
from tests.data.shipped import table
from tests.thoroughness import is_thorough

#: As many as a parser deserves where time is no matter, and the same ones every time.
_IS_THOROUGH = is_thorough(Path(__file__)) and not os.environ.get("DATABASE_URL")
examples = settings(
    derandomize=True,
    max_examples=2000 if _IS_THOROUGH else 40,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


class Names:
    """A few collections and measures, by their usual names."""

    collections = frozenset({"robust04", "trec-2004-robust", "dl19 passage", "dl20 passage"})
    measures = frozenset({"ap", "map", "ndcg@10", "p@10", "rr@10", "mrr@10", "wss@95"})

    def has_collection(self, text: str) -> bool:
        return comparison_key(text) in self.collections

    def has_measure(self, text: str) -> bool:
        return comparison_key(text) in self.measures

    def asks_about_measure(self, text: str) -> bool:
        return False


class CatalogFiles:
    """The collections and measures that ship, by every name that the shipped files give them or ask about."""

    def has_collection(self, text: str) -> bool:
        return collection_key(text) in _names("collection", collection_key, "slug", "name", "ir_datasets_id")

    def has_measure(self, text: str) -> bool:
        return measure_key(text) in _names("measure", measure_key, "name", "long_name", "trec_eval")

    def asks_about_measure(self, text: str) -> bool:
        return measure_key(text) in _asked("measure", measure_key)


@cache
def _names(kind: str, key: Callable[[str], str], *columns: str) -> frozenset[str]:
    rows = table(f"{kind}s.csv")
    names = [name for row in rows for name in [*(row[column] for column in columns), *row["aliases"].split("|")]]
    return frozenset(key(name) for name in names if name) | _asked(kind, key)


@cache
def _asked(kind: str, key: Callable[[str], str]) -> frozenset[str]:
    rows = [row for row in table("questions.csv") if row["kind"] == kind and row["choices"]]
    return frozenset(key(name) for row in rows for name in row["names"].split("|"))


def answered(text: str, names: Any, answers: Mapping[str, str], **options: Any) -> PastedTable | list[Rejection]:
    """Return what is read once these answers are given to what is asked; ``answers`` go by what the questions are
    about."""
    known: dict[str, str] = {}
    while True:
        table = read_pasted(text, names, answers=known, **options)
        asked = {question.key: question for question in table.questions} if isinstance(table, PastedTable) else {}
        new = {
            key: answers[question.about]
            for key, question in asked.items()
            if key not in known and question.about in answers
        }
        if not new:
            return table
        known |= new


def read(text: str, *, answers: Mapping[str, str] | None = None, **options: Any) -> PastedTable:
    """Return the table, which can be read."""
    table = answered(text, Names(), answers or {}, **options)
    assert isinstance(table, PastedTable), table
    return table


def refuse(text: str, *, answers: Mapping[str, str] | None = None, **options: Any) -> list[Rejection]:
    """Return why the text cannot be read."""
    rejections = answered(text, Names(), answers or {}, **options)
    assert isinstance(rejections, list), rejections
    assert rejections
    assert all(rejection.fatal and rejection.line and rejection.column for rejection in rejections), rejections
    return rejections


def facts(table: PastedTable) -> list[dict[str, str]]:
    """Return the rows' cells that hold something."""
    return [{column: text for column, text in row.cells.items() if text} for row in table.rows]


def filled_cells(records: Sequence[Record | Rejection]) -> list[dict[str, str]]:
    """Return the cells of records that hold something; no record is a rejection."""
    assert all(isinstance(record, Record) for record in records), records
    return [{column: cell for column, cell in record.cells.items() if cell} for record in records]


def scores(table: PastedTable) -> list[tuple[str, str, str, str]]:
    """Return system, collection, measure and value of each row."""
    return [tuple(row.cells[name] for name in ("system", "collection", "measure", "value")) for row in table.rows]  # type: ignore[misc]


#: Everything that means something to one of the parsers, and everything that should not be let through.
FRAGMENTS = (
    "system", "MAP", "value", "nDCG@10", "Robust04", "BM25", "0.234", ".3", "23.4%", "NaN", "1e400", "-", "–", "n/a",
    "|", "||", "\\|", "| --- |", "---", "===", "+--+", ":-:", "&", "\\&", "\\\\", "\\\\[2pt]", '\n', '\r\n', '\r',
    '\t', ",", ";", '"', '""', "'", " ", "  ", "{", "}", "[", "]", "(", ")", "$", "%", "\\%", "^", "^{", "_", "~",
    "#", "@", "=", "\\textbf{", "\\bf ", "\\pm ", "\\dagger", "\\multicolumn{2}{c}{", "\\multirow{3}{*}{", "\\hline",
    "\\cmidrule(lr){1-2}", "\\begin{tabular}{ll}", "\\end{tabular}", "\\begin{", "\\end{", "\\foo", "\\foo{",
    "\\verb", "\\", "**", "*", "__", "`", "``", "<sup>", "</sup>", "<br>", "<", "&amp;", "&#0;", "&#xD800;", "[a](",
    "![", "†", "±", "²", "ﬁ", '\u202e', '\u200b', '\ufeff', '\x00', '\x07', '\x85', '\u2028', '\ud800', '\udfff', "😀",
    "é", "Á́́́́́́́́́́́́́́́́́́́", "=1+1", "@SUM(A1)", "@article{", "@string{", "title", "author", "year", " = ",
    "and ", "--- !!python/object:x", "&a ", "*a", "!!", "? ", ": ", "- ", "<<: ", '{"results": [', '"system": ',
    "null", "true", "[[[[", 'ir_metadata.start\n', '# ir_metadata.end\n',
)  # fmt: skip


def hostile(max_parts: int = 25) -> st.SearchStrategy[str]:
    """Return texts made of what the parsers know, and of anything."""
    anything = st.text(max_size=6) | st.sampled_from(["\ud800", "\0"])
    return st.lists(st.sampled_from(FRAGMENTS) | anything, max_size=max_parts).map("".join)


def storable(max_size: int = 20) -> st.SearchStrategy[str]:
    """Return texts that a database can keep, as they may stand in a cell; without marks of notes, lines of boxes."""
    marks = "†‡§¶∗*♠♣♡♢¹²³" + "".join(map(chr, [*range(0x2070, 0x207A), *range(0x2500, 0x2580)]))
    alphabet = st.characters(exclude_categories=["Cs"], exclude_characters="\0" + marks)
    return st.text(alphabet, max_size=max_size) | st.sampled_from(
        [fragment for fragment in FRAGMENTS if not re.search("[\0\ud800-\udfff]", fragment)]
    )


def write_delimited(rows: Sequence[Sequence[str]], delimiter: str) -> str:
    """Return a CSV text with every cell quoted that has to be."""
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return stream.getvalue()


def write_markdown(rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with every punctuation mark escaped."""

    def cell(text: str) -> str:
        escaped = re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)
        return re.sub(r"\r\n|\r|\n", "<br>", escaped)

    lines = [f"| {' | '.join(map(cell, row))} |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]]) + "\n"


def write_latex(rows: Sequence[Sequence[str]]) -> str:
    """Return a tabular with LaTeX's characters escaped."""
    escapes = {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "-": "{-}",
        "`": "{`}",
        "'": "{'}",
        **{character: f"\\{character}" for character in "&%$#_{}"},
    }
    lines = [" & ".join("".join(escapes.get(c, c) for c in cell) for cell in row) + r" \\" for row in rows]
    body = "\n".join([lines[0], r"\midrule", *lines[1:]])
    return f"\\begin{{tabular}}{{{'l' * len(rows[0])}}}\n\\toprule\n{body}\n\\bottomrule\n\\end{{tabular}}\n"


def outcome(act: Callable[[], Any], refusal: type[Exception] = Refused) -> Any:
    """Return what came of it: what it returned, or the refusal."""
    try:
        return act()
    except refusal as refused:
        return refused
