"""What programs are told of results, systems, papers and the log, and names and addresses in short."""

from datetime import UTC, date, datetime, timedelta
from unittest.mock import patch

import pytest

from registry.journal.services import record
from registry.results.addresses import is_page, page_name
from registry.results.documents import (
    describe_paper,
    describe_result,
    feed_entry,
    log_cells,
    log_entries,
    paper_document,
    result_cells,
    result_document,
    source_cells,
    system_document,
)
from registry.results.feeds import MAX_ENTRIES, result_events
from registry.results.models import Paper, Result, Source
from registry.results.people import divide_authors, read_name, short_people
from registry.results.queries import source_counts
from registry.results.querysets import year_here
from registry.results.services.endings import supersede_result, withdraw_result
from registry.results.services.merging import merge_systems
from registry.results.verification import check_endings, check_scores
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_paper,
    make_result,
    make_results,
    make_system,
    make_user,
)

pytestmark = pytest.mark.django_db


def listed(result: Result) -> Result:
    return Result.objects.for_listing().get(pk=result.pk)


@pytest.fixture
def result() -> Result:
    board = make_leaderboard(make_collection("robust", name="Robust"), make_measure("AP"))
    return make_result(
        board, make_system("BM25", "uwaterloo"), "31.2", unit="percent", year=2004, date=date(2004, 11, 16),
        role="proposed", paper=make_paper("Doe (TREC 2004)", year=2004, url="https://example.org/doe.pdf"),
        locator="Table 3", notes="a run", source="the paper", n_topics_here=200, is_self_reported=True,
    )  # fmt: skip


def test_a_result_is_told_with_everything_recorded_about_it(result):
    told = describe_result(listed(result))
    assert told["leaderboard"]["url"] == "/leaderboards/robust/AP/"
    assert (told["id"], told["value"], told["printed"], told["unit"]) == (result.pk, 0.312, "31.2", "percent")
    assert (told["year"], told["date"], told["role"], told["n_topics"]) == (2004, "2004-11-16", "proposed", 200)
    assert (told["is_self_reported"], told["is_disputed"], told["source"]) == (True, False, "the paper")
    assert (told["locator"], told["notes"], told["replicate_of"]) == ("Table 3", "a run", None)
    assert (told["status"], told["ended"]) == ("standing", None)
    assert told["recorded"] == result.recorded_at.isoformat(timespec="seconds")
    assert (told["system"]["name"], told["system"]["team"]) == ("BM25", "uwaterloo")
    assert told["system"]["url"] == result.system.get_absolute_url()
    assert (told["paper"]["cite"], told["paper"]["year"]) == (str(result.paper), 2004)
    plain = describe_result(listed(make_result(result.leaderboard)))
    assert (plain["paper"], plain["date"], plain["n_topics"]) == (None, None, None)


def test_a_result_that_ended_says_when_why_and_for_what(result):
    new = supersede_result(result=result, changes={"printed": "31.5"}, actor=make_user("ada"), reason="a slip")
    old = describe_result(listed(result))
    assert (old["status"], old["ended"]["superseded_by"]) == ("superseded", new.pk)
    assert old["ended"]["entry"] == {
        "action": "results.result.superseded",
        "subject": f"result {result.pk}",
        "actor": "ada",
        "reason": "a slip",
    }
    withdraw_result(result=new, actor=None, reason="an erratum")
    whole = result_document(listed(new), Result.objects.versions_of(new))
    assert (whole["status"], whole["ended"]["superseded_by"]) == ("withdrawn", None)
    assert [(one["id"], one["printed"], one["status"]) for one in whole["history"]] == [
        (result.pk, "31.2", "superseded"),
        (new.pk, "31.5", "withdrawn"),
    ]


