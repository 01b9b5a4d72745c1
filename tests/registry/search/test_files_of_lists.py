"""Every list as CSV and JSON, by its address or by ``Accept``; one table of column names for all of them."""

import csv

import pytest

from registry.core.columns import COLUMNS
from registry.dumps.tables import TABLES
from registry.results.models import Source
from registry.search.services import index_registry
from tests.registry.factory import make_paper
from tests.registry.leaderboards.boards import analysed, make_board

LISTS = (
    "/leaderboards/", "/models/", "/systems/", "/papers/", "/measures/", "/collections/", "/benchmarks/", "/sources/",
    "/log/", "/search/?q=run",
)  # fmt: skip


@pytest.fixture
def board():
    board = analysed(make_board())
    make_paper("=1+1 (2020)")
    Source.objects.create(name="test", what="Made for tests", address="https://example.org/")
    index_registry()
    return board


def file_of(path: str, suffix: str) -> str:
    """Return the address of a list's file."""
    address, _, query = path.partition("?")
    return f"{address.rstrip('/')}.{suffix}" + (f"?{query}" if query else "")


def lists_of(board) -> list[str]:
    return [*LISTS, f"{board.collection.get_absolute_url()}log/", board.get_absolute_url()]


def test_every_list_is_a_file_with_known_columns(client, board):
    for path in lists_of(board):
        response = client.get(file_of(path, "csv"))
        assert response["Content-Type"] == "text/csv; charset=utf-8", path
        head, *rows = csv.reader(response.content.decode().splitlines())
        assert set(head) <= set(COLUMNS), path
        body = client.get(file_of(path, "json")).json()
        if path != board.get_absolute_url():
            assert body["count"] == len(body["results"]) == len(rows), path
            assert all(list(row) == head for row in body["results"]), path


def test_a_list_comes_as_what_the_reader_prefers(client, board):
    for path in lists_of(board):
        for suffix, media_type in (("csv", "text/csv"), ("json", "application/json")):
            response = client.get(path, headers={"accept": f"text/html;q=0.5, {media_type}"})
            assert response.content == client.get(file_of(path, suffix)).content, path
            assert "Accept" in response["Vary"].split(", "), path
        for preferred in ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "*/*", "image/png"):
            response = client.get(path, headers={"accept": preferred})
            assert response["Content-Type"].startswith("text/html"), path
            assert "Accept" in response["Vary"].split(", "), path


def test_what_one_reader_prefers_is_not_kept_for_another(client, board):
    path = board.get_absolute_url()
    first = client.get(path)
    as_json = client.get(path, headers={"accept": "application/json"})
    assert as_json["Content-Type"] == "application/json"
    again = client.get(path, headers={"if-none-match": first["ETag"]})
    assert again.status_code == 304
    other = client.get(path, headers={"accept": "application/json", "if-none-match": first["ETag"]})
    assert other.status_code == 200


def test_the_table_to_begin_with_in_a_dump_has_these_names_too():
    scores = next(table for table in TABLES if table.name == "scores")
    assert {column.name for column in scores.columns} <= set(COLUMNS)
