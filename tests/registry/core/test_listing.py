"""Long lists of what is wrong: the first 50, and how many more there are, wherever something is listed."""

import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from registry.core.listing import first_listed, in_words, lines_of, n_unlisted
from registry.submissions.models import SubmittedRow
from tests.registry.factory import make_user
from tests.registry.pages import read
from tests.registry.submissions.world import make_robust04, make_submission

QUERY = "&".join(f"wrong{number}=1" for number in range(70))


@pytest.mark.parametrize(("n", "n_listed", "n_more"), [(0, 0, 0), (50, 50, 0), (51, 50, 1), (1234, 50, 1184)])
def test_what_is_beyond_fifty_is_counted(n: int, n_listed: int, n_more: int) -> None:
    items = [str(number) for number in range(n)]
    assert len(first_listed(items)) == n_listed
    assert n_unlisted(items) == n_more
    assert lines_of(items) == [*items[:50], *([f"… and {n_more:,} more."] if n_more else [])]


def test_in_a_sentence_it_is_said_at_the_end() -> None:
    assert in_words(["a", "b"], most=2) == "a; b"
    assert in_words(["a", "b", "c", "d"], most=2, separator=", ") == "a, b, and 2 more"


@pytest.mark.django_db
def test_an_address_with_much_wrong_in_it(client: Client) -> None:
    page = read(client, f"/collections/?{QUERY}", status=400)
    assert page.source.count("There is no parameter") == 50
    assert "and 20 more" in page.text


@pytest.mark.django_db
def test_programs_are_told_the_same(client: Client) -> None:
    answer = client.get(f"/api/v1/collections/?{QUERY}").json()
    assert len(answer["errors"]) == 50
    assert answer["error"].endswith(" The first 50 of 70 errors are listed.")


@pytest.mark.django_db
def test_a_table_that_can_hardly_be_read(client: Client) -> None:
    make_robust04()
    text = "system,AP\n" + "".join(f"system {number},0.3,{number},too many\n" for number in range(70))
    content = client.post("/submit/", {"text": text, "step": "read"}).content.decode()
    assert "What cannot be read (70)" in content
    assert content.count("<li>line ") == 50
    assert "and 20 more" in content


@pytest.mark.django_db
def test_a_text_of_which_nothing_can_be_read(client: Client) -> None:
    make_robust04()
    text = json.dumps({"results": [["not", "an", "object"]] * 70})
    content = client.post("/submit/", {"text": text, "step": "read"}).content.decode()
    assert "and 20 more" in content


@pytest.mark.django_db
def test_a_row_with_much_wrong_in_it(client: Client) -> None:
    person = make_user("person")
    submission = make_submission(person)
    faults: list[dict[str, Any]] = [{"field": f"f{n}", "code": "x", "message": f"fault {n}"} for n in range(70)]
    SubmittedRow.objects.filter(submission=submission).update(outcome="refused", rejections=faults)
    client.force_login(person)
    for path in (submission.get_absolute_url(), f"{submission.get_absolute_url()}rows/1/"):
        page = read(client, path)
        assert page.source.count("fault ") == 50
        assert "and 20 more" in page.text


@pytest.mark.django_db
def test_commands_count_what_they_do_not_name(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError):
        call_command("verify", head=[(number + 1, "0" * 64) for number in range(70)])
    assert "and 20 more." in capsys.readouterr().out
