"""The headline of a leaderboard or benchmark: one claim, in the same words wherever it is told.

Pages show it under their name. Citations, cards, feeds and the API take the sentence, which names the measure and the
level, too.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from analysis.boards import (
    BoardInputs,
    Findings,
    MeasureFacts,
    Question,
    SuiteFindings,
    SuiteInputs,
    Verdict,
    View,
    ViewName,
)
from registry.core.messages import say
from registry.core.templatetags.formatting import percent, score

#: A model by its repository: the owner, then its name.
_REPOSITORY = re.compile(r"[\w.-]+/([\w.-]+(?: ?\([^)]*\))?)")
#: A sentence has no more words.
MOST_WORDS = 25
#: So many words of a name that makes a sentence longer than that.
_FIRST_WORDS = 4
#: Notes on the leader that its headline names, by code.
STRONG_NOTES = {"unusual-elsewhere": "unusual", "follows-flag": "unusual", "contradicts-linked": "conflict"}

_VIEWS: dict[ViewName, str] = {"all": "everyone", "declared-none": "zero-shot", "trained-here": "trained"}
#: What is added without a semicolon, and as a sentence of its own where that would be too long.
_CLAUSES = ("rerun", "group")
#: With these words a part of a sentence begins that is no name.
_OPENINGS = frozenset({"a", "all", "no", "the", "training"})
_ROLES = ("proposed", "baseline", "trec_run", "reference_implementation")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A row as a claim counts and names it; ``view`` is None where nothing is said of its training."""

    id: int
    system: str
    value: float
    view: ViewName | None
    competes: bool
    n_trained_on: int = 0


@dataclass(frozen=True, kw_only=True)
class Claimed:
    """A verdict by one view of training with all that a sentence says of it.

    Of a suite, whose rows are systems with a mean over data sets, ``n_members`` says how many these are, and
    ``n_tasks`` of how many tasks, 0 where each is its own.
    """

    name: str
    measure: MeasureFacts
    rows: Sequence[_Row]
    verdict: Verdict
    question: Question
    n_topics: int | None = None
    n_members: int | None = None
    n_tasks: int = 0
    is_suite: bool = False

    @property
    def leader(self) -> str:
        """Return who has the best score that is ranked."""
        return {row.id: row.system for row in self.rows}[self.verdict.shown.result]

    @cached_property
    def seen(self) -> list[_Row]:
        """Return the rows of its view that compete."""
        return [row for row in self.rows if row.competes and self.verdict.view in ("all", row.view)]

    @property
    def n_rows(self) -> int:
        """Rows that may be the best, without those excluded."""
        shown = self.verdict.shown
        return shown.n_rows or (shown.set.n_rows if shown.set else 0) or len(self.seen) - shown.n_left_out

    @cached_property
    def best_kind(self) -> str:
        """Return what its best score is the best of, as the message *best-score* calls it: of all that is reported, or
        of a view of training, or of what is ranked of these where something higher is not; or of what a reader
        chose."""
        if self.question.has_filters:
            return "chosen"
        sign = 1.0 if self.measure.higher_is_better else -1.0
        best = sign * self.verdict.shown.value + 1e-12
        beside = [row for row in self.rows if self.verdict.view in ("all", row.view)]
        is_below = any(sign * row.value > best for row in beside)
        return f"{'ranked-' if is_below else ''}{_VIEWS[self.verdict.view]}{'-mean' if self.is_suite else ''}"

    def seen_as(self, view: View) -> "Claimed":
        """Return the claim by another view of training."""
        values = {field.name: getattr(view, field.name) for field in fields(View)}
        return replace(self, verdict=replace(self.verdict, **values, leader_verified=False, family_verified=False))

    @cached_property
    def headline(self) -> str:
        """Return what pages say under a name that has the measure, with the collection."""
        return _in_words(self, is_cited=False)

    @cached_property
    def sentence(self) -> str:
        """Return what stands alone: the same with measure and level."""
        return _in_words(self, is_cited=True)

    @property
    def of_leader(self) -> str:
        """Return who has the best score, with what is left of it without luck: a sentence that follows the other."""
        shown = self.verdict.shown
        corrected = shown.corrected
        adjusted = "none" if corrected is None else "no-middle" if corrected.value is None else "value"
        sentence = ""
        for leader in (self.leader, _first_words(self.leader)):
            sentence = say(
                "headline-leader",
                leader=leader,
                tied=shown.n_tied,
                named="yes" if say("best-score", best=self.best_kind) in self.sentence else "no",
                best=self.best_kind,
                score=score(shown.value, self.measure.decimals),
                adjusted=adjusted,
                value=corrected.in_words if corrected else "",
            )
            if len(sentence.split()) <= MOST_WORDS:
                break
        return sentence


