"""Rejections: why something that was submitted cannot be taken, in one shape for files, forms and the API."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, NotRequired, TypedDict


class CandidateDocument(TypedDict):
    """A meaning of an ambiguous name."""

    value: Annotated[str, "The name to write instead."]
    label: Annotated[str, "As people know it."]
    detail: Annotated[str, "What tells it from the others."]
    fills: NotRequired[Annotated[dict[str, str], "What goes into other fields with it, by their names."]]


class ErrorPart(TypedDict):
    """One thing that is wrong."""

    field: Annotated[str, "The parameter or field; blank where none is to blame."]
    code: Annotated[str, "For programs."]
    message: Annotated[str, "For people."]
    candidates: NotRequired[Annotated[list[CandidateDocument], "What to write instead, where that is known."]]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A meaning of an ambiguous value: as a field takes it, as people know it, and what tells it from the others.

    ``fills`` is what goes into other fields with it.
    """

    value: str
    label: str
    detail: str = ""
    fills: dict[str, str] = field(default_factory=dict, hash=False)

    def as_document(self) -> CandidateDocument:
        document: CandidateDocument = {"value": self.value, "label": self.label, "detail": self.detail}
        if self.fills:
            document["fills"] = dict(self.fills)
        return document


class Refused(Exception):
    """A value that cannot be taken. ``code`` is for programs; ``message`` says what is wrong and what to do.

    ``candidates`` are what an ambiguous value may stand for, one of which is to be written instead; ``question`` asks
    which of them, where they are shown beside it.
    """

    def __init__(self, code: str, message: str, candidates: Iterable[Candidate] = (), question: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.candidates = tuple(candidates)
        self.question = question

    def at(self, line: int | None, column: str = "", *, fatal: bool = False) -> "Rejection":
        """Return the refusal with its place."""
        return Rejection(self.code, self.message, line, column, fatal, self.candidates, self.question)


@dataclass(frozen=True, slots=True)
class Rejection:
    """A refusal with its place: line of the file (None outside of files) and column (blank for the whole row).

    What is ``fatal`` leaves nothing of the file to trust: a missing column, a quote that is never closed.
    """

    code: str
    message: str
    line: int | None = None
    column: str = ""
    fatal: bool = False
    candidates: tuple[Candidate, ...] = ()
    question: str = ""

    def __str__(self) -> str:
        place = [str(self.line)] if self.line is not None else []
        return ": ".join([*place, *([self.column] if self.column else []), self.message])

    def as_document(self) -> ErrorPart:
        """Return the rejection as it is kept with its row and shown to programs."""
        document: ErrorPart = {"code": self.code, "message": self.message, "field": self.column}
        if self.candidates:
            document["candidates"] = [candidate.as_document() for candidate in self.candidates]
        return document
