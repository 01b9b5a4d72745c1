"""What looks wrong in the record: found by one command, decided with one click, and taken back."""

from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from registry.catalog.models import Curator, Leaderboard
from registry.curation.lineage.queries import lineage_of
from registry.curation.oddities.models import Oddity
from registry.curation.oddities.pipeline import (
    ComparedResult,
    Found,
    KnownPaper,
    odd_collections,
    odd_papers,
    odd_results,
)
from registry.curation.oddities.services import find_oddities
from registry.curation.suites.models import Suite, SuiteMember
from registry.journal.models import Entry
from registry.results.models import Paper, Result
from tests.registry.curation.lineage.world import Row
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
from tests.registry.pages import read
from tests.registry.results.people import editor, signed_in

pytestmark = pytest.mark.django_db

SPREAD = [0.30 + 0.01 * number for number in range(12)]


def make_odd(printed: str = "0.0000", **fields: Any) -> Result:
    """A result among twelve usual ones."""
    board = make_leaderboard()
    make_results(board, SPREAD)
    return make_result(board, printed=printed, **fields)


def found(kind: str) -> list[Oddity]:
    find_oddities()
    return list(Oddity.objects.waiting().filter(kind=kind))


def subject_of_decision() -> tuple[str, str]:
    """What the log says that the last decision is about."""
    entry = Entry.objects.filter(action="results.oddity.decided").latest("pk")
    return entry.subject_type, entry.subject_id


def decide(client: Client, oddity: Oddity, decision: str, **given: Any) -> None:
    response = client.post(f"/oddities/{oddity.pk}/decide/", {"decision": decision, **given})
    assert response.status_code == 302, response.content.decode()


def compared(number: int, value: float, **fields: Any) -> ComparedResult:
    """A result of the system of its number, in which nothing is odd."""
    usual = {"board": 1, "collection": 1, "measure": 1, "paper": None, "role": "baseline", "is_failed_at_zero": True}
    years = {"year": None, "collection_year": None, "paper_year": None}
    return ComparedResult(**({"result": number, "system": number} | usual | years | fields), value=value)


def said_of(*values: float, **fields: Any) -> list[tuple[str, str]]:
    rows = [compared(number, value, **fields) for number, value in enumerate(values)]
    return [(one.key, one.says) for one in odd_results(rows, {})]


#: Median with one more at an end 0.135 or 0.165, median absolute deviation 0.02.
SEVEN = [0.10, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16]


def test_alone_is_what_is_further_away_than_five_robust_deviations():
    # Five times 1.4826 times 0.02 are 0.14826.
    assert said_of(*SEVEN, 0.308) == []
    assert said_of(*SEVEN, 0.309) == [
        ("1:7::0.309", "Of 8 scores the next one, 0.16, is 5.0 robust standard deviations away.")
    ]
    high = [value + 0.2 for value in SEVEN]
    assert said_of(*high, 0.152, paper=3) == []
    assert said_of(*high, 0.151, paper=3) == [
        ("1:7:3:0.151", "Of 8 scores the next one, 0.3, is 5.0 robust standard deviations away.")
    ]
    assert said_of(*SEVEN[:6], 0.9) == [], "of seven scores nobody can say"
    assert said_of(*SEVEN[:6], 0.9, 0, is_failed_at_zero=False) == [], "and a failed run is no eighth"
    assert said_of(*[0.5] * 8, 0.9) == [], "nor where most are the same"


def test_a_failed_run_is_one_where_most_score_more():
    assert said_of(0.2, 0, 0.4) == [("1:1::0", "Scores 0 where the median of 3 scores is 0.2.")]
    assert said_of(0.2, 0, 0) == said_of(0.2, 0, 0.4, is_failed_at_zero=False) == []


def test_boards_are_looked_at_one_by_one():
    rows = [compared(number, value, board=1 + number % 2) for number, value in enumerate([0.2, 0, 0.3, 0, 0.4])]
    assert list(odd_results(rows, {})) == []


def test_a_mean_is_held_against_the_parts_that_its_system_has():
    def parts(whole: float, *members: float, system: int = 1) -> list[ComparedResult]:
        rows = [compared(10 * system + place, value, system=system, board=place, collection=place)
                for place, value in enumerate((whole, *members))]  # fmt: skip
        # What is printed a second time does not count.
        return [*rows, rows[-1]._replace(value=0.9, result=99)]

    rows = [*parts(0.3509, 0.3, 0.4), *parts(0.3512, 0.3, 0.4, system=2), *parts(0.9, 0.3, system=3)]
    (found,) = odd_results(rows, {(0, 1): frozenset({(1, 1), (2, 1)})})
    assert found == Found("parts", "0:2::0.3512", "The mean of its 2 parts is 0.3500.", result=20)


