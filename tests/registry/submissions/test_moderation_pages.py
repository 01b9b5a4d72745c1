"""The pages of reviewers: what waits, a submission beside what stands, decisions, comments."""

import re

import pytest
from django.test import Client

from registry.catalog.models import Collection
from registry.journal.models import Entry
from registry.results.models import Confirmation, Result
from registry.results.services import mass_changes
from registry.results.services.corrections import request_correction
from registry.results.services.endings import withdraw_result
from registry.submissions.models import Comment, Signal, Submission
from registry.submissions.pipeline.signals import ALIKE, FAR, MAD_TO_SD, MIN_RECORDED
from registry.submissions.services.drafting import update_row
from registry.submissions.services.reviewing import return_submission, start_review
from tests.registry.factory import make_collection, make_result, make_system, make_user
from tests.registry.pages import Page, read
from tests.registry.results.people import editor, signed_in
from tests.registry.submissions.world import make_published, make_robust04, make_submission, make_submitted, row

pytestmark = pytest.mark.django_db

QUEUE = "/moderation/"


@pytest.fixture(autouse=True)
def board():
    return make_robust04()


def page_of(submission: Submission) -> str:
    return f"/moderation/{submission.pk}/"


def in_review(contributor=None, **fields) -> Submission:
    submission = make_submitted(contributor, **fields)
    return start_review(submission=submission, version=submission.version, actor=make_user(is_editor=True))


def decide(client: Client, submission: Submission, decision: str = "publish", **given):
    typed = {"decision": decision, "version": submission.version, "reason": ""} | given
    return client.post(page_of(submission), typed)


def decisions(page: Page) -> list[str]:
    """What the page offers to decide."""
    return [one["value"] for one in page.of("input") if one.get("name") == "decision"]


# --- what waits


def test_the_oldest_waits_first_with_what_is_in_it():
    first = make_submitted(make_user("ada"), rows=[row(), row(system="Model Y", value="0.3")])
    second = make_submitted(make_user("grace"), way="table")
    make_submission(make_user("drafting"))
    page = read(signed_in(editor()), QUEUE)
    rows = [cells for cells in page.rows if len(cells) > 1][1:]
    assert [cells[1:4] for cells in rows] == [["ada", "form", "submitted"], ["grace", "table", "submitted"]]
    assert [cells[4] for cells in rows] == ["Model X on robust04 …", "Model X on robust04"]
    assert [cells[5:] for cells in rows] == [["2", "2", "0", "0", "0", "0"], ["1", "1", "0", "0", "0", "0"]]
    assert [address for address, _ in page.links if address.startswith("/moderation/") and len(address) > 20] == [
        page_of(first),
        page_of(second),
    ]


def test_nothing_waits():
    assert "Nothing waits for review." in read(signed_in(editor()), QUEUE).text


def test_the_queue_is_narrowed(subtests):
    make_published(make_user(), rows=[row(system="Model A", value="0.2", paper="Poe (CIKM 2022)")])
    make_submitted(make_user("grace"), way="table", rows=[row(system="Model Y")])
    in_review(make_user("ada"), rows=[row(system="Model A")])
    mary = make_submitted(make_user("mary"), rows=[row(system="Model Z")])
    return_submission(submission=mary, version=mary.version, actor=make_user(is_editor=True), reason="which table?")
    client = signed_in(editor())
    for query, people in (
        ("?way=table", ["grace"]),
        ("?state=in_review", ["ada"]),
        ("?state=returned", ["mary"]),
        ("?collection=robust04", ["grace", "ada"]),
        ("?warnings=yes", ["ada"]),
        ("?warnings=no", ["grace"]),
    ):
        with subtests.test(query):
            assert [cells[1] for cells in read(client, QUEUE + query).rows[1:] if len(cells) > 1] == people


def test_what_was_decided_comes_the_newest_first():
    for name in ("ada", "grace", "mary"):
        make_submitted(make_user(name), rows=[row(system=name)])
    edith = make_user(is_editor=True)
    for name in ("grace", "ada", "mary"):
        submission = Submission.objects.get(contributor__username=name)
        return_submission(submission=submission, version=submission.version, actor=edith, reason="which table?")
    shown = [cells[1] for cells in read(signed_in(editor()), f"{QUEUE}?state=returned").rows[1:] if len(cells) > 1]
    assert shown == ["mary", "ada", "grace"]


