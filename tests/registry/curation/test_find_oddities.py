"""Possible errors of the record, as ``manage.py find_oddities`` prints them."""

import csv
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from registry.core import shipping
from registry.curation.suites.models import Suite, SuiteMember
from registry.results.models import Result
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_paper,
    make_result,
    make_results,
    make_system,
)

pytestmark = pytest.mark.django_db

SPREAD = [0.30 + 0.01 * number for number in range(12)]
#: Median with one more at an end 0.135 or 0.165, median absolute deviation 0.02.
SEVEN = [0.10, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16]


def found(kind: str) -> list[dict[str, str]]:
    """Return the printed rows of this kind."""
    out = StringIO()
    call_command("find_oddities", stdout=out, stderr=StringIO())
    return [row for row in csv.DictReader(StringIO(out.getvalue())) if row["key"].startswith(f"{kind}:")]


def says(kind: str) -> list[str]:
    return [row["says"] for row in found(kind)]


def make_odd(printed: str = "0.0000", **fields: Any) -> Result:
    """A result among twelve usual ones."""
    board = make_leaderboard()
    make_results(board, SPREAD)
    return make_result(board, printed=printed, **fields)


def test_a_failed_run_until_it_is_settled(tmp_path, monkeypatch):
    odd = make_odd()
    (row,) = found("failed-run")
    board = odd.leaderboard
    assert row == {
        "key": f"failed-run:{board.collection.slug}/{board.measure.name}/{odd.system.slug}/0.0",
        "says": "Scores 0 where the median of 13 scores is 0.35.",
        "address": f"/results/{odd.pk}/",
    }
    assert found("outlier") == []
    monkeypatch.setattr(shipping, "SHIPPED", tmp_path)
    shipping.shipped_rows.cache_clear()
    (tmp_path / "decisions.csv").write_text(f"decision,key,reason\nsettled,{row['key']},it failed indeed\n")
    assert found("failed-run") == []
    shipping.shipped_rows.cache_clear()


@pytest.mark.parametrize(
    ("scores", "told"),
    [
        # Five times 1.4826 times 0.02 are 0.14826.
        ([*SEVEN, 0.308], []),
        ([*SEVEN, 0.309], ["Of 8 scores the next one, 0.16, is 5.0 robust standard deviations away."]),
        ([*(one + 0.2 for one in SEVEN), 0.152], []),
        (
            [*(one + 0.2 for one in SEVEN), 0.151],
            ["Of 8 scores the next one, 0.3, is 5.0 robust standard deviations away."],
        ),
        ([*SEVEN[:6], 0.9], []),
        ([0.5] * 8 + [0.9], []),
        ([*SPREAD, 0.9, 0.9], []),
    ],
)
def test_alone_is_what_is_further_away_than_five_robust_deviations(scores, told):
    make_results(make_leaderboard(), [round(one, 4) for one in scores])
    assert says("outlier") == told


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
    for printed in ("0.3509", "0.3512"):
        system = make_system()
        for board, score in zip(boards, (printed, "0.3", "0.4"), strict=True):
            make_result(board, system, score)
    (row,) = found("parts")
    assert (row["says"], row["key"].rpartition("/")[2]) == ("The mean of its 2 parts is 0.3500.", "0.3512")


@pytest.mark.parametrize(
    ("years", "told"),
    [
        ((2003, 2004, None), "The result is of 2003, its collection of 2004."),
        ((2021, 2004, 2020), "The result is of 2021, the paper that prints it of 2020."),
        ((2020, 2004, 2020), ""),
        ((None, 2004, 2020), ""),
    ],
)
def test_years_out_of_order(years, told):
    year, of_collection, of_paper = years
    board = make_leaderboard(make_collection(year=of_collection))
    make_result(board, year=year, paper=make_paper(year=of_paper))
    make_result(board, year=2000, role="leaderboard")
    assert says("year") == ([told] if told else [])


def make_grid(n_systems: int, n_boards: int, score: Any) -> None:
    measure = make_measure()
    boards = [make_leaderboard(make_collection(f"c{number}"), measure) for number in range(n_boards)]
    for row in range(n_systems):
        system = make_system(f"s{row}")
        for column, board in enumerate(boards):
            make_result(board, system, f"0.{1000 + score(row, column)}")


def test_a_collection_under_two_names():
    make_grid(10, 3, lambda row, column: 37 * row + (500 if column == 2 else 0))
    (row,) = found("collections")
    assert (row["key"], row["address"]) == ("collections:c0 c1", "/collections/c0/")
    assert row["says"] == "10 of the 10 scores that both have are the same to the last digit."


def test_a_system_under_two_names():
    make_grid(2, 10, lambda row, column: 37 * column)
    (row,) = found("systems")
    assert row["key"] == "systems:s0 s1"


TITLE = "BEIR: A Heterogeneous Benchmark"


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ({"doi": "10.1/A"}, {"doi": "10.1/a"}, "Both have the DOI “10.1/a”."),
        ({"arxiv_id": "2104.08663v2"}, {"arxiv_id": "2104.08663"}, "Both have the arXiv id “2104.08663”."),
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
def test_two_records_of_one_paper(first, second, told):
    one, other = make_paper(**first), make_paper(**second)
    assert [(row["says"], row["address"]) for row in found("papers")] == (
        [(told, one.get_absolute_url())] if told else []
    )
    assert other.slug != one.slug
