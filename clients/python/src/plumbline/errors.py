"""Errors: each is a ``PlumblineError``, whose text says what to do."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Part:
    """A fault in one part of a request.

    Attributes
    ----------
    code : str
        For programs: ``ambiguous``, ``required``, …
    message : str
        For people.
    field : str
        Parameter, header or column; blank where it is none.
    candidates : tuple of str
        Names to choose from, of an ambiguous one; answers to choose from, of a question about a table.
    labels : tuple of str
        What each of these says, in words.
    """

    code: str
    message: str
    field: str = ""
    candidates: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


@dataclass
class PlumblineError(Exception):
    """Plumbline did not answer as asked.

    Attributes
    ----------
    message : str
    status : int
        Of HTTP; 0 where there was no answer.
    parts : tuple of Part
        What is wrong with each part of the request.
    """

    message: str
    status: int = 0
    parts: tuple[Part, ...] = field(default=())

    def __str__(self) -> str:
        more = [part for part in self.parts if part.message not in self.message]
        lines = [part.message if part.field in part.message else f"{part.field}: {part.message}" for part in more]
        return "\n".join([self.message, *lines])


class UnreachableError(PlumblineError):
    """Nobody answers at the address, or not in time."""


class NotFoundError(PlumblineError):
    """There is nothing of this name."""


class AmbiguousNameError(NotFoundError):
    """A name may mean several things, and none is guessed; ``candidates`` has the names to choose from."""

    @property
    def candidates(self) -> tuple[str, ...]:
        return tuple(name for part in self.parts for name in part.candidates)


class RefusedError(PlumblineError):
    """The request is wrong, or not allowed: ``parts`` says what to change."""


class NotFinishedError(PlumblineError):
    """A large request is still being worked on, after as long as the caller waits."""
