"""Titles, captions and lines of the papers that take minutes say what their panels show.

The panels are those that ship; tests of each paper hold them against a second route. All of a paper must come out as
it ships.
"""

from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

from django.conf import settings

from analysis.figures import Panel, Series
from analysis.reliability import SignificantPairs
from registry.tools.reproductions import ranked
from registry.tools.reproductions.figures import Reproduction, reproductions
from registry.tools.reproductions.management.papers import cormack_lynam, jayasinghe, pools, sanderson_zobel
from registry.tools.reproductions.ranked import shipped_rankings
from registry.tools.reproductions.redraws.sanderson_zobel import DEEP, SHALLOW
from tests.registry.tools.reproductions.sameness import assert_same

DATA = settings.BASE_DIR / "data"


@cache
def kept(slug: str) -> Reproduction:
    return reproductions()[slug]


def panels_of(slug: str) -> dict[str, Panel]:
    return {one.slug: one.panel for one in kept(slug).figures if one.panel}


def test_cormack_and_lynam(monkeypatch):
    def drawn(runs: list[Any], name: str) -> dict[str, Panel]:
        assert (runs, name) == (["all runs"], "All collections of which runs ship, pooled")
        return panels_of("cormack-lynam-2006")

    monkeypatch.setattr(cormack_lynam, "shipped_rankings", lambda data: ["all runs"])
    monkeypatch.setattr(cormack_lynam, "panels_of", drawn)
    assert_same(cormack_lynam.reproduce_cormack_lynam(DATA), kept("cormack-lynam-2006"))


def test_where_nothing_could_be_compared_cormack_and_lynams_numbers_are_nought(monkeypatch):
    panels = panels_of("cormack-lynam-2006")

    def blank(slug: str, *names: str) -> Panel:
        """The panel with no number in the rows of these names, of none for all of them."""
        rows = panels[slug].rows
        return replace(
            panels[slug],
            rows=tuple((row[0], *[None] * (len(row) - 1)) if row[0] in (names or [row[0]]) else row for row in rows),
        )

    def flat(slug: str, *fields: str) -> Panel:
        drawn = panels[slug].series
        nothing = [{name: (None,) * len(getattr(one, name)) for name in fields} for one in drawn]
        return replace(
            panels[slug], series=tuple(replace(one, **other) for one, other in zip(drawn, nothing, strict=True))
        )

    changed = {"table-1": blank("table-1", "BCa"), "table-2": blank("table-2", "linear", "logit"),
               "table-3": blank("table-3", "MAP"), "table-4": blank("table-4", "L-MAP"), "figure-3": blank("figure-3"),
               "figure-1": flat("figure-1", "y"), "figure-2": flat("figure-2", "y"), "variance": flat("variance", "y"),
               "figure-4": flat("figure-4", "low", "high")}  # fmt: skip
    monkeypatch.setattr(cormack_lynam, "shipped_rankings", lambda data: [])
    monkeypatch.setattr(cormack_lynam, "panels_of", lambda runs, name: panels | changed)
    figures = {one.slug: one for one in cormack_lynam.reproduce_cormack_lynam(DATA).figures}
    titles = {slug: one.title for slug, one in figures.items()}
    assert titles["figure-1"] == "0.0 % of the lists lie far above their interval, 0.00 % far below"
    assert titles["table-2"] == (
        "Above the linear interval lie 0 % of the lists, below it 0 %; of the logit interval 0 and 0 %"
    )
    assert titles["figure-2"].startswith(
        "Far above their interval lie 0.0 % of the lists on the linear scale, and 0.0 %"
    )
    assert titles["variance"].startswith("Halves differ by 0.00 times what the bootstrap predicts for AP, 0.00 times")
    assert "of MAP hold the other half 0 % of the time" in titles["table-3"]
    assert titles["table-4"].endswith("of L-MAP 0 %")
    n = len(changed["figure-3"].rows)
    assert titles["figure-3"].startswith(f"In the paper’s split {n} of {n} MAP and {n} L-MAP of the other half lie in")
    assert "MAP is 0.000 wide, with half of them 0.000" in titles["figure-4"]
    by_interval = {line.what: line.recomputed for line in figures["table-1"].lines}
    assert {what: value for what, value in by_interval.items() if what.startswith("BCa")} == {
        f"BCa, {group}: {where}": 0.0 for group in ("all lists", "R > 5") for where in ("below", "within", "above")
    }
    assert [line.recomputed for line in figures["figure-1"].lines] == [0.0, 0.0]


