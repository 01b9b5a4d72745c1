"""What somebody asks for goes through few rooms."""

import pytest

from tests.rooms.tracing import entered, import_everything
from tests.rooms.walks import WALKS


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("prepare", WALKS, ids=lambda prepare: prepare.__name__)
def test_a_walk_goes_through_no_more_rooms_than_it_did(prepare):
    import_everything()
    walk = prepare()
    with entered() as rooms:
        walk()
    assert len(rooms) <= WALKS[prepare], sorted(rooms)
