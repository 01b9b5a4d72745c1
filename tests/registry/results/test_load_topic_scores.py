"""Putting per-topic scores behind results."""

from functools import partial
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from registry.catalog.models import Leaderboard, Topic
from registry.core.loading import LoadReport
from registry.core.models import Job
from registry.journal.models import Entry
from registry.results.models import Result, TopicScores
from registry.results.services.topic_scores import Origin, load_topic_scores
from tests.registry import factory
from tests.registry.commands import given
from tests.registry.results.loading import counts, only_refusal, refusals

TABLE = "topic,BM25,QL\n301,0.2000,0.1\n302,0.3000,0.3\n303,0.4000,0.2\n"


@pytest.fixture
def leaderboard() -> Leaderboard:
    """Three topics under AP."""
    collection = factory.make_collection("small", n_topics=3)
    return factory.make_leaderboard(collection, factory.make_measure("AP", decimals=4))


def load(folder: Path, leaderboard: Leaderboard, content: str = TABLE, **options: object) -> LoadReport:
    path = folder / "scores.csv"
    path.write_text(content, encoding="utf-8")
    origin = Origin(**{name: str(options.pop(name)) for name in list(options) if name in Origin.__annotations__})
    return load_topic_scores(
        path=path, collection=leaderboard.collection, measure=leaderboard.measure, origin=origin, **options
    )


def result(leaderboard: Leaderboard, name: str, printed: str, team: str = "", **fields: object) -> Result:
    return factory.make_result(leaderboard, factory.make_system(name, team), printed, **fields)


def test_scores_are_attached_to_the_results_they_are_the_mean_of_and_fix_the_topics(leaderboard, tmp_path):
    bm25, ql = result(leaderboard, "bm25", "0.3000"), result(leaderboard, "QL", "0.2")
    assert counts(load(tmp_path, leaderboard)) == (2, 0, 0, 0)
    assert bm25.topic_scores.get().scores == [0.2, 0.3, 0.4]
    assert ql.topic_scores.get().scores == [0.1, 0.3, 0.2]
    assert Result.objects.count() == 2
    bm25.refresh_from_db()
    assert (bm25.provenance, bm25.printed) == ("transcribed", "0.3000")
    assert list(Topic.objects.values_list("position", "label")) == [(0, "301"), (1, "302"), (2, "303")]


def test_a_system_without_a_result_gets_one_from_the_mean(leaderboard, tmp_path):
    result(leaderboard, "BM25", "0.3000")
    report = load(
        tmp_path,
        leaderboard,
        role="baseline",
        run_type="automatic",
        team="",
        year=2004,
        paper="P (2004)",
        source="here",
    )
    assert counts(report) == (2, 0, 0, 0)
    assert report.remarks == ["1 result is new, from the means of the scores"]
    new = Result.objects.get(system__name="QL")
    assert (new.printed, new.value, new.provenance, new.role) == ("0.2000", 0.2, "topic_scores", "baseline")
    assert (new.year, new.source, new.paper.cite, new.n_topics_here) == (2004, "here", "P (2004)", None)


def test_without_a_role_such_systems_are_refused(leaderboard, tmp_path):
    report = load(tmp_path, leaderboard)
    assert [column for _, column, _ in refusals(report)] == ["BM25", "QL"]
    assert "give a role to record the mean of its scores as one" in refusals(report)[0][2]
    assert not Topic.objects.exists()
    assert not Result.objects.exists()


def test_another_mean_is_refused_with_both_numbers_and_nothing_loaded(leaderboard, tmp_path):
    result(leaderboard, "BM25", "0.3141", source="a survey")
    at, column, message = only_refusal(load(tmp_path, leaderboard, role="baseline"))
    assert (at, column) == (1, "BM25")
    assert message == "the mean of these scores is 0.300000, on the record is 0.3141 (from a survey)"
    assert not TopicScores.objects.exists()
    assert not Topic.objects.exists()


def test_a_name_of_two_teams_needs_the_team(leaderboard, tmp_path):
    result(leaderboard, "x", "0.3", team="One")
    two = result(leaderboard, "x", "0.3", team="Two")
    table = "topic,x\n1,0.2\n2,0.3\n3,0.4\n"
    assert (
        "systems of several teams ('One' and 'Two'); name the team"
        in only_refusal(load(tmp_path, leaderboard, table))[2]
    )
    assert counts(load(tmp_path, leaderboard, table, team="TWO")) == (1, 0, 0, 0)
    assert TopicScores.objects.get().result == two


