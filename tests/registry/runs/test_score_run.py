"""``manage.py score_run``: what the form does, from the command line."""

import pytest
from django.core.management import CommandError, call_command

from registry.accounts.models import User
from registry.core.limits import LIMITS
from registry.results.models import Result, TopicScores
from registry.runs.models import Upload, Work
from tests.registry.factory import make_result, make_user
from tests.registry.runs.world import TOPICS, make_judged, run_of


@pytest.fixture
def asked(tmp_path):
    """Runs the command on a file of this content, as somebody, and gives the upload."""

    def ask(content: bytes, *arguments: str, name: str = "mine.run.gz", owner: User | None = None) -> Upload | None:
        file = tmp_path / name
        file.write_bytes(content)
        call_command("score_run", str(file), f"--owner={(owner or make_user()).username}", *arguments)
        return Upload.objects.first()

    return ask


def test_a_run_is_scored_and_reported(asked, capsys):
    collection = make_judged()
    upload = asked(run_of("bad", "good"), f"--collection={collection.slug}", "--until=2026-12-31")
    output = capsys.readouterr()
    assert "AP\t0.2500\n" in output.out
    assert upload.get_absolute_url() in output.out
    assert "until 2027-01-01" in output.out
    assert "Documents without a judgement" not in output.err
    assert (upload.name, upload.work.state, bytes(upload.work.content)) == ("mine", "done", b"")


def test_a_table_of_topic_scores_is_read(asked, capsys):
    table = "topic,one\n" + "".join(f"{topic},0.5\n" for topic in TOPICS)
    upload = asked(table.encode(), f"--collection={make_judged().slug}", "--measure=AP", name="table.csv")
    assert upload.work.kind == Work.Kind.MATRIX
    assert capsys.readouterr().out.startswith("one\t0.5000\n")


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        (run_of("good") + b"t1 Q0\n", [], "line 13: has 2 fields"),
        (run_of("good"), ["--result=12345"], "No result of this number is"),
        (run_of("good"), ["--until=2001-01-01"], "within a year"),
        (run_of("good"), ["--until=9999-12-31"], "within a year"),
        (run_of("good"), ["--owner=nobody"], "no account with the user name"),
        (run_of("good"), ["--collection=nowhere"], "nowhere"),
        (run_of("good"), ["--record"], "Nothing is recorded"),
    ],
)  # fmt: skip
def test_refused_with_what_to_do(asked, content, arguments, message):
    with pytest.raises(CommandError, match=message):
        asked(content, f"--collection={make_judged().slug}", *arguments)


def test_the_command_keeps_to_the_limits_of_accounts(asked, settings, monkeypatch):
    of, owner = f"--collection={make_judged().slug}", make_user()
    settings.PLUMBLINE_MAX_RUN_BYTES = len(run_of("good"))
    monkeypatch.setitem(LIMITS, "run: account", (1, 3600))
    asked(run_of("good"), of, owner=owner)
    with pytest.raises(CommandError, match="An account may have 1 runs an hour scored"):
        asked(run_of("good"), of, owner=owner)
    with pytest.raises(CommandError, match=r"has 2\d\d bytes, and a run may have 2\d\d\. Pack it"):
        asked(run_of("good") + b"\n", of)


def test_topic_scores_go_behind_the_result_where_its_owner_may_do_so(asked, capsys):
    collection = make_judged()
    result = make_result(collection.leaderboards.get(measure__name="AP"), printed="0.250")
    editor = make_user(is_editor=True)
    arguments = [f"--collection={collection.slug}", f"--result={result.pk}", "--record"]
    with pytest.raises(CommandError, match="Nothing is recorded"):
        asked(run_of("bad", "good"), *arguments)
    asked(run_of("bad", "good"), *arguments, owner=editor)
    assert "Printed is 0.250 under AP, the mean is 0.2500: the same." in capsys.readouterr().err
    recorded = Result.objects.standing().get(leaderboard=result.leaderboard)
    assert recorded.provenance == Result.Provenance.RECOMPUTED
    assert TopicScores.objects.standing().filter(result=recorded).exists()
