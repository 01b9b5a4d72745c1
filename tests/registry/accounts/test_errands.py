"""Large requests: left to a worker, waited for on a page, and answered as they would have been at once."""

import re
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.utils import timezone

from analysis.readers.weighing import weigh
from registry.accounts.errands import services as errands
from registry.accounts.errands.services import answer_errand, prune_errands
from registry.accounts.models import Errand
from registry.accounts.personal import erase_errands, export_errands
from registry.catalog.models import Leaderboard
from registry.core.limits import LIMITS
from registry.core.models import Heartbeat, Job
from registry.core.services import record_heartbeat, run_job
from registry.submissions.models import Submission, SubmittedRow
from registry.submissions.services import drafting, reviewing
from tests.registry.accounts.people import make_person, sign_in
from tests.registry.api.programs import LIST, Program, errors
from tests.registry.factory import make_leaderboard, make_measure, make_user
from tests.registry.pages import read
from tests.registry.submissions.world import (
    answered,
    make_robust04,
    make_submission,
    make_submitted,
    outcomes,
    row,
    run_errands,
)

pytestmark = pytest.mark.django_db

#: More rows than are answered at once, as the fixture below has it.
N = 13
TABLE = "system,MAP\n" + "".join(f"Model {number},0.2{number:03}\n" for number in range(N))
FOR_ALL = {"role": "baseline", "paper": "arXiv:1904.09171", "collection": "robust04"}


@pytest.fixture(autouse=True)
def catalog(monkeypatch) -> None:
    monkeypatch.setattr(errands, "MAX_ROWS_HERE", N - 1)
    make_robust04()
    record_heartbeat()


@pytest.fixture
def ada():
    return make_person("ada")


@pytest.fixture
def hers(ada) -> Client:
    client = Client()
    client.force_login(ada)
    return client


@pytest.fixture
def no_reading(monkeypatch):
    """Nothing is read, but by a worker."""
    monkeypatch.setattr("registry.submissions.table_forms.read_text", None)


def send(client: Client, text: str = TABLE, step: str = "check", **given):
    return client.post("/submit/table/", {"text": text, **FOR_ALL, **given, "step": step})


def long_submission(contributor, make=make_submission) -> Submission:
    return make(contributor, rows=[row(system=f"Model {number}") for number in range(N)])


# --- people


def test_a_large_table_is_not_read_while_others_wait(hers, no_reading):
    response = send(hers)
    assert response.status_code == 302
    page = read(hers, response.url)
    assert page.headings[0] == (1, "Being worked on")
    assert "you may leave it and come back within a day" in page.text
    assert hers.get(f"{response.url}progress.json").json() == {"done": False, "message": ""}
    assert not Submission.objects.exists()


def test_a_small_one_is(hers):
    send(hers, "system,MAP\nBM25,0.25\n")
    assert Submission.objects.get().rows.count() == 1
    assert not Errand.objects.exists()


def test_a_wide_table_of_few_lines_is_as_large_as_it_has_results(hers):
    board = Leaderboard.objects.get()
    for name in ("P@5", "P@10", "P@20"):
        make_leaderboard(board.collection, make_measure(name))
    wide = "system,MAP,P@5,P@10,P@20\n" + "".join(f"M{number},.2,.2,.2,.2\n" for number in range(4))
    assert weigh(wide) < N
    response = send(hers, wide)
    assert response.url.startswith("/errands/")
    answered(hers, response)
    assert Submission.objects.get().rows.count() == 16


def test_the_answer_is_the_draft(hers):
    response = answered(hers, send(hers))
    submission = Submission.objects.get()
    assert response.url == submission.get_absolute_url()
    assert (submission.way, submission.rows.count(), set(outcomes(submission))) == ("table", N, {"new"})
    assert Job.objects.get().state == "done"


def test_the_answer_is_the_form_filled_with_what_it_was_read_as(hers):
    response = send(hers, step="read", note="read twice")
    run_errands()
    assert hers.get(f"{response.url}progress.json").json()["done"] is True
    page = read(hers, response.url)
    assert f"As CSV: {N} results. Nothing is submitted yet." in page.text
    assert "read twice" in page.text
    assert f"Model {N - 1},0.2{N - 1:03}" in page.source


def test_a_file_is_read_there_too(hers):
    file = SimpleUploadedFile("results.csv", TABLE.encode())
    answered(hers, send(hers, "", file=file))
    assert Submission.objects.get().rows.count() == N


