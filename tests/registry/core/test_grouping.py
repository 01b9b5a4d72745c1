"""Items by what they share."""

from registry.core.grouping import grouped


def test_items_stand_by_their_key_in_their_order():
    found = grouped(iter(["b1", "a1", "b2"]), lambda one: one[0])
    assert list(found.items()) == [("b", ["b1", "b2"]), ("a", ["a1"])]
    assert found["c"] == []
    assert grouped([], len) == {}
