"""Pages that compare systems topic by topic."""

from functools import partial

from registry.catalog.models import Leaderboard
from registry.core.document_pages import DocumentPage, as_json, as_lists
from registry.core.http import must_exist
from registry.leaderboards.access import get_visible_leaderboard
from registry.tools.pairs.documents import PairsDocument, pairs_document
from registry.tools.pairs.execution_documents import ExecutionsDocument, executions_document
from registry.tools.pairs.forms import FamilyForm, PairForm
from registry.tools.pairs.pair_documents import PairDocument, pair_document
from registry.tools.pairs.presentation import pair_context, pairs_context, topic_context, topics_context
from registry.tools.pairs.queries import comparisons_version, read_two
from registry.tools.pairs.services import awaited_study
from registry.tools.pairs.topic_documents import OneTopicDocument, TopicsDocument, topic_document, topics_document

_board_page = partial(
    DocumentPage,
    names=("collection", "measure"),
    find=get_visible_leaderboard,
    canonical=lambda board, form: board.names,
    version=comparisons_version,
)


def _pair(board: Leaderboard, form: PairForm, *, first: int, second: int) -> PairDocument:
    matrix = must_exist(
        read_two(board, first, second) if first != second else None,
        f"Results {first} and {second} are not two of {board} with scores on every topic.",
    )
    return pair_document(board, matrix, form.cleaned_data["margin"])


def _scores(document: OneTopicDocument) -> list[tuple[object, ...]]:
    return [(one.result, one.system, one.team, one.score) for one in document.systems]


PAIRS = _board_page(
    template="tools/pairs/pairs.html",
    meaning="All pairs of systems of a leaderboard, judged together by a test and a correction.",
    document=PairsDocument,
    form=FamilyForm,
    describe=lambda board, form: pairs_document(board, form.chosen_test, form.chosen_correction),
    awaits=lambda board, document: awaited_study(board) if document.state == "waiting" else (),
    lay_out=lambda board, document, form: {"board": board} | pairs_context(document, form),
)
PAIR = _board_page(
    template="tools/pairs/pair.html",
    meaning="Two results of a leaderboard by five tests, and by topic; `first` and `second` are their ids.",
    document=PairDocument,
    form=PairForm,
    describe=_pair,
    lay_out=lambda board, document, form: {"board": board} | pair_context(document),
)
TOPICS = _board_page(
    template="tools/pairs/topics.html",
    meaning="The topics of a leaderboard: which are hard, which split the systems, what scores vary with.",
    document=TopicsDocument,
    describe=lambda board, form: topics_document(board),
    lay_out=lambda board, document, form: {"board": board} | topics_context(document),
)
TOPIC = _board_page(
    template="tools/pairs/topic.html",
    meaning="One topic of a leaderboard, by its label: how the systems do on it, and how it orders them.",
    document=OneTopicDocument,
    describe=lambda board, form, label: must_exist(
        topic_document(board, label), f"{board} has no scores of two systems on a topic {label}."
    ),
    lay_out=lambda board, document, form: {"board": board} | topic_context(document),
    formats={"json": as_json} | as_lists("topic", ("id", "system", "team", "value"), _scores, "csv"),
)
EXECUTIONS = _board_page(
    template="tools/pairs/executions.html",
    meaning="Systems that were executed several times, against the others.",
    document=ExecutionsDocument,
    form=PairForm,
    describe=lambda board, form: executions_document(board, form.cleaned_data["margin"]),
    lay_out=lambda board, document, form: {"board": board},
)
