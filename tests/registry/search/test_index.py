"""What the index keeps of each thing: its title and detail, the names and words that find it, how much stands there."""

import pytest
from django.urls import reverse
from django.utils import timezone

from registry.core.pages import method_subjects
from registry.curation.lineage.models import CollectionPaper, PaperLink
from registry.results.models import Model, Paper, System
from registry.results.services.merging import merge_systems
from registry.search import pipeline
from registry.search.models import Term, Thing
from registry.search.pipeline import Found, everything
from registry.search.services import index_registry
from tests.registry.curation.suites.world import add_member, make_suite
from tests.registry.factory import (
    make_collection,
    make_entry,
    make_leaderboard,
    make_measure,
    make_model,
    make_paper,
    make_question,
    make_result,
    make_system,
)

pytestmark = pytest.mark.django_db


def make_listed(collection=None, measure=None, n: int = 1, **fields):
    """A leaderboard with ``n`` results."""
    board = make_leaderboard(collection, measure, results_version=1)
    for number in range(n):
        make_result(board, source=f"source {number}", **fields)
    return board


def kept(kind: str) -> dict[str, Found]:
    """What is kept of the things of a kind, by title."""
    return {one.title: one for one in everything() if one.kind == kind}


def shown(one: Found) -> tuple[str, str, int, int]:
    return one.detail, one.address, one.n_results, one.weight


def test_a_collection_goes_by_its_names_and_shares_what_several_are_called():
    ap, rr = make_measure("AP"), make_measure("RR")
    beir = make_collection(
        "beir-covid", name="BEIR Covid-19 test", suite="BEIR", year=2020, n_topics=1050, ir_datasets_id="beir/covid",
        documents="CORD papers", language="English", aliases=["Covid"],
    )  # fmt: skip
    plain = make_collection("plain", name="Plain", n_topics=None)
    make_question("Which?", ["CV19", "CV"], [beir])
    make_question("Which measure?", ["AP of what"], [ap], kind="measure", only_with=[plain])
    make_listed(beir, rr, n=1)
    make_listed(beir, ap, n=3)
    make_listed(beir, n=2)
    make_leaderboard(plain, ap, results_version=1)
    found = kept("collection")
    one, other = found["BEIR Covid-19 test"], found["Plain"]
    assert shown(one) == ("BEIR, 2020, 1,050 topics", "/collections/beir-covid/", 6, 3)
    assert one.object_id == beir.pk
    assert one.names == ("beircovid", "beircovid19test", "covid")
    assert one.short_names == ("cv19", "cv", "covid19test", "beircovid19")
    assert one.words == ("beir", "covid", "19", "test", "cv19", "cv", "cord", "papers", "english")
    assert one.counts == ()
    assert shown(other) == ("", "/collections/plain/", 0, 0)
    assert (other.names, other.short_names, other.words) == (("plain",), (), ("plain",))


def test_a_measure_with_results_goes_by_all_its_spellings():
    measure = make_measure(
        "AP@5", ir_measures="AP@5", trec_eval="map_cut.5", long_name="Average precision", aliases=["M5"]
    )
    make_measure("RR")
    make_question("Which?", ["MAPs"], [measure], kind="measure")
    make_listed(measure=measure, n=2)
    found = kept("measure")
    assert list(found) == ["AP@5"]
    one = found["AP@5"]
    assert shown(one) == ("Average precision", "/measures/AP@5/", 2, 2)
    assert one.names == ("ap@5", "mapcut5", "averageprecision", "m5", "ap")
    assert one.short_names == ("maps",)
    assert one.words == ("ap", "5", "map", "cut", "average", "precision", "m5", "maps")


def test_a_leaderboard_is_found_by_all_names_of_both_where_results_stand():
    collection = make_collection("robust", name="Robust 2004", suite="TREC", ir_datasets_id="disks45", aliases=["R04"])
    measure = make_measure("AP", long_name="Average precision", trec_eval="map")
    make_question("Which?", ["Rob"], [collection])
    make_question("Which measure?", ["MAPs"], [measure], kind="measure")
    board = make_listed(collection, measure, n=2)
    make_result(make_leaderboard(collection, make_measure("RR")))
    make_leaderboard(collection, make_measure("nDCG"), results_version=1)
    found = kept("leaderboard")
    assert list(found) == ["Robust 2004, AP"], "those that nobody has marked, and those without results, have no page"
    one = found["Robust 2004, AP"]
    assert one.object_id == board.pk
    assert shown(one) == ("TREC", "/leaderboards/robust/AP/", 2, 2)
    assert (one.names, one.short_names) == (("robustap", "robust2004ap"), ())
    assert one.words == (
        *("robust", "ap", "2004", "disks45", "r04", "rob"),
        *("map", "average", "precision", "maps"),
    )


