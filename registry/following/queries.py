"""Reading what changed on something that is followed."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max, Q, Subquery

from analysis.boards import Snapshot as StoredStudy
from analysis.readers.scores import PrintedScore
from registry.catalog.models import Leaderboard
from registry.following.models import KINDS, Followable, Following
from registry.journal.models import Entry
from registry.leaderboards.models import Analysis, MethodChange, Snapshot
from registry.leaderboards.verification import read_kept
from registry.results.models import Model, Result
from registry.results.queries import MERGE_UNDONE
from registry.results.querysets import ResultQuerySet
from registry.results.services.gathering import GATHERED, GATHERING_UNDONE, SAID

#: Entries of the journal appear in the order of their commits, not of their ids. No transaction lasts this long, so
#: behind an entry of this age no other can appear.
SETTLED = timedelta(hours=1)

#: Of each kind of change, a digest lists so many; the rest is counted.
MAX_LISTED = 10


@dataclass(frozen=True, slots=True)
class Changed:
    """Results to which the same happened: the first of them, and how many there are."""

    results: list[Result]
    n: int


@dataclass(frozen=True, slots=True)
class NamedVerdict:
    """The verdict of a snapshot by name and team: which result is the best, and which can't be told from it."""

    best: str
    printed: str
    candidates: frozenset[str]
    methods_version: str


@dataclass(frozen=True, slots=True)
class Changes:
    """Everything that happened to what is followed between two entries of the journal.

    ``before`` and ``after`` are None where there was no analysis, and where it is still the same one; ``obstacle`` says
    why there is none now. ``snapshot_id`` is the one that stands. ``methods`` is what newer methods made of it
    meanwhile: ``before`` is then what they found first, so that the two differ by what results did.
    """

    following: Following
    until: int
    snapshot_id: str | None
    recorded: Changed
    superseded: Changed
    withdrawn: Changed
    renamings: list[Entry]
    requests: list[tuple[Entry, Result]]
    before: NamedVerdict | None
    after: NamedVerdict | None
    obstacle: str
    methods: MethodChange | None


def settled_entry(now: datetime) -> int:
    """The id of the last entry of the journal behind which no other can appear; 0 without any."""
    return Entry.objects.filter(recorded_at__lte=now - SETTLED).aggregate(last=Max("pk"))["last"] or 0


def read_changes(following: Following, until: int) -> Changes:
    """What happened since the last digest, up to this entry of the journal, and to the analysis until now."""
    thing, window = following.thing, (following.told_entry, until)
    of_all = Result.objects
    results = of_all.for_leaderboard(thing) if isinstance(thing, Leaderboard) else of_all.about(thing)
    ended = results.filter(ended_by__gt=window[0], ended_by__lte=window[1]).order_by("ended_by", "pk")
    recorded = results.filter(recorded_by__gt=window[0], recorded_by__lte=window[1], supersedes__isnull=True)
    of_board = Analysis.objects.filter(leaderboard=following.leaderboard_id)
    analysis = of_board.first() if following.kind == "leaderboard" else None
    snapshot_id = analysis.snapshot_id if analysis else None
    methods = _newer_methods(following)
    known_id = methods.snapshot_id if methods else following.told_snapshot_id
    is_same = snapshot_id == known_id
    return Changes(
        following=following,
        until=until,
        snapshot_id=snapshot_id,
        recorded=_listed(recorded.order_by("recorded_by", "-value", "pk")),
        superseded=_listed(ended.filter(ending=Result.Ending.SUPERSEDED)),
        withdrawn=_listed(ended.filter(ending=Result.Ending.WITHDRAWN)),
        renamings=_renamings(following, *window),
        requests=_requests(results, *window),
        before=None if is_same else read_verdict(known_id),
        after=None if is_same else read_verdict(snapshot_id),
        obstacle=analysis.get_obstacle_display() if analysis and analysis.obstacle else "",
        methods=methods,
    )


