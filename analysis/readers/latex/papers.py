r"""The files of a paper in LaTeX, each as a text that can be read by itself."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from posixpath import dirname, join, normpath
from typing import NamedTuple

from analysis.readers.latex.macros import definitions_of
from analysis.readers.latex.tables import BEGIN, END, without_comments

SUFFIX = ".tex"
_INPUT = re.compile(r"\\(?:input|include|subfile)\s*\{\s*([^{}\\#]+?)\s*\}|\\input[ \t]+([^\s{}\\#]+)")
#: Rows that are put in within rows that are put in, and characters of all of them.
_MAX_DEPTH, _MAX_PUT_IN = 5, 2_000_000


class Alone(NamedTuple):
    """A file as it can be read by itself, and the names of those whose rows were put into it."""

    text: str
    put_in: frozenset[str] = frozenset()


def read_alone(files: Mapping[str, str], folders: Sequence[str] = ("",)) -> dict[str, Alone]:
    r"""Return the files of a paper, by name, as each can be read without the others.

    The macros of all files are known in each. Rows that stand in a file of their own are put into the table that inputs
    them, on one line, and that file is left out; it is looked for in the ``folders`` of papers and beside the table.
    Lines stay where they are.

    >>> main = r"\newcommand{\ours}{DeepRank} \begin{tabular}{lc} \input{rows} \end{tabular}"
    >>> files = {"main.tex": main, "rows.tex": "\\ours & .3 \\\\\nBM25 & .2 \\\\"}
    >>> read_alone(files)["main.tex"].text.partition(" ")[2]
    '\\begin{tabular}{lc} \\ours & .3 \\\\ BM25 & .2 \\\\ \\end{tabular}'
    """
    sources = {normpath(name): without_comments(text) for name, text in files.items() if name.endswith(SUFFIX)}
    paper = _Paper(sources, folders)
    macros = "".join(map(definitions_of, sources.values()))
    whole = {name: paper.alone(name, macros) if normpath(name) in sources else Alone(files[name]) for name in files}
    put_in = {name for alone in whole.values() for name in alone.put_in}
    return {name: alone for name, alone in whole.items() if normpath(name) not in put_in}


def inputs_of(name: str, text: str, folders: Sequence[str] = ("",)) -> list[str]:
    """Return the names that files which a file inputs may have: in folders of papers, and in its own."""
    named = [match[1] or match[2] for match in _INPUT.finditer(without_comments(text))]
    with_suffix = [path if path.endswith(SUFFIX) else path + SUFFIX for path in named]
    return [normpath(join(place, path)) for path in with_suffix for place in dict.fromkeys((*folders, dirname(name)))]


class _Paper:
    """Puts rows into the tables that input them, within bounds."""

    def __init__(self, sources: Mapping[str, str], folders: Sequence[str]) -> None:
        self._sources, self._folders = sources, folders
        self._n_left = _MAX_PUT_IN

    def alone(self, name: str, macros: str) -> Alone:
        """Return a file with these macros and with what its tables input."""
        put_in: set[str] = set()
        text = self._with_rows(normpath(name), put_in)
        return Alone(macros + text, frozenset(put_in))

    def _with_rows(self, name: str, put_in: set[str], depth: int = 0) -> str:
        text = self._sources[name]
        begins, ends = ([match.start() for match in pattern.finditer(text)] for pattern in (BEGIN, END))
        parts, position = [], 0
        for match in _INPUT.finditer(text) if depth < _MAX_DEPTH else ():
            is_in_table = depth or bisect_left(begins, match.start()) > bisect_left(ends, match.start())
            target = next((path for path in inputs_of(name, match[0], self._folders) if path in self._sources), "")
            if not (target and is_in_table):
                continue
            self._n_left -= len(self._sources[target])
            if self._n_left < 0:
                break
            put_in.add(target)
            rows = self._with_rows(target, put_in, depth + 1)
            parts += [text[position : match.start()], " ".join(rows.split("\n"))]
            position = match.end()
        return "".join([*parts, text[position:]])