def test_an_unknown_collection_is_named_with_the_one_that_may_be_meant():
    assert "did you mean trec-2004-robust?" in read(signed_in(editor()), f"{QUEUE}?collection=robst04", status=400).text


def test_what_the_queue_does_not_know_is_refused(subtests):
    client = signed_in(editor())
    for query in ("?state=draft", "?way=fax", "?collection=nowhere", "?warnings=all", "?page=0", "?x=1"):
        with subtests.test(query):
            assert "no" in read(client, QUEUE + query, status=400).text


def test_the_queue_is_for_reviewers():
    assert Client().get(QUEUE)["Location"] == f"/accounts/login/?next={QUEUE}"
    assert signed_in().get(QUEUE).status_code == 403
    assert signed_in(editor()).post(QUEUE).status_code == 405


def test_a_curator_sees_the_own_collections():
    curator = make_user()
    Collection.objects.get().curators.create(user=curator)
    make_collection("trec-8")
    make_submitted(make_user("ada"))
    make_submitted(make_user("grace"), rows=[row(collection="trec-8")])
    page = read(signed_in(curator), QUEUE)
    assert "ada" in page.text
    assert "grace" not in page.text


def test_the_queue_takes_as_many_queries_for_many(django_assert_num_queries):
    client = signed_in(editor())
    for number in range(4):
        make_submitted(make_user(), rows=[row(system=f"Model {number}")])
    with django_assert_num_queries(8):
        client.get(QUEUE)


def test_the_header_says_how_much_waits():
    make_submitted(make_user())
    result = make_result()
    request_correction(result=result, requester=make_user(), kind="dispute", reason="no")
    grace = editor()
    make_submitted(grace, rows=[row(system="Her own")])
    page = read(signed_in(grace), "/")
    assert page.link("Moderation 2 waiting") == QUEUE
    assert not any("Moderation" in text for _, text in read(signed_in(), "/").links)
    assert not any("Moderation" in text for _, text in read(Client(), "/").links)
    corrections = read(signed_in(grace), "/log/corrections/")
    assert corrections.link("Submissions (1)") == QUEUE
    assert corrections.link("Corrections (1)") == "/log/corrections/"


def test_the_log_leads_to_corrections():
    assert read(Client(), read(Client(), "/").link("Log")).link("Corrections asked for") == "/log/corrections/"


# --- one submission


def test_the_review_is_started_once():
    submission = make_submitted(make_user())
    client = signed_in(editor())
    page = read(client, page_of(submission))
    assert "Start the review" in page.text
    assert decisions(page) == []
    for _ in range(2):
        assert client.post(f"{page_of(submission)}start/", {"version": submission.version}).status_code == 302
    assert Entry.objects.filter(action="submissions.submission.review_started").count() == 1
    page = read(client, page_of(submission))
    assert "Nothing was done" not in page.text
    assert [one["value"] for one in page.of("input") if one.get("name") == "decision"] == [
        "publish",
        "return",
        "refuse",
    ]


def test_a_row_stands_beside_what_contests_it():
    make_published(make_user(), rows=[row(value="0.2890", paper="Roe (CIKM 2022)", role="baseline")])
    submission = in_review(rows=[row(value="0.3012")])
    page = read(signed_in(editor()), page_of(submission))
    assert "Contested: Other scores of this system stand here: 0.2890 in Roe (CIKM 2022)." in page.text
    assert page.link("Contested") == "/docs/moderation/#contested"
    assert page.row("This row")[1:4] == ["0.3012", "Model X", "Doe (SIGIR 2021), Table 2"]
    assert page.row("Stands")[1:5] == ["0.2890", "Model X", "Roe (CIKM 2022), Table 2", "baseline"]


def test_of_very_many_that_contest_a_row_twelve_stand_beside_it(board):
    make_published(make_user())
    for number in range(14):
        make_result(board, make_system("Model X", f"Lab {number}"), f"0.1{number:02}")
    submission = in_review(rows=[row(value="0.3333", paper="Roe (CIKM 2022)", team="–")])
    assert submission.rows.get().outcome == "new"
    page = read(signed_in(editor()), page_of(submission))
    standing = [cells[1] for cells in page.rows if cells[0] == "Stands"]
    assert standing == ["0.3012", *(f"0.1{number:02}" for number in range(11))]


