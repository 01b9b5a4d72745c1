"""What became of the numbers of one paper: which others met again, and which they contest."""

from collections import Counter
from dataclasses import dataclass

from registry.results.models import Paper, Result
from registry.tools.reproduced.queries import numbers_beside


@dataclass(frozen=True, slots=True)
class Contest:
    """A number of the paper, and the other numbers for the same that it contradicts."""

    printed: Result
    others: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class NumbersOfPaper:
    """How many numbers of a paper there are, and what others say of them; a number that is contested is not met.

    ``met_by`` has who gives numbers that agree, with how many, the most first; ``n_withdrawn`` were taken back.
    """

    n: int
    n_met: int
    met_by: tuple[tuple[str, int], ...]
    contested: tuple[Contest, ...]
    n_withdrawn: int

    @property
    def n_alone(self) -> int:
        """For how many nobody on record gives another."""
        return self.n - self.n_met - len(self.contested)


def numbers_of_paper(paper: Paper) -> NumbersOfPaper:
    """What others say of the comparable numbers that stand of the paper.

    Another number is for the same where it is of the same system, or of the same run again (``numbers_beside``).
    What rounding, or 0.0001 by machine, explains is no contest (``PrintedScore.contradicts``).
    """
    of_paper = numbers_beside(paper)
    n_met, contested = 0, []
    met_by: Counter[str] = Counter()
    for one, others in of_paper.numbers:
        against = tuple(other for other in others if one.score.contradicts(other.score))
        if against:
            contested.append(Contest(one, against))
        elif others:
            n_met += 1
            met_by.update({_who(other) for other in others})
    n, named = len(of_paper.numbers), tuple(met_by.most_common())
    return NumbersOfPaper(n, n_met, named, tuple(contested), of_paper.n_withdrawn)


def _who(other: Result) -> str:
    return str(other.paper) if other.paper and other.paper.kind != Paper.Kind.PAGE else other.source