def claimed(
    inputs: BoardInputs | SuiteInputs,
    findings: Findings | SuiteFindings,
    question: Question | None = None,
    name: str = "",
) -> Claimed:
    """Return what a study claims; of a suite, on new collections.

    Parameters
    ----------
    inputs, findings : of one study
    question : Question, optional
        Of a board, the one that was asked. Default: the default question.
    name : str, optional
        What the collection is called where the inputs don't say. Default: its slug.
    """
    if isinstance(inputs, SuiteInputs):
        assert isinstance(findings, SuiteFindings)
        means = {mean.result: mean.value for mean in findings.means}
        rows = [
            _Row(id=row.id, system=without_owner(row.system), value=means[row.id], view=row.view, competes=True,
                 n_trained_on=row.n_trained_on)
            for row in inputs.rows if row.id in means
        ]  # fmt: skip
        return Claimed(
            name=inputs.name, measure=inputs.measure, rows=rows, verdict=findings.other_collections,
            question=Question(), n_members=len(inputs.members), n_tasks=len(set(inputs.tasks or ())), is_suite=True,
        )  # fmt: skip
    assert isinstance(findings, Findings)
    competing = {row for family in findings.families for row in family.results}
    rows = [
        _Row(id=row.id, system=without_owner(row.system), value=row.value, view=row.view, competes=row.id in competing)
        for row in inputs.rows
    ]
    return Claimed(
        name=inputs.name or name or inputs.collection, measure=inputs.measure, rows=rows, verdict=findings.verdict,
        question=question or Question(), n_topics=inputs.n_topics,
    )  # fmt: skip


def without_owner(system: str) -> str:
    """Return what a model is called in sentences: without the owner of its repository."""
    match = _REPOSITORY.fullmatch(system)
    return match[1] if match else system


def level_of(verdict: Verdict) -> str:
    """Return at which level a set holds, as “95%”, and for looking how often; blank where no such sets were tested."""
    best_set = verdict.shown.set
    level = percent(best_set.confidence_level, 0) if best_set and verdict.evidence.coverage else ""
    return ", ".join(filter(None, [level, say("level-weekly") if best_set and best_set.looks else ""]))


def _in_words(claim: Claimed, *, is_cited: bool) -> str:
    """Return the claim in a sentence; in two, or with the first words of names, where it would be too long."""
    added, sentences = _added(claim), [""]
    for is_short in (False, True):
        variant = claim
        if is_short:
            variant = replace(claim, rows=[replace(row, system=_first_words(row.system)) for row in claim.rows])
        values = _values(variant, is_cited=is_cited)
        more = say(f"headline-{added}", **values) if added else ""
        base = say(f"headline-{_pattern(variant)}", **values)
        if added in _CLAUSES and len(f"{base}{more}".split()) > MOST_WORDS:
            more = f"; {say(f'headline-also-{added}')}"
        sentences = _in_sentences(f"{base}{more}.")
        if all(len(part.split()) <= MOST_WORDS for part in sentences):
            break
    return " ".join(sentences)


def _in_sentences(text: str) -> list[str]:
    """Return a text, cut at its last semicolons as long as it has too many words."""
    start, semicolon, end = text.rpartition("; ")
    if len(text.split()) <= MOST_WORDS or not semicolon:
        return [text]
    opening, _, rest = end.partition(" ")
    return [*_in_sentences(f"{start}."), f"{opening.capitalize() if opening in _OPENINGS else opening} {rest}"]


def _first_words(name: str) -> str:
    """Return at most four words of a name, none of them in a parenthesis that does not close."""
    words = name.split()
    if len(words) <= _FIRST_WORDS:
        return name
    first = " ".join(words[:_FIRST_WORDS])
    return f"{first[: first.rindex('(')].rstrip() if first.count('(') > first.count(')') else first} …"


