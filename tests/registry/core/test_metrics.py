"""What a monitor reads at /-/metrics/: who may, what it counts, and how the site stands."""

import re
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from registry.accounts.models import ApiToken
from registry.accounts.services import create_token
from registry.core.models import Job
from registry.core.services import enqueue_jobs, record_heartbeat
from tests.registry.accounts.people import make_administrator, make_person

pytestmark = pytest.mark.django_db

PATH = "/-/metrics/"
FROM_ELSEWHERE = {"REMOTE_ADDR": "192.0.2.7"}


def read() -> dict[str, float]:
    """Return every number by its name with its labels."""
    response = Client().get(PATH)
    assert (response.status_code, response["Content-Type"].split(";")[0]) == (200, "text/plain")
    assert "no-store" in response["Cache-Control"]
    samples = [sample for family in text_string_to_metric_families(response.text) for sample in family.samples]
    return {" ".join([sample.name, *map("=".join, sorted(sample.labels.items()))]): sample.value for sample in samples}


def test_requests_are_counted_by_what_was_asked_for_and_by_how_it_was_answered(client: Client) -> None:
    before = read()
    for path in ("/methods/", "/methods/winner/", "/methods/nothing/", "/nowhere/", "/static/nothing.css"):
        client.get(path)
    client.get("/api/v1/collections/")
    after = read()
    asked = [name for name in after if name.startswith("plumbline_requests_total")]
    grown = {name: after[name] - before.get(name, 0) for name in asked}
    # Among these is one of the monitor itself.
    assert grown.pop("plumbline_requests_total kind=core status=200") == 3
    assert {name: n for name, n in grown.items() if n} == {
        "plumbline_requests_total kind=core status=404": 1,
        "plumbline_requests_total kind=none status=404": 1,
        "plumbline_requests_total kind=static status=404": 1,
        "plumbline_requests_total kind=api status=200": 1,
    }


def test_seconds_are_told_apart_by_whether_the_answer_was_kept(client: Client) -> None:
    before = read()
    for _ in range(3):
        client.get("/search/?q=bm25")
    after = read()
    for way, n in (("built", 1), ("found", 2)):
        name = f"plumbline_request_seconds_count kept={way} kind=search"
        assert after[name] - before.get(name, 0) == n
    assert after["plumbline_request_seconds_sum kept=built kind=search"] > 0


def test_it_tells_how_jobs_stand_and_how_long_they_wait() -> None:
    record_heartbeat()
    enqueue_jobs(kind="leaderboards.analyse_leaderboard", args=[{"leaderboard_id": pk} for pk in range(3)])
    Job.objects.update(created_at=Now() - timedelta(seconds=90))
    awaited = Job.objects.all()[:1].get()
    Job.objects.filter(pk=awaited.pk).update(awaited_at=Now() - timedelta(seconds=5))
    samples = read()
    assert [samples[f"plumbline_jobs state={state}"] for state in ("queued", "running", "failed")] == [3, 0, 0]
    assert 90 <= samples["plumbline_oldest_job_seconds awaited=no"] < 100
    assert 5 <= samples["plumbline_oldest_job_seconds awaited=yes"] < 15
    assert 0 <= samples["plumbline_worker_silent_seconds"] < 10


def test_it_tells_of_memory_room_and_verifying() -> None:
    samples = {re.sub(r"pid=\d+", "pid", name): value for name, value in read().items()}
    assert samples["plumbline_database_up"] == 1
    assert samples["plumbline_disk_free_bytes"] > 0
    assert (samples["plumbline_verification_found"], samples["plumbline_verification_nights"]) == (0, 7)
    Client().get("/methods/")
    assert "plumbline_memory_bytes pid" in {re.sub(r"pid=\d+", "pid", name) for name in read()}


def test_without_the_database_it_tells_the_rest() -> None:
    def fail(*_: object) -> None:
        raise OperationalError("the server is gone")

    with connection.execute_wrapper(fail):
        samples = read()
    assert samples["plumbline_database_up"] == 0
    assert "plumbline_jobs state=queued" not in samples
    assert any(name.startswith("plumbline_requests_total") for name in samples)


@pytest.mark.parametrize("name", ["X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "Via"])
def test_what_a_proxy_passes_on_is_from_elsewhere(client: Client, name: str) -> None:
    assert client.get(PATH).status_code == 200
    assert client.get(PATH, REMOTE_ADDR="::1").status_code == 200
    assert client.get(PATH, headers={name: "127.0.0.1"}).status_code == 403


def test_from_elsewhere_it_takes_the_token_of_an_administrator(client: Client) -> None:
    response = client.get(PATH, **FROM_ELSEWHERE)
    assert response.status_code == 403
    assert "administrator’s token" in response.json()["error"]
    statuses = {}
    for user in (make_administrator(), make_person()):
        secret = create_token(user=user, name="monitor", scopes=["read"], days=30).secret
        headers = {"Authorization": f"Bearer {secret}"}
        statuses[user.username] = client.get(PATH, headers=headers, **FROM_ELSEWHERE).status_code
    assert statuses == {"root": 200, "ada": 403}
    past = timezone.now() - timedelta(days=1)
    ApiToken.objects.update(created_at=past - timedelta(days=1), expires_at=past)
    response = client.get(PATH, headers=headers, **FROM_ELSEWHERE)
    assert (response.status_code, response.json()["error"]) == (401, f"This token expired on {past:%Y-%m-%d}.")


def test_nothing_of_a_request_is_in_it(client: Client) -> None:
    client.get("/search/?q=secret-words")
    assert "secret-words" not in client.get(PATH).text