def test_a_model_goes_by_what_it_is_called_for_short():
    model = make_model("naver/splade-v3", "splade-v3", maker="Naver Labs", released="2024-03-11")
    plain = make_model("Plain", "plain-one")
    make_model("Nowhere", "nowhere")
    make_listed(n=2, system=make_system("one", model=model))
    make_listed(system=make_system("two", model=plain))
    found = kept("model")
    assert set(found) == {"naver/splade-v3", "Plain"}
    one, other = found["naver/splade-v3"], found["Plain"]
    assert shown(one) == ("by Naver Labs, 2024", model.get_absolute_url(), 2, 2)
    assert one.names == ("naverspladev3", "spladev3")
    assert one.short_names == ("splade",)
    assert one.words == ("naver", "splade", "v3", "labs")
    assert shown(other) == ("", plain.get_absolute_url(), 1, 1)
    assert (other.names, other.words) == (("plain", "plainone"), ("plain", "one"))


def test_a_system_keeps_the_names_and_teams_that_were_merged_into_it(django_assert_num_queries):
    first, second = make_system("ColBERT v2 run", team="stanford"), make_system("mono (large)", team="castorini")
    alone = make_system("alone")
    for n, system in ((2, first), (1, second), (1, alone)):
        make_listed(n=n, system=system)
    make_system("never scored")
    merge_systems(source=second, target=first, actor=None, reason="the same")
    assert pipeline._merged_names(System, "name", "team") == {first.pk: [("mono (large)", "castorini")]}
    found = kept("system")
    assert set(found) == {"ColBERT v2 run", "alone"}
    one, other = found["ColBERT v2 run"], found["alone"]
    assert shown(one) == ("by stanford", first.get_absolute_url(), 3, 3)
    assert one.names == ("colbertv2run", "monolarge")
    assert one.short_names == ("colbert", "run", "mono")
    assert one.words == ("colbert", "v2", "run", "mono", "large", "stanford", "castorini")
    assert shown(other) == ("", alone.get_absolute_url(), 1, 1)


def test_a_paper_goes_by_citation_title_identifiers_and_what_they_were_before():
    paper = make_paper(
        "Lee et al. (ACL)", title="ORQA: Latent: retrieval", authors="Kenton Lee; Ming-Wei Chang", venue="EMNLP",
        year=2019, acl_id="P19-1612", url="https://example.org/orqa.html", arxiv_id="1906.00300",
    )  # fmt: skip
    gone = make_paper("Before (2018)", arxiv_id="1801.00001", dblp_key="conf/x/Y18")
    Paper.objects.filter(pk=gone.pk).update(merged_into=paper)
    system = make_system("a run")
    link(system, gone)
    make_listed(n=2, paper=paper, system=system)
    make_paper("Nowhere (2020)")
    found = kept("paper")
    assert list(found) == [str(paper)]
    one = found[str(paper)]
    assert shown(one) == ("ORQA: Latent: retrieval, EMNLP, 2019", paper.get_absolute_url(), 2, 2)
    assert one.title == "Lee et al. (ACL)"
    assert one.names == (
        *("leeetalacl", "orqalatentretrieval", "1906 00300", "p19 1612", "httpsexampleorgorqahtml", "before2018"),
        *("1801 00001", "confxy18", "lee et al. (acl)", "orqa: latent: retrieval", "1906.00300", "p19-1612"),
        *("example.org/orqa.html", "before (2018)", "1801.00001", "conf/x/y18"),
    )
    assert one.short_names == (
        *("leeetal", "lee", "leeetal2019", "lee2019", "leeacl", "orqa"),
        *("lee et al", "lee et al. 2019", "lee 2019", "lee acl"),
    )
    assert one.words == (
        *("lee", "et", "al", "acl", "orqa", "latent", "retrieval", "1906", "00300", "p19", "1612", "https", "example"),
        *("org", "html", "before", "2018", "1801", "00001", "conf", "x", "y18", "2019", "kenton", "ming", "wei"),
        *("chang", "emnlp"),
    )


