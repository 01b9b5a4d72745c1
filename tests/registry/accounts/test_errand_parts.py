"""A large request as it is kept, made again on a worker, told of, and forgotten."""

import zlib
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages import get_messages, success
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.test import RequestFactory
from django.utils import timezone

from registry.accounts.access import get_own_errand, remember_errand
from registry.accounts.errands import services
from registry.accounts.errands.queries import RUN_ERRAND, errand_document, job_of, read_errand_progress
from registry.accounts.errands.services import (
    Found,
    answer_errand,
    is_errand,
    is_left,
    keep_answer,
    kept_content,
    leave_to_worker,
    prune_errands,
    start_errand,
)
from registry.accounts.models import Errand
from registry.accounts.personal import erase_errands, export_errands
from registry.accounts.services import create_token
from registry.core.limits import Limited
from registry.core.models import Heartbeat, Job
from registry.core.services import record_heartbeat
from tests.registry.accounts.people import browser_of, make_person
from tests.registry.factory import make_user

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"


@pytest.fixture(autouse=True)
def hosts(settings):
    settings.ALLOWED_HOSTS = ["registry.lan", "testserver"]


def sent(path="/submit/table/?a=1&b=%C3%A4", headers=None, **options):
    told = {"host": "registry.lan"} | (headers or {})
    return RequestFactory().post(path, headers=told, **{"secure": True, **options})


def made_again(errand):
    return services._request_of(Errand.objects.get(pk=errand.pk))


def test_so_many_rows_are_left_to_a_worker_and_none_on_the_worker(monkeypatch):
    request = sent()
    assert [is_left(request, n) for n in (0, 100, 101)] == [False, False, True]
    assert not is_errand(request)
    request.errand = object()
    assert is_errand(request)
    assert not is_left(request, 10_000)


def test_a_form_is_kept_and_made_again_as_it_came():
    ada = make_user("ada")
    request = sent(headers={"if-match": '"7"', "accept": "text/html", "user-agent": "Firefox"})
    errand = leave_to_worker(request, user=ada, form={"text": ["a\nb"], "lines": ["1", "2"], "none": []})
    assert errand.request == {
        "method": "POST",
        "path": "/submit/table/?a=1&b=%C3%A4",
        "type": FORM,
        "headers": {"If-Match": '"7"', "Accept": "text/html"},
        "site": ["https", "registry.lan"],
        "token": None,
    }
    assert str(errand) == "POST /submit/table/?a=1&b=%C3%A4"
    again = made_again(errand)
    assert (again.method, again.path, again.GET.dict()) == ("POST", "/submit/table/", {"a": "1", "b": "ä"})
    assert (again.scheme, again.get_host(), again.get_port()) == ("https", "registry.lan", "443")
    assert (again.POST.getlist("lines"), again.POST["text"], dict(again.FILES)) == (["1", "2"], "a\nb", {})
    assert (again.headers["If-Match"], again.headers["Accept"]) == ('"7"', "text/html")
    assert "User-Agent" not in again.headers
    assert "Idempotency-Key" not in again.headers
    assert (again.user, again.errand.pk, again._force_auth_user, again._force_auth_token) == (ada, errand.pk, ada, None)
    assert again._dont_enforce_csrf_checks
    assert (again.session.items(), list(get_messages(again))) == ({}.items(), [])


@pytest.mark.parametrize(
    ("options", "port"),
    [({"secure": False}, "80"), ({"secure": True}, "443"), ({"headers": {"host": "registry.lan:8443"}}, "8443")],
)
def test_the_port_is_that_of_the_address(options, port):
    errand = leave_to_worker(sent(**options), user=None, form={})
    assert made_again(errand).META["SERVER_PORT"] == port
    assert made_again(errand).META["SERVER_NAME"] == "registry.lan"


