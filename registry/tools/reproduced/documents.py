"""What is said of prints that were run again: one object for the page, its JSON, its list and the API."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Annotated

from registry.core.grouping import grouped
from registry.results.documents import PaperBrief, ScoreOfResult, describe_paper, describe_score
from registry.tools.reproduced.queries import How, Pair, Several, pairs_on_record


@dataclass(frozen=True, slots=True, kw_only=True)
class OneScore(ScoreOfResult):
    """A score as its source gives it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAgain:
    """A printed score beside the same run again."""

    collection: Annotated[str, "Slug of the collection."]
    name: Annotated[str, "Of the collection."]
    measure: str
    decimals: int
    url: Annotated[str, "Of the leaderboard."]
    model: Annotated[str, "Slug of the model; blank where only the line says that both are the same."]
    paper: Annotated[PaperBrief | None, "That prints it; null where a page does."]
    printed_by: Annotated[str, "The paper, or else the page."]
    printed: OneScore
    again: OneScore
    again_by: Annotated[str, "Where the result of running it again was taken from."]
    how: Annotated[
        str,
        "How it is known that both are the same: `same_line` of a page that prints both; one result of the `model` "
        "in each source; `one_row` where the numbers agree and the record has them once.",
    ]
    difference: Annotated[float, "Run again less printed, on the scale of the measure."]
    agrees: Annotated[bool, "Whether rounding, or 0.0001 by machine, explains the difference."]


@dataclass(frozen=True, slots=True, kw_only=True)
class InSeveral:
    """A printed score that was run again in several settings, or printed in several: nobody says which is which."""

    name: Annotated[str, "Of the collection."]
    measure: str
    decimals: int
    url: Annotated[str, "Of the leaderboard."]
    model: str
    printed: tuple[OneScore, ...]
    again: tuple[OneScore, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Distances:
    """How far reproductions lie from prints, of those that share something; sizes on the scale of the measure."""

    name: Annotated[str, "What they share: who prints, or who ran it again."]
    url: Annotated[str, "Of the paper; blank without."]
    n: int
    n_agreeing: Annotated[int, "Whose difference rounding, or 0.0001 by machine, explains."]
    n_lower: Annotated[int, "Of the others, those that came out lower than printed."]
    median: Annotated[float, "Of the sizes of all differences."]
    upper_quartile: Annotated[float, "Three quarters are as small or smaller."]
    largest: float

    @property
    def n_higher(self) -> int:
        """Of those that rounding does not explain, how many came out higher than printed."""
        return self.n - self.n_agreeing - self.n_lower


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproducedDocument:
    """All prints on record that were run again."""

    all: Distances | None
    by_print: Annotated[tuple[Distances, ...], "By who prints, the most first."]
    by_runner: Annotated[tuple[Distances, ...], "By who ran it again."]
    pairs: Annotated[tuple[RunAgain, ...], "Those that differ most first."]
    several: tuple[InSeveral, ...]


def reproduced_document() -> ReproducedDocument:
    """Where a printed number was run again, from the record of today."""
    found, several = pairs_on_record()
    pairs = sorted((_pair(one) for one in found), key=lambda one: (one.agrees, -abs(one.difference)))
    return ReproducedDocument(
        all=_distances("all", "", pairs) if pairs else None,
        by_print=_by(pairs, who_prints),
        by_runner=_by(pairs, lambda one: (one.again_by, "")),
        pairs=tuple(pairs),
        several=tuple(_several(one) for one in several),
    )


def _pair(pair: Pair) -> RunAgain:
    again, board = pair.again, pair.again.leaderboard
    ours, theirs = describe_score(OneScore, again), describe_score(OneScore, pair.printed)
    is_one = pair.how == How.ONE_ROW
    model = again.system.model if pair.how != How.SAME_LINE else None
    return RunAgain(
        collection=board.collection.slug,
        name=board.collection.name,
        measure=board.measure.name,
        decimals=board.measure.decimals,
        url=board.get_absolute_url(),
        model=model.slug if model else "",
        paper=describe_paper(pair.paper) if pair.paper else None,
        printed_by=pair.printed_by,
        printed=theirs,
        again=ours,
        again_by=again.source,
        how=pair.how.value,
        difference=0.0 if is_one else round(again.value - pair.printed.value, 10),
        agrees=is_one or not ours.score.contradicts(theirs.score),
    )


def who_prints(one: RunAgain) -> tuple[str, str]:
    """The paper or the page that prints it, with its address: two papers may be cited alike."""
    return one.printed_by, one.paper["url"] if one.paper else ""


def _several(one: Several) -> InSeveral:
    board, model = one.printed[0].leaderboard, one.printed[0].system.model
    return InSeveral(
        name=board.collection.name,
        measure=board.measure.name,
        decimals=board.measure.decimals,
        url=board.get_absolute_url(),
        model=model.name if model else "",
        printed=tuple(describe_score(OneScore, each) for each in one.printed),
        again=tuple(describe_score(OneScore, each) for each in one.again),
    )


def _by(pairs: Iterable[RunAgain], key: Callable[[RunAgain], tuple[str, str]]) -> tuple[Distances, ...]:
    found = (_distances(name, url, some) for (name, url), some in grouped(pairs, key).items())
    return tuple(sorted(found, key=lambda one: (-one.n, one.name.casefold())))


def _distances(name: str, url: str, pairs: list[RunAgain]) -> Distances:
    sizes = sorted(abs(one.difference) for one in pairs)
    return Distances(
        name=name,
        url=url,
        n=len(pairs),
        n_agreeing=sum(one.agrees for one in pairs),
        n_lower=sum(not one.agrees and one.difference < 0 for one in pairs),
        median=median(sizes),
        upper_quartile=quantiles(sizes, n=4, method="inclusive")[2] if len(sizes) > 1 else sizes[0],
        largest=sizes[-1],
    )


PAIR_COLUMNS = (
    "collection", "measure", "model", "printed_by", "printed", "unit", "again_by", "again", "again_unit",
    "difference", "agrees", "how", "url",
)  # fmt: skip


def pair_rows(document: ReproducedDocument) -> list[tuple[object, ...]]:
    """The pairs as rows of a file."""
    return [
        (one.collection, one.measure, one.model, one.printed_by, one.printed.printed, one.printed.unit, one.again_by,
         one.again.printed, one.again.unit, one.difference, one.agrees, one.how, one.url)
        for one in document.pairs
    ]  # fmt: skip
