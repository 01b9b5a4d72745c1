"""Pages of leaderboards, suites, snapshots and collections: where they lead, what programs read, who keeps them."""

import io
import json
import zipfile
from collections.abc import Sequence
from types import SimpleNamespace

import pytest
from django.core.paginator import Page
from django.utils import timezone

from analysis.boards import KnownVariance
from registry.catalog.models import Collection, CollectionAlias
from registry.curation.suites.models import Suite
from registry.leaderboards.answers import Answer
from registry.leaderboards.documents import boards as board_documents
from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.documents.suites import any_snapshot_document, suite_document
from registry.leaderboards.drawings import pages as page_drawings
from registry.leaderboards.exports import pictures
from registry.leaderboards.exports.bundles import bundle_of
from registry.leaderboards.exports.croissant import collection_data, croissant_text
from registry.leaderboards.exports.files import leaderboard_file, results_csv, with_links
from registry.leaderboards.exports.linked_data import board_linked_data, collection_linked_data
from registry.leaderboards.exports.signposts import _papers, signposts_of
from registry.leaderboards.forms import Selection
from registry.leaderboards.models import Analysis, Snapshot
from registry.leaderboards.presentation import example_context
from registry.leaderboards.queries.boards import leaderboards_of, read_board
from registry.leaderboards.queries.suites import suite_boards
from registry.leaderboards.snapshot_page import Member, snapshot_context
from registry.leaderboards.views import boards as boards_pages
from registry.leaderboards.views import suites as suites_pages
from tests.registry.curation.suites.world import make_suite
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_paper,
    make_result,
    make_system,
    make_topic_scores,
    make_topics,
)
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed
from tests.registry.leaderboards.earlier_methods import OLD
from tests.registry.leaderboards.suites import analyse_all, make_members, suite_board

pytestmark = pytest.mark.django_db


def paged(response) -> Page:
    """The part of a list that a page shows: pieces of the page may have another thing of this name."""
    return next(one["page"] for one in response.context if isinstance(one.get("page"), Page))


def test_collections_lead_to_their_name_of_today_and_list_what_has_results(client):
    board = make_board()
    analyse(board)
    slug = board.collection.slug
    CollectionAlias.objects.create(collection=board.collection, alias="An alias")
    for end in ("", "about/"):
        moved = client.get(f"/collections/An alias/{end}")
        assert (moved.status_code, moved.url) == (301, f"/collections/{slug}/{end}")
    moved = client.get("/collections/An alias.croissant.json")
    assert (moved.status_code, moved.url) == (301, f"/collections/{slug}.croissant.json")
    as_data = client.get(moved.url)
    assert as_data["Link"].count(f"<http://testserver/collections/{slug}/>") == 2
    for address in (f"/collections/{slug}/about/", f"/collections/{slug}.croissant.json"):
        assert client.get(f"{address}?x=1").status_code == 400
    page = client.get(f"/collections/{slug}/")
    ((listed, drawing),) = page.context["leaderboards"]
    assert (listed, "<svg" in drawing, page.context["has_drawings"]) == (board, True, True)
    links = page["Link"]
    for part in (f"/collections/{slug}.croissant.json", f"{board.get_absolute_url().rstrip('/')}.csv", "text/csv",
                 f"/api/v1/collections/{slug}"):  # fmt: skip
        assert part in links
    assert page.context["linked_data"]["hasPart"][0]["name"] == str(board)
    empty = make_collection("empty")
    none = client.get("/collections/empty/")
    assert (none.context["leaderboards"], none.context["has_drawings"]) == ([], False)
    about = client.get(f"/collections/{slug}/about/").context
    assert (about["collection"], about["suites"], about["may_edit"]) == (board.collection, [], False)
    assert client.get(f"/collections/{slug}/?x=1").status_code == 400
    found = client.get("/collections/")
    assert [one.slug for one in found.context["page"]] == [slug]
    assert (found.context["n_lacking"], found.context["query"]) == (1, {})
    lacking = client.get("/collections/?results=none")
    assert ([one.slug for one in lacking.context["page"]], lacking.context["query"]) == (["empty"], {"results": "none"})
    rows = client.get("/collections.csv").content.decode().splitlines()
    assert (len(rows), slug in rows[1]) == (2, True)
    assert empty.slug == "empty"


