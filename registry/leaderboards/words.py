"""What the rows of a board are called, wherever something is said of them: results, or systems with their means."""

from collections.abc import Iterable
from dataclasses import dataclass

from analysis.boards import Caution


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a board is called, what its analysis covers, what its rows are, and what their score is.

    ``prints`` leads to the best score, ``has`` to another one; ``rerun`` says of the best row that a toolkit ran it.
    Two pages explain the set and the value; a blank one stands for that of the evidence.
    """

    board: str
    basis: str
    rows: str
    score: str
    score_noun: str
    best: str
    prints: str
    has: str
    rerun: str
    set_page: str = ""
    worth_page: str

    @property
    def row(self) -> str:
        """One of them."""
        return self.rows.partition(",")[0]

    @property
    def many(self) -> str:
        """Rows, more than one."""
        return self.rows.partition(",")[2]


#: Whose best a box names, in each view of training.
AMONG = {"all": "", "declared-none": ", no training declared", "trained-here": ", training declared"}

#: Names of the views, as links to them say, and the label of a narrow drawing.
VIEWS = {"all": "all", "declared-none": "none declared", "trained-here": "declared"}

#: Rule -> what texts call it.
RULES = {
    "mean": "mean",
    "geometric-mean": "geometric mean",
    "mean-z": "mean z",
    "mean-rank": "mean rank",
    "mean-rank-of-families": "mean rank against families",
    "copeland": "duels",
    "median-rank": "median rank",
    "worst-rank": "worst rank",
}

#: What a row is called that is shown and enters no analysis, by the code of the caution that says so.
LEFT_OUT = {"failed-runs": "failed run", "constant-runs": "constant: the same score on every topic"}

OF_RESULTS = Words(
    board="leaderboard",
    basis="every result recorded here",
    rows="result,results",
    score="printed",
    score_noun="score",
    best="published result",
    prints="the best prints",
    has="prints",
    rerun=" (a toolkit’s run)",
    worth_page="corrected-best",
)
OF_MEANS = Words(
    board="suite",
    basis="the standing verdict of every member",
    rows="system,systems",
    score="mean",
    score_noun="mean",
    best="mean",
    prints="the best mean is",
    has="has",
    rerun=" (with toolkits’ runs in it)",
    set_page="suites",
    worth_page="suites",
)


def left_out(cautions: Iterable[Caution]) -> dict[int, str]:
    """The rows that these cautions leave out of every analysis, each with what it is called."""
    return {row: LEFT_OUT[one.code] for one in cautions if one.code in LEFT_OUT for row in one.results}
