"""Which system a name means: one on record perhaps, or none at all; asked, and never guessed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from django.db.models import Count

from analysis.readers.rejections import Candidate, Refused
from analysis.readers.system_names import (
    in_latin,
    is_addition,
    is_generic,
    name_by_paper,
    organisation_of,
    says_no_team,
    system_key,
    with_addition,
)
from analysis.readers.text import comparison_key, shorten
from registry.catalog.names import AMBIGUOUS
from registry.core.templatetags.formatting import number_of
from registry.journal.queries import kept_until_written
from registry.results.models import Result, System

GENERIC, LOOK_ALIKE, ADDITION = "generic_name", "look_alike", "addition"
#: In the column of the team: the system is none of those on record, and nobody knows whose it is.
NO_TEAM = "–"
_MAX_CANDIDATES = 6
ON_RECORD = "A system on record has this name. Is it that one?"


class KnownSystems:
    """The systems on record by all spellings of their names; read when the first name is looked up."""

    def __init__(self) -> None:
        self._asked: dict[tuple[str, ...], Refused | None] = {}
        self._moved: dict[str, list[tuple[str, int]]] = {}

    def unclear(self, cells: Mapping[str, str]) -> Refused | None:
        """Return why the system of a row has to be asked about; None where it is told.

        Refused as ``generic_name`` or ``addition``, which name no system; as ``look_alike``; and as ``ambiguous`` where
        a system on record has the name, and the row does not say whose system it means.
        """
        given = tuple(cells.get(column, "").strip() for column in ("system", "team", "role", "paper"))
        if given not in self._asked:
            self._asked[given] = self._look_up(*given)
        return self._asked[given]

    def _look_up(self, name: str, team: str, role: str, paper: str) -> Refused | None:
        is_said = bool(team)
        team = "" if says_no_team(team) else team
        if (comparison_key(name), comparison_key(team)) in self._names.exact:
            return None
        plain = in_latin(name)
        if plain != name:
            return _looks_alike(name, plain)
        if is_addition(name):
            whole = with_addition("BM25", name)
            message = f"{shorten(name)!r} says what was added, and not to what; write the whole name, as {whole}"
            return Refused(ADDITION, message)
        if is_generic(name) and not (team and role == Result.Role.TREC_RUN):
            return _generic(name, paper)
        known = self.called(name)
        if is_said:
            # Another team may have a system of the same name; one team has it once.
            known = [one for one in known if team and one.team_key == comparison_key(team)]
        return self._ask(name, team, known) if known else None

    def called(self, name: str) -> list[System]:
        """Return the systems that the name may be a spelling of: the organisation before it is left out, or their team.

        Merged ones are among them, with what they were merged into at hand.
        """
        keys = self._names.by_key.get(system_key(name))
        if not keys:
            return []
        whose = organisation_of(name)
        found = []
        for one in System.objects.filter(pk__in=keys).order_by("pk").select_related("merged_into"):
            others = {organisation_of(one.name), one.team_key} - {""}
            if not whose or not others or whose in others:
                found.append(one)
        return found

    def moved_from(self, name: str) -> list[tuple[str, int]]:
        """Return the system on record that has this name under another organisation, with how many results it has.

        Empty where the name has no organisation, or the record has it as it is. Of several, the one with most results.
        """
        if name not in self._moved:
            self._moved[name] = self._find_moved(name) if organisation_of(name) else []
        return self._moved[name]

    def _find_moved(self, name: str) -> list[tuple[str, int]]:
        known = list(System.objects.filter(pk__in=self._names.by_key.get(system_key(name), ())).order_by("pk"))
        if any(system.name_key == comparison_key(name) for system in known):
            return []
        named = [system for system in known if "/" in system.name]
        counts = [(system.name, self._n_results.get(system.merged_into_id or system.pk, 0)) for system in named]
        return sorted((count for count in counts if count[1]), key=lambda count: -count[1])[:1]

    def _ask(self, name: str, team: str, known: Iterable[System]) -> Refused:
        today = list(dict.fromkeys(one.merged_into or one for one in known))
        today.sort(key=lambda one: -self._n_results.get(one.pk, 0))
        candidates = [
            Candidate(one.name, one.name, self._about(one), {"team": one.team}) for one in today[:_MAX_CANDIDATES]
        ]
        said = " or ".join(f"{shorten(candidate.label)} ({candidate.detail})" for candidate in candidates)
        message = f"{shorten(name)!r} may be {said}, on record. Write its name and team, if that is the system"
        if not team:
            candidates.append(Candidate(name, name, "another system, of which no team is known", {"team": NO_TEAM}))
            message += f"; if it is another one, whose it is in team, or {NO_TEAM} where that is not known"
        return Refused(AMBIGUOUS, message, candidates, ON_RECORD)

    def _about(self, one: System) -> str:
        n_results = number_of(self._n_results.get(one.pk, 0), "result", "results")
        return f"by {shorten(one.team)}, {n_results}" if one.team else n_results

    @cached_property
    def _names(self) -> "_Names":
        return _names_of_systems()

    @cached_property
    def _n_results(self) -> dict[int, int]:
        return dict(Result.objects.standing().order_by().values_list("system").annotate(Count("pk")))


class _Names(NamedTuple):
    """The keys of each system's name and team, and the ids of systems by how their names are spelled."""

    exact: set[tuple[str, str]]
    by_key: dict[str, list[int]]


@kept_until_written(System)
def _names_of_systems() -> _Names:
    names = _Names(set(), defaultdict(list))
    for pk, name, team in System.objects.order_by("pk").values_list("pk", "name_key", "team_key"):
        names.exact.add((name, team))
        names.by_key[name if name.isascii() and "/" not in name else system_key(name)].append(pk)
    return names


def _looks_alike(name: str, plain: str) -> Refused:
    letters = "".join(dict.fromkeys(one for one in name if one not in plain))
    message = (
        f"{shorten(name)!r} has letters that look like Latin ones and are others: {shorten(letters)}. "
        f"Write it as {shorten(plain)}"
    )
    return Refused(
        LOOK_ALIKE,
        message,
        [Candidate(plain, plain, "in Latin letters")],
        "Some letters only look Latin. Is it this name?",
    )


def _generic(name: str, paper: str) -> Refused:
    """Systems that papers leave without a name are called by their paper, as those of the record are."""
    message = f"{shorten(name)!r} names no system: other papers have one, too. Write what the paper calls it"
    named = name_by_paper(name, paper) if paper and "/" not in paper else ""
    if not named:
        return Refused(GENERIC, f"{message}, or what it does, as Diaz (CIKM 2005) relevance models")
    candidates = [Candidate(named, named, "by its paper")]
    return Refused(
        GENERIC, f"{message}, or {shorten(named)!r}", candidates, "Other papers have one, too. What is it called?"
    )
