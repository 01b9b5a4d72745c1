"""What a reviewer may say to a table: to its own marks of significance, and what to ask."""

from collections.abc import Iterator, Sequence

from analysis.readers.pasted.averages import UnequalMean
from registry.core.messages import say
from registry.core.templatetags.formatting import score
from registry.tools.review_table.shapes import Ask, Cell, Claim, Column, listed, names_of


def answer_marks(claims: Sequence[Claim], test: str) -> str:
    """Return what the paper marks as significant, and what of it the means confirm; blank without marks."""
    marked = [column for claim in claims for column in claim.columns if column.mark]
    if not marked:
        return ""
    confirmed = [one for one in marked if one.says == "beats"]
    others = [one for one in marked if one.says != "beats"]
    columns = [column for claim in claims for column in claim.columns]
    return say(
        "review-marks",
        n=len(marked),
        marks=" ".join(dict.fromkeys(one.mark for one in marked)),
        test=test or "none",
        confirmed=names_of(confirmed, columns) or "none",
        others=names_of(others, columns) or "none",
    )


def what_to_ask(
    systems: Sequence[str],
    columns: Sequence[Column],
    claims: Sequence[Claim],
    zero_shot: Sequence[str],
    unequal: Sequence[UnequalMean],
) -> Iterator[Ask]:
    """Yield what a reviewer may ask of a table, what weighs most first."""
    claimed = [column for claim in claims for column in claim.columns]
    doubtful = [one for one in claimed if one.mark and one.says != "beats"]
    if doubtful:
        yield Ask(title=say("ask-topics", columns=names_of(doubtful, claimed)), why=say("ask-topics-why"))
    elif claimed and not any(one.mark for one in claimed):
        yield Ask(title=say("ask-test"), why=say("ask-test-why"))
    for system in systems:
        weak = [column.name for column in columns if any("weak" in cell.kinds for cell in column.of(system))]
        if weak:
            why = say("ask-baseline-why", columns=_few(weak, len(columns)))
            yield Ask(title=say("ask-baseline", system=system), why=why)
    for system in systems:
        cells = [(cell, column) for column in columns for cell in column.of(system) if cell.differs_by is not None]
        if cells:
            yield _which(system, cells)
    for one in unequal:
        why = say("ask-mean-why", head=one.head, printed=one.printed, mean=one.mean, n=one.n)
        yield Ask(title=say("ask-mean", system=one.system), why=why)
    if zero_shot:
        for claim in claims:
            title = say("ask-training", system=claim.system, columns=_few(zero_shot, len(columns)))
            yield Ask(title=title, why=say("ask-training-why", n=len(zero_shot)))


def _which(system: str, cells: Sequence[tuple[Cell, Column]]) -> Ask:
    cell, column = max(cells, key=lambda one: one[0].differs_by or 0.0)
    why = say("ask-which-why", n=len(cells), most=score(cell.differs_by, column.decimals))
    return Ask(title=say("ask-which", system=system), why=why)


def _few(names: Sequence[str], n: int) -> str:
    if 1 < len(names) == n:
        return say("review-all", n=n)
    return listed(names) if len(names) <= 2 else say("review-many", n=len(names))
