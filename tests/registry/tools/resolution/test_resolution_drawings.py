"""Where figures of a study are drawn, and what stands in their tables: by hand, on a picture of 1,000 by 300."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from analysis.reliability import ClassRate, CollectionResolution, ErrorRate, collection_resolution
from analysis.scores import ScoreMatrix
from registry.tools.resolution.documents import (
    ComparedMeasures,
    Detectable,
    RatesAtSize,
    ResolutionDocument,
    StudiedMatrix,
)
from registry.tools.resolution.drawings import (
    LineDrawing,
    draw_differences,
    draw_effort,
    draw_profiles,
    draw_sizes,
)
from registry.tools.resolution.presentation import efforts_of, lead_of, sections_of
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


def points(drawing: LineDrawing, kind: str) -> list[tuple[float, float]]:
    (line,) = (one for one in drawing.lines if one.kind == kind)
    return [tuple(map(float, pair.split(","))) for pair in line.points.split()]


def test_rates_stand_by_size_up_to_a_twentieth_above_the_highest():
    study = with_designs(every=(rate(5, 0.2), rate(8, None), rate(10, 0.1)), significant=(rate(10, 0.05),))
    drawing = draw_sizes(study)
    assert [one.kind for one in drawing.lines] == [
        "every disjoint", "significant disjoint", "every replacement", "significant replacement",
    ]  # fmt: skip
    # The top is 0.21.
    assert points(drawing, "every disjoint") == [(500.0, 14.3), (1000.0, 157.1)]
    assert points(drawing, "significant replacement") == [(1000.0, 228.6)]
    assert {tick.label: tick.at for tick in drawing.y_ticks}["0"] == 324.0
    assert {tick.label: tick.at for tick in drawing.y_ticks}["20"] == 38.3
    assert {tick.label: tick.at for tick in drawing.x_ticks} == {"0": 9.0, "2": 26.8, "4": 44.6, "6": 62.4, "8": 80.2,
                                                                 "10": 98.0}  # fmt: skip


def test_where_nothing_is_reversed_the_scale_ends_at_five_per_cent():
    drawing = draw_sizes(with_designs(every=(rate(5, 0.01),), significant=()))
    assert [one.kind for one in drawing.lines] == ["every disjoint", "every replacement"]
    assert points(drawing, "every disjoint") == [(1000.0, 240.0)]
    nothing = draw_sizes(with_designs(every=(), significant=()))
    assert nothing.lines == ()
    assert nothing.x_ticks[-1].label == "1"


def test_differences_stand_at_the_middle_of_classes_that_a_hundred_were_compared_in():
    classes = (
        ClassRate(0.0, 0.02, 0.4, 100), ClassRate(0.02, 0.04, 0.3, 99), ClassRate(0.04, 0.06, None, 100),
        ClassRate(0.06, 0.1, 0.2, 500), ClassRate(0.1, None, 0.1, 500),
    )  # fmt: skip
    drawing = draw_differences(with_designs(by_difference=classes))
    # Middles 0.01 and 0.08; the top is 0.42.
    assert points(drawing, "every disjoint") == [(125.0, 14.3), (1000.0, 157.1)]
    assert drawing.marks == ()


def test_marks_have_words_on_the_side_with_more_room_each_a_line_lower():
    classes = (ClassRate(0.0, 0.1, 0.4, 100), ClassRate(0.1, 0.3, 0.2, 100))
    left, right = draw_differences(with_designs(by_difference=classes), [(0.05, "one"), (0.2, "all")]).marks
    # The axis ends at 1.1 times the last mark, 0.22.
    assert (left.label, left.anchor, left.at, left.words_at, left.down) == ("one", "start", 29.23, 30.23, 38.0)
    assert (right.label, right.anchor, right.at, right.words_at, right.down) == ("all", "end", 89.91, 88.91, 58.0)


def test_profiles_begin_with_the_first_tenth_at_the_left():
    drawing = draw_profiles(with_designs(profile=(0.4, 0.2, 0.1)))
    assert points(drawing, "every replacement") == [(0.0, 14.3), (500.0, 157.1), (1000.0, 228.6)]


def compared(**fields) -> ComparedMeasures:
    values = {
        "deep": "AP", "shallow": "P@10", "kind": "results", "runs": "", "n_systems": 8, "n_topics": 20,
        "state": "studied", "n_compared_systems": 6, "share_low": 0.11, "share_high": 0.14, "topics_low": 1,
        "topics_high": 2, "prices": (),
        "rates": (RatesAtSize(5, 0.3, 0.4), RatesAtSize(10, 0.2, None), RatesAtSize(10, None, 0.1)),
    }  # fmt: skip
    return ComparedMeasures(**(values | fields))


def test_effort_of_the_shallow_measure_is_fourteen_hundredths_of_its_topics():
    drawing = draw_effort(compared())
    assert points(drawing, "every") == [(500.0, 85.7), (1000.0, 157.1)]
    assert points(drawing, "significant") == [(70.0, 14.3), (140.0, 228.6)]


def matrix_of(study: CollectionResolution | None, **fields) -> StudiedMatrix:
    values = {
        "measure": "AP", "decimals": 4, "kind": "results", "runs": "results on record", "source": "", "licence": "",
        "note": "", "n_systems": 8, "n_topics": 20, "digest": "", "state": "studied", "why": "", "findings": study,
        "detectable": None,
    }  # fmt: skip
    return StudiedMatrix(**(values | fields))


def document(*matrices: StudiedMatrix, efforts: tuple[ComparedMeasures, ...] = ()) -> ResolutionDocument:
    return ResolutionDocument("c", "C", "/c/", matrices, efforts)


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


@pytest.mark.parametrize(("decimals", "label"), [(4, "0.123"), (2, "0.1"), (1, "0.1")])
def test_thresholds_have_a_decimal_less_than_scores(decimals, label):
    study = replace(found(), significant=0.1234, significant_in_family=0.3)
    (section,) = sections_of(document(matrix_of(study, decimals=decimals)))
    assert section.thresholds.marks[0].label == f"{label} one planned test"
    assert section.thresholds.marks[1].label.endswith(" all pairs compared")


@pytest.mark.parametrize(("n_topics", "said"), [(20, ""), (249, ", 20 topics")])
def test_topics_of_the_matrix_are_said_where_the_leaderboard_has_others(n_topics, said):
    told = Detectable(significant=0.1, difference=0.2, low=None, high=None, n_topics=n_topics)
    (section,) = sections_of(document(matrix_of(found(), detectable=told)))
    assert section.thresholds.marks[0].label.endswith(f"one planned test{said}")


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


def test_efforts_that_are_still_to_be_found_are_not_drawn():
    waiting = compared(state="waiting", rates=())
    ((one, drawing),) = efforts_of(document(efforts=(waiting, compared())))
    assert one.state == "studied"
    assert np.all([line.points for line in drawing.lines])
