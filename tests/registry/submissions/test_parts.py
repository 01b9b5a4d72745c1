"""A part of a submission is accepted: it is published as one of its own, and the rest stays with what is asked."""

from typing import Any

import pytest

from registry.results.models import Result
from registry.submissions.models import Submission
from registry.submissions.queries import published_entry
from tests.registry.pages import read
from tests.registry.results.people import editor, signed_in
from tests.registry.submissions.world import make_robust04, make_submitted, row

ASKED = "Which table is row 2 from?"


@pytest.fixture
def grace() -> Any:
    return signed_in(editor())


@pytest.fixture
def waiting(grace) -> Submission:
    make_robust04()
    submission = make_submitted(rows=[row(system=f"Model {n}") for n in range(1, 4)])
    grace.post(f"/moderation/{submission.pk}/start/", {"version": submission.version})
    submission.refresh_from_db()
    return submission


def decide(client: Any, submission: Submission, *lines: int, **sent: str) -> Any:
    form = {"version": submission.version, "decision": "part", "lines": lines} | sent
    return client.post(f"/moderation/{submission.pk}/", form, follow=True)


def standing() -> list[str]:
    return sorted(Result.objects.standing().values_list("system__name", flat=True))


def test_the_rest_stays_in_review_with_what_is_asked_and_the_part_is_undone_as_any(grace, waiting):
    page = decide(grace, waiting, 1, 3, reason=ASKED).content.decode()
    assert "They are published. The rest is still in review." in page
    assert standing() == ["Model 1", "Model 3"]
    waiting.refresh_from_db()
    assert (waiting.state, list(waiting.rows.values_list("line", flat=True))) == ("in_review", [2])
    part = Submission.objects.exclude(pk=waiting.pk).get()
    page = read(signed_in(waiting.contributor), waiting.get_absolute_url()).text
    assert f"part published 2 rows, now submission {str(part.pk)[:8]}" in page
    assert ASKED in page
    grace.post(f"/log/{published_entry(part).pk}/undo/", {"reason": "another table"})
    assert standing() == []
    decide(grace, waiting, decision="publish")
    assert standing() == ["Model 2"]


@pytest.mark.parametrize("lines", [(), (1, 2, 3), (9,)])
def test_it_takes_some_of_the_rows(grace, waiting, lines):
    page = decide(grace, waiting, *lines).content.decode()
    assert "Choose some of its rows" in page or "is not one of the available choices" in page
    assert Submission.objects.count() == 1
    assert all(f'value="{line}" form="decide"' in page for line in (1, 2, 3))


def test_what_was_changed_meanwhile_or_is_refused_keeps_all_of_it(grace, waiting):
    waiting.rows.filter(line=1).update(cells=row(value="1.3"), content="")
    assert "1 row is refused" in decide(grace, waiting, 1).content.decode()
    Submission.objects.filter(pk=waiting.pk).update(version=9)
    assert "Changed in the meantime" in decide(grace, waiting, 2).content.decode()
    assert standing() == []
    assert Submission.objects.get().rows.count() == 3
