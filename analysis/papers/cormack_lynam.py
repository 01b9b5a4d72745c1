"""What Cormack & Lynam (2006) draw: intervals of average precision against the other half of a collection."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from analysis.documents import MapInterval, agreement_probability, judge_run, logit_map_interval, map_interval
from analysis.figures import Axis, Cell, Column, Panel, Rule, Series, columns_of, series
from analysis.papers import halves
from analysis.papers.paper import Drawing, JudgedRanking

PAPER = "cormack-lynam-2006"

#: Where the runs stand a second time, with their L-MAP.
_SECOND = 1.2
RUNS = Axis(
    label="runs, by MAP", low=0, high=1 + _SECOND, ticks=((0.5, "MAP"), (_SECOND + 0.5, "L-MAP"))
)  # fmt: skip

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
    shares = (f"{group}: {what}" for group in groups for what in ("below, %", "within, %", "above, %"))
    return (*columns_of(first), *columns_of(*shares, digits=1))


def _cells(shares: Sequence[halves.Shares | None]) -> Iterator[Cell]:
    for one in shares:
        yield from (one.below, one.within, one.above) if one else (None, None, None)


def _expected(n_groups: int) -> tuple[Cell, ...]:
    within = 100 * agreement_probability()
    return ("model", *n_groups * ((100 - within) / 2, within, (100 - within) / 2))


def table_panels(pairs: Sequence[halves.SplitPair], data: str) -> dict[str, Panel]:
    """Table 1: lists of the first half, all and those with more than 5 relevant documents; tables 2 to 4: both ways."""
    ways = (halves.cases(pairs, [0]), halves.cases(pairs, [1]))
    many = [case for case in ways[0] if case[0].n_relevant > _FEW]
    by_r = _columns("Interval", ("all lists", f"R > {_FEW}"))
    by_way, of_means = _columns("Interval", _WAYS), _columns("Mean", _WAYS)
    found = {
        "table-1": (by_r, [(name, [halves.list_shares(of, kind) for of in (ways[0], many)]) for kind, name in _KINDS]),
        "table-2": (by_way, [(name, [halves.list_shares(of, kind) for of in ways]) for kind, name in _LIMITED]),
        "table-3": (of_means, _of_means(pairs, "bootstrap")),
        "table-4": (of_means, _of_means(pairs, "parametric")),
    }
    return {
        slug: Panel(
            data=data, columns=columns, rows=(*((name, *_cells(shares)) for name, shares in rows), _expected(2))
        )
        for slug, (columns, rows) in found.items()
    }


def _of_means(pairs: Sequence[halves.SplitPair], method: str) -> list[tuple[str, list[halves.Shares | None]]]:
    return [
        (kind[0], [halves.mean_shares(pairs, kind, way) for way in (0, 1)])
        for kind in halves.MEANS
        if kind[1] == method
    ]


def list_panels(pairs: Sequence[halves.SplitPair], data: str) -> dict[str, Panel]:
    """Figures 1 and 2, coverage by relevant documents, and predicted against measured variance: those of which there is
    anything to show."""
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
    """Where AP lies, for each kind of which any list has an interval."""
    for kind, name in kinds:
        if found := halves.positions(ways, kind):
            counts, _ = np.histogram(np.clip(found, _POSITIONS[0], _POSITIONS[-1]), _POSITIONS)
            is_other = name == "linear"
            yield series(
                name, _POSITIONS, 100 * counts / len(found), mark="bars", style="other" if is_other else "measured",
                is_highlighted=not is_other,
            )  # fmt: skip


def _by_relevant(every: Sequence[tuple[halves.OneList, halves.OneList]]) -> Iterator[Series]:
    ends = pairwise((*_RELEVANT, np.inf))
    classes = [[case for case in every if low <= case[0].n_relevant < high] for low, high in ends]
    known = [one for one in classes if len(one) >= _LEAST]
    xs = [float(np.exp(np.mean([np.log(own.n_relevant) for own, _ in one]))) for one in known]
    for kind, name in (*_KINDS, ("logit, limited", "logit with limits")) if known else ():
        found = [shares.within if (shares := halves.list_shares(one, kind)) else None for one in known]
        is_last = kind == "logit, limited"
        yield series(name, xs, found, is_highlighted=is_last, style="other" if kind == "bca" else "measured")


def _by_topics(pairs: Sequence[halves.SplitPair]) -> Iterator[Series]:
    for scale, name in zip(halves.SCALES, ("MAP", "L-MAP"), strict=True):
        found = halves.coverage_by_topics(pairs, scale, _SIZES)
        seen = [(size, one.within) for size, one in zip(_SIZES, found, strict=True) if one]
        yield series(name, [size for size, _ in seen], [share for _, share in seen], is_highlighted=scale == "logit")


def _variances(every: Sequence[tuple[halves.OneList, halves.OneList]]) -> Iterator[Series]:
    ends = []
    for scale in halves.SCALES:
        # Lists with the same AP in both halves have no place on a scale of logarithms.
        if found := [one for one in halves.predicted_and_measured(every, scale) if one[1] > 0]:
            ends += [value for value, _ in found]
            yield series(_NAMES[scale], *zip(*found, strict=True), is_highlighted=scale == "logit")
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
    """Figure 3: intervals of MAP and L-MAP from the first half of the paper's split, and the values of the second."""
    own = [pair for pair in pairs if not pair.split]
    rows = [
        (f"{pair.collection}, {pair.system}", pair.halves[0].means, pair.halves[1].means)
        for pair in sorted(own, key=lambda one: one.halves[0].means[_PARAMETRIC].estimate)
    ]
    found = [(name, of[_PARAMETRIC], of[_BOOTSTRAP]) for name, of, _ in rows]
    others = ([of[kind].score for _, _, of in rows] for kind in (_PARAMETRIC, _BOOTSTRAP))
    return _means_panel(found, tuple(others), data)


