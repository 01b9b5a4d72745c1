"""How far the AP of a run would move with other documents: asked for on its page, found by a worker."""

import pytest
from django.test import Client

from analysis.boards import METHODS
from analysis.documents import judge_run, map_interval
from analysis.scores import parse_judgements, parse_run
from registry.accounts.models import User
from registry.catalog.models import Collection, Measure
from registry.core.models import Job
from registry.runs.models import Study, Upload, Work
from registry.runs.services.judging import put_judgements
from registry.runs.services.uploading import hand_in
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_user
from tests.registry.pages import page_of
from tests.registry.runs.world import POOLED, TOPICS, make_sealed, run_of, score, signed_in, work

DOCUMENTS = [f"d{number}" for number in range(60)]
#: Every topic has another dozen of relevant documents, some of which the runs do not return.
JUDGED = {topic: [DOCUMENTS[(7 * place + 5 * step) % 60] for step in range(12)] for place, topic in enumerate(TOPICS)}
QRELS = "".join(f"{topic} 0 {document} 1\n" for topic, documents in JUDGED.items() for document in documents)
ONE, OTHER = run_of(*DOCUMENTS[:50]), run_of(*DOCUMENTS[10:], *DOCUMENTS[:5], tag="other")


def make_judged_again() -> Collection:
    """Make a collection of twelve topics with twelve relevant documents each."""
    collection = make_collection(n_topics=len(TOPICS))
    make_leaderboard(collection, Measure.objects.filter(name="AP").first() or make_measure("AP"))
    put_judgements(collection=collection, content=QRELS.encode(), source="the track")
    return collection


def make_world() -> Upload:
    """Make a run on such a collection."""
    return score(ONE, make_judged_again())


def ask(upload: Upload, **fields) -> str:
    """Ask for a study, and return its address."""
    sent = {f"documents-{name}": value for name, value in fields.items()}
    answer = signed_in(upload.owner).post(f"{upload.get_absolute_url()}documents/", sent)
    assert answer.status_code == 302, page_of(answer).text
    return answer.url


def test_intervals_are_those_of_the_library():
    upload = make_world()
    assert "How precise is its AP?" in page_of(signed_in(upload.owner).get(upload.get_absolute_url())).text
    address = ask(upload, measure="AP")
    work()
    page = page_of(Client().get(address))
    judged = judge_run(parse_run(ONE.decode()), parse_judgements(QRELS))
    estimate = map_interval(judged.lists, METHODS.seed)
    assert f"The mean {estimate.estimate:.4f} over 12 topics has the 95% interval " in page.text
    assert f"{estimate.interval.low:.4f} to {estimate.interval.high:.4f}" in page.text
    assert page.row("t1")[1:3] == ["12", "10"]
    assert [row[1] for row in page.rows if row[:1] == ["BCa"]] == ["first", "second"]
    content = Client().get(f"{address.rstrip('/')}.json").json()["content"]
    assert content["means"][0]["interval"]["low"] == estimate.interval.low
    precision = upload.work.report["precision"]["AP"]
    assert (precision["estimate"], precision["low"]) == (estimate.estimate, estimate.interval.low)
    assert content["halves"]["expected"] == pytest.approx(0.8342, abs=1e-4)
    assert content["pair"] is None


def send(owner: User, collection: Collection, name: str, content: bytes) -> Upload:
    return hand_in(owner=owner, name=name, collection=collection, content=content)


def test_two_systems_on_the_same_resampled_collections():
    owner, collection = make_user(), make_judged_again()
    first, other = send(owner, collection, "A", run_of(*DOCUMENTS[:44])), send(owner, collection, "B", OTHER)
    work()
    last = ask(Upload.objects.get(pk=first.pk), measure="AP", other=other.pk)
    work()
    pair = Client().get(f"{last.rstrip('/')}.json").json()["content"]["pair"]
    means = [Upload.objects.get(pk=sent.pk).work.means["AP"] for sent in (first, other)]
    assert pair["linear"]["estimate"] == pytest.approx(means[0] - means[1])
    assert pair["linear"]["standard_error"] < pair["linear"]["unpaired_standard_error"]
    assert pair["combined"]["n_effects"] == 12
    assert "Compared with B" in page_of(signed_in(owner).get(last)).text


def test_it_is_found_once_and_can_be_cancelled():
    upload = make_world()
    address = ask(upload, measure="AP")
    assert ask(upload, measure="AP") == address
    assert Job.objects.filter(kind="runs.study_documents").count() == 1
    client = signed_in(upload.owner)
    assert "Cancel" in page_of(client.get(address)).text
    assert client.get(f"{address}progress/").json()["done"] is False
    client.post(f"{address}delete/")
    work()
    assert not Study.objects.exists()
    again = score(ONE, upload.collection)
    first, second = ask(upload, measure="AP"), ask(again, measure="AP")
    work()
    assert first != second
    assert Client().get(f"{first.rstrip('/')}.json").json()["content"] is not None
    assert len({study.content for study in Study.objects.all()}) == 1


def test_sealed_judgements_keep_no_ranking():
    sealed = score(run_of(*POOLED), make_sealed())
    assert bytes(Work.objects.get(pk=sealed.work_id).rankings) == b""
    client = signed_in(sealed.owner)
    assert "How precise" not in page_of(client.get(sealed.get_absolute_url())).text
    assert client.post(f"{sealed.get_absolute_url()}documents/", {"documents-measure": "AP"}).status_code == 400
