"""What other rules than the mean make of a suite, and what declared training goes with on its members, in words."""

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from django.utils.text import get_text_list

from analysis.boards import SuiteInputs, SuiteRule, SuiteRules, SuiteUplift, UpliftOnMember, ViewName
from registry.core.documents import document_of
from registry.core.messages import say
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
        winners = [self.system, *self.tied_systems]
        shares = {"wins": _of_100(self.wins), "halves": _of_100(self.halves)}
        return say("rule-leads", rule=self.name, names=_listed(winners), n_winners=len(winners), **shares)


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
        sentence = say("rules-of-all", n=f"{len(found.places):,}", sentence=f"{sentence[0].lower()}{sentence[1:]}")
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
    for rule in found.rules:
        by_winner.setdefault((rule.winner, *rule.tied), []).append(RULES[rule.rule])
    (winners, rules), *others = by_winner.items()
    values = _who(winners, names) | {"n_members": n_members, "wins": _of_100(mean.wins)}
    if not others:
        return say("rules-agree" if mean.wins >= _SURE else "rules-agree-again", **values)
    others_told = (say("rules-other", rules=_listed(rules), **_who(winners, names)) for winners, rules in others)
    duels = say("duels-undecided") if found.beats_all is None else say("duels-won", name=names[found.beats_all])
    return say("rules-differ", rules=_listed(rules), others="; ".join(others_told), duels=duels, **values)


def _who(winners: tuple[int, ...], names: dict[int, str]) -> dict[str, Any]:
    """Return the winner, or those that tie, as messages take them."""
    return {"names": _listed([names[winner] for winner in winners]), "n_winners": len(winners)}


def _of_100(share: float) -> str:
    return f"{100 * share:.0f}"


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
    return document_of(
        SuiteUpliftDocument,
        found,
        sentence=say(
            "uplift",
            size=f"{abs(found.estimate):.3f}",
            side="higher" if found.estimate >= 0 else "lower",
            standard_error=f"{found.standard_error:.3f}",
            n_systems=f"{found.n_systems:,}",
            n_families=f"{found.n_families:,}",
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
    known = {"name": name, "low": score(one.low, digits), "high": score(one.high, digits)}
    if one.low <= 0 <= one.high:
        return say("uplift-unclear", **known)
    side, amount = "higher" if one.value > 0 else "lower", f"{abs(one.value):.2f}"
    size = "about" if float(amount) else "less"
    return say("uplift-of-member", **known, side=side, size=size, amount=amount)