def link(system: System, paper: Paper, **fields) -> PaperLink:
    return PaperLink.objects.create(
        system=system, paper=paper, recorded_at=timezone.now(), **({"relation": PaperLink.Relation.CITED} | fields)
    )


def test_a_paper_is_as_heavy_as_what_it_is_about_while_somebody_says_so():
    one, two, scored = (make_paper(name) for name in ("One (2020)", "Two (2020)", "Scored (2020)"))
    of_model, of_many, on_collection, was_on, never = (
        make_paper(name) for name in ("Model (2020)", "Models (2020)", "Corpus (2020)", "Was (2020)", "Never (2020)")
    )
    heavy, light, unheard = make_system("heavy"), make_system("light"), make_system("unheard")
    board = make_listed(n=3, system=heavy)
    make_listed(n=1, system=light, paper=scored)
    make_model("without a paper", "without")
    models = [make_model(f"m{number}", f"m{number}") for number in range(4)]
    for model, n in zip(models, (2, 4, 1, 0), strict=True):
        for _ in range(n):
            make_listed(system=make_system(model=model))
    Model.objects.filter(pk=models[0].pk).update(paper=of_many)
    Model.objects.filter(pk=models[1].pk).update(paper=of_many)
    Model.objects.filter(pk=models[2].pk).update(paper=of_many)
    Model.objects.filter(pk=models[3].pk).update(paper=of_model)
    link(heavy, one)
    link(light, one)
    link(unheard, two)
    link(heavy, scored)
    link(heavy, never, ended_at=timezone.now())
    for paper, ended_at in ((on_collection, None), (one, None), (was_on, timezone.now())):
        CollectionPaper.objects.create(
            collection=board.collection, paper=paper, place=1, role="describes", source="test",
            recorded_at=timezone.now(), ended_at=ended_at,
        )  # fmt: skip
    about = {one: 4, two: 0, scored: 3, of_many: 4, of_model: 0, on_collection: 0}
    assert pipeline._results_about() == {paper.pk: n for paper, n in about.items()}
    found = kept("paper")
    assert {title: (one.n_results, one.weight) for title, one in found.items()} == {
        str(one): (0, 4), str(two): (0, 0), str(scored): (1, 3), str(of_many): (0, 4), str(of_model): (0, 0),
        str(on_collection): (0, 0),
    }  # fmt: skip


def test_results_are_counted_by_what_they_belong_to_while_they_stand():
    paper, system, other = make_paper(), make_system(), make_system()
    board = make_leaderboard()
    make_result(board, system, paper=paper)
    make_result(board, other)
    make_result(
        board, system, source="before", ending="withdrawn", ended_at=timezone.now(), ended_by=make_entry(), paper=paper
    )
    assert pipeline._standing_by("paper") == {paper.pk: 1}
    assert pipeline._standing_by("system") == {system.pk: 1, other.pk: 1}
    assert pipeline._standing_by("leaderboard__collection") == {board.collection.pk: 2}


def test_a_suite_counts_its_collections_once_and_is_as_heavy_as_its_largest_leaderboard():
    collections = [make_collection(f"c{number}") for number in range(4)]
    ap, rr = make_measure("AP"), make_measure("RR")
    boards = [make_listed(one, ap, n=n) for one, n in zip(collections, (1, 3, 2, 5), strict=True)]
    suite = make_suite("beir", boards[:3], name="BEIR v2, of many")
    whole = suite.members.get(position=0)
    add_member(suite, boards[3], 3, part_of=whole)
    add_member(suite, make_leaderboard(collections[0], rr), 4)
    lone = make_suite("lone", [make_leaderboard(make_collection("c9"), ap)], position=1, is_average=False)
    make_listed(lone.members.get().collection, rr, n=2)
    none = make_suite("none", [], position=2)
    found = kept("suite")
    assert list(found) == ["BEIR v2, of many", "LONE", "NONE"]
    assert shown(found["BEIR v2, of many"]) == ("Suite of 3 collections", "/suites/beir/AP/", 0, 5)
    assert shown(found["LONE"]) == ("Suite of one collection", "/suites/lone/", 0, 0)
    assert shown(found["NONE"]) == ("Suite of 0 collections", "/suites/none/", 0, 0)
    assert [one.object_id for one in found.values()] == [suite.pk, lone.pk, none.pk]
    one = found["BEIR v2, of many"]
    assert one.names == ("beir", "beirv2ofmany")
    assert one.short_names == ("beirv2",)
    assert one.words == ("beir", "v2", "of", "many")


