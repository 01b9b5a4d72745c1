"""Verdicts as pages tell them: of a leaderboard one, of a suite one for each of its two questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis.boards import SuiteQuestion
from registry.core.templatetags.formatting import as_query
from registry.leaderboards import wording
from registry.leaderboards.documents.shapes import BoardDocument, VerdictDocument
from registry.leaderboards.wording import Analysed, Fact
from registry.leaderboards.words import VIEWS

_WHERE = {"other-collections": "on other collections like these", "same-collections": "on these collections"}
_KEYS = {"other-collections": "others", "same-collections": "these"}


@dataclass(frozen=True, slots=True)
class ShownView:
    """The verdict by one view of training; ``address`` is blank where it has no page of its own."""

    label: str
    n_rows: int
    sentence: str
    address: str
    is_shown: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """One verdict of a document, with its rows as they are shown; without a question where it has no other."""

    document: Analysed
    verdict: VerdictDocument
    rows: Sequence[Any]
    question: SuiteQuestion | None

    @property
    def key(self) -> str:
        """Where on its page it stands."""
        return _KEYS[self.question] if self.question else ""

    @property
    def heading(self) -> str:
        """The question as it is asked."""
        return f"Best {_WHERE[self.question]}?" if self.question else ""

    @property
    def facts(self) -> list[Fact]:
        """The verdict in a few numbers."""
        return wording.facts(self.verdict, self.document.measure, self.rows, self.document.words)

    @property
    def claim(self) -> str:
        """What was found, as the title of its figure."""
        leader = wording.whose_best(self.verdict, self.rows)
        return wording.claim(self.document, self.verdict, leader, self.question)

    @property
    def views(self) -> list[ShownView]:
        """The verdict by every view of training."""
        document = self.document
        chosen = document.selection if isinstance(document, BoardDocument) else None
        return [
            ShownView(
                label=VIEWS[view.view],
                n_rows=view.n_rows,
                sentence=view.sentence,
                address="" if chosen is None else document.url + as_query({**chosen, "training": view.view}),
                is_shown=view.view == self.verdict.view,
            )
            for view in self.verdict.views
        ]

    @property
    def has_chips(self) -> bool:
        """Whether its views have pages to go to."""
        return any(view.address for view in self.views)

    @property
    def strength(self) -> int:
        """Of the evidence, of three."""
        return wording.strength_of(self.verdict.evidence)

    @property
    def evidence_in_short(self) -> str:
        """What it rests on, in a line."""
        return wording.evidence_in_short(self.verdict, self.question)

    @property
    def page(self) -> str:
        """Of docs/methods: what is assumed; blank where nothing is."""
        return self.document.words.set_page or wording.EVIDENCE_PAGES.get(self.verdict.evidence.kind, "")

    @property
    def coverage(self) -> str:
        """How often such a set held the best."""
        return wording.coverage(self.verdict, self.question)


def answers_of(document: Analysed, rows: Sequence[Any]) -> list[Answer]:
    """The verdicts of a document; none where nothing was found."""
    return [Answer(document, verdict, rows, question) for question, verdict in document.verdicts if verdict]
