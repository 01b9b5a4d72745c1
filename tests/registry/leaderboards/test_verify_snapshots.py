"""Verifying snapshots: an honest one passes, a changed one is named."""

import json
import subprocess
import sys

from analysis.boards import snapshot_id
from registry.leaderboards.models import Snapshot
from registry.leaderboards.verification import verify_snapshot
from registry.results.models import Result, TopicScores
from tests.registry.factory import make_topics
from tests.registry.leaderboards.boards import analyse, make_board


def altered(snapshot: Snapshot, change) -> Snapshot:
    """Return a snapshot with other content under an id that fits it, as a forger would make it."""
    content = json.loads(snapshot.content)
    change(content)
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    fields = {"leaderboard": snapshot.leaderboard, "created_at": snapshot.created_at}
    return Snapshot(pk=snapshot_id(text), content=text, **fields)


def test_an_honest_snapshot_has_no_problem():
    assert verify_snapshot(analyse(make_board()).snapshot) == []


def test_content_that_does_not_fit_its_id_is_named():
    snapshot = analyse(make_board()).snapshot
    snapshot.content = snapshot.content.replace("0.31", "0.32")
    assert verify_snapshot(snapshot) == ["the content does not have this id: it was changed"]


def test_a_result_that_does_not_come_out_is_named():
    def flatter(content):
        content["findings"]["equal_means"][0]["adjusted_mean"] += 0.01

    [problem] = verify_snapshot(altered(analyse(make_board()).snapshot, flatter))
    assert "findings.equal_means[0].adjusted_mean differs" in problem


def test_a_row_that_is_not_worth_what_it_prints_is_named():
    def raise_value(content):
        content["inputs"]["rows"][0].update(value=0.36)

    row = Result.objects.filter(printed="0.31")
    problems = verify_snapshot(altered(analyse(make_board()).snapshot, raise_value))
    assert f"inputs: row {row.get().pk} prints 0.31, and its value is 0.36" in problems


def test_a_snapshot_by_earlier_methods_keeps_its_id_and_is_not_computed_again():
    snapshot = altered(analyse(make_board()).snapshot, lambda content: content["methods"].update(version="1"))
    assert verify_snapshot(snapshot) == []
    snapshot.content = snapshot.content.replace("0.31", "0.32")
    assert verify_snapshot(snapshot) == ["the content does not have this id: it was changed"]


def test_anybody_verifies_it_without_the_site(tmp_path, client):
    """What the site gives away is all it takes."""
    board = make_board(n_topics=30)
    make_topics(board.collection, [str(topic) for topic in range(30)])
    for row, result in enumerate(Result.objects.order_by("pk")):
        scores = [result.value + 0.01 * ((topic * (row + 3)) % 7 - 3) for topic in range(30)]
        TopicScores.objects.create(result=result, scores=scores)
    snapshot = analyse(board).snapshot
    files = {
        "snapshot.json": f"/snapshots/{snapshot.pk}.json",
        "scores.csv": f"/snapshots/{snapshot.pk}/topic_scores.csv",
    }
    for name, address in files.items():
        (tmp_path / name).write_bytes(client.get(address).content)
    command = [sys.executable, "-m", "analysis.boards", "verify", *(str(tmp_path / name) for name in files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{snapshot.pk}: every number comes out again" in done.stdout
    assert "No id was compared" in done.stdout
    (tmp_path / "snapshot.json").write_text(snapshot.content.replace('"n_members":', '"n_members":1'))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "findings.verdict.set.n_members differs" in done.stdout