def _listed(results: ResultQuerySet) -> Changed:
    names = ("system", "paper", "leaderboard__collection", "leaderboard__measure", "ended_by")
    after = ("superseded_by__system", "superseded_by__paper")
    first = list(results.select_related(*names, *after)[: MAX_LISTED + 1])
    n = len(first) if len(first) <= MAX_LISTED else results.count()
    return Changed(first[:MAX_LISTED], n)


def _newer_methods(following: Following) -> MethodChange | None:
    """What the newest methods made of a leaderboard since its follower was told of it."""
    if following.kind != "leaderboard" or following.told_snapshot_id is None:
        return None
    told = Snapshot.objects.filter(pk=following.told_snapshot_id).values("created_at")
    changes = MethodChange.objects.filter(leaderboard=following.leaderboard_id, created_at__gt=Subquery(told))
    return changes.exclude(snapshot=following.told_snapshot_id).order_by("pk").last()


def _renamings(following: Following, after: int, until: int) -> list[Entry]:
    """What was renamed, merged or is no longer; merging that a renaming consists of is left out.

    Of a model these are its systems, and which systems came to it or left it.
    """
    if following.kind in {"collection", "leaderboard"}:
        return []
    entries = Entry.objects.public().filter(pk__gt=after, pk__lte=until)
    found = list(entries.filter(_concerned(following.thing, following.kind)).order_by("pk"))
    renamed = {entry.subject_id for entry in found if entry.action.endswith(".renamed")}
    return [entry for entry in found if not entry.action.endswith(".merged") or entry.subject_id not in renamed]


def _concerned(thing: Followable, kind: str) -> Q:
    renamed = Q(action__regex=r"\.(renamed|merged|merge_undone)$")
    if isinstance(thing, Model):
        systems = {str(pk) for pk in thing.systems.values_list("pk", flat=True)}
        named = Q(subject_type="system", subject_id__in=systems) & renamed
        said = Q(action=SAID) & (Q(before__model=thing.name) | Q(after__model=thing.name))
        return named | said | Q(subject_type="model", subject_id=thing.slug, action__in=[GATHERED, GATHERING_UNDONE])
    merged = KINDS[kind]._default_manager.filter(merged_into=thing.pk).values_list("pk", flat=True)
    named = Q(subject_id__in={str(pk) for pk in (thing.pk, *merged)}) & renamed
    undone = Q(action__endswith=MERGE_UNDONE, before__merged_into=thing.pk)
    return Q(subject_type=kind) & (named | undone)


def _requests(results: ResultQuerySet, after: int, until: int) -> list[tuple[Entry, Result]]:
    """Disputes and corrections that were asked for and decided on, each with its result."""
    entries = Entry.objects.public().filter(pk__gt=after, pk__lte=until, action__startswith="results.correction.")
    found = list(entries.order_by("pk"))
    known = results.select_related("system", "leaderboard__collection", "leaderboard__measure")
    by_id = {str(result.pk): result for result in known.filter(pk__in={entry.subject_id for entry in found})}
    return [(entry, by_id[entry.subject_id]) for entry in found if entry.subject_id in by_id]


def read_verdict(snapshot_id: str | None) -> NamedVerdict | None:
    """What a snapshot says of the best; None without one."""
    if snapshot_id is None:
        return None
    stored = read_kept(Snapshot.objects.get(pk=snapshot_id), StoredStudy)
    if stored is None:  # Made by an earlier release: nothing to compare with.
        return None
    rows, verdict = {row.id: row for row in stored.inputs.rows}, stored.findings.verdict
    shown = verdict.shown
    best, members = rows[shown.result], shown.set.members if shown.set else ()
    return NamedVerdict(
        best=_name(best.system, best.team),
        printed=PrintedScore(best.printed, best.unit).digits,
        candidates=frozenset(_name(rows[pk].system, rows[pk].team) for pk in members),
        methods_version=stored.methods.version,
    )


def _name(system: str, team: str) -> str:
    return f"{system} ({team})" if team else system