def test_what_a_program_sends_is_kept_with_its_token_and_has_a_name_of_its_own():
    ada = make_user("ada")
    token = create_token(user=ada, name="nightly", scopes=["submit"], days=3).token
    body, path = b'{"results": []}', "/api/v1/submissions/bl%C3%A4tter/"
    errand = leave_to_worker(sent(path, content_type="application/json"), user=ada, body=body, token=token)
    assert (errand.request["type"], errand.request["token"], bytes(errand.body)) == ("application/json", token.pk, body)
    again = made_again(errand)
    assert (again.body, again.content_type, again.path_info) == (
        body,
        "application/json",
        "/api/v1/submissions/blätter/",
    )
    assert again.META["CONTENT_LENGTH"] == str(len(body))
    assert again.headers["Idempotency-Key"] == f"errand-{errand.pk}"
    assert (again._force_auth_user, again._force_auth_token) == (ada, token)
    named = leave_to_worker(
        sent(path, content_type="application/json", headers={"idempotency-key": "k"}), user=ada, body=body
    )
    assert made_again(named).headers["Idempotency-Key"] == "k"
    token.revoked_at = timezone.now()
    token.save()
    again = made_again(errand)
    assert again.user == AnonymousUser()
    assert not hasattr(again, "_force_auth_user")
    ada.is_active = False
    ada.save()
    assert made_again(named).user == AnonymousUser()


def test_the_same_request_of_the_same_person_is_one_errand_until_it_is_answered():
    ada, grace = make_user("ada"), make_user("grace")
    form = {"text": ["a"]}
    first = leave_to_worker(sent(), user=ada, form=form)
    assert leave_to_worker(sent(), user=ada, form=form) == first
    others = [
        leave_to_worker(sent(), user=grace, form=form),
        leave_to_worker(sent(), user=ada, form={"text": ["b"]}),
        leave_to_worker(sent("/submit/table/"), user=ada, form=form),
        leave_to_worker(sent(headers={"if-match": '"1"'}), user=ada, form=form),
        leave_to_worker(sent(), user=None, form=form),
        leave_to_worker(sent(), user=None, form=form),
    ]
    Errand.objects.filter(pk=first.pk).update(answered_at=timezone.now(), status=200)
    others.append(leave_to_worker(sent(), user=ada, form=form))
    assert len({first, *others}) == 8
    assert Job.objects.count() == 8


def test_what_waits_for_its_visitor_is_begun_when_they_have_signed_in():
    errand = leave_to_worker(sent(), user=None, form={}, waits=True)
    assert (Job.objects.count(), job_of(errand), read_errand_progress(errand).state) == (0, None, "held")
    ada = make_user("ada")
    start_errand(errand=errand, user=ada)
    errand.refresh_from_db()
    assert (errand.user, job_of(errand)) == (ada, Job.objects.get())
    start_errand(errand=errand, user=make_user("eve"))
    errand.refresh_from_db()
    assert errand.user == ada


def test_how_far_it_is_is_told():
    errand = leave_to_worker(sent(), user=make_user("ada"), form={})
    leave_to_worker(sent("/other/"), user=make_user("eve"), form={})
    Heartbeat.objects.all().delete()
    waiting = read_errand_progress(errand)
    assert (waiting.state, waiting.is_failed) == ("queued", False)
    assert waiting.message == "Nobody is at work on it just now. It is kept, and done as soon as a worker is back."
    record_heartbeat()
    assert (read_errand_progress(errand).state, read_errand_progress(errand).message) == ("queued", "")
    document = errand_document(errand, "/errands/1/")
    assert document == {
        "id": str(errand.pk),
        "url": "/errands/1/",
        "state": "queued",
        "message": "",
        "created": errand.created_at.isoformat(timespec="seconds"),
    }
    mine = Job.objects.filter(pk=job_of(errand).pk)
    lease = timezone.now() + timedelta(minutes=1)
    mine.update(state="running", leased_until=lease)
    assert read_errand_progress(errand).state == "running"
    mine.update(state="failed", leased_until=None)
    failed = read_errand_progress(errand)
    assert (failed.state, failed.is_failed) == ("failed", True)
    assert failed.message == "It failed. Start it again; if it fails again, tell whoever runs this site."
    mine.update(created_at=timezone.now() - timedelta(hours=1))
    start_errand(errand=errand, user=None)
    assert read_errand_progress(errand).state == "queued"


