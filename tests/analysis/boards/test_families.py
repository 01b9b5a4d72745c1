"""Rows of one maker and lineage are one family, whatever connects them."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.boards import BoardRow
from analysis.boards._competitors import group_families


def row(number: int, *lineage: str) -> BoardRow:
    return BoardRow(id=number, system=f"s{number}", printed="0.5", value=0.5, lineage=lineage)


def test_families_are_connected_through_any_key():
    rows = [row(1, "team:x"), row(2), row(3, "team:y", "model:m"), row(4, "team:x", "model:m"), row(5)]
    families = group_families(rows)
    assert [family.results for family in families] == [(1, 3, 4), (2,), (5,)]
    assert families[0].keys == ("model:m", "team:x")


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.sets(st.sampled_from("abcdefg"), max_size=2), max_size=12), st.randoms(use_true_random=False))
def test_every_row_is_in_one_family_whatever_the_order(keys, random):
    rows = [row(number, *sorted(lineage)) for number, lineage in enumerate(keys)]
    families = {frozenset(family.results) for family in group_families(rows)}
    assert sorted(result for family in families for result in family) == list(range(len(rows)))
    random.shuffle(rows)
    assert {frozenset(family.results) for family in group_families(rows)} == families