def test_the_forms_of_the_answer_can_be_sent(ada):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ada)
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', browser.get("/submit/table/").content.decode())[1]
    headers = {"origin": "http://testserver"}
    sent = browser.post(
        "/submit/table/", {"text": TABLE, **FOR_ALL, "step": "read", "csrfmiddlewaretoken": token}, headers=headers
    )
    assert token.encode() not in bytes(Errand.objects.get().body), "it is of this request alone"
    run_errands()
    page = browser.get(sent.url).content.decode()
    (action,) = re.findall(r'<form method="post" action="([^"]*)" enctype', page)
    tokens = set(re.findall(r'csrfmiddlewaretoken" value="([^"]+)"', page))
    assert (action, len(tokens)) == ("/submit/table/", 1)
    again = {"text": "system,MAP\nBM25,0.25\n", **FOR_ALL, "step": "check", "csrfmiddlewaretoken": tokens.pop()}
    assert browser.post(action, again, headers=headers).status_code == 302


def test_two_clicks_are_one_errand(hers):
    first = send(hers).url
    assert send(hers).url == first
    assert Errand.objects.count() == 1
    run_errands()
    assert send(hers).url != first, "what is answered may be asked again"


def test_nobody_else_sees_it(hers):
    address = send(hers).url
    stranger = Client()
    stranger.force_login(make_user("eve"))
    for client in (stranger, Client()):
        assert client.get(address).status_code == 404
        assert client.get(f"{address}progress.json").status_code == 404
        assert client.post(address).status_code == 404
    assert send(stranger).url != address, "and who sends the same has an answer of their own"


def test_a_visitor_has_a_table_read_and_finds_it(client):
    response = send(client, step="read")
    run_errands()
    page = read(client, response.url)
    assert f"{N} results" in page.text
    assert "within an hour" not in page.text
    assert Client().get(response.url).status_code == 404


def test_a_visitor_signs_in_before_a_large_table_is_checked_and_loses_nothing(client, ada):
    away = send(client)
    assert away.url.startswith("/accounts/login/?next=%2Ferrands%2F")
    address = Errand.objects.get().get_absolute_url()
    assert not Job.objects.exists()
    page = read(client, address)
    assert "Sign in, and it goes on from here." in page.text
    assert "You are signed in" not in page.text
    sign_in(client, ada.email)
    page = read(client, address)
    assert "You are signed in now, and nothing you sent is lost." in page.text
    assert client.post(address).url == address
    run_errands()
    submission = Submission.objects.get()
    assert (client.get(address).url, submission.contributor) == (submission.get_absolute_url(), ada)


def test_it_is_said_when_nobody_is_at_work(hers):
    address = send(hers).url
    record_heartbeat()
    Heartbeat.objects.update(beaten_at=timezone.now() - timedelta(hours=1))
    assert "Nobody is at work on it just now" in read(hers, address).text


def test_what_failed_is_said_and_can_be_started_again(hers, monkeypatch, settings):
    settings.PLUMBLINE_JOB_MAX_ATTEMPTS = 1
    address = send(hers).url
    monkeypatch.setattr("registry.submissions.table_forms.read_text", None)
    run_errands()
    monkeypatch.undo()
    page = read(hers, address)
    assert "It failed. Start it again" in page.text
    assert page.headings[0] == (1, "Not done")
    assert "The answer comes on this page" not in page.text
    hers.post(address)
    run_errands()
    assert hers.get(address).url == Submission.objects.get().get_absolute_url()


def test_a_worker_that_dies_after_the_work_does_it_once(hers):
    send(hers)
    errand = Errand.objects.get()
    answer_errand(str(errand.pk))
    run_errands()
    assert Submission.objects.get().rows.count() == N
    assert hers.get(errand.get_absolute_url()).url == Submission.objects.get().get_absolute_url()


def test_whose_account_is_suspended_meanwhile_gets_nothing_done(ada, hers):
    send(hers)
    ada.is_active = False
    ada.save()
    run_errands()
    assert not Submission.objects.exists()


def test_what_is_gone_meanwhile_is_said_on_a_page(ada, hers):
    submission = long_submission(ada)
    response = hers.post(f"{submission.get_absolute_url()}rows/1/", row() | {"version": submission.version})
    Submission.objects.all().delete()
    run_errands()
    page = read(hers, response.url, status=404)
    assert page.title == "Not found · Plumbline"


def test_what_is_charged_for_is_charged_once(hers, monkeypatch):
    monkeypatch.setitem(LIMITS, "check: account", (1, 300))
    monkeypatch.setitem(LIMITS, "check rows: account", (N + 1, 300))
    answered(hers, send(hers))
    assert Submission.objects.get().rows.count() == N
    assert send(hers, TABLE + "One more,0.3\n").status_code == 429


