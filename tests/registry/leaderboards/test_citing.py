"""How snapshots, leaderboards and suites are cited, by people, reference managers and machines."""

import io
import os
import re
import runpy
import subprocess
import sys
import zipfile
from pathlib import Path
from shutil import which

import extruct
import pytest
from django.conf import settings
from pybtex.database import parse_string

from tests.registry.factory import make_paper, make_system
from tests.registry.leaderboards.boards import analyse, analyse_again, make_board, make_run
from tests.registry.tex import complaints_of_biber, typeset
from tests.registry.tools.resolution.test_collection_resolution import make_scored_board, scores_of


@pytest.fixture
def board():
    board = make_board()
    board.collection.name = "Robust & Co_04 {x}"
    board.collection.save()
    paper = make_paper("Doe (SIGIR 2010)", title="On luck", authors="Jane Doe; Li Wu", year=2010, doi="10.1/x")
    make_run(board, "0.32", system=make_system("its best"), paper=paper, year=2010)
    analyse_again(board)
    return board


def snapshot_of(board):
    return board.analysis.snapshot


def addresses(board) -> list[str]:
    return [board.get_absolute_url().rstrip("/"), f"/snapshots/{snapshot_of(board).pk}"]


def test_biblatex_and_bibtex_are_read_by_pybtex_and_say_the_same(client, board):
    for stem in addresses(board):
        for suffix in ("bib", "biblatex.bib"):
            (entry,) = parse_string(client.get(f"{stem}.{suffix}").content.decode(), "bibtex").entries.values()
            assert entry.key == f"plumbline-{snapshot_of(board).pk}"
            assert " of 9 results are statistically tied for first" in entry.fields["note"]
            assert "Robust \\& Co\\_04" in entry.fields["title"]
            is_plain, day = suffix == "bib", f"{snapshot_of(board).created_at:%Y-%m-%d}"
            note = f"Snapshot {snapshot_of(board).pk} of {day}. On Robust" if is_plain else "On Robust"
            assert entry.fields["note"].startswith(note)
            assert (": results of " in entry.fields["title"]) == is_plain
        assert entry.type == "dataset"
        assert entry.fields["version"] == snapshot_of(board).pk
        assert entry.fields["url"] == f"http://testserver/snapshots/{snapshot_of(board).pk}/"
        assert entry.fields["date"] == snapshot_of(board).created_at.date().isoformat()


@pytest.mark.skipif(not which("biber"), reason="needs biber")
def test_biber_finds_nothing_to_warn_of_in_biblatex(client, board, tmp_path):
    (text,) = {client.get(f"{stem}.biblatex.bib").content.decode() for stem in addresses(board)}
    assert complaints_of_biber(tmp_path, text, "--validate-datamodel") == []


def test_a_reader_is_answered_in_the_format_that_they_ask_for(client, board):
    result = board.results.exclude(paper=None).first()
    citations = (
        "application/x-bibtex",
        "application/x-research-info-systems",
        "application/vnd.citationstyles.csl+json",
    )
    asked = [(thing, kind) for thing in (board, snapshot_of(board), result, result.paper) for kind in citations]
    for thing, kind in (*asked, (board, "application/ld+json"), (board.collection, "application/ld+json")):
        response = client.get(thing.get_absolute_url(), headers={"accept": kind})
        response = client.get(response["Location"]) if response.status_code == 303 else response
        assert (response.status_code, response["Content-Type"].partition(";")[0]) == (200, kind), thing


@pytest.mark.tex
def test_every_number_is_a_command_that_latex_prints(client, board, tmp_path):
    for stem in addresses(board):
        text = client.get(f"{stem}.macros.tex").content.decode()
        names = re.findall(r"\\newcommand\{(\\[A-Za-z]+)\}", text)
        assert {name[-4:] for name in names} >= {"Best", "rgin", "bers"}
        body = "\n\n".join(f"{name}" for name in names if not name.endswith("Cite"))
        pages, log = typeset(tmp_path, text + body, [])
        assert pages == 1
        assert "Undefined" not in log


def test_signposts_are_absolute(client, board):
    links = client.get(f"/snapshots/{snapshot_of(board).pk}/")["Link"]
    signposts = re.findall(r'<([^>]+)>; rel="([a-z-]+)"', links)
    assert {rel for _, rel in signposts} == {"cite-as", "author", "type", "license", "item", "describedby"}
    assert all(href.startswith(("http://testserver/", "https://schema.org/")) for href, _ in signposts)
    for href, rel in signposts:
        if rel in {"cite-as", "item", "describedby", "license"}:
            assert client.get(href.removeprefix("http://testserver")).status_code == 200


def test_extruct_finds_the_data_set_and_what_is_shown_where_links_are_shared(client, board):
    for path in (board.get_absolute_url(), f"/snapshots/{snapshot_of(board).pk}/"):
        extracted = extruct.extract(client.get(path).content.decode(), "http://testserver" + path, errors="strict")
        kinds = [node for data in extracted["json-ld"] for node in data.get("@graph", [data])]
        assert "Dataset" in {node["@type"] for node in kinds}
    shared = {}
    pages = (board, board.collection, board.results.first(), board.results.first().system)
    for path in (*(page.get_absolute_url() for page in pages), "/", "/models/"):
        (graph,) = extruct.extract(client.get(path).content.decode(), syntaxes=["opengraph"])["opengraph"]
        shared[path] = dict(graph["properties"])
        assert client.get(shared[path]["og:image"].removeprefix("http://testserver"))["Content-Type"] == "image/png"
    assert shared[board.get_absolute_url()]["og:description"].startswith("On Robust & Co_04 {x} (")


def unpacked(client, snapshot, folder: Path) -> Path:
    response = client.get(f"/snapshots/{snapshot.pk}/bundle.zip")
    assert response["Content-Type"] == "application/zip"
    zipfile.ZipFile(io.BytesIO(response.content)).extractall(folder)
    return folder / f"plumbline-{snapshot.pk}"


def test_a_bundle_computes_every_number_again_without_the_site(client, board, tmp_path):
    folder = unpacked(client, snapshot_of(board), tmp_path)
    assert {file.name for file in folder.iterdir()} == {
        "README.txt", "citation.bib", "inputs.csv", "parameters.json", "recompute.py", "snapshot.json",
    }  # fmt: skip
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(settings.BASE_DIR)}
    done = subprocess.run(
        [sys.executable, "recompute.py"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "Every number comes out again."), done.stderr
    changed = folder / "snapshot.json"
    changed.write_text(changed.read_text().replace('"value":0.32', '"value":0.33', 1))
    assert recomputed_here(folder) == 1
    path = f"/snapshots/{snapshot_of(board).pk}/bundle.zip"
    assert client.get(path).content == client.get(path).content


def recomputed_here(folder: Path) -> int:
    """Compute the same in this process, which has the library already."""
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(folder / "recompute.py"), run_name="__main__")
    return ended.value.code


def test_a_bundle_has_the_topic_scores_that_entered(client, tmp_path, capsys):
    board = make_scored_board(scores_of())
    folder = unpacked(client, analyse(board).snapshot, tmp_path)
    assert (folder / "topic_scores.csv").exists()
    assert recomputed_here(folder) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Every number comes out again."
