"""What something refutes, and possible errors, as ``manage.py check_record`` prints them."""

import csv
from contextlib import suppress
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from registry.catalog.models import Leaderboard
from registry.core import loading
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

SPREAD = [0.30 + 0.01 * number for number in range(12)]
#: Median with one more at an end 0.135 or 0.165, median absolute deviation 0.02.
SEVEN = [0.10, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16]


def printed_rows(kind: str) -> list[dict[str, str]]:
    """Return the printed rows of this kind."""
    out = StringIO()
    call_command("check_record", possible=True, stdout=out, stderr=StringIO())
    return [row for row in csv.DictReader(StringIO(out.getvalue())) if row["key"].startswith(f"{kind}:")]


def says(kind: str) -> list[str]:
    return [row["says"] for row in printed_rows(kind)]


def test_a_failed_run_until_it_is_settled(tmp_path, monkeypatch):
    board = make_leaderboard()
    make_results(board, SPREAD)
    odd = make_result(board, printed="0.0000")
    (row,) = printed_rows("failed-run")
    assert row == {
        "key": f"failed-run:{board.collection.slug}/{board.measure.name}/{odd.system.slug}/0.0",
        "says": "Scores 0 where the median of 13 scores is 0.35.",
        "address": f"/results/{odd.pk}/",
    }
    assert printed_rows("outlier") == []
    monkeypatch.setattr(loading, "SHIPPED", tmp_path)
    loading.shipped_rows.cache_clear()
    (tmp_path / "decisions.csv").write_text(f"decision,key,reason\nsettled,{row['key']},it failed indeed\n")
    assert printed_rows("failed-run") == []
    loading.shipped_rows.cache_clear()


@pytest.mark.parametrize(
    ("scores", "messages"),
    [
        # Five times 1.4826 times 0.02 are 0.14826.
        ([*SEVEN, 0.308], []),
        ([*SEVEN, 0.309], ["Of 8 scores the next one, 0.16, is 5.0 robust standard deviations away."]),
        ([*(score + 0.2 for score in SEVEN), 0.152], []),
        (
            [*(score + 0.2 for score in SEVEN), 0.151],
            ["Of 8 scores the next one, 0.3, is 5.0 robust standard deviations away."],
        ),
        ([*SEVEN[:6], 0.9], []),
        ([0.5] * 8 + [0.9], []),
        ([*SPREAD, 0.9, 0.9], []),
    ],
)
def test_alone_is_what_is_further_away_than_five_robust_deviations(scores, messages):
    make_results(make_leaderboard(), [round(score, 4) for score in scores])
    assert says("outlier") == messages


def make_mean() -> tuple[Leaderboard, list[Leaderboard]]:
    """Return a leaderboard whose scores are means over two others, and these."""
    suite = Suite.objects.create(
        slug="s", name="S", is_zero_shot=False, is_average=True, is_screen=False, source="test", position=1
    )
    measure = make_measure()
    whole, *parts = (make_leaderboard(make_collection(), measure) for _ in range(3))
    of = {"suite": suite, "measure": measure}
    member = SuiteMember.objects.create(**of, collection=whole.collection, position=0)
    for position, part in enumerate(parts, start=1):
        SuiteMember.objects.create(**of, collection=part.collection, position=position, part_of=member)
    return whole, parts


def refuted() -> tuple[dict[str, tuple[str, str]], list[str]]:
    """Return by kind how many are refuted and unexplained, and what is said of the unexplained."""
    out = StringIO()
    with suppress(CommandError):
        call_command("check_record", stdout=out)
    lines = out.getvalue().splitlines()
    counts = [line.split() for line in lines if line.endswith(" unexplained")]
    return {" ".join(words[1:-2]): (words[0], words[-2]) for words in counts}, lines[len(counts) :]


@pytest.mark.parametrize(
    ("printed", "parts", "kind"),
    [
        ("0.3509", ("0.3", "0.4"), ""),
        ("0.3512", ("0.3", "0.4"), "means that are not those of their members"),
        ("0.3000", ("0.3",), "means over some of their members"),
    ],
)
def test_a_mean_that_its_members_refute(printed, parts, kind):
    whole, boards = make_mean()
    system = make_system()
    for board, score in zip([whole, *boards], (printed, *parts), strict=False):
        result = make_result(board, system, score)
    counts, lines = refuted()
    assert [name for name, (n, _) in counts.items() if n != "0"] == ([kind] if kind else [])
    assert len(lines) == bool(kind)
    Result.objects.exclude(pk=result.pk).update(comparability=Result.Comparability.PARTIAL_MEAN)
    assert refuted()[1] == []


