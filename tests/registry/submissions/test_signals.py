"""What reviewers are told to look at: for each signal a row that has it, and a near one that has not."""

import pytest

from registry.catalog.models import Leaderboard
from registry.results.services.merging import merge_systems
from registry.submissions.models import Signal
from registry.submissions.services.drafting import update_row
from registry.submissions.services.reviewing import start_review
from tests.registry.factory import (
    make_collection,
    make_entry,
    make_leaderboard,
    make_measure,
    make_paper,
    make_result,
    make_results,
    make_system,
    make_user,
)
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.submissions.world import make_submission, make_submitted, row


def signals_of(**cells: str) -> dict[str, tuple[str, str]]:
    """Return severity and message of each signal of a row, by code; see that it is told of nothing else."""
    rows = make_submission(rows=[row(**cells)]).rows
    assert rows.get().outcome in {"new", "differs"}, rows.get().rejections
    return {signal.code: (signal.severity, signal.message) for signal in rows.get().signals.all()}


def test_a_plain_new_row_has_none(board):
    make_results(board, [0.2, 0.25, 0.3])
    assert signals_of() == {}


# --- duplicate


def test_the_same_score_in_another_paper_is_for_information(board):
    make_result(board, make_system("Model X"), "0.3012", paper=make_paper("Roe (ECIR 2022)"))
    assert signals_of(role="baseline") == {
        "duplicate": ("info", "Model X has the same score here already, from Roe (ECIR 2022).")
    }


@pytest.mark.parametrize("printed", ["0.3012", "0.301", "0.30120", ".3012", "0.30"])
def test_the_same_score_of_the_same_system_from_elsewhere_in_whatever_digits(board, printed):
    make_result(board, make_system("Model X"), printed, source="a leaderboard's page")
    score = "the same score" if float(printed) == 0.3012 else f"the same score, as {printed},"
    message = f"Model X has {score} here already, from a leaderboard's page."
    assert signals_of() == {"duplicate": ("warning", message)}


def test_a_system_that_was_merged_is_compared_under_its_name_of_today(board):
    old, new = make_system("Model-X"), make_system("The Model")
    make_result(board, new, "0.3012")
    merge_systems(source=old, target=new, actor=None, reason="one system")
    assert signals_of(system="Model-X")["duplicate"][1].startswith("The Model has the same score here already")


def test_another_submission_that_waits_with_the_same_result(board):
    make_submitted(rows=[row(value="0.4")])
    second = make_submitted(make_user())
    assert not Signal.objects.exists(), "what others submit is nobody's business before a review"
    editor = make_user(is_editor=True)
    second = start_review(submission=second, version=second.version, actor=editor)
    (signal,) = Signal.objects.all()
    assert (signal.row.submission, signal.code, signal.severity) == (second, "duplicate", "warning")
    assert signal.message == "Another submission in review has the same result."
    update_row(submission=second, line=1, cells=row(system="Model Y"), version=second.version, actor=editor)
    assert not Signal.objects.exists()


# --- contested


@pytest.mark.parametrize("printed", ["0.3014", "0.302", "0.4"])
def test_a_score_that_rounding_does_not_explain_is_contested(board, printed):
    make_result(board, make_system("Model X"), printed)
    assert "contested" in signals_of()


# --- value not reachable


@pytest.fixture
def core2017() -> Leaderboard:
    return make_leaderboard(make_collection("trec-2017-core", n_topics=50), make_measure("P@10"))


def at_10(value: str, **cells: str) -> dict[str, tuple[str, str]]:
    return signals_of(collection="trec-2017-core", measure="P@10", value=value, **cells)


def test_a_mean_of_precision_at_10_over_50_topics_is_a_multiple_of_one_500th(core2017):
    assert at_10("0.4520") == {}
    assert at_10("0.4531") == {
        "unreachable_value": (
            "warning",
            "No mean of P@10 over 50 topics gives this; the nearest are 0.452 and 0.454. Check digits, measure and"
            " topics.",
        )
    }


# --- far outside, percent against fraction

USUAL = [0.21, 0.22, 0.23, 0.24, 0.25, 0.26, 0.27, 0.28]


def test_five_robust_deviations_from_the_median_are_far(board):
    make_results(board, USUAL)
    # Median 0.245, median absolute deviation 0.02: five times 1.4826 times that are 0.148.
    assert signals_of(value="0.393") == {}
    assert signals_of(value="0.394") == {
        "far_outside": (
            "warning",
            "The 8 scores on record lie between 0.2100 and 0.2800. This is far outside, 5.0 robust standard deviations"
            " from their median 0.245.",
        )
    }


