"""What a few runs with scores by topic add where a verdict rests on how much scores vary on other collections.

How well a few runs tell the variance of their pool was measured on the pools that ship; docs/methods/predicted-variance
has the table, and tests/data makes it again.
"""

from math import sqrt

from registry.core.templatetags.formatting import percent, score
from registry.leaderboards.documents.shapes import BoardDocument

#: As many runs as this tell the variance of their pool within the factor, in this share of draws.
ENOUGH, FACTOR, SHARE = 5, 1.5, 0.95

#: What a verdict rests on where nothing was measured on its own collection.
NOT_MEASURED_HERE = ("predicted", "predicted-from-siblings", "predicted-without-density", "none")

#: Codes of cautions that say why a variance would not do.
_MORE_IS_MISSING = {"not-a-topic-mean", "unknown-topics", "few-topics"}


def how_surely() -> str:
    """How well five runs tell a variance, in a sentence."""
    return (
        "Five runs drawn at random from a pool of TREC runs told the variance of that pool within a factor of"
        f" {FACTOR:g} in {percent(SHARE, 0)} of draws. Runs of one maker or toolkit are more alike, and tend to tell"
        " too small a variance."
    )


def what_runs_would_add(document: BoardDocument) -> str:
    """What five diverse runs would do for the verdict; blank where it rests on the collection itself, or where more is
    missing than how much scores vary."""
    verdict = document.verdict
    if verdict is None or verdict.evidence.kind not in NOT_MEASURED_HERE:
        return ""
    runs = "Five runs of three makers or more, with scores by topic, would"
    if verdict.evidence.kind == "none":
        is_all = verdict.tries.n_results > 1 and not _MORE_IS_MISSING & {one.code for one in verdict.cautions}
        tell = "tell how much scores vary on this collection, and so which results can’t be told from the best"
        return f"{runs} {tell}. {how_surely()}" if is_all else ""
    found = verdict.shown.set
    if found is None or found.margin is None:
        return ""
    margin, decimals = found.margin, document.measure["decimals"]
    smaller, now, larger = (score(one, decimals) for one in (margin * sqrt(0.5), margin, margin * sqrt(2)))
    twice = "" if verdict.evidence.is_capped else f"; if twice, to {larger}"
    return (
        f"{runs} put this collection’s own variance beside the predicted one. {how_surely()} What they would"
        " say can’t be known before. If the variance turned out half of what is supposed, and no surer, the margin"
        f" would go from {now} to {smaller}{twice}."
    )