def answers(monkeypatch, view):
    """Have every address be answered by this view."""

    class Match:
        func, args, kwargs = staticmethod(view), (), {"pk": 7}

    monkeypatch.setattr(services, "resolve", lambda path: Match)


def test_an_answer_is_kept_with_its_headers_and_forms(monkeypatch):
    errand = leave_to_worker(sent(), user=make_user("ada"), form={})
    page = b'<input name="csrfmiddlewaretoken" value="abcDEF123"><p>abcDEF123</p>'

    def view(request, *, pk):
        assert (pk, request.errand.pk, request.resolver_match.func is not None) == (7, errand.pk, True)
        success(request, "not said on a page of its own")
        return HttpResponse(page, status=201, headers={"ETag": '"2"', "X-Other": "x", "Retry-After": "3"})

    answers(monkeypatch, view)
    found = answer_errand(str(errand.pk))
    assert found.messages == []
    keep_answer(None)
    keep_answer(found)
    kept = Errand.objects.get()
    assert (kept.status, kept.answered_at is not None, bytes(kept.body)) == (201, True, b"")
    assert kept.headers == {"Content-Type": "text/html; charset=utf-8", "ETag": '"2"', "Retry-After": "3"}
    assert kept_content(kept, "tok") == b'<input name="csrfmiddlewaretoken" value="tok"><p>abcDEF123</p>'
    assert b"abcDEF123" in zlib.decompress(kept.answer)
    keep_answer(Found(errand.pk, HttpResponse("later", status=200), b"later", []))
    assert Errand.objects.get().status == 201
    assert answer_errand(str(errand.pk)) is None


def test_what_is_said_on_the_next_page_is_kept_where_the_answer_leads_on(monkeypatch):
    errand = leave_to_worker(sent(), user=make_user("ada"), form={})

    def view(request, *, pk):
        success(request, "Done.")
        return HttpResponse(status=302, headers={"Location": "/there/"})

    answers(monkeypatch, view)
    keep_answer(answer_errand(str(errand.pk)))
    kept = Errand.objects.get()
    assert (kept.messages, kept.headers["Location"]) == ([[25, "Done."]], "/there/")


def test_what_is_said_on_a_page_that_leads_nowhere_is_on_that_page(monkeypatch):
    for status, n_said in ((299, 0), (300, 1), (399, 1), (400, 0)):
        errand = leave_to_worker(sent(f"/{status}/"), user=make_user(), form={})

        def view(request, *, pk, status=status):
            success(request, "Done.")
            return HttpResponse(status=status)

        answers(monkeypatch, view)
        assert len(answer_errand(str(errand.pk)).messages) == n_said


@pytest.mark.parametrize(
    ("error", "status"),
    [(Http404("gone"), 404), (PermissionDenied("no"), 403), (Limited(70, "Too often."), 429)],
)
def test_a_refusal_is_the_answer(monkeypatch, error, status):
    errand = leave_to_worker(sent(), user=make_user("ada"), form={})

    def view(request, *, pk):
        raise error

    answers(monkeypatch, view)
    found = answer_errand(str(errand.pk))
    assert found.response.status_code == status
    if status == 429:
        assert found.response["Retry-After"] == "70"
        assert "Too often. Try again in 2 minutes." in zlib.decompress(found.content).decode()


def test_an_error_is_none(monkeypatch):
    errand = leave_to_worker(sent(), user=make_user("ada"), form={})

    def view(request, *, pk):
        raise ZeroDivisionError

    answers(monkeypatch, view)
    with pytest.raises(ZeroDivisionError):
        answer_errand(str(errand.pk))


