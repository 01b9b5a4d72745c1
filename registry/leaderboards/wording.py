"""Findings in plain sentences beside the verdict's own, with their numbers: the same on the page and in exports."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from analysis.boards import STRONG_NOTES, Coverage, EqualMeans, Evidence, EvidenceKind, SuiteQuestion
from registry.catalog.documents import MeasureBrief
from registry.core.templatetags.formatting import at_least, percent, plural, score, thousands
from registry.leaderboards.documents.shapes import BoardDocument, RowDocument, SnapshotDocument, VerdictDocument
from registry.leaderboards.documents.suite_shapes import SuiteDocument, SuiteSnapshotDocument
from registry.leaderboards.traits import Traits
from registry.leaderboards.words import AMONG, OF_RESULTS, Words

#: Page of docs/methods that explains each kind of evidence, and how each set and value was found.
EVIDENCE_PAGES = {
    "own-topics": "confidence-set-for-the-best-run",
    "own-variance": "best-set-from-means",
    "own-and-predicted": "predicted-variance",
    "transferred": "best-set-from-means",
    "predicted": "predicted-variance",
    "predicted-from-siblings": "predicted-variance",
    "predicted-without-density": "predicted-variance",
}

#: Page of docs/methods that explains each column of the table of results that has one, whatever the data.
COLUMN_PAGES = {
    "z": "standing-among-reference-means",
    "topic_z": "historical-standardization",
    "tier": "tie-tiers",
}

#: With fewer boards than this, none is below the stated lower figure.
_ENOUGH_FOR_A_TWENTIETH = 20

#: How strong each kind of evidence is, of three.
STRENGTH: dict[EvidenceKind, int] = {
    "own-topics": 3,
    "own-variance": 3,
    "own-and-predicted": 2,
    "predicted": 2,
    "predicted-from-siblings": 1,
    "predicted-without-density": 1,
    "transferred": 1,
    "none": 0,
}

#: The same drawn, by how strong it is.
DOTS = ("○○○", "●○○", "●●○", "●●●")

#: The same in a line.
EVIDENCE_IN_SHORT: dict[EvidenceKind, str] = {
    "own-topics": "Judged by scores on every topic here",
    "own-variance": "Variance between topics measured here",
    "own-and-predicted": "Variance between topics measured on few runs here, and predicted",
    "predicted": "Variance between topics predicted, not measured here",
    "predicted-from-siblings": "Variance between topics predicted, by relevant documents of other years",
    "predicted-without-density": "Variance between topics predicted, relevant documents unknown",
    "transferred": "Variance between topics taken from elsewhere",
    "none": "No verdict: nothing here says how much scores vary between topics",
}

#: Where the best of a leaderboard, or of each question of a suite, is asked for.
_WHERE: dict[SuiteQuestion | None, str] = {
    None: "on {}",
    "other-collections": "on other collections like those of {}",
    "same-collections": "on other topics for the collections of {}",
}
#: What is longer stands in the title of the page and not again in that of its figure.
_LONG_NAME = 40
#: Which rows a view has, as the claim says: a formula needs no training.
THAT = {"all": "", "declared-none": " that declare no training or need none", "trained-here": " that declare training"}

Analysed = BoardDocument | SnapshotDocument | SuiteDocument | SuiteSnapshotDocument


@dataclass(frozen=True, slots=True)
class Fact:
    """One number that carries a page, with its name, what it means, and the page that explains it."""

    name: str
    value: str
    meaning: str
    kind: str = ""
    page: str = ""


def strength_of(evidence: Evidence) -> int:
    """How strong the evidence is, of three; a prediction that an audit found far off has one."""
    return STRENGTH[evidence.kind] if evidence.audited is None else 1


def facts(
    verdict: VerdictDocument, measure: MeasureBrief, rows: Iterable[Any], words: Words = OF_RESULTS
) -> list[Fact]:
    """A verdict in three numbers, the best with the highest where that is held back; ``rows`` are those of it."""
    decimals, other = measure["decimals"], verdict.best_unflagged
    best, shown = verdict.best, verdict.shown
    whose, is_held_back = whose_best(verdict, rows), other is not None and other.result != best.result
    name = f"Best {words.score}{AMONG[verdict.view]}"
    if is_held_back:
        side = "highest" if measure["higher_is_better"] else "lowest"
        name, whose = "Best not held back", f"{whose}; {side} {words.score}: {score(best.value, decimals)}, held back"
    elif not best.is_original:
        whose += words.rerun
    codes = {one.code for one in verdict.cautions if shown.result in one.results and not one.is_flag}
    whose += next((note for code, note in STRONG_NOTES.items() if code in codes), "")
    found = Fact(name, score(shown.value, decimals), whose)
    return [found, _worth_fact(verdict, decimals, words), _set_fact(verdict, words)]


#: So many of those that share the best score are named.
_NAMED = 3


def whose_best(verdict: VerdictDocument, rows: Iterable[Any]) -> str:
    """Whose the best score is, of all that share it."""
    shown = verdict.shown
    members = {shown.result, *(shown.set.members if shown.set else ())}
    alike = [row for row in rows if row.value == shown.value and row.id in members]
    leader = [row.system for row in alike if row.id == shown.result]
    tied = [row.system for row in alike if row.id != shown.result][: shown.n_tied - 1]
    named = list(dict.fromkeys([*leader, *tied]))
    if shown.n_tied == 1:
        return "".join(leader)
    if len(named) > _NAMED:
        return f"{', '.join(named[: _NAMED - 1])} and {len(named) - _NAMED + 1} more, tied"
    n_more = shown.n_tied - 1 - len(tied)
    if n_more:
        return f"{', '.join(named)} and {thousands(n_more)} more, tied"
    return " and ".join(filter(None, [", ".join(named[:-1]), *named[-1:]])) + ", tied"


def claim(document: Analysed, verdict: VerdictDocument, leader: str, question: SuiteQuestion | None = None) -> str:
    """What was found, as the title of the figure: who can't be told from the best; ``leader`` is whose that is."""
    name, shown = document.name, verdict.shown
    where = "here" if question is None and len(name) > _LONG_NAME else _WHERE[question].format(name)
    rows = document.words.many
    n_seen = next((one.n_rows for one in verdict.views if one.view == verdict.view), verdict.tries.n_results)
    n_rows = n_seen - shown.n_left_out
    if shown.set is None:
        if verdict.tries.n_results == 1:
            return f"One result so far {where}: nothing to compare it with"
        whom = f"{thousands(n_rows)} {rows}{THAT[verdict.view]}"
        return f"Which of {whom} may be the best {where} is not known"
    n_rows, n = shown.set.n_rows or n_rows, shown.set.n_members
    whom = f"{thousands(n_rows)}{THAT[verdict.view]}"
    opening = ""
    if verdict.best_unflagged is not None and shown.result != verdict.best.result:
        side = "highest" if document.measure["higher_is_better"] else "lowest"
        opening, where = f"The {side} {document.words.score_noun} {where} is held back; ", ""
        whom = f"{'the ' if verdict.view != 'all' else ''}{whom}{' others' if verdict.view == 'all' else ''}"
    where = f" {where}" if where else ""
    if not shown.set.is_telling:
        said = f"which of {whom} is the best{where} cannot be told: {thousands(n)} may be"
    elif n == n_rows == 1:
        said = f"only one {document.words.row} competes{where}: {leader}"
    elif n == 1:
        said = f"one of {whom} stands alone{where}: {leader}"
    else:
        said = f"{thousands(n)} of {whom} can’t be told from the best{where}"
    return f"{opening}{said if opening else said[0].upper() + said[1:]}"


