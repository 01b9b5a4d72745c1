"""Findings in plain sentences beside the verdict's own, with their numbers: the same on the page and in exports."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Any

from analysis.boards import EqualMeans, Evidence, EvidenceKind, SuiteQuestion
from registry.core.messages import say
from registry.core.templatetags.formatting import NOTHING, at_least, percent, score, thousands
from registry.leaderboards.documents.shapes import BoardDocument, RowDocument, SnapshotDocument, VerdictDocument
from registry.leaderboards.documents.suite_shapes import Analysed
from registry.leaderboards.headlines import level_of, without_owner
from registry.leaderboards.traits import Traits

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


@dataclass(frozen=True, slots=True)
class Fact:
    """One number that carries a page, with what stands smaller beside it: its name, what it means, what explains it.

    ``note`` is the code of a note on it.
    """

    name: str
    value: str
    meaning: str
    kind: str = ""
    page: str = ""
    beside: str = ""
    note: str = ""


def evaluations_in_words(facets: dict[str, dict[str, int]]) -> str:
    """Return that scores are of several revisions of their data set or versions of an evaluator; blank if they aren't.

    Rows that name none are passed over.
    """
    revisions, evaluators = facets["dataset_revision"], facets["evaluator"]
    sentences = []
    if len(revisions) > 1:
        counts = [*revisions.values()]
        sentences.append(say("revisions-mixed", n=len(counts), n_rows=sum(counts), most=counts[0]))
    if len(evaluators) > 1:
        first, *_, last = sorted(evaluators, key=_by_version)
        sentences.append(say("evaluators-mixed", n=len(evaluators), first=first, last=last))
    return " ".join(sentences)


def _by_version(evaluator: str) -> tuple[str, list[int]]:
    name, _, version = evaluator.rpartition(" ")
    return name, [int(part) for part in re.findall(r"\d+", version)]


def strength_of(evidence: Evidence) -> int:
    """Return how strong the evidence is, of three; less where no such sets were tested, or an audit found it off."""
    strength = STRENGTH[evidence.kind] if evidence.audited is None else 1
    return max(strength - 1, 0) if evidence.coverage is None else strength


def facts(document: Analysed, verdict: VerdictDocument, rows: Iterable[Any]) -> list[Fact]:
    """Return a verdict in three numbers: its best of ``rows``, that without luck, and how many tie."""
    shown = verdict.shown
    whose = whose_best(verdict, rows)
    if not next((row.is_original for row in rows if row.id == shown.result), True):
        whose = say("best-rerun", whose=whose, rows=document.row)
    name = say("best-label", best=verdict.best_kind)
    note = next(
        (caution.code for caution in verdict.cautions if shown.result in caution.results and not caution.is_flag), ""
    )
    best = Fact(name, score(shown.value, document.measure["decimals"]), whose, note=note)
    return [best, _worth_fact(document, verdict), _set_fact(document, verdict)]


#: So many of those that share the best score are named.
_NAMED = 3


def whose_best(verdict: VerdictDocument, rows: Iterable[Any]) -> str:
    """Return whose the best score is, of all that share it."""
    shown = verdict.shown
    members = {shown.result, *(shown.set.members if shown.set else ())}
    alike = [row for row in rows if row.id == shown.result or (row.value == shown.value and row.id in members)]
    leader = [row.system for row in alike if row.id == shown.result]
    tied = [row.system for row in alike if row.id != shown.result][: shown.n_tied - 1]
    named = list(dict.fromkeys(map(without_owner, [*leader, *tied])))
    if shown.n_tied == 1:
        return "".join(map(without_owner, leader))
    if len(named) > _NAMED:
        return say("leader-tied-with-more", named=", ".join(named[: _NAMED - 1]), n=len(named) - _NAMED + 1)
    n_more = shown.n_tied - 1 - len(tied)
    if n_more:
        return say("leader-tied-with-more", named=", ".join(named), n=n_more)
    if len(named) == 1:
        return say("leader-tied", named=named[0])
    return say("leader-tied-pair", named=", ".join(named[:-1]), last=named[-1])


def telling_digits(verdict: VerdictDocument, decimals: int) -> int | None:
    """Return how many decimals of a score tell anything: the measure's, or down to a thousandth of a small margin."""
    best_set = verdict.shown.set
    if best_set is None or not best_set.margin:
        return None
    return max(decimals, 3 - math.ceil(math.log10(best_set.margin)))


