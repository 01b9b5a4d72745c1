"""Cormack & Lynam (2006): how precise a measured average precision is."""

from pathlib import Path

from analysis.documents import agreement_probability, lead_balloon_limit, silver_bullet_limit, unseen_proportion
from registry.tools.reproductions.lines import Line, Part
from registry.tools.reproductions.reproduction import Reproduction

_NO_RUNS = "Not recomputed here: needs the 74 runs of TREC-6 ad hoc with their judgements, which do not ship."


def reproduce_cormack_lynam(data: Path) -> Reproduction:
    """What follows from formulas; ``data`` holds no runs."""
    agreement = 100 * agreement_probability()
    exact = "The exact value is 2 Φ(1.96 / √2) − 1."
    return Reproduction(
        slug="cormack-lynam-2006",
        authors="G. V. Cormack, T. R. Lynam",
        title="Statistical precision of information retrieval evaluation",
        venue="SIGIR 2006, 533–540",
        doi="10.1145/1148170.1148262",
        summary="How often a second collection agrees with an interval, and what few relevant documents can say.",
        methods=("precision-of-ap", "precision-of-map", "split-collection-validation", "meta-analysis"),
        parts=(
            Part(
                name="Section 4: how often the other half lies in the interval of one",
                data="No data: both halves vary, so that a 95 % interval holds the other half’s score less often.",
                lines=(
                    Line("In the interval", "83.5", agreement, 2, unit="%", why=exact),
                    Line("Above it, and below", "8.25", (100 - agreement) / 2, 2, unit="%", why=exact),
                ),
            ),
            Part(
                name="Section 5: few relevant documents",
                data="No data: exact binomial limits, for four relevant documents as in the paper’s example.",
                lines=(
                    Line(
                        "Largest share of silver bullets that 4 relevant documents allow",
                        "0.53",
                        unseen_proportion(4),
                        4,
                    ),
                    *(
                        Line(what, None, found, 4, why="The paper prints no example.")
                        for what, found in (
                            ("Upper limit of AP where none of 4 is found in 1,000", silver_bullet_limit(4, 1000)),
                            ("Lower limit of AP where all 4 lead the list", lead_balloon_limit(4)),
                        )
                    ),
                ),
            ),
            Part(
                name="Tables 1 to 4: intervals that held",
                data="Whoever has runs and judgements can have the same computed for them: score a run, and ask how"
                " precise its AP is.",
                lines=tuple(
                    Line(what, None, None, 1, unit="%", why=_NO_RUNS)
                    for what in (
                        "Table 1: AP of 3,652 lists, by three intervals",
                        "Table 2: the same, with limits for few relevant documents",
                        "Table 3: MAP and L-MAP, by the bootstrap",
                        "Table 4: MAP and L-MAP, by parameters",
                    )
                ),
            ),
        ),
    )
