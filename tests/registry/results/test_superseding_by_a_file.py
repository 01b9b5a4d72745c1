"""A row that says otherwise than the record: the standing result is ended, not edited, and linked to its successor."""

from registry.journal.models import Entry
from registry.results.models import Result, TopicScores
from registry.results.services.endings import withdraw_result
from tests.registry import factory
from tests.registry.results.loading import counts, line, load, standing


def test_other_content_supersedes_a_tombstone_stays_and_the_journal_says_what_changed(robust04, tmp_path):
    load(tmp_path, line(value="0.2500", notes="typed"))
    report = load(tmp_path, line(value="0.2600", notes="typed", date="2004-11-19"), reason="erratum")
    assert counts(report) == (0, 0, 1, 0)
    old, new = Result.objects.order_by("pk")
    assert (old.printed, old.value, old.ending, old.superseded_by) == ("0.2500", 0.25, "superseded", new)
    assert (new.printed, new.ending, new.ended_at) == ("0.2600", "", None)
    assert old.ended_at == new.recorded_at
    assert list(standing()) == [new]
    assert list(Result.objects.known_at(old.recorded_at)) == [old]
    entry = Entry.objects.get(action="results.result.superseded")
    assert (entry.subject_type, entry.subject_id, entry.reason) == ("result", str(old.pk), "erratum")
    assert entry.before == {"printed": "0.2500", "year": None, "date": None}
    assert entry.after == {"printed": "0.2600", "year": 2004, "date": "2004-11-19"}
    assert old.ended_by == entry
    assert Entry.objects.get(action="results.file.loaded", after__superseded=1).recorded_results.count() == 1


def test_per_topic_scores_follow_an_unchanged_value(robust04, tmp_path):
    load(tmp_path, line(value="0.25"))
    factory.make_topic_scores(Result.objects.get(), [0.2, 0.3])
    load(tmp_path, line(value="0.25", notes="now with a note"))
    assert TopicScores.objects.get(result=standing().get()).scores == [0.2, 0.3]
    load(tmp_path, line(value="0.27"))
    assert not TopicScores.objects.filter(result=standing().get()).exists()


def test_what_was_withdrawn_is_not_loaded_again(robust04, tmp_path):
    load(tmp_path, line(), line(system="other"))
    withdraw_result(result=standing().first(), actor=None, reason="a typing error")
    report = load(tmp_path, line(), line(system="other"))
    assert (counts(report), report.withdrawn) == ((0, 1, 0, 0), 1)
    assert "1 left out because they were withdrawn" in report.summary()
    assert counts(load(tmp_path, line(value="0.9"))) == (1, 0, 0, 0)