def test_a_part_of_an_index_and_one_run_twice_until_they_stand_aside():
    collection, system, twin = make_collection(), make_system("a"), make_system("b")
    for number in range(5):
        board = make_leaderboard(collection, make_measure(f"P@{number + 1}"))
        for run in (system, twin):
            make_result(board, run, f"0.4{number}13", role=Result.Role.TREC_RUN)
    part = make_result(board, make_system("Anserini shard03.bge"), "0.2111", role="reference_implementation")
    counts, lines = refuted()
    assert (counts["further names of one run"], counts["parts of an index"]) == (("5", "5"), ("1", "1"))
    assert f"/results/{part.pk}/ Its name says that it is one part of an index." in lines[-1]
    with pytest.raises(CommandError, match="Results compete that something refutes"):
        call_command("check_record", stdout=StringIO())
    with pytest.raises(CommandError, match="not what was recorded"):
        call_command("verify", stdout=StringIO())
    part.comparability = Result.Comparability.OTHER_DOCUMENTS
    part.save()
    aside = {"comparability": Result.Comparability.SAME_RUN}
    Result.objects.filter(system=twin).update(**aside, notes="judged; the same scores as c")
    assert [line.partition("/ ")[2] for line in refuted()[1]] == ["It is said to be c."] * 5
    Result.objects.filter(system=twin).update(**aside, notes="the same scores as A")
    assert refuted()[1] == []


@pytest.mark.parametrize(
    ("measures", "kind", "says"),
    [
        (("P@1", "nDCG@1"), "results in an impossible block of scores", "nDCG@1 (0.2762) is above P@1 (0.2162)"),
        (("P@1", "RR@1"), "results beside which RR@1 is not P@1", "RR@1 (0.2762) is not P@1 (0.2162) in its source"),
        (("R@10", "R@100"), "", ""),
    ],
)
def test_scores_of_one_source_that_cannot_stand_beside_each_other(measures, kind, says):
    collection, system = make_collection(), make_system()
    for name, printed in zip(measures, ("0.2162", "0.2762"), strict=True):
        board = make_leaderboard(collection, make_measure(name))
        make_result(board, system, printed)
        make_result(board, make_system(), "0.9000")
    counts, lines = refuted()
    assert {name: n for name, n in counts.items() if n != ("0", "0")} == ({kind: ("2", "2")} if kind else {})
    assert [says in line for line in lines] == ([True, True] if kind else [])
    Result.objects.filter(system=system).update(comparability="doubtful", notes=says)
    assert refuted()[1] == []


@pytest.mark.parametrize(
    ("years", "message"),
    [
        ((2003, 2004, None), "The result is of 2003, its collection of 2004."),
        ((2021, 2004, 2020), "The result is of 2021, the paper that prints it of 2020."),
        ((2020, 2004, 2020), ""),
        ((None, 2004, 2020), ""),
    ],
)
def test_years_out_of_order(years, message):
    year, of_collection, of_paper = years
    board = make_leaderboard(make_collection(year=of_collection))
    make_result(board, year=year, paper=make_paper(year=of_paper))
    make_result(board, year=2000, role="leaderboard")
    assert says("year") == ([message] if message else [])


def make_grid(n_systems: int, n_boards: int, score: Any) -> None:
    measure = make_measure()
    boards = [make_leaderboard(make_collection(f"c{number}"), measure) for number in range(n_boards)]
    for row in range(n_systems):
        system = make_system(f"s{row}")
        for column, board in enumerate(boards):
            make_result(board, system, f"0.{1000 + score(row, column)}")


def test_a_collection_under_two_names():
    make_grid(10, 3, lambda row, column: 37 * row + (500 if column == 2 else 0))
    (row,) = printed_rows("collections")
    assert (row["key"], row["address"]) == ("collections:c0 c1", "/collections/c0/")
    assert row["says"] == "10 of the 10 scores that both have are the same to the last digit."


def test_a_system_under_two_names():
    make_grid(2, 10, lambda row, column: 37 * column)
    (row,) = printed_rows("systems")
    assert row["key"] == "systems:s0 s1"


TITLE = "BEIR: A Heterogeneous Benchmark"


@pytest.mark.parametrize(
    ("first", "second", "message"),
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
def test_two_records_of_one_paper(first, second, message):
    paper, other = make_paper(**first), make_paper(**second)
    assert [(row["says"], row["address"]) for row in printed_rows("papers")] == (
        [(message, paper.get_absolute_url())] if message else []
    )
    assert other.slug != paper.slug
