"""What is said to a caution, as pages, files and the API show it."""

from dataclasses import dataclass
from typing import Annotated

from typing_extensions import Doc

from registry.curation.cautions.models import CautionAnswer, CautionDecision
from registry.curation.cautions.queries import Said


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDocument:
    """What somebody says to a caution."""

    id: int
    result: Annotated[int, Doc("The row that it is about.")]
    by: str
    is_author: Annotated[bool, Doc("Whether the ORCID iD was one of the paper's authors.")]
    at: Annotated[str, Doc("When, ISO 8601.")]
    text: str
    url: Annotated[str, Doc("Where it can be checked; blank where nothing is named.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionDocument:
    """What a curator decided about a caution."""

    result: Annotated[int, Doc("The row that it is about.")]
    decision: Annotated[str, Doc("cleared: it is not given any longer; kept: it stays.")]
    by: str
    at: Annotated[str, Doc("When, ISO 8601.")]
    reason: str


def describe_answers(said: Said, code: str, results: tuple[int, ...]) -> tuple[AnswerDocument, ...]:
    """What people say to the caution of these rows, in their order."""
    return tuple(_answer(one, result) for result in results for one in said.answers.get((code, result), ()))


def describe_decisions(said: Said, code: str, results: tuple[int, ...]) -> tuple[DecisionDocument, ...]:
    """What was decided about the caution of these rows, in their order."""
    return tuple(
        _decision(said.decisions[code, result], result) for result in results if (code, result) in said.decisions
    )


def _answer(answer: CautionAnswer, result: int) -> AnswerDocument:
    return AnswerDocument(
        id=answer.pk,
        result=result,
        by=answer.person.public_name,
        is_author=answer.is_author,
        at=answer.recorded_at.isoformat(timespec="seconds"),
        text=answer.text,
        url=answer.url,
    )


def _decision(decision: CautionDecision, result: int) -> DecisionDocument:
    return DecisionDocument(
        result=result,
        decision=decision.kind,
        by=decision.entry.actor_name,
        at=decision.recorded_at.isoformat(timespec="seconds"),
        reason=decision.entry.reason,
    )