ONE = "topic,BM25\n301,0.2\n302,0.3\n303,0.4\n"
OTHER = "topic,BM25\n301,0.4000\n302,0.3000\n303,0.2000\n"


def test_with_replace_other_scores_of_the_same_mean_take_the_place(leaderboard, tmp_path):
    bm25 = result(leaderboard, "BM25", "0.3000")
    load(tmp_path, leaderboard, ONE)
    leaderboard.refresh_from_db()
    version = leaderboard.results_version
    assert counts(load(tmp_path, leaderboard, OTHER, replace=True)) == (0, 0, 1, 0)
    old, new = bm25.topic_scores.order_by("pk")
    assert (old.scores, new.scores) == ([0.2, 0.3, 0.4], [0.4, 0.3, 0.2])
    assert (old.ended_at, new.ended_at) == (new.recorded_at, None)
    leaderboard.refresh_from_db()
    assert leaderboard.results_version == version + 1
    assert Entry.objects.order_by("-pk").first().after["superseded"] == 1
    assert counts(load(tmp_path, leaderboard, OTHER, replace=True)) == (0, 1, 0, 0)


def test_other_scores_behind_the_same_result_are_refused(leaderboard, tmp_path):
    result(leaderboard, "x", "0.3")
    load(tmp_path, leaderboard, "topic,x\n1,0.2\n2,0.3\n3,0.4\n")
    at, column, message = only_refusal(load(tmp_path, leaderboard, "topic,x\n1,0.4\n2,0.3\n3,0.2\n"))
    assert (at, column) == (1, "x")
    assert "other per-topic scores stand behind the result 0.3 already" in message


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        ("", (None, ""), "the file is empty"),
        ("topic,x\n", (None, ""), "has a header and no topics"),
        ("run,1,2,3\nx,0.1,0.2,0.3\n", (1, ""), "the first column is 'run'; it must be topic"),
        ("topic\n1\n2\n3\n", (1, ""), "has no column of scores"),
        ("topic,x,X\n1,0,0\n", (1, "X"), "this system has a column already (as 'x')"),
        ("topic,x,\n1,0,0\n", (1, ""), "column 3 names no system"),
        ("topic,x\n1,0.1\n1,0.2\n3,0.3\n", (3, "topic"), "'1' is there already, in line 2"),
        ("topic,x\n,0.1\n2,0.2\n3,0.3\n", (2, "topic"), "names no topic"),
        ("topic,x\n1,0.1\n2\n3,0.3\n", (3, ""), "the row has 1 cells, the header has 2"),
        ("topic,x\n1,0.1\n2,NaN\n3,0.3\n", (3, "x"), "leave the cell blank for a missing score"),
        ("topic,x\n1,0.1\n2,n/a\n3,0.3\n", (3, "x"), "leave the cell blank for a missing score"),
        ("topic,x\n1,0.1\n2,1e400\n3,0.3\n", (3, "x"), "no score is of that size"),
        (
            "topic,x\n1,0.1\n2,30\n3,0.3\n",
            (3, "x"),
            '30 is above 1, where AP ends; if it is a percentage, write "0.30"',
        ),
        ("topic,x,y\n1,,0\n2,,0\n3,,0\n", (1, "x"), "has no score for any topic"),
        ("topic,x\n1,0.1\n2,0.2\n", (1, "topic"), "the file has 2 topics, small has 3"),
    ],
)
def test_a_bad_table_is_refused_with_the_place(leaderboard, tmp_path, content, place, message):
    at, column, refusal = only_refusal(load(tmp_path, leaderboard, content, role="baseline"))
    assert (at, column) == place
    assert message in refusal
    assert not Result.objects.exists()


