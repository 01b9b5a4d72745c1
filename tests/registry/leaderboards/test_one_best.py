"""A score that a caution holds back is nowhere the best on record."""

import csv
import io
import json

import pytest

from registry.leaderboards.stored import read_stored
from tests.registry.leaderboards.boards import make_apart
from tests.registry.pages import read


@pytest.fixture
def board():
    """Thirty results of as many teams up to 0.2290, and one that stands apart at 0.9000."""
    return make_apart().leaderboard.analysis


def test_every_place_has_the_same_best(client, board):
    leaderboard = board.leaderboard
    collection, measure = leaderboard.collection, leaderboard.measure
    best, apart = leaderboard.results.get(printed="0.229"), leaderboard.results.get(printed="0.900")
    assert "; apart, 0.9000, is excluded: needs evidence." in board.headline["sentence"]
    verdict = client.get(f"{leaderboard.get_absolute_url()[:-1]}.json").json()["verdict"]
    (caution,) = [caution for caution in verdict["cautions"] if caution["is_flag"]]
    assert (caution["code"], caution["results"]) == ("stands-apart", [apart.pk])
    assert (verdict["best_unflagged"]["value"], verdict["leader_verified"]) == (0.229, False)
    text = read(client, leaderboard.get_absolute_url()).text
    assert caution["message"] in text
    assert "Best ranked" in text
    (listed,) = client.get("/api/v1/leaderboards/").json()["results"]
    assert (listed["headline"]["best"], listed["headline"]["highest"]) == (0.229, 0.9)

    asked = {"text": f"System,{measure.name}\nOurs,0.5\n", "collection": collection.slug}
    page = client.post("/review-table/", asked | {"step": "read"}).content.decode()
    markdown = client.post("/review-table/", asked | {"step": "markdown"}).content.decode()
    answer = client.post("/api/v1/review-table/", json.dumps(asked), content_type="application/json").json()
    assert answer["columns"][0]["best"].startswith(f"0.2290 ({best.system.name}")
    for text in (page, markdown, str(answer)):
        assert "0.2290" in text
        assert "0.9000" not in text
        assert "0.2710 better than the best on record" in text
        assert "1 excluded there is better" in text

    query = {"collection": collection.slug, "measure": measure.name, "score": "0.5"}
    checked = client.get("/api/v1/check/", query).json()
    assert (checked["checked"]["best"], checked["checked"]["n_held_back"]) == (0.229, 1)
    assert checked["checked"]["behind"] == pytest.approx(-0.271)
    assert checked["headline"].startswith("0.5 would lead alone")

    macros = client.get(f"{board.snapshot.get_absolute_url()[:-1]}.macros.tex").content.decode()
    assert "Best}{0.2290}" in macros
    table = client.get(f"{leaderboard.get_absolute_url()[:-1]}.csv").content.decode()
    rows = {row["id"]: row for row in csv.DictReader(io.StringIO(table))}
    assert float(rows[str(best.pk)]["behind"]) == 0.0
    assert rows[str(best.pk)]["rival"] == str(best.pk)

    (stored,) = read_stored([leaderboard.pk]).values()
    assert (stored.best.id, stored.best.value) == (best.pk, 0.229)
    assert "the best of all results that are not excluded" in read(client, f"/systems/{best.system.slug}/").text
    assert "excluded: needs evidence" in read(client, f"/systems/{apart.system.slug}/").text
    assert "Adjusted for luck" not in read(client, apart.get_absolute_url()).text
    assert "Adjusted for luck" in read(client, best.get_absolute_url()).text