def test_jayasinghe_and_others(monkeypatch):
    def drawn(run: Any, name: str) -> dict[str, Panel]:
        assert (run.collection, run.system, run.depth, name) == (
            "trec-2004-robust", "RM3 (Yang 2019)", 1000, "Robust04",
        )  # fmt: skip
        return panels_of("jayasinghe-2014")

    for name in ("read_run", "parse_run", "shipped_judgements"):
        monkeypatch.setattr(ranked, name, lambda *asked: None)
    monkeypatch.setattr(jayasinghe.drawn, "panels_of", drawn)
    assert_same(jayasinghe.reproduce_jayasinghe(DATA), kept("jayasinghe-2014"))


def height(panel: Panel, name: str, x: float) -> float:
    (line,) = (one for one in panel.series if one.name == name)
    return line.y[line.x.index(round(x, 6))]


def rates_of(name: str) -> SimpleNamespace:
    """The shares of barely significant pairs that a panel shows of a test, as rates of 25 topics."""

    def error_rate(n_topics: int, *, pvalues: tuple[float, float], difference: tuple[float, float]) -> Any:
        assert (n_topics, pvalues) == (25, (0.01, 0.05))
        middle = 50 * sum(difference)
        return SimpleNamespace(
            estimate=height(panels_of("sanderson-zobel-2005")["section-3-tests"], name, middle) / 100
        )

    return SimpleNamespace(error_rate=error_rate)


def classes_of(name: str) -> tuple[SignificantPairs, ...]:
    """The shares of significant pairs that a panel shows of a test, of a million in each class of ten per cent."""
    (line,) = (one for one in panels_of("sanderson-zobel-2005")["section-3-shares"].series if one.name == name)
    ends = [((x - 5) / 100, (x + 5) / 100) for x in line.x[:3]]
    return tuple(SignificantPairs(*end, 10**6, round(1e4 * y)) for end, y in zip(ends, line.y, strict=False))


def test_sanderson_and_zobel(monkeypatch):
    """Of three years under two measures; what costs little is computed."""
    asked = []
    panels = panels_of("sanderson-zobel-2005")
    by_kind = {"AP": DEEP, "P@10": SHALLOW}
    found = SimpleNamespace(
        by_test=tuple(map(rates_of, ("t", "Wilcoxon", "sign"))),
        shares=tuple(map(classes_of, ("t", "Wilcoxon", "sign"))),
    )

    def measured(matrix: Any, *, sizes: tuple[int, ...]) -> Any:
        asked.append((matrix.n_systems, sizes))
        return matrix

    def drawn(swaps: Any, data: str) -> dict[str, Panel]:
        measure, _, rest = data.partition(" of ")
        assert rest == "TREC-5, 7 and 8, three of the paper’s ten: 293 runs"
        return {kind: panels[figure] for figure, kind in by_kind[measure].items()}

    monkeypatch.setattr(sanderson_zobel.swaps, "measure_swaps", measured)
    monkeypatch.setattr(sanderson_zobel.swaps, "pooled", lambda every: found)
    monkeypatch.setattr(sanderson_zobel.swaps, "swap_panels", drawn)
    monkeypatch.setattr(
        sanderson_zobel, "pools_figure", lambda data: next(
            one for one in kept("sanderson-zobel-2005").figures if one.slug == "section-4-pools"
        )
    )  # fmt: skip
    assert_same(sanderson_zobel.reproduce_sanderson_zobel(DATA), kept("sanderson-zobel-2005"))
    assert sum(n for n, _ in asked) == 2 * 293
    assert {sizes for _, sizes in asked} == {(5, 10, 15, 20, 25, 50)}


