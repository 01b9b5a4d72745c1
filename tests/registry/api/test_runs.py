"""/api/v1/runs/, and the addresses that it answers with."""

import gzip

import pytest
from django.test import Client

from analysis.runs.scoring import can_score
from registry.core.limits import LIMITS
from registry.runs.models import Work
from tests.registry.api.programs import Program, errors, messages
from tests.registry.api.shapes import assert_conforms
from tests.registry.factory import make_leaderboard, make_measure
from tests.registry.runs.world import MEASURES, POOLED, make_judged, make_sealed, run_of, work

RUNS = "/api/v1/runs/"


def send(program, content: bytes | str = b"", content_type: str = "application/octet-stream", **options):
    query = "&".join(f"{name}={value}" for name, value in options.items())
    return program.ask("create_run", f"{RUNS}?{query}", content, content_type=content_type)


def asked(address: str):
    response = Client().get(address)
    assert_conforms(response, "get_run")
    return response


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_run_is_scored_and_read_at_its_address(pack):
    collection = make_judged()
    response = send(Program(), pack(run_of("bad", "good")), collection=collection.slug, name="Mine")
    waiting = response.json()
    assert (response.status_code, waiting["state"], waiting["means"]) == (201, "waiting", {})
    assert response["Location"] == f"/api/v1{waiting['url']}"
    work()
    answer = asked(response["Location"])
    run = answer.json()
    assert (run["state"], run["name"]) == ("done", "Mine")
    assert set(run["means"]) == set(MEASURES)
    assert run["means"]["AP"] == 0.25
    assert run["has_topic_scores"]
    assert (answer["Cache-Control"], answer["X-Robots-Tag"]) == ("private, no-store", "noindex, nofollow")


def test_a_run_that_is_sent_again_under_its_key_is_one():
    collection, program = make_judged(), Program()
    path, run, key = f"{RUNS}?collection={collection.slug}", run_of("bad", "good"), {"Idempotency-Key": "mine"}
    first, again = (program.ask("create_run", path, run, content_type="text/plain", headers=key) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert (again["Location"], again.content) == (first["Location"], first.content)
    assert again["Idempotent-Replayed"] == "true"
    assert program.ask("list_runs", RUNS).json()["count"] == 1
    other = program.ask("create_run", path, run_of("good", "bad"), content_type="text/plain", headers=key)
    assert other.status_code == 422


def test_a_broken_run_is_refused_with_its_line():
    sent = send(Program(), b"t1 Q0 good 1 2.5 mine\nt1 Q0 fair\n", collection=make_judged().slug)
    work()
    run = asked(sent["Location"]).json()
    assert run["state"] == "refused"
    assert "line 2" in run["message"]


def test_measures_that_cannot_be_computed_are_named():
    assert not can_score("Nothing@7")
    collection = make_judged()
    make_leaderboard(collection, make_measure("Nothing@7"))
    sent = send(Program(), run_of("good"), collection=collection.slug)
    assert sent.json()["not_computed"] == ["Nothing@7"]


def test_a_form_an_empty_body_and_too_much_are_refused(settings):
    slug = make_judged().slug
    form = send(Program(), b"--x\r\n", content_type="multipart/form-data; boundary=x", collection=slug)
    assert errors(form, 415) == [("Content-Type", "unsupported")]
    assert "--data-binary" in messages(form)
    assert errors(send(Program(), b"", collection=slug), 400) == [("", "empty")]
    settings.PLUMBLINE_MAX_BODY_BYTES = settings.PLUMBLINE_MAX_RUN_BYTES = 10
    assert send(Program(), run_of("good"), collection=slug).status_code == 413


def test_sending_has_the_limits_of_the_form(monkeypatch):
    monkeypatch.setitem(LIMITS, "run: account", (1, 3600))
    slug, program = make_judged().slug, Program()
    assert send(program, run_of("good"), collection=slug).status_code == 201
    assert send(program, run_of("good"), collection=slug).status_code == 429


@pytest.mark.parametrize("content_type", ["application/octet-stream", "application/x-www-form-urlencoded"])
def test_a_large_run_is_taken_and_counted_apart(settings, monkeypatch, content_type):
    settings.PLUMBLINE_MAX_BODY_BYTES = settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    monkeypatch.setitem(LIMITS, "large run: account", (1, 3600))
    slug, program = make_judged().slug, Program()
    sent = send(program, run_of("good"), content_type=content_type, collection=slug)
    assert sent.status_code == 201
    work()
    assert asked(sent["Location"]).json()["state"] == "done"
    assert send(program, run_of("good"), collection=slug).status_code == 429
    assert send(program, run_of("good", topics=["t1"]), collection=slug).status_code == 201


def test_of_sealed_judgements_one_rounded_mean_is_told():
    sent = send(Program(), run_of("other", *POOLED), collection=make_sealed().slug)
    work()
    run = asked(sent["Location"]).json()
    assert run["is_sealed"]
    assert not run["has_topic_scores"]
    assert list(run["means"]) == ["P@10"]
    assert all(round(mean, 2) == mean for mean in run["means"].values())
    assert "Documents without a judgement" not in [line["name"] for line in run["report"]]


def test_the_owner_deletes_a_run_and_nobody_else():
    program, other = Program(), Program()
    address = send(program, run_of("good"), collection=make_judged().slug)["Location"]
    work()
    assert Client().delete(address).status_code == 401
    assert other.ask("delete_run", address).status_code == 403
    assert Program(program.user, scopes=["read"]).ask("delete_run", address).status_code == 403
    assert asked(address).json()["state"] == "done"
    assert program.ask("delete_run", address).status_code == 204
    assert asked(address).status_code == 404
    assert not Work.objects.exists()
    assert program.ask("delete_run", address).status_code == 404
