"""What other rules than the mean make of a suite, and what declared training goes with on its members, in words."""

from dataclasses import dataclass
from functools import partial
from typing import Annotated

from django.utils.text import get_text_list

from analysis.boards import SuiteInputs, SuiteRule, SuiteRules, SuiteUplift, UpliftOnMember, ViewName
from registry.core.documents import document_of
from registry.core.templatetags.formatting import score
from registry.leaderboards.words import RULES

#: The winner of the mean is called sure from this share of draws on.
_SURE = 0.8
#: Names in a sentence.
_listed = partial(get_text_list, last_word="and")


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRuleDocument(SuiteRule):
    """Who wins by one rule."""

    name: Annotated[str, "What texts call the rule."]
    system: Annotated[str, "Name of the winner."]
    tied_systems: Annotated[tuple[str, ...], "Names of those tied with it."]

    @property
    def sentence(self) -> str:
        """Who leads by it and how surely, beside a figure of means."""
        who = _listed([self.system, *self.tied_systems])
        leads = "lead, tied" if self.tied_systems else "leads"
        return (
            f"By {self.name} {who} {leads}. Drawn again, the members name the same winner in {100 * self.wins:.0f} of"
            f" 100, two halves of them in {100 * self.halves:.0f}. Teal is judged by the mean."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRulesDocument:
    """Who wins by each rule, and whether they agree."""

    sentence: Annotated[str, "Whether the winner depends on the rule, and on the members."]
    rules: Annotated[tuple[SuiteRuleDocument, ...], "The mean first."]
    beats_all: Annotated[
        int | None, "Id of the system that beats every other on more members than it loses; null where none does."
    ]


def describe_rules(inputs: SuiteInputs, found: SuiteRules, view: ViewName) -> SuiteRulesDocument:
    """The rules with the names of their winners: of all systems, whatever the view that the verdict is on."""
    names = {row.id: row.system for row in inputs.rows}
    sentence = _sentence(found, names, len(inputs.members))
    if view != "all":
        whom = f"Of all {len(found.places):,} systems, whatever is said of their training"
        sentence = f"{whom}: {sentence[0].lower()}{sentence[1:]}"
    return SuiteRulesDocument(
        sentence=sentence,
        rules=tuple(
            document_of(
                SuiteRuleDocument,
                one,
                name=RULES[one.rule],
                system=names[one.winner],
                tied_systems=tuple(names[other] for other in one.tied),
            )
            for one in found.rules
        ),
        beats_all=found.beats_all,
    )


def _sentence(found: SuiteRules, names: dict[int, str], n_members: int) -> str:
    mean = found.rules[0]
    by_winner: dict[tuple[int, ...], list[str]] = {}
    for one in found.rules:
        by_winner.setdefault((one.winner, *one.tied), []).append(RULES[one.rule])
    again = f"Drawn again, these {n_members} members name the same winner by the mean in {100 * mean.wins:.0f} of 100."
    first, *others = by_winner.items()
    if not others:
        told = f"Every rule here names {_who(first[0], names)}."
        return told if mean.wins >= _SURE else f"{told} {again}"
    parts = [f"by {_listed(rules)} {_who(winners, names)}" for winners, rules in others]
    duels = (
        "No system beats every other on more members than it loses."
        if found.beats_all is None
        else f"{names[found.beats_all]} beats every other on more members than it loses."
    )
    leads = " leads" if len(first[0]) == 1 else ", lead"
    return f"By {_listed(first[1])} {_who(first[0], names)}{leads}; {'; '.join(parts)}. {duels} {again}"


def _who(winners: tuple[int, ...], names: dict[int, str]) -> str:
    """The winner, or those that tie."""
    told = _listed([names[one] for one in winners])
    return told if len(winners) == 1 else f"{told}, tied"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberUpliftDocument(UpliftOnMember):
    """What declaring training on one member goes with there."""

    collection: Annotated[str, "Slug of the member."]
    name: Annotated[str, "Its name."]
    sentence: Annotated[str, "In words."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteUpliftDocument:
    """What declared training goes with; no system's score is changed by it."""

    sentence: Annotated[str, "Over all members, in words."]
    estimate: Annotated[float, "How far declaring systems score above what their other scores suggest."]
    standard_error: Annotated[float, "With the systems of a family erring together."]
    n_systems: Annotated[int, "Systems with a score on every member and something said of training on each."]
    n_families: Annotated[int, "Families that these are of."]
    members: Annotated[tuple[MemberUpliftDocument, ...], "The largest uplift first; of those that enough declare."]


def describe_uplift(inputs: SuiteInputs, found: SuiteUplift) -> SuiteUpliftDocument:
    """The uplift with the names of members."""
    sign = "higher" if found.estimate >= 0 else "lower"
    return document_of(
        SuiteUpliftDocument,
        found,
        sentence=(
            f"Where systems declare training on a collection, they score about {abs(found.estimate):.3f} {sign} there"
            f" than their other scores suggest (standard error {found.standard_error:.3f}, {found.n_systems:,} systems"
            f" of {found.n_families:,} families)."
        ),
        members=tuple(
            document_of(
                MemberUpliftDocument,
                one,
                collection=inputs.members[one.member].collection,
                name=inputs.members[one.member].name,
                sentence=uplift_sentence(inputs.members[one.member].name, one),
            )
            for one in sorted(found.members, key=lambda one: -one.value)
        ),
    )


def uplift_sentence(name: str, one: UpliftOnMember) -> str:
    """What declaring training on a collection goes with, beside how surely that is known."""
    # No end of an interval without 0 is printed as 0.
    least = min(abs(one.low), abs(one.high))
    digits = next((n for n in (2, 3) if round(least, n) > 0.0), 4)
    known = f"(90 %: {score(one.low, digits)} to {score(one.high, digits)})".replace("-", "−")
    if one.low <= 0 <= one.high:
        return (
            f"How systems that declare training on {name} score there can’t be told from what their other scores"
            f" suggest {known}."
        )
    side, size = "higher" if one.value > 0 else "lower", f"{abs(one.value):.2f}"
    about = f"about {size}" if float(size) else "less than 0.01"
    return (
        f"Systems that declare training on {name} score {about} {side} there than their other scores suggest {known}."
    )