def test_seven_results_do_not_tell_what_is_usual(board):
    make_results(board, USUAL[:7])
    assert signals_of(value="0.9") == {}


def test_a_fraction_among_percentages_and_the_other_way_round():
    percent = make_measure("Percent", low=0, high=100, decimals=1)
    make_results(make_leaderboard(make_collection("a"), percent), [100 * value for value in USUAL])
    fraction = make_measure("Fraction", low=None, high=None, decimals=2)
    make_results(make_leaderboard(make_collection("b"), fraction), USUAL)
    assert signals_of(collection="a", measure="Percent", value="0.24")["percent_scale"] == (
        "warning",
        "The 8 scores on record lie between 21.0 and 28.0. Is it a percentage?",
    )
    assert signals_of(collection="b", measure="Fraction", value="24")["percent_scale"][1].endswith(
        "between 0.21 and 0.28. Is it a percentage?"
    )


# --- above all others


def test_a_score_above_all_others_by_more_than_the_margin(client):
    board = make_board()
    margin = analyse(board).headline["margin"]
    cells = {"collection": board.collection.slug, "measure": board.measure.name}
    within, beyond = (f"{0.31 + margin + more:.4f}" for more in (-0.0002, 0.0002))
    assert "above_all" not in signals_of(value=within, **cells)
    severity, message = signals_of(value=beyond, **cells)["above_all"]
    assert severity == "warning"
    assert message.startswith(
        f"This is above everything on record here, 0.3100, by more than the margin, {margin:.4f}."
    )
    for value, is_odd in ((within, False), (0.31 + 2 * margin, True)):
        checked = client.get("/api/v1/check/", cells | {"score": value}).json()
        assert any("unusually high" in sentence for sentence in checked["of_score"]) is is_odd


# --- another number of topics


@pytest.mark.parametrize(("n_topics", "is_odd"), [("249", False), ("225", False), ("224", True), ("20", True)])
def test_a_mean_over_other_topics(board, n_topics, is_odd):
    expected = {"other_topics": ("warning", f"This mean is over {n_topics} topics; others here are over 249.")}
    assert signals_of(n_topics=n_topics) == (expected if is_odd else {})


# --- copied scores, renamed organisations


@pytest.mark.parametrize(("n_same", "n"), [(5, 5), (5, 6), (4, 5), (5, 7)])
def test_scores_that_are_those_of_another_system(n_same, n):
    other, measure, rows = make_system("voyage-3"), make_measure("AP"), []
    for number in range(n):
        board = make_leaderboard(make_collection(f"set-{number}"), measure)
        make_result(board, other, f"0.61{number}5")
        value = f"0.61{number}5" if number < n_same else "0.500"
        rows.append(row(collection=f"set-{number}", measure="AP", system="rover-33m", value=f"{value}0"))
    signals = Signal.objects.filter(row__submission=make_submission(rows=rows), code="copied")
    if n_same < 5 or n_same < 0.8 * n:
        assert not signals.exists()
    else:
        message = f"5 of its {n} scores here are those of voyage-3, to the digit. Is it the same system?"
        assert set(signals.values_list("message", flat=True)) == {message}
        assert signals.count() == 5


@pytest.mark.parametrize("name", ["dunzhang/stella-v5", "NovaSearch/stella-v5", "stella-v6", "dunzhang/stella-v6"])
def test_a_name_that_another_organisation_has_on_record(board, name):
    make_result(board, make_system("NovaSearch/stella-v5"), "0.2")
    expected = {"moved": ("warning", "NovaSearch/stella-v5 is on record with 1 result. Was its organisation renamed?")}
    signals = signals_of(system=name, team="somebody")
    assert {code: signal for code, signal in signals.items() if code == "moved"} == (
        expected if name == "dunzhang/stella-v5" else {}
    )


# --- all of them


def test_a_row_has_each_signal_once(board):
    entry = make_entry()
    for number in range(20):
        make_result(board, make_system("Model X", f"lab {number}"), f"0.2{number:02}", recorded_by=entry)
    signalled = make_submission(rows=[row(value="0.9", team="–")]).rows.get().signals
    assert sorted(signalled.values_list("code", flat=True)) == ["contested", "far_outside"]
