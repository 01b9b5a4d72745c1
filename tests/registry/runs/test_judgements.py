"""Judgements, public and sealed; what a run confirms."""

import io
import logging

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from registry.catalog.models import Curator
from registry.core.rejections import Refused
from registry.journal.models import Entry
from registry.results.models import Result, TopicScores
from registry.runs.models import Judgements, Probe
from registry.runs.queries import lines_of
from registry.runs.services.judging import put_judgements
from registry.runs.services.scoring import MOST_ALIKE, resemblance
from tests.registry.factory import make_collection, make_result, make_user
from tests.registry.pages import page_of
from tests.registry.runs.world import QRELS, TOPICS, make_judged, run_of, score, signed_in

pytestmark = pytest.mark.django_db


def test_editors_of_the_collection_put_them_in():
    collection, curator = make_collection(), make_user()
    address = f"/collections/{collection.slug}/judgements/"
    sent = {"source": "the track", "decimals": 3}
    assert "There are none here" in page_of(Client().get(address)).text
    assert signed_in(curator).post(address, sent).status_code == 403
    Curator.objects.create(user=curator, collection=collection)
    file = SimpleUploadedFile("qrels", QRELS)
    assert signed_in(curator).post(address, sent | {"file": file}).status_code == 302
    assert "36 documents on 12 topics" in page_of(Client().get(address)).text
    assert Client().get(f"/collections/{collection.slug}/judgements.qrels").content == QRELS
    assert Entry.objects.get(action="runs.judgements.put").actor == curator


def test_others_take_their_place():
    collection = make_judged()
    put_judgements(collection=collection, content=b"t1 0 bad 1\n", source="another")
    assert Judgements.objects.filter(ended_at=None).count() == 1
    assert score(run_of("bad"), collection).work.means["AP"] == 1


def test_what_is_none_is_refused_with_its_lines():
    with pytest.raises(Refused, match="line 2, column grade"):
        put_judgements(collection=make_collection(), content=b"1 0 a 1\n1 0 b x\n", source="s")


SECRET = "".join(f"{topic} 0 secret-{topic} 1\n{topic} 0 bad 0\n" for topic in TOPICS).encode()


def make_sealed(**options):
    collection = make_judged()
    put_judgements(collection=collection, content=SECRET, source="the owner", is_sealed=True, **options)
    return collection


def test_sealed_ones_are_read_by_the_scorer_alone(caplog):
    caplog.set_level(logging.DEBUG)
    collection = make_sealed(gives_topic_scores=False, decimals=2)
    owner = make_user(is_editor=True)
    upload = score(run_of("bad", *[f"secret-{topic}" for topic in TOPICS[:8]]), collection, owner)
    assert upload.work.state == "done"
    assert upload.work.means["AP"] == round(upload.work.means["AP"], 2)
    judgements = Judgements.objects.get(ended_at=None)
    assert b"secret" in lines_of(judgements)
    # Nothing that anybody gets has a document, a topic or a count of them that the run did not bring.
    assert bytes(upload.work.scores) == b""
    assert set(upload.work.report) == {"tag", "n_lines", "n_topics", "n_documents", "tied", "n_tied", "disordered",
                                       "n_disordered"}  # fmt: skip
    dumped = io.StringIO()
    call_command("dumpdata", "runs", stdout=dumped)
    admin = signed_in(make_user(is_staff=True, is_superuser=True))
    address = upload.get_absolute_url()
    pages = [
        client.get(path)
        for client in (Client(), signed_in(owner), admin)
        for path in (
            address, f"{address}topic-scores.csv", f"/collections/{collection.slug}/judgements/",
            f"/collections/{collection.slug}/judgements.qrels", f"/collections/{collection.slug}/", "/log/",
            "/admin/", "/admin/runs/probe/", "/admin/runs/judgements/",
        )
    ]  # fmt: skip
    texts = [dumped.getvalue(), caplog.text, *(page.content.decode() for page in pages)]
    assert not [text for text in texts if "secret-t" in text]
    import zlib

    packed = zlib.compress(SECRET, 6)
    assert packed not in bytes(judgements.content)
    statuses = {page.status_code for page in pages if "topic-scores" in page.request["PATH_INFO"]}
    assert statuses == {404}
    assert Client().get(f"/collections/{collection.slug}/judgements.qrels").status_code == 404


def test_topic_scores_where_the_owner_allows_them():
    upload = score(run_of("bad"), make_sealed(gives_topic_scores=True))
    assert Client().get(f"{upload.get_absolute_url()}topic-scores.csv").status_code == 200


def test_a_run_of_few_topics_would_tell_their_scores():
    collection = make_sealed(gives_topic_scores=False)
    upload = score(run_of("secret-t1", topics=["t1"]), collection)
    assert upload.work.state == "refused"
    assert "leaves out more than one in ten topics" in upload.work.refusal


def test_nearly_the_same_run_again_and_again_is_throttled_and_logged(caplog):
    collection, prober = make_sealed(gives_topic_scores=False), make_user()
    documents = [f"d{number}" for number in range(10)]

    def probe(number: int, user=prober):
        return score(run_of(*documents[:9], f"probe-{number}"), collection, user).work

    assert [probe(number).state for number in range(MOST_ALIKE)] == ["done"] * MOST_ALIKE
    refused = probe(MOST_ALIKE)
    assert refused.state == "refused"
    assert "nearly the same as 3 runs" in refused.refusal
    assert not refused.means
    assert f"user {prober.pk} probes judgements" in caplog.text
    assert Probe.objects.filter(user=prober).count() == MOST_ALIKE + 1
    assert probe(MOST_ALIKE, make_user()).state == "done"
    assert score(run_of(*[f"other{number}" for number in range(10)]), collection, prober).work.state == "done"


@pytest.mark.parametrize(("one", "other", "share"), [([1, 2, 3], [1, 2, 3], 1), ([1, 2], [3, 4], 0), ([], [], 1),
                                                    ([1, 2, 3, 4], [1, 2, 3, 9], 0.75)])  # fmt: skip
def test_resemblance(one, other, share):
    assert resemblance(one, other) == share


def test_a_run_confirms_the_result_that_it_is_the_run_of():
    collection, editor = make_judged(), make_user(is_editor=True)
    board = collection.leaderboards.get(measure__name="AP")
    result = make_result(board, printed="0.2500")
    upload = score(run_of("bad", "good"), collection, editor, claimed=result)
    client = signed_in(editor)
    assert "is what the result on record prints" in page_of(client.get(upload.get_absolute_url())).text
    assert signed_in(make_user()).post(f"{upload.get_absolute_url()}record/").status_code == 403
    answer = client.post(f"{upload.get_absolute_url()}record/")
    recorded = Result.objects.standing().get(leaderboard=board)
    assert answer.url == recorded.get_absolute_url()
    assert recorded.provenance == Result.Provenance.RECOMPUTED
    assert TopicScores.objects.standing().get(result=recorded).scores == [0.25] * 12
    assert "Put its topic scores" not in page_of(client.get(upload.get_absolute_url())).text


def test_a_mismatch_is_shown_and_not_recorded():
    collection, editor = make_judged(), make_user(is_editor=True)
    result = make_result(collection.leaderboards.get(measure__name="AP"), printed="0.3000")
    upload = score(run_of("bad", "good"), collection, editor, claimed=result)
    client = signed_in(editor)
    assert "A mismatch: the run’s mean AP is 0.250000" in page_of(client.get(upload.get_absolute_url())).text
    client.post(f"{upload.get_absolute_url()}record/")
    assert Result.objects.standing().get().provenance == Result.Provenance.TRANSCRIBED
