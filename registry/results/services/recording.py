"""Recording many results at once: a whole file or nothing; what stands is never edited in place."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Coalesce

from analysis.readers.identifiers import PaperFacts, slug_of_system
from analysis.readers.numbers import PrintedScore
from analysis.readers.recipes import model_of
from analysis.readers.rejections import Rejection
from registry.accounts.models import User
from registry.catalog.models import Leaderboard
from registry.catalog.services import ensure_leaderboards, find_leaderboards
from registry.core.bulk import Outcome, Staged, Staging, insert_rows
from registry.core.loading import LoadReport, Progress, silent
from registry.journal.models import Entry
from registry.journal.queries import last_digest
from registry.journal.services import record
from registry.results.models import CONTENT, EARNED, Paper, Result, System
from registry.results.pipeline.rows import MergedNames, ResultRow
from registry.results.services.endings import Change, Superseded
from registry.results.services.gathering import gather_models

FILE_LOADED = "results.file.loaded"
_CHUNK = 1000
_MERGED_MEANWHILE = "systems or papers were merged while this was read; submit it once more"
_OWN_REPLICATE = "names the system itself, by a name that was merged with its own; leave it blank"

#: The key of a standing result: leaderboard, system, paper, source.
Key = tuple[int | None, int | None, int | None, str]
_KEY = ("leaderboard_id", "system_id", "paper_id", "source")


def record_results(
    *,
    rows: Iterable[ResultRow | list[Rejection]],
    label: str,
    digest: str = "",
    path: str = "",
    action: str = FILE_LOADED,
    subject_type: str = "file",
    actor: User | None = None,
    reason: str = "",
    dry_run: bool = False,
    keep_good: bool = False,
    progress: Progress = silent,
    standing: dict[int, int] | None = None,
) -> LoadReport:
    """Record the rows of one file or submission; the report says what became of them.

    One refused row keeps all of them out, unless ``keep_good``. A result that stands with the same content is left
    alone; one with other content is ended and linked to the row that takes its place. A withdrawn result is not
    recorded again with the same score. The one journal entry says that ``action`` was done to the ``subject_type``
    called ``label``, with the counts and the digest; ``path`` is for messages only. ``standing`` takes the result that
    then stands for each row, by line.
    """
    report = LoadReport(label, digest, path)
    with Staging(ResultRow) as staging:
        names = MergedNames.read()
        pairs = stage(rows, names, staging, report, progress)
        recording = _Recording(staging, report, progress)
        recording.refuse_orphans(pairs)
        if report.refused and (report.is_fatal or not keep_good):
            return report
        if dry_run:
            recording.judge()
            return report
        with transaction.atomic():
            recording.lock(pairs)
            is_known = MergedNames.read() == names
            if is_known:
                recording.judge()
                about = (subject_type, label[:200])
                recording.write(partial(record, action=action, subject=about, actor=actor, reason=reason), standing)
                if connection.vendor == "postgresql":
                    # Keys to systems and papers are checked now, not on commit: that waits for whoever merges them.
                    connection.check_constraints()
                is_known = MergedNames.read() == names
            if not is_known:
                report = LoadReport(label, digest, path)
                report.refuse([Rejection("merged", _MERGED_MEANWHILE, fatal=True)])
                transaction.set_rollback(True)
    return report


def judge_results(
    *, rows: Iterable[ResultRow | list[Rejection]], report: LoadReport
) -> Iterator[list[Staged[ResultRow]]]:
    """Yield what would become of every good row if all were recorded now, in chunks; the report takes the refused ones.

    Everything that can be refused is refused before the first chunk. Nothing is written.
    """
    with Staging(ResultRow) as staging:
        pairs = stage(rows, MergedNames.read(), staging, report, silent)
        recording = _Recording(staging, report, silent)
        recording.refuse_orphans(pairs)
        recording.judge()
        outcomes = (Outcome.NEW, Outcome.UNCHANGED, Outcome.SUPERSEDES, Outcome.WITHDRAWN)
        yield from staging.chunks(_CHUNK, *outcomes)


def stage(
    rows: Iterable[ResultRow | list[Rejection]],
    names: MergedNames,
    staging: Staging[ResultRow],
    report: LoadReport,
    progress: Progress,
) -> set[tuple[int, int]]:
    """Stage the good rows under the names of today, refuse the others; return (collection, measure) of the good."""
    pairs = set()
    for number, row in enumerate(rows, 1):
        if number % _CHUNK == 0:
            progress(f"reading {report.label}", number)
        if not isinstance(row, ResultRow):
            report.refuse(row)
            continue
        row = names.today(row)
        if row.replicate_of and row.first_instance_key == row.system_key:
            report.refuse([Rejection("own_replicate", _OWN_REPLICATE, row.line, "replicate_of")])
        elif staging.add(row, key=row.key, group=row.system_key, parent=row.first_instance_key):
            pairs.add((row.collection_id, row.measure_id))
        else:
            _refuse_clash(row, staging, report)
    return pairs


def _refuse_clash(row: ResultRow, staging: Staging[ResultRow], report: LoadReport) -> None:
    """Refuse the later of two rows of one file for one result; both, where they don't say the same of it."""
    first, is_refused = staging.holder(row.key)
    spelling = _spellings(first, row)
    differing = [name for name in CONTENT if getattr(row, name) != getattr(first, name)]
    if not differing:
        message = f"is the same result as line {first.line}{spelling}; leave one out"
        report.refuse([Rejection("duplicate", message, row.line, "system")])
        return
    contents = [" and ".join(f"{name} {getattr(side, name)}" for name in differing[:2]) for side in (first, row)]
    template = "is the result of line {} too{}, with {} there and {} here; keep the right one"
    message = template.format(first.line, spelling, *contents)
    report.refuse([Rejection("contradiction", message, row.line, "system")])
    if not is_refused:
        message = template.format(row.line, _spellings(row, first), *reversed(contents))
        report.refuse([Rejection("contradiction", message, first.line, "system")])
        staging.refuse(row.key)


