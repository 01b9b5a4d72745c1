"""What the journal keeps of a change, and who may read which entries."""

from datetime import UTC, date, datetime
from itertools import pairwise

import pytest

from registry.accounts.models import User
from registry.core.loading import LoadReport
from registry.journal.models import Entry, Seal
from registry.journal.queries import is_to_load, journal_version, last_digest, loaded_digests
from registry.journal.services import record, record_file, record_many
from tests.registry.factory import make_user

pytestmark = pytest.mark.django_db

CHANGE = {"action": "results.result.withdrawn", "subject_type": "result", "subject_id": 7}
SAID = {"action": CHANGE["action"], "subject": ("result", 7)}


def test_an_entry_keeps_who_did_what_to_which_row_and_why():
    ada = make_user("ada")
    entry = record(**SAID, actor=ada, reason="A slip.", before={"value": "0.3"}, after={"value": None})
    kept = Entry.objects.get()
    assert kept == entry
    assert (kept.actor, kept.action, kept.subject_type, kept.subject_id) == (ada, CHANGE["action"], "result", "7")
    assert (kept.reason, kept.before, kept.after) == ("A slip.", {"value": "0.3"}, {"value": None})
    assert str(kept) == "results.result.withdrawn result 7"
    assert kept.actor_name == "ada"
    assert record(**SAID).actor_name == "registry"


def test_the_entry_of_a_file_has_its_digest_and_what_became_of_its_rows():
    report = LoadReport("results/x.csv", digest="abc", added=3, superseded=2, unchanged=1, refused=4)
    entry = record_file(report, action="results.file.loaded", actor=make_user("ada"), reason="First.", source="x")
    assert (entry.subject_type, entry.subject_id, entry.reason, entry.actor_name) == (
        "file", "results/x.csv", "First.", "ada",
    )  # fmt: skip
    assert entry.after == {"digest": "abc", "added": 3, "changed": 2, "unchanged": 1, "source": "x"}


def test_many_entries_stand_in_the_order_given_under_one_actor_and_reason_and_are_sealed(
    django_capture_on_commit_callbacks,
):
    ada = make_user("ada")
    changes = [CHANGE | {"subject_id": number} for number in (3, 1, 2)]
    with django_capture_on_commit_callbacks(execute=True):
        written = record_many(changes, actor=ada, reason="One sweep.")
        assert not Seal.objects.exists()
    assert set(Seal.objects.values_list("kind", "subject")) == {("entry", str(entry.pk)) for entry in written}
    with django_capture_on_commit_callbacks(execute=True):
        one = record(**SAID)
    assert Seal.objects.latest("pk").subject == str(one.pk)
    assert one.get_absolute_url() == f"/log/{one.pk}/"
    kept = Entry.objects.exclude(pk=one.pk)
    assert [entry.subject_id for entry in kept.order_by("pk")] == ["3", "1", "2"]
    assert [entry.pk for entry in written] == sorted(entry.pk for entry in written)
    assert {(entry.actor, entry.reason) for entry in kept} == {(ada, "One sweep.")}


def test_the_public_reads_changes_of_the_record_the_newest_first_and_no_drafts_or_accounts(django_assert_num_queries):
    actions = (
        "catalog.measure.changed", "results.result.added", "submissions.submission.published",
        "submissions.submission.opened", "accounts.user.changed",
    )  # fmt: skip
    record_many((CHANGE | {"action": action} for action in actions), actor=make_user("ada"))
    with django_assert_num_queries(1):
        assert {entry.actor_name for entry in Entry.objects.public()} == {"ada"}
    assert [entry.action for entry in Entry.objects.public()] == list(actions[2::-1])
    read = Entry.objects.for_administrators().values_list("action", flat=True)
    assert set(read) == {*actions} - {"submissions.submission.opened"}


def test_entries_are_found_by_whoever_made_them():
    ada, bob = make_user("ada"), make_user("bob")
    by = [record(**SAID, actor=actor).pk for actor in (ada, bob, None)]
    assert [entry.pk for entry in Entry.objects.by("Ada")] == by[:1]
    assert [entry.pk for entry in Entry.objects.by("Registry")] == by[2:]
    User.objects.filter(pk=bob.pk).update(is_active=False, deleted_at=datetime(2026, 1, 1, tzinfo=UTC))
    assert not Entry.objects.by("bob")  # An account that is gone has no name.


def test_entries_are_found_between_two_days_both_included(monkeypatch):
    moments = [datetime(2026, 3, day, hour, tzinfo=UTC) for day, hour in ((1, 23), (2, 0), (3, 23), (4, 0))]
    for moment in moments:
        monkeypatch.setattr("django.utils.timezone.now", lambda moment=moment: moment)
        record(**SAID)

    def found(since, until):
        return [entry.recorded_at for entry in Entry.objects.between(since, until).order_by("pk")]

    assert found(date(2026, 3, 2), date(2026, 3, 3)) == moments[1:3]
    assert found(date(2026, 3, 2), None) == moments[1:]
    assert found(None, date(2026, 3, 3)) == moments[:3]
    assert found(None, None) == moments


def test_a_version_changes_with_every_entry_and_one_of_some_subjects_with_theirs():
    seen, of_systems = [journal_version()], [journal_version(["system"])]
    for kind in ("result", "system", "result"):
        record(**SAID | {"subject": (kind, 7)})
        seen.append(journal_version())
        of_systems.append(journal_version(["system"]))
        assert journal_version() == seen[-1]
    assert len(set(seen)) == 4
    assert [one == two for one, two in pairwise(of_systems)] == [True, False, True]


def test_a_file_is_to_load_until_it_was_loaded_as_it_is_with_no_row_refused(tmp_path):
    def load(label: str, action: str = "results.file.loaded", **after: object) -> None:
        record(action=action, subject=("file", label), after=after)

    path = tmp_path / "x.csv"
    assert not is_to_load(path, "results.file.loaded"), "there is no such file"
    path.write_bytes(b"abc")
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    load("y.csv", digest="first")
    load("x.csv", "catalog.file.loaded", digest=digest)
    record(action="results.file.loaded", subject=("folder", "x.csv"), after={"digest": digest})
    assert last_digest("results.file.loaded", "x.csv") == ""
    assert is_to_load(path, "results.file.loaded")
    load("x.csv", digest=digest)
    load("y.csv", digest="second")
    assert not is_to_load(path, "results.file.loaded")
    assert loaded_digests("results.file.loaded") == {"y.csv": "second", "x.csv": digest}
    record(action="results.file.loaded", subject=("file", "z.csv"))
    record(action="results.file.loaded", subject=("folder", "w.csv"), after={"digest": digest})
    load("v.csv", "catalog.file.loaded", digest=digest)
    assert "z.csv" not in loaded_digests("results.file.loaded")
    assert last_digest("results.file.loaded", "z.csv") == ""
    load("x.csv", digest=digest, refused=1)
    assert is_to_load(path, "results.file.loaded")
    assert loaded_digests("results.file.loaded") == {"y.csv": "second", "x.csv": ""}
