"""What a paper prints beside what is found here, line by line."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One number of a paper.

    ``printed`` is the number as the paper has it, in its digits; None where it prints none (a figure) or none that can
    be read here. ``recomputed`` is in the same unit; None where the data for it do not ship. ``unit`` is empty or
    "%". ``why`` says in a sentence why the two differ, or what is missing.
    """

    what: str
    printed: str | None
    recomputed: float | None
    digits: int
    unit: str = ""
    why: str = ""

    @property
    def difference(self) -> float | None:
        """Recomputed less printed."""
        return None if self.printed is None or self.recomputed is None else self.recomputed - float(self.printed)

    @property
    def is_as_printed(self) -> bool:
        """Whether both are the same number in the digits that the paper prints."""
        decimals = len((self.printed or "").partition(".")[2])
        return self.difference is not None and round(self.recomputed or 0.0, decimals) == float(self.printed or 0)