def _worth_fact(document: Analysed, verdict: VerdictDocument) -> Fact:
    corrected = verdict.shown.corrected
    page = "suites" if document.row == "system" else "corrected-best"
    if corrected is None:
        why = verdict.shown.why_no_value or verdict.why_no_value
        return Fact(say("value"), NOTHING, say("value-needs", why=why), "worth", page)
    kind = "no-middle" if corrected.value is None else "small" if corrected.is_luck_small else "named"
    has_level = corrected.confidence_level is not None and corrected.half_width is not None
    level = f" ({percent(corrected.confidence_level, 0)})" if has_level else ""
    meaning = say("value-meaning", kind=kind, n=verdict.n_ranked, level=level)
    value, sign, error = corrected.figures.partition(" ± ")
    return Fact(say("value"), value, meaning, "worth", page, f"± {error}" if sign else "")


def limit_of_value(document: Analysed, verdict: VerdictDocument) -> str:
    """Return what the value does not take off; blank without one."""
    corrected = verdict.shown.corrected
    if corrected is None:
        return ""
    n_tries = document.selection.get("tries") if isinstance(document, BoardDocument) else None
    if n_tries and corrected.n_tries:
        is_own = corrected.n_tries != int(n_tries)
        return say("value-limit-with-tries", n=corrected.n_tries, whose="own" if is_own else "all")
    if corrected.at_ten_tries is None:
        return say("value-limit", rows=document.row)
    return say("value-limit-with-ten", value=f"{corrected.at_ten_tries:.{corrected.decimals}f}")


def _set_fact(document: Analysed, verdict: VerdictDocument) -> Fact:
    page = evidence_page(document, verdict) or "best-set-from-means"
    shown, pairs = verdict.shown.set, verdict.shown.pairs
    name = say("set", rows=document.row)
    if pairs:
        lead = pairs[0]
        meaning = say("lead-meaning", significant="yes" if lead.is_significant else "no", needed=lead.needed)
        return Fact(say("lead"), lead.gap, meaning, "set", page)
    if shown is None:
        why = verdict.shown.why_no_set or verdict.why_no_set
        return Fact(name, NOTHING, say("value-needs", why=why), "set", page)
    level = f" ({level_of(verdict)})" if level_of(verdict) else ""
    meaning = say("set-meaning", members=shown.n_members, level=level, rows=document.row)
    return Fact(name, thousands(shown.n_members), meaning, "set", page, say("of-all", n=verdict.n_ranked))


def evidence_page(document: Analysed, verdict: VerdictDocument) -> str:
    """Return the page of docs/methods that says what a verdict assumes; blank where it assumes nothing."""
    return "suites" if document.row == "system" else EVIDENCE_PAGES.get(verdict.evidence.kind, "")


def coverage(verdict: VerdictDocument, question: SuiteQuestion | None = None) -> str:
    """Return how often sets like this one held the best where it was known, and how often the ± of the value did."""
    value, share = verdict.shown.corrected, verdict.evidence.coverage
    has_level = value is not None and value.confidence_level is not None and value.half_width is not None
    of_value = say("value-coverage") if has_level else ""
    if verdict.set is None or share is None:
        return of_value
    kind = "boards-of-family" if share.family else "boards-of-size"
    if question:
        kind = "suites-over-others"
    elif share.variance_class:
        kinds = {"unknown": "boards-of-unknown-density", "one": "boards-of-one-relevant"}
        kind = kinds.get(share.variance_class, "boards-of-class")
    tasks = "yes" if verdict.evidence.group_effect else "no"
    boards = say(kind, n_boards=share.n_boards, n_collections=share.n_collections, tasks=tasks)
    values = {"boards": boards, "world": share.world, "mean": percent(share.mean, 0)}
    if share.variance_class:
        of_set = say("coverage-of-class", **values, low=percent(share.low, 0))
    else:
        most = "most" if share.n_boards >= _ENOUGH_FOR_A_TWENTIETH else "all"
        of_set = say("coverage", **values, low=at_least(share.low), share=most)
    return f"{of_set} {of_value}".rstrip()


def evidence_in_short(verdict: VerdictDocument, question: SuiteQuestion | None = None) -> str:
    """Return what a verdict rests on, in a line, with how often such sets held the best where that was measured."""
    evidence, between = verdict.evidence, "collections" if question == "other-collections" else "topics"
    line = say(f"evidence-{evidence.kind}", between=between)
    if evidence.kind == "own-variance" and evidence.n_systems and evidence.n_topics:
        counts = {"n_systems": evidence.n_systems, "n_topics": evidence.n_topics}
        line = say("evidence-measured-on", evidence=line, between=between, **counts)
    share = evidence.coverage if verdict.set else None
    if share is None:
        return say("evidence-not-tested" if verdict.set else "evidence-line", evidence=line)
    return say("evidence-line-with-coverage", evidence=line, held=percent(share.mean, 0))