def test_a_limit_that_is_met_on_the_way_gives_the_form_back(hers, monkeypatch):
    monkeypatch.setitem(LIMITS, "draft rows: account", (N, 86_400))
    assert answered(hers, send(hers)).status_code == 302
    response = answered(hers, send(hers, TABLE + "One more,0.3\n"))
    text = response.content.decode()
    assert response.status_code == 429
    assert f"An account may store {N} rows a day" in text
    assert "One more,0.3" in text


@pytest.mark.parametrize(
    ("action", "data", "n_left"),
    [("rows/remove", {"lines": ["1", "2"]}, N - 2), ("rows/1", row(system="Another") | {"value": "0.4"}, N)],
)
def test_rows_of_a_large_submission_are_changed_by_a_worker(ada, hers, action, data, n_left):
    submission = long_submission(ada)
    response = hers.post(f"{submission.get_absolute_url()}{action}/", data | {"version": submission.version})
    assert response.url.startswith("/errands/")
    assert Submission.objects.get().version == submission.version
    answer = answered(hers, response)
    assert answer.url.startswith(submission.get_absolute_url())
    assert Submission.objects.get().version == submission.version + 1
    assert submission.rows.count() == n_left
    page = hers.get(answer.url).content.decode()
    assert "rows are removed" in page or "Row 1 is saved" in page


def test_a_large_submission_is_reviewed_by_a_worker(ada):
    submission = long_submission(ada, make_submitted)
    editor = Client()
    editor.force_login(make_user("edith", is_editor=True))
    start = editor.post(f"/moderation/{submission.pk}/start/", {"version": submission.version})
    assert answered(editor, start).url == f"/moderation/{submission.pk}/"
    assert Submission.objects.get().state == "in_review"
    decision = {"version": submission.version + 1, "decision": "publish"}
    answer = editor.post(f"/moderation/{submission.pk}/", decision)
    assert answer.url.startswith("/errands/")
    asked = answered(editor, answer)
    if asked.status_code == 200:
        # So many at once have to be confirmed, on the same page.
        assert str(N) in asked.content.decode()
        asked = answered(editor, editor.post(f"/moderation/{submission.pk}/", decision | {"confirmed_rows": N}))
    assert Submission.objects.get().state == "published"


def test_errands_are_forgotten_after_a_time(hers, client):
    send(hers)
    send(client, step="read")
    assert prune_errands() == 0
    Errand.objects.update(created_at=timezone.now() - timedelta(hours=2))
    assert (prune_errands(), Errand.objects.get().user.username) == (1, "ada")
    Errand.objects.update(created_at=timezone.now() - timedelta(days=2))
    assert (prune_errands(), Errand.objects.count()) == (1, 0)


def test_of_ones_answers_the_latest_are_kept(hers, monkeypatch):
    monkeypatch.setattr(errands, "MAX_KEPT", 2)
    answer = {"request": {}, "body": b"", "answered_at": timezone.now(), "status": 200}
    others = [Errand.objects.create(user=make_user(), **answer) for _ in range(3)]
    addresses = [send(hers, TABLE + f"More {number},0.3\n").url for number in range(2) if not run_errands()]
    run_errands()
    third = send(hers, TABLE + "Last,0.3\n").url
    assert hers.get(addresses[0]).status_code == 404
    assert hers.get(addresses[1]).status_code == 302
    assert hers.get(third).status_code == 200
    assert Errand.objects.filter(pk__in=[one.pk for one in others]).count() == 3


def test_what_is_kept_about_somebody_is_exported_and_erased(ada, hers):
    send(hers)
    (told,) = export_errands(ada)
    assert (told["request"], told["answered"]) == ("POST /submit/table/", None)
    erase_errands(ada)
    assert not Errand.objects.exists()


# --- programs

ROWS = [row(system=f"System {number}", value=f"0.{number + 1000}") for number in range(N)]


def test_a_program_is_told_where_the_answer_will_be():
    program = Program()
    response = program.ask("create_submission", LIST, {"results": ROWS}, waits=False)
    assert (response.status_code, response["Retry-After"], response.json()["state"]) == (202, "2", "queued")
    assert program.ask("get_errand", response["Location"], waits=False).status_code == 202
    assert not Submission.objects.exists()
    answer = program.answer(response)
    submission = Submission.objects.get()
    assert (answer.status_code, answer["Location"]) == (201, f"{LIST}{submission.pk}/")
    assert answer["ETag"] == '"1"'
    assert answer.json()["counts"]["new"] == N


def test_a_large_dry_run_stores_nothing():
    body = Program().create(ROWS, query="?dry_run=true").json()
    assert (body["counts"]["new"], body["results"][-1]["place"]["n_results"]) == (N, N)
    assert not Submission.objects.exists()


def test_large_results_are_handed_in_at_once():
    assert Program().create(ROWS, submit=True).json()["state"] == "submitted"