def whole_means_panel(runs: Sequence[JudgedRanking], data: str) -> Panel:
    """Figure 4: intervals of MAP and L-MAP of whole collections."""
    found = []
    for run in runs:
        lists = judge_run(run.run, run.judgements, minimum_grade=run.grade).lists
        of = map_interval(lists, halves.SEED, method="parametric"), logit_map_interval(lists, halves.SEED)
        found.append((f"{run.collection}, {run.system}", *of))
    return _means_panel(sorted(found, key=lambda one: one[1].estimate), (), data)


def _means_panel(
    found: Sequence[tuple[str, MapInterval, MapInterval]], others: tuple[Sequence[float], ...], data: str
) -> Panel:
    drawn = []
    for place, (start, name) in enumerate(((0.0, "MAP"), (_SECOND, "L-MAP"))):
        xs = [start + (at + 0.5) / len(found) for at in range(len(found))]
        means = [of[place] for _, *of in found]
        scores, low, high = zip(*map(_ends, means), strict=True)
        drawn.append(series(name, xs, scores, low=low, high=high, mark="points", is_highlighted=True))
        if others:
            drawn.append(series(f"{name} of the other half", xs, others[place], mark="points", style="other"))
    rows: list[tuple[Cell, ...]] = [
        (name, of_map.n_topics, *_ends(of_map), *_ends(of_logit), *(values[at] for values in others))
        for at, (name, of_map, of_logit) in enumerate(found)
    ]
    columns = (*MEAN_COLUMNS, *(OTHER_COLUMNS if others else ()))
    return Panel(data=data, series=tuple(drawn), columns=columns, rows=tuple(rows))


def _ends(of: MapInterval) -> tuple[float, float, float]:
    return of.score, of.score_interval.low, of.score_interval.high


def panels_of(runs: Sequence[JudgedRanking], name: str) -> dict[str, Panel]:
    """Every panel that needs runs."""
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


HALVES = Drawing(
    paper=PAPER,
    figures=frozenset(
        {
            *(f"table-{number}" for number in range(1, 5)),
            *(f"figure-{number}" for number in range(1, 5)),
            "coverage-by-relevant",
            "coverage-by-topics",
            "variance",
        }
    ),
    key="cormack-lynam halves 2",
    needs="runs",
    draw=lambda given: panels_of(given.rankings(), given.name),
    collections=("trec-dl-2019-passage", "trec-2004-robust"),
)
DRAWINGS = (HALVES,)