def _pattern(claim: Claimed) -> str:
    verdict = claim.verdict
    shown, best_set = verdict.shown, verdict.shown.set
    if best_set is not None:
        if claim.is_suite:
            # Where all lead, the best zero-shot mean is named beside theirs.
            zero_shot = next((view for view in verdict.views if view.view == "declared-none"), None)
            is_another = verdict.view == "all" and zero_shot and zero_shot.shown.result != shown.result
            return "mean-and-zero-shot" if is_another else "mean"
        if not best_set.is_telling:
            return "close"
        return "alone" if best_set.n_members == 1 else "tied"
    if shown.too_few == "one" and not shown.n_left_out:
        return "one"
    if shown.too_few:
        return "groups" if shown.too_few == "groups" else "few"
    if claim.is_suite:
        return "few-members"
    if verdict.evidence.kind == "own-topics":
        return "alike"
    return "topics" if any(caution.code == "few-topics" for caution in verdict.cautions) else "unknown"


def _added(claim: Claimed) -> str:
    """Return what else the headline says of the leader, at most one thing; blank where nothing."""
    verdict, shown = claim.verdict, claim.verdict.shown
    if verdict.best_unflagged is not None and shown.result != verdict.best.result:
        return "excluded"
    codes = {caution.code for caution in verdict.cautions if not caution.is_flag and shown.result in caution.results}
    if note := next((text for code, text in STRONG_NOTES.items() if code in codes), ""):
        return note
    if shown.set is None or claim.is_suite:
        return ""
    if not verdict.best.is_original and shown.n_tied == 1 and _pattern(claim) == "tied":
        return "rerun"
    return "group" if shown.set.group else ""


def _values(claim: Claimed, *, is_cited: bool) -> Mapping[str, Any]:
    verdict, shown = claim.verdict, claim.verdict.shown
    names = {row.id: row.system for row in claim.rows}
    seen = claim.seen
    n_undisclosed = sum(row.view is None for row in seen)
    # Where something is said of training, rows are called systems if each is another one.
    are_systems = claim.is_suite or (verdict.views and len({row.system for row in seen}) == len(seen))
    level = level_of(verdict)
    # How many may be the best; “all” where these are all.
    members: int | str = shown.set.n_members if shown.set else 0
    if members == claim.n_rows > 1 and not claim.is_suite:
        members = "all"
    values = {
        "place": _place(claim, is_cited=is_cited),
        "cited": "yes" if is_cited else "no",
        "level": f" ({'about ' if claim.is_suite else ''}{level})" if level and is_cited else "",
        "rows": "system" if are_systems else "result",
        "who": _who(claim),
        "n": claim.n_rows,
        "members": members,
        "groups": shown.n_groups,
        "tied": shown.n_tied,
        "score": score(shown.value, claim.measure.decimals),
        "best": claim.best_kind,
        "leader": names[shown.result],
        "rerun": "no" if verdict.best.is_original or shown.result != verdict.best.result else "yes",
        "highest": names[verdict.best.result],
        "highest_score": score(verdict.best.value, claim.measure.decimals),
        "side": "high" if claim.measure.higher_is_better else "low",
        "n_topics": claim.n_members if claim.is_suite else claim.n_topics or 0,
        "undisclosed": n_undisclosed if verdict.views and 2 * n_undisclosed >= len(seen) else 0,
    }
    if claim.is_suite:
        leader = next(row for row in claim.rows if row.id == shown.result)
        zero_shot = next((view for view in verdict.views if view.view == "declared-none"), None)
        values |= {
            "trained_on": leader.n_trained_on,
            "n_members": claim.n_members,
            "n_tasks": claim.n_tasks,
            "zero_shot": names[zero_shot.shown.result] if zero_shot else "",
        }
    return values


def _who(claim: Claimed) -> str:
    """Return who may be the best, as the message *contenders* calls them."""
    question = claim.question
    if question.has_filters:
        has_others = question.run_type or question.provenance or question.only is not None or question.training
        return question.role if question.role in _ROLES and not has_others else "chosen"
    is_of_all = claim.verdict.view == "all" and (claim.is_suite or not claim.verdict.views)
    # Of means the view is said with the leader's.
    return "plain" if is_of_all or (claim.is_suite and claim.verdict.shown.set) else _VIEWS[claim.verdict.view]


def _place(claim: Claimed, *, is_cited: bool) -> str:
    """Return the collection; cited, with its measure in parentheses; of a suite, with the number of data sets."""
    details = []
    if claim.n_members is not None and not re.search(rf"\b{claim.n_members}\b", claim.name):
        details.append(say("data-sets", n=claim.n_members, n_tasks=claim.n_tasks))
    if is_cited:
        details.append(f"mean {claim.measure.name}" if claim.is_suite else claim.measure.name)
    if not details:
        return claim.name
    if claim.name.endswith(")"):
        return f"{claim.name[:-1]}, {', '.join(details)})"
    return f"{claim.name} ({', '.join(details)})"
