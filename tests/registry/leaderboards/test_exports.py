"""Leaderboards and snapshots as CSV, LaTeX, Markdown and BibTeX."""

import csv
import io
import re
from types import SimpleNamespace

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from registry.core.columns import as_cell
from registry.curation.lineage.models import PaperLink
from registry.leaderboards.exports.files import markdown, results_csv
from registry.results.models import Result
from tests.registry.factory import make_measure, make_paper, make_system
from tests.registry.leaderboards.boards import VALUES, analyse, make_board, make_run, mark_changed

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
NUMBER = re.compile(r"[+-]?\d*\.?\d+")


def make_nasty_board():
    """Eight ordinary results, and one for each name that some format has to escape."""
    board = make_board()
    for number, name in enumerate(NASTY):
        make_run(board, f"0.1{number:02}", system=make_system(name, team=f"={number}"))
    make_run(board, "-0.05", role=Result.Role.REFERENCE_IMPLEMENTATION)
    mark_changed(board)
    analyse(board)
    return board


def fetch(client, board, suffix: str, query: str = ""):
    response = client.get(f"{board.get_absolute_url()[:-1]}.{suffix}{query}")
    assert response.status_code == 200, response.content
    return response


def without_quote(cell: str) -> str:
    """What docs/api.md says readers of the CSV should do."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(FORMULA_STARTS) else cell


@pytest.mark.django_db
def test_csv_has_every_row_unrounded(client):
    board = make_nasty_board()
    rows = list(csv.DictReader(io.StringIO(fetch(client, board, "csv").content.decode())))
    document = fetch(client, board, "json").json()
    assert len(rows) == len(document["results"]) == len(VALUES) + len(NASTY) + 1
    for row, wanted in zip(rows, document["results"], strict=True):
        for name in ("id", "rank", "value", "z", "percentile", "year"):
            assert row[name] == ("" if wanted[name] is None else repr(wanted[name]))
        for name in ("system", "team", "printed", "role", "source"):
            assert without_quote(row[name]) == wanted[name]
        assert row["can_be_best"] == str(wanted["can_be_best"]).lower()


@pytest.mark.django_db
def test_csv_has_nothing_that_a_spreadsheet_runs(client):
    rows = list(csv.reader(io.StringIO(fetch(client, make_nasty_board(), "csv").content.decode())))
    cells = [cell for row in rows for cell in row]
    assert "'=1+1" in cells
    assert "-0.05" in cells
    assert not [cell for cell in cells if cell.startswith(FORMULA_STARTS) and not NUMBER.fullmatch(cell)]


@given(st.text(st.sampled_from("'=+-@\t\r\n＝a1.;,\"")))
def test_texts_come_back_from_csv(text):
    stream = io.StringIO()
    csv.writer(stream).writerow([as_cell(text), "end"])
    ((cell, _),) = csv.reader(io.StringIO(stream.getvalue(), newline=""))
    assert without_quote(cell) == text or NUMBER.fullmatch(text)
    assert not cell.startswith(FORMULA_STARTS) or NUMBER.fullmatch(cell)


@pytest.mark.parametrize("number", [-0.25, -1, 0, 1e-07, 0.1 + 0.2])
def test_numbers_are_left_alone(number):
    assert as_cell(number) is number


def test_an_empty_leaderboard_is_a_header():
    assert results_csv(SimpleNamespace(results=())).count("\n") == 1


@pytest.mark.django_db
def test_a_view_is_cited_by_its_address_with_the_day(client):
    board = make_board()
    make_run(board, "0.305", run_type="automatic", system=make_system("the only one"))
    mark_changed(board)
    analyse(board)
    text = fetch(client, board, "bib", "?run_type=automatic").content.decode()
    address = re.search(r"\\url\{(.*?)\}", text)[1]
    assert "run_type=automatic" in address
    assert "as_of=" in address
    assert "prints 0.3050" in text
    assert "prints 0.3050" in client.get(address.removeprefix("http://testserver")).content.decode()


@pytest.mark.django_db
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


@pytest.mark.django_db
def test_latex_marks_what_may_be_best_and_cites(client, settings):
    settings.SITE_URL = "https://plumbline.example"
    board = make_board()
    snapshot = analyse(board).snapshot_id
    text = fetch(client, board, "tex").content.decode()
    members = fetch(client, board, "json").json()["verdict"]["set"]["n_members"]
    assert text.count(r"& \textbf{run ") == members
    assert f"\\url{{https://plumbline.example/snapshots/{snapshot}/}}" in text
    for rule in ("toprule", "midrule", "bottomrule"):
        assert text.count(f"\\{rule}") == 1


@pytest.mark.django_db
def test_where_nearly_all_may_be_the_best_none_is_marked(client):
    board = make_board(["0.31", "0.30", "0.30", "0.29"], residual_variance=0.05)
    analyse(board)
    verdict = fetch(client, board, "json").json()["verdict"]
    assert "which is the best cannot be told: four of four may be" in verdict["sentence"]
    assert r"\textbf{run" not in fetch(client, board, "tex").content.decode()
    assert "**" not in fetch(client, board, "md").content.decode()
    page = client.get(board.get_absolute_url()).content.decode()
    assert 'class="mark">yes<' not in page
    assert 'class="is-marked"' not in page


@pytest.mark.django_db
def test_markdown_shows_names_as_they_are(client):
    board = make_nasty_board()
    html = MarkdownIt("commonmark").enable("table").render(fetch(client, board, "md").content.decode())
    rows = re.findall(r"<tr>\n(.*?)</tr>", html, re.DOTALL)[1:]
    assert len(rows) == len(VALUES) + len(NASTY) + 1
    assert all(row.count("<td") == 5 for row in rows)
    shown = " ".join(rows)
    for escaped in ("50 % &amp; more_#1 {x} \\y ~^", "a|b*c*_d_ `e` &lt;f&gt; [g](h)", "=1+1", "Łódź – 検索"):
        assert f">{escaped}<" in shown
    assert "<em>" not in shown
    assert ">run 0 (held back)<" in shown
    assert "<strong>run 1</strong>" in shown


@pytest.mark.django_db
def test_markdown_line_by_line(client):
    board = make_board(["0.31", "0.2"], measure=make_measure("nDCG_x"))
    make_run(board, "0.1", system=make_system("b_1"), year=2004, comparability="oracle")
    mark_changed(board)
    snapshot = analyse(board).snapshot_id
    lines = fetch(client, board, "md").content.decode().splitlines()
    assert lines[0] == f"# {board.collection.name}, nDCG\\_x"
    assert lines[2].startswith("The best of 2 results of one family prints 0.3100")
    assert lines[4:6] == ["| Rank | System | Team | Year | nDCG\\_x |", "| ---: | :--- | :--- | ---: | ---: |"]
    team = board.collection.slug
    assert lines[6:9] == [
        f"| 1 | **run 0** | {team} |  | 0.31 |", f"| 2 | run 1 | {team} |  | 0.2 |", "| – | b\\_1 |  | 2004 | 0.1 |",
    ]  # fmt: skip
    assert lines[9:] == ["", f"Plumbline, snapshot <http://testserver/snapshots/{snapshot}/>."]
    filtered = fetch(client, board, "md", "?role=trec_run").content.decode()
    assert "Plumbline, snapshot" not in filtered


@pytest.mark.django_db
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
    mark_changed(board)
    analyse(board)
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


def test_markdown_stays_on_its_line():
    assert markdown("a\nb\r\n\tc") == "a b c"


@pytest.mark.django_db
def test_bibtex_cites_the_snapshot(client):
    board = make_board()
    board.collection.name = "A {collection} 100 %"
    board.collection.save()
    snapshot = analyse(board).snapshot
    text = fetch(client, board, "bib").content.decode()
    assert text == client.get(f"/snapshots/{snapshot.pk}.bib").content.decode()
    fields = dict(re.findall(r"^  (\w+) += \{(.*)\},?$", text, re.MULTILINE))
    assert text.startswith(f"@misc{{plumbline-{snapshot.pk},\n")
    assert fields["howpublished"] == f"\\url{{http://testserver/snapshots/{snapshot.pk}/}}"
    assert fields["title"].startswith(r"{A \textbraceleft{}collection\textbraceright{} 100 \%, ")
    assert (fields["year"], fields["month"]) == (str(snapshot.created_at.year), str(snapshot.created_at.month))
    assert "The best of 8 results of one family prints 0.3100" in fields["note"]
    assert text.count("{") == text.count("}")


@pytest.mark.django_db
def test_there_is_nothing_to_cite_without_an_analysis(client):
    board = make_board(VALUES[:2], comparability=Result.Comparability.DOUBTFUL)
    analyse(board)
    response = client.get(f"{board.get_absolute_url()[:-1]}.bib")
    assert response.status_code == 404
    assert response.json()["error"] == "This leaderboard has no verdict that could be cited."
    for suffix in ("csv", "tex", "md", "json"):
        fetch(client, board, suffix)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("suffix", "content_type"),
    [("csv", "text/csv"), ("tex", "application/x-tex"), ("md", "text/markdown"), ("bib", "application/x-bibtex")],
)
def test_formats_are_saved_under_a_name(client, suffix, content_type):
    board = make_board()
    board.measure.name = "P(rel=2)@10"
    board.measure.save()
    analyse(board)
    response = fetch(client, board, suffix)
    assert response["Content-Type"] == f"{content_type}; charset=utf-8"
    name = f"{board.collection.slug}-P-rel-2--10.{suffix}"
    assert response["Content-Disposition"] == f'attachment; filename="{name}"'


@pytest.mark.django_db
@pytest.mark.parametrize("suffix", ["csv", "tex", "md"])
def test_formats_show_the_readers_choices(client, suffix):
    board = make_board()
    make_run(board, "0.305", run_type="automatic", system=make_system("the only one"))
    mark_changed(board)
    analyse(board)
    text = fetch(client, board, suffix, "?run_type=automatic").content.decode()
    assert "the only one" in text
    assert "run 0" not in text
    assert ("Chosen: run" in text) == (suffix != "csv")
    assert "Chosen: " not in fetch(client, board, suffix).content.decode()


@pytest.mark.django_db
def test_aliases_redirect_to_the_same_format(client):
    board = make_board()
    board.measure.aliases.create(alias="another")
    response = client.get(f"/leaderboards/{board.collection.slug.upper()}/another.tex?sort=year")
    assert (response.status_code, response["Location"]) == (
        301,
        f"{board.get_absolute_url()[:-1]}.tex?sort=year",
    )
