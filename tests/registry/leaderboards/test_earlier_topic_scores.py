"""As of an earlier day, an analysis rests on what was known then: per-topic scores, the catalog, names, disputes."""

from datetime import UTC, datetime, timedelta

import pytest

from registry.catalog.models import Collection, ResidualVariance
from registry.leaderboards.models import Snapshot
from registry.leaderboards.verification import verify_snapshot
from registry.results.models import CorrectionRequest, Result, TopicScores
from registry.results.services.corrections import request_correction
from registry.results.services.endings import supersede_result
from registry.results.services.merging import rename_system
from registry.results.services.topic_scores import Origin, load_topic_scores
from tests.registry.factory import make_topics, make_user
from tests.registry.leaderboards.boards import analyse, make_board, mark_changed
from tests.registry.leaderboards.test_earlier_days import document

DAY = datetime(2026, 3, 1, tzinfo=UTC)
N_TOPICS = 30
AS_OF = "as_of=2026-03-01"
#: A filter, so that the past is analysed on the spot, and one that leaves everybody in.
ON_THE_SPOT = f"{AS_OF}&n_multiplier=2"


def scores_of(result: Result, turn: int) -> list[float]:
    """Scores whose mean is the printed one, and that vary otherwise from topic to topic with every turn."""
    waves = [0.01 * ((topic * (result.pk % 5 + turn) + turn) % 7 - 3) for topic in range(N_TOPICS)]
    level = sum(waves) / N_TOPICS
    return [round(result.value + wave - level, 6) for wave in waves]


def write_table(folder, board, turn: int):
    results = list(board.results.standing().select_related("system").order_by("pk"))
    lines = [["topic", *(result.system.name for result in results)]]
    columns = [scores_of(result, turn) for result in results]
    lines += [[str(topic), *(str(column[topic]) for column in columns)] for topic in range(N_TOPICS)]
    path = folder / f"scores{turn}.csv"
    path.write_text("\n".join(",".join(line) for line in lines) + "\n", encoding="utf-8")
    return path


def load(folder, board, turn: int, **options) -> None:
    report = load_topic_scores(
        path=write_table(folder, board, turn),
        collection=board.collection,
        measure=board.measure,
        origin=Origin(),
        **options,
    )
    assert not report.rejections, list(report.lines())


@pytest.fixture
def board():
    """Results that were recorded before the day; what tests do to them happens today, long after."""
    board = make_board(n_topics=N_TOPICS)
    board.results.update(recorded_at=DAY - timedelta(days=9))
    make_topics(board.collection, [str(topic) for topic in range(N_TOPICS)])
    return board


@pytest.fixture
def with_scores(board, tmp_path):
    """The same, with per-topic scores that were known before the day."""
    load(tmp_path, board, 1)
    TopicScores.objects.update(recorded_at=DAY - timedelta(days=5))
    return board


@pytest.mark.parametrize("query", [AS_OF, ON_THE_SPOT, f"{AS_OF}&published_by=2026-03-01"])
def test_scores_that_came_later_do_not_change_the_past(client, board, tmp_path, query):
    board.results.update(year=2001)
    before = document(client, board, query)
    assert before["verdict"]["evidence"]["kind"] == "own-variance"
    load(tmp_path, board, 1)
    after = document(client, board, query)
    assert after == before
    assert document(client, board, "n_multiplier=2")["verdict"]["evidence"]["kind"] == "own-topics"


@pytest.mark.parametrize("query", [AS_OF, ON_THE_SPOT])
def test_a_reload_of_other_scores_does_not_change_the_past(client, with_scores, tmp_path, query):
    before = document(client, with_scores, query)
    today = document(client, with_scores, "n_multiplier=2")["verdict"]["evidence"]
    assert before["verdict"]["evidence"]["kind"] == "own-topics"
    load(tmp_path, with_scores, 2, replace=True)
    assert document(client, with_scores, query) == before
    assert document(client, with_scores, "n_multiplier=2")["verdict"]["evidence"] != today


