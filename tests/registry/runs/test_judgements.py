"""Public judgements; what a run confirms."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from analysis.readers.rejections import Refused
from registry.catalog.models import Curator
from registry.journal.models import Entry
from registry.results.models import Result, TopicScores
from registry.results.services import endings
from registry.runs.access import may_record
from registry.runs.models import Upload, Work
from registry.runs.services.judging import put_judgements
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_result, make_user
from tests.registry.pages import page_of
from tests.registry.runs.rows import make_upload, make_work
from tests.registry.runs.world import QRELS, make_judged, run_of, score, signed_in


def test_editors_of_the_collection_put_them_in():
    collection, curator = make_collection(), make_user()
    address = f"/collections/{collection.slug}/judgements/"
    sent = {"source": "the track"}
    assert "There are none here" in page_of(Client().get(address)).text
    assert signed_in(curator).post(address, sent).status_code == 403
    Curator.objects.create(user=curator, collection=collection)
    file = SimpleUploadedFile("qrels", QRELS)
    assert signed_in(curator).post(address, sent | {"file": file}).status_code == 302
    assert "36 documents on 12 topics" in page_of(Client().get(address)).text
    assert Client().get(f"/collections/{collection.slug}/judgements.qrels").content == QRELS
    assert Entry.objects.get(action="runs.judgements.put").actor == curator


def test_what_is_none_is_refused_with_its_lines():
    with pytest.raises(Refused, match="line 2, column grade"):
        put_judgements(collection=make_collection(), content=b"1 0 a 1\n1 0 b x\n", source="s")


def test_a_run_confirms_the_result_that_it_is_the_run_of():
    collection, curator = make_judged(), make_user()
    Curator.objects.create(user=curator, collection=collection)
    board = collection.leaderboards.get(measure__name="AP")
    result = make_result(board, printed="0.2500")
    upload = score(run_of("bad", "good"), collection, claimed=result)
    client = signed_in(curator)
    assert "is what the result on record has" in page_of(client.get(upload.get_absolute_url())).text
    assert signed_in(upload.owner).post(f"{upload.get_absolute_url()}record/").status_code == 403
    answer = client.post(f"{upload.get_absolute_url()}record/")
    recorded = Result.objects.standing().get(leaderboard=board)
    assert answer.url == recorded.get_absolute_url()
    assert recorded.provenance == Result.Provenance.RECOMPUTED
    assert TopicScores.objects.standing().get(result=recorded).scores == [0.25] * 12
    assert "Put its topic scores" not in page_of(client.get(upload.get_absolute_url())).text


def test_what_is_no_scored_run_of_a_result_is_put_behind_none_and_what_is_behind_one_stays():
    result, editor = make_result(), make_user(is_editor=True)
    upload = Upload(claimed=result, work=Work(kind="run", state="done", scores=b"x"))
    assert (may_record(editor, upload), may_record(AnonymousUser(), upload)) == (True, False)
    for fields in ({"kind": "matrix"}, {"state": "waiting"}, {"scores": b""}):
        changed = Work(**({"kind": "run", "state": "done", "scores": b"x"} | fields))
        assert not may_record(editor, Upload(claimed=result, work=changed))
    assert not may_record(editor, Upload(work=upload.work))
    result.provenance = Result.Provenance.RECOMPUTED
    assert not may_record(editor, upload)
    result.provenance, result.ended_at = Result.Provenance.TRANSCRIBED, timezone.now()
    assert not may_record(editor, upload)


def test_topic_scores_are_recorded_by_those_who_may_where_the_mean_is_printed(monkeypatch):
    board = make_leaderboard(measure=make_measure("AP"))
    client, result = signed_in(make_user(is_editor=True)), make_result(board, printed="0.60")
    upload = make_upload(make_work({"AP": [0.5, 0.7]}), collection=board.collection, claimed=result)
    other = make_upload(make_work({"AP": [0.5, 0.5]}), collection=board.collection, claimed=result)
    unclaimed = make_upload(make_work({"AP": [0.5, 0.5]}), collection=board.collection)
    assert client.post(f"{unclaimed.get_absolute_url()}record/").status_code == 404
    refused = client.post(f"{other.get_absolute_url()}record/", follow=True)
    assert refused.redirect_chain[-1][0] == other.get_absolute_url()
    assert "The mean of the run is not the reported score." in page_of(refused).text
    with monkeypatch.context() as patched:
        patched.setattr(endings, "MOST_CHANGES", 0)
        stopped = client.post(f"{upload.get_absolute_url()}record/", follow=True)
    assert "results within an hour here; go on later." in page_of(stopped).text
