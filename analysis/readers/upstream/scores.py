"""A score of a published list, the repository that publishes it, and numbers in JSON and YAML with their lines."""

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Annotated, Any

import yaml

_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as a file prints it, and the line, counted from 1."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Json:
    """A value of a JSON text, from ``start``; what is not asked for is passed over."""

    text: str
    start: int = 0

    def members(self) -> Iterator[tuple[str, "Json"]]:
        """Yield the keys and values of an object; null has none."""
        if self.text.startswith("null", self.start):
            return
        at = self._opened("{")
        while self.text[at] != "}":
            key, at = _DECODER.raw_decode(self.text, at)
            value = Json(self.text, self._past(":", at))
            yield key, value
            at = self._next(value, "}")

    def items(self) -> Iterator["Json"]:
        """Yield the values of an array."""
        at = self._opened("[")
        while self.text[at] != "]":
            value = Json(self.text, at)
            yield value
            at = self._next(value, "]")

    def get(self, key: str) -> "Json | None":
        """Return the value of a key; None where the object has no such key, or has it twice."""
        values = [value for name, value in self.members() if name == key]
        return values[0] if len(values) == 1 else None

    def read(self) -> Any:
        """Return the value itself."""
        return _DECODER.raw_decode(self.text, self.start)[0]

    def printed(self) -> Printed:
        """Return a number as it is written, with its line."""
        end = _DECODER.raw_decode(self.text, self.start)[1]
        return Printed(self.text[self.start : end], bisect_left(_ends_of_lines(self.text), self.start) + 1)

    def _opened(self, bracket: str) -> int:
        return self._past(bracket, self.start)

    def _next(self, value: "Json", closing: str) -> int:
        end = _after_blanks(self.text, _DECODER.raw_decode(self.text, value.start)[1])
        return end if self.text[end] == closing else self._past(",", end)

    def _past(self, sign: str, at: int) -> int:
        at = _after_blanks(self.text, at)
        if self.text[at] != sign:
            raise ValueError(f"expected {sign} at {at}, not {self.text[at]}")
        return _after_blanks(self.text, at + 1)


@lru_cache(maxsize=2)
def _ends_of_lines(text: str) -> list[int]:
    """Return where its lines end, but for the last."""
    return [match.start() for match in re.finditer("\n", text)]


def _after_blanks(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


class Yaml:
    """A value of a YAML text."""

    def __init__(self, node: yaml.Node) -> None:
        self.node = node

    @classmethod
    def read(cls, text: str) -> "Yaml":
        """Return the value that a text as a whole is."""
        node = yaml.compose(text, Loader=yaml.CSafeLoader)
        if node is None:
            raise ValueError("the file is empty")
        return cls(node)

    def members(self) -> Iterator[tuple[str, "Yaml"]]:
        """Yield the keys and values of a mapping; of a list of mappings, of all of them."""
        if isinstance(self.node, yaml.SequenceNode):
            for item in self.items():
                yield from item.members()
        else:
            yield from ((key.value, Yaml(value)) for key, value in self.node.value)

    def items(self) -> list["Yaml"]:
        """Return the values of a list."""
        return [Yaml(node) for node in self.node.value]

    def __getitem__(self, key: str) -> "Yaml":
        return dict(self.members())[key]

    def __contains__(self, key: str) -> bool:
        return key in dict(self.members())

    @property
    def text(self) -> str:
        """Return what is written."""
        return str(self.node.value)

    def printed(self) -> Printed:
        """Return a number as it is written, with its line."""
        return Printed(self.text, self.node.start_mark.line + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A score as a file prints it."""

    key: Annotated[
        tuple[str, ...],
        "What tells it from all others of the repository, in words that outlive renames: the file's own name "
        "without its folder, the model, the *place* of the topics among those of the file, the measure.",
    ]
    places: Annotated[
        tuple[str, ...],
        "What it was measured on, as the repository calls it, the most particular name first. Scores that share "
        "one of these are of one collection.",
    ]
    system: Annotated[str, "The name under which the registry records the system."]
    measure: Annotated[str, "The name that the repository has for the measure."]
    printed: Annotated[str, "The number as it is written."]
    line: Annotated[int, "Its line in the file, from 1."]
    is_self_reported: Annotated[bool, "Whether the repository says that nobody but the system's maker ran it."] = False
    evaluator: Annotated[str, "The program that computed it, with its version; blank where the file does not say."] = ""
    dataset_revision: Annotated[str, "The commit or version of the data that was evaluated; blank likewise."] = ""
    about: Annotated[Mapping[str, str], "What the file says of the collection, by column of ``collections.csv``."] = (
        field(default_factory=dict, compare=False)
    )


@dataclass(frozen=True)
class Upstream:
    """A repository that publishes results."""

    source: Annotated[str, "The name under which the registry records it."]
    files: Annotated[str, "A regular expression that the whole path of a file with results matches."]
    read: Annotated[
        Callable[[str, str], Iterator[Score]],
        "The scores of a file, given its path and its text. Raises ValueError where the text is none of its files.",
    ]

    def has_results(self, path: str) -> bool:
        """Say whether the file of this path holds results."""
        return self._files.fullmatch(path) is not None

    @cached_property
    def _files(self) -> re.Pattern[str]:
        return re.compile(self.files)


def base_name(path: str) -> str:
    """Return a file's own name, without its folder and its ending: folders move, and results outlive that.

    >>> base_name("src/main/resources/regression/dl19-passage.bm25.yaml")
    'dl19-passage.bm25'
    """
    return path.rpartition("/")[2].rpartition(".")[0]
