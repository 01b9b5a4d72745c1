"""What is asked of comparisons, and what each leaderboard that systems share says of them."""

from types import SimpleNamespace

import pytest
from django.core.exceptions import ValidationError
from django.urls import resolve, reverse
from django.utils import timezone
from django.utils.datastructures import MultiValueDict

from analysis.boards import PairError
from registry.curation.lineage.models import SystemFacts
from registry.leaderboards.traits import leader_and_best_open
from registry.results.models import Result, System
from registry.tools.compare import views
from registry.tools.compare.beside import best_open_beside
from registry.tools.compare.documents import _t_test, compare_document
from registry.tools.compare.forms import CompareForm, _system
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_model,
    make_result,
    make_system,
    make_topic_scores,
    make_topics,
)
from tests.registry.leaderboards.boards import analyse, make_board, mark_changed

pytestmark = pytest.mark.django_db


def test_every_address_has_its_name_and_programs_are_answered_in_json(client):
    for name, address, view in (
        ("compare", "/compare/", views.compare), ("compare-format", "/compare.json", views.compare),
        ("compare-beside", "/compare/beside/", views.compare_beside),
    ):  # fmt: skip
        assert reverse(f"compare:{name}") == address
        found = resolve(address)
        assert (found.func, found.kwargs) == (view, {"suffix": "json"} if address.endswith(".json") else {})
        assert client.post(address).status_code == 405
    answer = client.get("/compare/", headers={"Accept": "application/json"})
    assert answer["Content-Type"].startswith("application/json")
    assert answer.status_code == 400
    refused = client.get("/compare.json?system=1").json()
    assert refused["error"] == "These systems can’t be compared."
    page = client.get("/compare/")
    assert (page.status_code, page["Cache-Control"], list(page.context["blank"])) == (
        200,
        "private, no-cache",
        [0, 1, 2, 3],
    )
    assert page.context["errors"] == []
    one = client.get(f"/compare/?system={make_system('one').pk}&system=+")
    assert (one.status_code, len(one.context["blank"]), len(one.context["given"])) == (200, 3, 1)
    assert client.get("/compare/?system=999999").status_code == 400
    assert client.get("/compare/?system=1&system=2").status_code == 400


def asked(**given: list[str]) -> CompareForm:
    return CompareForm(MultiValueDict(given))


def said(form: CompareForm) -> str:
    assert not form.is_valid()
    return "; ".join(str(error) for errors in form.errors.values() for error in errors)


def test_what_is_compared_is_named_once_and_at_most_four_times():
    systems = [make_system(f"system {n}") for n in range(5)]
    numbers = [str(one.pk) for one in systems]
    model = make_model("BERT", "bert")
    own = make_system("BERT base", model=model)
    form = asked(system=[numbers[1], f" {numbers[0]} ", numbers[1], "", "SYSTEM 3"], model=["BERT"])
    assert form.is_valid(), form.errors
    assert form.compared == [model, systems[1], systems[0], systems[3]]
    assert asked(system=numbers[:4]).is_valid()
    assert said(asked(system=numbers)) == "At most 4 systems are compared at once."
    assert said(asked(system=numbers[:4], model=["bert"])) == "At most 4 systems are compared at once."
    assert said(asked(system=numbers[:1])) == "Give two systems or more."
    assert said(asked()) == "Give two systems or more."
    assert said(asked(system=[str(own.pk)], model=["bert"])) == (
        "BERT base is a system of BERT, whose best result counts already; give one of the two."
    )
    assert asked(system=[str(own.pk), numbers[0]]).is_valid()
    assert said(asked(model=["nobody"])) == "No model with systems is called “nobody”; give the end of its address."
    assert said(asked(system=["nobody", numbers[0]])) == (
        "No system is called “nobody”; search for it, and give its number or its whole name."
    )
    assert said(asked(system=["99999999", numbers[0]])) == "No system has the number 99999999."
    assert "is called “123456789012345678”" in said(asked(system=["123456789012345678", numbers[0]]))


