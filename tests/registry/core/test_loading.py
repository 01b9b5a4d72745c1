"""While much is loaded, the garbage collector is left in peace; afterwards it is as it was."""

import gc

import pytest

from registry.core.loading import garbage_left


def fail() -> None:
    with garbage_left():
        assert gc.get_threshold() > (10_000, 0, 0)
        assert gc.get_freeze_count()
        raise OSError("a bad disk")


def test_the_collector_is_as_it_was_afterwards_whatever_happens():
    before = gc.get_threshold()
    with pytest.raises(OSError, match="a bad disk"):
        fail()
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
