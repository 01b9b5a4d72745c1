"""What columns of CSV files are called, and what they hold: one name for one thing in every file (docs/columns.md)."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpResponse

from analysis.readers.tables import guard_formula
from registry.core.http import as_download, json_response

#: In the order in which the document has them.
COLUMNS = {
    "id": "key of the result, or of what the list is of; the number in the address of its page",
    "kind": "what it is: collection, suite, measure, leaderboard, model, system, paper",
    "title": "what pages call it",
    "detail": "what tells it from others of that title",
    "url": "path of its page",
    "n_results": "results that stand",
    "collection": "slug of the collection, as in addresses",
    "name": "full name",
    "measure": "name of the measure, as in addresses",
    "suite": "slug of the suite, as in addresses",
    "track": "track or benchmark that a collection belongs to",
    "language": "language of the topics",
    "n_documents": "documents of the collection",
    "n_topics": "topics of the collection, or behind this mean where they are others",
    "n_others": "comparable results of other models and systems on the leaderboard",
    "n_beaten": "how many of these the best comparable result of the model beats",
    "may_be_best": "whether one of its results can't be told from the best; blank without a best set",
    "n_leaderboards": "leaderboards with results",
    "n_collections": "collections with results",
    "n_members": "collections that a suite is over",
    "n_compared": "numbers of a paper that are beside one computed here",
    "n_as_printed": "those of them that are the same in the digits printed",
    "n_not_recomputed": "numbers of a paper that are not computed here",
    "system": "name of the system",
    "team": "who made it",
    "paper": "short form of the paper",
    "doi": "DOI of the paper",
    "arxiv_id": "arXiv id of the paper",
    "model": "slug of the model that the system is of",
    "model_paper": "title of the paper on that model",
    "model_paper_doi": "DOI of that paper",
    "model_paper_arxiv_id": "arXiv id of that paper",
    "year": "of the result, or of the collection",
    "date": "day of the result, where it is known",
    "printed": "score exactly as its source gives it",
    "unit": "what the printed digits are in: blank as the measure counts, or percent",
    "value": "score on the scale of the measure",
    "printed_by": "paper or page that prints the score",
    "again_by": "source whose result is the same run again",
    "again": "score of running it again, exactly as its source gives it",
    "again_unit": "what those digits are in",
    "difference": "run again less printed, on the scale of the measure",
    "agrees": "whether rounding, or 0.0001 by machine, explains the difference",
    "how": "how it is known that both are the same: same_line, model or one_row",
    "role": "trec_run, leaderboard, proposed, baseline or reference_implementation",
    "run_type": "automatic or manual, where it is stated",
    "provenance": "how the result came to be recorded",
    "comparability": "standard, or why it is not comparable",
    "why_not_comparable": "in words; blank where it is comparable",
    "replicate_of": "id of the first execution of the same system",
    "is_self_reported": "nobody but its maker ran it",
    "is_counted": "one of the counted results",
    "is_original": "of a system that its maker handed in, not of a toolkit",
    "source": "where the figure was taken from",
    "locator": "where in it: file, table, row",
    "notes": "what else the source says",
    "drawn_of": "of which data a figure or table of a paper is",
    "series": "what the line, the dots or the bars are called; blank where there are no others",
    "x": "where across, in the unit of the figure's axis; of bars the left edge",
    "y": "where up",
    "low": "lower end of the interval, where one is drawn",
    "high": "its upper end",
    "rank": "by score",
    "rank_low": "the best rank that it may truly have",
    "rank_high": "the worst rank that it may truly have",
    "tier": "systems of one tier can't be told apart",
    "can_be_best": "whether it can't be told from the best",
    "can_be_best_unflagged": "the same among systems not held back",
    "can_be_best_here": "the same on these collections alone",
    "place_low": "the rank by the mean over draws of the suite's members, 5th percentile",
    "place_high": "the 95th percentile",
    "new_low": "the rank on a collection like the members, in nine of ten cases; from nine members on",
    "new_high": "the other end",
    "place_guessed": "about the rank, by the mean percentile, of a system that lacks scores on some members",
    "guessed_within": "how far nine in ten of such guesses are off at most",
    "can_be_best_here_unflagged": "the same on these collections, among systems not held back",
    "is_held_back": "whether it is held back from being the best",
    "n_trained_on": "on how many members of the suite it declares training",
    "behind": "how far it is behind the best",
    "margin": "from which difference on it can be told from the best",
    "rival": "id of the result that it is compared with",
    "family": "which rows are of one maker and lineage",
    "plausible": "at or beyond the far end of the range that equal systems would cover",
    "declared_training": "whether a source says that it was trained on the collection; `no`: none does, and its maker "
    "says no or the list of the mteb package leaves it out",
    "training": "what all that is said of it comes to: `declares`, `declares_none`, `not_listed` (not in the package's "
    "list), `says_nothing`, `nothing_to_train`",
    "training_split": "the splits that sources name where training is declared, or `unspecified`",
    "cautions": "codes of why it is held back and of notes on it, divided by semicolons",
    "missing": "members of the suite on which it has no score",
    "z": "score standardized against the reference set",
    "percentile": "share of the reference systems that are worse, of equal ones half, in per cent",
    "topic_z": "standardized topic by topic",
    "best": "best printed score of those not held back",
    "corrected": "what the best is probably worth",
    "best_before": "the same by earlier methods",
    "worth": "what it is probably worth",
    "worth_before": "the same by earlier methods",
    "n_set": "how many can't be told from the best; blank where that can't be said",
    "n_set_before": "the same by earlier methods",
    "resolves": "from which difference on one test by means tells two systems named beforehand apart, for an "
    "average pair; of a collection under the measure beside it",
    "evidence": "what the verdict rests on",
    "evidence_before": "what it rested on by earlier methods",
    "snapshot_before": "id of the analysis by earlier methods",
    "why": "what differs",
    "finding": "the finding in a sentence",
    "snapshot": "id of the analysis that says so",
    "leaderboard": "name of the leaderboard that the verdict is on",
    "frozen": "day on which the verdict was kept",
    "scored_by": "what scores a kept verdict: `fewer-documents`, `new-version`, `other-topics`, `new-judgements`, "
    "`topic-scores`",
    "seen_on": "name of the leaderboard that scores it, whose page `url` is",
    "is_retrospective": "whether that was on record when the verdict was kept",
    "cluster": "verdicts of one number share topics or documents, and count as one claim",
    "n_systems": "systems that are on both",
    "held": "whether the best of these there was among those that might be the best here",
    "kept_leader": "whether the leader is still the first",
    "log_ratio": "logarithm of the measured variance over the predicted; blank without either",
    "is_ratio_inside": "whether that lies where nine in ten should",
    "what": "what is there",
    "state": "commit or version that was read",
    "address": "where it is",
    "licence": "under which licence it stands; blank where none is stated",
    "terms": "what else holds",
    "n_paper_named": "results that name a paper whose title is known",
    "n_paper_listed": "the others that a titled paper of the proceedings lists",
    "n_paper_introduces": "then those whose system, or its method, a titled paper introduces",
    "n_paper_cited": "then those whose maker asks for a titled paper to be cited",
    "n_paper_team": "then those with a titled paper of their team on the track",
    "n_paper_probable": "then those with a titled paper of their team on another track: probably about them",
    "n_paper_uses": "then those with a titled paper on the base model, or on a method that the system uses",
    "n_paper_toolkit": "then those with no more than a titled paper on the toolkit that ran them",
    "n_paper_overview": "then those with no more than the titled overview of their track",
    "n_page": "of the others, those that name the page of a model",
    "n_openable": "results that open at their source: a place that is known, an address, or a paper with one",
    "n_at_line": "of these, those that open at the line of a file",
    "n_family": "results of systems with a lineage",
    "n_alone": "of these, those that are alone in their family",
    "n_trained": "results of systems that are known to be trained models",
    "n_declared": "of these, those of which a source or the list of the mteb package says what they were trained on",
    "n_papers": "publications that the results name",
    "n_papers_titled": "of these, those whose title is known",
    "n_papers_doi": "of these, those whose DOI is known",
    "at": "when (UTC)",
    "actor": "who did it, by public name",
    "action": "what was done, dotted",
    "subject": "to what",
    "reason": "why",
}


def table_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]], more: Sequence[str] = ()) -> str:
    """The rows as CSV; no spreadsheet runs a text of it. After its columns stand ``more``, by names of the record.

    Raises
    ------
    KeyError
        If a column has a name that ``COLUMNS`` does not explain.
    """
    for name in columns:
        COLUMNS[name]
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*columns, *more])
    writer.writerows([[as_cell(value) for value in row] for row in rows])
    return stream.getvalue()


def as_cell(value: Any) -> Any:
    """The value as a cell, with a quote before texts that a spreadsheet would run; take one off to have them back."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ";".join(value)
    return guard_formula(value) if isinstance(value, str) else value


def list_file(name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], suffix: str) -> HttpResponse:
    """A whole list as a file: CSV, or JSON with the same names."""
    if suffix == "csv":
        return as_download(table_csv(columns, rows), "text/csv; charset=utf-8", f"plumbline-{name}.csv")
    objects = [dict(zip(columns, row, strict=True)) for row in rows]
    return json_response({"count": len(objects), "results": objects})
