"""What is said to a caution, as pages, files and the API show it."""

from dataclasses import dataclass
from typing import Annotated

from registry.core.documents import document_of
from registry.curation.cautions.queries import Said


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDocument:
    """What somebody says to a caution."""

    id: int
    result: Annotated[int, "The row that it is about."]
    by: str
    is_author: Annotated[bool, "Whether the ORCID iD was one of the paper's authors."]
    at: Annotated[str, "When, ISO 8601."]
    text: str
    url: Annotated[str, "Where it can be checked; blank where nothing is named."]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionDocument:
    """What a curator decided about a caution."""

    result: Annotated[int, "The row that it is about."]
    decision: Annotated[str, "cleared: it is not given any longer; kept: it stays."]
    by: str
    at: Annotated[str, "When, ISO 8601."]
    reason: str


def describe_answers(said: Said, code: str, results: tuple[int, ...]) -> tuple[AnswerDocument, ...]:
    """What people say to the caution of these rows, in their order."""
    return tuple(
        document_of(
            AnswerDocument,
            one,
            id=one.pk,
            result=result,
            by=one.person.public_name,
            at=one.recorded_at.isoformat(timespec="seconds"),
        )
        for result in results
        for one in said.answers.get((code, result), ())
    )


def describe_decisions(said: Said, code: str, results: tuple[int, ...]) -> tuple[DecisionDocument, ...]:
    """What was decided about the caution of these rows, in their order."""
    return tuple(
        DecisionDocument(
            result=result,
            decision=one.kind,
            by=one.entry.actor_name,
            at=one.recorded_at.isoformat(timespec="seconds"),
            reason=one.entry.reason,
        )
        for result in results
        if (one := said.decisions.get((code, result)))
    )
