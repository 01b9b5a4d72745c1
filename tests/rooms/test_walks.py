"""The house stays within its budgets: ``budgets.toml``, printed by ``python -m tests.rooms``."""

import pytest
from django.test import Client

from tests.rooms.counting import count_house, read_budgets
from tests.rooms.tracing import entered, import_everything
from tests.rooms.walks import WALKS


@pytest.mark.parametrize("section", ["lines", "rooms", "analysis", "counts"])
def test_what_the_house_counts_is_within_its_budget(section):
    counts, budgets = count_house()[section], read_budgets()[section]
    assert counts.keys() == budgets.keys()
    assert {name: (count, budgets[name]) for name, count in counts.items() if count > budgets[name]} == {}


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("prepare", WALKS, ids=lambda prepare: prepare.__name__)
def test_a_walk_goes_through_no_more_files_and_functions_than_budgeted(prepare):
    import_everything()
    # So is what is made for the first page that a process shows.
    Client().get("/nothing/")
    walk, budgets = prepare(), read_budgets()["walks"]
    with entered() as rooms:
        walk()
    places = {place for functions in rooms.values() for place in functions}
    assert len({file for file, _ in places}) <= budgets[f"{prepare.__name__}_files"]
    assert len(places) <= budgets[f"{prepare.__name__}_functions"]
