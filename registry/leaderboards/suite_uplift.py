"""What declared training goes with on the members of a suite, in words."""

from dataclasses import dataclass
from typing import Annotated

from typing_extensions import Doc

from analysis.boards import SuiteInputs, SuiteUplift, UpliftOnMember
from registry.core.documents import document_of
from registry.core.templatetags.formatting import score


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberUpliftDocument(UpliftOnMember):
    """What declaring training on one member goes with there."""

    collection: Annotated[str, Doc("Slug of the member.")]
    name: Annotated[str, Doc("Its name.")]
    sentence: Annotated[str, Doc("In words.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteUpliftDocument:
    """What declared training goes with; no system's score is changed by it."""

    sentence: Annotated[str, Doc("Over all members, in words.")]
    estimate: Annotated[float, Doc("How far declaring systems score above what their other scores suggest.")]
    standard_error: Annotated[float, Doc("With the systems of a family erring together.")]
    n_systems: Annotated[int, Doc("Systems with a score on every member and something said of training on each.")]
    n_families: Annotated[int, Doc("Families that these are of.")]
    members: Annotated[tuple[MemberUpliftDocument, ...], Doc("The largest uplift first; of those that enough declare.")]


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