def test_a_result_as_a_row_of_a_file_has_what_it_needs_to_be_loaded_again(result):
    replicate = make_result(result.leaderboard, make_system("BM25 again"), replicate_of=result)
    rows = {row.pk: result_cells(row) for row in Result.objects.for_export()}
    assert rows[result.pk] == {
        "collection": "robust", "measure": "AP", "system": "BM25", "value": "31.2", "unit": "percent",
        "role": "proposed", "source": "the paper", "year": "2004", "date": "2004-11-16", "team": "uwaterloo",
        "paper": "Doe (TREC 2004)", "paper_url": "https://example.org/doe.pdf", "provenance": "transcribed",
        "comparability": "standard", "n_topics": "200", "self_reported": "yes", "locator": "Table 3", "notes": "a run",
    }  # fmt: skip
    assert rows[replicate.pk]["replicate_of"] == "BM25"
    assert not {"year", "date", "paper", "team", "n_topics", "self_reported"} & rows[replicate.pk].keys()


def test_a_system_has_the_names_that_were_merged_into_it():
    kept = make_system("monoT5")
    for name in ("mono-t5", "MonoT5 base"):
        other = make_system(name, team="castorini")
        make_result(system=other)
        merge_systems(source=other, target=kept, actor=None, reason="the same")
    told = system_document(kept)
    assert told["aliases"] == [
        {"name": "mono-t5", "team": "castorini"},
        {"name": "MonoT5 base", "team": "castorini"},
    ]
    assert (told["name"], told["slug"], told["url"]) == ("monoT5", kept.slug, kept.get_absolute_url())


def test_a_paper_has_its_identifiers():
    paper = make_paper("Doe (2020)", title="Of scores", doi="10.1000/1", arxiv_id="2001.00001", url="https://a.org/p")
    told = paper_document(paper)
    assert (told["title"], told["doi"], told["arxiv_id"]) == ("Of scores", "10.1000/1", "2001.00001")
    assert (told["source_url"], told["url"], told["cite"]) == ("https://a.org/p", paper.get_absolute_url(), str(paper))


def test_names_stand_in_their_order_whenever_they_were_merged():
    kept = make_system("monoT5")
    for name, team in (("c", ""), ("a", "y"), ("b", ""), ("a", "x")):
        merge_systems(source=make_system(name, team), target=kept, actor=None, reason="the same")
    told = [(alias["name"], alias["team"]) for alias in system_document(kept)["aliases"]]
    assert told == [("a", "x"), ("a", "y"), ("b", ""), ("c", "")]


@pytest.mark.parametrize(
    ("said", "cite"), [({"title": "Of scores"}, "Of scores"), ({"url": "https://a.org/p.pdf"}, "a.org/p.pdf")]
)
def test_a_paper_that_nobody_cites_is_called_as_its_page_is(said, cite):
    paper = Paper.objects.create(identity="url:a.org", **said)
    told = describe_paper(paper)
    assert (told["id"], told["cite"], told["url"]) == (paper.pk, str(paper), paper.get_absolute_url())
    assert cite in told["cite"]


@pytest.mark.parametrize(
    ("provenance", "cell"),
    [
        ("transcribed", "transcribed"),
        ("double_checked", "transcribed"),
        ("author_confirmed", "transcribed"),
        ("topic_scores", "topic_scores"),
        ("recomputed", "recomputed"),
    ],
)
def test_a_file_says_how_a_score_came_here_but_not_who_read_it_again(result, provenance, cell):
    Result.objects.update(provenance=provenance)
    assert result_cells(Result.objects.for_export().get())["provenance"] == cell


def test_a_replicate_names_the_id_of_its_first_instance(result):
    other = make_result(result.leaderboard, replicate_of=result)
    assert describe_result(listed(other))["replicate_of"] == result.pk
    assert describe_result(listed(result))["replicate_of"] is None


def entry_about(kind: str, subject: object, **said):
    return record(action=f"results.{kind}.looked_at_again", subject=(kind, subject), **said)


