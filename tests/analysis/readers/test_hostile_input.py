"""Texts made to take long or to take up memory: every parser is done with them, or refuses them, in no time.

Whoever reads in quadratic time takes minutes for these; the limits leave a slow machine its room.
"""

import time
import tracemalloc

import pytest

from analysis.readers.bibliography.bibtex import read_bibtex
from analysis.readers.exchange.formats import FORMATS
from analysis.readers.pasted.tables import FORMS, guess_form, read_pasted
from tests.thoroughness import every

REPEATED = (
    "a", " ", "\n", "\r", "\t", ",", ";", '"', "|", "&", "\\", "\\\\", "{", "}", "{}", "$", "%", "^", "^{", "_", "*",
    "**", "**a** ", "`", "<sup>", "![", "[a](", "&amp;", "- ", "-", "=", "|-", "a b ", "a  b\n", "a,b\n", "|a|b\n",
    "a&b\\\\\n", "\\hline", "\\textbf{", "\\multicolumn{2}{l}{", "\\multirow{2}{*}{", "\\begin{tabular}", "\\foo",
    "́", "†", "0.2 (", "(", "[", "@", "@article{", "a={b},", "a = ", "and ", "#", "\x00", "\ud800", "\u202e", "'",
    "\\newcommand{\\a}{", "\\def\\a{\\a\\a}\\a", "DL19 nDCG@10 ", "0.1 ", "x (A et al., 2019; ",
    "? ", ": ", "- - ", "!!a ", "&a ", "# ", '{"a":', '"\\u0000",', "1,",
)  # fmt: skip


def repeated(place: int, step: int = 4) -> list[str]:
    """Return what the reader at a place of its list is tried with."""
    return every(step, REPEATED, __file__, start=place)


def seconds(read, text: str) -> float:
    started = time.process_time()
    assert read(text) is not None
    return time.process_time() - started


@pytest.mark.parametrize(("place", "form"), list(enumerate(FORMS)))
def test_no_table_takes_long(place, form):
    for piece in repeated(place, 8):
        text = piece * (200_000 // len(piece))
        assert seconds(lambda text: read_pasted(text, form=form), text) < 3, repr(piece)
    assert seconds(guess_form, " " * 50_000 + form) < 1


@pytest.mark.parametrize(("place", "form"), list(enumerate(["CSV", "TSV", "Markdown", "LaTeX"])))
def test_no_cell_takes_long(place, form):
    separator = {"CSV": ",", "TSV": "\t", "Markdown": "|", "LaTeX": "&"}[form]
    head = f"system{separator}MAP" + ("\\\\" if form == "LaTeX" else "\n")
    for piece in repeated(place):
        text = f"{head}{piece * (19_000 // len(piece))}{separator}0.1"
        assert seconds(lambda text: read_pasted(text, form=form), text) < 3, repr(piece)


@pytest.mark.parametrize(("place", "name"), list(enumerate(FORMATS)))
def test_no_exchanged_text_takes_long(place, name):
    for piece in repeated(place):
        assert seconds(FORMATS[name].read, piece * (120_000 // len(piece))) < 3, repr(piece)


@pytest.mark.parametrize(
    ("place", "frame"),
    list(enumerate(["{}", "@article{{k, title = {{{}}}}}", '@article{{k, title = "{}"}}', "@article{{k, {}}}"])),
)
def test_no_bibtex_takes_long(place, frame):
    for piece in repeated(place):
        assert seconds(read_bibtex, frame.format(piece * (60_000 // len(piece)))) < 1, repr(piece)


BOMBS = {
    "abbreviations that double": "@string{a0 = {xxxxxxxxxx}}\n"
    + "".join(f"@string{{a{n + 1} = a{n} # a{n}}}\n" for n in range(34))
    + "@article{k, title = a34}",
    "pieces joined": "@article{k, title = " + '"a" # ' * 9_000 + '"a"}',
    "braces": "@article{k, title = " + "{" * 30_000 + "}" * 30_000 + "}",
    "open braces": "@article{k, title = " + "{" * 60_000,
    "fields": "@article{k" + "".join(f", f{n}={{x}}" for n in range(5_000)) + "}",
    "entries": "@article{k, title={T}}" * 2_500,
    "comments": "@comment{" * 6_000,
    "commands": "@article{k, title = {" + "\\textbf" * 8_000 + "}}",
}


@pytest.mark.parametrize("name", BOMBS)
def test_bibtex_never_grows(name):
    assert seconds(read_bibtex, BOMBS[name]) < 1
    tracemalloc.start()
    try:
        rejections = read_bibtex(BOMBS[name])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert isinstance(rejections, list)
    assert peak < 20_000_000


def test_ten_thousand_rows_are_read_in_seconds():
    body = "".join(f"BM25 {number},0.25,0.30\n" for number in range(5_000))
    started, table = time.process_time(), read_pasted("Run,MAP,P@10\n" + body)
    assert time.process_time() - started < 5
    assert not isinstance(table, list)
    assert len(table.rows) == 10_000