def test_a_name_is_that_of_a_system_or_of_its_model():
    model, empty = make_model("E5", "e5"), make_model("Empty", "empty")
    one, other = make_system("E5", "a", model=model), make_system("e5", "b", model=model)
    assert _system("E5") == model
    assert _system(str(one.pk)) == one
    alone = make_system("alone", model=model)
    assert _system("Alone") == alone
    gone = make_system("gone", merged_into=alone)
    assert (_system("gone"), _system(str(gone.pk))) == (alone, alone)
    several = [make_system("twin", f"team {n}" if n else "") for n in range(7)]
    with pytest.raises(ValidationError) as refused:
        _system("twin")
    named = "; ".join(f"{one.pk} by {one.team or 'nobody named'}" for one in several[:5])
    assert refused.value.messages == [f"twin may be several systems; give the number: {named}; …."]
    System.objects.filter(pk__in=[one.pk for one in several[5:]]).delete()
    with pytest.raises(ValidationError) as refused:
        _system("twin")
    assert refused.value.messages[0].endswith(f"{several[4].pk} by team 4.")
    System.objects.filter(pk__in=[one.pk for one in several[1:5]]).update(merged_into=several[0])
    assert _system("twin") == several[0]
    for name in ("empty", "Empty"):
        with pytest.raises(ValidationError):
            _system(name)
    assert (other.model, empty.systems.count()) == (model, 0)


def facts(system, *, is_open: bool = True, n: int = 10**8) -> None:
    SystemFacts.objects.create(system=system, source="test", recorded_at=timezone.now(), has_open_weights=is_open,
                               n_parameters=n, model=system.name)  # fmt: skip


def modelled(name: str, *, is_open: bool = True, n: int = 10**8) -> System:
    system = make_system(name, model=make_model(name, name))
    facts(system, is_open=is_open, n=n)
    return system


@pytest.mark.parametrize("higher", [True, False])
def test_a_small_open_model_leads_in_the_direction_of_the_measure(higher):
    boards = [make_leaderboard(make_collection(f"c{n}"), make_measure(higher_is_better=higher)) for n in range(3)]
    leader, first, second, large = (
        modelled("leader", is_open=False), modelled("first"), modelled("second", n=10**9),
        modelled("large", n=10**9 + 1),
    )  # fmt: skip

    def put(board, system, value: float, **fields) -> Result:
        return make_result(board, system, f"{value if higher else 1 - value:.2f}", **fields)

    for place, board in enumerate(boards):
        put(board, leader, 0.9)
        put(board, large, 0.8)
        put(board, first, 0.5 if place < 2 else 0.3)
        put(board, second, 0.4)
    assert leader_and_best_open(boards[0]) == (leader.pk, first.pk)
    assert leader_and_best_open(boards[2]) == (leader.pk, second.pk)
    assert best_open_beside(leader.model) == first.model
    assert best_open_beside(first.model) == second.model
    # Parts of topics and further executions are no comparison.
    put(boards[2], first, 0.7, comparability="topic_subset", source="b")
    put(boards[2], first, 0.7, replicate_of=boards[2].results.get(system=second), source="c")
    assert leader_and_best_open(boards[2]) == (leader.pk, second.pk)
    Result.objects.filter(leaderboard=boards[1], system=first).delete()
    assert best_open_beside(leader.model) == second.model
    Result.objects.filter(leaderboard=boards[0], system__in=[leader, large]).delete()
    assert leader_and_best_open(boards[0]) is None
    stranger = make_model("stranger", "stranger")
    assert best_open_beside(stranger) is None
    alone = make_leaderboard()
    assert leader_and_best_open(alone) is None
    make_result(alone, make_system("unknown"), "0.5")
    assert leader_and_best_open(alone) is None


def test_where_one_leads_or_nobody_is_known_beside_is_said(client):
    small, other = modelled("small"), modelled("other")
    board = make_leaderboard(make_collection("only"), make_measure("AP"))
    for system, value in ((small, "0.5"), (other, "0.4")):
        make_result(board, system, value)
    assert client.get("/compare/beside/?collection=only&measure=AP").status_code == 404
    found = client.get("/compare/beside/?model=small")
    assert (found.status_code, found["Location"]) == (302, "/compare/?model=small&model=other")
    Result.objects.filter(system=other).delete()
    assert client.get("/compare/beside/?model=small").status_code == 404
    assert client.get("/compare/beside/?models=small").status_code == 400


