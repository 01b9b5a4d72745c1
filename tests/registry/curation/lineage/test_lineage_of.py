"""Which results come from one maker, paper, model or toolkit, as far as anything says so."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from registry.curation.lineage.models import Lineage, LineageDecision
from registry.curation.lineage.queries import lineage_of, systems_of, ties_of
from registry.curation.lineage.services.deciding import (
    dissolve_lineage,
    join_lineage,
    leave_lineage,
    merge_lineage,
    take_back,
)
from registry.results.services.merging import merge_systems
from tests.registry.curation.lineage.world import Row, keys_of, load_lineage, make_of
from tests.registry.factory import make_leaderboard, make_paper, make_result, make_system

pytestmark = pytest.mark.django_db

WHY = {"actor": None, "reason": "as their site says"}


def test_team_and_paper_are_keys_by_themselves():
    paper = make_paper("Diaz (CIKM 2005)", identity="doi:10.1145/1099554", url="https://doi.org/10.1145/1099554")
    proposed, baseline = make_of("Diaz [proposed]", paper=paper), make_of("Diaz [baseline]", "CIIR", paper=paper)
    assert keys_of(proposed) == ("paper:10.1145/1099554",)
    assert keys_of(baseline) == ("paper:10.1145/1099554", "team:ciir")


def test_a_system_of_nobody_is_of_no_lineage():
    assert keys_of(make_of("run 1", "Anonymous")) == ()


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


def test_a_paper_that_proposes_nothing_makes_no_family(tmp_path):
    paper = make_paper("Voorhees (TREC 2005)", identity="url:trec.nist.gov/overview.pdf voorhees (trec 2005)",
                       url="https://trec.nist.gov/overview.pdf")  # fmt: skip
    result = make_of("run", "uogTr", paper=paper)
    assert "paper:trec.nist.gov/overview.pdf" in keys_of(result)
    load_lineage(tmp_path, ",,not paper:http://www.trec.nist.gov/overview.pdf,an overview")
    assert keys_of(result) == ("team:uogtr",)


def test_editors_join_and_take_out():
    result = make_of("stella", "infgrad")
    join_lineage(system=result.system, key="Team: NovaSearch", **WHY)
    leave_lineage(system=result.system, key="team:infgrad", **WHY)
    assert keys_of(result) == ("team:novasearch",)


def test_the_last_decision_on_a_lineage_holds():
    result = make_of("a", "x")
    first = join_lineage(system=result.system, key="model:m", **WHY)
    leave_lineage(system=result.system, key="model:m", **WHY)
    first.refresh_from_db()
    assert first.ended_at is not None
    assert keys_of(result) == ("team:x",)
    join_lineage(system=result.system, key="model:m", **WHY)
    assert keys_of(result) == ("model:m", "team:x")


def test_merged_lineages_are_one_and_stay_one_through_further_mergers():
    one, other = make_of("a", "TencentBAC"), make_of("b", "Tencent")
    merge_lineage(key="team:tencentbac", into="team:tencent", **WHY)
    merge_lineage(key="team:tencent", into="team:tencent ai lab", **WHY)
    assert keys_of(one) == keys_of(other) == ("team:tencent ai lab",)


def test_a_lineage_is_left_under_each_of_its_names():
    result = make_of("a", "TencentBAC")
    leave_lineage(system=result.system, key="team:tencentbac", **WHY)
    merge_lineage(key="team:tencentbac", into="team:tencent", **WHY)
    assert keys_of(result) == ()


def test_mergers_lead_nowhere_in_a_circle():
    merge_lineage(key="team:a", into="team:b", **WHY)
    merge_lineage(key="team:b", into="team:c", **WHY)
    for key in ("team:a", "team:b", "team:c"):
        with pytest.raises(ValidationError, match="already"):
            merge_lineage(key="team:c", into=key, **WHY)


def test_a_lineage_that_was_merged_is_not_merged_again_into_what_leads_to_it():
    merge_lineage(key="team:b", into="team:a", **WHY)
    merge_lineage(key="team:a", into="team:old", **WHY)
    with pytest.raises(ValidationError, match="team:b is team:a already"):
        merge_lineage(key="team:a", into="team:b", **WHY)
    # Elsewhere it may lead as well, and back to what it leads to now.
    merge_lineage(key="team:a", into="team:new", **WHY)
    merge_lineage(key="team:old", into="team:a", **WHY)
    assert keys_of(make_result(system=make_system("x", "b"))) == ("team:new",)


def test_a_dissolved_lineage_has_nobody_and_nobody_joins_it():
    result = make_of("a", "Kaggle")
    decision = dissolve_lineage(key="team:kaggle", **WHY)
    assert keys_of(result) == ()
    with pytest.raises(ValidationError, match="take that back first"):
        join_lineage(system=result.system, key="team:kaggle", **WHY)
    take_back(decision=decision, **WHY)
    assert keys_of(result) == ("team:kaggle",)


def test_a_decision_needs_a_reason_and_a_key():
    system = make_system("a")
    with pytest.raises(ValidationError, match="say why"):
        join_lineage(system=system, key="team:x", actor=None, reason=" ")
    with pytest.raises(ValidationError, match="did you mean team"):
        join_lineage(system=system, key="taem:x", **WHY)
    assert not LineageDecision.objects.exists()


def test_deciding_twice_changes_nothing_more():
    result = make_of("a")
    first = join_lineage(system=result.system, key="team:x", **WHY)
    result.leaderboard.refresh_from_db()
    version = result.leaderboard.results_version
    assert join_lineage(system=result.system, key="TEAM:X", **WHY) == first
    take_back(decision=first, **WHY)
    assert take_back(decision=first, **WHY).ended_by == first.__class__.objects.get(pk=first.pk).ended_by
    result.leaderboard.refresh_from_db()
    assert result.leaderboard.results_version == version + 1


def test_leaderboards_concerned_are_analysed_again():
    here, elsewhere = make_of("a", "x"), make_of("b", "y")
    for decide in (
        lambda: join_lineage(system=here.system, key="team:z", **WHY),
        lambda: merge_lineage(key="team:x", into="team:xx", **WHY),
        lambda: dissolve_lineage(key="team:xx", **WHY),
    ):
        before = here.leaderboard.results_version
        decide()
        here.leaderboard.refresh_from_db()
        assert here.leaderboard.results_version == before + 1
    elsewhere.leaderboard.refresh_from_db()
    assert elsewhere.leaderboard.results_version == 0


def test_decisions_outlive_a_reload_of_shipped_data(tmp_path):
    result = make_of("a", "x")
    row = "a,x,model:m,its name"
    load_lineage(tmp_path, row, ",,not team:x,a platform")
    leave_lineage(system=result.system, key="model:m", **WHY)
    join_lineage(system=result.system, key="curator:theirs", **WHY)
    load_lineage(tmp_path, row)
    load_lineage(tmp_path, row, "a,x,toolkit:t,said later")
    assert keys_of(result) == ("curator:theirs", "team:x", "toolkit:t")


def test_a_merged_system_keeps_the_lineages_of_both_names(tmp_path):
    source, target = make_of("BM 25", "x"), make_of("BM25", "y")
    load_lineage(tmp_path, "BM 25,x,model:bm25,its name")
    join_lineage(system=source.system, key="curator:c", **WHY)
    merge_systems(source=source.system, target=target.system, actor=None, reason="one system")
    assert keys_of(target) == ("curator:c", "model:bm25", "team:y")


def test_earlier_lineages_are_shown_as_they_were_known(tmp_path):
    result, other = make_of("a", "x"), make_of("b", "y")
    load_lineage(tmp_path, "a,x,model:m,its name")
    loaded = timezone.now()
    merge_lineage(key="team:x", into="team:z", **WHY)
    join_lineage(system=result.system, key="model:n", **WHY)
    load_lineage(tmp_path, "b,y,model:o,its name")
    merge_systems(source=result.system, target=other.system, actor=None, reason="one system")
    assert keys_of(result, moment=loaded) == ("model:m", "team:x")
    assert keys_of(other, moment=loaded) == ("team:y",)
    assert keys_of(result, moment=loaded - timedelta(days=1)) == ("team:x",)
    assert keys_of(other) == ("model:n", "model:o", "team:y")


def test_a_whole_leaderboard_takes_three_queries(tmp_path, django_assert_num_queries):
    board = make_leaderboard()
    results = [make_of(f"system {n}", f"team {n % 7}", leaderboard=board, paper=make_paper()) for n in range(60)]
    load_lineage(tmp_path, *(f"system {n},team {n % 7},model:m{n % 5},its name" for n in range(60)))
    rows = [Row(result) for result in results]
    with django_assert_num_queries(3):
        found = lineage_of(rows)
    assert {len(keys) for keys in found.values()} == {3}
    assert found[results[0].pk][:1] == ("model:m0",)


def test_ties_say_why(tmp_path):
    result = make_of("slx", "brahmairesearch", paper=make_paper("A (B 2020)"))
    load_lineage(tmp_path, "slx,brahmairesearch,model:slx,its name", ",,not team:brahmairesearch,a platform")
    leave_lineage(system=result.system, key="model:slx", **WHY)
    make_of("of another paper", paper=make_paper("Roe (ECIR 2019)", identity="doi:10.1145/7"))
    ties = {tie.key: (tie.is_member, [one.how for one in tie.reasons]) for tie in ties_of(result.system)}
    assert ties == {
        "paper:cite:a (b 2020)": (True, ["its paper"]),
        "team:brahmairesearch": (False, ["its team", "a platform"]),
        "model:slx": (False, ["its name", "as their site says"]),
    }


def test_the_database_refuses_what_makes_no_sense():
    from django.db import IntegrityError, transaction

    system, moment = make_system("a"), timezone.now()
    for fields in ({"key": "team:x"}, {"system": system, "key": "nonsense"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Lineage.objects.create(origin="loaded", source="s", recorded_at=moment, **fields)


def test_results_without_a_system_elsewhere_cost_nothing():
    assert lineage_of([]) == {}
    assert keys_of(make_result(system=make_system("alone"))) == ()


def test_systems_of_a_lineage_are_those_that_were_joined_to_it_and_to_no_other():
    one, other, third = make_result().system, make_result().system, make_result().system
    join_lineage(system=one, key="model:m", **WHY)
    join_lineage(system=other, key="model:n", **WHY)
    leave_lineage(system=third, key="model:m", **WHY)
    assert systems_of(["model:m"]) == {one.pk}
    assert systems_of(["model:m", "model:n"]) == {one.pk, other.pk}
