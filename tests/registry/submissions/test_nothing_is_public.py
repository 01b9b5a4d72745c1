"""What waits for a decision: nobody but its contributor and the reviewers finds anything of it before."""

from collections.abc import Sequence

import pytest
from django.test import Client

from registry.journal.models import Entry
from registry.results.models import Paper, Result, System
from registry.submissions.models import Submission
from registry.submissions.services.drafting import submit, update_row
from registry.submissions.services.reviewing import add_comment, publish_submission, return_submission, start_review
from tests.registry.factory import make_results, make_user
from tests.registry.submissions.world import make_robust04, make_submission, row
from tests.thoroughness import every

SECRET = {"system": "Secret Model", "value": "0.3777", "paper": "Hidden (SIGIR 2027)", "team": "Secret Lab"}
BOARD = "/leaderboards/trec-2004-robust/AP"
ADDRESSES = (
    "/", "/?q=Secret", "/collections/", "/collections/?q=Secret", "/collections/trec-2004-robust/",
    f"{BOARD}/", f"{BOARD}/?q=Secret", f"{BOARD}.json", f"{BOARD}.csv", f"{BOARD}.atom",
    "/log/", "/log/?q=Secret", "/log.atom", "/collections/trec-2004-robust/log/",
    "/collections/trec-2004-robust/log.atom", "/log/corrections/", "/people/hidden-author/",
    "/api/v1/collections/", "/api/v1/collections/trec-2004-robust/", "/api/v1/leaderboards/",
    "/api/v1/leaderboards/trec-2004-robust/AP/", "/systems/1/", "/papers/1/", "/results/9/", "/results/9.atom",
    "/api/v1/systems/1/", "/api/v1/papers/1/", "/api/v1/results/9/",
)  # fmt: skip
TRACES = ("secret", "hidden (sigir", "0.3777")


def traces(client: Client, addresses: Sequence[str] = ADDRESSES, answers: list[str] | None = None) -> list[str]:
    """Return the addresses whose answers tell of the secret, headers included; add all answers to ``answers``."""
    telling = []
    for address in addresses:
        response = client.get(address)
        if answers is not None:
            answers.append(response.getvalue().decode())
        # What was asked for stands in the answer to a search; what it found does not.
        asked = response.request["QUERY_STRING"].partition("=")[2].lower()
        answer = f"{dict(response.items())} {response.getvalue().decode()}".lower()
        answer = answer.replace(f'value="{asked}"', "").replace(f"q={asked}", "").replace(f"“{asked}”", "")
        answer = answer.replace(f"“<bdi>{asked}</bdi>”", "")
        telling += [address for trace in TRACES if trace in answer]
    return sorted(set(telling))


@pytest.fixture
def author():
    return make_user("hidden-author", email="author@example.org")


@pytest.fixture
def editor():
    return make_user("an-editor", is_editor=True)


@pytest.fixture
def waiting(author, editor) -> Submission:
    """A submission that went through everything and waits for the decision."""
    make_results(make_robust04(), [0.21, 0.22, 0.23, 0.24, 0.25, 0.26, 0.27, 0.28])
    rows = [row(**SECRET | {"value": "0.3778"})]
    submission = make_submission(author, rows=rows, note="Secret note")
    submission = submit(submission=submission, version=1, actor=author)
    submission = return_submission(submission=submission, version=2, actor=editor, reason="0.3777, not 0.3778: Secret")
    submission = update_row(submission=submission, line=1, cells=row(**SECRET), version=3, actor=author)
    submission = submit(submission=submission, version=4, actor=author)
    submission = start_review(submission=submission, version=5, actor=editor)
    add_comment(submission=submission, author=editor, text="Secret comment")
    return submission


def test_nothing_is_public_before_it_is_published(waiting, client):
    stranger = Client()
    stranger.force_login(make_user("stranger", email="stranger@example.org"))
    assert traces(client) == traces(stranger, every(3, ADDRESSES, __file__)) == []
    assert not Entry.objects.public().filter(subject_type="submission").exists()
    assert not System.objects.filter(name="Secret Model").exists()
    assert not Paper.objects.exists()


def test_once_published_it_is_on_the_record(waiting, client, editor):
    publish_submission(submission=waiting, version=6, actor=editor)
    result = Result.objects.get(system__name="Secret Model")
    assert result.recorded_by.actor == editor
    answers: list[str] = []
    telling = traces(client, answers=answers)
    assert {f"{BOARD}/", f"{BOARD}.json", f"{BOARD}.csv", "/api/v1/leaderboards/trec-2004-robust/AP/"} <= set(telling)
    assert f"/log/{result.recorded_by_id}/" in client.get("/log/").content.decode()
    # What contributor and reviewers said to each other stays between them.
    answers.append(client.get(f"/log/{result.recorded_by_id}/").content.decode())
    assert not any(secret in answer for answer in answers for secret in ("Secret note", "Secret comment", "not 0.3778"))
