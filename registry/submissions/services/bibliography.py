"""Recording the papers of a BibTeX file: good entries are recorded, the others are named with what is wrong."""

import hashlib
from collections.abc import Iterable

from analysis.readers.bibliography.bibtex import read_bibtex_file
from analysis.readers.bibliography.papers import PaperDraft
from analysis.readers.identifiers import PaperFacts
from analysis.readers.rejections import Rejection
from analysis.readers.text import comparison_key
from registry.accounts.models import User
from registry.core.loading import LoadReport
from registry.results.models import Paper
from registry.results.pipeline.paper_rows import PaperRow
from registry.results.services.papers import record_papers

_IDENTIFIERS = ("doi", "acl_id", "arxiv_id", "dblp_key")


def load_bibtex(
    *, text: str, label: str, actor: User | None = None, reason: str = "", path: str = "", dry_run: bool = False
) -> LoadReport:
    """Record the papers of every entry that can be taken, in one transaction; with ``dry_run`` only report.

    An entry is about the paper on record with one of its identifiers. Statements of people stand, those of an earlier
    file give way. Entries that cannot be taken are named by line and field, and hinder no others.
    """
    report = LoadReport(label, hashlib.sha256(text.encode()).hexdigest(), path=path, superseded_word="changed")
    entries = list(read_bibtex_file(text))
    known = _known(entry.paper for entry in entries if entry.paper)
    taken: dict[str, PaperRow] = {}
    for entry in entries:
        paper, rejections, row = entry.paper, list(entry.rejections), None
        if paper:
            on_record = _on_record(paper, known)
            row = _row(paper, entry.line, on_record, label)
            rejections = [*_conflicts(row, on_record), *_twice(row, taken)]
        if row and not rejections:
            taken[row.facts.identity] = row
        else:
            report.refuse(rejections)
    if taken:
        record_papers(list(taken.values()), report, actor=actor, reason=reason, dry_run=dry_run)
    if not entries:
        report.refuse([Rejection("no_entry", "there is no BibTeX entry in it; an entry begins as @article{key,", 1)])
    return report


def _known(drafts: Iterable[PaperDraft]) -> dict[str, Paper]:
    """Return the papers on record by identity, and by each identifier as ``field:value``."""
    drafts = list(drafts)
    known: dict[str, Paper] = {}
    for name in _IDENTIFIERS:
        for paper in _having(name, [value for draft in drafts if (value := getattr(draft, name))]):
            known.setdefault(f"{name}:{getattr(paper, name).casefold()}", paper.merged_into or paper)
    for paper in _having("identity", [draft.identity for draft in drafts]):
        known[paper.identity] = paper.merged_into or paper
    return known


def _having(name: str, values: list[str]) -> list[Paper]:
    """Return the papers with one of these values."""
    papers = Paper.objects.select_related("merged_into").order_by("pk")
    return [
        paper
        for start in range(0, len(values), 500)
        for paper in papers.filter(**{f"{name}__in": values[start : start + 500]})
    ]


def _on_record(draft: PaperDraft, known: dict[str, Paper]) -> list[Paper]:
    """Return the papers on record that a draft may be about, by its strongest identifier first."""
    keys = [draft.identity, *(f"{name}:{getattr(draft, name).casefold()}" for name in _IDENTIFIERS)]
    return list({known[key].pk: known[key] for key in keys if key in known}.values())


def _row(draft: PaperDraft, line: int, on_record: list[Paper], label: str) -> PaperRow:
    """Return an entry as a row, under the identity that its paper has on record."""
    described = ("title", "authors", "venue", *_IDENTIFIERS, "bibtex")
    facts = PaperFacts(
        identity=on_record[0].identity if on_record else draft.identity,
        cite=draft.cite,
        url=draft.url,
        **{name: getattr(draft, name) for name in _IDENTIFIERS},
    )
    fields: dict[str, object] = {name: getattr(draft, name) for name in described}
    year, month = facts.published
    fields |= {"year": draft.year or year, "month": month if draft.year in (None, year) else None}
    return PaperRow(line, facts, fields | {"described_from": label}, ())


def _conflicts(row: PaperRow, on_record: list[Paper]) -> list[Rejection]:
    """Return why an entry contradicts the paper on record that it seems to be about."""
    if len(on_record) > 1:
        ids = " and ".join(str(paper.pk) for paper in on_record)
        message = f"its identifiers are those of papers {ids}; merge these first, if they are one"
        return [Rejection("contradiction", message, row.line, "entry")]
    for paper in on_record:
        same = comparison_key(paper.title) == comparison_key(str(row.fields["title"]))
        if row.facts.identity.startswith("cite:") and paper.title and not same:
            message = f"is cited like paper {paper.pk}, which has another title; add an identifier or address"
            return [Rejection("contradiction", message, row.line, "entry")]
    return []


def _twice(row: PaperRow, taken: dict[str, PaperRow]) -> list[Rejection]:
    """Return the rejection of a paper that stands in the file already."""
    if row.facts.identity not in taken:
        return []
    first = taken[row.facts.identity]
    how = "is cited like" if row.facts.identity.startswith("cite:") else "is"
    return [Rejection("duplicate", f"{how} the paper of line {first.line}; leave one out", row.line, "entry")]