def equal_means_finding(document: BoardDocument | SnapshotDocument, bounds: EqualMeans | None) -> str:
    """Return Carterette's reading of the same leaderboard, on one scale."""
    if bounds is None:
        return ""
    decimals = document.measure["decimals"]
    return say(
        "equal-means",
        n=bounds.n_effective_results,
        mean=score(bounds.adjusted_mean, decimals),
        best=score(bounds.best, decimals),
        plausible=bounds.n_plausible,
        side="above" if bounds.higher_is_better else "below",
        far_end=score(bounds.lower if bounds.higher_is_better else bounds.upper, decimals),
    )


def choices_in_words(document: BoardDocument, labels: dict[str, str], traits: Traits) -> list[str]:
    """Return what the reader's choices do, one sentence each; ``labels`` has the text of each chosen value."""
    chosen = document.selection
    named = [labels[name] for name in ("role", "run_type", "provenance") if name in chosen]
    contenders = ", ".join([*named, *traits.in_words])
    sentences = []
    if contenders:
        sentences.append(say("choice-contenders", contenders=contenders))
    if traits:
        sentences.append(say("choice-traits"))
    if "counted_roles" in chosen:
        sentences.append(say("choice-counted", counted=labels["counted_roles"]))
    if chosen.get("scale") and document.scales and chosen["scale"] not in document.scales:
        sentences.append(say("choice-no-scale", scale=chosen["scale"]))
    if "tries" in chosen:
        share = chosen.get("tries_differ", "0.2")
        sentences.append(say("choice-tries", n=int(chosen["tries"]), share=share))
    if "looks" in chosen and document.verdict and document.verdict.set:
        sentences.append(say("choice-looks", has="yes" if document.verdict.set.looks else "no"))
    if "n_multiplier" in chosen:
        sentences.append(say("choice-multiplier", n=int(chosen["n_multiplier"])))
    return sentences


def why_out(row: RowDocument, verdict: VerdictDocument, names: dict[int, str], decimals: int) -> str:
    """Return why a row that scores as high as a member is ruled out all the same; blank for others."""
    best_set = verdict.shown.set
    if row.may_be_best is not False or row.is_held_back or best_set is None or best_set.margin is not None:
        return ""
    if row.rival is None or row.behind is None or row.margin is None:
        return ""
    behind, margin = score(row.behind, decimals), score(row.margin, decimals)
    rival = names.get(row.rival) or say("rival-unnamed")
    return say("row-behind-rival", behind=behind, rival=rival, margin=margin)


#: Columns that speak for themselves have no message.
_EXPLAINED = ("ranks", "rank", "score", "behind", "tier", "family", "percentile", "provenance", "paper")


def column_meanings(document: BoardDocument) -> dict[str, str]:
    """Return what the columns of the table of results mean, by their keys."""
    names = {reference.basis: reference.name for reference in document.reference_sets}
    verdict = document.verdict
    membership = say("column-can_be_best")
    if verdict and verdict.shown.set:
        rival = "unflagged" if verdict.best_unflagged else "best"
        membership = say("column-can_be_best-with-bar", rival="topics" if verdict.shown.set.margin is None else rival)
    return {
        **{column: say(f"column-{column}") for column in _EXPLAINED},
        "can_be_best": membership,
        "topic_z": say("column-topic_z", set=str(names.get("topic-scores"))),
        "z": say("column-z", set=str(names.get("published-means"))),
    }


#: As many runs as this tell the variance of their pool within the factor, in this share of draws.
ENOUGH, FACTOR, SHARE = 5, 1.5, 0.95

#: The same, as messages take it.
_KNOWN = {"factor": f"{FACTOR:g}", "share": percent(SHARE, 0)}

#: What a verdict rests on where nothing was measured on its own collection.
NOT_MEASURED_HERE = ("predicted", "predicted-from-siblings", "predicted-without-density", "none")

#: Codes of cautions that say why a variance would not do.
_MORE_IS_MISSING = {"not-a-topic-mean", "unknown-topics", "few-topics"}


def what_runs_would_add(document: BoardDocument) -> str:
    """Return what five diverse runs would do for the verdict; blank where it rests on the collection itself, or where
    more is missing than how much scores vary."""
    verdict = document.verdict
    if verdict is None or verdict.evidence.kind not in NOT_MEASURED_HERE:
        return ""
    if verdict.evidence.kind == "none":
        is_all = verdict.tries.n_results > 1 and not _MORE_IS_MISSING & {note.code for note in verdict.cautions}
        return say("runs-would-tell", **_KNOWN) if is_all else ""
    best_set = verdict.shown.set
    if best_set is None or best_set.margin is None:
        return ""
    margin, decimals = best_set.margin, document.measure["decimals"]
    sizes = {"now": margin, "smaller": margin * sqrt(0.5), "larger": margin * sqrt(2)}
    capped = "yes" if verdict.evidence.is_capped else "no"
    return say(
        "runs-would-add", **_KNOWN, **{name: score(size, decimals) for name, size in sizes.items()}, capped=capped
    )