def test_collections_with_the_same_scores_of_the_same_systems_are_a_pair():
    rows = [
        compared(system, 0.1 + (system + column * (column > 2)) / 100, collection=column)
        for column in (2, 1, 3)
        for system in range(11)
    ]
    says = "11 of the 11 scores that both have are the same to the last digit."
    assert odd_collections(rows) == [Found("collections", "1:2", says, pair=(1, 2))]
    assert odd_collections(row._replace(measure=row.collection) for row in rows) == []


def test_the_record_that_stays_is_the_one_that_can_be_told_best():
    title = {"title": "On the luck of runs", "year": None}
    papers = [
        KnownPaper(1, doi="", arxiv_id="", **title),
        KnownPaper(2, doi="", arxiv_id="2001.00001v3", **title),
        KnownPaper(3, doi="10.1/X", arxiv_id="2001.00001", **title),
        KnownPaper(4, "Another", "10.1/x", "", 2021),
    ]
    assert [(one.key, one.says, one.pair) for one in odd_papers(papers)] == [
        ("3:4", "Both have the DOI “10.1/X”.", (3, 4)),
        ("3:2", "Both have the arXiv id “2001.00001”.", (3, 2)),
        ("3:1", "Both have the title “On the luck of runs”.", (3, 1)),
    ]


def test_a_failed_run():
    odd = make_odd()
    (oddity,) = found("failed-run")
    assert oddity.result == odd
    assert oddity.says == "Scores 0 where the median of 13 scores is 0.35."
    assert found("outlier") == []


@pytest.mark.parametrize("of_measure", [{"higher_is_better": False}, {"low": -1}, {"low": None}])
def test_nothing_is_odd_about_zero_where_less_is_better_or_it_is_not_the_least(of_measure):
    board = make_leaderboard(measure=make_measure(**of_measure))
    make_results(board, [*SPREAD, 0])
    assert found("failed-run") == []


@pytest.mark.parametrize(("printed", "is_odd"), [("0.90", True), ("0.01", True), ("0.45", False)])
def test_a_score_that_stands_alone_at_an_end(printed, is_odd):
    odd = make_odd(printed)
    assert [oddity.result for oddity in found("outlier")] == ([odd] if is_odd else [])


def test_two_scores_far_away_are_not_alone():
    make_result(make_odd("0.90").leaderboard, printed="0.90")
    assert found("outlier") == []


def test_an_average_that_its_parts_contradict():
    suite = Suite.objects.create(
        slug="s", name="S", is_zero_shot=False, is_average=True, is_screen=False, source="test", position=1
    )
    measure = make_measure()
    boards = [make_leaderboard(make_collection(), measure) for _ in range(3)]
    members: list[SuiteMember] = []
    for position, board in enumerate(boards):
        of = {"suite": suite, "collection": board.collection, "measure": measure, "position": position}
        members.append(SuiteMember.objects.create(**of, part_of=members[0] if members else None))
    for printed in ("0.350", "0.360"):
        system = make_system()
        for board, score in zip(boards, (printed, "0.3", "0.4"), strict=True):
            make_result(board, system, score)
    (oddity,) = found("parts")
    assert oddity.result.printed == "0.360"
    assert oddity.says == "The mean of its 2 parts is 0.3500."


@pytest.mark.parametrize(
    ("years", "says"),
    [
        ((2003, 2004, None), "The result is of 2003, its collection of 2004."),
        ((2021, 2004, 2020), "The result is of 2021, the paper that prints it of 2020."),
        ((2020, 2004, 2020), ""),
        ((None, 2004, 2020), ""),
    ],
)
def test_years_out_of_order(years, says):
    year, of_collection, of_paper = years
    board = make_leaderboard(make_collection(year=of_collection))
    make_result(board, year=year, paper=make_paper(year=of_paper))
    assert [oddity.says for oddity in found("year")] == ([says] if says else [])


def test_the_year_of_a_leaderboard_entry_is_that_of_its_model():
    make_result(make_leaderboard(make_collection(year=2024)), year=2020, role="leaderboard")
    assert found("year") == []


def make_grid(n_systems: int, n_boards: int, score: Any) -> tuple[list[Any], list[Leaderboard]]:
    measure = make_measure()
    boards = [make_leaderboard(make_collection(), measure) for _ in range(n_boards)]
    systems = [make_system() for _ in range(n_systems)]
    for row, system in enumerate(systems):
        for column, board in enumerate(boards):
            make_result(board, system, f"0.{1000 + score(row, column)}")
    return systems, boards