def test_errands_are_forgotten_on_their_hour_or_day():
    ada = make_user("ada")
    now = timezone.now()
    for user, hours, is_kept in (
        (ada, 23.9, True), (ada, 24.1, False), (None, 0.9, True), (None, 1.1, False),
    ):  # fmt: skip
        one = Errand.objects.create(user=user, request={"is_kept": is_kept}, body=b"", digest="d")
        Errand.objects.filter(pk=one.pk).update(created_at=now - timedelta(hours=hours))
    assert prune_errands() == 2
    assert all(one.request["is_kept"] for one in Errand.objects.all())


def test_the_latest_twenty_answers_of_a_person_are_kept(monkeypatch):
    monkeypatch.setattr(services, "MAX_KEPT", 3)
    ada, now = make_user("ada"), timezone.now()
    made = []
    for hours in (5, 1, 4, 2, 3):
        one = Errand.objects.create(user=ada, request={}, body=b"", digest="d", answered_at=now, status=200)
        Errand.objects.filter(pk=one.pk).update(created_at=now - timedelta(hours=hours))
        made.append((hours, one))
    waiting = Errand.objects.create(user=ada, request={}, body=b"", digest="other")
    others = Errand.objects.create(user=make_user(), request={}, body=b"", digest="d", answered_at=now, status=200)
    new = leave_to_worker(sent(), user=ada, form={})
    kept = {one for hours, one in made if hours <= 2}
    assert set(Errand.objects.all()) == kept | {waiting, others, new}


def test_an_errand_is_its_askers_alone():
    ada, request = make_user("ada"), sent()
    request.session, request.user = {}, ada
    hers = Errand.objects.create(user=ada, request={}, body=b"", digest="d")
    visitors = [Errand.objects.create(request={}, body=b"", digest="d") for _ in range(7)]
    assert get_own_errand(hers.pk, request) == hers
    for one in visitors:
        with pytest.raises(Http404, match="kept for a day"):
            get_own_errand(one.pk, request)
        remember_errand(request, one)
    for one in visitors[2:]:
        assert get_own_errand(one.pk, request) == one
    for one in visitors[:2]:
        with pytest.raises(Http404):
            get_own_errand(one.pk, request)
    request.user = AnonymousUser()
    with pytest.raises(Http404):
        get_own_errand(hers.pk, request)
    remember_errand(request, hers)
    with pytest.raises(Http404):
        get_own_errand(hers.pk, request)
    assert get_own_errand(visitors[-1].pk, request) == visitors[-1]


def test_what_is_kept_of_errands_is_exported_by_time_and_erased():
    ada, now = make_user("ada"), timezone.now()
    for number, hours in ((1, 1), (2, 2)):
        one = leave_to_worker(sent(f"/{number}/"), user=ada, form={})
        Errand.objects.filter(pk=one.pk).update(created_at=now - timedelta(hours=hours))
    other = leave_to_worker(sent(), user=make_user(), form={})
    Errand.objects.filter(request__path="/1/").update(answered_at=now, status=200)
    first, second = export_errands(ada)
    assert (first["request"], first["answered"]) == ("POST /2/", None)
    assert (second["request"], second["answered"]) == ("POST /1/", now.isoformat(timespec="seconds"))
    assert first["created"] == (now - timedelta(hours=2)).isoformat(timespec="seconds")
    erase_errands(ada)
    assert list(Errand.objects.all()) == [other]
    assert Job.objects.filter(kind=RUN_ERRAND).count() == 3


def test_how_far_an_errand_is_is_told_to_the_page_of_its_asker():
    ada = make_person()
    client = browser_of(ada)
    errand = leave_to_worker(sent(), user=ada, form={})
    Heartbeat.objects.all().delete()
    address = f"/errands/{errand.pk}/progress.json"
    waiting = "Nobody is at work on it just now. It is kept, and done as soon as a worker is back."
    assert client.get(address).json() == {"done": False, "message": waiting}
    record_heartbeat()
    assert client.get(address).json() == {"done": False, "message": ""}
    Errand.objects.update(answered_at=timezone.now(), status=200)
    assert client.get(address).json() == {"done": True, "message": ""}
    assert browser_of(make_person("eve")).get(address).status_code == 404