def test_pools_of_one_collection(monkeypatch):
    """The row is that of the file; a collection with one run of a hundred documents has none."""
    monkeypatch.setattr(
        pools, "shipped_rankings",
        lambda data: [*shipped_rankings(data, "trec-2018-core"), next(shipped_rankings(data, "trec-dl-2021-passage"))],
    )  # fmt: skip
    found = pools.pools_figure(DATA)
    figure = next(one for one in kept("sanderson-zobel-2005").figures if one.slug == "section-4-pools")
    (row,) = found.panel.rows
    assert row == next(tuple(one) for one in figure.panel.rows if one[0] == "trec-2018-core")
    assert [(line.what, line.printed, line.digits, line.unit) for line in found.lines] == [
        (line.what, line.printed, line.digits, line.unit) for line in figure.lines
    ]
    share, gain = row[4], row[7]
    assert [line.recomputed for line in found.lines] == [share, share, *(one.recomputed for one in figure.lines[2:4]),
                                                         gain, gain]  # fmt: skip
    assert found.panel.columns == figure.panel.columns
    assert (found.caption, found.methods, found.panel.data) == (figure.caption, figure.methods, figure.panel.data)


def test_the_least_difference_to_rely_on_is_that_from_which_on_all_err_at_most_five_per_cent():
    def panel(*lines: tuple[str, float | None], style: Any = "projected", last: float = 50) -> Panel:
        return Panel(
            data="", series=tuple(
                Series(name=name, x=(25, last), y=(40, y), mark="curve", style=style) for name, y in lines
            ),
        )  # fmt: skip

    needed = sanderson_zobel._needed
    assert needed(panel(("0–5", 1), ("5–10", 9), ("10–15", 5), ("15–20", None), ("20 or more", 0))) == 10
    assert needed(panel(("0–5", 1), ("5–10", 4), ("0.07 or more", 5.1))) is None
    assert needed(panel(("0–5", 1), style="measured")) is None
    assert needed(panel(("0–5", 1), last=40)) is None
    assert needed(panel(("0.06–0.07", 6), ("0.07 or more", 5))) == 0.07
    first = sanderson_zobel._absolute(Panel(data=""))
    assert first.title.startswith("By the paper’s trend 0.01 AP or more is safe on 50 topics")
    assert [line.recomputed for line in first.lines] == [0.0]
    profiles = sanderson_zobel._profiles(panel(("5 topics", None), ("25 topics", 12.6)))
    assert "On 5 topics the last tenth errs 0 %, on 25 13 %." in profiles.caption
    both = Panel(data="", series=(
        *panel(("20–25", 4), ("25–30", 2)).series, *panel(("20–25", None), ("25–30", 8), style="measured").series,
    ))  # fmt: skip
    assert sanderson_zobel._measured_at_the_end(both) == (
        "By the trend 20 % are enough on 50 topics; measured, 25 to 30 % err 8.0 % of the time and not 2.0 %"
    )
    worse = replace(both, series=(*both.series[:2], *panel(("20–25", 5.1), ("25–30", 8), style="measured").series))
    assert sanderson_zobel._measured_at_the_end(worse) == (
        "By the trend 20 % are enough on 50 topics; measured, every class of these errs more than 5 % of the time"
    )


def test_where_nothing_was_found_jayasinghes_numbers_are_nought():
    panels = panels_of("jayasinghe-2014")
    rows = tuple((*row[:2], None, *row[3:]) if row[0] == "50 %" else row for row in panels["table-1"].rows)
    by_rate = jayasinghe._by_rate(replace(panels["table-1"], rows=rows))
    found = {line.what: line.recomputed for line in by_rate.lines}
    assert found["Executions significant at 0.05 with 50 % left out"] == 0.0
    assert by_rate.title.endswith("whoever has one may say either")
    spread, whole = panels["figure-1"].series
    nothing = replace(spread, low=(None,) * len(spread.y), high=(None,) * len(spread.y))
    by_topic = jayasinghe._by_topic(replace(panels["figure-1"], series=(nothing, whole)))
    n = len(spread.y)
    assert by_topic.title == f"On {n} of {n} topics executions agree; on one they lie 0.00 apart"
    models = tuple(replace(one, y=(None,) * len(one.y)) for one in panels["models"].series)
    title = jayasinghe._models(replace(panels["models"], series=models)).title
    assert "model 2 tells one system from itself 0.0 % of the time, model 3 0.0 %" in title
