"""Matching the systems of a draft: the author's own, and those on record, proposed by names and by scores.

They stay proposals until somebody confirms them on the page of the draft.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from analysis.readers.names import is_generic, is_own, system_key
from analysis.readers.rejections import Refused
from analysis.readers.tables import BLANKS
from analysis.readers.text import comparison_key, shorten
from registry.catalog.names import AMBIGUOUS
from registry.catalog.queries import names_of_scores
from registry.core.listing import grouped
from registry.core.messages import say
from registry.core.templatetags.formatting import score
from registry.results.models import Model, Result, System
from registry.results.pipeline.rows import ResultRow, result_reader
from registry.submissions.models import SubmittedRow
from registry.submissions.pipeline.signals import Board, agree, read_boards
from registry.submissions.pipeline.systems import NO_TEAM, KnownSystems

#: From so many equal scores on, and such a share of all, a system of another name is proposed.
MIN_AGREEING, SHARE_AGREEING = 3, 0.8
_MAX_CHOICES = 6
_MAX_COMPARED = 200
#: The note of the reader on the heading that a row stands under.
_HEADING = re.compile(r'under "([^"]*)"')
#: The form of labels with a team; and of those of a system that is none of those on record.
_WITH_TEAM = re.compile(r"(.*) \((.*)\)")
_NO_TEAM_SAID, _ANOTHER = "no team", " (another system)"
#: A system as rows write it: name and team.
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Choice:
    """A candidate for a system of a draft, with how its scores compare with those on record."""

    label: str
    system: str
    team: str
    n_agree: int = 0
    n_differ: int = 0
    #: The largest difference, in the digits of the rows; 0 where all agree.
    most: float = 0.0

    @property
    def beside(self) -> str:
        """Its scores compared with those on record, in words."""
        n_agree, of = self.n_agree, self.n_agree + self.n_differ
        return say(
            "beside-record", n=self.n_differ or n_agree, of=of, differ=score(self.most, 3) if self.most else "no"
        )


@dataclass(frozen=True, slots=True)
class DraftSystem:
    """A system of a draft with its rows, its candidates, and the proposed role and candidate."""

    number: int
    name: str
    team: str
    rows: tuple[SubmittedRow, ...]
    role: str
    choices: tuple[Choice, ...]
    proposed: Choice | None
    #: Why it is proposed as the author's own: its ``name``, ``bold``, ``last`` or ``new``; blank if it is not.
    why_own: str = ""

    @property
    def reason(self) -> str:
        """Why it is proposed as the author's own, in words; blank where it is not, or says so itself."""
        return say("settle-why", why=self.why_own) if self.why_own in ("bold", "last") else ""

    @property
    def needs_name(self) -> bool:
        """Return whether its name is too common to identify it."""
        return self.proposed is None and is_generic(self.name)

    @property
    def cells(self) -> dict[str, str]:
        """The proposal as cells of its rows."""
        named = {"system": self.proposed.system, "team": self.proposed.team} if self.proposed else {}
        return named | {"role": self.role}

    @property
    def likeliest(self) -> Choice | None:
        """The proposed candidate, else the first."""
        return self.proposed or (self.choices[0] if self.choices else None)

    @property
    def others(self) -> list[Choice]:
        """The candidates that are not proposed."""
        return [choice for choice in self.choices if choice != self.proposed]

    @property
    def scores(self) -> list[str]:
        """The scores as written."""
        return [row.cells.get("value", "") for row in self.rows]


def find_systems(rows: Iterable[SubmittedRow]) -> list[DraftSystem]:
    """Return the systems of a draft in the order of their first rows; rows without a system are left out."""
    naming = (row for row in rows if row.cells.get("system"))
    by_name = grouped(naming, lambda row: (row.cells["system"], row.cells.get("team", "")))
    matching = _Matching([row for of_system in by_name.values() for row in of_system])
    choices = {key: matching.choices(key, of_system) for key, of_system in by_name.items()}
    proposed = {key: _proposed(key, choices[key], len(of_system)) for key, of_system in by_name.items()}
    reason, own = _own_systems(by_name, {key for key in by_name if proposed[key] is None})
    return [
        DraftSystem(
            number,
            *key,
            tuple(of_system),
            _role(of_system, key in own),
            choices[key],
            proposed[key],
            reason if key in own else "",
        )
        for number, (key, of_system) in enumerate(by_name.items(), 1)
    ]