def test_an_entry_leads_to_what_it_is_about():
    system, paper, result = make_system(), make_paper(), make_result()
    entries = [
        entry_about("system", system.pk),
        entry_about("paper", paper.pk),
        entry_about("result", result.pk),
        entry_about("entry", 7),
        entry_about("collection", "robust"),
        entry_about("lineage", "a key", after={"lineage": "a whole key"}),
        entry_about("lineage", "a key"),
        entry_about("lineage", "a key", before={"lineage": "as it was"}),
        entry_about("file", "results.csv"),
        entry_about("system", 999_999),
    ]
    assert [one["subject_url"] for one in log_entries(entries)] == [
        system.get_absolute_url(),
        paper.get_absolute_url(),
        result.get_absolute_url(),
        "/log/7/",
        "/collections/robust/",
        "/lineages/?key=a+whole+key",
        "/lineages/?key=a+key",
        "/lineages/?key=as+it+was",
        "",
        "",
    ]


def test_an_entry_says_in_words_what_changed():
    ada = make_user("ada")
    entry = entry_about(
        "paper", 3, actor=ada, reason="a slip.", before={"arxiv_id": ""}, after={"arxiv_id": "1", "n_pages": 2}
    )
    (told,) = log_entries([entry])
    assert (told["what"], told["subject"], told["actor"], told["reason"]) == (
        "paper looked at again",
        "paper 3",
        "ada",
        "a slip.",
    )
    assert told["changes"] == [
        {"name": "arxiv id", "before": "", "after": "1"},
        {"name": "n pages", "before": None, "after": 2},
    ]
    feed = feed_entry(entry)
    assert (feed.title, feed.author) == ("paper looked at again: paper 3", "ada")
    assert (feed.path, feed.at) == (f"/log/{entry.pk}/", entry.recorded_at)
    assert feed_entry(entry_about("paper", 3, after={"arxiv_id": "1"})).text == "arxiv id: None → 1"
    assert feed_entry(entry_about("paper", 3, reason="a slip.")).text == "a slip"
    assert feed.text == "a slip. arxiv id:  → 1; n pages: None → 2"
    assert log_cells(entry) == (
        entry.pk,
        entry.recorded_at.isoformat(timespec="seconds"),
        "ada",
        "results.paper.looked_at_again",
        "paper 3",
        "a slip.",
        f"/log/{entry.pk}/",
    )


def test_sources_stand_by_how_many_results_are_from_them():
    for name in ("small", "a twin", "large", "none"):
        Source.objects.create(name=name, what=f"About {name}", address=f"https://example.org/{len(name)}")
    board = make_leaderboard()
    for source, n in (("small", 1), ("a twin", 1), ("large", 2)):
        make_results(board, [0.1] * n, source=source)
    withdraw_result(result=make_result(board, source="none"), actor=None, reason="an erratum")
    found = source_counts()
    assert [(one.name, one.n_results) for one in found] == [("large", 2), ("a twin", 1), ("small", 1), ("none", 0)]
    assert source_cells(found[0])[:2] == ("large", "About large")
    assert source_cells(found[0])[-2:] == (2, found[0].get_absolute_url())
    assert source_cells(Source.objects.get(name="large"))[-2] == 0


def test_a_feed_tells_the_last_fifty_times_that_something_came_or_went():
    board = make_leaderboard(make_collection("robust", name="Robust"), make_measure("AP"))
    results = make_results(board, [0.1] * 49)
    for number, one in enumerate(results):
        Result.objects.filter(pk=one.pk).update(recorded_at=datetime(2026, 1, 1, number % 24, number, tzinfo=UTC))
    for one in results[:3]:
        withdraw_result(result=one, actor=make_user(), reason="an erratum")
    events = result_events(Result.objects.all())
    assert len(events) == MAX_ENTRIES == 50
    assert [event.text for event in events[:3]] == ["an erratum"] * 3
    assert events[0].path == f"{results[2].get_absolute_url()}#ended"
    assert events[0].title == f"Withdrawn: {results[2].system}, 0.1000"
    assert [event.at for event in events] == sorted((event.at for event in events), reverse=True)
    named = result_events(Result.objects.all(), names_board=True)
    assert named[0].title == f"Withdrawn: {results[2].system}, 0.1000, on Robust, AP"
    paper = make_paper("Doe (2020)")
    make_result(board, paper=paper, printed="0.5000")
    (newest,) = result_events(Result.objects.filter(paper=paper))
    assert newest.title.startswith("Recorded: ")
    assert newest.text == f"baseline, {paper}"