def test_a_row_stands_beside_what_it_would_supersede():
    make_published(make_user())
    submission = in_review(rows=[row(value="0.3099")])
    page = read(signed_in(editor()), page_of(submission))
    assert page.row("Would be superseded")[1] == "0.3012"
    assert not [cells for cells in page.rows if cells[0] == "Stands"]


def test_rows_are_shown_by_what_is_found():
    submission = in_review(rows=[row(), row(system="Model Y", value="0.4")])
    client = signed_in(editor())
    assert "Model Y" in read(client, f"{page_of(submission)}?outcome=new").text
    assert "There are no such rows." in read(client, f"{page_of(submission)}?outcome=differs").text
    assert client.get(f"{page_of(submission)}?outcome=nonsense").status_code == 400


def test_hostile_cells_are_shown_as_they_are():
    name = "<script>alert(1)</script>\u202eevil"
    submission = in_review(rows=[row(), row(system="Model Y")])
    submission.rows.filter(line=2).update(cells=row(system=name, value="<b>0.3</b>"), outcome="refused")
    source = read(signed_in(editor()), page_of(submission)).source
    assert "&lt;script&gt;" in source
    assert "<script>alert" not in source


def test_publishing_puts_every_row_on_the_record():
    submission = in_review(rows=[row(), row(system="Model Y", value="0.31")])
    grace = make_user("grace", is_editor=True)
    assert decide(signed_in(grace), submission).url == QUEUE
    assert sorted(Result.objects.values_list("printed", flat=True)) == ["0.3012", "0.31"]
    page = read(signed_in(grace), page_of(submission))
    assert "decided by grace" in page.text
    entry = Entry.objects.get(action="submissions.submission.published")
    assert page.link("undo all of it") == f"/log/{entry.pk}/undo/"
    assert {result.get_absolute_url() for result in Result.objects.all()} <= {address for address, _ in page.links}


def test_a_result_leads_back_to_its_submission():
    ada = make_user("ada")
    submission = make_published(ada)
    result = submission.rows.get().result
    shown = {"ada": signed_in(ada), "editor": signed_in(editor()), "anybody": Client(), "stranger": signed_in()}
    for who, client in shown.items():
        page = read(client, result.get_absolute_url())
        assert "Handed in by ada" in page.text
        assert (submission.get_absolute_url() in page.source) == (who in {"ada", "editor"})


def test_what_was_published_is_undone_in_one_action(monkeypatch):
    monkeypatch.setattr(mass_changes, "MOST_CHANGES", 1)
    submission = in_review(rows=[row(), row(system="Model Y", value="0.31")])
    client = signed_in(editor())
    decide(client, submission)
    undo = read(client, page_of(submission)).link("undo all of it")
    assert "type the number 2" in client.post(undo, {"reason": "not from the paper"}).content.decode()
    assert Result.objects.standing().count() == 2
    assert client.post(undo, {"reason": "not from the paper", "confirmed_rows": 2}).status_code == 302
    assert not Result.objects.standing().exists()


def test_superseding_much_stops_until_its_number_is_typed(monkeypatch):
    monkeypatch.setattr(mass_changes, "MOST_CHANGES", 1)
    systems = ("Model X", "Model Y")
    make_published(make_user(), rows=[row(system=system) for system in systems])
    submission = in_review(rows=[row(system=system, value="0.33") for system in systems])
    client = signed_in(editor())
    for typed in ({}, {"confirmed_rows": "1"}):
        assert "type the number 2" in decide(client, submission, **typed).content.decode()
    submission.refresh_from_db()
    assert submission.state == "in_review"
    assert set(Result.objects.standing().values_list("printed", flat=True)) == {"0.3012"}
    assert decide(client, submission, confirmed_rows="2").status_code == 302
    submission.refresh_from_db()
    assert submission.state == "published"