def test_a_collection_under_two_names():
    _, boards = make_grid(10, 3, lambda row, column: 37 * row + (500 if column == 2 else 0))
    (oddity,) = found("collections")
    assert [one.slug for one in oddity.subjects] == [board.collection.slug for board in boards[:2]]
    assert oddity.says == "10 of the 10 scores that both have are the same to the last digit."
    decide(signed_in(editor()), oddity, "error")
    assert subject_of_decision() == ("collection", boards[0].collection.slug)
    assert found("collections") == []


def test_a_system_under_two_names_is_one_or_two_as_is_decided():
    (first, second), _ = make_grid(2, 10, lambda row, column: 37 * column)
    (oddity,) = found("systems")
    assert oddity.says == "The same scores on 10 of 10 common leaderboards."
    client = signed_in(editor())

    def are_one() -> bool:
        rows = [Row(system.results.get(pk=system.results.first().pk)) for system in (first, second)]
        keys = lineage_of(rows)
        return bool(set(keys[rows[0].id]) & set(keys[rows[1].id]))

    assert are_one()
    decide(client, oddity, "right")
    assert subject_of_decision() == ("system", str(first.pk))
    assert not are_one()
    assert found("systems") == []
    decide(client, oddity, "take-back")
    assert are_one()
    decide(client, oddity, "error")
    assert are_one()
    assert found("systems") == []


def test_an_error_is_set_aside_and_back_again():
    odd = make_odd()
    (oddity,) = found("failed-run")
    person = editor()
    client = signed_in(person)
    page = read(client, "/oddities/")
    assert "Set it aside" in page.text
    decide(client, oddity, "error")
    standing = Result.objects.standing().get(system=odd.system)
    assert (standing.comparability, standing.printed) == ("doubtful", "0.0000")
    assert found("failed-run") == []
    entry = Entry.objects.get(action="results.oddity.decided")
    assert (entry.actor, entry.subject_id) == (person, str(odd.pk))
    assert entry.reason == "set it aside: Scores 0 where the median of 13 scores is 0.35."
    assert read(Client(), f"/log/{entry.pk}/").status == 200
    decided = read(client, "/oddities/?state=decided")
    assert "Take it back" in decided.text
    assert entry.get_absolute_url() in [address for address, _ in decided.links]
    decide(client, oddity, "take-back", reason="It is a random baseline.")
    assert Result.objects.standing().get(system=odd.system).comparability == "standard"
    assert Entry.objects.get(action="results.oddity.decision_taken_back").reason == "It is a random baseline."
    assert found("failed-run") == [oddity]


def test_what_is_right_waits_no_longer_and_stays_as_it_is():
    odd = make_odd()
    (oddity,) = found("failed-run")
    decide(signed_in(editor()), oddity, "right")
    assert found("failed-run") == []
    assert Result.objects.standing().get(system=odd.system) == odd


def test_a_year_that_cannot_be_is_left_out():
    result = make_result(make_leaderboard(make_collection(year=2004)), year=2003)
    (oddity,) = found("year")
    client = signed_in(editor())
    decide(client, oddity, "error")
    assert Result.objects.standing().get(system=result.system).year is None
    decide(client, oddity, "take-back")
    assert Result.objects.standing().get(system=result.system).year == 2003


TITLE = "BEIR: A Heterogeneous Benchmark"


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ({"doi": "10.1/A"}, {"doi": "10.1/a"}, "Both have the DOI “10.1/A”."),
        ({"arxiv_id": "2104.08663v2"}, {"arxiv_id": "2104.08663"}, "Both have the arXiv id “2104.08663v2”."),
        ({"doi": "10.48550/arXiv.2104.08663"}, {"arxiv_id": "2104.08663"}, "Both have the arXiv id “2104.08663”."),
        (
            {"title": TITLE, "doi": "10.1/b", "year": 2021},
            {"title": "BEIR – a heterogeneous benchmark.", "year": 2022},
            f"Both have the title “{TITLE}”, of 2021 and 2022.",
        ),
        ({"title": "Overview TREC"}, {"title": "Overview, TREC"}, ""),
        ({"title": TITLE}, {"title": f"{TITLE} for Code"}, ""),
        ({"doi": "10.1/a"}, {"doi": "10.1/b"}, ""),
    ],
)
def test_two_records_of_one_paper(first, second, said):
    one, other = make_paper(**first), make_paper(**second)
    assert [(oddity.paper, oddity.other_paper, oddity.says) for oddity in found("papers")] == (
        [(one, other, said)] if said else []
    )


