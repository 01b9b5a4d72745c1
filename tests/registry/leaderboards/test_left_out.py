"""Lists say whom a verdict leaves out for a caution: the highest score itself, or others that could be the best."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from registry.leaderboards.models import Analysis
from registry.search.services import index_registry
from tests.registry.factory import make_system
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed
from tests.registry.leaderboards.suites import declare
from tests.registry.pages import read
from tests.registry.suites.world import make_suite

pytestmark = pytest.mark.django_db

STORY = "Where the highest score has a caution:"


@pytest.fixture
def board():
    board = make_board([f"0.{200 + number}" for number in range(30)])
    for number, result in enumerate(board.results.select_related("system")):
        type(result.system).objects.filter(pk=result.system_id).update(team=f"team {number}", team_key=f"team {number}")
    return board


def pages_of(client, board):
    index_registry()
    return read(client, board.collection.get_absolute_url()).text, read(client, "/leaderboards/").text


def test_the_highest(client, board):
    make_run(board, "0.900", system=make_system("apart", team="another"))
    mark_changed(board)
    analyse(board)
    assert Analysis.objects.get().headline["left_out"] == "highest"
    for text in pages_of(client, board):
        assert "0.9000 with a caution" in text
        assert "without cautions" in text
    assert STORY in read(client, "/").text


def test_another_that_could_be_the_best(client, board):
    make_suite("zero", [board], is_zero_shot=True)
    declare(board.results.get(printed="0.228").system, board.collection)
    mark_changed(board)
    analyse(board)
    assert Analysis.objects.get().headline["left_out"] == "others"
    for text in pages_of(client, board):
        assert "with a caution" not in text
        assert "without cautions" in text
    assert STORY not in read(client, "/").text


def test_nobody(client, board):
    analyse(board)
    assert Analysis.objects.get().headline["left_out"] == ""
    for text in pages_of(client, board):
        assert "caution" not in text.replace("orange ones have a caution", "")


@pytest.mark.parametrize(("apart", "expected"), [("0.900", "highest"), ("0.2295", "")])
def test_analyses_that_stood_already_say_it_after_the_migration(board, apart, expected):
    make_run(board, apart, system=make_system("apart", team="another"))
    mark_changed(board)
    analyse(board)
    analysis = Analysis.objects.get()
    said = dict(analysis.headline)
    before = {name: value for name, value in said.items() if name != "left_out"} | {"has_flag": True}
    Analysis.objects.filter(pk=analysis.pk).update(headline=before)
    migration = import_module("registry.leaderboards.migrations.0005_left_out")
    migration.say_who_is_left_out(apps, connection.schema_editor())
    after = Analysis.objects.get()
    assert (after.headline, after.analysed_at) == (said, analysis.analysed_at)
    assert said["left_out"] == expected