@pytest.mark.parametrize(("decision", "state"), [("return", "returned"), ("refuse", "refused")])
def test_returning_and_refusing_take_a_reason(decision, state):
    submission = in_review()
    client = signed_in(editor())
    page = decide(client, submission, decision, reason="  ")
    assert "Say why: its contributor reads it." in page.content.decode()
    assert decide(client, submission, decision, reason="which table?").status_code == 302
    submission.refresh_from_db()
    assert (submission.state, submission.decision_reason) == (state, "which table?")
    assert "which table?" in read(signed_in(editor()), page_of(submission)).text


def test_what_is_no_decision_decides_nothing():
    submission = in_review()
    client = signed_in(editor())
    for typed in ({"decision": ""}, {"decision": "burn"}, {"version": ""}, {"version": "x"}):
        assert decide(client, submission, **typed).status_code == 200
    submission.refresh_from_db()
    assert submission.state == "in_review"


def test_the_second_of_two_reviewers_is_told_and_keeps_what_was_typed():
    submission = in_review()
    decide(signed_in(make_user("grace", is_editor=True)), submission, "return", reason="which table?")
    answer = decide(signed_in(editor()), submission, "refuse", reason="a long explanation")
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "Nothing was done." in text
    assert "grace: submission returned" in text
    submission.refresh_from_db()
    assert submission.state == "returned"


def test_a_row_changed_meanwhile_is_looked_at_before_it_is_published():
    submission = in_review()
    old = submission.version
    grace = make_user("grace", is_editor=True)
    update_row(submission=submission, line=1, cells=row(value="0.3021"), version=old, actor=grace)
    answer = decide(signed_in(editor()), submission, "publish", reason="as printed")
    assert answer.status_code == 409
    assert "grace: row changed 1" in answer.content.decode()
    assert "as printed" in answer.content.decode()
    assert not Result.objects.exists()


def test_rows_that_cannot_be_taken_any_more_are_named():
    result = make_published(make_user()).rows.get().result
    submission = in_review(rows=[row(locator="Table 9"), row(system="Model Y")])
    withdraw_result(result=result, actor=None, reason="an erratum")
    answer = decide(signed_in(editor()), submission)
    assert answer.status_code == 409
    assert "withdrawn for a reason" in answer.content.decode()
    assert not Result.objects.standing().exists()


def test_nobody_reviews_their_own():
    grace = editor()
    submission = in_review(grace)
    client = signed_in(grace)
    assert client.get(page_of(submission)).status_code == 403
    assert decide(client, submission).status_code == 403
    assert client.post(f"{page_of(submission)}start/", {"version": 1}).status_code == 403
    assert not Result.objects.exists()
    assert submission.get_absolute_url() in read(client, QUEUE).source


def test_strangers_find_nothing():
    submission = in_review()
    assert Client().get(page_of(submission)).status_code == 302
    for client in (signed_in(), signed_in(submission.contributor)):
        assert client.get(page_of(submission)).status_code in (403, 404)
        assert decide(client, submission).status_code in (403, 404)
    assert signed_in().get(page_of(submission)).status_code == 404
    assert signed_in(editor()).get("/moderation/00000000-0000-4000-8000-000000000000/").status_code == 404
    assert signed_in(editor()).put(page_of(submission)).status_code == 405


def test_reviewers_edit_and_remove_rows():
    submission = in_review(rows=[row(), row(system="Model Y", value="0.31"), row(system="Model Z", value="0.32")])
    grace = make_user("grace", is_editor=True)
    client = signed_in(grace)
    typed = row(system="Model Z", value="0.33") | {"version": submission.version}
    answer = client.post(f"/submissions/{submission.pk}/rows/3/", typed, follow=True)
    assert answer.redirect_chain[-1][0] == page_of(submission)
    submission.refresh_from_db()
    high = row(system="Model Y", value="high")
    submission = update_row(submission=submission, line=2, cells=high, version=submission.version, actor=grace)
    assert "1 row is refused." in read(client, page_of(submission)).text
    remove = f"/submissions/{submission.pk}/rows/remove/"
    client.post(remove, {"version": submission.version, "all_refused": "on"})
    client.post(remove, {"version": submission.version + 1, "lines": "3"})
    assert [one.line for one in submission.rows.all()] == [1]
    text = read(client, page_of(submission)).text
    assert "grace: row changed 2 value 'high' in place of '0.31'" in text
    assert text.count("grace: rows removed") == 2


