"""What a few runs with scores by topic add where a verdict rests on how much scores vary on other collections.

How well a few runs tell the variance of their pool was measured on the pools that ship; docs/methods/predicted-variance
has the table, and tests/data makes it again.
"""

from math import sqrt

from registry.core.messages import say
from registry.core.templatetags.formatting import percent, score
from registry.leaderboards.documents.shapes import BoardDocument

#: As many runs as this tell the variance of their pool within the factor, in this share of draws.
ENOUGH, FACTOR, SHARE = 5, 1.5, 0.95

#: The same, as messages take it.
_KNOWN = {"factor": f"{FACTOR:g}", "share": percent(SHARE, 0)}

#: What a verdict rests on where nothing was measured on its own collection.
NOT_MEASURED_HERE = ("predicted", "predicted-from-siblings", "predicted-without-density", "none")

#: Codes of cautions that say why a variance would not do.
_MORE_IS_MISSING = {"not-a-topic-mean", "unknown-topics", "few-topics"}


def how_surely() -> str:
    """How well five runs tell a variance, in a sentence."""
    return say("runs-tell", **_KNOWN)


def what_runs_would_add(document: BoardDocument) -> str:
    """What five diverse runs would do for the verdict; blank where it rests on the collection itself, or where more is
    missing than how much scores vary."""
    verdict = document.verdict
    if verdict is None or verdict.evidence.kind not in NOT_MEASURED_HERE:
        return ""
    if verdict.evidence.kind == "none":
        is_all = verdict.tries.n_results > 1 and not _MORE_IS_MISSING & {note.code for note in verdict.cautions}
        return say("runs-would-tell", **_KNOWN) if is_all else ""
    found = verdict.shown.set
    if found is None or found.margin is None:
        return ""
    margin, decimals = found.margin, document.measure["decimals"]
    sizes = {"now": margin, "smaller": margin * sqrt(0.5), "larger": margin * sqrt(2)}
    capped = "yes" if verdict.evidence.is_capped else "no"
    return say(
        "runs-would-add", **_KNOWN, **{name: score(size, decimals) for name, size in sizes.items()}, capped=capped
    )
