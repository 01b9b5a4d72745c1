"""Pages of uploads, judgements, studies and collections of one's own: who sees what, and what each form answers."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from registry.catalog.models import Curator
from registry.core.judged_files import FileChanged
from registry.journal.models import Entry
from registry.results.services import mass_changes
from registry.runs import views
from registry.runs.models import Judgements, OwnCollection, Study, Upload
from registry.runs.recognizing import Fit, Recognized
from registry.runs.services.judging import put_judgements, put_own_judgements
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_result, make_user
from tests.registry.pages import page_of, read
from tests.registry.runs.rows import later, make_judgements, make_own, make_study, make_upload, make_work
from tests.registry.runs.world import run_of, signed_in

pytestmark = pytest.mark.django_db


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
    assert "A run is kept for an hour, or until the day that you choose" in page_of(page).text
    assert "No account is needed. A run is kept for an hour" in page_of(visitor).text
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
    for one in (first, second):
        make_judgements(one)
    fits: list[Fit] = []
    charged = []
    monkeypatch.setattr(views, "recognize", lambda content: Recognized(tuple(fits), 1.5))
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

    monkeypatch.setattr(views, "recognize", unreadable)
    wrong = Client().post("/runs/", {"file": file()})
    assert (wrong.status_code, charged[-1]) == (400, (64, 2.5))
    assert "no run" in str(wrong.context["form"].errors["file"])


def test_an_upload_offers_its_owner_what_its_owner_may_do():
    owner, editor = make_user(), make_user(is_editor=True)
    board = make_leaderboard(measure=make_measure("AP"))
    result = make_result(board)
    work = make_work({"AP": [0.5, 0.7]})
    upload = make_upload(work, owner=owner, collection=board.collection, claimed=result)
    study = make_study(upload, board)
    address = upload.get_absolute_url()
    own = signed_in(owner).get(address).context
    assert (own["is_own"], own["is_kept"], own["may_record"]) == (True, False, False)
    assert list(own["studies"]) == [study]
    assert {"form", "documents_form"} <= own.keys()
    assert "verdict" not in own
    others = signed_in(editor).get(address).context
    assert (others["is_own"], others["may_record"]) == (False, True)
    assert "form" not in others
    Upload.objects.update(forgotten_at=later(hours=2))
    assert Client().get(address).context["is_kept"]
    assert Client().get(f"{address}progress/").json() == {"done": True, "message": ""}
    assert Client().get(f"{address}topic-scores.csv").content == b"topic,AP\nt1,0.5\nt2,0.7\n"
    work.state = "waiting"
    work.save()
    waiting = signed_in(owner).get(address).context
    assert "form" not in waiting
    progress = Client().get(f"{address}progress/").json()
    assert progress == {"done": True, "message": waiting["document"].message}, "given up, as no job is there"
    work.scores = b""
    work.save()
    assert Client().get(f"{address}topic-scores.csv").status_code == 404


def test_what_is_kept_longer_and_what_is_kept_as_its_collection():
    owner = make_user()
    upload = make_upload(owner=owner)
    client = signed_in(owner)
    assert client.post(f"{upload.get_absolute_url()}keep/").url == upload.get_absolute_url()
    upload.refresh_from_db()
    assert abs(upload.forgotten_at - timezone.now() - timedelta(days=30)) < timedelta(minutes=1)
    of_visitor = make_upload(owner=make_user())
    Upload.objects.filter(pk=of_visitor.pk).update(owner=None, visitor="v")
    client.post(f"{of_visitor.get_absolute_url()}keep/")
    of_visitor.refresh_from_db()
    assert (of_visitor.owner, of_visitor.visitor) == (owner, "")
    on_own = make_upload(own_collection=make_own(owner=owner))
    assert client.post(f"{on_own.get_absolute_url()}keep/").status_code == 404
    assert client.post(f"{on_own.get_absolute_url()}record/").status_code == 404
    deleted = client.post(f"{upload.get_absolute_url()}delete/", follow=True)
    assert "It is deleted, with everything that was found." in page_of(deleted).text
    assert not Upload.objects.filter(pk=upload.pk).exists()


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
    assert "The mean of the run is not the printed score." in page_of(refused).text
    with monkeypatch.context() as patched:
        patched.setattr(mass_changes, "MOST_CHANGES", 0)
        stopped = client.post(f"{upload.get_absolute_url()}record/", follow=True)
    assert "results within an hour here; go on later." in page_of(stopped).text
    recorded = client.post(f"{upload.get_absolute_url()}record/")
    assert recorded.url.startswith("/results/")
    assert recorded.url != result.get_absolute_url()


def test_judgements_have_a_page_with_a_form_for_editors_of_the_collection(monkeypatch):
    collection = make_collection("robust", aliases=["Robust04"])
    make_leaderboard(collection, make_measure("AP"))
    make_leaderboard(collection, make_measure("Clicks", ir_measures="Clicks"))
    curator = make_user()
    Curator.objects.create(user=curator, collection=collection)
    address = "/collections/robust/judgements/"
    assert Client().get("/collections/Robust04/judgements/").url == address
    seen = Client().get(address)
    assert (seen.context["form"], seen.context["judgements"], seen.context["runs"]) == (None, None, [])
    assert (seen.context["measures"], seen.context["not_computed"]) == (["AP"], ["Clicks"])
    assert seen["Cache-Control"] == "private, no-cache"
    assert signed_in(make_user()).post(address, {"source": "x"}).status_code == 403
    client = signed_in(curator)
    assert client.get(address).context["form"] is not None
    assert client.post(address, {"source": "x"}).status_code == 400
    wrong = client.post(address, {"source": "x", "file": file(b"1 0 a x\n")})
    assert wrong.status_code == 400
    assert "line 1, column grade" in str(wrong.context["form"].errors["file"])
    sent = client.post(address, {"source": "the track", "licence": "CC0", "file": file(b"1 0 a 1\n")})
    assert (sent.status_code, sent.url) == (302, address)
    judgements = Judgements.objects.get()
    assert (judgements.source, judgements.licence, judgements.measure) == ("the track", "CC0", None)
    assert Entry.objects.get(action="runs.judgements.put").actor == curator
    lines = Client().get("/collections/robust/judgements.qrels")
    assert (lines.content, "robust.qrels" in lines["Content-Disposition"]) == (b"1 0 a 1\n", True)
    assert lines["Content-Type"] == "text/plain; charset=utf-8"

    def gone(judgements):
        raise FileChanged("gone")

    monkeypatch.setattr(views.queries, "lines_of", gone)
    assert Client().get("/collections/robust/judgements.qrels").status_code == 404
    Judgements.objects.update(is_sealed=True)
    assert Client().get("/collections/robust/judgements.qrels").status_code == 404
    assert "n_left" in Client().get(address).context
    assert Client().get("/collections/robust/runs/none.run").status_code == 404


def test_the_example_is_scored_as_a_visitors(monkeypatch):
    assert Client().post("/runs/example/").status_code == 404
    collection = make_collection("trec-dl-2019-passage")
    make_judgements(collection)
    monkeypatch.setattr(views, "read_run", lambda folder, run: b"1 Q0 a 1 2 x\n")
    sent = Client().post("/runs/example/")
    upload = Upload.objects.get()
    assert (sent.url, upload.name, upload.owner, len(upload.visitor)) == (
        upload.get_absolute_url(), "RepLLaMA", None, 64,
    )  # fmt: skip
    run = Client().get("/collections/trec-dl-2019-passage/runs/RepLLaMA.run")
    assert (run.content, "trec-dl-2019-passage.RepLLaMA.run" in run["Content-Disposition"]) == (b"1 Q0 a 1 2 x\n", True)

    def gone(folder, run):
        raise FileChanged("gone")

    monkeypatch.setattr(views, "read_run", gone)
    assert Client().post("/runs/example/").status_code == 404
    assert Client().get("/collections/trec-dl-2019-passage/runs/RepLLaMA.run").status_code == 404


def test_studies_are_asked_for_shown_and_deleted_by_their_owner():
    owner = make_user()
    board = make_leaderboard(measure=make_measure("AP"))
    upload = make_upload(make_work({"AP": [0.5, 0.7]}), owner=owner, collection=board.collection, name="mine")
    other = make_upload(make_work({"AP": [0.4, 0.2]}), owner=owner, collection=board.collection, name="other")
    make_upload(make_work({"AP": [0.4, 0.2]}), collection=board.collection)
    make_upload(make_work(state="waiting", content=b"x"), owner=owner, collection=board.collection)
    client, address = signed_in(owner), upload.get_absolute_url()
    page = client.get(address)
    assert page.context["form"].fields["others"].choices == [(other.pk, "other")]
    assert page.context["form"].fields["measure"].choices == [("AP", "AP")]
    for path in ("studies/", "documents/"):
        wrong = client.post(f"{address}{path}", {"measure": "nDCG", "documents-measure": "nDCG"})
        assert (wrong.status_code, wrong.context["is_own"]) == (400, True)
    sent = client.post(f"{address}studies/", {"measure": "AP", "alone": "yes", "others": [other.pk]})
    study = Study.objects.get()
    assert sent.url == study.get_absolute_url()
    assert (study.is_alone, study.others, study.leaderboard) == (True, [other.pk], board)
    assert not Study.objects.get(pk=Study.objects.get().pk).content
    among = client.post(f"{address}studies/", {"measure": "AP", "alone": "no"})
    assert not Study.objects.get(pk=among.url.rstrip("/").rsplit("/", 1)[1]).is_alone
    told = client.get(f"{sent.url.rstrip('/')}.json").json()
    assert (told["state"], told["is_alone"], told["content"], told["url"]) == ("waiting", True, None, sent.url)
    waiting = client.get(f"{sent.url}progress/").json()
    assert (waiting["done"], waiting["message"] != "") == (False, True)
    assert "pair_form" not in client.get(sent.url).context
    Study.objects.update(state="done", obstacle="too few")
    assert client.get(f"{sent.url}progress/").json() == {"done": True, "message": "too few"}
    assert Client().get(sent.url).status_code == 200
    found = client.get(sent.url, {"first": "mine", "second": "other"})
    assert found.context["pair"].means == (pytest.approx(0.6), pytest.approx(0.3))
    assert found.context["pair"].difference == pytest.approx(0.3)
    assert "pair" not in client.get(sent.url, {"first": "mine", "second": "mine"}).context
    assert client.post(f"{sent.url}figures/").status_code == 302
    Study.objects.filter(pk=study.pk).update(kind="documents")
    assert client.post(f"{sent.url}figures/").status_code == 404
    assert signed_in(make_user()).post(f"{sent.url}delete/").status_code == 403
    assert client.post(f"{sent.url}delete/").url == address
    assert not Study.objects.filter(pk=study.pk).exists()


def test_what_a_board_of_ones_own_says_is_not_deleted_apart_from_it():
    own = make_own("AP")
    measure = own.measures.get()
    upload = make_upload(make_work({"AP": [0.1, 0.2]}), own_collection=own)
    board = make_study(upload, own_measure=measure)
    documents = make_study(upload, own_measure=measure, kind="documents")
    client = signed_in(own.owner)
    for study in (board, documents):
        client.post(f"{study.get_absolute_url()}delete/")
    assert list(Study.objects.all()) == [board]
    assert client.get(measure.get_absolute_url()).status_code == 200
    assert client.get(f"{measure.get_absolute_url().rstrip('/')}.json").json()["state"] == "waiting"
    board.delete()
    assert client.get(measure.get_absolute_url()).status_code == 404


def test_columns_that_are_chosen_are_compared_and_errors_are_said():
    scores = {"a": [0.1, 0.2, 0.4], "b": [0.3, 0.1, 0.5], "c": [0.2, 0.2, 0.2], "d": [0.2, 0.2, 0.2]}
    upload = make_upload(make_work(scores, topics=["t1", "t2", "t3"], kind="matrix"), measure=make_measure("AP"))
    address = upload.get_absolute_url()
    empty = Client().get(address)
    assert (empty.status_code, empty.context["n_topics"], "executed" in empty.context) == (200, 3, False)
    chosen = Client().get(address, {"execution": ["a", "b"], "baseline": ["c"], "margin": "0.01"})
    assert (chosen.context["margin"], [one.system.system for one in chosen.context["executed"].rivals]) == (0.01, ["c"])
    same = Client().get(address, {"execution": ["c", "d"]})
    assert "same on every topic" in same.context["obstacle"]
    assert Client().get(address, {"execution": ["a"]}).status_code == 400
    assert Client().get(f"{address}executions/figure/", {"execution": ["a"]}).status_code == 404


def test_collections_of_ones_own_are_begun_shown_and_changed_by_forms(monkeypatch):
    owner = make_user()
    client = signed_in(owner)
    assert client.post("/runs/own/", {"name": "", "seen": "private"}).status_code == 400
    sent = {"name": "Mine", "seen": "unlisted", "topics": "t1\nt2", "measures": "AP\n P@5 \n"}
    begun = client.post("/runs/own/", sent)
    own = OwnCollection.objects.get()
    assert begun.url == own.get_absolute_url()
    assert (own.owner, own.visibility) == (owner, "unlisted")
    assert (own.topics, own.measure_names) == (["t1", "t2"], ["AP", "P@5"])
    wrong = client.post("/runs/own/", {"name": "Other", "seen": "private", "measures": "AP\nap"})
    assert "“ap”: The collection has this measure." in str(wrong.context["form"].errors["measures"])
    assert list(client.get("/runs/own/").context["own"]) == [own]
    address = own.get_absolute_url()
    seen = client.get(address).context
    assert seen["is_own"]
    assert seen["change_form"].initial == {"name": "Mine", "seen": "unlisted", "topics": "t1\nt2"}
    assert "is_own" not in Client().get(address).context
    assert client.post(f"{address}change/", {"name": "", "seen": "private"}).status_code == 400
    assert client.post(f"{address}change/", {"name": "New", "seen": "public", "topics": ""}).url == address
    own.refresh_from_db()
    assert (own.name, own.visibility, own.topics) == ("New", "public", [])
    for path, sent in (
        ("change/", {"name": "x", "seen": "private"}), ("measures/", {"name": "RR"}), ("tables/", {}), ("runs/", {}),
        ("judgements/", {}), ("keep/", {}), ("delete/", {}),
    ):  # fmt: skip
        assert signed_in(make_user()).post(f"{address}{path}", sent).status_code == 403, path
    OwnCollection.objects.update(visibility="unlisted", delisted_for="not yours")
    refused = client.post(f"{address}change/", {"name": "New", "seen": "public", "topics": ""})
    assert refused.status_code == 400
    assert "not yours" in str(refused.context["change_form"].errors["seen"])
    assert client.post(f"{address}measures/", {"name": "AP"}).status_code == 400
    assert client.post(f"{address}measures/", {"name": "Cost", "better": "less", "decimals": "2"}).url == address
    cost = own.measures.get(name="Cost")
    assert (cost.higher_is_better, cost.decimals, cost.ir_measures) == (False, 2, "")
    assert client.post(f"{address}measures/{cost.pk}/remove/").url == address
    assert not own.measures.filter(pk=cost.pk).exists()
    ap = own.measures.get(name="AP")
    assert client.post(f"{address}tables/", {"measure": str(ap.pk)}).status_code == 400
    assert client.post(f"{address}tables/", {"measure": str(ap.pk), "file": file(b"t", "my table.csv")}).url == address
    table = Upload.objects.get()
    assert (table.name, table.own_measure, bytes(table.work.content)) == ("my table", ap, b"t")
    assert client.post(f"{address}runs/", {}).status_code == 400
    unjudged = client.post(f"{address}runs/", {"file": file()})
    assert (unjudged.status_code, "no judgements yet" in str(unjudged.context["run_form"].errors)) == (400, True)
    assert client.post(f"{address}judgements/", {"file": file(b"1 0 a x\n")}).status_code == 400
    assert client.post(f"{address}judgements/", {"file": file(b"1 0 a 1\n")}).url == address
    assert client.get(address).context["judgements"].n_judged == 1
    run = client.post(f"{address}runs/", {"file": file(), "name": " R  1 "})
    sent = Upload.objects.get(own_measure=None)
    assert (run.url, sent.name, sent.own_collection) == (sent.get_absolute_url(), "R 1", own)
    assert [one.pk for one in client.get(address).context["runs"]] == [sent.pk]
    again = client.post(f"{address}judgements/", {"file": file(b"1 0 a 2\n")})
    assert "Delete these runs first" in str(again.context["judgements_form"].errors["file"])
    OwnCollection.objects.update(forgotten_at=later(days=2))
    assert client.post(f"{address}keep/").url == address
    own.refresh_from_db()
    assert own.forgotten_at > later(days=365)
    gone = client.post(f"{address}delete/", follow=True)
    assert "It is deleted, with its tables and everything that was found." in page_of(gone).text
    assert not OwnCollection.objects.exists()


def test_public_collections_are_listed_with_those_taken_off_for_editors():
    editor = make_user(is_editor=True)
    off = make_own("AP", visibility="unlisted", delisted_for="no")
    for client, delisted in ((Client(), []), (signed_in(make_user()), []), (signed_in(editor), [off])):
        page = client.get("/runs/own/public/")
        assert (list(page.context["delisted"]), list(page.context["page"])) == (delisted, [])
    private = make_own()
    listing = f"{off.get_absolute_url()}listing/"
    assert signed_in(editor).get(listing).context["title"] == "Let it be listed"
    assert signed_in(make_user()).get(listing).status_code == 403
    assert signed_in(private.owner).get(f"{private.get_absolute_url()}listing/").status_code == 403
    public = make_own(visibility="public")
    taken = f"{public.get_absolute_url()}listing/"
    assert signed_in(editor).get(taken).context["title"] == "Take it off the list"
    signed_in(editor).post(taken, {"reason": "not yours"})
    public.refresh_from_db()
    assert (public.visibility, public.delisted_for) == ("unlisted", "not yours")
    unlisted = make_own(visibility="unlisted")
    assert signed_in(editor).get(f"{unlisted.get_absolute_url()}listing/").status_code == 404


def test_a_run_on_a_collection_of_ones_own_has_a_verdict_for_each_measure():
    own = make_own("AP", "P@5", "RR")
    put_own_judgements(collection=own, content=b"t1 0 a 1\n")
    precision = {"AP": {"estimate": 0.5, "low": 0.4, "high": 0.6, "n_topics": 2, "grade": 1}}
    work = make_work({"AP": [0.5, 0.7], "P@5": [0.2, 0.2]}, report={"precision": precision})
    upload = make_upload(work, own_collection=own, name="mine")
    page = signed_in(own.owner).get(upload.get_absolute_url())
    assert [(one.measure.name, one.deciding) for one in page.context["own_verdicts"]] == [("AP", None), ("P@5", None)]
    assert page.context["own_verdicts"][0].precision.estimate == 0.5
    other = make_upload(make_work({"AP": [0.1, 0.9]}), own_collection=own, name="other")
    make_upload(make_work({"AP": [0.3, 0.1]}), own_collection=own, name="third")
    verdicts = signed_in(own.owner).get(upload.get_absolute_url()).context["own_verdicts"]
    deciding = verdicts[0].deciding
    assert (deciding.n_systems, deciding.n_topics, deciding.difference) == (2, 2, pytest.approx(0.25))
    assert [(one.topic, one.others) for one in deciding.gains] == [
        ("t1", pytest.approx(0.2)), ("t2", pytest.approx(0.5)),
    ]  # fmt: skip
    assert "of the 2 other systems here" in deciding.said
    assert verdicts[1].deciding is None
    assert read(signed_in(own.owner), other.get_absolute_url()).status == 200


def test_sealed_judgements_say_how_many_answers_are_left(settings):
    settings.PLUMBLINE_SEALED_ANSWERS = 3
    collection = make_collection()
    measure = make_measure("AP")
    make_leaderboard(collection, measure)
    lines = "".join(f"t1 0 d{number} 1\n" for number in range(20)).encode()
    judgements = put_judgements(collection=collection, content=lines, source="s", measure=measure)
    upload = make_upload(make_work(means={"AP": 0.5}, judgements=judgements), collection=collection)
    context = Client().get(upload.get_absolute_url()).context
    assert (context["n_answers"], context["n_left"], context["document"].is_sealed) == (3, 3, True)
    assert "boards" not in context
    assert run_of("a", topics=["t1"]) == b"t1 Q0 a 1 1.5 mine\n"
