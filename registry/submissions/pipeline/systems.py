"""The system that a name means, on record or not: asked about where it is unclear, never guessed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from django.db.models import Count

from analysis.readers.names import (
    in_latin,
    is_addition,
    is_generic,
    name_by_paper,
    organisation_of,
    says_no_team,
    system_key,
    with_addition,
)
from analysis.readers.rejections import Candidate, Refused
from analysis.readers.text import comparison_key, shorten
from registry.catalog.names import AMBIGUOUS
from registry.core.templatetags.formatting import number_of
from registry.journal.queries import kept_until_written
from registry.results.models import Result, System

GENERIC, LOOK_ALIKE, ADDITION = "generic_name", "look_alike", "addition"
#: As a team: the system is none of those on record, and its team is not known.
NO_TEAM = "–"
_MAX_CANDIDATES = 6
ON_RECORD = "A system on record has this name. Is it that one?"


class KnownSystems:
    """The systems on record by all spellings of their names; read when the first name is looked up."""

    def __init__(self) -> None:
        self._systems: dict[int, System] = {}
        self._asked: dict[tuple[str, ...], Refused | None] = {}
        self._moved: dict[str, list[tuple[str, int]]] = {}

    def read(self, names: Iterable[str]) -> None:
        """Read all systems that these names may be spellings of, in one query."""
        ids = {pk for name in names for pk in self._names.by_key.get(system_key(name), ())} - self._systems.keys()
        self._systems |= System.objects.select_related("merged_into").in_bulk(ids)

    def unclear(self, cells: Mapping[str, str]) -> Refused | None:
        """Return why the system of a row has to be asked about; None where it is clear.

        The reason is ``generic_name`` or ``addition``, which name no system; ``look_alike``; or ``ambiguous``, where a
        system on record has the name and the row does not say whose system it means.
        """
        key = tuple(cells.get(column, "").strip() for column in ("system", "team", "role", "paper"))
        if key not in self._asked:
            self._asked[key] = self._look_up(*key)
        return self._asked[key]

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
            known = [system for system in known if team and system.team_key == comparison_key(team)]
        return self._ask(name, team, known) if known else None

    def called(self, name: str) -> list[System]:
        """Return the systems that the name may be a spelling of, unless its organisation is none of theirs.

        Merged systems are among them, each with the one that it was merged into.
        """
        whose = organisation_of(name)
        systems = []
        for system in self._spelled_like(name):
            others = {organisation_of(system.name), system.team_key} - {""}
            if not whose or not others or whose in others:
                systems.append(system)
        return systems

    def _spelled_like(self, name: str) -> list[System]:
        """Return the systems that the name may be a spelling of, whoever made them."""
        self.read([name])
        return [self._systems[pk] for pk in self._names.by_key.get(system_key(name), ())]

    def moved_from(self, name: str) -> list[tuple[str, int]]:
        """Return the system on record that has this name under another organisation, with how many results it has.

        Empty where the name has no organisation, or is on record as it is; of several, the one with most results.
        """
        if not organisation_of(name):
            return []
        if name not in self._moved:
            known = self._spelled_like(name)
            is_here = any(system.name_key == comparison_key(name) for system in known)
            named = [system for system in known if "/" in system.name and not is_here]
            counts = [(system.name, self._n_results.get(system.merged_into_id or system.pk, 0)) for system in named]
            self._moved[name] = sorted((count for count in counts if count[1]), key=lambda count: -count[1])[:1]
        return self._moved[name]

    def _ask(self, name: str, team: str, known: Iterable[System]) -> Refused:
        today = list(dict.fromkeys(system.merged_into or system for system in known))
        today.sort(key=lambda system: -self._n_results.get(system.pk, 0))
        candidates = [
            Candidate(system.name, system.name, self._about(system), {"team": system.team})
            for system in today[:_MAX_CANDIDATES]
        ]
        described = " or ".join(f"{shorten(candidate.label)} ({candidate.detail})" for candidate in candidates)
        message = f"{shorten(name)!r} may be {described}, on record. Write its name and team, if that is the system"
        if not team:
            candidates.append(Candidate(name, name, "another system, of which no team is known", {"team": NO_TEAM}))
            message += f"; if it is another one, whose it is in team, or {NO_TEAM} where that is not known"
        return Refused(AMBIGUOUS, message, candidates, ON_RECORD)

    def _about(self, system: System) -> str:
        n_results = number_of(self._n_results.get(system.pk, 0), "result", "results")
        return f"by {shorten(system.team)}, {n_results}" if system.team else n_results

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
    letters = "".join(dict.fromkeys(letter for letter in name if letter not in plain))
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
    """Refuse a name that many papers use, and propose the one by its paper, as on record."""
    message = f"{shorten(name)!r} names no system: other papers have one, too. Write what the paper calls it"
    by_paper = name_by_paper(name, paper) if paper and "/" not in paper else ""
    if not by_paper:
        return Refused(GENERIC, f"{message}, or what it does, as Diaz (CIKM 2005) relevance models")
    candidates = [Candidate(by_paper, by_paper, "by its paper")]
    return Refused(
        GENERIC, f"{message}, or {shorten(by_paper)!r}", candidates, "Other papers have one, too. What is it called?"
    )
