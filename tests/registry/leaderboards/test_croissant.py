"""/leaderboards/….croissant.json, /benchmarks/….croissant.json and /collections/….croissant.json by mlcroissant."""

import json
from pathlib import Path

import mlcroissant
import pytest

from tests.registry.factory import make_leaderboard, make_measure, make_result
from tests.registry.leaderboards.boards import analyse_again, analysed, make_board
from tests.registry.leaderboards.suites import analyse_all, make_members

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    # It leaves the files that it reads to the garbage collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def read(client, address: str, folder: Path) -> mlcroissant.Dataset:
    """Return the data set at this address, with its files as they are fetched from here."""
    response = client.get(address)
    assert (response.status_code, response["Content-Type"].partition(";")[0]) == (200, "application/ld+json")
    metadata = json.loads(response.content)
    files = {}
    for number, file in enumerate(metadata["distribution"]):
        assert file["contentUrl"].startswith("http://testserver/")
        path = folder / f"{number}.csv"
        path.write_bytes(client.get(file["contentUrl"].removeprefix("http://testserver")).content)
        files[file["@id"]] = str(path)
    (folder / "croissant.json").write_bytes(response.content)
    dataset = mlcroissant.Dataset(str(folder / "croissant.json"), mapping=files)
    assert (dataset.metadata.ctx.issues.errors, dataset.metadata.ctx.issues.warnings) == (set(), set())
    assert dataset.metadata.ctx.is_v1_1()
    for record_set, path in zip(metadata["recordSet"], files.values(), strict=True):
        header = Path(path).read_text().splitlines()[0].split(",")
        assert [field["source"]["extract"]["column"] for field in record_set["field"]] == header
    return dataset


def test_a_leaderboard(client, tmp_path):
    board = analysed(make_board())
    dataset = read(client, f"{board.get_absolute_url()[:-1]}.croissant.json", tmp_path)
    (file,) = dataset.metadata.distribution
    name = board.measure.name
    assert file.content_url == f"http://testserver/leaderboards/{board.collection.slug}/{name}.csv"
    records = list(dataset.records("results"))
    assert sorted(row["results/value"] for row in records) == sorted(board.results.values_list("value", flat=True))
    assert {row["results/id"] for row in records} == set(board.results.values_list("pk", flat=True))
    assert all(row["results/year"] is None or row["results/year"] > 1900 for row in records)


def test_a_suite(client, tmp_path):
    analyse_all(make_members())
    dataset = read(client, "/benchmarks/beir/nDCG@10.croissant.json", tmp_path)
    shown = client.get("/benchmarks/beir/nDCG@10.json").json()["results"]
    assert [row["results/value"] for row in dataset.records("results")] == pytest.approx(
        [row["value"] for row in shown]
    )


def test_a_collection_has_a_table_for_each_leaderboard(client, tmp_path):
    board = make_board()
    other = make_leaderboard(board.collection, make_measure("P(rel=2)@5"))
    make_result(other, printed="0.5000")
    for leaderboard in (board, other):
        analyse_again(leaderboard)
    dataset = read(client, f"{board.collection.get_absolute_url()[:-1]}.croissant.json", tmp_path)
    counts = {record_set.id: len(list(dataset.records(record_set.id))) for record_set in dataset.metadata.record_sets}
    assert sorted(counts.values()) == sorted([board.results.count(), other.results.count()])
