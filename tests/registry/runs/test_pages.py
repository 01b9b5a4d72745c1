"""Pages of uploads, judgements, studies and collections of one's own: who sees what, and what each form answers."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from registry.results.services import endings
from registry.runs.models import Upload
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_result, make_user
from tests.registry.pages import page_of
from tests.registry.runs.rows import make_judgements, make_upload, make_work
from tests.registry.runs.world import signed_in


def file(content: bytes = b"1 Q0 a 1 2 x\n", name: str = "mine.run") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def test_the_door_takes_a_run_and_says_why_not():
    user = make_user()
    client = signed_in(user)
    mine, theirs = make_upload(owner=user, name="of mine"), make_upload(name="of others")
    page = client.get("/runs/?collection=robust&name=x")
    assert page.status_code == 200
    assert list(page.context["own"]) == [mine]
    assert (page.context["form"].initial["collection"], page.context["example"]) == ("robust", None)
    assert page["Cache-Control"] == "private, no-store"
    collection = make_collection()
    unjudged = client.post("/runs/", {"kind": "run", "collection": collection.slug, "file": file()})
    assert unjudged.status_code == 400
    assert "Send scores by topic instead" in str(unjudged.context["form"].errors["collection"])
    make_judgements(collection)
    sent = client.post("/runs/", {"kind": "run", "collection": collection.slug, "file": file(), "name": "N"})
    upload = Upload.objects.exclude(pk__in=(mine.pk, theirs.pk)).get()
    assert (sent.status_code, sent.url) == (302, upload.get_absolute_url())
    assert (upload.owner, upload.visitor, upload.name, upload.collection) == (user, "", "N", collection)
    of_visitor = Client().post("/runs/", {"collection": collection.slug, "file": file(name="v.run")})
    other = Upload.objects.get(pk=of_visitor.url.split("/")[2])
    assert (other.owner, len(other.visitor), other.name) == (None, 64, "v")


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