def _spellings(there: ResultRow, here: ResultRow) -> str:
    """Return two rows' names of one system, or one paper, where they differ; in brackets, for a message."""
    if there.spelled() != here.spelled():
        return f" ({there.spelled()} there, {here.spelled()} here)"
    papers = [row.paper.cite or row.paper.url for row in (there, here) if row.paper]
    return " (the paper is {!r} there, {!r} here)".format(*papers) if len(set(papers)) == 2 else ""


class _Recording:
    """A file on its way from the staging file into the database."""

    def __init__(self, staging: Staging[ResultRow], report: LoadReport, progress: Progress) -> None:
        self._staging = staging
        self._report = report
        self._progress = progress
        self._new_systems: set[int] | None = None
        self._leaderboards: dict[tuple[int, int], int] = {}

    def refuse_orphans(self, pairs: set[tuple[int, int]]) -> None:
        """Refuse replicates of a result that is neither in the file nor on the record."""
        self._leaderboards = find_leaderboards(pairs=pairs)
        for row, is_here in self._staging.orphans():
            (key,), (parent,) = self._resolve([row])
            if is_here or parent is None or not _first_instances([(key[0], parent)]):
                wrong = "is a replicate itself; name its first instance" if is_here else "has no result"
                message = f"the system of this name and team {wrong} on this leaderboard"
                self._report.refuse([Rejection("replicate_of", message, row.line, "replicate_of")])
                self._staging.refuse(row.key)

    def lock(self, pairs: set[tuple[int, int]]) -> None:
        """Add what is missing from now on, and have others who record on these leaderboards wait for the commit."""
        self._new_systems = set()
        self._leaderboards = ensure_leaderboards(pairs=pairs)
        ids = self._leaderboards.values()
        list(Leaderboard.objects.filter(pk__in=ids).order_by("pk").select_for_update().values_list("pk"))

    def judge(self) -> None:
        """Decide what becomes of every row, and count it."""
        n_done = 0
        for chunk in self._staging.chunks(_CHUNK, Outcome.WAITING):
            n_done += len(chunk)
            self._progress(f"comparing {self._report.label}", n_done)
            self._staging.judge(self._outcomes(chunk))
        counts = self._staging.counts()
        self._report.added = counts[Outcome.NEW]
        self._report.unchanged = counts[Outcome.UNCHANGED]
        self._report.superseded = counts[Outcome.SUPERSEDES]
        self._report.withdrawn = counts[Outcome.WITHDRAWN]

    def _outcomes(self, chunk: list[Staged[ResultRow]]) -> Iterator[tuple[Outcome, int | None, int]]:
        keys, parents = self._resolve([staged.row for staged in chunk])
        standing, withdrawn = _recorded(keys)
        for staged, key, parent in zip(chunk, keys, parents, strict=True):
            old = standing.get(key)
            content = tuple(getattr(staged.row, name) for name in CONTENT)
            if old is None:
                outcome = Outcome.WITHDRAWN if (key, staged.row.score.digits) in withdrawn else Outcome.NEW
            else:
                outcome = Outcome.UNCHANGED if _as_read(old[1:]) == (*content, parent) else Outcome.SUPERSEDES
            yield outcome, old[0] if old else None, staged.number

    def _resolve(self, rows: list[ResultRow]) -> tuple[list[Key], list[int | None]]:
        """Return the key of each row in ids, and the system of its first instance; None for what the database lacks."""
        systems = _system_ids(rows, self._new_systems)
        papers = _paper_ids(rows, create=self._new_systems is not None)
        keys = [
            (
                self._leaderboards.get((row.collection_id, row.measure_id)),
                systems.get((row.name_key, row.team_key)),
                papers.get(row.paper.identity, 0) if row.paper else None,
                row.source,
            )
            for row in rows
        ]
        return keys, [systems.get((row.replicate_of, row.first_team_key)) if row.replicate_of else None for row in rows]

    def write(self, record_entry: Callable[..., Entry], standing: dict[int, int] | None) -> None:
        """Write the rows that were judged new, with a journal entry for the file and for each superseded result."""
        report = self._report
        if standing is not None:
            unchanged = self._staging.chunks(_CHUNK, Outcome.UNCHANGED)
            standing |= {staged.row.line: staged.old for chunk in unchanged for staged in chunk if staged.old}
        changes = bool(report.added or report.superseded)
        if not changes and (not report.digest or last_digest(FILE_LOADED, report.label) == report.digest):
            return
        counts = {name: getattr(report, name) for name in ("added", "unchanged", "superseded", "refused")}
        entry = record_entry(after={"digest": report.digest, **counts})
        change = Change(entry.actor, entry.reason)
        n_done = 0
        for chunk in self._staging.chunks(_CHUNK, Outcome.NEW, Outcome.SUPERSEDES, parents_first=True):
            n_done += len(chunk)
            self._progress(f"recording {report.label}", n_done)
            self._write_chunk(chunk, entry, change, standing)
        if self._new_systems:
            gather_models(by=entry, systems=self._new_systems)
        change.tell()

    def _write_chunk(
        self, chunk: list[Staged[ResultRow]], entry: Entry, change: Change, standing: dict[int, int] | None
    ) -> None:
        keys, parents = self._resolve([staged.row for staged in chunk])
        firsts = [(key[0], parent) if parent else None for key, parent in zip(keys, parents, strict=True)]
        first_ids = _first_instances([first for first in firsts if first])
        own = {"recorded_at": change.moment, "recorded_by_id": entry.pk}
        fresh, causes = [], {}
        for staged, key, first in zip(chunk, keys, firsts, strict=True):
            columns = _columns(staged.row, key, first_ids[first] if first else None) | own
            if staged.old is None:
                fresh.append(columns)
            else:
                causes[staged.old] = Superseded(Result(**columns))
        insert_rows(Result, fresh)
        change.leaderboards |= {columns["leaderboard_id"] for columns in fresh}
        change.end(causes)
        if standing is not None:
            recorded = Result.objects.filter(recorded_by=entry).values_list("pk", *_KEY)
            ids = {tuple(key): pk for pk, *key in recorded}
            standing |= {staged.row.line: ids[key] for staged, key in zip(chunk, keys, strict=True)}