def test_ties_wins_and_what_cannot_be_known_are_counted_on_what_all_share():
    board = make_board([f"{0.10 + 0.007 * number:.3f}" for number in range(30)])
    one, close, far = make_system("one"), make_system("close", "team"), make_system("far")
    for system, printed in ((one, "0.290"), (close, "0.285"), (far, "0.150")):
        make_result(board, system, printed)
    mark_changed(board)
    analyse(board)
    board.collection.suite = "TREC"
    board.collection.save()
    later = make_leaderboard(make_collection("a-later"), make_measure())
    for system, printed in ((one, "0.5"), (far, "0.6")):
        make_result(later, system, printed)
    make_result(make_leaderboard(), one, "0.5")
    found = compare_document([far, one, close])
    assert [(item.name, item.team, item.model, item.n_z) for item in found.systems] == [
        ("far", "", "", 1), ("one", "", "", 1), ("close", "team", "", 1),
    ]  # fmt: skip
    assert [len(item.scores) for item in found.boards] == [3, 2]
    whole, part = found.boards
    assert [score.system for score in whole.scores] == [far.pk, one.pk, close.pk]
    assert [(item.better, item.other) for item in whole.differences] == [
        (one.pk, far.pk), (close.pk, far.pk), (one.pk, close.pk),
    ]  # fmt: skip
    assert [item.told_apart for item in whole.differences] == [True, True, False]
    assert [item.difference for item in whole.differences] == pytest.approx([0.14, 0.135, 0.005])
    (unknown,) = part.differences
    assert (unknown.better, unknown.basis, unknown.told_apart, unknown.why_unknown) == (
        far.pk, "none", None, "the leaderboard is not analysed yet",
    )  # fmt: skip
    assert (unknown.margin, unknown.pvalue, part.strength, part.is_weak) == (None, None, None, False)
    assert (found.n_comparisons, found.n_told_apart, found.n_unknown, found.n_undecided) == (4, 2, 1, 1)
    assert found.n_shared_by_all == 1
    assert [(pair.first, pair.second, pair.n_wins, pair.n_ties, pair.n_losses) for pair in found.pairs] == [
        (far.pk, one.pk, 0, 0, 1), (far.pk, close.pk, 0, 0, 1), (one.pk, close.pk, 0, 1, 0),
    ]  # fmt: skip
    assert [(suite.suite, suite.n_boards) for suite in found.suites] == [("TREC", 1)]
    z = {score.system: score.z for score in whole.scores}
    assert [item.mean_z for item in found.systems] == [z[far.pk], z[one.pk], z[close.pk]]
    assert (found.has_mean, found.has_model) == (True, False)
    assert found.boards[0].contested == ()


def test_of_a_model_the_best_of_its_systems_is_shown_and_others_are_counted():
    measure = make_measure(higher_is_better=False)
    board = make_leaderboard(measure=measure)
    model = make_model("BERT", "bert", maker="Acme")
    base, large = make_system("base", model=model), make_system("large", model=model)
    merged = make_system("merged", model=model, merged_into=base)
    other = make_system("other")
    for system, printed in ((base, "0.5"), (large, "0.3"), (merged, "0.1"), (other, "0.4")):
        make_result(board, system, printed)
    make_result(board, base, "0.2", comparability="topic_subset", source="b")
    found = compare_document([other, model])
    (one,) = found.boards
    assert [(score.system, score.named, score.printed, score.n_recorded) for score in one.scores] == [
        (other.pk, "other", "0.4", 1), (base.pk, "large", "0.3", 2),
    ]  # fmt: skip
    assert [(score.rank, score.can_be_best, score.z, score.percentile) for score in one.scores] == [(None,) * 4] * 2
    (difference,) = one.differences
    assert (difference.better, difference.other, difference.difference) == (base.pk, other.pk, pytest.approx(0.1))
    shown = found.systems[1]
    assert (shown.id, shown.team, shown.model, shown.mean_z, shown.n_z) == (base.pk, "Acme", "bert", None, 0)
    assert (found.has_model, found.has_mean) == (True, False)
    equal = compare_document([large, base])
    Result.objects.filter(system=large).update(value=0.5, printed="0.5")
    equal = compare_document([large, base]).boards[0].differences[0]
    assert (equal.better, equal.other, equal.difference) == (large.pk, base.pk, 0.0)


