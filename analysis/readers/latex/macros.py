"""Macros that a paper defines: what they stand for, put in wherever they are used."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from analysis.readers.grids import Flaw

#: What macros may stand for together; a few that call each other twice would be endless.
MAX_EXPANDED = 4_000_000
_MAX_BODY = 10_000
#: Characters that putting a macro in counts for at least: work, where it stands for nothing.
_COST = 100
_MAX_DEPTH = 20
_DEFINITION = re.compile(
    r"\\(?:newcommand|renewcommand|providecommand|DeclareRobustCommand)\*?\s*\{?\s*\\(?P<name>[a-zA-Z]+)\s*\}?"
    r"\s*(?:\[(?P<count>[0-9])\])?\s*(?:\[(?P<default>[^\[\]]*)\])?\s*(?=\{)"
    r"|\\[egx]?def\s*\\(?P<plain>[a-zA-Z]+)\s*(?P<places>(?:#[1-9])*)\s*(?=\{)"
)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_PLACE = re.compile(r"#([1-9])")


@dataclass(frozen=True, slots=True)
class _Macro:
    """A macro's definition: the text that replaces it, with #1 to #9 for its arguments."""

    body: str
    n_arguments: int
    #: Of the first argument, which is then written in square brackets or left out.
    default: str | None


def expand_macros(source: str) -> str:
    r"""Return the source with its own macros replaced by what they stand for, on the same lines, and their definitions
    gone.

    >>> expand_macros(r"\newcommand{\ours}[1]{Deep\textsc{#1}}\ours{Rank} & \ours")
    'Deep\\textsc{Rank} & Deep\\textsc{}'
    """
    macros, rest = _take_definitions(source)
    return _Expansion(macros).expand(rest, 0) if macros else source


def definitions_of(source: str) -> str:
    r"""Return the definitions of macros in the source, on one line."""
    return "".join(source[match.start() : end].replace("\n", " ") for match, end in _find_definitions(source))


def _find_definitions(source: str) -> Iterator[tuple[re.Match[str], int]]:
    """Yield how each definition begins, up to its body, and the place behind it."""
    position = 0
    while match := _DEFINITION.search(source, position):
        end = end_of_group(source, match.end())
        if end is None:
            return
        is_short = end - match.end() <= _MAX_BODY
        position = end if is_short else match.end()
        if is_short:
            yield match, end


def _take_definitions(source: str) -> tuple[dict[str, _Macro], str]:
    macros: dict[str, _Macro] = {}
    parts: list[str] = []
    position = 0
    for match, end in _find_definitions(source):
        body = " ".join(source[match.end() + 1 : end - 1].split("\n"))
        count = int(match["count"] or 0) if match["name"] else len(match["places"]) // 2
        macros[match["name"] or match["plain"]] = _Macro(body, count, match["default"])
        # Lines are counted on behind a definition.
        parts += [source[position : match.start()], "\n" * source.count("\n", match.start(), end)]
        position = end
    return macros, "".join([*parts, source[position:]])


def end_of_group(source: str, start: int) -> int | None:
    """Return the place behind the group that begins here; None where it is not closed."""
    depth = 0
    for brace in _BRACE.finditer(source, start):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if not depth:
            return brace.end()
    return None


class _Expansion:
    """Puts macros in, within bounds."""

    def __init__(self, macros: Mapping[str, _Macro]) -> None:
        self._macros = macros
        names = "|".join(sorted(map(re.escape, macros), key=len, reverse=True))
        self._use = re.compile(rf"\\(?P<name>{names})(?![a-zA-Z])(?P<blanks>[ \t]*)")
        self._n_left = MAX_EXPANDED

    def expand(self, source: str, depth: int) -> str:
        """Return the source with every macro in it replaced; one that stands for itself stays."""
        if depth > _MAX_DEPTH:
            return source
        parts: list[str] = []
        position = 0
        while match := self._use.search(source, position):
            macro = self._macros[match["name"]]
            arguments, end = _arguments(source, match.end(), macro)
            body = _put_in(arguments, macro.body)
            self._n_left -= max(len(body), _COST)
            if self._n_left < 0:
                line = source.count("\n", 0, match.start()) + 1
                raise Flaw("too_long", "the macros stand for too long a text; write what they print", line, fatal=True)
            # Blanks behind the name of a macro end it; \xspace keeps them.
            bare = body.rstrip().removesuffix("\\xspace")
            blank = match["blanks"] if bare != body.rstrip() and not macro.n_arguments else ""
            body = bare if blank else body
            parts += [source[position : match.start()], self.expand(body, depth + 1), blank]
            position = end
        return "".join([*parts, source[position:]])


def _put_in(arguments: Mapping[int, str], body: str) -> str:
    return _PLACE.sub(lambda place: arguments.get(int(place[1]), ""), body)


def _arguments(source: str, position: int, macro: _Macro) -> tuple[dict[int, str], int]:
    """Return what is written for each place, and the place behind it."""
    arguments: dict[int, str] = {}
    for number in range(1, macro.n_arguments + 1):
        if number == 1 and macro.default is not None:
            option = re.compile(r"\s*\[([^\[\]]*)\]").match(source, position)
            arguments[1], position = (option[1], option.end()) if option else (macro.default, position)
            continue
        start = re.compile(r"[ \t]*\{").match(source, position)
        end = end_of_group(source, start.end() - 1) if start else None
        if start is not None and end is not None:
            arguments[number], position = source[start.end() : end - 1], end
        elif token := re.compile(r"[ \t]*(\\[a-zA-Z]+|[^\s\\{}&])").match(source, position):
            arguments[number], position = token[1], token.end()
    return arguments, position