def take_proposed(rows: Iterable[SubmittedRow]) -> None:
    """Write the proposed systems into the rows of a table that is not stored."""
    for system in find_systems(rows):
        for row in system.rows:
            row.cells = row.cells | system.cells


def _own_systems(by_name: Mapping[Key, Sequence[SubmittedRow]], unknown: set[Key]) -> tuple[str, set[Key]]:
    """Return the systems that may be the author's own, after the reason.

    Those that say so; of systems that are not on record, those in bold, those in the last group of rows, else all.
    """
    bold = {key for key in unknown if 2 * sum(row.whose == "bold" for row in by_name[key]) > len(by_name[key])}
    ways = {
        "name": {key for key, rows in by_name.items() if _is_own(rows)},
        "bold": bold,
        "last": {key for key in unknown if any(row.whose == "last" for row in by_name[key])},
        "new": unknown,
    }
    return next(((reason, own) for reason, own in ways.items() if own), ("", set()))


def _is_own(rows: Sequence[SubmittedRow]) -> bool:
    """Return whether the name or a heading says that a system is the author's own."""
    cells = rows[0].cells
    return is_own(cells["system"]) or any(map(is_own, _HEADING.findall(cells.get("notes", ""))))


def _role(rows: Sequence[SubmittedRow], is_author: bool) -> str:
    roles = {row.cells.get("role", "") for row in rows} - {""}
    return roles.pop() if len(roles) == 1 else str(Result.Role.PROPOSED if is_author else Result.Role.BASELINE)


def _proposed(key: Key, choices: Sequence[Choice], n_rows: int) -> Choice | None:
    """Return the candidate of exactly this name, alone with it, or with the scores; else None."""
    known = [choice for choice in choices if choice.team != NO_TEAM]
    exact = [choice for choice in known if _key(choice.system, choice.team) == _key(*key)]
    if exact or not known:
        return exact[0] if exact else None
    first, others = known[0], known[1:]
    if first.n_agree and not any(other.n_agree == first.n_agree for other in others):
        return first
    return first if not others and system_key(first.system) == system_key(key[0]) else None


class _Matching:
    """The record beside the systems of a draft, read once for all of them."""

    def __init__(self, rows: Sequence[SubmittedRow]) -> None:
        names = names_of_scores()
        read = result_reader(names, today=date.today())
        # The role of a row has no bearing on what its score is of.
        role = {"role": str(Result.Role.BASELINE)}
        parsed = {row.line: row.parsed(names.digest) or read(BLANKS | role | row.cells, row.line) for row in rows}
        self._results = {line: result for line, result in parsed.items() if isinstance(result, ResultRow)}
        self._boards = read_boards({(result.collection_id, result.measure_id) for result in self._results.values()})
        self._known = KnownSystems()
        self._known.read(row.cells["system"] for row in rows)
        self._models: dict[str, str] = {}
        for name in Model.objects.order_by("-pk").values_list("name", flat=True):
            self._models[system_key(name)] = name

    def choices(self, key: Key, rows: Sequence[SubmittedRow]) -> tuple[Choice, ...]:
        """Return the candidates for a system, the likeliest first; last a new one, where its name is taken."""
        name, team = key
        results = [self._results[row.line] for row in rows if row.line in self._results]
        pairs = [(result, self._boards[result.collection_id, result.measure_id]) for result in results]
        of_name = [] if is_generic(name) else self._known.called(name)
        systems = [system.merged_into or system for system in of_name]
        today = {system.pk: system for system in (*systems, *_with_these_scores(pairs))}
        choices = [_choice(system, pairs) for system in today.values()]
        choices.sort(
            key=lambda choice: (-choice.n_agree, _key(choice.system, choice.team) != _key(*key), choice.n_differ)
        )
        choices = choices[:_MAX_CHOICES]
        if not of_name and (model := self._models.get(system_key(name))):
            choices.append(Choice(model, model, ""))
        refused = self._known.unclear({"system": name, "team": team})
        others = [other for other in refused.candidates if other.fills.get("team") == NO_TEAM] if refused else []
        labels = Counter(choice.system for choice in choices)
        return (
            *(
                replace(choice, label=_label(choice.system, choice.team)) if labels[choice.system] > 1 else choice
                for choice in choices
            ),
            *(Choice(f"{other.value}{_ANOTHER}", other.value, NO_TEAM) for other in others),
        )