def telling_digits(verdict: VerdictDocument, decimals: int) -> int | None:
    """How many decimals of a score tell anything: the measure's, or down to a thousandth of a small margin."""
    found = verdict.shown.set
    if found is None or not found.margin:
        return None
    return max(decimals, 3 - math.ceil(math.log10(found.margin)))


def _worth_fact(verdict: VerdictDocument, decimals: int, words: Words) -> Fact:
    corrected = verdict.shown.corrected
    if corrected is None:
        return Fact("Probably worth", "not known", verdict.why_no_value, "worth", words.worth_page)
    meaning = "once the luck of coming first is taken off"
    if corrected.low is not None and corrected.high is not None:
        level = percent(corrected.confidence_level, 0)
        meaning += f"; {level} interval {score(corrected.low, decimals)} to {score(corrected.high, decimals)}"
    elif corrected.why_no_interval:
        why = corrected.why_no_interval
        meaning += "; no interval from means alone" if why.startswith("means alone") else f"; no interval: {why}"
    return Fact("Probably worth", score(corrected.value, corrected.decimals), meaning, "worth", words.worth_page)


def _set_fact(verdict: VerdictDocument, words: Words) -> Fact:
    page, name = EVIDENCE_PAGES.get(verdict.evidence.kind, "best-set-from-means"), "Can’t be told from the best"
    page = words.set_page or page
    shown, n_left_out = verdict.shown.set, verdict.shown.n_left_out
    if shown is None:
        return Fact(name, "not known", verdict.why_no_set, "set", page)
    n_results = shown.n_rows or verdict.tries.n_results - n_left_out
    if not shown.is_telling:
        why = f"{thousands(shown.n_members)} of {thousands(n_results)} may be the best: that tells none from another"
        return Fact(name, "cannot tell", why, "set", page)
    others = "the leader and no other" if shown.n_members == 1 else "the leader included"
    meaning = f"{others}, at {percent(shown.confidence_level, 0)} confidence; {tried(verdict, words)}"
    return Fact(name, f"{thousands(shown.n_members)} of {thousands(n_results)}", meaning, "set", page)


