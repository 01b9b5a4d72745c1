"""What is noted of a paper is told of the one that it is merged into, and taken back when the merge is undone."""

from collections.abc import Mapping
from typing import Any

from registry.journal.models import Entry
from registry.results.models import Paper

#: Fields that say one thing together, with what they are where nobody said it.
_NOTES: tuple[dict[str, Any], ...] = ({"retraction": ""}, {"reports_significance": None, "significance_said": ""})
#: What the log calls ORCID iDs.
_ORCIDS = "orcids"


def tell_of(source: Paper, target: Paper) -> dict[str, Any]:
    """Note of the target what is noted of the source alone; what that is, for the journal. What is said of it stays."""
    told: dict[str, Any] = {}
    for blank in _NOTES:
        noted = {name: getattr(source, name) for name in blank}
        if noted != blank and all(getattr(target, name) == value for name, value in blank.items()):
            told |= noted
    _note(target, told)
    if orcids := [one for one in source.author_orcids if one not in target.author_orcids]:
        _note(target, {"author_orcids": [*target.author_orcids, *orcids]})
        told[_ORCIDS] = orcids
    return told


def take_back(entry: Entry) -> dict[str, Any]:
    """What the merge of this entry had told, and is said no longer: of the paper that it was told of, nor of those that
    this was merged into since. What somebody noted since stays."""
    told = _told(entry)
    taken: dict[str, Any] = {}
    while told:
        paper = Paper.objects.get(pk=(entry.after or {})["merged_into"])
        taken |= _take_from(paper, told)
        if paper.merged_into_id is None:
            break
        merges = Entry.objects.filter(action=entry.action, subject_type="paper", subject_id=str(paper.pk))
        entry = merges.latest("pk")
        told = _shared(told, _told(entry))
    return taken


def _told(entry: Entry) -> dict[str, Any]:
    names = {name for blank in _NOTES for name in blank} | {_ORCIDS}
    return {name: value for name, value in (entry.after or {}).items() if name in names}


def _shared(told: Mapping[str, Any], again: Mapping[str, Any]) -> dict[str, Any]:
    """What of this was told again."""
    orcids = [one for one in told.get(_ORCIDS, []) if one in again.get(_ORCIDS, [])]
    same = {name: value for name, value in told.items() if name in again and again[name] == value}
    return same | ({_ORCIDS: orcids} if orcids else {})


def _take_from(paper: Paper, told: Mapping[str, Any]) -> dict[str, Any]:
    taken: dict[str, Any] = {}
    for blank in _NOTES:
        noted = {name: getattr(paper, name) for name in blank}
        if noted == {name: told.get(name) for name in blank}:
            _note(paper, blank)
            taken |= noted
    if orcids := [one for one in paper.author_orcids if one in told.get(_ORCIDS, [])]:
        _note(paper, {"author_orcids": [one for one in paper.author_orcids if one not in orcids]})
        taken[_ORCIDS] = orcids
    return taken


def _note(paper: Paper, said: Mapping[str, Any]) -> None:
    for name, value in said.items():
        setattr(paper, name, value)
    paper.save(update_fields=list(said))