@pytest.mark.parametrize("higher", [True, False])
def test_scores_on_every_topic_tell_two_apart(higher):
    board = make_leaderboard(measure=make_measure(higher_is_better=higher))
    make_topics(board.collection, [f"t{n}" for n in range(12)])
    first, second, third = (make_system(name) for name in ("first", "second", "third"))
    ours = [0.3 + 0.02 * n for n in range(12)]
    theirs = [one - 0.1 - 0.01 * (n % 3) for n, one in enumerate(ours)]
    for system, scores in ((first, ours), (second, theirs), (third, [*theirs[:-1], None])):
        known = [one for one in scores if one is not None]
        make_topic_scores(make_result(board, system, f"{sum(known) / len(known):.4f}"), scores)
    found = compare_document([first, second, third])
    tested, *rest = found.boards[0].differences
    better, other = (first, second) if higher else (second, first)
    assert (tested.better, tested.other, tested.basis, tested.told_apart) == (better.pk, other.pk, "topic-scores", True)
    assert (tested.n_topics, tested.difference) == (12, pytest.approx(0.11))
    assert tested.low < 0.11 < tested.high
    assert (tested.margin, tested.why_unknown) == (None, "")
    assert [one.basis for one in rest] == ["none", "none"], "a topic without a score is no vector"
    alone = compare_document([first, second]).boards[0].differences[0]
    # One of three comparisons, by Holm: three times the p-value of one.
    assert tested.pvalue == pytest.approx(3 * alone.pvalue)


def test_the_t_test_is_of_the_higher_of_two():
    one, other = [0.1, 0.3, 0.2], [0.5, 0.4, 0.9]
    assert _t_test(one, other).mean_difference == _t_test(other, one).mean_difference > 0
    assert _t_test([0.25, 0.5], [0.5, 0.75]) is None
    assert _t_test(one, one).pvalue == 1.0


def test_means_are_judged_by_the_error_of_an_average_pair():
    board = make_leaderboard()
    rows = [make_result(board, make_system(f"s{n}"), printed) for n, printed in enumerate(("0.50", "0.40", "0.41"))]
    owners = {row.system_id: row.system_id for row in rows}
    pairs = [(rows[0], rows[1]), (rows[1], rows[2])]
    stored = SimpleNamespace(
        ranks={rows[0].pk: 1, rows[1].pk: 3}, pair_error=PairError(value=0.0253, degrees_of_freedom=10.0),
        findings=SimpleNamespace(verdict=SimpleNamespace(why_no_set="")),
    )  # fmt: skip
    found = views.compare_document.__globals__["_by_means"](pairs, 2, owners, stored)
    one, other = found[rows[0].pk, rows[1].pk], found[rows[1].pk, rows[2].pk]
    assert (one.better, one.told_apart, one.basis) == (rows[0].system_id, True, "means")
    assert one.margin == pytest.approx(0.067, abs=5e-4)
    assert (other.better, other.told_apart, other.margin) == (rows[2].system_id, None, None)
    assert other.why_unknown == "one of the two does not compete there, or was recorded after the last analysis"
    stored.pair_error = None
    found = views.compare_document.__globals__["_by_means"](pairs, 2, owners, stored)
    assert found[rows[0].pk, rows[1].pk].why_unknown == "it is not known how much scores vary there"
    stored.findings.verdict.why_no_set = "too few topics"
    found = views.compare_document.__globals__["_by_means"](pairs, 2, owners, stored)
    assert found[rows[0].pk, rows[1].pk].why_unknown == "too few topics"
