"""Which results come from one maker, paper, model or toolkit, as far as anything says so."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from registry.curation.lineage.models import Lineage
from registry.curation.lineage.queries import lineage_of, systems_of
from registry.results.services.merging import merge_systems
from tests.registry.curation.lineage.world import Row, decide, keys_of, load_lineage, make_of
from tests.registry.factory import make_leaderboard, make_paper, make_system


def test_files_say_more_and_say_what_is_not_so(tmp_path):
    splade = make_of("Anserini splade-pp-ed", "castorini")
    bm25 = make_of("Anserini bm25", "castorini")
    hosted = make_of("nimble-bar", "tira-io")
    load_lineage(
        tmp_path,
        ",,not team:tira-io,a platform",
        "Anserini splade-pp-ed,castorini,model:naver/splade,its name",
        "Anserini splade-pp-ed,castorini,not team:castorini,runs it",
        "ANSERINI  bm25,Castorini,toolkit:anserini,its own",
    )
    assert keys_of(splade) == ("model:naver/splade",)
    assert keys_of(bm25) == ("team:castorini", "toolkit:anserini")
    assert keys_of(hosted) == ()


def test_what_is_decided_holds_against_teams_files_and_searches(tmp_path):
    result = make_of("stella", "infgrad")
    load_lineage(tmp_path, "stella,infgrad,model:stella,its name")
    decide(
        tmp_path,
        "join,Stella,Infgrad,Team: NovaSearch,,their card",
        "leave,stella,infgrad,team:infgrad,,another person",
        "leave,stella,infgrad,model:stella,,another model",
    )
    assert keys_of(result) == ("team:novasearch",)
    load_lineage(tmp_path, "stella,infgrad,model:stella,its name", "stella,infgrad,toolkit:t,said later")
    assert keys_of(result) == ("team:novasearch", "toolkit:t")
    decide(tmp_path)
    assert keys_of(result) == ("model:stella", "team:infgrad", "toolkit:t")


def test_merged_lineages_are_one_and_stay_one_through_further_mergers(tmp_path):
    first, other = make_of("a", "TencentBAC"), make_of("b", "Tencent")
    decide(tmp_path, "merge,,,team:tencentbac,team:tencent,one", "merge,,,team:tencent,team:tencent ai lab,its name")
    assert keys_of(first) == keys_of(other) == ("team:tencent ai lab",)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["merge,,,team:a,team:b,w", "merge,,,team:b,team:c,w", "merge,,,team:c,team:a,w"], "team:a is team:c already"),
        (["merge,,,team:a,team:a,w"], "team:a is team:a already"),
        (["dissolve,,,team:x,,w", "join,a,x,team:x,,w"], "team:x is dissolved and joined"),
        (["join,a,x,model:m,,w", "leave,a,x,model:m,,w"], "says of the same system what line 2 says"),
        (["join,a,x,taem:x,,w"], "did you mean team"),
        (["join,a,x,team:x,, "], "fill in reason"),
        (["join,,,team:x,,w"], "names no system"),
        (["merge,a,x,team:x,team:y,w"], "leave system blank"),
        (["jion,a,x,team:x,,w"], "did you mean join"),
    ],
)
def test_decisions_that_make_no_sense_are_refused_with_their_line(tmp_path, lines, says):
    make_of("a", "x")
    report = decide(tmp_path, *lines)
    (rejection,) = report.rejections
    assert (report.refused, rejection.line) == (1, len(lines) + 1)
    assert says in rejection.message
    assert not Lineage.objects.exists()


def test_leaderboards_concerned_are_analysed_again(tmp_path):
    here, elsewhere = make_of("a", "x"), make_of("b", "y")
    for line in ("join,a,x,team:z,,w", "merge,,,team:x,team:xx,w", "dissolve,,,team:xx,,w"):
        before = here.leaderboard.results_version
        decide(tmp_path, line)
        here.leaderboard.refresh_from_db()
        assert here.leaderboard.results_version == before + 1
    elsewhere.leaderboard.refresh_from_db()
    assert elsewhere.leaderboard.results_version == 0


def test_a_dry_run_says_what_would_change_and_changes_nothing(tmp_path, capsys):
    result = make_of("a", "x")
    decide(tmp_path, "join,a,x,model:m,,w", "settled,,,year:c/AP/s/0.1,,right")
    (tmp_path / "decisions.csv").write_text("decision,system,team,key,into,reason\ndissolve,,,team:x,,w\n")
    call_command("load_decisions", tmp_path / "decisions.csv", "--dry-run")
    output = capsys.readouterr().out
    for line in ("- a: model:m", "+ all systems: team:x", "would be analysed again: 1 leaderboard"):
        assert line in output
    assert keys_of(result) == ("model:m", "team:x")
    call_command("load_decisions", tmp_path / "decisions.csv")
    assert keys_of(result) == ()


def test_a_merged_system_keeps_the_lineages_of_both_names(tmp_path):
    source, target = make_of("BM 25", "x"), make_of("BM25", "y")
    load_lineage(tmp_path, "BM 25,x,model:bm25,its name")
    decide(tmp_path, "join,BM 25,x,curator:c,,w")
    merge_systems(source=source.system, target=target.system, actor=None, reason="one system")
    assert keys_of(target) == ("curator:c", "model:bm25", "team:y")


def test_earlier_lineages_are_shown_as_they_were_known(tmp_path):
    result, other = make_of("a", "x"), make_of("b", "y")
    load_lineage(tmp_path, "a,x,model:m,its name")
    loaded = timezone.now()
    decide(tmp_path, "merge,,,team:x,team:z,w", "join,a,x,model:n,,w")
    load_lineage(tmp_path, "b,y,model:o,its name")
    merge_systems(source=result.system, target=other.system, actor=None, reason="one system")
    assert keys_of(result, moment=loaded) == ("model:m", "team:x")
    assert keys_of(other, moment=loaded) == ("team:y",)
    assert keys_of(result, moment=loaded - timedelta(days=1)) == ("team:x",)
    assert keys_of(other) == ("model:n", "model:o", "team:y")


def test_a_whole_leaderboard_takes_two_queries(tmp_path, django_assert_num_queries):
    board = make_leaderboard()
    results = [make_of(f"system {n}", f"team {n % 7}", leaderboard=board, paper=make_paper()) for n in range(60)]
    load_lineage(tmp_path, *(f"system {n},team {n % 7},model:m{n % 5},its name" for n in range(60)))
    rows = [Row(result) for result in results]
    with django_assert_num_queries(2):
        lineages = lineage_of(rows)
    assert {len(keys) for keys in lineages.values()} == {3}
    assert lineages[results[0].pk][:1] == ("model:m0",)


def test_the_database_refuses_what_makes_no_sense():
    from django.db import IntegrityError, transaction

    system, moment = make_system("a"), timezone.now()
    for fields in ({"key": "team:x"}, {"system": system, "key": "nonsense"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Lineage.objects.create(origin="loaded", source="s", recorded_at=moment, **fields)


def test_systems_of_a_lineage_are_those_that_were_joined_to_it_and_to_no_other(tmp_path):
    first, other, _ = (make_of(name).system for name in "abc")
    decide(tmp_path, "join,a,,model:m,,w", "join,b,,model:n,,w", "leave,c,,model:m,,w")
    assert systems_of(["model:m"]) == {first.pk}
    assert systems_of(["model:m", "model:n"]) == {first.pk, other.pk}