def test_a_leaderboard_says_to_programs_what_it_is(client):
    board = make_board()
    analysis = analyse(board)
    document = leaderboard_document(board, Selection())
    data = board_linked_data(document, [SimpleNamespace(address="/x.csv", media_type="text/csv")])
    assert (data["description"], data["dateModified"]) == (document.verdict.sentence, document.snapshot.created)
    assert data["distribution"] == [
        {"@type": "DataDownload", "contentUrl": "http://testserver/x.csv", "encodingFormat": "text/csv"}
    ]
    assert data["variableMeasured"]["name"] == board.measure.name
    assert (data["name"], data["isAccessibleForFree"]) == (f"Published results on {board}", True)
    assert document.n_with_topic_scores == 0
    assert (data["@type"], data["url"]) == ("Dataset", f"http://testserver{board.get_absolute_url()}")
    unanalysed_board = make_board(["0.3"])
    unanalysed = leaderboard_document(unanalysed_board, Selection())
    bare = board_linked_data(unanalysed, [])
    assert (bare["description"], "dateModified" in bare, "distribution" in bare) == (
        unanalysed.analysis.message, False, False,
    )  # fmt: skip
    about = collection_linked_data(board.collection, ["other name"], [board])
    assert about["alternateName"] == ["other name"]
    assert about["identifier"] == board.collection.slug
    assert "1 leaderboard." in about["description"]
    assert about["name"] == f"Published results on {board.collection.name}"
    named = Collection(slug="x", name="X", ir_datasets_id="msmarco")
    assert collection_linked_data(named, [], [])["identifier"] == "msmarco"
    assert "alternateName" not in collection_linked_data(named, [], [])
    answer = with_links(leaderboard_file(document, "csv", "http://testserver"), document)
    assert f"/snapshots/{analysis.snapshot_id}/" in answer["Link"]
    assert "attachment" in answer["Content-Disposition"]
    page = client.get(board.get_absolute_url())
    for part in ("croissant.json", ".bib", ".ris", ".csv", "application/json"):
        assert part in page["Link"]
    single = client.get(unanalysed.url)
    assert "badge" not in single.context
    assert (".bib" in single["Link"], "croissant.json" in single["Link"]) == (bool(unanalysed.verdict), True)
    described = json.loads(croissant_text(document, "http://testserver"))
    assert described["citeAs"].endswith(f"http://testserver/snapshots/{analysis.snapshot_id}/")
    assert described["description"] == document.verdict.sentence
    assert described["recordSet"][0]["field"][0]["dataType"] == "sc:Integer"
    assert (described["url"], described["name"]) == (
        f"http://testserver{board.get_absolute_url()}", str(board).replace(", ", "--").replace("@", "-"),
    )  # fmt: skip
    day = document.snapshot.created[:10]
    assert (described["datePublished"], described["version"]) == (day, day.replace("-0", ".").replace("-", "."))
    unanalysed_board.collection.name = "Société"
    unanalysed = leaderboard_document(unanalysed_board, Selection())
    text = croissant_text(unanalysed, "http://testserver")
    assert text.startswith('{\n "@context"')
    assert f'"description": "Published results: Société, {unanalysed.measure["name"]}."' in text
    whole = collection_data(board.collection, list(leaderboards_of(board.collection)))
    assert len(whole["recordSet"]) == len(whole["distribution"]) == 1
    assert whole["isLiveDataset"] is True
    assert (whole["name"], whole["url"]) == (
        board.collection.slug, f"http://testserver{board.collection.get_absolute_url()}",
    )  # fmt: skip
    assert board.collection.name in whole["description"]
    assert whole["citeAs"].startswith(f"Plumbline, published results on {board.collection.name}. http://testserver/")
    today = timezone.localdate()
    assert (whole["datePublished"], whole["version"]) == (
        today.isoformat(), f"{today.year}.{today.month}.{today.day}",
    )  # fmt: skip
    lines = results_csv(document).splitlines()
    assert (len(lines), lines[0].startswith("id,rank,rank_low")) == (9, True)


