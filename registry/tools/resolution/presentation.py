"""A matrix's findings as the page lays them out: figures, and tables with both designs side by side."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analysis.figures import Axis, Panel, Rule, Series, Style, series
from analysis.reliability import ClassRate, CollectionResolution, DesignRates, ErrorRate, SignificantPairs
from registry.core.charts import Chart, draw
from registry.tools.resolution.documents import ResolutionDocument, StudiedMatrix
from registry.tools.resolution.queries import is_grid
from registry.tools.resolution.reversals import DEEP_MEASURES, LEAST_COMPARED, plain_name


@dataclass(frozen=True, slots=True)
class SizeRow:
    """Rates on topic sets of one size; None where nothing was compared, or the design has no such sets."""

    n_topics: int
    rates: tuple[ErrorRate | None, ErrorRate | None, ErrorRate | None, ErrorRate | None]


@dataclass(frozen=True, slots=True)
class ClassRow:
    """Rates within one class, by design."""

    low: float
    high: float | None
    classes: tuple[ClassRate, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One matrix on the page."""

    anchor: str
    matrix: StudiedMatrix
    disjoint: DesignRates
    replacement: DesignRates
    sizes: Chart
    differences: Chart
    profiles: Chart
    lowest: tuple[float, float]
    significant_pairs: tuple[SignificantPairs, ...]
    by_size: tuple[SizeRow, ...]
    by_difference: tuple[ClassRow, ...]
    by_relative_difference: tuple[ClassRow, ...]
    by_pvalue: tuple[ClassRow, ...]

    @property
    def told_decimals(self) -> int:
        """One less than the measure has: a threshold for planning is no score."""
        return max(1, self.matrix.decimals - 1)

    @property
    def thresholds(self) -> Chart:
        """Return what the page begins with: the figure of differences, with what tests ask for marked, and on how many
        topics where the leaderboard has others."""
        found, told = self.matrix.findings, self.matrix.detectable
        assert found is not None
        on = f", {self.matrix.n_topics:,} topics" if told and told.n_topics != self.matrix.n_topics else ""
        tests = ((found.significant, "one planned test"), (found.significant_in_family, "all pairs compared"))
        marks = [(at, f"{at:.{self.told_decimals}f} {test}{on}") for at, test in tests]
        return draw_differences(found, "thresholds", marks)


def lead_of(sections: Sequence[Section]) -> Section | None:
    """Return what the page begins with: the matrix of most scores, average precision where others have as many; no
    grid, unless there is nothing else."""
    return max(
        sections,
        key=lambda one: (
            not is_grid(one.matrix.runs),
            one.matrix.n_systems * one.matrix.n_topics,
            plain_name(one.matrix.measure) in DEEP_MEASURES,
        ),
        default=None,
    )


def sections_of(document: ResolutionDocument) -> list[Section]:
    """The page's sections: a matrix that was studied each."""
    return [
        _section(number, matrix, matrix.findings)
        for number, matrix in enumerate(document.matrices, start=1)
        if matrix.findings
    ]


def _section(number: int, matrix: StudiedMatrix, found: CollectionResolution) -> Section:
    disjoint, replacement = found.designs
    return Section(
        anchor=f"matrix-{number}",
        matrix=matrix,
        disjoint=disjoint,
        replacement=replacement,
        sizes=draw_sizes(found, f"sizes-{number}"),
        differences=draw_differences(found, f"differences-{number}"),
        profiles=draw_profiles(found, f"profiles-{number}"),
        lowest=(min(disjoint.profile), min(replacement.profile)),
        significant_pairs=tuple(pair for pair in found.significant_pairs if pair.n_pairs),
        by_size=_by_size(disjoint, replacement),
        by_difference=_seen(_classes(disjoint.by_difference, replacement.by_difference)),
        by_relative_difference=_seen(_classes(disjoint.by_relative_difference, replacement.by_relative_difference)),
        by_pvalue=_classes(disjoint.by_pvalue, replacement.by_pvalue),
    )


