"""What the database itself refuses in the catalog."""

import pytest
from django.db import IntegrityError, transaction

from registry.catalog.models import CollectionAlias, Leaderboard, MeasureAlias, Topic
from tests.registry import factory


def refused():
    return pytest.raises(IntegrityError)


def test_names_are_unique_without_case():
    factory.make_collection("robust04", aliases=["R04"])
    factory.make_measure("AP", aliases=["MAP"])
    other, measure = factory.make_collection("other"), factory.make_measure("RR")
    for make in (
        lambda: factory.make_collection("Robust04"),
        lambda: factory.make_measure("ap"),
        lambda: CollectionAlias.objects.create(collection=other, alias="r04"),
        lambda: MeasureAlias.objects.create(measure=measure, alias="map"),
    ):
        with refused(), transaction.atomic():
            make()


def test_numbers_of_topics_are_positive():
    leaderboard = factory.make_leaderboard()
    with refused(), transaction.atomic():
        factory.make_collection(n_topics=0)
    with refused(), transaction.atomic():
        Leaderboard.objects.filter(pk=leaderboard.pk).update(n_topics_here=0)
    assert factory.make_collection(n_topics=None).pk


def test_measures_have_an_ordered_range_and_fit_an_address():
    for fields in ({"low": 1, "high": 0}, {"low": 1, "high": 1}, {"name": "P/R"}):
        with refused(), transaction.atomic():
            factory.make_measure(**fields)


def test_one_leaderboard_of_collection_and_measure():
    leaderboard = factory.make_leaderboard()
    with refused(), transaction.atomic():
        factory.make_leaderboard(leaderboard.collection, leaderboard.measure)


def test_topics_have_their_place_and_label_once():
    collection = factory.make_collection()
    factory.make_topics(collection, ["301", "302"])
    for position, label in ((0, "303"), (2, "301")):
        with refused(), transaction.atomic():
            Topic.objects.create(collection=collection, position=position, label=label)


def test_variances_are_positive_and_known_once():
    measure, collection = factory.make_measure(), factory.make_collection()
    factory.make_variance(measure, 0.01, collection)
    for value in (0.02, 0, -1):
        with refused(), transaction.atomic():
            factory.make_variance(measure, value, collection)


@pytest.mark.parametrize("fields", [{"n_topics_at_least": 0}, {"relevant_per_topic": 0}, {"task": "trivia"}])
def test_what_is_counted_of_a_collection_is_more_than_nothing(fields):
    with refused(), transaction.atomic():
        factory.make_collection(**fields)