def test_refusals_come_as_they_are():
    refused = Program().create([*ROWS, row(value="nan")], submit=True)
    assert errors(refused, 422)
    assert errors(Program().create(ROWS, colour="red"), 400) == [("colour", "unknown")]


def test_a_key_is_for_the_whole_of_it():
    program = Program()
    key = {"Idempotency-Key": "table-2"}
    first = program.create(ROWS, headers=key)
    second = program.create(ROWS, headers=key)
    assert first.content == second.content
    assert (second.status_code, second["Idempotent-Replayed"]) == (201, "true")
    assert Submission.objects.count() == 1


def test_a_worker_that_dies_after_a_programs_request_has_the_same_answer():
    program = Program()
    response = program.ask("create_submission", LIST, {"results": ROWS}, waits=False)
    answer_errand(response.json()["id"])
    answer = program.answer(response)
    assert answer.status_code == 201
    assert Submission.objects.count() == 1


def test_rows_of_a_large_submission_are_changed_for_programs_too():
    program = Program()
    draft = program.create(ROWS).json()
    changed = program.change("update_row", draft, "rows/1/", {"value": "0.4"})
    assert (changed.status_code, changed.json()["results"][0]["cells"]["value"]) == (200, "0.4")
    stale = program.change("update_row", draft, "rows/1/", {"value": "0.5"})
    assert errors(stale, 412)


def test_a_token_that_was_revoked_meanwhile_opens_nothing():
    Program()  # Another's token is live, and opens nothing here.
    program = Program()
    response = program.ask("create_submission", LIST, {"results": ROWS}, waits=False)
    program.user.api_tokens.update(revoked_at=timezone.now())
    run_errands()
    assert not Submission.objects.exists()
    assert Errand.objects.get(pk=response.json()["id"]).status == 401


def test_an_answer_is_its_askers_alone():
    response = Program().ask("create_submission", LIST, {"results": ROWS}, waits=False)
    assert Program().ask("get_errand", response["Location"], waits=False).status_code == 404


def test_a_job_of_an_errand_that_is_gone_does_nothing(hers):
    send(hers)
    Errand.objects.all().delete()
    job = Job.objects.get()
    run_job(str(job.pk))
    assert Job.objects.get().state == "done"


# --- while somebody else waits to write


@pytest.fixture
def nothing_but_storing(monkeypatch):
    """Reading, checking and compressing fail inside of a transaction: SQLite has one writer at a time."""

    def outside_of_transactions(module, name):
        done = getattr(module, name)

        def checked(*args, **options):
            own = [block for block in connection.atomic_blocks if not block._from_testcase]
            assert not own, f"{name} keeps others from writing"
            return done(*args, **options)

        monkeypatch.setattr(module, name, checked)

    for module, name in (
        (drafting, "read_given"),
        (drafting, "check_all"),
        (drafting, "prepare_rows"),
        (reviewing, "check_all"),
        (reviewing, "read_rows"),
        (errands.zlib, "compress"),
    ):
        outside_of_transactions(module, name)


@pytest.mark.parametrize("at_once", [N + 1, N - 1], ids=["checked", "left to be checked"])
def test_who_writes_waits_for_storing_alone(nothing_but_storing, monkeypatch, hers, at_once):
    monkeypatch.setattr(drafting, "MAX_ROWS_AT_ONCE", at_once)
    answered(hers, send(hers))
    run_errands()
    program = Program()
    assert program.create(ROWS).status_code == 201
    assert [one.rows.count() for one in Submission.objects.all()] == [N, N]


def test_who_writes_does_not_wait_for_what_is_published_to_be_read(nothing_but_storing, ada):
    submission = long_submission(ada, make_submitted)
    editor = Client()
    editor.force_login(make_user("edith", is_editor=True))
    answered(editor, editor.post(f"/moderation/{submission.pk}/start/", {"version": submission.version}))
    decision = {"version": submission.version + 1, "decision": "publish", "confirmed_rows": N}
    answered(editor, editor.post(f"/moderation/{submission.pk}/", decision))
    assert submission.rows.filter(result__isnull=False).count() == N


def test_storing_that_breaks_off_leaves_nothing_and_is_done_again(hers, monkeypatch):
    response = send(hers)

    def die(*_, **__):
        assert SubmittedRow.objects.count() == N
        raise MemoryError

    with monkeypatch.context() as broken:
        broken.setattr(drafting, "journal", die)
        run_errands()
    assert not Submission.objects.exists()
    assert not SubmittedRow.objects.exists()
    Job.objects.update(state="queued", leased_until=None)
    assert answered(hers, response).url == Submission.objects.get().get_absolute_url()
    assert Submission.objects.get().rows.count() == N
