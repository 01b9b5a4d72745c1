"""Errors and warnings of the statistics.

Every message names the argument, shows the value that was refused and says what would be accepted,
because the registry shows these messages to the people who typed the value.
"""

from collections.abc import Sequence

__all__ = ["ArgumentError", "DegenerateWarning", "FormatError"]


class ArgumentError(ValueError):
    """An argument that a statistic can't treat.

    Parameters
    ----------
    argument : str
        Name of the argument, as the caller wrote it.
    value : object
        The refused value; long arrays are abbreviated in the message.
    reason : str
        What would have been accepted, as the end of the sentence "<argument> …".
    """

    def __init__(self, argument: str, value: object, reason: str) -> None:
        self.argument = argument
        self.value = value
        self.reason = reason
        shown = repr(value)
        if len(shown) > 80:
            shown = shown[:77] + "..."
        super().__init__(f"{argument} {reason}; got {shown}")

    def __reduce__(self) -> tuple[type["ArgumentError"], tuple[str, object, str]]:
        # Exceptions are pickled by their args; ours differ from the message.
        return type(self), (self.argument, self.value, self.reason)


class FormatError(ValueError):
    """A file that can't be read as what it is said to be: its first fault, and the others behind it.

    The text of the error names every fault on a line of its own, as far as they were kept.

    Parameters
    ----------
    message : str
        What is wrong and what to do about it.
    line : int, optional
        1-based line of the file, where one is to blame.
    column : str, optional
        Name of the column or field, where one is to blame.
    others : sequence of FormatError, default ()
        The faults that come after this one, each without others of its own.
    n_untold : int, default 0
        How many more there are that were counted and not kept.
    """

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: str | None = None,
        others: Sequence["FormatError"] = (),
        n_untold: int = 0,
    ) -> None:
        self.message = message
        self.line = line
        self.column = column
        self.others = tuple(others)
        self.n_untold = n_untold
        place = ", ".join(
            part for part in (f"line {line}" if line else "", f"column {column}" if column else "") if part
        )
        first = f"{place}: {message}" if place else message
        rest = f"and {n_untold} more" if n_untold else ""
        super().__init__("\n".join(filter(None, [first, *map(str, self.others), rest])))


class DegenerateWarning(UserWarning):
    """The answer is right but degenerate: constant data, a zero variance, everything tied."""
