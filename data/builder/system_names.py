"""Names by which systems are known, where their source has none that says what they are."""

import re
from collections.abc import Iterable

from builder.tables import Row

COLUMNS = ["system", "team", "name", "source"]

#: What the gathered table makes of a paper's two results -> what to call them, until somebody knows their methods.
_UNNAMED = re.compile(r"(?P<paper>.+) \[(?P<role>proposed|baseline)\]")
_WORDS = {"proposed": "proposed in {paper}", "baseline": "baseline of {paper}"}


def build_system_names(results: Iterable[Row]) -> list[Row]:
    """The rows of ``system_names.csv``: of Robust04's papers, whose list says which result is the paper's own."""
    systems = {
        (row["system"], row["team"], row["source"]): _UNNAMED.fullmatch(row["system"])
        for row in results
        if row["source"] == "lintool/robust04-analysis"
    }
    return [
        {
            "system": system,
            "team": team,
            "name": _WORDS[match["role"]].format(paper=match["paper"]),
            "source": f"{source} names papers, and no method",
        }
        for (system, team, source), match in sorted(systems.items())
        if match
    ]
