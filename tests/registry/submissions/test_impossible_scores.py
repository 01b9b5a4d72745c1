"""Scores of one system that cannot stand beside each other are told at the rows of a draft, and don't compete."""

from typing import Any

import pytest
from django.test import Client

from registry.results.models import Result
from registry.submissions.models import Submission, SubmittedRow
from registry.submissions.services.drafting import update_row
from registry.submissions.services.reviewing import publish_part, publish_submission
from tests.registry.api.programs import Program
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_result, make_system, make_user
from tests.registry.submissions.world import make_published, make_submission, make_submitted, outcomes, row

IMPOSSIBLE = {"P@1": "0.2162", "nDCG@1": "0.2762", "R@100": "0.9000"}
WRONG = "mpossible in its source: nDCG@1 (0.2762) is above P@1 (0.2162)"
UNEQUAL = {"P@1": "0.4286", "RR@1": "0.4082"}


@pytest.fixture(autouse=True)
def boards() -> None:
    collection = make_collection("robust04")
    for name in ("P@1", "P@10", "nDCG@1", "RR@1", "R@10", "R@100", "AP@10"):
        make_leaderboard(collection, make_measure(name))


def rows(scores: dict[str, str], **cells: str) -> list[dict[str, str]]:
    return [row(measure=measure, value=value, **cells) for measure, value in scores.items()]


def messages(submission: Submission) -> list[str]:
    """Return what rows are told of scores that exclude each other, by line; blank for none."""
    of_rows = [row.signals.filter(code="impossible").first() for row in submission.rows.order_by("line")]
    return [signal.message if signal else "" for signal in of_rows]


def recorded() -> dict[str, tuple[str, str]]:
    """Return how results compare and what they note, by measure."""
    of = Result.objects.standing().values_list("leaderboard__measure__name", "comparability", "notes")
    return {measure: notes for measure, *notes in of}


def test_all_rows_say_both_numbers_and_none_of_them_competes_once_published():
    submission = make_submitted(rows=[*rows(IMPOSSIBLE), *rows(IMPOSSIBLE | {"nDCG@1": "0.2100"}, system="Model Y")])
    assert messages(submission) == [f"I{WRONG}. It won’t compete until one is put right."] * 3 + [""] * 3
    publish_submission(submission=submission, version=submission.version, actor=make_user(is_editor=True))
    of_x = Result.objects.filter(system__name="Model X").values_list("comparability", "notes")
    assert set(of_x) == {("doubtful", f"i{WRONG}")}
    assert set(Result.objects.filter(system__name="Model Y").values_list("comparability", "notes")) == {
        ("standard", "")
    }
    again = make_submission(make_user(), rows=rows(IMPOSSIBLE))
    assert (outcomes(again), messages(again)) == (["same"] * 3, [""] * 3)


@pytest.mark.parametrize(
    ("scores", "wrong"),
    [
        ({"R@1": "0.3", "P@1": "0.2"}, None),
        ({"R@10": "0.8010", "R@100": "0.7010"}, "R@100 (0.701) is too low beside R@10 (0.801)"),
        ({"P@1": "0.9010", "P@10": "0.0810"}, "P@10 (0.081) is too low beside P@1 (0.901)"),
        ({"AP@10": "0.5010", "R@10": "0.4010"}, "AP@10 (0.501) is above R@10 (0.401)"),
        # Two digits may be rounded by more; percentages are fractions.
        ({"nDCG@1": "0.28", "P@1": "0.27"}, None),
        ({"nDCG@1": "27.62%", "P@1": "21.62%"}, "nDCG@1 (0.2762) is above P@1 (0.2162)"),
    ],
)
def test_what_is_impossible(scores, wrong):
    make_measure("R@1")
    submission = make_submission(rows=rows(scores))
    message = f"Impossible in its source: {wrong}. It won’t compete until one is put right." if wrong else ""
    assert messages(submission) == [message] * 2


def test_a_reciprocal_rank_that_is_no_precision_is_noted_and_competes():
    submission = make_published(rows=rows(UNEQUAL, notes="bold"))
    says = "RR@1 (0.4082) is not P@1 (0.4286) in its source"
    assert messages(submission) == [f"{says}. Once published, it says so."] * 2
    assert recorded() == {name: ["standard", f"bold; {says}"] for name in UNEQUAL}


def test_a_score_put_right_frees_the_others():
    submission = make_submission(rows=rows(IMPOSSIBLE))
    right = row(measure="nDCG@1", value="0.2062")
    actor = submission.contributor
    submission = update_row(submission=submission, line=2, cells=right, version=submission.version, actor=actor)
    assert messages(submission) == [""] * 3


def test_what_is_on_record_of_the_same_source_is_beside_it():
    system = make_system("Model X")
    first = make_published(rows=rows({"P@1": "0.2162"}))
    source, board = Result.objects.get().source, make_leaderboard(make_collection(), make_measure("P@5"))
    make_result(board, system, "0.1", source=source)
    assert messages(make_submission(rows=rows({"nDCG@1": "0.2762"})))[0].startswith(f"I{WRONG}")
    assert messages(make_submission(rows=rows({"nDCG@1": "0.2762"}, paper="Roe (ECIR 2022)"))) == [""]
    assert messages(make_submission(rows=rows({"P@1": "0.2862", "nDCG@1": "0.2762"}))) == ["", ""]
    assert messages(first) == [""]


def test_a_part_is_published_with_what_the_rest_says_of_it():
    submission = make_submitted(rows=rows(IMPOSSIBLE))
    editor = make_user(is_editor=True)
    rest = publish_part(submission=submission, version=submission.version, actor=editor, lines=[2])
    assert recorded() == {"nDCG@1": ["doubtful", f"i{WRONG}"]}
    publish_submission(submission=rest, version=rest.version, actor=editor)
    assert {comparability for comparability, _ in recorded().values()} == {"doubtful"}


def test_a_program_hears_it_in_a_dry_run_and_has_no_place():
    body: dict[str, Any] = Program().create(rows(IMPOSSIBLE), query="?dry_run=true").json()
    assert [row["place"] for row in body["results"]] == [None] * 3
    assert all(WRONG in row["signals"][0]["message"] for row in body["results"])
    assert SubmittedRow.objects.count() == 0


def test_somebody_who_has_not_signed_in_sees_it_beside_a_pasted_table(client: Client):
    text = "system\tP@1\tnDCG@1\nModel X\t0.2162\t0.2762\n"
    form = {"text": text, "collection": "robust04", "role": "proposed", "paper": "Doe (SIGIR 2021)", "step": "check"}
    assert WRONG in client.post("/submit/", form).content.decode()