def test_a_method_weighs_by_word_how_often_it_is_said():
    subjects = list(method_subjects())
    found = {one.address: one for one in everything() if one.kind == "method"}
    assert sorted(one.object_id for one in found.values()) == list(range(1, len(subjects) + 1))
    subject = next(one for one in subjects if one.name == "paired-tests")
    one = found[reverse("core:method-detail", args=["paired-tests"])]
    assert (one.title, one.n_results, one.weight) == (subject.title, 0, 0)
    assert one.names[0] == "pairedtests"
    assert "pvalue" in one.short_names
    assert len(one.counts) == len(one.words) <= 80
    weights = {text: weight for place, text, weight in one.terms if place == Term.Place.WORD}
    assert weights["tests"] > weights["paired"] > 0
    assert dict(zip(one.words, one.counts, strict=True)) == weights


def test_of_a_thing_eighty_names_and_words_are_kept_and_titles_are_cut():
    row = pipeline._Row(Thing.Kind.SYSTEM, 7, "t" * 600, "d" * 501, "/x/", 3, 4)
    names = [f"name{number}" for number in range(90)]
    found = row.found(names, "more", short=[*names[:2], *(f"short{number}" for number in range(85))])
    assert (len(found.title), len(found.detail)) == (500, 500)
    assert (found.title[-2:], found.detail[-2:]) == ("t…", "d…")
    assert row.found(["x"]).detail == found.detail
    assert (found.names, len(found.short_names)) == (tuple(names[:80]), 80)
    assert found.words == tuple(names[:80])
    assert found.short_names[0] == "short0"
    assert (found.n_results, found.weight, found.object_id, found.counts) == (3, 4, 7, ())
    exact = pipeline._Row(Thing.Kind.SYSTEM, 7, "t" * 500, "", "/x/").found(
        ["One two", "?!", "one-two"], short=["two", ""]
    )
    assert (exact.title, exact.n_results, exact.weight) == ("t" * 500, 0, 0)
    assert list(exact.terms) == [(0, "onetwo", 0), (1, "two", 0), (2, "one", 0), (2, "two", 0)]


def test_a_thing_that_says_anything_else_has_another_digest():
    row = pipeline._Row(Thing.Kind.SYSTEM, 7, "title", "detail", "/x/", 3, 4)
    digests = [row.found(["name"]).digest, row.found(["name"], "more").digest, row.found(["name"], short=["x"]).digest]
    assert len({*digests}) == 3
    assert {len(digest) for digest in digests} == {32}
    assert row.found(["name"]).digest == digests[0]


def test_only_what_changed_is_written(django_assert_max_num_queries):
    first, second = make_system("first"), make_system("second")
    board = make_listed(system=first)
    make_result(board, second)
    n_things = index_registry()
    assert n_things == Thing.objects.count()
    terms = set(Term.objects.values_list("pk", flat=True))
    assert index_registry() is None
    kept_before = dict(Thing.objects.values_list("title", "pk"))
    System.objects.filter(pk=first.pk).update(team="a team")
    make_entry()
    assert index_registry() == 1
    things = dict(Thing.objects.values_list("title", "pk"))
    assert things.pop("first") != kept_before.pop("first")
    assert things == kept_before
    assert Thing.objects.get(title="first").detail == "by a team"
    one = Thing.objects.get(title="second")
    assert set(one.terms.values_list("text", "place", "kind", "weight")) == {
        ("second", 0, "system", 1), ("second", 2, "system", 1),
    }  # fmt: skip
    assert set(one.terms.values_list("pk", flat=True)) <= terms
    board.results.get(system=second).delete()
    make_entry()
    # The system is gone; its collection, measure and leaderboard have one result less.
    assert index_registry() == 4
    assert not Thing.objects.filter(title="second").exists()
    assert not Term.objects.exclude(thing__in=Thing.objects.all()).exists()
    assert index_registry(is_forced=True) == Thing.objects.count()
    assert index_registry() is None
