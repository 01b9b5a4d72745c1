"""One door for runs: recognized, read in any layout, scored, placed; without an account, within a budget."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from registry.core.models import Bucket, Job
from registry.core.services import enqueue_jobs, run_next_job
from registry.runs.models import Upload, Work
from registry.runs.queries import recognize
from registry.runs.services.judging import put_judgements
from registry.runs.services.uploading import prune_uploads
from registry.runs.verdicts import boards_of, run_verdict
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_user
from tests.registry.pages import page_of
from tests.registry.runs.rows import make_judgements, make_upload
from tests.registry.runs.world import make_judged, make_ranked, make_sealed, run_of, signed_in, work


def send(content: bytes, client: Client | None = None, **fields):
    return (client or Client()).post("/runs/", {"file": SimpleUploadedFile("mine.run", content), **fields})


def sent(content: bytes, **options) -> Upload:
    """Return what a visitor sends, scored."""
    response = send(content, **options)
    assert response.status_code == 302, response.context["form"].errors
    work()
    return Upload.objects.get(pk=response["Location"].split("/")[2])


def test_a_run_is_scored_before_what_nobody_waits_for():
    """As on a new site, whose leaderboards are studied while people read it."""
    collection = make_judged()
    board = collection.leaderboards.first()
    enqueue_jobs(kind="leaderboards.analyse_leaderboard", args=[{"leaderboard_id": board.pk}])
    address = send(run_of("good", "fair"))["Location"]
    assert run_next_job()
    assert Upload.objects.get(pk=address.split("/")[2]).work.state == Work.State.DONE
    assert Job.objects.get(kind="leaderboards.analyse_leaderboard").state == Job.State.QUEUED


def test_a_visitor_drops_a_file_and_it_is_recognized_scored_and_gone_after_an_hour():
    collection = make_judged()
    other = make_collection(n_topics=3)
    make_leaderboard(other, make_measure("R@9"))
    put_judgements(collection=other, content=b"t1 0 elsewhere 1\nt2 0 elsewhere 1\n", source="others")
    upload = sent(run_of("good", "fair", "bad"))
    assert (upload.collection, upload.owner, upload.name) == (collection, None, "mine")
    assert len(upload.visitor) == 64
    assert upload.work.means["AP"] == 1.0
    assert upload.forgotten_at <= timezone.now() + timedelta(hours=1)
    page = page_of(Client().get(upload.get_absolute_url()))
    assert "12 of 12 judged topics answered" in page.text
    Upload.objects.update(forgotten_at=timezone.now(), created_at=timezone.now() - timedelta(hours=1))
    assert prune_uploads() == 1


def test_somebody_sees_what_they_sent_and_where_nothing_is_judged_is_told_to_send_scores():
    user, collection = make_user(), make_collection()
    mine, _ = make_upload(owner=user), make_upload()
    client = signed_in(user)
    page = client.get("/runs/?collection=robust&name=x")
    assert (list(page.context["own"]), page.context["form"].initial["collection"]) == ([mine], "robust")
    assert page["Cache-Control"] == "private, no-store"
    named = {"kind": "run", "collection": collection.slug, "name": "N"}
    unjudged = send(run_of("good"), client, **named)
    assert unjudged.status_code == 400
    assert "Send scores by topic instead" in page_of(unjudged).text
    make_judgements(collection)
    upload = Upload.objects.get(pk=send(run_of("good"), client, **named)["Location"].split("/")[2])
    assert (upload.owner, upload.visitor, upload.name, upload.collection) == (user, "", "N", collection)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (run_of("nothing", "known"), "fit no collection"),
        (run_of("good", topics=["elsewhere"]), "fit no collection"),
        (b"junk\n", "has 1 fields where a run has 6"),
        (run_of("good", "good"), "line 2: document good, a duplicate of line 1"),
    ],
)  # fmt: skip
def test_what_is_no_run_of_a_collection_here_is_said_at_once(content, message):
    make_judged()
    response = send(content)
    if response.status_code == 302:  # It is found while it is scored.
        work()
        response = Client().get(response["Location"])
    else:
        assert response.status_code == 400
        assert not Upload.objects.exists()
    assert message in page_of(response).text


def test_a_run_that_fits_two_collections_is_scored_on_both_and_what_it_took_is_charged():
    first, second = make_judged(), make_judged()
    asked = send(run_of("good"))
    assert asked.status_code == 300
    assert {(upload.collection, fit.n_shared) for upload, fit in asked.context["choices"]} == {
        (first, 12),
        (second, 12),
    }
    assert Bucket.objects.filter(pk__startswith="visitor's processor seconds").exists()
    assert send(run_of("good"), collection=first.slug).status_code == 302


def test_sealed_judgements_recognize_nothing_and_answer_no_visitor():
    collection = make_sealed()
    assert recognize(run_of("judged-1", "judged-2"))[0] == []
    refused = send(run_of("judged-1"), collection=collection.slug)
    assert refused.status_code == 400
    assert "for people who sign in" in page_of(refused).text


def test_what_the_process_that_reads_it_takes_is_charged():
    send(run_of("good"), collection=make_judged().slug)
    charged = Bucket.objects.filter(pk__startswith="visitor's processor seconds")
    assert not charged.exists()
    work()
    assert charged.get().full_at > timezone.now()


def test_the_verdict_places_the_run_among_what_is_published():
    board = make_ranked()
    values = sorted(board.results.values_list("value", flat=True), reverse=True)
    upload = sent(run_of("bad", "good", "fair"))
    assert list(boards_of(upload)) == ["nDCG@10"]
    verdict = run_verdict(upload, board)
    checked = verdict.check.checked
    mean = upload.work.means["nDCG@10"]
    assert verdict.n_better == sum(value > mean for value in values) == checked.n_better
    # By hand: nobody better by the margin can be behind it, nobody worse by it before it.
    low = 1 + sum(value > mean + checked.margin for value in values)
    high = 13 - sum(value < mean - checked.margin for value in values)
    assert (checked.ranks.low, checked.ranks.high) == (low, high)
    assert verdict.besides[0].row.value == max(values)
    page = page_of(Client().get(upload.get_absolute_url()))
    assert verdict.check.sentence in page.text
    assert "Beside other results" in page.text
    assert "nan" not in page.text.casefold().split()