def test_snapshots_say_to_programs_which_papers_may_be_the_best():
    board = make_board()
    paper, other = make_paper("Doe (2020)"), make_paper("Roe (2021)")
    best, second, *_, worst = board.results.order_by("-value")
    third = make_paper("Poe (2019)")
    type(best).objects.filter(pk=best.pk).update(paper=third, year=2004)
    type(best).objects.filter(pk=second.pk).update(paper=paper)
    type(best).objects.filter(pk=worst.pk).update(paper=other)
    make_run(board, "0.1", comparability="topic_subset", system=make_system("odd", team=""))
    mark_changed(board)
    snapshot = analyse(board).snapshot
    document = any_snapshot_document(snapshot)
    assert list(_papers(document)) == [paper, third]
    posts = signposts_of(snapshot, document, "https://x.org")
    data, *articles = posts.json_ld["@graph"]
    assert (data["version"], data["datePublished"]) == (snapshot.pk, f"{snapshot.created_at:%Y-%m-%d}")
    assert data["citation"] == [{"@id": f"https://x.org{one.get_absolute_url()}"} for one in (paper, third)]
    assert [one["@id"] for one in articles] == [f"https://x.org{one.get_absolute_url()}" for one in (paper, third)]
    assert data["url"] == f"https://x.org/snapshots/{snapshot.pk}/"
    assert data["isAccessibleForFree"] is True
    assert [one["encodingFormat"] for one in data["distribution"]] == ["application/json", "application/zip"]
    assert dict(posts.highwire)["citation_publication_date"] == f"{snapshot.created_at:%Y/%m/%d}"
    assert "rft.type=dataset" in posts.coins
    nothing = SimpleNamespace(verdict=None, collection={})
    assert _papers(nothing) == []
    suite = SimpleNamespace(verdict=document.verdict)
    assert _papers(suite) == []

    def of_members(members: Sequence[int]) -> SimpleNamespace:
        shown = SimpleNamespace(set=SimpleNamespace(members=members))
        return SimpleNamespace(verdict=SimpleNamespace(shown=shown), collection={})

    assert _papers(of_members(range(26))) == []
    assert list(_papers(of_members([second.pk, *range(10**6, 10**6 + 24)]))) == [paper]
    context = snapshot_context(document, snapshot)
    assert context["has_ranks"]
    low, high = leaderboard_document(board, Selection()).results[0].rank_low, document.verdict.set.n_members
    first, next_one = context["members"][0][:2]
    assert first == Member(f"{low}–{high}", "run 0", "0.3100", 2004)
    assert (next_one.system, next_one.year) == ("run 1", None)
    assert context["has_years"]
    assert (context["has_teams"], context["all_comparable"], len(context["rows"])) == (True, False, 9)
    assert sum(may is True for _, may, _ in context["rows"]) == document.verdict.set.n_members
    assert snapshot_context(document, Snapshot(pk="x", leaderboard=board, content=OLD)) == {"stored": None}


def test_pages_of_snapshots_are_fresh_and_their_content_never_changes(client):
    board = make_board()
    analysis = analyse(board)
    address = f"/snapshots/{analysis.snapshot_id}/"
    page = client.get(address)
    assert (page["Cache-Control"], page.context["is_current"]) == ("no-cache", True)
    assert len(page.context["drawings"]) == 2
    assert [name for _, name in page.context["citations"]][:2] == ["BibTeX", "biblatex"]
    content = client.get(f"{address.rstrip('/')}.json")
    assert content["Cache-Control"] == "public, max-age=31536000, immutable"
    assert content.content.decode() == analysis.snapshot.content
    cited = client.get(f"{address.rstrip('/')}.bib")
    assert (cited["Cache-Control"], f"plumbline-{analysis.snapshot_id}.bib" in cited["Content-Disposition"]) == (
        "no-cache", True,
    )  # fmt: skip
    assert client.get(f"{address}topic_scores.csv").status_code == 404
    for part in ("bundle.zip", "card.png"):
        assert client.get(f"{address}{part}?x=1").status_code == 400
    bundle = client.get(f"{address}bundle.zip")
    assert bundle["Content-Disposition"] == f'attachment; filename="plumbline-{analysis.snapshot_id}.zip"'
    card = client.get(f"{address}badge.svg")
    assert (card["Cache-Control"], card["Vary"]) == ("public, max-age=3600", "Accept-Encoding")
    old = Snapshot.objects.create(pk="0" * 20, leaderboard=board, content=OLD)
    assert client.get(f"/snapshots/{old.pk}/topic_scores.csv").status_code == 404
    pair = analyse(make_board(["0.3", "0.2"])).snapshot
    assert len(client.get(pair.get_absolute_url()).context["drawings"]) == 2
    earlier = client.get(f"/snapshots/{old.pk}/")
    assert (earlier.context["is_current"], earlier.context["drawings"], earlier.context["stored"]) == (False, [], None)
    one = board.results.order_by("-value").first()
    result = client.get(f"/results/{one.pk}.bib")
    assert (result["Cache-Control"], f"plumbline-result-{one.pk}.bib" in result["Content-Disposition"]) == (
        "no-cache", True,
    )  # fmt: skip
    assert client.get(f"/results/{one.pk}.bib?x=1").status_code == 400
    assert client.get(f"/results/{make_result().pk}.bib").status_code == 404


