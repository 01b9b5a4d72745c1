"""What the database itself refuses in the catalog."""

import pytest
from django.db import IntegrityError, transaction

from registry.catalog.models import CollectionAlias, Leaderboard, MeasureAlias, Topic
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_topics, make_variance

#: What is made beside a collection R04 with topics 301 and 302, a measure MAP, and their leaderboard.
REFUSED = {
    "the slug of another in any case": lambda board: make_collection("Robust04"),
    "the name of another measure": lambda board: make_measure("ap"),
    "the alias of another": lambda board: CollectionAlias.objects.create(collection=make_collection(), alias="r04"),
    "an alias of another measure": lambda board: MeasureAlias.objects.create(measure=make_measure(), alias="map"),
    "no topics": lambda board: make_collection(n_topics=0),
    "no topics here": lambda board: Leaderboard.objects.filter(pk=board.pk).update(n_topics_here=0),
    "at least no topics": lambda board: make_collection(n_topics_at_least=0),
    "nothing relevant": lambda board: make_collection(relevant_per_topic=0),
    "an unknown task": lambda board: make_collection(task="trivia"),
    "a range that is turned round": lambda board: make_measure(low=1, high=0),
    "an empty range": lambda board: make_measure(low=1, high=1),
    "a name that fits no address": lambda board: make_measure("P/R"),
    "a second leaderboard": lambda board: make_leaderboard(board.collection, board.measure),
    "a place taken twice": lambda board: Topic.objects.create(collection=board.collection, position=0, label="303"),
    "a label taken twice": lambda board: Topic.objects.create(collection=board.collection, position=2, label="301"),
    "a second variance": lambda board: make_variance(board.measure, 0.02, board.collection),
    "a variance of nothing": lambda board: make_variance(make_measure(), 0, board.collection),
    "a negative variance": lambda board: make_variance(make_measure(), -1, board.collection),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_is_refused(what):
    collection, measure = (make_collection("robust04", aliases=["R04"]), make_measure("AP", aliases=["MAP"]))
    make_topics(collection, ["301", "302"])
    make_variance(measure, 0.01, collection)
    board = make_leaderboard(collection, measure)
    with pytest.raises(IntegrityError), transaction.atomic():
        REFUSED[what](board)
    assert make_collection(n_topics=None).pk
