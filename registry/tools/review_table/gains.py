"""The gains of a paper: its best result on each leaderboard beside the best baseline there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from analysis.boards import RankRange, planned_pairs
from registry.core.charts import Scene
from registry.core.documents import DocumentPage, as_lists
from registry.core.listing import grouped
from registry.core.messages import say
from registry.core.templatetags.formatting import score
from registry.leaderboards.stored import StoredBoard, Strip, each_stored
from registry.leaderboards.wording import Fact
from registry.results.access import get_visible_paper
from registry.results.models import Paper, Result
from registry.tools.model_page.queries import models_version
from registry.tools.review_table.documents import bars_of
from registry.tools.review_table.shapes import ClaimInColumn, says_of


@dataclass(frozen=True, slots=True)
class Gain:
    """The best result of a paper on a leaderboard, its rank today, and its rival; an earlier one has a year."""

    own: Result
    strip: Strip
    rival: str
    earlier: int | None
    place: RankRange | None
    is_trained: bool
    claim: ClaimInColumn
    scene: Scene


@dataclass(frozen=True, slots=True)
class Gains:
    """The gains of a paper, most telling first, judged together as ``n_together`` comparisons."""

    rows: tuple[Gain, ...]
    n_together: int

    @property
    def system(self) -> str:
        """The system whose gains these are; blank for several, and for one without a name of its own."""
        first, *others = {row.own.system.name for row in self.rows}
        return "" if others or first.startswith("proposed in ") else first

    @property
    def measure(self) -> str:
        """The measure of all; blank for several."""
        first, *others = {row.own.leaderboard.measure.name for row in self.rows}
        return "" if others else first

    @property
    def rivals(self) -> str:
        """The rivals as messages take them: baselines, earlier results, or both."""
        first, *others = {"earlier" if row.earlier else "baseline" for row in self.rows}
        return "both" if others else first

    @property
    def headline(self) -> str:
        """The sentence on how many leaderboards show a significant gain."""
        says = [row.claim.says for row in self.rows]
        unknown, trained = says.count("unknown"), sum(row.is_trained for row in self.rows)
        counts = {"n": len(says) - unknown, "n_beats": says.count("beats"), "n_unknown": unknown, "trained": trained}
        board = self.rows[0].claim.column
        return say("gains-claim", **counts, system=self.system or "several", board=board, kind=self.rivals)

    @property
    def facts(self) -> Iterator[Fact]:
        """Yield how many gains are significant, and how many of these results are tied for first."""
        of, n_beats = f"of {len(self.rows):,}", sum(row.claim.says == "beats" for row in self.rows)
        yield Fact(say("gains"), str(n_beats), say("gains-corrected", n=self.n_together), "set", beside=of)
        n_tied = sum(row.strip.may_be_best is True for row in self.rows)
        n_highest = sum(row.strip.is_best for row in self.rows)
        yield Fact(say("gains-tied"), str(n_tied), say("gains-highest", n=n_highest), "set", beside=of)


def gains_of(paper: Paper) -> Gains | None:
    """Return the gains over the paper's best baseline, or else the best of earlier years; None without a rival.

    Every result of its own is compared. Below a baseline, which was picked by its score, nothing is claimed.
    """
    printed = Result.objects.comparable().filter(paper=paper, role__in=(Result.Role.PROPOSED, Result.Role.BASELINE))
    results = printed.select_related("system", "leaderboard__collection", "leaderboard__measure").order_by("pk")
    by_board = grouped(results, lambda result: result.leaderboard_id)
    compared = [row for stored in each_stored(by_board) for row in _compared(stored, by_board[stored.leaderboard_id])]
    known = [(max(gain, 0.0), error) for row in compared if (error := row.stored.pair_error) for gain in row.gains]
    pairs = iter(planned_pairs([gain for gain, _ in known], [error for _, error in known]) if known else ())
    claims = []
    for row in compared:
        pair, *_ = [next(pairs) for _ in row.gains] if row.stored.pair_error else [None]
        collection, measure = row.own.leaderboard.collection.name, row.own.leaderboard.measure
        claims.append(
            ClaimInColumn(
                column=f"{collection}, {measure.name}", collection=collection, rival=row.rival, gain=row.gains[0],
                margin=pair.margin if pair else None, decimals=measure.decimals, says=says_of(row.gains[0], pair),
            )
        )  # fmt: skip
    if not claims:
        return None
    rows = [
        Gain(
            own=row.own,
            strip=row.strip,
            rival=row.rival_score,
            earlier=row.year,
            place=row.stored.ranges.get(row.own.pk),
            is_trained=row.stored.rows[row.own.pk].training == "declares",
            claim=claim,
            scene=scene,
        )
        for row, (claim, scene) in zip(compared, bars_of(claims), strict=True)
    ]
    order = ("beats", "ties", "unknown")
    rows.sort(key=lambda row: (order.index(row.claim.says), -row.claim.gain))
    return Gains(tuple(rows), len(known))


class _Compared(NamedTuple):
    """The best own result on a leaderboard beside its rival, which has a year if it is earlier; and all own gains."""

    stored: StoredBoard
    own: Result
    strip: Strip
    rival: str
    rival_score: str
    year: int | None
    gains: list[float]


def _compared(stored: StoredBoard, printed: Sequence[Result]) -> Iterator[_Compared]:
    by_role = grouped(sorted(printed, key=lambda row: -stored.sign * row.value), lambda row: row.role)
    own = [row for row in by_role[Result.Role.PROPOSED] if row.pk in stored.ranks]
    strip = stored.strip(own[0].pk) if own else None
    if strip and (baselines := by_role[Result.Role.BASELINE]):
        gains = [stored.sign * (row.value - baselines[0].value) for row in own]
        yield _Compared(stored, own[0], strip, baselines[0].system.name, baselines[0].shown, None, gains)
    elif strip and (before := strip.before):
        shown = score(before.value, own[0].leaderboard.measure.decimals)
        gains = [stored.sign * (row.value - before.value) for row in own]
        yield _Compared(stored, own[0], strip, before.system, shown, before.year, gains)


COLUMNS = (
    "collection", "measure", "system", "printed", "unit", "value", "compared_with", "compared_score", "compared_year",
    "gain", "needed", "says", "may_be_best", "rank_low", "rank_high", "n_ranked", "url",
)  # fmt: skip


def gain_rows(gains: Gains | None) -> list[tuple[object, ...]]:
    """Return the gains as rows of a file."""
    return [
        (own.leaderboard.collection.slug, own.leaderboard.measure.name, own.system.name, own.printed, own.unit,
         own.value, claim.rival, row.rival, row.earlier, round(claim.gain, 10), round(claim.margin, 6) if claim.margin
         else None, claim.says, row.strip.may_be_best, *((place.low, place.high) if place else (None, None)),
         row.strip.n_results, own.get_absolute_url())
        for row in (gains.rows if gains else ()) for own, claim, place in [(row.own, row.claim, row.place)]
    ]  # fmt: skip


GAINS = DocumentPage(
    meaning="The gains of a paper, each beside what is needed.",
    document=list,
    names=("slug",),
    find=get_visible_paper,
    version=lambda paper: models_version(),
    describe=lambda paper, form: gain_rows(gains_of(paper)),
    formats=as_lists("gains", COLUMNS, lambda rows: rows, "csv", "json"),
)
