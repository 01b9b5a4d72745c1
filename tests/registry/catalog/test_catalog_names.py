"""Looking collections and measures up under any of their names."""

import pytest

from registry.catalog.queries import CatalogNames
from registry.core.rejections import Refused
from tests.registry import factory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["trec-2004-robust", "TREC-2004-Robust", "robust04", " Robust04 ", "Ｒobust04"])
def test_slugs_and_aliases_in_any_case(name):
    collection = factory.make_collection("trec-2004-robust", aliases=["Robust04"])
    assert CatalogNames().collection(name) == collection


def test_measures_too():
    measure = factory.make_measure("nDCG@10", aliases=["ndcg_cut_10"])
    names = CatalogNames()
    assert names.measure("ndcg@10") == names.measure("NDCG_CUT_10") == measure


def test_a_name_wins_over_an_alias():
    other = factory.make_collection("other")
    collection = factory.make_collection("robust04")
    other.aliases.create(alias="Robust04")
    assert CatalogNames().collection("Robust04") == collection


def test_unknown_names_are_refused_with_the_nearest_canonical_ones():
    factory.make_collection("trec-2004-robust", aliases=["Robust04"])
    factory.make_collection("trec-2005-robust", aliases=["Robust05"])
    with pytest.raises(Refused) as caught:
        CatalogNames().collection("Robust0")
    assert caught.value.code == "unknown_collection"
    assert caught.value.message.startswith("unknown collection 'Robust0'; did you mean trec-200")
    with pytest.raises(Refused, match=r"unknown collection 'zzzz'$"):
        CatalogNames().collection("zzzz")
    with pytest.raises(Refused, match="names no measure"):
        CatalogNames().measure(" ")


def test_it_takes_four_queries_for_any_number_of_names(django_assert_num_queries):
    for number in range(5):
        factory.make_collection(f"c{number}", aliases=[f"alias {number}"])
    with django_assert_num_queries(4):
        names = CatalogNames()
        for number in range(5):
            names.collection(f"alias {number}")
