"""What the statistics raise and warn.

Every message names the argument, shows the value that was refused and says what would be accepted,
because the registry shows these messages to the people who typed the value.
"""

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
    """A file that can't be read as what it is said to be.

    Parameters
    ----------
    message : str
        What is wrong and what to do about it.
    line : int, optional
        1-based line of the file, where one is to blame.
    column : str, optional
        Name of the column or field, where one is to blame.
    """

    def __init__(self, message: str, *, line: int | None = None, column: str | None = None) -> None:
        self.message = message
        self.line = line
        self.column = column
        place = ", ".join(
            part for part in (f"line {line}" if line else "", f"column {column}" if column else "") if part
        )
        super().__init__(f"{place}: {message}" if place else message)


class DegenerateWarning(UserWarning):
    """The answer is right but degenerate: constant data, a zero variance, everything tied."""
