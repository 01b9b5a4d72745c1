"""Files of what is said of systems: what is counted, what ends, and which leaderboards are studied again."""

from django.utils import timezone

from registry.curation.lineage.models import CollectionPaper, Lineage, PaperLink, SystemFacts, TrainingDeclaration
from registry.curation.lineage.services import answer_training, load_shipped_lineage, load_statements
from registry.journal.models import Entry
from registry.results.models import Result, System
from tests.registry.curation.lineage.world import (
    load_collection_papers,
    load_lineage,
    load_paper_links,
    load_training,
    make_of,
)
from tests.registry.factory import make_collection, make_leaderboard, make_paper, make_result, make_system, make_user
from tests.registry.results.people import editor


def versions(*results: Result) -> list[int]:
    return [type(result.leaderboard).objects.get(pk=result.leaderboard_id).results_version for result in results]


def test_what_a_file_says_is_counted_and_recorded_with_what_ended(tmp_path):
    make_of("a", "x"), make_of("b", "x"), make_of("c", "x"), make_of("d", "x")
    Lineage.objects.create(
        system=System.objects.get(name="d"), key="twin:d", origin="found", source="scores", recorded_at=timezone.now()
    )
    first = load_lineage(tmp_path, "a,x,model:m,s", "b,x,model:m,s", "c,x,model:m,s")
    assert (first.added, first.unchanged, first.superseded) == (3, 0, 0)
    path, person = tmp_path / "lineage.csv", editor()
    lines = ("a,x,model:m,s", "b,x,model:m,other", "d,x,model:n,s", "e,x,model:n,s", "f,x,model:n,s")
    path.write_text("\n".join(["system,team,key,source", *lines]) + "\n")
    report = load_statements(path=path, actor=person, reason="a look")
    assert (report.added, report.unchanged, report.superseded, report.path) == (1, 1, 1, str(path))
    assert report.remarks == ["2 rows are of systems that have no results here"]
    assert "1 changed" in report.summary()
    entry = Entry.objects.latest("pk")
    assert (entry.action, entry.subject_type, entry.subject_id, entry.actor, entry.reason) == (
        "results.lineage.loaded", "file", "lineage.csv", person, "a look",
    )  # fmt: skip
    assert {name: entry.after[name] for name in ("added", "changed", "unchanged", "ended")} == {
        "added": 1, "changed": 1, "unchanged": 1, "ended": 1,
    }  # fmt: skip
    standing = Lineage.objects.standing().order_by("key", "system__name")
    assert [(lineage.system.name, lineage.key, lineage.source, lineage.origin) for lineage in standing] == [
        ("a", "model:m", "s", "loaded"), ("b", "model:m", "other", "loaded"), ("d", "model:n", "s", "loaded"),
        ("d", "twin:d", "scores", "found"),
    ]  # fmt: skip


def test_only_leaderboards_of_systems_of_which_something_else_is_said_are_studied_again(tmp_path):
    first, other, platform = make_of("a", "x"), make_of("b", "x"), make_of("c", "tira")
    load_lineage(tmp_path, "a,x,model:m,s")
    assert versions(first, other, platform) == [1, 0, 0]
    load_lineage(tmp_path, "a,x,model:m,s", "b,x,model:m,s")
    assert versions(first, other, platform) == [1, 1, 0]
    load_lineage(tmp_path, "a,x,model:m,s", "b,x,model:m,s", ",,not team:tira,a platform")
    assert versions(first, other, platform) == [1, 1, 1]
    load_lineage(tmp_path, "b,x,model:m,s")
    assert versions(first, other, platform) == [2, 1, 2]


