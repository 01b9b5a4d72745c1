"""Dots of collections on the scale of their reference systems, in the units of the drawing."""

import pytest

from registry.tools.standardization.across import (
    MeanOverCollections,
    ResultOnScale,
    SystemUnderMeasure,
    YearOnScale,
    YearUnderMeasure,
)
from registry.tools.standardization.drawings import draw_system, draw_year

PLACE = {"board": "", "collection_year": None, "reference": "", "frozen": "2020-02-03"}


def result(name, z, *, is_reference=False):
    return ResultOnScale(
        **PLACE,
        collection=name,
        name=name,
        n_reference=5,
        result=1,
        url="",
        year=None,
        printed="0.1",
        unit="fraction",
        z=z,
        percentile=50.0,
        topic_z=None,
        is_reference=is_reference,
    )


def of_system(*results, mean=None):
    return SystemUnderMeasure(
        measure="AP", decimals=4, references="", n_collections=len(results), mean=mean, results=results
    )


def test_a_system_has_a_dot_for_each_result_from_top_to_bottom():
    found = draw_system(
        of_system(result("first", 2.0), result("second", 0.5, is_reference=True), result("third", -1.5))
    )
    # From z = -1.5 at 9 % of the width to 2 at 98 %; a third of 300 pixels for each.
    at = {z: round(9 + 89 * (z + 1.5) / 3.5, 2) for z in (-1.5, -1, 0, 0.5, 1, 2)}
    assert [(one.x, one.y, one.label, one.is_own) for one in found.dots] == [
        (98, 50, "first: z +2.00", False),
        (at[0.5], 150, "second: z +0.50", True),
        (9, 250, "third: z -1.50", False),
    ]
    assert (found.spans, found.mean, found.interval, found.zero) == ((), None, None, at[0])
    assert [(one.at, one.label) for one in found.ticks] == [(at[z], f"{z:g}") for z in (-1, 0, 1, 2)]


def test_the_scale_is_a_standard_deviation_wide_at_least_and_holds_the_interval_of_the_mean():
    found = draw_system(of_system(result("one", 0.2)))
    assert (found.zero, found.dots[0].x) == (53.5, round(9 + 89 * 0.6, 2))
    mean = MeanOverCollections(z=1.0, low=-2.0, high=4.0, sd=1.0)
    wide = draw_system(of_system(result("one", 0.2), mean=mean))
    assert (wide.mean, wide.zero) == (53.5, round(9 + 89 / 3, 2))
    assert (wide.interval.x, wide.interval.y, wide.interval.width, wide.interval.height) == (0, 0, 1000, 300)
    narrow = draw_system(of_system(result("one", 3.0), mean=MeanOverCollections(z=1.0, low=0.0, high=2.0, sd=1.0)))
    assert (narrow.interval.x, narrow.interval.width) == (250, 500)


def test_a_year_has_a_line_from_quartile_to_quartile():
    collections = [
        YearOnScale(
            **PLACE,
            collection=name,
            name=name,
            n_reference=10,
            n_results=4,
            n_reference_results=n,
            lower_quartile=median - 0.5,
            median=median,
            upper_quartile=median + 1.0,
            best=9.0,
        )
        for name, median, n in (("first", 1.0, 4), ("second", -2.5, 5))
    ]
    group = YearUnderMeasure(
        role="proposed",
        measure="AP",
        references="",
        n_results=8,
        n_own_scale=1,
        mean=None,
        collections=tuple(collections),
    )
    found = draw_year(group)
    # From -3 to 2, the ends of the quartiles.
    assert [(one.x, one.y, one.label, one.is_own) for one in found.dots] == [
        (pytest.approx(9 + 89 * 0.8), 75, "first: median z +1.00", False),
        (pytest.approx(9 + 89 * 0.1), 225, "second: median z -2.50", True),
    ]
    assert [(one.x, one.y, one.width, one.height) for one in found.spans] == [(700, 74.5, 300, 1), (0, 224.5, 300, 1)]
    assert [one.label for one in found.ticks] == ["-3", "-2", "-1", "0", "1", "2"]
    assert group.said == "Proposed systems of papers"


def test_dots_of_many_collections_stand_at_tenths_of_a_pixel():
    found = draw_system(of_system(*(result(f"{n}", 1.0 - n / 10) for n in range(7))))
    assert [one.y for one in found.dots] == [21.4, 64.3, 107.1, 150.0, 192.9, 235.7, 278.6]
