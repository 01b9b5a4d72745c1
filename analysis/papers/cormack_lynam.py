"""Cormack & Lynam (2006): intervals of average precision against the other half of a collection."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median

import numpy as np

from analysis.documents import (
    MapInterval,
    agreement_probability,
    judge_run,
    lead_balloon_limit,
    logit_map_interval,
    map_interval,
    silver_bullet_limit,
    unseen_proportion,
)
from analysis.figures import Cell, Column, Panel, Rule, Series, columns_of, series
from analysis.papers import halves
from analysis.papers.paper import Drawing, Figure, JudgedRanking, Reproduction, Shipped, Words

PAPER = "cormack-lynam-2006"

#: Where the runs stand a second time, with their L-MAP.
_SECOND = 1.2
#: By how much lists are counted together; the last class is open.
_POSITIONS = np.linspace(-4, 4, 33)
_RELEVANT = (1, 2, 3, 6, 11, 21, 51, 101)
_SIZES = (1, 2, 5, 10, 20, 40, 80, 140)
#: Of fewer lists nothing is drawn.
_LEAST = 20
_FEW = 5
_KINDS: tuple[tuple[halves.Kind, str], ...] = (("linear", "linear"), ("logit", "logit"), ("bca", "BCa"))
_LIMITED: tuple[tuple[halves.Kind, str], ...] = (("linear, limited", "linear"), ("logit, limited", "logit"))
_NAMES = {"linear": "AP", "logit": "logit AP"}
_WAYS = ("first half to second", "second half to first")


def _columns(first: str, groups: Sequence[str]) -> tuple[Column, ...]:
    shares = (f"{group}: {side}" for group in groups for side in ("below, %", "within, %", "above, %"))
    return (*columns_of(first), *columns_of(*shares, digits=1))


def _cells(shares: Sequence[halves.Shares | None]) -> Iterator[Cell]:
    for share in shares:
        yield from (share.below, share.within, share.above) if share else (None, None, None)


def _expected(n_groups: int) -> tuple[Cell, ...]:
    within = 100 * agreement_probability()
    return ("model", *n_groups * ((100 - within) / 2, within, (100 - within) / 2))


def table_panels(pairs: Sequence[halves.SplitPair], data: str) -> dict[str, Panel]:
    """Return table 1: lists of the first half, all and those with more than 5 relevant documents; tables 2 to 4: both
    ways."""
    ways = (halves.cases(pairs, [0]), halves.cases(pairs, [1]))
    many = [case for case in ways[0] if case[0].n_relevant > _FEW]
    by_r = _columns("Interval", ("all lists", f"R > {_FEW}"))
    by_way, of_means = _columns("Interval", _WAYS), _columns("Mean", _WAYS)
    tables = {
        "table-1": (by_r, [(name, [halves.list_shares(of, kind) for of in (ways[0], many)]) for kind, name in _KINDS]),
        "table-2": (by_way, [(name, [halves.list_shares(of, kind) for of in ways]) for kind, name in _LIMITED]),
        "table-3": (of_means, _of_means(pairs, "bootstrap")),
        "table-4": (of_means, _of_means(pairs, "parametric")),
    }
    return {
        slug: Panel(
            data=data, columns=columns, rows=(*((name, *_cells(shares)) for name, shares in rows), _expected(2))
        )
        for slug, (columns, rows) in tables.items()
    }


def _of_means(pairs: Sequence[halves.SplitPair], method: str) -> list[tuple[str, list[halves.Shares | None]]]:
    return [
        (kind[0], [halves.mean_shares(pairs, kind, way) for way in (0, 1)])
        for kind in halves.MEANS
        if kind[1] == method
    ]


def list_panels(pairs: Sequence[halves.SplitPair], data: str) -> dict[str, Panel]:
    """Return figures 1 and 2, coverage by relevant documents, and predicted against measured variance: those of which
    there is anything to show."""
    every = halves.cases(pairs)
    ways = halves.cases(pairs, [0])
    expected = (Rule(name="model", at=100 * agreement_probability()),)
    panels = {
        "figure-1": Panel(data=data, series=tuple(_histograms(ways, _KINDS[-1:])), rules=_ENDS),
        "figure-2": Panel(data=data, series=tuple(_histograms(ways, _LIMITED)), rules=_ENDS),
        "coverage-by-relevant": Panel(data=data, series=tuple(_by_relevant(every)), rules=expected),
        "coverage-by-topics": Panel(data=data, series=tuple(_by_topics(pairs)), rules=expected),
        "variance": Panel(data=data, series=tuple(_variances(every))),
    }
    return {figure: panel for figure, panel in panels.items() if panel.series}


_ENDS = (Rule(name="", at=-1.0, axis="x"), Rule(name="", at=1.0, axis="x"))


def _histograms(
    ways: Sequence[tuple[halves.OneList, halves.OneList]], kinds: Sequence[tuple[halves.Kind, str]]
) -> Iterator[Series]:
    """Yield where AP lies, for each kind of which any list has an interval."""
    for kind, name in kinds:
        if places := halves.positions(ways, kind):
            counts, _ = np.histogram(np.clip(places, _POSITIONS[0], _POSITIONS[-1]), _POSITIONS)
            is_other = name == "linear"
            yield series(
                name, _POSITIONS, 100 * counts / len(places), mark="bars", style="other" if is_other else "measured",
                is_highlighted=not is_other,
            )  # fmt: skip


def _by_relevant(every: Sequence[tuple[halves.OneList, halves.OneList]]) -> Iterator[Series]:
    ends = pairwise((*_RELEVANT, np.inf))
    classes = [[case for case in every if low <= case[0].n_relevant < high] for low, high in ends]
    known = [group for group in classes if len(group) >= _LEAST]
    xs = [float(np.exp(np.mean([np.log(own.n_relevant) for own, _ in group]))) for group in known]
    for kind, name in (*_KINDS, ("logit, limited", "logit with limits")) if known else ():
        within = [shares.within if (shares := halves.list_shares(group, kind)) else None for group in known]
        is_last = kind == "logit, limited"
        yield series(name, xs, within, is_highlighted=is_last, style="other" if kind == "bca" else "measured")


def _by_topics(pairs: Sequence[halves.SplitPair]) -> Iterator[Series]:
    for scale, name in zip(halves.SCALES, ("MAP", "L-MAP"), strict=True):
        shares = halves.coverage_by_topics(pairs, scale, _SIZES)
        seen = [(size, share.within) for size, share in zip(_SIZES, shares, strict=True) if share]
        yield series(name, [size for size, _ in seen], [share for _, share in seen], is_highlighted=scale == "logit")


def _variances(every: Sequence[tuple[halves.OneList, halves.OneList]]) -> Iterator[Series]:
    ends = []
    for scale in halves.SCALES:
        # Lists with the same AP in both halves have no place on a scale of logarithms.
        if points := [point for point in halves.predicted_and_measured(every, scale) if point[1] > 0]:
            ends += [value for value, _ in points]
            yield series(_NAMES[scale], *zip(*points, strict=True), is_highlighted=scale == "logit")
    if ends:
        yield series("as predicted", [min(ends), max(ends)], [min(ends), max(ends)], mark="curve", style="projected")


#: A run with its MAP and L-MAP, and in figure 3 with those of the other half.
MEAN_COLUMNS = (
    *columns_of("Run", "Topics"),
    *columns_of("MAP", "from", "to", "L-MAP, as a score", "from ", "to ", digits=4),
)
OTHER_COLUMNS = columns_of("MAP of the other half", "L-MAP of the other half", digits=4)
_PARAMETRIC: halves.Mean = ("MAP", "parametric")
_BOOTSTRAP: halves.Mean = ("L-MAP", "bootstrap")


def half_means_panel(pairs: Sequence[halves.SplitPair], data: str) -> Panel:
    """Return figure 3: intervals of MAP and L-MAP from the first half of the paper's split, and the values of the
    second."""
    own = [pair for pair in pairs if not pair.split]
    rows = [
        (f"{pair.collection}, {pair.system}", pair.halves[0].means, pair.halves[1].means)
        for pair in sorted(own, key=lambda pair: pair.halves[0].means[_PARAMETRIC].estimate)
    ]
    means = [(name, of[_PARAMETRIC], of[_BOOTSTRAP]) for name, of, _ in rows]
    others = ([of[kind].score for _, _, of in rows] for kind in (_PARAMETRIC, _BOOTSTRAP))
    return _means_panel(means, tuple(others), data)


def whole_means_panel(runs: Sequence[JudgedRanking], data: str) -> Panel:
    """Return figure 4: intervals of MAP and L-MAP of whole collections."""
    means = []
    for run in runs:
        lists = judge_run(run.run, run.judgements, minimum_grade=run.grade).lists
        of = map_interval(lists, halves.SEED, method="parametric"), logit_map_interval(lists, halves.SEED)
        means.append((f"{run.collection}, {run.system}", *of))
    return _means_panel(sorted(means, key=lambda of_run: of_run[1].estimate), (), data)


def _means_panel(
    runs: Sequence[tuple[str, MapInterval, MapInterval]], others: tuple[Sequence[float], ...], data: str
) -> Panel:
    drawn = []
    for place, (start, name) in enumerate(((0.0, "MAP"), (_SECOND, "L-MAP"))):
        xs = [start + (at + 0.5) / len(runs) for at in range(len(runs))]
        means = [of[place] for _, *of in runs]
        scores, low, high = zip(*map(_ends, means), strict=True)
        drawn.append(series(name, xs, scores, low=low, high=high, mark="points", is_highlighted=True))
        if others:
            drawn.append(series(f"{name} of the other half", xs, others[place], mark="points", style="other"))
    rows: list[tuple[Cell, ...]] = [
        (name, of_map.n_topics, *_ends(of_map), *_ends(of_logit), *(values[at] for values in others))
        for at, (name, of_map, of_logit) in enumerate(runs)
    ]
    columns = (*MEAN_COLUMNS, *(OTHER_COLUMNS if others else ()))
    return Panel(data=data, series=tuple(drawn), columns=columns, rows=tuple(rows))


def _ends(of: MapInterval) -> tuple[float, float, float]:
    return of.score, of.score_interval.low, of.score_interval.high


def panels_of(runs: Sequence[JudgedRanking], name: str) -> dict[str, Panel]:
    """Return every panel that needs runs."""
    pairs = halves.measure_halves(runs)
    n_lists = len(halves.cases(pairs, [0]))
    of = f"{name}: {len(runs)} run{'s' if len(runs) != 1 else ''}"
    data = f"{of}, {n_lists:,} lists in the halves of {halves.N_SPLITS} splits; 2,000 resampled collections"
    whole = f"{of}; 2,000 resampled collections"
    return {
        **table_panels(pairs, data),
        **list_panels(pairs, data),
        "figure-3": half_means_panel(pairs, f"{whole}; the paper’s split"),
        "figure-4": whole_means_panel(runs, whole),
    }


_OTHER_FIGURES = ("coverage-by-relevant", "coverage-by-topics", "variance")
HALVES = Drawing(
    paper=PAPER,
    figures=frozenset(
        (*(f"{kind}-{number}" for kind in ("table", "figure") for number in range(1, 5)), *_OTHER_FIGURES)
    ),
    key="cormack-lynam halves 2",
    needs="runs",
    draw=lambda given: panels_of(given.rankings(), given.name),
    collections=("trec-dl-2019-passage", "trec-2004-robust"),
)
DRAWINGS = (HALVES,)


def reproduce(shipped: Shipped) -> Reproduction:
    """Return tables 1 to 4 and figures 1 to 4 on the runs that ship, all pooled, and what follows from formulas."""
    words = Words("cormack_lynam")
    panels = panels_of(list(shipped.rankings()), "All collections of which runs ship, pooled")
    drawn = (_formulas, _tables, _lists, _means)
    return words.reproduction(figure for draw in drawn for figure in draw(words, panels))


def _formulas(words: Words, _: Mapping[str, Panel]) -> Iterator[Figure]:
    levels = [*range(50, 100), 99.5, 99.9]
    shares = [100 * agreement_probability(level / 100) for level in levels]
    agreement = 100 * agreement_probability()
    panel = Panel(
        data="No data: both collections vary",
        series=(
            series("second", levels, shares, mark="curve", is_highlighted=True),
            series("true value", levels, levels, mark="curve", style="projected"),
        ),
        rules=(Rule(name="95 %", at=95.0, axis="x"),),
    )
    yield words.figure("section-4", panel, (agreement, (100 - agreement) / 2), agreement=agreement)
    silver, counts, depth = unseen_proportion(4), range(1, 51), 1000
    lowest = [lead_balloon_limit(n) for n in counts]
    highest = [silver_bullet_limit(n, depth) for n in counts]
    limits = Panel(
        data=f"No data: exact limits for lists of {depth:,} documents",
        series=(
            series("all lead", counts, lowest, mark="curve", is_highlighted=True),
            series("none found", counts, highest, mark="curve", style="other"),
        ),
    )
    numbers = (silver, silver_bullet_limit(4, depth), lead_balloon_limit(4))
    yield words.figure("section-5", limits, numbers, silver=100 * silver)


def _tables(words: Words, panels: Mapping[str, Panel]) -> Iterator[Figure]:
    shares = {name: _shares_of(panels[name]) for name in (f"table-{number}" for number in range(1, 5))}
    linear, logit = (shares["table-2"][name] for name in ("linear", "logit"))
    named = {
        "table-1": {name: of[4] for name, of in shares["table-1"].items()},
        "table-2": {
            "below_linear": linear[0], "above_linear": linear[2], "below_logit": logit[0], "above_logit": logit[2],
        },
        **{
            name: {key: (shares[name][row][1] + shares[name][row][4]) / 2 for key, row in _MEAN_ROWS}
            for name in ("table-3", "table-4")
        },
    }  # fmt: skip
    for name, rows in shares.items():
        numbers = [share for row, cells in rows.items() if row != "model" for share in cells]
        yield words.figure(name, panels[name], numbers, **named[name])


_MEAN_ROWS = (("of_map", "MAP"), ("of_logit", "L-MAP"))


def _shares_of(table: Panel) -> dict[str, list[float]]:
    """Return below, within and above, per cent, of both groups of columns, by row."""
    return {str(name): [float(cell or 0.0) for cell in cells] for name, *cells in table.rows}


def _lists(words: Words, panels: Mapping[str, Panel]) -> Iterator[Figure]:
    (bars,) = panels["figure-1"].series
    below, above = bars.y[0] or 0.0, bars.y[-1] or 0.0
    yield words.figure("figure-1", panels["figure-1"], (below, above), below=below, above=above)
    linear, logit = (panels["coverage-by-relevant"].series[place].y[0] for place in (0, 1))
    yield words.figure("coverage-by-relevant", panels["coverage-by-relevant"], linear=linear, logit=logit)
    far = {line.name: line.y[-1] or 0.0 for line in panels["figure-2"].series}
    yield words.figure("figure-2", panels["figure-2"], linear=far["linear"], logit=far["logit"])
    of_linear, of_logit = (
        median((measured or 0.0) / predicted for predicted, measured in zip(line.x, line.y, strict=True))
        for line in panels["variance"].series[:2]
    )
    yield words.figure("variance", panels["variance"], linear=of_linear, logit=of_logit)


def _means(words: Words, panels: Mapping[str, Panel]) -> Iterator[Figure]:
    by_topics, from_half, from_all = (panels[name] for name in ("coverage-by-topics", "figure-3", "figure-4"))
    lowest = min(share for line in by_topics.series for share in line.y if share is not None)
    yield words.figure("coverage-by-topics", by_topics, lowest=lowest)
    cells = [[float(cell or 0.0) for cell in row[1:]] for row in from_half.rows]
    held = [sum(row[low] <= row[other] <= row[high] for row in cells) for low, high, other in ((2, 3, 7), (5, 6, 8))]
    yield words.figure("figure-3", from_half, held=held, n=len(cells))
    means = from_all.series[0]
    wide = median((high or 0.0) - (low or 0.0) for low, high in zip(means.low, means.high, strict=True))
    narrow = median(row[3] - row[2] for row in cells)
    yield words.figure("figure-4", from_all, (wide,), wide=wide, narrow=narrow)
