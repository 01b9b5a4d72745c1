"""What waits, decided many at a time: by source, proposed by rules, undone as one."""

import re

import pytest

from registry.catalog.models import Leaderboard
from registry.journal.models import Entry
from registry.results.models import Result
from registry.results.services import endings
from registry.submissions.models import Submission
from tests.registry.factory import make_leaderboard, make_measure, make_result, make_system, make_user
from tests.registry.pages import Page, read
from tests.registry.results.people import editor, signed_in
from tests.registry.submissions.world import make_robust04, make_submitted, row

QUEUE = "/moderation/"


@pytest.fixture(autouse=True)
def record() -> None:
    """One row differs from what stands; the others are new."""
    board = make_robust04()
    make_leaderboard(board.collection, make_measure("P@20"))
    make_result(board, make_system("Known"), "0.2500", source="a page")


def chosen(page: Page, *, checked: bool = True) -> list[str]:
    """Return what is chosen on the page, or what may be."""
    boxes = [box for box in page.of("input") if box.get("name") == "chosen"]
    return [box["value"] for box in boxes if not checked or "checked" in box]


def states() -> list[str]:
    return sorted(Submission.objects.values_list("state", flat=True))


def last_entry(page: Page) -> str:
    (box,) = [tag for tag in page.of("input") if tag.get("name") == "undo"]
    return box["value"]


def test_they_stand_by_their_source_and_those_without_a_question_are_chosen():
    for name, paper in (("A", "Doe (SIGIR 2021)"), ("B", "Roe (CIKM 2022)"), ("C", "Doe (SIGIR 2021)")):
        make_submitted(rows=[row(system=name, paper=paper)])
    make_submitted(rows=[row(system="Known", value="0.9", paper="", source="a page")])
    page = read(signed_in(editor()), QUEUE)
    assert [text for level, text in page.headings if level == 2][:3] == [
        "Doe (SIGIR 2021)",
        "Roe (CIKM 2022)",
        "a page",
    ]
    assert "4 submissions wait; 3 of them raise no question." in page.text
    assert len(chosen(page)) == 3
    assert len(chosen(page, checked=False)) == 4
    assert len(chosen(read(signed_in(editor()), f"{QUEUE}?rule=differs"), checked=False)) == 1


def test_many_are_accepted_in_one_action_and_undone_in_one(monkeypatch):
    for number in range(12):
        make_submitted(rows=[row(system=f"Model {number}"), row(system=f"Model {number}", measure="P@20")])
    client = signed_in(editor())
    assert client.post(QUEUE, {"decision": "publish", "chosen": chosen(read(client, QUEUE))}).status_code == 302
    assert states() == ["published"] * 12
    assert Result.objects.standing().count() == 25
    undo = {"undo": last_entry(read(client, QUEUE)), "reason": "another table"}
    monkeypatch.setattr(endings, "MOST_CHANGES", 20)
    assert "type the number 24" in client.post(QUEUE, undo).content.decode()
    assert Result.objects.standing().count() == 25
    assert client.post(QUEUE, undo | {"confirmed_rows": "24"}).status_code == 302
    assert Result.objects.standing().count() == 1
    assert Entry.objects.get(action="submissions.batch.undone").reason == "another table"
    assert "Undo what you decided last" not in read(client, QUEUE).text
    assert "There is nothing to undo any more." in client.post(QUEUE, undo).content.decode()


@pytest.mark.parametrize("decision", ["return", "refuse"])
def test_asking_and_rejecting_take_a_reason_and_are_undone(decision):
    make_submitted(rows=[row(system="A")])
    make_submitted(rows=[row(system="B")])
    client = signed_in(editor())
    form = {"decision": decision, "chosen": chosen(read(client, QUEUE))}
    assert "Give a reason." in client.post(QUEUE, form).content.decode()
    assert states() == ["submitted"] * 2
    client.post(QUEUE, form | {"reason": "which table?"})
    assert set(Submission.objects.values_list("decision_reason", flat=True)) == {"which table?"}
    client.post(QUEUE, {"undo": last_entry(read(client, QUEUE)), "reason": "Table 2 it is"})
    assert states() == ["in_review"] * 2


def test_what_changed_meanwhile_and_ones_own_are_left():
    grace = make_user("grace", is_editor=True)
    own = make_submitted(grace, rows=[row(system="Own")])
    other = make_submitted(rows=[row(system="Other")])
    client = signed_in(grace)
    page = read(client, QUEUE)
    assert [choice.split(":")[0] for choice in chosen(page, checked=False)] == [str(other.pk)]
    Submission.objects.filter(pk=other.pk).update(version=other.version + 1)
    sent = {"decision": "publish", "chosen": [*chosen(page), f"{own.pk}:{own.version}"]}
    page_after = client.post(QUEUE, sent, follow=True).content.decode()
    assert "was left: Changed in the meantime" in page_after
    assert states() == ["submitted"] * 2
    assert "Choose submissions first." in client.post(QUEUE, {"decision": "publish"}).content.decode()


def test_two_people_who_read_the_same_are_proposed_together():
    for name in ("ada", "bob"):
        make_submitted(make_user(name), rows=[row(system="Same"), row(system="Same", measure="P@20", value="0.4")])
    make_submitted(make_user("eve"), rows=[row(system="Same", value="0.3013")])
    client = signed_in(editor())
    page = read(client, f"{QUEUE}?rule=agreed")
    assert len(chosen(page)) == 2
    assert re.search(r"Second reader agrees\s*2\D", page.text)
    assert "eve" not in page.text


def test_scores_on_record_from_the_cited_line_are_proposed_together():
    cited = {"source": "castorini/anserini", "locator": "docs/robust04.md#L43"}
    board = Leaderboard.objects.get(measure__name="AP")
    make_result(board, make_system("Anserini BM25"), "0.3012", **cited)
    address = f"https://github.com/castorini/anserini/blob/4f3c9c1/{cited['locator']}"
    for name, where in (
        ("A", cited),
        ("B", {"source": address, "locator": ""}),
        ("C", cited | {"locator": "a.md#L43"}),
    ):
        make_submitted(rows=[row(system=name, **where)])
    make_submitted(rows=[row(system="D", value="0.3011", **cited)])
    client = signed_in(editor())
    page = read(client, f"{QUEUE}?rule=cited")
    assert re.search(r"Same line on record\s*2\D", page.text)
    client.post(f"{QUEUE}?rule=cited", {"decision": "publish", "chosen": chosen(page)})
    assert states() == ["published"] * 2 + ["submitted"] * 2
    client.post(QUEUE, {"undo": last_entry(read(client, QUEUE)), "reason": "another commit"})
    assert Result.objects.standing().count() == 2