def tried(verdict: VerdictDocument, words: Words = OF_RESULTS) -> str:
    """How many results of how many makers compete."""
    tries = verdict.tries
    said = f"{plural(tries.n_results, words.rows)} of {tries.makers}"
    if tries.n_effective is not None:
        said += f", worth about {tries.n_effective:.0f} with uncorrelated errors"
    return said


def coverage(verdict: VerdictDocument, question: SuiteQuestion | None = None) -> str:
    """How often sets like this one held the best where it was known, or that nobody measured it; blank for no set."""
    found = verdict.evidence.coverage
    if verdict.set is None:
        return ""
    if question:
        return _held(found, _suites_like_this(found, question)) if found else ""
    if found is None:
        return ""
    boards, collections = plural(found.n_boards, "board,boards"), plural(found.n_collections, "collection,collections")
    if found.variance_class == "unknown":
        drawn = f"whose relevant documents nobody had counted, drawn from topic scores of {collections}"
    elif found.variance_class:
        drawn = f"of {collections} left out of the prediction, with such a measure and as many relevant documents"
        if found.variance_class == "one":
            drawn = f"of reciprocal rank, drawn from real runs on {collections} left out of the prediction"
    elif found.family:
        drawn = f"like this one, drawn from topic scores of {collections}"
    else:
        drawn = f"of this size under other measures, drawn from topic scores of {collections}"
    return _held(found, f"{boards} {drawn}")


def evidence_in_short(verdict: VerdictDocument, question: SuiteQuestion | None = None) -> str:
    """What a verdict rests on, in a line, and how often such sets held the best where that was measured."""
    said, evidence = EVIDENCE_IN_SHORT[verdict.evidence.kind], verdict.evidence
    rows, columns = "runs", "topics"
    if question == "other-collections":
        said, rows, columns = said.replace("between topics", "between collections"), "systems", "collections"
    if evidence.kind == "own-variance" and evidence.n_systems and evidence.n_topics:
        said += f", on {thousands(evidence.n_systems)} {rows} × {thousands(evidence.n_topics)} {columns}"
    found = verdict.evidence.coverage if verdict.set else None
    held = f"; such sets held the best in {percent(found.mean, 0)} of draws" if found else ""
    return f"{said}{held}."


def _suites_like_this(found: Coverage, question: SuiteQuestion) -> str:
    suites = plural(found.n_boards, "suite,suites")
    if question == "other-collections":
        tables = plural(found.n_collections, "real table,real tables")
        return f"{suites} like this one, drawn from {tables} of systems and collections"
    kinds = plural(found.n_collections, "kind of measure,kinds of measures")
    return f"{suites} put together from topic scores under {kinds}"


def _held(found: Coverage, boards: str) -> str:
    if found.variance_class:
        return (
            f"On {boards}, with {found.world}, such sets held the best in {percent(found.mean, 0)} of draws (on the"
            f" worst: {percent(found.low, 0)})."
        )
    on = "19 of 20 of them" if found.n_boards >= _ENOUGH_FOR_A_TWENTIETH else "each of them"
    return (
        f"On {boards}, with {found.world}, such sets held the best in {percent(found.mean, 0)} of draws, and in"
        f" {at_least(found.low)} or more on {on}."
    )


def equal_means_finding(document: BoardDocument | SnapshotDocument, bounds: EqualMeans | None) -> str:
    """Carterette's reading of the same leaderboard, on one scale."""
    if bounds is None:
        return ""
    decimals = document.measure["decimals"]
    side = "above" if bounds.higher_is_better else "below"
    far_end = bounds.lower if bounds.higher_is_better else bounds.upper
    return (
        f"If all {thousands(bounds.n_effective_results)} had one and the same true mean of"
        f" {score(bounds.adjusted_mean, decimals)}, the best of them would reach {score(bounds.best, decimals)} one"
        f" time in five. {plural(bounds.n_plausible, 'result lies,results lie')} at or {side}"
        f" {score(far_end, decimals)}, the far end of the range that they would cover."
    )


