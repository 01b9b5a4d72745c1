"""What the commands that load files say while they load, and at their end."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from registry.catalog.management import base
from registry.catalog.management.base import LoadingCommand
from registry.catalog.models import Measure
from registry.journal.models import Entry
from tests.registry import factory


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def load(folder, *arguments: str, err: StringIO | None = None, **options) -> tuple[str, str]:
    out, err = StringIO(), err or StringIO()
    try:
        call_command("load_catalog", str(folder), *arguments, stdout=out, stderr=err, **options)
    except SystemExit as left:
        err.write(f"exit {left.code}")
    return out.getvalue(), err.getvalue()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "measures.csv").write_text("name\nAP\n")
    return tmp_path


def test_the_journal_names_whom_and_why_the_command_was_given(folder):
    ada = factory.make_user("ada")
    load(folder, "--actor", "ada", "--reason", "to begin with")
    entry = Entry.objects.get(action="catalog.file.loaded")
    assert (entry.actor, entry.reason) == (ada, "to begin with")
    (folder / "measures.csv").write_text("name\nRR\n")
    load(folder)
    entry = Entry.objects.filter(action="catalog.file.loaded").latest("pk")
    assert (entry.actor, entry.reason) == (None, "")


def test_an_actor_that_is_nobody_is_refused_before_anything_is_loaded(folder):
    factory.make_user("adalovelace")
    with pytest.raises(CommandError, match=r"there is no user named 'adalovelac'; did you mean adalovelace\?"):
        load(folder, "--actor", "adalovelac")
    assert not Measure.objects.exists()


def test_a_quiet_command_says_only_what_was_refused(folder):
    assert load(folder, verbosity=0) == ("", "")
    (folder / "measures.csv").write_text("name,low\nAP,zero\n")
    out, err = load(folder, verbosity=0)
    assert out == f"{folder / 'measures.csv'}: 0 added, 0 unchanged, 0 changed, 1 refused\n"
    assert err.startswith(f"{folder / 'measures.csv'}:2: low: 'zero' is not a number")
    assert err.endswith("exit 1")


@pytest.mark.parametrize(
    ("err", "seconds", "output"),
    [
        (StringIO(), [1.0, 2.0, 10.9, 11.0, 12.0, 21.5], "reading: 3 rows …\nreading: 5 rows …\n"),
        (Terminal(), [1.0, 1.1, 1.25, 1.3, 1.5], "\rreading: 2 rows …\x1b[K\rreading: 4 rows …\x1b[K"),
    ],
)
def test_progress_is_a_line_every_ten_seconds_and_one_line_on_a_terminal(monkeypatch, err, seconds, output):
    command = LoadingCommand(stderr=err)
    for number, now in enumerate(seconds):
        monkeypatch.setattr(base.time, "monotonic", lambda now=now: now)
        command.progress("reading", number)
    assert err.getvalue() == output
