"""Describing papers beyond what their results say: by bibliographies and by people, retractions included."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from django.db import transaction

from analysis.readers.rejections import Rejection
from registry.accounts.models import User
from registry.core.loading import LoadReport, good_rows
from registry.journal.services import record, record_file
from registry.results.models import Paper
from registry.results.pipeline.paper_rows import OPTIONAL_COLUMNS, REQUIRED_COLUMNS, PaperRow, parse_paper
from registry.results.queries import was_parted
from registry.results.services.endings import required_reason
from registry.results.services.merging import merge_papers

PAPERS_LOADED = "results.papers.loaded"
PAPER_DESCRIBED = "results.paper.described"
PAPER_CORRECTED = "results.paper.corrected"

_SAME = "the file that describes it says that these are one paper"


def load_papers_file(
    *,
    path: Path,
    label: str = "",
    actor: User | None = None,
    reason: str = "",
    keep_good: bool = False,
    dry_run: bool = False,
) -> LoadReport:
    """Describe papers as the file does, all or nothing unless ``keep_good``.

    A paper that the registry lacks is added. This file prevails over earlier ones; where people described a paper, only
    what is blank is filled in. Addresses under ``also`` lead to the paper from then on.
    """
    report = LoadReport(label or path.name, path=str(path), superseded_word="changed")
    rows = _good_rows(report)
    if report.refused and (report.is_fatal or not keep_good):
        return report
    record_papers(rows, report, actor=actor, reason=reason, dry_run=dry_run)
    return report


def record_papers(
    rows: list[PaperRow], report: LoadReport, *, actor: User | None, reason: str, dry_run: bool = False
) -> None:
    """Describe papers as these rows do, in one transaction with its entry in the journal; count them in the report."""
    with transaction.atomic():
        _describe(rows, report)
        _join(rows, actor, reason)
        record_file(report, action=PAPERS_LOADED, actor=actor, reason=reason)
        if dry_run:
            transaction.set_rollback(True)


def _good_rows(report: LoadReport) -> list[PaperRow]:
    listed = good_rows(
        report,
        partial(parse_paper, today=date.today()),
        required=REQUIRED_COLUMNS,
        optional=OPTIONAL_COLUMNS,
        keys=lambda row: [row.facts.identity],
        again="is the paper of line {first}; leave one out",
    )
    rows = {row.facts.identity: row for row in listed}
    for row in list(rows.values()):
        if fault := _contradiction(row, rows):
            report.refuse([fault])
            del rows[row.facts.identity]
    return list(rows.values())


def _contradiction(row: PaperRow, rows: Mapping[str, PaperRow]) -> Rejection | None:
    for facts in row.also:
        other = rows.get(facts.identity)
        if other and other is not row:
            message = f"{facts.url} is the paper of line {other.line}; take it from one of the two, or join the rows"
            return Rejection("contradiction", message, row.line, "also")
    return None


def _describe(rows: list[PaperRow], report: LoadReport) -> None:
    """Write the rows: new papers as they are, known ones where something is new."""
    identities = {row.facts.identity: row for row in rows}
    known = Paper.objects.in_bulk(list(identities), field_name="identity")
    targets = Paper.objects.in_bulk([paper.merged_into_id for paper in known.values() if paper.merged_into_id])
    new, changed = [], []
    for identity, row in identities.items():
        paper = known.get(identity)
        if paper is None:
            new.append(
                Paper(identity=identity, cite=row.facts.cite or _short_form(row), url=row.facts.url, **row.fields)
            )
            continue
        paper = targets.get(paper.merged_into_id or 0, paper)
        news = _news(paper, row)
        for name, value in news.items():
            setattr(paper, name, value)
        if news:
            changed.append(paper)
    Paper.objects.bulk_create(new, batch_size=200)
    if changed:
        Paper.objects.bulk_update(changed, [*rows[0].fields, "cite"], batch_size=100)
    report.added, report.superseded = len(new), len(changed)
    report.unchanged = len(rows) - report.added - report.superseded


def _news(paper: Paper, row: PaperRow) -> dict[str, object]:
    """Return the facts that the record lacks; where people described the paper, only those that are blank there."""
    by_people = not paper.described_from and bool(paper.title or paper.authors or paper.bibtex)
    facts: dict[str, object] = {"cite": paper.cite or _short_form(row), **row.fields}
    news = {
        name: value
        for name, value in facts.items()
        if value not in ("", None, {}, [])
        and getattr(paper, name) != value
        and not (by_people and getattr(paper, name))
    }
    # The month belongs to the year: they change together.
    return news | ({"month": row.fields["month"]} if "year" in news else {})


def _short_form(row: PaperRow) -> str:
    """Return the short citation of a paper that is known by an identifier; blank for others."""
    if row.facts.identity.startswith(("url:", "cite:")):
        return ""
    return Paper(**row.fields).short_form[:300]


def _join(rows: list[PaperRow], actor: User | None, reason: str) -> None:
    """Let the other addresses of each paper lead to it, unless editors decided otherwise."""
    wanted = {
        facts.identity: (facts, row) for row in rows for facts in row.also if facts.identity != row.facts.identity
    }
    identities = [*wanted, *(row.facts.identity for _, row in wanted.values())]
    known = Paper.objects.in_bulk(identities, field_name="identity")
    for identity, (facts, row) in wanted.items():
        paper = known[row.facts.identity]
        target = paper.merged_into or paper
        other = known.get(identity)
        if other is None:
            Paper.objects.create(**asdict(facts), merged_into=target)
        elif other.merged_into_id is None and other.pk != target.pk and not was_parted(other, target):
            merge_papers(source=other, target=target, actor=actor, reason=reason or _SAME)


@transaction.atomic
def describe_paper(*, paper: Paper, description: Mapping[str, str], actor: User | None, reason: str = "") -> Paper:
    """Fill in what is blank on record of a paper, and return it; the rest stays as it is."""
    paper = Paper.objects.select_for_update().get(pk=paper.pk)
    news = {name: text for name, text in description.items() if text and not getattr(paper, name)}
    return _noted(paper, news, action=PAPER_DESCRIBED, actor=actor, reason=reason)


@transaction.atomic
def correct_paper(*, paper: Paper, actor: User | None, reason: str, **facts: Any) -> Paper:
    """Replace facts on record of a paper, a retraction included, and return it.

    Its results stand: editors decide what a retraction means for each.
    """
    reason = required_reason(reason)
    paper = Paper.objects.select_for_update().get(pk=paper.pk)
    news = {name: fact for name, fact in facts.items() if getattr(paper, name) != fact}
    return _noted(paper, news, action=PAPER_CORRECTED, actor=actor, reason=reason)


def _noted(paper: Paper, facts: Mapping[str, Any], *, action: str, actor: User | None, reason: str) -> Paper:
    """Write these facts of the paper, with an entry in the journal if they are new, and return it."""
    before = {name: getattr(paper, name) for name in facts}
    if before != facts:
        for name, news in facts.items():
            setattr(paper, name, news)
        paper.save(update_fields=list(facts))
        record(action=action, subject=paper, actor=actor, reason=reason, before=before, after=dict(facts))
    return paper