# --- second readings


def test_a_second_reading_is_offered_and_not_taken_for_granted():
    make_published(make_user())
    client = signed_in(editor())
    first = in_review()
    assert "count the row that stands already as read a second time" in read(client, page_of(first)).text
    decide(client, first)
    assert Result.objects.standing().get().provenance == "transcribed"
    second = in_review()
    decide(client, second, count_same="on")
    assert Result.objects.standing().get().provenance == "double_checked"
    assert Confirmation.objects.get().user == second.contributor


# --- comments


def test_contributor_and_reviewers_talk():
    submission = in_review(make_user("ada"))
    grace = make_user("grace", is_editor=True)
    address = f"/submissions/{submission.pk}/comment/"
    assert signed_in(grace).post(address, {"text": "Which table?"}).url == f"{page_of(submission)}#history"
    assert signed_in(submission.contributor).post(address, {"text": "Table 2"}).url.startswith("/submissions/")
    text = read(signed_in(grace), page_of(submission)).text
    assert text.index("grace: said Which table?") < text.index("ada: said Table 2")
    for empty in ("", " \n ", "\u200b"):
        assert signed_in(grace).post(address, {"text": empty}).status_code == 200
    assert Comment.objects.count() == 2


def test_strangers_say_nothing():
    submission = in_review()
    assert signed_in().post(f"/submissions/{submission.pk}/comment/", {"text": "Hello"}).status_code == 404
    assert Client().post(f"/submissions/{submission.pk}/comment/", {"text": "Hello"}).status_code == 403
    assert not Comment.objects.exists()


# --- the same submission for its contributor


def test_the_contributor_reads_what_was_done_and_said():
    submission = in_review(make_user("ada"))
    grace = make_user("grace", is_editor=True)
    decide(signed_in(grace), submission, "return", reason="which table?")
    text = read(signed_in(submission.contributor), submission.get_absolute_url()).text
    assert text.index("submitted") < text.index("grace: returned which table?")
    assert "Comment" in text


def test_reviewers_are_led_to_their_own_page():
    submission = in_review()
    assert signed_in(editor()).get(submission.get_absolute_url())["Location"] == page_of(submission)
    assert signed_in().get(submission.get_absolute_url()).status_code == 404


def test_a_contributor_says_that_they_read_it_too():
    make_published(make_user())
    ada = make_user("ada")
    submission = make_submission(ada)
    client, address = signed_in(ada), f"/submissions/{submission.pk}/count-readings/"
    assert "1 row says exactly what stands already" in read(client, submission.get_absolute_url()).text
    assert signed_in().post(address).status_code == 404
    assert signed_in(ada).get(address).status_code == 405
    page = client.post(address, follow=True).content.decode()
    assert "Thank you. 1 result is double-checked now." in page
    assert "exactly what stands already" not in page
    assert Result.objects.standing().get().provenance == "double_checked"


# --- the document


def test_the_document_explains_every_signal_and_state():
    page = read(Client(), "/docs/moderation/")
    explained = {text for level, text in page.headings if level == 3}
    assert {label.capitalize() for label in Signal.Code.labels} == explained
    assert set(Submission.State.labels) <= {cells[0] for cells in page.rows}
    for number in (MIN_RECORDED, FAR, ALIKE, MAD_TO_SD, mass_changes.MOST_CHANGES):
        assert re.search(rf"\b{number:g}\b", page.text), number


def test_every_signal_leads_to_its_explanation():
    submission = in_review(rows=[row()])
    found = submission.rows.get()
    Signal.objects.bulk_create(
        Signal(row=found, code=code, severity="warning", message="odd") for code in Signal.Code.values
    )
    anchors = {one["id"] for one in read(Client(), "/docs/moderation/").of("h3")}
    links = [address for address, _ in read(signed_in(editor()), page_of(submission)).links if "#" in address]
    linked = {address.partition("#")[2] for address in links if address.startswith("/docs/moderation/#")}
    assert len(linked) == len(Signal.Code.values)
    assert linked <= anchors