def _as_read(recorded: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return recorded content as files say it: they don't know that people read the score a second time."""
    position = CONTENT.index("provenance")
    if recorded[position] not in EARNED:
        return recorded
    return (*recorded[:position], Result.Provenance.TRANSCRIBED.value, *recorded[position + 1 :])


def _columns(row: ResultRow, key: Key, first_id: int | None) -> dict[str, Any]:
    return {name: getattr(row, name) for name in CONTENT} | {
        "leaderboard_id": key[0],
        "system_id": key[1],
        "paper_id": key[2],
        "source": key[3],
        "value": row.score.value,
        "replicate_of_id": first_id,
        "ended_at": None,
        "ended_by_id": None,
        "ending": "",
        "superseded_by_id": None,
    }


def _recorded(keys: list[Key]) -> tuple[dict[Key, tuple[Any, ...]], set[tuple[Key, str]]]:
    """Return the id and content of what stands under these keys, and the key and value of what was withdrawn."""
    of_interest = Q(leaderboard__in={key[0] for key in keys}, system__in={key[1] for key in keys})
    columns = (*_KEY, "pk", *CONTENT, "replicate_of__system_id")
    standing = Result.objects.standing().filter(of_interest).values_list(*columns)
    # Results withdrawn before their system or paper was merged keep the old ids.
    systems = {key[1] for key in keys}
    withdrawn = (
        Result.objects.filter(ending=Result.Ending.WITHDRAWN, leaderboard__in={key[0] for key in keys})
        .filter(Q(system__in=systems) | Q(system__merged_into__in=systems))
        .annotate(
            system_today=Coalesce("system__merged_into_id", "system_id"),
            paper_today=Coalesce("paper__merged_into_id", "paper_id"),
        )
        .values_list("leaderboard_id", "system_today", "paper_today", "source", "printed", "unit")
    )
    return {row[:4]: row[4:] for row in standing}, {(row[:4], PrintedScore(*row[4:]).digits) for row in withdrawn}


def _first_instances(pairs: list[tuple[int | None, int]]) -> dict[tuple[int | None, int], int]:
    """Return the oldest standing result of each (leaderboard, system) that is no replicate."""
    if not pairs:
        return {}
    rows = Result.objects.standing().filter(
        replicate_of=None, leaderboard__in={pair[0] for pair in pairs}, system__in={pair[1] for pair in pairs}
    )
    newest_first = rows.order_by("-pk").values_list("leaderboard_id", "system_id", "pk")
    oldest = {(leaderboard, system): pk for leaderboard, system, pk in newest_first}
    return {pair: oldest[pair] for pair in pairs if pair in oldest}


def _system_ids(rows: list[ResultRow], new_systems: set[int] | None) -> dict[tuple[str, str], int]:
    """Return the ids of the systems of these rows and of their first instances, by name and team.

    With ``new_systems``, systems that the record lacks are added to it; those whose names say which model they are of
    are put into that set.
    """
    # The first row with a system decides how it is spelled.
    wanted = {(row.name_key, row.team_key): row for row in reversed(rows)}
    names = {name for name, _ in wanted} | {row.replicate_of for row in rows if row.replicate_of}

    today = Coalesce("merged_into_id", "pk")
    known = System.objects.filter(name_key__in=names).values_list("name_key", "team_key", today)
    ids = {row[:2]: row[2] for row in known}
    missing = [key for key in wanted if key not in ids]
    if missing and new_systems is not None:
        insert_rows(System, [_new_system(wanted[key]) for key in reversed(missing)], ignore_conflicts=True)
        ids = {row[:2]: row[2] for row in known.all()}
        new_systems |= {ids[key] for key in missing if model_of(wanted[key].system, wanted[key].team)}
    return ids


def _new_system(row: ResultRow) -> dict[str, Any]:
    names = {"name": row.system, "team": row.team, "name_key": row.name_key, "team_key": row.team_key}
    slug = slug_of_system(row.name_key, row.team_key)
    return names | {"slug": slug, "model_id": None, "model_by_id": None, "merged_into_id": None}


def _paper_ids(rows: list[ResultRow], *, create: bool) -> dict[str, int]:
    """Return the ids of the papers of these rows, by identity."""
    wanted = {row.paper.identity: (row.paper, row.year) for row in reversed(rows) if row.paper}
    known = Paper.objects.filter(identity__in=wanted).values_list("identity", Coalesce("merged_into_id", "pk"))
    ids = dict(known)
    missing = [identity for identity in wanted if identity not in ids] if create else []
    if missing:
        Paper.objects.bulk_create(
            [_new_paper(*wanted[identity]) for identity in reversed(missing)], ignore_conflicts=True
        )
        ids = dict(known.all())
    return ids


def _new_paper(facts: PaperFacts, year_of_results: int | None) -> Paper:
    year, month = facts.published
    if facts.cite and year_of_results:
        # A paper has the year of its results, where they say one and the paper is known by a citation.
        year, month = year_of_results, month if year_of_results == year else None
    return Paper(**asdict(facts), year=year, month=month)