def test_a_snapshot_with_topic_scores_gives_them_out(client):
    board = make_leaderboard()
    make_topics(make_collection("elsewhere"), ["1", "2"])
    make_topics(board.collection, [f"t{n}" for n in range(30)])
    for place in range(5):
        scores = [round(0.2 + 0.05 * place + 0.01 * ((n * (place + 3)) % 7), 4) for n in range(30)]
        make_topic_scores(make_result(board, make_system(team=f"t{place}"), f"{sum(scores) / 30:.4f}"), scores)
    mark_changed(board)
    analysis = analyse(board)
    answer = client.get(f"/snapshots/{analysis.snapshot_id}/topic_scores.csv")
    lines = answer.content.decode().splitlines()
    assert (answer.status_code, len(lines), len(lines[0].split(","))) == (200, 31, 6)
    assert b"\r" not in answer.content
    assert f"plumbline-{analysis.snapshot_id}-topic-scores.csv" in answer["Content-Disposition"]
    document = leaderboard_document(board, Selection())
    assert document.n_with_topic_scores == 5


def test_pictures_are_of_verdicts_and_for_everybody():
    board = make_board()
    analyse(board)
    document = leaderboard_document(board, Selection())
    drawn = pictures.figure_svg(document, document)
    assert drawn.lstrip().startswith("<svg")
    assert f'width="{(1120 + 40)}"' in drawn
    assert "Plumbline. Snapshot" in drawn
    assert "var(--" not in pictures.drawing_style()
    card = pictures.card_svg(document, document)
    assert 'width="1200"' in card
    nothing = leaderboard_document(make_board(["0.3"]), Selection())
    with pytest.raises(pictures.Http404, match="There is no verdict with several results"):
        pictures.figure_svg(nothing, nothing)
    site = pictures.site_card_svg(document)
    assert "How good is the best published" in site
    assert str(board.collection.name) in site
    assert str(board.collection.name) not in pictures.site_card_svg(None)
    answer = pictures.picture_response(document, document, "badge.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'"
    kept = pictures.for_everybody(answer)
    assert kept["Cache-Control"] == "public, max-age=3600"
    answer.status_code = 404
    del answer["Cache-Control"]
    assert "Cache-Control" not in pictures.for_everybody(answer)
    assert pictures.png(pictures.card_svg(document, document)).startswith(b"\x89PNG")


def test_drawings_of_a_page_are_blank_where_there_is_nothing_to_draw():
    board = make_board()
    analyse(board)
    document = leaderboard_document(board, Selection())
    found = page_drawings.page_drawings(document, document.best_result)
    assert ("<svg" in found["plumb_line"], "<svg" in found["figure"], found["years"]) == (True, True, "")
    alone = leaderboard_document(make_board(["0.3"]), Selection())
    assert page_drawings.page_drawings(alone, None) == {"plumb_line": "", "figure": "", "years": ""}
    for year in (2010, 2012):
        make_run(board, "0.2", year=year, role="proposed")
    type(board.results.first()).objects.filter(year=None).update(year=2004)
    mark_changed(board)
    analyse(board)
    dated = leaderboard_document(board, Selection())
    assert "<svg" in page_drawings.page_drawings(dated, dated.best_result)["years"]
    chosen = leaderboard_document(board, Selection(query={"role": "proposed"}))
    assert page_drawings.page_drawings(chosen, None)["years"] == ""
    other = leaderboard_document(board, Selection(query={"sort": "year"}))
    assert page_drawings.page_drawings(other, None)["years"] != ""
    example = example_context(document)
    assert len(example["plumb_line"].scenes) == 3
    assert example["example_claim"].endswith(f"can’t be told from the best on {board.collection.name}")
    bare = example_context(alone)
    assert bare["plumb_line"] is None


def test_what_an_earlier_snapshot_says_of_the_same_results_is_shown():
    board = make_board()
    analysis = analyse(board)
    stored = read_board(board.pk).inputs
    assert board_documents._is_of(stored, stored)
    same = board_documents.replace(stored, name="other", n_topics=7)
    assert board_documents._is_of(stored, same)
    assert not board_documents._is_of(stored, board_documents.replace(stored, rows=stored.rows[1:]))
    assert not board_documents._is_of(stored, board_documents.replace(stored, topic_scores="x"))
    variance = KnownVariance(kind="own-variance", value=0.5, degrees_of_freedom=1.0, sources=("x",), n_systems=2,
                             n_topics=3)  # fmt: skip
    now = board_documents.replace(stored, n_topics=7, n_topics_at_least=9, variances=(variance,), references=("r",))
    then = board_documents._with_facts_of(now, stored)
    assert (then.n_topics, then.n_topics_at_least, then.variances, then.references) == (
        stored.n_topics, stored.n_topics_at_least, stored.variances, stored.references,
    )  # fmt: skip
    past = leaderboard_document(board, Selection(as_of=timezone.now().date()))
    assert (past.snapshot.id, past.analysis.state, past.verdict.best.value) == (analysis.snapshot_id, "past", 0.31)
    assert Analysis.objects.get().snapshot_id == analysis.snapshot_id


def test_the_next_page_of_a_suite_keeps_the_rule(client, monkeypatch):
    monkeypatch.setattr(suites_pages, "SYSTEMS_PER_PAGE", 6)
    analyse_all(make_members())
    page = client.get("/suites/beir/nDCG@10/?rule=copeland").content.decode()
    assert 'rel="next" href="?rule=copeland&amp;page=2#results"' in page
    assert client.get("/suites/beir/nDCG@10/?rule=copeland&page=2").context["rules"].chosen_text == "duels"
    assert 'rel="next" href="?page=2#results"' in client.get("/suites/beir/nDCG@10/").content.decode()


def test_suites_have_pages_lists_and_files(client):
    members = make_members()
    analysis = analyse_all(members)
    board = suite_board()
    document = suite_document(board)
    assert document.analysis.state == "current"
    assert [one.collection for one in document.members] == [f"member-{n}" for n in range(9)]
    first = document.members[0]
    assert (first.url, first.has_results, first.snapshot) == (
        members[0].get_absolute_url(), True, f"/snapshots/{members[0].analysis.snapshot_id}/",
    )  # fmt: skip
    assert (document.snapshot.id, document.n_incomplete, document.count) == (analysis.snapshot_id, 0, 10)
    assert document.verdict.sentence != document.verdict_here.sentence
    page = client.get("/suites/beir/nDCG@10/")
    assert len(paged(page)) == 10
    assert page.context["badge"].path == "/suites/beir/nDCG@10/badge.svg"
    assert page.context["card"] == "http://testserver/suites/beir/nDCG@10/card.png"
    assert [row.system for row in page.context["members_of_set"]] == [
        row.system for row in document.results if row.may_be_best
    ]  # fmt: skip
    rule = client.get("/suites/beir/nDCG@10/?rule=copeland")
    assert rule.context["rules"].chosen_text == "duels"
    assert client.get("/suites/beir/nDCG@10/?rule=mean").status_code == 400
    top = client.get("/suites/beir/nDCG@10.json?top=2").json()
    assert ([row["rank"] for row in top["results"]], top["count"]) == ([1, 2], 10)
    assert client.get("/suites/beir/nDCG@10/badge.svg?top=2").status_code == 400
    assert client.get("/suites/beir/").url == "/suites/beir/nDCG@10/"
    lines = client.get("/suites/beir/nDCG@10.csv").content.decode().splitlines()
    assert (lines[0].endswith("member-7,member-8"), len(lines)) == (True, 11)
    snapshot = any_snapshot_document(analysis.snapshot)
    assert (snapshot.url, snapshot.measure["name"], snapshot.suite.slug) == ("/suites/beir/nDCG@10/", "nDCG@10", "beir")
    assert snapshot.verdict.sentence == document.verdict.sentence
    assert "Variance between collections" in client.get(snapshot.snapshot.url).context["sentences"]
    archive = zipfile.ZipFile(io.BytesIO(bundle_of(analysis.snapshot, "@misc{x}")))
    stem = f"plumbline-{analysis.snapshot_id}"
    assert [one.removeprefix(f"{stem}/") for one in archive.namelist()] == [
        "README.txt", "citation.bib", "parameters.json", "recompute.py", "snapshot.json",
    ]  # fmt: skip
    assert "import SuiteSnapshot, headline" in archive.read(f"{stem}/recompute.py").decode()
    assert client.get(f"/snapshots/{analysis.snapshot_id}/").context["is_current"]
    listed = make_suite("listed", members[:2], is_average=False)
    shown = client.get("/suites/listed/")
    assert [(one.collection.slug, "<svg" in drawing) for one, drawing in shown.context["members"]] == [
        ("member-0", True), ("member-1", True),
    ]  # fmt: skip
    assert (shown.context["has_drawings"], shown.context["suite"]) == (True, listed)
    unanalysed = make_suite("later", members[:3])
    waiting = suite_document(suite_boards(["later"])[0])
    assert (waiting.analysis.state, waiting.verdict, waiting.rules, waiting.snapshot, waiting.count) == (
        "queued", None, None, None, 0,
    )  # fmt: skip
    assert [one.n_topics for one in waiting.members] == [50, 50, 50]
    assert [one.snapshot for one in waiting.members] == ["", "", ""]
    assert unanalysed != Suite.objects.get(slug="beir")
    assert "members_of_set" in client.get("/suites/later/nDCG@10/").context
    assert suites_pages.SYSTEMS_PER_PAGE == 14


def test_answers_lead_to_each_view_of_a_leaderboard():
    board = make_board()
    analyse(board)
    document = leaderboard_document(board, Selection(query={"sort": "year"}))
    view = SimpleNamespace(view="declared-none", n_rows=3, sentence="s")
    verdict = SimpleNamespace(views=(view, SimpleNamespace(view="all", n_rows=8, sentence="t")), view="all",
                              evidence=document.verdict.evidence)  # fmt: skip
    answer = Answer(document, verdict, document.results, None)
    first, second = answer.views
    assert (first.label, first.n_rows, first.sentence, first.is_shown) == ("none declared", 3, "s", False)
    assert first.address == f"{board.get_absolute_url()}?sort=year&training=declared-none"
    assert (second.label, second.is_shown, answer.has_chips) == ("all", True, True)
    assert (answer.key, answer.heading, answer.strength, answer.page) == ("", "", 3, "best-set-from-means")
    other = Answer(SimpleNamespace(words=SimpleNamespace(set_page="suites")), verdict, (), "other-collections")
    assert [one.address for one in other.views] == ["", ""]
    assert (other.has_chips, other.key, other.page) == (False, "others", "suites")
    assert other.heading == "Best on other collections like these?"
    assert not Answer(document, SimpleNamespace(**vars(verdict) | {"views": ()}), (), None).has_chips
    here = Answer(document, verdict, (), "same-collections")
    assert (here.key, here.heading) == ("these", "Best on these collections?")


def test_the_page_of_a_leaderboard_is_laid_out_by_what_is_asked(client):
    board = make_board([f"0.{200 + number}" for number in range(30)])
    analyse(board)
    address = board.get_absolute_url()
    answer = client.get(address)
    page = answer.context
    assert (len(paged(answer)), paged(answer).paginator.count, page["board"]) == (20, 30, board)
    assert page["card"] == f"http://testserver{address}card.png"
    assert page["badge"].path == f"{address}badge.svg"
    whole = client.get(f"{address}?role=trec_run&rows=50")
    chosen = whole.context
    assert len(paged(whole)) == 30
    assert "badge" not in chosen
    assert chosen["card"] == f"http://testserver{address}card.png?role=trec_run"
    assert len(paged(client.get(f"{address}?page=2"))) == 10
    assert list(paged(client.get(f"{address}?q=run+zebra"))) == []
    assert paged(client.get(f"{address}?q=run+29"))[0].system == "run 29"
    since = client.get(f"{address}?since=2020")
    assert since.status_code == 200
    assert client.get(f"{address}badge.svg?page=2").status_code == 400
    assert client.get(f"{address.rstrip('/')}.csv?top=2").content.count(b"\n") == 3
    assert client.get(f"{address.rstrip('/')}.csv?page=2").status_code == 400
    found = boards_pages.FoundBoard(board.collection.slug, board.measure.name)
    assert (found.id, found.names, found.board) == (board.pk, None, board)
    alias = boards_pages.FoundBoard(board.collection.slug.upper(), board.measure.name)
    assert (alias.id, alias.names) == (None, (board.collection.slug, board.measure.name))
