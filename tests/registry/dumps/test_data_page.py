"""GET /data/, its files, and what it says to programs."""

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.http import HttpResponseBase
from pyld import jsonld

from registry.dumps.formats import SUFFIXES
from registry.dumps.manifest import ColumnEntry, FileEntry, Manifest, SourceEntry, TableEntry, croissant, data_package
from registry.dumps.services import export_dump
from tests.registry.dumps.world import make_registry

SCHEMA_ORG = "https://schema.org/"


@pytest.fixture(autouse=True)
def dumps(settings, tmp_path: Path) -> Path:
    settings.DUMPS = tmp_path / "dumps"
    return settings.DUMPS


def body(response: HttpResponseBase) -> bytes:
    return b"".join(response.streaming_content)


def expanded(source: str) -> list[dict]:
    """Return the JSON-LD of a page, with every name in full; schema.org's context is its vocabulary."""

    def load(url: str, _: object) -> dict:
        assert url == SCHEMA_ORG
        context = {"@vocab": SCHEMA_ORG, "url": {"@type": "@id"}, "contentUrl": {"@type": "@id"}}
        return {"contextUrl": None, "documentUrl": url, "document": {"@context": context}}

    text = source.partition('<script type="application/ld+json">')[2].partition("</script>")[0]
    return jsonld.expand(json.loads(text), {"documentLoader": load, "base": "https://plumbline.example/data/"})


def test_files_are_served_as_what_they_are_and_kept_for_good(client):
    make_registry()
    manifest = export_dump()
    for suffix, media_type in (
        ("parquet", "application/vnd.apache.parquet"),
        ("csv.gz", "application/gzip"),
        ("jsonl.gz", "application/gzip"),
    ):
        file = manifest.by_name[f"scores.{suffix}"]
        response = client.get(f"/data/latest/{file.name}", follow=True)
        assert response.redirect_chain == [(f"/data/{manifest.name}/{file.name}", 302)]
        content = body(response)
        assert hashlib.sha256(content).hexdigest() == file.sha256
        assert response["Content-Type"] == media_type
        assert int(response["Content-Length"]) == file.bytes == len(content)
        assert response["Content-Disposition"] == f'attachment; filename="{file.name}"'
        assert response["Cache-Control"] == "public, max-age=31536000, immutable"
        assert "Content-Encoding" not in response
        again = client.get(f"/data/{manifest.name}/{file.name}", headers={"if-none-match": response["ETag"]})
        assert again.status_code == 304
    described = json.loads(body(client.get(f"/data/{manifest.name}/croissant.json")))
    assert described["@type"] == "sc:Dataset"
    assert body(client.get(f"/data/{manifest.name}/SHA256SUMS")).count(b"\n") == len(manifest.files) + 4


@pytest.mark.parametrize("file", ["nothing.parquet", "..%2Fsecret_key", "%2e%2e/secret_key", "secret_key"])
def test_nothing_else_is_served(client, dumps, file):
    manifest = export_dump()
    (dumps / "secret_key").write_text("secret")
    (dumps / manifest.name / "secret_key").write_text("secret")
    for name in (manifest.name, "latest", "..", ".unfinished-1", "2020-01-01T000000Z"):
        response = client.get(f"/data/{name}/{file}", follow=True)
        assert response.status_code == 404, (name, file)


def test_the_page_asks_few_questions_of_the_database(client, django_assert_max_num_queries):
    make_registry()
    export_dump()
    with django_assert_max_num_queries(1):
        client.get("/data/")


MIT, OTHER = (
    SourceEntry("anserini", "Regressions", "https://example.org/a", "MIT", "", 3),
    SourceEntry("nist", "Judgements", "", "", "Ask first.", 7),
)
COLUMNS = [ColumnEntry("name", "text"), ColumnEntry("at", "moment"), ColumnEntry("day", "day")]


@pytest.fixture
def small() -> Manifest:
    """A dump of two tables, of which one is empty and so from nowhere."""
    tables = [
        TableEntry(name, f"About {name}.", rows, "d", COLUMNS, [f"{name}{suffix}" for suffix in SUFFIXES], sources)
        for name, rows, sources in (("results", 2, ["nist", "anserini"]), ("papers", 0, []))
    ]
    files = [
        FileEntry(name, number, f"sha-{number}")
        for number, name in enumerate((name for table in tables for name in table.files), start=1)
    ]
    moment = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
    return Manifest(15, moment, "https://a.org", "dd", tables, files, [MIT, OTHER], n_seals=9, head="hh")


def test_a_dump_is_described_as_croissant_with_the_terms_of_each_table(small):
    described = croissant(small)
    spdx, terms = "https://spdx.org/licenses/MIT.html", "https://a.org/data/#terms"
    assert (described["license"], described["version"]) == ([terms, spdx], "2026.3.4")
    assert described["citeAs"] == "Plumbline, dump of 2026-03-04, digest dd. https://a.org/data/"
    named, unnamed = described["isBasedOn"]
    assert (named["license"], named["url"]) == (spdx, "https://example.org/a")
    assert unnamed == {
        "@type": "CreativeWork", "name": "nist", "description": "Judgements", "usageInfo": "Ask first.",
    }  # fmt: skip
    files = {file["@id"]: (file["encodingFormat"], file["contentSize"]) for file in described["distribution"]}
    assert files["results.parquet"] == ("application/x-parquet", "1 B")
    assert files["papers.jsonl.gz"] == ("application/gzip", "6 B")
    full, empty = described["recordSet"]
    assert (full["license"], [source["name"] for source in full["isBasedOn"]]) == ([terms, spdx], ["anserini", "nist"])
    assert [field["dataType"] for field in full["field"]] == ["sc:Text", "sc:DateTime", "sc:Date"]
    assert (empty["license"], empty["isBasedOn"]) == ([], [])


def test_a_dump_is_described_as_a_data_package_of_csv_files(small):
    described = data_package(small)
    spdx, terms = {"path": "https://spdx.org/licenses/MIT.html"}, {"path": "https://a.org/data/#terms"}
    assert (described["licenses"], described["created"]) == ([terms, spdx], "2026-03-04T05:06:07Z")
    assert described["sources"] == [{"title": "anserini", "path": "https://example.org/a"}, {"title": "nist"}]
    files = [(file["path"], file["bytes"], file["hash"]) for file in described["resources"]]
    assert files == [("results.csv.gz", 2, "sha256:sha-2"), ("papers.csv.gz", 5, "sha256:sha-5")]
    fields = described["resources"][0]["schema"]["fields"]
    assert [field["type"] for field in fields] == ["string", "datetime", "date"]