def _with_these_scores(pairs: Sequence[tuple[ResultRow, Board]]) -> list[System]:
    """Find the systems of any name with most of these scores, to the digit; a few agree by chance."""
    counts: Counter[Key] = Counter()
    for result, board in pairs:
        counts.update(
            {(recorded.name_key, recorded.team_key) for recorded in board.agreeing(result.score)[:_MAX_COMPARED]}
        )
    least = max(MIN_AGREEING, SHARE_AGREEING * len(pairs))
    keys = [key for key, n in counts.most_common(_MAX_CHOICES) if n >= least]
    known = System.objects.filter(name_key__in=[name for name, _ in keys], merged_into=None).order_by("pk")
    return [system for system in known if (system.name_key, system.team_key) in keys]


def _choice(system: System, pairs: Sequence[tuple[ResultRow, Board]]) -> Choice:
    n_agree, gaps = 0, []
    for result, board in pairs:
        named = board.by_name.get(system.name_key, ())
        there = [recorded for recorded in named if recorded.team_key == system.team_key]
        if any(agree(recorded.score, result.score) for recorded in there):
            n_agree += 1
        elif there:
            gaps.append(min(abs(recorded.value - result.score.value) for recorded in there))
    return Choice(system.name, system.name, system.team, n_agree, len(gaps), max(gaps, default=0.0))


def _label(name: str, team: str) -> str:
    return f"{name} ({team or _NO_TEAM_SAID})"


def _key(system: str, team: str) -> Key:
    return comparison_key(system), comparison_key(team)


def settle(system: DraftSystem, text: str, known_systems: KnownSystems) -> dict[str, str]:
    """Return the cells of the system that was chosen or typed: a candidate by its label, one on record, or a new one.

    Raise ``Refused`` if the name is too common, or on record for other systems; the message says what to write.
    """
    for choice in system.choices:
        if comparison_key(choice.label) == comparison_key(text):
            return {"system": choice.system, "team": choice.team}
    if text.endswith(_ANOTHER):
        return {"system": text.removesuffix(_ANOTHER), "team": NO_TEAM}
    if match := _WITH_TEAM.fullmatch(text):
        team = "" if match[2] == _NO_TEAM_SAID else match[2]
        keys = dict(zip(("name_key", "team_key"), _key(match[1], team), strict=True))
        if named := System.objects.filter(**keys).first():
            return {"system": named.name, "team": named.team}
    known = System.objects.filter(name_key=comparison_key(text), merged_into=None).order_by("pk")[:_MAX_CHOICES]
    if len(known) == 1:
        return {"system": known[0].name, "team": known[0].team}
    labels = [_label(named.name, named.team) for named in known]
    if not labels:
        refused = known_systems.unclear({"system": text, "team": system.team, "role": system.role})
        if refused is None:
            return {"system": text, "team": system.team}
        if refused.code != AMBIGUOUS:
            raise refused
        alike = [candidate for candidate in refused.candidates if candidate.fills.get("team") != NO_TEAM]
        labels = [_label(candidate.value, candidate.fills.get("team", "")) for candidate in alike]
    message = say("settle-taken", names=", ".join(labels), another=f"{shorten(text)}{_ANOTHER}")
    raise Refused(AMBIGUOUS, message)
