"""Pages of uploads, judgements, studies and collections of one's own: who sees what, and what each form answers."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from registry.results.services import endings
from registry.runs import views
from registry.runs.models import Upload
from registry.runs.queries import Fit
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
    assert "kind" in page.context["form"].fields
    assert page["Cache-Control"] == "private, no-store"
    visitor = Client().get("/runs/")
    assert (list(visitor.context["own"]), "kind" in visitor.context["form"].fields) == ([], False)
    assert theirs.name not in page.content.decode()
    assert "Kept for one hour, or until the day you choose" in page_of(page).text
    assert "Kept for one hour. Anyone with the link can see it" in page_of(visitor).text
    nothing = client.post("/runs/", {"kind": "run"})
    assert (nothing.status_code, list(nothing.context["form"].errors)) == (400, ["file"])
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


def test_a_run_of_no_named_collection_goes_to_those_that_it_fits(monkeypatch):
    first, second = make_collection("first"), make_collection("second")
    for collection in (first, second):
        make_judgements(collection)
    fits: list[Fit] = []
    charged = []
    monkeypatch.setattr(views.queries, "recognize", lambda content: (list(fits), 1.5))
    monkeypatch.setattr(views, "charge_visitor", lambda visitor, seconds: charged.append((len(visitor), seconds)))
    refused = Client().post("/runs/", {"file": file()})
    assert refused.status_code == 400
    assert "fit no collection with judgements here" in str(refused.context["form"].errors["collection"])
    assert not Upload.objects.exists()
    fits.append(Fit(first, 5, 4, 0.9))
    assert Client().post("/runs/", {"file": file()}).status_code == 302
    fits.append(Fit(second, 7, 6, 0.8))
    asked = Client().post("/runs/", {"file": file(b"2 Q0 a 1 2 x\n")})
    assert asked.status_code == 300
    assert [(upload.collection, fit.n_shared) for upload, fit in asked.context["choices"]] == [(first, 4), (second, 6)]
    assert charged == [(64, 1.5)] * 3

    def unreadable(content):
        raise views.Unreadable("no run", 2.5)

    monkeypatch.setattr(views.queries, "recognize", unreadable)
    wrong = Client().post("/runs/", {"file": file()})
    assert (wrong.status_code, charged[-1]) == (400, (64, 2.5))
    assert "no run" in str(wrong.context["form"].errors["file"])


def test_topic_scores_are_recorded_by_those_who_may_where_the_mean_is_printed(monkeypatch):
    board = make_leaderboard(measure=make_measure("AP"))
    editor = make_user(is_editor=True)
    client = signed_in(editor)
    result = make_result(board, printed="0.60")
    upload = make_upload(make_work({"AP": [0.5, 0.7]}), collection=board.collection, claimed=result)
    other = make_upload(make_work({"AP": [0.5, 0.5]}), collection=board.collection, claimed=result)
    unclaimed = make_upload(make_work({"AP": [0.5, 0.5]}), collection=board.collection)
    assert signed_in(make_user()).post(f"{upload.get_absolute_url()}record/").status_code == 403
    assert client.post(f"{unclaimed.get_absolute_url()}record/").status_code == 404
    refused = client.post(f"{other.get_absolute_url()}record/", follow=True)
    assert refused.redirect_chain[-1][0] == other.get_absolute_url()
    assert "The mean of the run is not the reported score." in page_of(refused).text
    with monkeypatch.context() as patched:
        patched.setattr(endings, "MOST_CHANGES", 0)
        stopped = client.post(f"{upload.get_absolute_url()}record/", follow=True)
    assert "results within an hour here; go on later." in page_of(stopped).text
    recorded = client.post(f"{upload.get_absolute_url()}record/")
    assert recorded.url.startswith("/results/")
    assert recorded.url != result.get_absolute_url()
