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


def test_an_honest_snapshot_has_no_problem_and_a_changed_one_is_named():
    def flatter(content):
        content["findings"]["equal_means"][0]["adjusted_mean"] += 0.01

    def raise_value(content):
        content["inputs"]["rows"][0].update(value=0.36)

    snapshot = analyse(make_board()).snapshot
    assert verify_snapshot(snapshot) == []
    [problem] = verify_snapshot(altered(snapshot, flatter))
    assert "findings.equal_means[0].adjusted_mean differs" in problem
    row = Result.objects.get(printed="0.31")
    assert f"inputs: row {row.pk} prints 0.31, and its value is 0.36" in verify_snapshot(altered(snapshot, raise_value))
    # What earlier methods found keeps its id, and is not computed again.
    earlier = altered(snapshot, lambda content: content["methods"].update(version="1"))
    assert verify_snapshot(earlier) == []
    for kept in (snapshot, earlier):
        kept.content = kept.content.replace("0.31", "0.32")
        assert verify_snapshot(kept) == ["the content does not have this id: it was changed"]


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
