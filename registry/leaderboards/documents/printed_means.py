"""Means over a benchmark as papers and cards print them, beside those of the scores that count here.

``data/printed_means.csv`` ships and is loaded by nothing; our means are those of the analysis that stands.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from analysis.readers.numbers import PrintedScore
from analysis.readers.text import comparison_key
from registry.core.loading import shipped_rows
from registry.core.messages import say
from registry.core.templatetags.formatting import score
from registry.leaderboards.documents.suite_shapes import PrintedMean, SuiteMemberDocument, SuiteRowDocument
from registry.leaderboards.queries.suites import SuiteBoard
from registry.results.models import Result, Source

#: Beyond the rounding of the print: members are printed with four digits or fewer themselves.
_ROUNDING = 0.0002
#: Prints of one score that differ by no more are one.
_ALIKE = 0.0005


def printed_means(
    board: SuiteBoard, rows: Iterable[SuiteRowDocument], members: Sequence[SuiteMemberDocument]
) -> tuple[PrintedMean, ...]:
    """Return the printed means of the systems of an analysis, those that differ most first.

    A mean is left out whose system has no row here, or whose name several systems have.
    """
    shipped = [
        row
        for row in shipped_rows("printed_means.csv")
        if (row["suite"], row["measure"]) == (board.suite.slug, board.measure.name)
    ]
    by_name = _by_name(rows)
    matched = [(row, by_name[key]) for row in shipped if (key := comparison_key(row["system"])) in by_name]
    sources = Source.objects.in_bulk({row["source"] for row, _ in matched}, field_name="name")
    apart = [ours.id for row, ours in matched if ours.value is not None and not _is_same(_print(row), ours.value)]
    elsewhere = _other_prints(apart, board)
    means = [_described(row, ours, members, sources.get(row["source"]), elsewhere) for row, ours in matched]
    return tuple(sorted(means, key=lambda mean: (mean.difference is None, -abs(mean.difference or 0.0), mean.system)))


def _by_name(rows: Iterable[SuiteRowDocument]) -> dict[str, SuiteRowDocument]:
    rows = tuple(rows)
    n_called = Counter(comparison_key(row.system) for row in rows)
    return {key: row for row in rows if n_called[key := comparison_key(row.system)] == 1}


def _print(row: Mapping[str, str]) -> PrintedScore:
    return PrintedScore(row["printed"], row["unit"])


def _is_same(printed: PrintedScore, ours: float) -> bool:
    return abs(printed.value - ours) <= 0.5 * 10.0**-printed.decimals + _ROUNDING


def _other_prints(systems: Iterable[int], board: SuiteBoard) -> Mapping[int, list[tuple[str, float, str]]]:
    """Return what stands of systems on the members: collection, value, who prints it."""
    prints: dict[int, list[tuple[str, float, str]]] = {system: [] for system in systems}
    standing = Result.objects.standing().filter(
        system__in=prints,
        leaderboard__measure=board.measure,
        leaderboard__collection__in=[member.collection for member in board.members],
        comparability=Result.Comparability.STANDARD,
    )
    columns = ("system", "leaderboard__collection__slug", "value", "paper__cite", "source")
    for system, collection, value, paper, source in standing.order_by("pk").values_list(*columns):
        prints[system].append((collection, value, paper or source))
    return prints


def _described(
    row: Mapping[str, str],
    ours: SuiteRowDocument,
    members: Sequence[SuiteMemberDocument],
    source: Source | None,
    elsewhere: Mapping[int, list[tuple[str, float, str]]],
) -> PrintedMean:
    printed = _print(row)
    is_same = ours.value is not None and _is_same(printed, ours.value)
    return PrintedMean(
        system=ours.system,
        slug=ours.slug,
        printed=row["printed"],
        unit=row["unit"],
        value=printed.value,
        ours=ours.value,
        difference=None if ours.value is None else printed.value - ours.value,
        agrees=None if ours.value is None else is_same,
        why="" if is_same else _why(row, ours, members, elsewhere.get(ours.id, [])),
        paper=row["paper"],
        source=row["source"],
        locator=row["locator"],
        address=source.opened(row["locator"]) if source else row["paper_url"],
    )


def _why(
    row: Mapping[str, str],
    ours: SuiteRowDocument,
    members: Sequence[SuiteMemberDocument],
    elsewhere: Iterable[tuple[str, float, str]],
) -> str:
    """Return why a print and our mean differ: what is known, or where two prints of a score lie furthest apart."""
    if row["why"]:
        return say("printed-mean-known", why=row["why"])
    if ours.value is None:
        return say("printed-mean-lacks", n=len(ours.missing), n_members=len(members))
    here = {member.collection: (member.name, value) for member, value in zip(members, ours.scores, strict=True)}
    apart = [
        (abs(value - counted), name, value, counted, printer)
        for collection, value, printer in elsewhere
        for name, counted in [here[collection]]
        if counted is not None and abs(value - counted) > _ALIKE
    ]
    if not apart:
        return say("printed-mean-unknown")
    _, name, value, counted, printer = max(apart)
    return say("printed-mean-apart", name=name, printer=printer, other=score(value, 3), ours=score(counted, 3))
