"""Leaderboards and snapshots as CSV, LaTeX, Markdown and BibTeX."""

import csv
import io
import re
import zipfile
from xml.etree import ElementTree

import pandas
from django.utils import timezone

from registry.curation.lineage.models import PaperLink
from registry.results.models import Result, Source
from tests.registry.factory import make_paper, make_system
from tests.registry.leaderboards.boards import VALUES, analyse_again, make_board, make_run

NASTY = (
    "=1+1",
    "+cmd",
    "-2+3",
    "@SUM(A1)",
    "＝1",
    "'=1",
    "''-",
    "'quoted'",
    "-",
    'a "b", c',
    "50 % & more_#1 {x} \\y ~^",
    "a|b*c*_d_ `e` <f> [g](h)",
    "Łódź – 検索",
)
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠")
SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
NUMBER = re.compile(r"[+-]?\d*\.?\d+")


def make_nasty_board():
    """Make eight ordinary results, and one for each name that some format has to escape."""
    board = make_board()
    for number, name in enumerate(NASTY):
        make_run(board, f"0.1{number:02}", system=make_system(name, team=f"={number}"))
    make_run(board, "-0.05", role=Result.Role.REFERENCE_IMPLEMENTATION)
    analyse_again(board)
    return board


def fetch(client, board, suffix: str, query: str = ""):
    response = client.get(f"{board.get_absolute_url()[:-1]}.{suffix}{query}")
    assert response.status_code == 200, response.content
    return response


def test_csv_has_nothing_that_a_spreadsheet_runs(client):
    rows = list(csv.reader(io.StringIO(fetch(client, make_nasty_board(), "csv").content.decode())))
    cells = [cell for row in rows for cell in row]
    assert "'=1+1" in cells
    assert "-0.05" in cells
    assert not [cell for cell in cells if cell.startswith(FORMULA_STARTS) and not NUMBER.fullmatch(cell)]


def test_csv_says_the_licence_of_each_source(client):
    board = make_board()
    Source.objects.create(name="a toolkit", what="runs", address="https://example.org/", licence="Apache-2.0")
    make_run(board, "0.2111", source="a toolkit")
    make_run(board, "0.2112", source="a page")
    rows = csv.DictReader(io.StringIO(fetch(client, board, "csv").content.decode()))
    licences = {row["printed"]: row["licence"] for row in rows}
    assert (licences["0.2111"], licences["0.2112"]) == ("Apache-2.0", "")


def test_parquet_and_workbook_hold_what_the_csv_holds(client):
    board = make_nasty_board()
    lines = list(csv.DictReader(io.StringIO(fetch(client, board, "csv").content.decode())))
    frame = pandas.read_parquet(io.BytesIO(fetch(client, board, "parquet").content))
    assert [*frame.columns] == [*lines[0]]
    assert frame["value"].tolist() == [float(line["value"]) for line in lines]
    assert frame["rank"].tolist() == [int(line["rank"]) for line in lines]
    assert {*NASTY} <= {*frame["system"]}
    answer = fetch(client, board, "xlsx")
    assert answer["Content-Type"] == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as book:
        sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
    head, *rows = sheet.iter(f"{SHEET}row")
    names = ["".join(cell.itertext()) for cell in head]
    cells = [dict(zip(names, row, strict=True)) for row in rows]
    assert [float("".join(row["value"].itertext())) for row in cells] == frame["value"].tolist()
    assert ["".join(row["system"].itertext()) for row in cells] == frame["system"].tolist()
    assert not [*sheet.iter(f"{SHEET}f")], "a formula"
    assert {row["value"].get("t") for row in cells} == {None}


def test_latex_escapes_what_it_would_run(client):
    text = fetch(client, make_nasty_board(), "tex").content.decode()
    body = text[text.index(r"\midrule") : text.index(r"\bottomrule")]
    assert r"50 \% \& more\_\#1 \textbraceleft{}x\textbraceright{} \textbackslash{}y \textasciitilde{}" in body
    assert r"a\textbar{}b*c*\_d\_ `e` \textless{}f\textgreater{}" in body
    rows = [line for line in body.splitlines() if line.endswith(r"\\")]
    assert len(rows) == len(VALUES) + len(NASTY) + 1
    assert all(len(re.findall(r"(?<!\\)&", row)) == 4 for row in rows)
    assert not re.search(r"(?<!\\)[%#_~^]", body)
    assert " & $-$0.05 " in body


def test_the_paper_on_a_model_is_cited_for_its_page(client):
    board = make_board(["0.2"])
    page = make_paper("huggingface.co/acme/one", kind="page", url="https://huggingface.co/acme/one")
    about, plain = make_paper("Doe (2020)", title="On one", year=2020), make_paper("Roe (2019)", title="On two")
    model, silent, other = (make_system(name) for name in ("acme/one", "acme/two", "three"))
    for system, printed, paper in (
        (model, "0.5", page), (model, "0.45", page), (silent, "0.4", None), (other, "0.3", plain),
    ):  # fmt: skip
        make_run(board, printed, system=system, paper=paper, source=printed)
    for system in (model, silent):
        PaperLink.objects.create(
            system=system, paper=about, relation="cited", source="card", recorded_at=timezone.now()
        )
    analyse_again(board)
    sources = fetch(client, board, "sources.bib").content.decode()
    assert re.findall(r"^@\w+\{(.*),$", sources, re.MULTILINE) == [
        f"plumbline-{about.slug}", f"plumbline-{plain.slug}",
    ]  # fmt: skip
    pages = [line for line in sources.splitlines() if line.startswith("% Scores")]
    assert pages == ["% Scores as its page has them: https://huggingface.co/acme/one"]
    table = fetch(client, board, "tex").content.decode()
    assert re.findall(r"\\cite\{plumbline-(.*?)\}", table) == [about.slug] * 3 + [plain.slug]
    assert table.endswith(f"% BibTeX of what it cites: http://testserver{board.get_absolute_url()[:-1]}.sources.bib\n")
    assert fetch(client, board, "tex", "?top=2").content.decode().endswith(".sources.bib?top=2\n")