def test_what_is_said_of_training_concerns_its_collections_or_all_of_its_system(tmp_path):
    first, second = make_leaderboard(make_collection("fiqa")), make_leaderboard(make_collection("nq"))
    system = make_system("t", "x")
    results = [make_result(board, system) for board in (first, second)]
    other = make_of("u", "x", leaderboard=make_leaderboard(first.collection))
    answer_training(system=system, person=make_user(), declared="no", text="No.", url="", dataset="NQ")
    line = "t,x,yes,FiQA,,card,,its card,,,,fiqa"
    load_training(tmp_path, line)
    assert versions(*results, other) == [1, 0, 0]
    load_training(tmp_path, line, "t,x,yes,AllNLI,,card,,its card,,,,")
    assert versions(*results, other) == [1, 0, 0], "that is on no leaderboard"
    load_training(tmp_path, line, "t,x,no,,,package,,mteb,,,,*")
    assert versions(*results, other) == [2, 1, 0]
    standing = TrainingDeclaration.objects.standing()
    assert sorted((row.dataset, bool(row.person)) for row in standing) == [("", False), ("FiQA", False), ("NQ", True)]


def test_each_kind_of_statement_ends_when_its_file_no_longer_says_it(tmp_path):
    system, collection = make_of("a", "x").system, make_collection("robust")
    paper = make_paper("Doe (2020)", url="https://example.org/d", identity="url:example.org/d doe (2020)")
    gone = make_paper("Roe (2021)", identity="cite:roe (2021)")
    type(gone).objects.filter(pk=gone.pk).update(merged_into=paper)
    assert load_paper_links(tmp_path, "a,x,,Roe (2021),,cited,s").added == 1
    assert load_collection_papers(tmp_path, "robust,2,overview,Roe (2021),,s").added == 1
    facts = tmp_path / "systems.csv"
    facts.write_text("system,team,model,source\na,x,A one,s\n")
    assert load_statements(path=facts).added == 1
    assert PaperLink.objects.get().paper == CollectionPaper.objects.get().paper == paper, "by what it was merged into"
    assert SystemFacts.objects.get().system == system
    assert CollectionPaper.objects.get().collection == collection
    assert load_paper_links(tmp_path, "a,x,,Roe (2021),,uses,s").superseded == 1
    assert load_collection_papers(tmp_path, "robust,1,overview,Roe (2021),,s").superseded == 1
    facts.write_text("system,team,model,source\na,x,A two,s\n")
    assert load_statements(path=facts).added == 1
    assert [(record.model, record.ended_at is None) for record in SystemFacts.objects.order_by("pk")] == [
        ("A one", False), ("A two", True),
    ]  # fmt: skip
    assert [link.relation for link in PaperLink.objects.standing()] == ["uses"]
    assert [link.place for link in CollectionPaper.objects.standing()] == [1]
    actions = Entry.objects.order_by("pk").values_list("action", flat=True)
    assert {action for action in actions if action.endswith(".loaded") and "file" not in action} == {
        "results.system_papers.loaded", "results.collection_papers.loaded", "results.system_facts.loaded",
    }  # fmt: skip


def test_what_ships_is_loaded_in_order_where_it_changed(tmp_path):
    make_of("a", "x")
    progress: list[tuple[str, int]] = []

    def load() -> list[str]:
        progress.clear()
        reports = load_shipped_lineage(
            directory=tmp_path, actor=person, reason="shipped", progress=lambda what, n: progress.append((what, n))
        )
        return [report.label for report in reports]

    person = editor()
    assert load() == []
    (tmp_path / "systems.csv").write_text("system,team,model,source\na,x,A,s\n")
    (tmp_path / "lineage.csv").write_text("system,team,key,source\na,x,model:m,s\n")
    assert load() == ["lineage.csv", "systems.csv"]
    assert progress == [("reading lineage.csv", 0), ("reading systems.csv", 0)]
    assert {
        (row.actor, row.reason) for row in Entry.objects.filter(action__endswith="loaded", subject_id="lineage.csv")
    } == {(person, "shipped")}
    assert load() == progress == []
    (tmp_path / "systems.csv").write_text("system,team,model,source\na,x,B,s\n")
    assert load() == ["systems.csv"]
