"""One score of a published list, and what is known of such a list."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated


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
    is_self_reported: Annotated[bool, "Whether the repository says that nobody but who made the system ran it."] = False
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