def _by_size(disjoint: DesignRates, replacement: DesignRates) -> tuple[SizeRow, ...]:
    curves = [
        {rate.n_topics: rate for rate in rates}
        for design in (disjoint, replacement)
        for rates in (design.every, design.significant)
    ]
    sizes = sorted({size for curve in curves for size in curve})
    first, second, third, fourth = curves
    return tuple(
        SizeRow(size, (first.get(size), second.get(size), third.get(size), fourth.get(size))) for size in sizes
    )


def _seen(rows: Sequence[ClassRow]) -> tuple[ClassRow, ...]:
    return tuple(row for row in rows if sum(one.n_compared for one in row.classes))


def _classes(disjoint: Sequence[ClassRate], replacement: Sequence[ClassRate]) -> tuple[ClassRow, ...]:
    return tuple(ClassRow(one.low, one.high, (one, other)) for one, other in zip(disjoint, replacement, strict=True))


_DIFFERENCE = "difference of the means on the first set"
_NAMES = {"disjoint": "disjoint", "replacement": "replaced"}


def draw_sizes(found: CollectionResolution, name: str) -> Chart:
    """Return rates by number of topics: of all pairs, and of significant ones."""
    lines = []
    for design in found.designs:
        how, every, significant = _NAMES[design.design], _estimates(design.every), _estimates(design.significant)
        lines += [_line(f"all, {how}", every, design), _line(f"significant, {how}", significant, design, "other")]
    return _draw(lines, "topics in a set", name, low=0.0)


def draw_differences(found: CollectionResolution, name: str, marks: Sequence[tuple[float, str]] = ()) -> Chart:
    """Return rates by the difference on the first set, at the middles of the classes that count; with marks at
    differences, each with words."""
    lines = [_line(_NAMES[design.design], _middles(design), design) for design in found.designs]
    return _draw(lines, _DIFFERENCE, name, low=0.0, marks=marks)


def draw_profiles(found: CollectionResolution, name: str) -> Chart:
    """Return rates by how much a pair differed, among its own splits."""
    lines = [_line(_NAMES[design.design], enumerate(design.profile, start=1), design) for design in found.designs]
    return _draw(lines, "tenth of the trials, by the difference on the first set", name, low=1.0)


def _estimates(rates: Iterable[ErrorRate]) -> list[tuple[float, float | None]]:
    return [(rate.n_topics, rate.estimate) for rate in rates]


def _middles(design: DesignRates) -> list[tuple[float, float | None]]:
    return [
        ((middle.low + middle.high) / 2, middle.rate)
        for middle in design.by_difference
        if middle.high is not None and middle.n_compared >= LEAST_COMPARED
    ]


def _line(
    name: str,
    points: Iterable[tuple[float, float | None]],
    design: DesignRates | None = None,
    style: Style = "measured",
) -> Series:
    known = [(x, 100 * y) for x, y in points if y is not None]
    return series(
        name, [x for x, _ in known], [y for _, y in known], mark="curve", style=style,
        is_highlighted=style == "measured", is_dashed=design is not None and design.design == "replacement",
    )  # fmt: skip


def _draw(
    lines: Sequence[Series], across: str, name: str, *, low: float, marks: Sequence[tuple[float, str]] = ()
) -> Chart:
    shown = tuple(line for line in lines if line.x)
    xs = [*(x for line in shown for x in line.x), *(1.1 * at for at, _ in marks)]
    ys = [y for line in shown for y in line.y if y is not None]
    x = Axis(label=across, low=low, high=max(xs, default=1.0))
    y = Axis(label="reversed, %", low=0.0, high=max(5.0, 1.05 * max(ys, default=0.0)))
    rules = tuple(Rule(name=words, at=at, axis="x", is_dashed=False) for at, words in marks)
    return draw(Panel(data=across, series=shown, rules=rules), x, y, name=name, text=f"Reversed orders by {across}")