def test_they_are_merged_by_one_click_and_part_by_another():
    other, one = make_paper(title=TITLE), make_paper(title=TITLE, doi="10.1/a")
    result = make_result(paper=other)
    (oddity,) = found("papers")
    assert (oddity.paper, oddity.other_paper) == (one, other), "the one with a DOI stays, however few results it has"
    client = signed_in(editor())
    page = read(client, "/oddities/?kind=papers")
    assert "They are one: merge them" in page.source
    decide(client, oddity, "error", reason="one proceedings")
    assert subject_of_decision() == ("paper", str(one.pk))
    other.refresh_from_db()
    assert other.merged_into == one
    standing = Result.objects.standing().get(system=result.system)
    assert standing.paper == one
    assert found("papers") == []
    decide(client, oddity, "take-back", reason="two editions")
    other.refresh_from_db()
    assert other.merged_into is None
    assert Result.objects.standing().get(system=result.system).paper == other
    assert found("papers") == [oddity]


def test_two_papers_that_are_two_are_left_alone():
    for _ in range(2):
        make_paper(title=TITLE)
    (oddity,) = found("papers")
    decide(signed_in(editor()), oddity, "right")
    assert found("papers") == []
    assert not Paper.objects.exclude(merged_into=None).exists()


def test_another_decision_has_to_be_taken_back_first():
    make_odd()
    (oddity,) = found("failed-run")
    client = signed_in(editor())
    decide(client, oddity, "right")
    decide(client, oddity, "right")
    response = client.post(f"/oddities/{oddity.pk}/decide/", {"decision": "error"})
    assert "another decision holds; take that back first" in response.content.decode()
    assert Entry.objects.filter(action="results.oddity.decided").count() == 1


def test_a_decision_that_a_file_overwrote_ends():
    odd = make_odd()
    (oddity,) = found("failed-run")
    decide(signed_in(editor()), oddity, "error")
    Result.objects.standing().filter(system=odd.system).update(comparability="standard")
    assert found("failed-run") == [oddity]
    assert Entry.objects.filter(action="results.oddity.decision_taken_back", actor=None).count() == 1


def test_curators_decide_on_results_of_their_collections_alone():
    odd, other = make_odd(), make_odd()
    curator = make_user()
    Curator.objects.create(user=curator, collection=odd.leaderboard.collection)
    mine, foreign = sorted(found("failed-run"), key=lambda oddity: oddity.result_id)
    assert (mine.result, foreign.result) == (odd, other)
    client = signed_in(curator)
    assert [row[1].split(" on ")[0] for row in read(client, "/oddities/").rows[1:]] == [str(odd)]
    decide(client, mine, "right")
    assert client.post(f"/oddities/{foreign.pk}/decide/", {"decision": "right"}).status_code == 404
    assert signed_in().get("/oddities/").status_code == 403
    assert Client().get("/oddities/").status_code == 302


def test_much_at_once_asks_for_the_number(monkeypatch):
    monkeypatch.setattr("registry.results.services.mass_changes.MOST_CHANGES", 0)
    make_odd()
    (oddity,) = found("failed-run")
    client = signed_in(editor())
    response = client.post(f"/oddities/{oddity.pk}/decide/", {"decision": "error"})
    assert "type the number 1" in response.content.decode()
    decide(client, oddity, "error", confirmed_rows="1")


def test_the_queue_takes_as_many_queries_however_long_it_is(django_assert_max_num_queries):
    for _ in range(3):
        make_odd()
    find_oddities()
    client = signed_in(editor())
    with django_assert_max_num_queries(12):
        page = read(client, "/oddities/?kind=failed-run")
    assert len(page.rows) == 4


def test_the_queue_is_of_one_kind_or_of_all_and_of_what_is_decided_or_not():
    make_odd()
    make_result(make_leaderboard(make_collection(year=2004)), year=2003)
    make_odd()
    find_oddities()
    client = signed_in(editor())

    def listed(query: str) -> list[str]:
        found = read(client, f"/oddities/{query}").rows[1:]
        return ["year" if "its collection" in " ".join(cells) else "run" for cells in found if len(cells) > 1]

    assert listed("") == ["run", "run", "year"]
    assert (listed("?kind=year"), listed("?kind=failed-run")) == (["year"], ["run", "run"])
    for oddity in Oddity.objects.order_by("kind", "pk")[1:]:
        decide(client, oddity, "right")
    assert (listed(""), listed("?state=decided"), listed("?state=decided&kind=year")) == (
        ["run"], ["year", "run"], ["year"],
    )  # fmt: skip


def test_the_command_counts_by_kind(capsys):
    make_odd()
    call_command("find_oddities")
    lines = capsys.readouterr().out.splitlines()
    assert "      1  failed run" in lines
    assert lines[-1] == "1 oddity waits for a decision."
    assert len(lines) == len(Oddity.Kind) + 1
    call_command("find_oddities", verbosity=2)
    assert len(capsys.readouterr().out.splitlines()) == len(lines) + 1
