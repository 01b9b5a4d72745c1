"""GET /api/v1/leaderboards/<c>/<m>/pairs/, …/pairs/<a>/<b>/, …/topics/: the JSON of the pages."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.catalog.models import Leaderboard
from registry.tools.models import TopicStudy
from registry.tools.pairs.services import study_leaderboard
from tests.registry.factory import make_result, make_topic_scores
from tests.registry.keeping import forget_kept_answers
from tests.registry.tools.resolution.test_collection_resolution import make_scored_board, scores_of


@pytest.fixture
def board() -> Leaderboard:
    leaderboard = make_scored_board(scores_of())
    TopicStudy.keep(study_leaderboard(leaderboard.pk))
    return leaderboard


#: Pages with the most queries that they may take.
MOST_QUERIES = [("pairs", 22), ("pairs/{first}/{second}", 20), ("topics", 16)]


def test_the_number_of_queries_is_constant(client, board, subtests):
    def count(path: str) -> int:
        forget_kept_answers()
        with CaptureQueriesContext(connection) as captured:
            assert client.get(path).status_code == 200
        return len(captured)

    first, second = board.results.order_by("pk").values_list("pk", flat=True)[:2]
    asked = [
        (f"{prefix}{board.get_absolute_url()}{page.format(first=first, second=second)}/", most)
        for page, most in MOST_QUERIES
        for prefix in ("", "/api/v1")
    ]
    for path, _ in asked:
        count(path)
    few = {path: count(path) for path, _ in asked}
    n_topics = board.collection.topics.count()
    for number in range(3):
        again = make_result(board, printed=f"0.1{number}")
        make_topic_scores(again, [0.01 * (place + number) for place in range(n_topics)])
    TopicStudy.keep(study_leaderboard(board.pk))
    for path, most in asked:
        with subtests.test(path):
            assert count(path) == few[path] <= most
