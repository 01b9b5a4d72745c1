"""Results, systems and papers as the registry knew them on an earlier day."""

from datetime import UTC, datetime, timedelta

import pytest

from registry.results.services.endings import supersede_result, withdraw_result
from registry.results.services.merging import rename_system
from tests.registry.api.shapes import assert_conforms
from tests.registry.factory import make_paper, make_result

DAY = datetime(2026, 3, 1, 12, tzinfo=UTC)
AS_OF = "as_of=2026-03-01"


def get(client, thing, query: str = AS_OF) -> dict:
    response = client.get(f"/api/v1{thing.get_absolute_url()}?{query}")
    assert_conforms(response, f"get_{thing._meta.model_name}")
    return response.json()


@pytest.fixture
def result():
    """Recorded before the day; what tests do to it happens today."""
    return make_result(printed="0.41", paper=make_paper(), recorded_at=DAY - timedelta(days=3))


def test_a_result_is_the_version_of_the_day_with_its_history(client, result):
    new = supersede_result(result=result, changes={"printed": "0.43"}, actor=None, reason="typing error")
    for version in (result, new):
        then = get(client, version)
        assert (then["id"], then["printed"], then["status"], then["ended"]) == (result.pk, "0.41", "standing", None)
        assert [entry["status"] for entry in then["history"]] == ["standing"]
        assert len(get(client, version, "")["history"]) == 2


@pytest.mark.parametrize("of", ["system", "paper"])
def test_lists_are_those_of_the_day(client, result, of):
    thing = getattr(result, of)
    make_result(**{of: thing})
    withdraw_result(result=result, actor=None, reason="an erratum")
    assert [(row["id"], row["status"]) for row in get(client, thing)["results"]] == [(result.pk, "standing")]
    assert get(client, thing)["count"] == 1
    assert get(client, thing, "")["count"] == 2


def test_a_system_has_its_name_of_the_day(client, result):
    rename_system(system=result.system, name=result.system.name.upper(), team="", actor=None, reason="a slip")
    then = get(client, result.system)
    assert then["name"] == then["results"][0]["system"]["name"] == result.system.name
    assert get(client, result.system, "")["name"] == result.system.name.upper()
