"""What pictures and bundles hold, line by line, and the rows that small drawings draw."""

import io
import json
import zipfile
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.boards import read_snapshot
from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.drawings.snapshots import DrawnSnapshot, _key, _rows, drawn_snapshot
from registry.leaderboards.exports import pictures
from registry.leaderboards.exports.bundles import bundle_of
from registry.leaderboards.exports.result_citing import cited_result
from registry.leaderboards.exports.signposts import with_links_of
from registry.leaderboards.forms import Selection
from registry.leaderboards.models import Snapshot
from registry.leaderboards.verification import read_any
from tests.registry.factory import make_paper, make_system
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed
from tests.registry.leaderboards.earlier_methods import OLD

pytestmark = pytest.mark.django_db


def test_a_bundle_has_everything_that_it_takes():
    board = make_board()
    analysis = analyse(board)
    snapshot, stem = analysis.snapshot, f"plumbline-{analysis.snapshot_id}"
    archive = zipfile.ZipFile(io.BytesIO(bundle_of(snapshot, "@misc{x}")))
    names = ["README.txt", "citation.bib", "inputs.csv", "parameters.json", "recompute.py", "snapshot.json"]
    assert archive.namelist() == [f"{stem}/{name}" for name in names]
    assert {one.date_time for one in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert {one.compress_type for one in archive.infolist()} == {zipfile.ZIP_DEFLATED}
    texts = {name: archive.read(f"{stem}/{name}").decode() for name in names}
    assert (texts["snapshot.json"], texts["citation.bib"]) == (snapshot.content, "@misc{x}")
    content = json.loads(snapshot.content)
    assert json.loads(texts["parameters.json"]) == {one: content[one] for one in ("methods", "libraries")}
    assert texts["parameters.json"].startswith('{\n  "libraries"')
    assert texts["README.txt"].startswith(f"Snapshot {snapshot.pk} of Plumbline\n")
    wanted = " ".join(f"{name}=={version}" for name, version in sorted(content["libraries"].items()))
    assert f"pip install {wanted} msgspec lazy-loader\n" in texts["README.txt"]
    assert f'expected_id="{snapshot.pk}"' in texts["recompute.py"]
    assert "import Snapshot, headline" in texts["recompute.py"]
    lines = texts["inputs.csv"].splitlines()
    assert (len(lines), lines[0]) == (
        9, "id,system,team,printed,unit,value,year,role,run_type,provenance,comparability,replicate_of",
    )  # fmt: skip
    first = read_snapshot(snapshot.content).inputs.rows[0]
    assert lines[1].split(",")[:6] == [str(first.id), first.system, first.team, "0.31", "", "0.31"]
    libraries = '"libraries": {"scipy": "1.9", "numpy": "é"}, "methods"'
    old = Snapshot(pk="0" * 20, leaderboard=board, content=OLD.replace('"methods"', libraries))
    archive = zipfile.ZipFile(io.BytesIO(bundle_of(old, "")))
    assert [name.partition("/")[2] for name in archive.namelist()] == [name for name in names if name != "inputs.csv"]
    stem = f"plumbline-{old.pk}"
    assert "pip install numpy==é scipy==1.9 msgspec" in archive.read(f"{stem}/README.txt").decode()
    assert '"numpy": "é"' in archive.read(f"{stem}/parameters.json").decode()


def test_rows_that_compete_are_drawn_as_they_were_found():
    board = make_board()
    make_run(board, "0.9", comparability="topic_subset")
    make_run(board, "0.28", system=make_system("a toolkit"), role="reference_implementation")
    mark_changed(board)
    snapshot = analyse(board).snapshot
    stored = read_snapshot(snapshot.content)
    rows = _rows(stored.inputs, stored.findings)
    assert [(one.rank, one.value) for one in rows] == list(
        enumerate([0.31, 0.30, 0.29, 0.28, 0.25, 0.24, 0.22, 0.20, 0.15], start=1)
    )
    members = stored.findings.verdict.set.members
    assert [one.can_be_best for one in rows] == [one.id in members for one in rows]
    assert {one.can_be_best_unflagged for one in rows} == {None}
    assert [one.system for one in rows if not one.is_original] == ["a toolkit"]
    assert asdict(rows[0]).keys() == {
        "id", "rank", "system", "value", "can_be_best", "can_be_best_unflagged", "is_original",
    }  # fmt: skip
    shown: Any = SimpleNamespace(verdict="v", measure={"name": "AP"})
    assert drawn_snapshot(shown, read_any(snapshot)) == DrawnSnapshot("v", {"name": "AP"}, rows)
    assert drawn_snapshot(shown, read_any(Snapshot(pk="x", leaderboard=board, content=OLD))).results == ()
    measure: Any = {"name": "AP", "decimals": 4}
    assert _key("a", measure) == _key("a", dict(reversed(measure.items())))
    assert len({_key("a", measure), _key("b", measure), _key("a", measure | {"decimals": 3})}) == 3


def test_a_result_is_cited_with_its_doubt_and_its_paper():
    board = make_board()
    paper = make_paper("Doe (2010)", title="On luck", authors="Jane Doe", year=2010)
    best = make_run(board, "0.32", system=make_system("own/its best"), paper=paper, year=2010)
    mark_changed(board)
    analysis = analyse(board)
    text = cited_result(best, "https://x.org", "bib")
    assert text.count("\n@misc{") == 1
    assert f"{{plumbline-result-{best.pk}," in text
    assert f"{{{{its best on {board.collection.name}, {board.measure.name}}}}}" in text
    assert f"https://x.org/results/{best.pk}/" in text
    first, second = json.loads(cited_result(best, "https://x.org", "csl.json"))
    assert (first["id"], first["version"], second["title"]) == (
        f"plumbline-result-{best.pk}", analysis.snapshot_id, "On luck",
    )  # fmt: skip
    created = analysis.snapshot.created_at
    assert first["issued"]["date-parts"] == [[created.year, created.month, created.day]]
    assert first["note"].startswith("its best (Doe (2010)): ")
    assert ", rank 1 of 9 results" in first["note"]
    bare = board.results.exclude(pk=best.pk).order_by("-value").first()
    assert "\n@misc{" not in cited_result(bare, "", "bib")
    (alone,) = json.loads(cited_result(bare, "", "csl.json"))
    assert alone["note"].startswith("run 0: ")
    assert (cited_result(best, "", "ris").count("TY  - "), cited_result(bare, "", "ris").count("TY  - ")) == (2, 1)
    bare.ended_at = created
    with pytest.raises(pictures.Http404, match="Nothing was found about this result"):
        cited_result(bare, "", "bib")


def test_a_snapshot_leads_to_its_citations_and_its_files():
    snapshot = analyse(make_board()).snapshot
    address = snapshot.get_absolute_url().rstrip("/")
    links = with_links_of(pictures.HttpResponse(), snapshot)["Link"].split(", ")
    by_rel: dict[str, list[str]] = {}
    for link in links:
        href, _, rest = link.partition(">; rel=")
        by_rel.setdefault(rest.split('"')[1], []).append(href.removeprefix("<http://testserver"))
    assert by_rel["cite-as"] == [f"{address}/"]
    assert by_rel["item"] == [f"{address}.json", f"{address}/bundle.zip"]
    assert by_rel["describedby"] == [f"{address}.{one}" for one in ("bib", "biblatex.bib", "ris", "csl.json",
                                                                    "macros.tex")]  # fmt: skip
    assert leaderboard_document(snapshot.leaderboard, Selection()).snapshot.id == snapshot.pk
