"""Why something that was handed in cannot be taken: one shape for files, forms and the API."""

from dataclasses import dataclass


class Refused(Exception):
    """A value that cannot be taken. ``code`` is for programs; ``message`` says what is wrong and what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


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

    def __str__(self) -> str:
        place = [str(self.line)] if self.line is not None else []
        return ": ".join([*place, *([self.column] if self.column else []), self.message])