def test_the_leaderboard_is_stale_the_journal_written_and_a_second_load_changes_nothing(leaderboard, tmp_path):
    editor = factory.make_user("editor")
    load(tmp_path, leaderboard, role="baseline", actor=editor, reason="from the organizers")
    entry = Entry.objects.get(action="results.topic_scores.loaded")
    assert (entry.actor, entry.reason, entry.subject_id) == (editor, "from the organizers", "scores.csv")
    assert (entry.after["added"], entry.after["new_results"], entry.after["measure"]) == (2, 2, "AP")
    assert {row.actor_name for row in Entry.objects.all()} == {"editor"}
    assert Entry.objects.get(action="results.file.loaded").subject_id == "scores.csv (means)"
    leaderboard.refresh_from_db()
    version, n_entries = leaderboard.results_version, Entry.objects.count()
    assert version > 0
    assert Job.objects.filter(args={"leaderboard_id": leaderboard.pk}).exists()
    report = load(tmp_path, leaderboard, role="baseline")
    leaderboard.refresh_from_db()
    assert (counts(report), "nothing changed" in report.summary()) == ((0, 2, 0, 0), True)
    assert (leaderboard.results_version, Entry.objects.count()) == (version, n_entries)


command = partial(given, "load_topic_scores")


def test_the_command(leaderboard, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(TABLE)
    where = ("--collection", "SMALL", "--measure", "ap")
    assert command(path, *where).code == 1
    out, _, code = command(path, *where, "--role", "baseline", "--run-type", "manual", "--dry-run")
    assert (code, "2 added" in out) == (0, True)
    assert [model.objects.count() for model in (Topic, Result, TopicScores, Entry)] == [0] * 4
    out, _, code = command(path, *where, "--role", "baseline", "--run-type", "manual", "--year", "2004")
    assert code == 0
    assert out.endswith("2 added, 0 unchanged, 0 superseded, 0 refused\n")
    assert {(row.run_type, row.year, row.source) for row in Result.objects.all()} == {("manual", 2004, "scores.csv")}
    with pytest.raises(CommandError, match="no collection is called 'smal'; did you mean small"):
        command(path, "--collection", "smal", "--measure", "AP")


def test_of_several_results_with_the_mean_the_oldest_without_scores_gets_them(leaderboard, tmp_path):
    system = factory.make_system("BM25")
    factory.make_result(leaderboard, system, "0.9", source="of another mean")
    first, second, third = (factory.make_result(leaderboard, system, "0.3000", source=source) for source in "abc")
    load(tmp_path, leaderboard, OTHER)
    assert list(TopicScores.objects.values_list("result", flat=True)) == [first.pk]
    swapped = OTHER.replace("0.4000", "x").replace("0.2000", "0.4000").replace("x", "0.2000")
    load(tmp_path, leaderboard, swapped)
    assert list(TopicScores.objects.order_by("pk").values_list("result", flat=True)) == [first.pk, second.pk]
    for table in (OTHER, swapped):
        assert counts(load(tmp_path, leaderboard, table)) == (0, 1, 0, 0)
    assert not third.topic_scores.exists()


def test_the_command_replaces_scores_where_it_is_told_to_and_says_who_did(leaderboard, tmp_path):
    path = tmp_path / "scores.csv"
    bm25 = result(leaderboard, "BM25", "0.3000")
    load(tmp_path, leaderboard, ONE)
    path.write_text(OTHER)
    factory.make_user("ada")
    where = ("--collection", "small", "--measure", "AP", "--actor", "ada", "--reason", "run again")
    assert command(path, *where).code == 1
    out, _, code = command(path, *where, "--replace")
    assert (code, out.endswith("0 added, 0 unchanged, 1 superseded, 0 refused\n")) == (0, True)
    assert bm25.topic_scores.standing().get().scores == [0.4, 0.3, 0.2]
    entry = Entry.objects.latest("pk")
    assert (entry.actor_name, entry.reason) == ("ada", "run again")
    assert call_command("load_topic_scores", str(path), *where[:4], verbosity=0, stdout=(out := StringIO())) is None
    assert out.getvalue() == ""


def test_a_name_that_may_be_several_measures_on_this_collection_is_asked_about(leaderboard, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(TABLE)
    choices = [leaderboard.measure, factory.make_measure("AP@1000", decimals=4)]
    factory.make_question("To which depth?", ["MAP"], choices, kind="measure", only_with=[leaderboard.collection])
    with pytest.raises(CommandError, match="AP@1000"):
        call_command("load_topic_scores", str(path), "--collection", "small", "--measure", "MAP", "--role", "baseline")
    assert not Result.objects.exists()
