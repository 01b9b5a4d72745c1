"""GET /data/, its files, and what it says to programs."""

import gzip
import hashlib
import json
from pathlib import Path

import pytest
from django.http import HttpResponseBase
from pyld import jsonld

from registry.core.services import run_routine
from registry.dumps.queries import EXPORT_WHEN_DUE
from registry.dumps.services import export_dump
from tests.registry.dumps.world import make_registry
from tests.registry.pages import read

pytestmark = pytest.mark.django_db

SCHEMA_ORG = "https://schema.org/"


@pytest.fixture(autouse=True)
def dumps(settings, tmp_path: Path) -> Path:
    settings.DUMPS = tmp_path / "dumps"
    return settings.DUMPS


def body(response: HttpResponseBase) -> bytes:
    return b"".join(response.streaming_content)


def expanded(source: str) -> list[dict]:
    """The JSON-LD of a page, with every name in full; schema.org's context is its vocabulary."""

    def load(url: str, _: object) -> dict:
        assert url == SCHEMA_ORG
        context = {"@vocab": SCHEMA_ORG, "url": {"@type": "@id"}, "contentUrl": {"@type": "@id"}}
        return {"contextUrl": None, "documentUrl": url, "document": {"@context": context}}

    text = source.partition('<script type="application/ld+json">')[2].partition("</script>")[0]
    return jsonld.expand(json.loads(text), {"documentLoader": load, "base": "https://plumbline.example/data/"})


def test_before_the_first_dump_the_page_says_so(client, settings):
    assert (
        "There is no dump yet. The first is made in the next two minutes. After that one is made every 24 hours."
        in read(client, "/data/").text
    )
    settings.PLUMBLINE_DUMP_HOURS = 0
    assert "made by hand" in read(client, "/data/").text
    assert client.get("/data.json").status_code == client.get("/data/latest/scores.parquet").status_code == 404


def test_the_page_says_when_dumps_cannot_be_made(client, monkeypatch):
    def fail(folder, progress):
        raise OSError("no room")

    monkeypatch.setattr("registry.dumps.services._write", fail)
    for times in ("1 time,", "2 times,"):
        assert not run_routine(EXPORT_WHEN_DUE)
        said = read(client, "/data/").text
        assert f"There is no dump: the first could not be made, tried {times} last on" in said
        assert "There is no dump yet" not in said
    monkeypatch.undo()
    assert run_routine(EXPORT_WHEN_DUE)
    assert "could not be made" not in read(client, "/data/").text


def test_the_page_offers_every_file_with_its_size_and_checksum(client):
    make_registry()
    manifest = export_dump()
    page = read(client, "/data/")
    links = {address for address, _ in page.links}
    for file in manifest.files:
        assert f"/data/{manifest.name}/{file.name}" in links
        assert file.sha256 in page.text
    assert manifest.digest in page.text
    assert page.row("test")[1] == "MIT"
    document = client.get("/data.json").json()
    assert document["digest"] == manifest.digest
    assert [one["sha256"] for one in document["files"]] == [file.sha256 for file in manifest.files]


def test_the_terms_of_what_people_handed_in_stand_with_those_of_sources(client):
    make_registry()
    export_dump()
    row = read(client, "/data/").row("handed in")
    assert row[1] == "CC0-1.0"


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
    assert body(client.get(f"/data/{manifest.name}/SHA256SUMS")).count(b"\n") == len(manifest.files) + 3


@pytest.mark.parametrize("file", ["nothing.parquet", "..%2Fsecret_key", "%2e%2e/secret_key", "secret_key"])
def test_nothing_else_is_served(client, dumps, file):
    manifest = export_dump()
    (dumps / "secret_key").write_text("secret")
    (dumps / manifest.name / "secret_key").write_text("secret")
    for name in (manifest.name, "latest", "..", ".unfinished-1", "2020-01-01T000000Z"):
        response = client.get(f"/data/{name}/{file}", follow=True)
        assert response.status_code == 404, (name, file)


def test_programs_are_told_that_it_is_a_catalog_with_a_data_set(client):
    make_registry()
    manifest = export_dump()
    (catalog,) = expanded(read(client, "/data/").source)
    assert catalog["@type"] == [f"{SCHEMA_ORG}DataCatalog"]
    (dataset,) = catalog[f"{SCHEMA_ORG}dataset"]
    assert dataset["@type"] == [f"{SCHEMA_ORG}Dataset"]
    assert {one["@value"] for one in dataset[f"{SCHEMA_ORG}license"]} == {
        "https://spdx.org/licenses/MIT.html",
        "https://spdx.org/licenses/CC0-1.0.html",
    }
    assert dataset[f"{SCHEMA_ORG}creator"][0][f"{SCHEMA_ORG}name"] == [{"@value": "Plumbline"}]
    downloads = dataset[f"{SCHEMA_ORG}distribution"]
    assert len(downloads) == len(manifest.files)
    address = f"http://testserver/data/{manifest.name}/scores.parquet"
    assert address in {one[f"{SCHEMA_ORG}contentUrl"][0]["@id"] for one in downloads}


def test_what_is_written_into_the_json_ld_ends_no_script(client, settings):
    settings.SITE_URL = "https://x.example</script><script>"
    assert "</script><script>" not in read(client, "/data/").source.partition("<title>")[2].partition("<header")[0]


def test_the_page_asks_few_questions_of_the_database(client, django_assert_max_num_queries):
    make_registry()
    export_dump()
    with django_assert_max_num_queries(1):
        client.get("/data/")


def test_a_dump_that_was_packed_is_read_with_what_everybody_has(client):
    make_registry()
    manifest = export_dump()
    content = body(client.get(f"/data/{manifest.name}/scores.csv.gz"))
    assert gzip.decompress(content).startswith(b"id,collection,measure,system,team,printed,unit,value,")
