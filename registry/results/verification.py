"""Verifying results: sealed with the entry that recorded them, worth what they print, ended as the journal says."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from analysis.readers.scores import PrintedScore
from registry.journal.models import Entry
from registry.journal.sealing import ENTRY, Kind
from registry.journal.verifying import Report, Share
from registry.results.models import CONTENT, Result, TopicScores
from registry.results.services.endings import RESULT_SUPERSEDED, RESULT_WITHDRAWN, plain

#: What may be changed in place is not among it: how a result ended, and which it is a replicate of.
_KEPT = ("leaderboard_id", "system_id", "paper_id", "source", "value", "recorded_at", *CONTENT)
SEALED = (
    Kind("result", Result, _KEPT, group="recorded_by_id", follows=ENTRY),
    Kind("topic scores", TopicScores, ("result_id", "scores", "recorded_at")),
)
#: What these entries say of one result, by what they say that became of it.
_ENDED: dict[str, str] = {RESULT_SUPERSEDED: Result.Ending.SUPERSEDED, RESULT_WITHDRAWN: Result.Ending.WITHDRAWN}

#: Of these, provenance is earned later, too.
_SAID = {"system_id", "paper_id", *CONTENT} - {"provenance"}


def check_scores(_: Share) -> Report:
    """Every value is the number that is printed."""
    report = Report()
    for pk, printed, unit, value in Result.objects.values_list("pk", "printed", "unit", "value").iterator(2000):
        report.n += 1
        if PrintedScore(printed, unit).value != value:
            report.problems.append(f"result {pk}: prints {PrintedScore(printed, unit)}, and counts as {value}")
    return report


def check_endings(_: Share) -> Report:
    """What left the record did so by an entry that says it, with the content that this says was there."""
    report = Report()
    entries = Entry.objects.filter(action__in=_ENDED).values_list("pk", "action", "subject_id", "before", "after")
    said = {int(subject): _Said(pk, _ENDED[action], before, after) for pk, action, subject, before, after in entries}
    of_one = {one.entry for one in said.values()}
    for result in Result.objects.exclude(ended_by=None).select_related("superseded_by").iterator(500):
        report.n += 1
        one = said.pop(result.pk, None)
        if one is None:
            # An entry of another kind may end many; one that is gone is missed where references are asked for.
            if result.ended_by_id in of_one:
                report.problems.append(f"result {result.pk}: {result.ending}, and no entry says so of it")
        elif (one.entry, one.ending) != (result.ended_by_id, result.ending):
            said[result.pk] = one
        elif result.superseded_by:
            report.problems += _differences(result, one.before, f"before entry {one.entry}")
            report.problems += _differences(result.superseded_by, one.after, f"by entry {one.entry}")
    report.problems += [f"result {pk}: entry {one.entry} says that it was {one.ending}" for pk, one in said.items()]
    return report


class _Said(NamedTuple):
    entry: int
    ending: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


def _differences(result: Result, said: dict[str, Any] | None, when: str) -> Iterator[str]:
    for name, value in (said or {}).items():
        now = plain(getattr(result, name)) if name in _SAID else value
        if now != value:
            yield f"result {result.pk}: {name} is {now}, and was {value} {when}"