def test_a_feed_tells_what_happened_last_whatever_was_recorded_first():
    board, day = make_leaderboard(), datetime(2026, 1, 1, tzinfo=UTC)
    results = make_results(board, [0.1, 0.2, 0.3, 0.4])
    for one in results[:3]:
        withdraw_result(result=one, actor=None, reason="an erratum")
    for one, recorded, ended in zip(results, (5, 3, 2, 1), (6, 9, 8, None), strict=True):
        Result.objects.filter(pk=one.pk).update(
            recorded_at=day + timedelta(recorded), ended_at=ended and day + timedelta(ended)
        )

    def days(n: int) -> list[int]:
        with patch("registry.results.feeds.MAX_ENTRIES", n):
            return [(event.at - day).days for event in result_events(Result.objects.all())]

    assert days(1) == [9]
    assert days(2) == [9, 8]
    assert days(4) == [9, 8, 6, 5]
    assert days(50) == [9, 8, 6, 5, 3, 2, 1]
    with patch("registry.results.feeds.MAX_ENTRIES", 1):
        (event,) = result_events(Result.objects.standing())
    assert event.at == day + timedelta(1)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Ada Lovelace", ("Ada", "", "Lovelace", "")),
        ("Ludwig van Beethoven", ("Ludwig", "van", "Beethoven", "")),
        ("Jan van den Berg", ("Jan", "van den", "Berg", "")),
        ("Juan de la Cruz Gómez", ("Juan", "de la", "Cruz Gómez", "")),
        ("Sammy Davis Jr.", ("Sammy", "", "Davis", "Jr.")),
        ("Henry Ford III", ("Henry", "", "Ford", "III")),
        ("Wei Wang 0001", ("Wei", "", "Wang", "")),
        ("Mary Ann Smith", ("Mary Ann", "", "Smith", "")),
        ("Jr. Jr.", ("Jr.", "", "Jr.", "")),
        ("bell hooks", ("bell", "", "hooks", "")),
    ],
)
def test_a_name_has_a_family_name_with_its_particles(name, parts):
    read = read_name(name)
    assert (read.given, read.particle, read.family, read.suffix, read.is_literal) == (*parts, False)


@pytest.mark.parametrize(
    "name", ["Plato", "山田太郎", "The Qwen Team", "OpenAI Research", "Smith, Ada", "Ben and Jerry"]
)
def test_a_group_and_a_name_in_one_piece_are_left_whole(name):
    read = read_name(name)
    assert (read.family, read.surname, read.is_literal) == (name, name, True)


@pytest.mark.parametrize(
    ("authors", "short"),
    [
        ("", ""),
        ("Jane Doe", "Doe"),
        ("Jane Doe; Rick Roe", "Doe and Roe"),
        ("Jane Doe; Rick Roe; Al Poe", "Doe et al."),
        ("Jane Doe; et al.", "Doe et al."),
        ("Jane van Doe;; Rick Roe ;", "van Doe and Roe"),
        ("et al.", ""),
    ],
)
def test_papers_are_cited_by_one_two_or_the_first_of_many(authors, short):
    assert short_people(authors) == short
    assert all(name and name == name.strip() for name in divide_authors(authors))


