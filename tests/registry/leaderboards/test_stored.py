"""Where results stand by what is stored of their leaderboard."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from analysis.boards import BoardInputs, BoardRow, Caution, KnownVariance, MeasureFacts, ReferenceFactors, study
from registry.leaderboards.stored import StoredBoard

VALUES = (0.41, 0.40, 0.31, 0.30, 0.27, 0.22, 0.18, 0.12)
ROWS = tuple(
    BoardRow(id=number, system=f"s{number}", printed=str(value), value=value, year=2000 + number)
    for number, value in enumerate(VALUES, 1)
)
OWN = KnownVariance(
    kind="own-variance", value=0.02, degrees_of_freedom=18.0, sources=("runs",), n_systems=12, n_topics=50
)


def among(n: int) -> ReferenceFactors:
    means = (0.1, 0.2, 0.27, 0.35, 0.5, 0.6)[:n]
    return ReferenceFactors(basis="published-means", name=f"{n} runs", n_systems=n, frozen="2026-01-01", means=means)


def stored(rows=ROWS, *, year=None, cautions=(), higher_is_better=True, **facts) -> StoredBoard:
    measure = MeasureFacts(name="AP", higher_is_better=higher_is_better)
    given = {"collection": "c", "measure": measure, "rows": tuple(rows), "n_topics": 50, "variances": (OWN,)}
    inputs = BoardInputs(**(given | facts))
    findings = study(inputs)
    if cautions:
        findings = replace(findings, verdict=replace(findings.verdict, cautions=cautions))
    return StoredBoard(7, year, "id", datetime(2026, 1, 1, tzinfo=UTC), False, inputs, findings)


def with_roles(**roles: str) -> list[BoardRow]:
    return [replace(row, role=roles.get(row.system, "leaderboard")) for row in ROWS]


def test_the_best_of_earlier_years_has_no_flag_and_is_no_older_than_the_collection():
    board = stored()
    assert board.best_before(2001) is None
    before = board.best_before(2004)
    assert (before.result, before.system, before.value, before.year) == (1, "s1", 0.41, 2001)
    flagged = stored(cautions=(Caution(code="gap", message="m", results=(1, 2), is_flag=True),))
    assert [row.id for row in flagged.unflagged] == [3, 4, 5, 6, 7, 8]
    assert flagged.best_before(2003) is None
    assert flagged.best_before(2004).result == 3
    younger = stored(year=2005)
    assert [(year, row.id) for year, row in younger.dated][3:6] == [(2005, 4), (2005, 5), (2006, 6)]
    assert younger.best_before(2005) is None
    undated = stored([replace(row, year=None if row.id == 1 else row.year) for row in ROWS])
    assert (len(undated.dated), undated.best_before(2010).result) == (7, 2)


def test_a_strip_says_rank_distance_and_what_came_before():
    board = stored()
    first, third = board.strip(1), board.strip(3)
    assert (first.rank, first.n_results, first.is_best, first.is_held_back) == (1, 8, True, False)
    assert (first.may_be_best, first.rival, first.before) == (True, "", None)
    assert (first.worth, first.worth_decimals) == (
        board.findings.verdict.corrected.value, board.findings.verdict.corrected.decimals,
    )  # fmt: skip
    assert (third.rank, third.is_best, third.worth, third.worth_decimals) == (3, False, None, 0)
    assert (third.rival, third.distance.behind) == ("s1", pytest.approx(0.1))
    assert (third.before.result, third.baseline, third.percentile, third.reference) == (1, None, None, "")
    assert board.strip(99) is None
    outside = stored([*ROWS, replace(ROWS[0], id=9, system="s9", comparability="oracle", year=2010)])
    strip = outside.strip(9)
    assert (strip.rank, strip.is_best, strip.before, strip.n_results) == (None, False, None, 8)
    assert [row.id for row in outside.competing] == list(range(1, 9))


def test_a_result_is_set_beside_the_best_baseline_of_its_paper():
    board = stored(with_roles(s1="proposed", s6="baseline", s7="baseline"), references=(among(6),))
    baseline = board.strip(1, baselines=[7, 6, 99], n_own=2).baseline
    assert (baseline.result, baseline.system, baseline.value, baseline.gain) == (6, "s6", 0.22, pytest.approx(0.19))
    assert baseline.is_beyond is True
    # 0.1 and 0.2 of the six are worse than 0.22; 0.27 is one of them, of which half counts.
    assert baseline.percentile == pytest.approx(100 * 2 / 6)
    assert baseline.is_weak
    assert board.percentile(5) == pytest.approx(100 * 2.5 / 6)
    assert board.strip(1).baseline is None
    assert board.strip(2, baselines=[6]).baseline is None, "it is none that the paper prints as its own"
    close = stored(with_roles(s1="proposed", s2="baseline")).strip(1, baselines=[2]).baseline
    assert (close.is_beyond, close.percentile, close.is_weak) == (False, None, False)
    worse = stored(with_roles(s8="proposed", s2="baseline")).strip(8, baselines=[2]).baseline
    assert (worse.gain, worse.is_beyond) == (pytest.approx(-0.28), False)
    unknown = stored(with_roles(s1="proposed", s2="baseline"), variances=(), n_topics=None)
    assert unknown.strip(1, baselines=[2]).baseline.is_beyond is None


def test_where_less_is_better_the_lowest_baseline_is_the_best():
    board = stored(with_roles(s8="proposed", s6="baseline", s7="baseline"), higher_is_better=False)
    baseline = board.strip(8, baselines=[6, 7]).baseline
    assert (baseline.result, baseline.gain) == (7, pytest.approx(0.06))
    assert (board.sign, board.best.id, board.strip(8).rank) == (-1.0, 8, 1)


@pytest.mark.parametrize(("n", "reference"), [(4, ""), (5, "5 runs"), (6, "6 runs")])
def test_among_fewer_than_five_nobody_has_a_percentile(n, reference):
    board = stored(references=(among(n),))
    assert board.reference == board.strip(1).reference == reference
    assert (board.percentile(1) is None) == (not reference)
    assert board.percentile(99) is None