def test_scores_of_a_superseded_result_are_those_of_its_day(client, with_scores):
    before = document(client, with_scores, ON_THE_SPOT)
    for result in list(with_scores.results.all()):
        supersede_result(result=result, changes={"notes": "read again"}, actor=None, reason="notes")
    assert document(client, with_scores, ON_THE_SPOT)["verdict"]["evidence"] == before["verdict"]["evidence"]
    assert document(client, with_scores, "n_multiplier=2")["verdict"]["evidence"] == before["verdict"]["evidence"]


def test_a_snapshot_with_other_scores_is_not_that_of_the_day(client, with_scores, tmp_path):
    snapshot = analyse(with_scores).snapshot
    today = Snapshot.objects.get().created_at.date()
    assert document(client, with_scores, f"as_of={today}")["snapshot"]["id"] == snapshot.pk
    load(tmp_path, with_scores, 2, replace=True)
    past = document(client, with_scores, f"as_of={today}")
    assert past["snapshot"] is None
    assert past["verdict"]["evidence"] == document(client, with_scores, "n_multiplier=2")["verdict"]["evidence"]


def test_a_snapshot_is_verified_against_the_scores_of_its_time(with_scores, tmp_path):
    snapshot = analyse(with_scores).snapshot
    load(tmp_path, with_scores, 2, replace=True)
    assert verify_snapshot(Snapshot.objects.get(pk=snapshot.pk)) == []
    TopicScores.objects.filter(ended_at__isnull=False).update(scores=[0.5] * N_TOPICS)
    assert verify_snapshot(snapshot) == ["the topic scores behind it are not what they were"]


def test_what_the_catalog_said_then_holds_for_filters_of_that_day(client, board):
    analyse(board)
    today = Snapshot.objects.get().created_at.date()
    before = document(client, board, f"as_of={today}&n_multiplier=2")
    ResidualVariance.objects.update(residual_variance=0.9)
    Collection.objects.update(n_topics=500)
    mark_changed(board)
    after = document(client, board, f"as_of={today}&n_multiplier=2")
    assert after["scales"] == before["scales"]
    assert after["collection"]["n_topics"] == N_TOPICS
    assert document(client, board, "n_multiplier=2")["scales"] != before["scales"]


def names(client, board, query: str) -> set[str]:
    return {row["system"] for row in document(client, board, query)["results"]}


@pytest.mark.parametrize("name", ["RUN 0", "an altogether new name"], ids=["respelled", "renamed"])
def test_a_day_shows_systems_under_the_names_of_that_day(client, board, name):
    system = board.results.order_by("pk").first().system
    rename_system(system=system, name=name, team=system.team, actor=None, reason="as its authors write it")
    assert "run 0" in names(client, board, AS_OF)
    assert name not in names(client, board, AS_OF)
    assert name in names(client, board, "n_multiplier=2")
    assert "run 0" not in names(client, board, "n_multiplier=2")


@pytest.mark.parametrize(
    ("asked", "decided", "is_disputed"),
    [(-2, None, True), (-2, 2, True), (-2, -1, False), (2, None, False)],
    ids=["open", "decided later", "decided before", "asked later"],
)
def test_a_day_shows_what_was_disputed_then(client, board, asked, decided, is_disputed):
    result = board.results.order_by("pk").first()
    request = request_correction(result=result, requester=make_user(), kind="dispute", reason="table 3 says 0.21")
    new = supersede_result(result=result, changes={"notes": "read again"}, actor=None, reason="notes")
    assert CorrectionRequest.objects.get().result == new
    dates = {"shown_at": DAY + timedelta(days=asked)}
    if decided:
        dates |= {"state": "declined", "decided_at": DAY + timedelta(days=decided), "decided_by": make_user()}
    CorrectionRequest.objects.filter(pk=request.pk).update(**dates)
    (row,) = [row for row in document(client, board, AS_OF)["results"] if row["id"] == result.pk]
    assert row["is_disputed"] is is_disputed
