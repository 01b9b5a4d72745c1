"""The terms in a dump: of every source of the shipped data, for every record set that holds something of it."""

import json
import re
from pathlib import Path

import pytest
from django.utils import timezone

from registry.curation.lineage.models import TrainingDeclaration
from registry.dumps.manifest import Manifest
from registry.dumps.queries import ORIGINS
from registry.results.models import UnnamedScores
from registry.results.services.fact_files import load_sources_file
from tests.data.shipped import DATA, results, table
from tests.registry.dumps.world import export
from tests.registry.factory import make_leaderboard, make_paper, make_result, make_system, make_variance
from tests.registry.pages import read

SHARE_ALIKE = "https://spdx.org/licenses/CC-BY-SA-4.0.html"


@pytest.fixture(scope="module")
def shipped() -> dict[str, set[str]]:
    """The sources of the shipped results, and those of its matrices without names with their licences."""
    return {
        "results": {row["source"] for row in results()},
        "matrices": {(row["source"], row["licence"]) for row in table("topic_scores/unnamed/manifest.csv")},
    }


@pytest.fixture
def dump(settings, tmp_path: Path, shipped) -> tuple[Path, Manifest]:
    """A dump of a registry with a row of each source that the shipped data have, and the terms that ship."""
    settings.DUMPS = tmp_path / "dumps"
    load_sources_file(path=DATA / "sources.csv")
    board = make_leaderboard()
    for source in sorted(shipped["results"]):
        make_result(board, source=source)
    make_result(board, source="https://example.org/paper")
    for number, (source, licence) in enumerate(sorted({*shipped["matrices"], ("elsewhere/matrix", "CC BY 4.0")})):
        UnnamedScores.objects.create(
            collection=board.collection, measure=board.measure, label=f"matrix {number}", source=source,
            licence=licence, runs="runs", n_topics=1, n_runs=1, content=b"", sha256="0" * 64,
        )  # fmt: skip
    make_variance(board.measure, 0.01, board.collection, sources=[table("variance_library.csv")[1]["sources"]])
    make_paper("A (2020)", described_from="dblp, as usnistgov/trec-browser@06c261d091 carries it")
    TrainingDeclaration.objects.create(
        system=make_system(), collection=board.collection, declared="no", how="not on the list",
        source=table("training.csv")[0]["source"], recorded_at=timezone.now(),
    )  # fmt: skip
    return export()


def test_every_source_that_ships_has_a_licence_or_terms(shipped):
    known = {row["source"]: row for row in table("sources.csv")}
    assert all(row["licence"] or row["terms"] for row in known.values())
    assert shipped["results"] <= known.keys()
    assert {(source, re.sub(r" (?=BY|SA|4)", "-", licence)) for source, licence in shipped["matrices"]} <= {
        (name, row["licence"]) for name, row in known.items()
    }


def test_a_dump_names_each_of_them_with_its_terms(dump, shipped, client):
    folder, manifest = dump
    known = {row["source"]: row for row in table("sources.csv")}
    named = {source.name: source for source in manifest.sources}
    page = read(client, "/data/")
    for name in shipped["results"] | {source for source, _ in shipped["matrices"]} | {"dblp", "mteb", "ir_datasets"}:
        assert (named[name].licence, named[name].terms) == (known[name]["licence"], known[name]["terms"]), name
        assert page.row(name)[1:3] == [known[name]["licence"] or "none is stated", known[name]["terms"] or "–"]
    assert named["elsewhere/matrix"].licence == "CC BY 4.0"
    assert named["submitted"].licence == "CC0-1.0"
    described = json.loads((folder / "croissant.json").read_text())
    terms = {source["name"]: source for source in described["isBasedOn"]}
    assert terms.keys() == named.keys()
    assert "non-commercial" in terms["usnistgov/trec-browser"]["usageInfo"]
    assert SHARE_ALIKE in described["license"]
    assert f"{manifest.site}/data/#terms" in described["license"]
    assert SHARE_ALIKE in page.source


def test_every_record_set_has_the_licences_of_what_is_in_it(dump):
    folder, manifest = dump
    described = json.loads((folder / "croissant.json").read_text())
    sets = {record_set["name"]: record_set for record_set in described["recordSet"]}
    assert all(bool(sets[table.name]["license"]) == bool(table.rows) for table in manifest.tables)
    assert SHARE_ALIKE in sets["unnamed_scores"]["license"]
    assert SHARE_ALIKE in sets["residual_variances"]["license"]
    assert SHARE_ALIKE in sets["results"]["license"], "those of JMTEB are"
    of_tables = {table.name: table.sources for table in manifest.tables}
    assert of_tables["training"] == ["mteb"]
    assert {"dblp", "usnistgov/trec-browser"} <= set(of_tables["papers"])
    assert "submitted" in of_tables["results"]
    assert set(of_tables["scores"]) >= set(of_tables["results"])


def test_every_table_says_where_its_rows_are_from():
    """By a column, by name, or by the tables that it is made of; and none of itself."""
    for name, origin in ORIGINS.items():
        assert origin.column or origin.named or origin.made_of, name
        assert name not in origin.made_of
        assert set(origin.made_of) <= ORIGINS.keys()
