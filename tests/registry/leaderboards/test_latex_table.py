"""The table of a leaderboard in LaTeX: pdflatex takes it with the packages that it names, however long it is."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from registry.catalog.models import Leaderboard
from tests.registry.factory import make_paper, make_system
from tests.registry.leaderboards.boards import analyse_again, analysed, make_board, make_run
from tests.registry.leaderboards.test_exports import fetch, make_nasty_board
from tests.registry.tex import packages_of, typeset

OTHERS = ("α-SVS", "Sebastian Hofstätter — Göttingen", "--", "[1]", "*", "Đình Nguyễn", "a" * 200, "x_" * 80, "²³√∞≤")


@pytest.mark.tex
def test_names_of_any_kind_are_printed(client: Client, tmp_path: Path) -> None:
    board = make_nasty_board()
    for number, name in enumerate(OTHERS):
        make_run(board, f"0.2{number:02}", system=make_system(name, team=name))
    analyse_again(board)
    table = fetch(client, board, "tex").content.decode()
    assert table.isascii()
    assert r"\usepackage[T1]{fontenc}" in packages_of(table)
    pages, log = typeset(tmp_path, table, packages_of(table))
    assert pages
    assert "Missing character" not in log


@pytest.mark.tex
def test_a_long_table_runs_over_pages(client: Client, tmp_path: Path) -> None:
    board = analysed(make_board([f"0.{number:04}" for number in range(1000, 1300)]))
    table = fetch(client, board, "tex").content.decode()
    assert r"\begin{longtable}" in table
    assert r"\usepackage{longtable}" in packages_of(table)
    pages, log = typeset(tmp_path, table, packages_of(table))
    assert 6 <= pages <= 12
    assert "too large" not in log


def make_cited_board() -> Leaderboard:
    """Make thirteen results, two of one paper whose entry was given under a key that another paper has as well."""
    board = make_board([f"0.{number}" for number in range(100, 330, 23)], year=2004)
    bibtex = "@article{doe2001,\n  author = {J. Doe},\n  title = {On ranks},\n  journal = {J},\n  year = {2001}\n}"
    first, second = (make_paper(f"Doe {name} (2001)", title="On ranks", bibtex=bibtex) for name in "ab")
    for value, paper in (("0.340", first), ("0.339", first), ("0.290", second)):
        make_run(board, value, paper=paper, system=make_system(f"of {value}"), year=2001)
    analyse_again(board)
    return board


def test_as_many_results_as_are_asked_for_with_their_ranks_and_sources(client: Client) -> None:
    board = make_cited_board()
    table = fetch(client, board, "tex", "?top=3").content.decode()
    lines = [line.split(" & ") for line in table.splitlines() if "\\" in line and " & " in line]
    assert lines[0][0].strip() == "Rank"
    assert len(lines) == 4
    rows = fetch(client, board, "json", "?top=3").json()
    assert (len(rows["results"]), rows["count"]) == (3, 13)
    best = rows["results"][0]
    assert lines[1][0].strip() == f"{best['rank_low']}--{best['rank_high']}"
    assert lines[1][-1] == rf"\cite{{plumbline-{best['paper_slug']}}} \\"
    assert "Rank ranges hold at 90\\%, one row at a time. Bold: tied for first. The first 3 of 13 results." in table
    markdown = fetch(client, board, "md", "?top=3").content.decode()
    assert f"| {best['rank_low']}–{best['rank_high']} | " in markdown
    assert "Rank ranges hold at 90%, one row at a time. Bold: tied for first." in markdown
    assert rows["verdict"]["corrected"] is None or "Adjusted for luck: " in table
    sources = client.get(re.findall(r"^% BibTeX of what it cites: http://[^/]+(\S+)", table, re.MULTILINE)[0])
    assert sources.content.decode().count("@article{") == 1


@pytest.mark.tex
def test_every_source_that_it_cites_is_in_the_bibliography(client: Client, tmp_path: Path) -> None:
    board = make_cited_board()
    table = fetch(client, board, "tex").content.decode()
    sources = fetch(client, board, "sources.bib").content.decode()
    _, log = typeset(tmp_path, table, packages_of(table), bibliography=sources)
    assert "undefined" not in log
    assert len(re.findall(r"\\bibitem", (tmp_path / "paper.bbl").read_text())) == 2


@pytest.mark.sqlite
@pytest.mark.slow
@pytest.mark.tex
def test_every_leaderboard_that_ships_is_typeset(client: Client, tmp_path: Path) -> None:
    """The ten likeliest to fail one by one, each with the packages that it names; then all of them together."""
    call_command("load_shipped_data", verbosity=0)
    call_command("recompute", verbosity=0, processes=1)
    boards = Leaderboard.objects.filter(results_version__gt=0).select_related("collection", "measure")
    tables = [fetch(client, board, "tex").content.decode() for board in boards]
    assert len(tables) > 1_500
    assert all(table.isascii() for table in tables)
    for table in sorted(tables, key=awkwardness)[-10:]:
        typeset(tmp_path, table, packages_of(table))
    packages = sorted({package for table in tables for package in packages_of(table)})
    for start in range(0, len(tables), 400):
        pages, log = typeset(tmp_path, "\n\\clearpage\n".join(tables[start : start + 400]), packages, n_runs=1)
        assert pages >= len(tables[start : start + 400])
        assert "too large" not in log


def awkwardness(table: str) -> tuple[int, int]:
    """Return how many commands, and how many of each, a table has that most have not."""
    usual = {"allowbreak", "textbf", "toprule", "midrule", "bottomrule", "begin", "end", "url", "caption", "linewidth"}
    commands = [name for name in re.findall(r"\\([a-zA-Z]+|.)", table) if name not in usual]
    return len(set(commands)), len(commands)


@pytest.mark.tex
@pytest.mark.parametrize("n_results", [8, 60])
def test_an_address_with_escaped_characters_stands_in_the_caption(
    client: Client, tmp_path: Path, n_results: int
) -> None:
    board = analysed(make_board([f"0.{number}" for number in range(200, 200 + n_results)]))
    table = fetch(client, board, "tex", "?counted_roles=trec_run,proposed").content.decode()
    (address,) = re.findall(r"^\\urldef\\plumblineaddress\\url\{(.*)\}$", table, re.MULTILINE)
    assert "counted_roles=proposed%2Ctrec_run" in address
    assert re.search(r"\\caption.* \\plumblineaddress\.\}", table)
    # Two such tables in one paper.
    pages, _ = typeset(tmp_path, f"{table}{table}", packages_of(table))
    assert pages
