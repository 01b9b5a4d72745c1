"""Where figures of a study are drawn, and what stands in their tables: by hand."""

import json
from dataclasses import replace
from functools import cache

import pytest

from analysis.reliability import ClassRate, CollectionResolution, ErrorRate, collection_resolution
from analysis.scores import ScoreMatrix
from registry.core.charts import Chart
from registry.tools.resolution.documents import (
    Detectable,
    ResolutionDocument,
    StudiedMatrix,
)
from registry.tools.resolution.drawings import (
    draw_differences,
    draw_profiles,
    draw_sizes,
)
from registry.tools.resolution.presentation import lead_of, sections_of
from tests.registry.tools.resolution.test_collection_resolution import scores_of


@cache
def found() -> CollectionResolution:
    scores = scores_of()
    matrix = ScoreMatrix(
        [str(n) for n in range(scores.shape[0])], [str(n) for n in range(scores.shape[1])], scores
    )  # fmt: skip
    return collection_resolution(matrix)


def rate(n_topics: int, estimate: float | None) -> ErrorRate:
    return ErrorRate(n_topics, estimate, 1000, 1, 0, None)


def with_designs(**fields) -> CollectionResolution:
    """The same fields for both designs."""
    return replace(found(), designs=tuple(replace(one, **fields) for one in found().designs))


def points(chart: Chart, name: str) -> list[tuple[float, float]]:
    (trace,) = (trace for trace in json.loads(chart.plotly)["data"] if trace["name"] == name)
    return list(zip(trace["x"], trace["y"], strict=True))


def test_rates_stand_by_size_in_per_cent():
    study = with_designs(every=(rate(5, 0.2), rate(8, None), rate(10, 0.1)), significant=(rate(10, 0.05),))
    chart = draw_sizes(study, "sizes")
    assert points(chart, "all, disjoint") == [(5, 20), (10, 10)]
    assert points(chart, "significant, replaced") == [(10, 5)]
    nothing = draw_sizes(with_designs(every=(), significant=()), "sizes")
    assert json.loads(nothing.plotly)["data"] == []


def test_differences_stand_at_the_middle_of_classes_that_a_hundred_were_compared_in():
    classes = (
        ClassRate(0.0, 0.02, 0.4, 100), ClassRate(0.02, 0.04, 0.3, 99), ClassRate(0.04, 0.06, None, 100),
        ClassRate(0.06, 0.1, 0.2, 500), ClassRate(0.1, None, 0.1, 500),
    )  # fmt: skip
    chart = draw_differences(with_designs(by_difference=classes), "differences", [(0.05, "one planned test")])
    assert points(chart, "disjoint") == [(0.01, 40), (0.08, 20)]
    assert "one planned test" in [text.text for text in chart.scenes[0].words]


def test_profiles_begin_with_the_first_tenth():
    assert points(draw_profiles(with_designs(profile=(0.4, 0.2)), "profiles"), "replaced") == [(1, 40), (2, 20)]


def matrix_of(study: CollectionResolution | None, **fields) -> StudiedMatrix:
    values = {
        "measure": "AP", "decimals": 4, "kind": "results", "runs": "results on record", "source": "", "licence": "",
        "note": "", "n_systems": 8, "n_topics": 20, "digest": "", "state": "studied", "why": "", "findings": study,
        "detectable": None,
    }  # fmt: skip
    return StudiedMatrix(**(values | fields))


def document(*matrices: StudiedMatrix) -> ResolutionDocument:
    return ResolutionDocument("c", "C", "/c/", matrices)


def test_sections_are_the_matrices_that_were_studied_under_their_number():
    sections = sections_of(document(matrix_of(None), matrix_of(found())))
    assert [one.anchor for one in sections] == ["matrix-2"]
    (section,) = sections
    assert section.lowest == tuple(min(one.profile) for one in found().designs)
    assert {row.n_topics for row in section.by_size} == {
        one.n_topics for design in found().designs for one in (*design.every, *design.significant)
    }
    assert [row.n_topics for row in section.by_size] == sorted(row.n_topics for row in section.by_size)
    disjoint, replacement = found().designs
    last = section.by_size[-1]
    assert last.rates == tuple(
        next((one for one in rates if one.n_topics == last.n_topics), None)
        for rates in (disjoint.every, disjoint.significant, replacement.every, replacement.significant)
    )
    assert all(pair.n_pairs for pair in section.significant_pairs)


def test_classes_without_pairs_in_either_design_are_left_out_but_not_those_of_p_values():
    empty, some = ClassRate(0.0, 0.1, None, 0), ClassRate(0.1, 0.2, 0.5, 3)
    first, second = found().designs
    study = replace(
        found(),
        designs=(
            replace(first, by_difference=(empty, some, empty), by_pvalue=(empty,), by_relative_difference=(empty,)),
            replace(second, by_difference=(empty, empty, some), by_pvalue=(empty,), by_relative_difference=(some,)),
        ),
    )
    (section,) = sections_of(document(matrix_of(study)))
    assert [row.classes for row in section.by_difference] == [(some, empty), (empty, some)]
    assert [row.classes for row in section.by_relative_difference] == [(empty, some)]
    assert [(row.low, row.high, row.classes) for row in section.by_pvalue] == [(0.0, 0.1, (empty, empty))]


def marks(section) -> list[str]:
    return [text.text for text in section.thresholds.scenes[0].words if text.kind.startswith("rule-name")]


@pytest.mark.parametrize(("decimals", "label"), [(4, "0.123"), (2, "0.1"), (1, "0.1")])
def test_thresholds_have_a_decimal_less_than_scores(decimals, label):
    study = replace(found(), significant=0.1234, significant_in_family=0.3)
    (section,) = sections_of(document(matrix_of(study, decimals=decimals)))
    first, second = marks(section)
    assert first == f"{label} one planned test"
    assert second.endswith(" all pairs compared")


@pytest.mark.parametrize(("n_topics", "said"), [(20, ""), (249, ", 20 topics")])
def test_topics_of_the_matrix_are_said_where_the_leaderboard_has_others(n_topics, said):
    told = Detectable(significant=0.1, difference=0.2, low=None, high=None, n_topics=n_topics)
    (section,) = sections_of(document(matrix_of(found(), detectable=told)))
    assert marks(section)[0].endswith(f"one planned test{said}")


def test_what_leads_is_no_grid_then_has_most_scores_then_is_average_precision():
    plain, larger, deep, grid = (
        matrix_of(found(), measure="RR"), matrix_of(found(), measure="RR", n_topics=21),
        matrix_of(found(), measure="AP(rel=2)"), matrix_of(found(), runs="configurations of toolkits", n_systems=99),
    )  # fmt: skip
    for matrices, place in (
        ((plain, deep, grid), 1), ((plain, larger, deep), 1), ((grid,), 0), ((plain, grid), 0),
    ):  # fmt: skip
        assert lead_of(sections_of(document(*matrices))).matrix is matrices[place]
    assert lead_of([]) is None