@pytest.mark.parametrize(
    ("address", "name", "is_one"),
    [
        ("https://huggingface.co/deepvk/USER-base", "Model card of deepvk/USER-base", True),
        ("https://www.github.com/xhluca/bm25s/tree/main", "Repository xhluca/bm25s", True),
        ("https://huggingface.co/datasets/mteb/results", "huggingface.co/datasets/mteb/results", False),
        ("https://huggingface.co/deepvk", "huggingface.co/deepvk", False),
        ("https://arxiv.org/abs/1904.09171", "arXiv 1904.09171", False),
        ("https://arxiv.org/pdf/cs/9901001.pdf", "arXiv cs/9901001", False),
        ("https://arxiv.org/list/cs.IR", "arxiv.org/list/cs.IR", False),
        ("https://arxiv.org/abs/", "arxiv.org/abs", False),
        ("https://example.org/a%20b/", "example.org/a b", False),
        ("https://example.org", "example.org", False),
        ("no address", "no address", False),
        ("", "", False),
    ],
)
def test_a_page_without_a_title_is_called_by_its_address(address, name, is_one):
    assert page_name(address) == name
    assert is_page(address) is is_one


@pytest.mark.parametrize(
    ("year", "of_collection", "here"), [(2004, 2010, 2010), (2012, 2010, 2012), (2004, None, 2004), (None, 2010, None)]
)
def test_no_result_is_older_than_its_collection(year, of_collection, here):
    assert year_here(year, of_collection) == here


def test_results_are_counted_by_leaderboard_and_in_sum():
    first = make_leaderboard(make_collection("a", name="Alpha"), make_measure("AP"))
    second = make_leaderboard(make_collection("b", name="Beta"), make_measure("RR"))
    system = make_system()
    results = [make_result(second, system), make_result(second), make_result(first, system)]
    withdraw_result(result=results[0], actor=None, reason="an erratum")
    counted = [
        (one["leaderboard__collection__name"], one["leaderboard__measure__name"], one["n"])
        for one in Result.objects.by_leaderboard()
    ]
    assert counted == [("Alpha", "AP", 1), ("Beta", "RR", 2)]
    summary = Result.objects.summary()
    assert [summary[f"n_{name}"] for name in ("recorded", "standing", "leaderboards", "collections", "systems")] == [
        3,
        2,
        2,
        2,
        2,
    ]
    assert summary["first"] <= summary["last"]


def test_what_counts_is_original_comparable_and_one_a_system(result):
    board = result.leaderboard
    make_result(board, replicate_of=result)
    make_result(board, role="reference_implementation")
    make_result(board, comparability="doubtful")
    assert list(Result.objects.counted()) == [result]


def test_a_value_that_is_not_what_is_printed_is_found(result):
    assert (check_scores(None).n, check_scores(None).problems) == (1, [])
    Result.objects.filter(pk=result.pk).update(value=0.4)
    (problem,) = check_scores(None).problems
    assert problem.startswith(f"result {result.pk}: prints 31.2")
    assert problem.endswith("and counts as 0.4")


def test_an_end_that_the_journal_does_not_say_is_found(result):
    new = supersede_result(result=result, changes={"printed": "31.5"}, actor=None, reason="a slip")
    other = make_result(result.leaderboard)
    withdraw_result(result=other, actor=None, reason="an erratum")
    assert (check_endings(None).n, check_endings(None).problems) == (2, [])
    Result.objects.filter(pk=new.pk).update(printed="31.6", provenance="double_checked")
    (problem,) = check_endings(None).problems
    assert problem.startswith(f"result {new.pk}: printed is 31.6, and was 31.5 by entry ")
    Result.objects.filter(pk=new.pk).update(printed="31.5")
    other.refresh_from_db()
    Result.objects.filter(pk=result.pk).update(ended_by=other.ended_by)
    problems = check_endings(None).problems
    assert any(f"result {result.pk}: entry" in one for one in problems)


def test_leaderboards_are_counted_by_collection_and_then_by_measure():
    measures = [make_measure(name) for name in ("RR", "AP")]
    for slug, name in (("a", "Beta"), ("b", "Alpha")):
        collection = make_collection(slug, name=name)
        for measure in measures:
            make_result(make_leaderboard(collection, measure))
    names = [
        (one["leaderboard__collection__name"], one["leaderboard__measure__name"])
        for one in Result.objects.by_leaderboard()
    ]
    assert names == [("Alpha", "AP"), ("Alpha", "RR"), ("Beta", "AP"), ("Beta", "RR")]
