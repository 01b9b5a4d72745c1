"""What the verdicts in force say of results; the app that keeps verdicts says where to look."""

from collections.abc import Callable

from registry.results.models import Result

#: What is said of a result under the code of a caution; blank where nothing is.
Finder = Callable[[Result, str], str]

_FINDERS: list[Finder] = []


def register_verdicts(find: Finder) -> None:
    """Have cautions be those that ``find`` finds."""
    _FINDERS.append(find)


def message_of(result: Result, code: str) -> str:
    """What the verdict in force says of this result under this code; blank where it says nothing."""
    return next(filter(None, (find(result, code) for find in _FINDERS)), "")