def scale_choice(document: BoardDocument | SnapshotDocument, scale: str) -> str:
    """Where the standard error of the analysis of equal systems is from; blank without one."""
    if scale == "published":
        return (
            "The standard error is the spread of the results divided by the square root of the number of topics, as"
            " published; it takes real differences between systems for error."
        )
    verdict = document.verdict
    value = verdict.evidence.residual_variance if verdict else None
    return (
        f"The standard error rests on how much scores vary between topics: the verdict’s variance, {score(value, 5)}."
    )


def choices_in_words(document: BoardDocument, labels: dict[str, str], traits: Traits) -> list[str]:
    """What the reader's choices do, one sentence each; ``labels`` has the text of each chosen value."""
    chosen = document.selection
    named = [labels[name] for name in ("role", "run_type", "provenance") if name in chosen]
    contenders = ", ".join([*named, *traits.in_words])
    sentences = []
    if contenders:
        sentences.append(f"Only these may be the best: {contenders}. The others were tried too, so they still count.")
    if traits:
        sentences.append("Systems of which nobody says this are among the others.")
    if "counted_roles" in chosen:
        sentences.append(f"The analysis of equal systems counts only these: {labels['counted_roles']}.")
    if chosen.get("scale") and document.scales and chosen["scale"] not in document.scales:
        sentences.append(f"No {chosen['scale']} standard error is known here.")
    if "n_multiplier" in chosen:
        attempts = plural(int(chosen["n_multiplier"]), "attempt,attempts")
        sentences.append(f"In the analysis of equal systems each result stands for {attempts}, published or not.")
    return sentences


def why_out(row: RowDocument, verdict: VerdictDocument, names: dict[int, str], decimals: int) -> str:
    """Why a row that scores as high as a member is ruled out all the same; blank for others."""
    found = verdict.shown.set
    if row.may_be_best is not False or row.is_held_back or found is None or found.margin is not None:
        return ""
    if row.rival is None or row.behind is None or row.margin is None:
        return ""
    return (
        f"{score(row.behind, decimals)} behind {names.get(row.rival, 'another')} over the same topics; more than"
        f" {score(row.margin, decimals)} rules out"
    )


def _bar_in_words(document: BoardDocument) -> str:
    verdict = document.verdict
    found = verdict and verdict.shown.set
    if not verdict or not found:
        return ""
    rival = "the best not held back" if verdict.best_unflagged else "the best"
    if found.margin is None:
        rival = "the one that it is most clearly behind over the same topics"
    return (
        f"The bar shows how far it is behind {rival}, which stands at the right end; the shaded part is the margin:"
        " what is further behind is ruled out."
    )


def column_meanings(document: BoardDocument) -> dict[str, str]:
    """What the columns of the table of results mean, by their keys; those that speak for themselves are left out."""
    names = {one.basis: one.name for one in document.reference_sets}
    return {
        "ranks": (
            "The best and the worst rank that it may truly have among all that compete, whatever view of training is"
            " shown, each at the confidence of the verdict. A result without one does not compete; the table says why."
        ),
        "rank": "Equal scores share a rank. A result without one does not compete; the table says why.",
        "score": "As printed; where a program printed every digit it had, the digits of the measure.",
        "can_be_best": f"Whether it can be told from the best, at the stated confidence. {_bar_in_words(document)}",
        "behind": "How far behind it is, and from which distance on it would be ruled out.",
        "tier": "Tier 1 can’t be told from the best; below it, a tier reaches down to the last not told from its best.",
        "family": "Results of one team, paper, model or toolkit have one number.",
        "topic_z": f"Standardized topic by topic against {names.get('topic-scores')}, then averaged.",
        "z": f"Distance from the mean of {names.get('published-means')}, in their standard deviations.",
        "percentile": "The share of the same reference systems that are worse, of equal ones half.",
        "provenance": (
            "How the score came to be recorded: transcribed from the source, double-checked, confirmed by its author,"
            " recomputed from topic scores or from a run."
        ),
        "paper": "The paper, page or repository that prints the score; papers about a system stand on its page.",
    }


def names_of(rows: Iterable[Any]) -> dict[int, str]:
    """The names of systems by row, of a document or of a study."""
    return {row.id: row.system for row in rows}
