"""What is said of a model: one object for the page, its JSON, its list of leaderboards and the API."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import attrgetter
from typing import Annotated

from registry.core.documents import document_of
from registry.core.listing import grouped
from registry.curation.lineage.disclosures import Disclosure, disclosures_of
from registry.curation.lineage.documents import SystemFactsDocument, describe_facts
from registry.curation.lineage.training import Training, TrainingState, Word
from registry.leaderboards.stored import NamedResults, read_named_results
from registry.results.contested import ContestedScore, contested_of
from registry.results.documents import PaperBrief, ScoreOfResult, describe_paper
from registry.results.models import Model, Result, System
from registry.tools.model_page import queries

#: The state of a board whose data a source says that it was trained on.
IN_DOMAIN: Word = "declares"
#: Who prints a score: a leaderboard that lists it, a toolkit that ran the model again; all others print it in papers.
_BY: dict[str, str] = {Result.Role.REFERENCE_IMPLEMENTATION: "toolkit", Result.Role.LEADERBOARD: "leaderboard"}

#: A leaderboard that carries no analysis.
_NOTHING = NamedResults(best=None, contradicted=frozenset())
#: A contradiction has two sides, which may be all that there is; more than one pair is told of the model.
_MIN_CONTRADICTED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelBrief:
    """A model as others mention it."""

    slug: Annotated[str, "Its address, which stays."]
    name: str
    maker: str
    url: Annotated[str, "Path of its page on this site."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ItsSystem:
    """A checkpoint, a setting or a run of the model by a toolkit."""

    id: int
    name: str
    team: str
    url: str
    n_results: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ItsPaper:
    """A paper that is about systems of the model."""

    paper: PaperBrief
    title: str
    relation: Annotated[str, "What it is to them, in words."]
    n_systems: Annotated[int, "Of how many of them that is said."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ItsScore(ScoreOfResult):
    """The best comparable score of the model from one source."""

    by: Annotated[str, "`paper`, `leaderboard`, or `toolkit` where a toolkit ran it again."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOnBoard:
    """The model on a leaderboard, with the best of its comparable results."""

    collection: Annotated[str, "Slug of the collection."]
    name: Annotated[str, "Of the collection."]
    measure: str
    decimals: int
    url: Annotated[str, "Of the leaderboard."]
    suite: Annotated[str, "Slug of the first suite that it is in; blank without."]
    suite_name: str
    n_others: Annotated[int, "Comparable results of other models and systems there."]
    n_beaten: Annotated[int, "How many of these it beats."]
    may_be_best: Annotated[bool | None, "Whether a result of it can't be told from the best; null without a best set."]
    training: Annotated[Word, "What all that sources say of its training comes to for the collection."]
    scores: Annotated[tuple[ItsScore, ...], "The best of each source; the best of all first."]
    n_disputed: Annotated[int, "How many of its results there somebody disputes, undecided."]
    n_contradicted: Annotated[int, "How many of them do not go with the same system's score on a linked leaderboard."]

    @property
    def share(self) -> float:
        """Of the others, how many it beats, from 0 to 1; alone it beats all."""
        return self.n_beaten / self.n_others if self.n_others else 1.0

    @property
    def difference(self) -> float:
        """Return how far the best scores of its sources are apart."""
        values = [score.value for score in self.scores]
        return max(values) - min(values)

    @property
    def is_rounded(self) -> bool:
        """Return whether rounding, or .0001 by machine, explains that."""
        return not any(one.score.contradicts(other.score) for one, other in combinations(self.scores, 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBy:
    """Where figures of the model were taken from."""

    source: str
    n_results: int
    n_self_reported: Annotated[int, "Which nobody ran but who made the model."]
    n_systems: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDocument(ModelBrief):
    """What is known of a model."""

    base: Annotated[str, "The model that it was made from, as its card says; blank where nothing is said."]
    base_model: Annotated[ModelBrief | None, "That one, where it is on record."]
    published: Annotated[str, "When its paper could be read, as YYYY-MM-DD, YYYY-MM or YYYY; blank if unknown."]
    released: Annotated[str, "When its checkpoint could be had, in the same form."]
    known_since: Annotated[str, "The earlier of the two; that of its paper where they are doubtful."]
    has_doubtful_days: Annotated[bool, "Whether its checkpoint is dated over half a year before its paper."]
    known_from: Annotated[str, "Where maker, base and days are known from."]
    paper: Annotated[PaperBrief | None, "The paper that introduces it."]
    papers: Annotated[tuple[ItsPaper, ...], "Others about its systems."]
    facts: Annotated[SystemFactsDocument | None, "What its maker says of it."]
    systems: tuple[ItsSystem, ...]
    n_results: Annotated[int, "Standing results of all its systems."]
    boards: Annotated[tuple[ModelOnBoard, ...], "Leaderboards with a comparable result of it."]
    run_by: tuple[RunBy, ...]
    contested: Annotated[tuple[ContestedScore, ...], "Published scores of its systems that do not agree."]
    disclosures: Annotated[tuple[Disclosure, ...], "What its maker discloses of training, system by system."]
    derived: Annotated[tuple[ModelBrief, ...], "Models that were made from it."]

    @property
    def judged(self) -> list[ModelOnBoard]:
        """Those with a best set."""
        return [board for board in self.boards if board.may_be_best is not None]

    @property
    def ties(self) -> dict[str, tuple[int, int]]:
        """Return how many of these there are and on how many it may be the best: of all, trained on, and others."""
        trained = [board for board in self.judged if board.training == IN_DOMAIN]
        others = [board for board in self.judged if board.training != IN_DOMAIN]
        kinds = {"all": self.judged, "trained": trained, "others": others}
        return {name: (len(some), sum(one.may_be_best is True for one in some)) for name, some in kinds.items()}

    @property
    def n_without_set(self) -> int:
        return len(self.boards) - len(self.judged)

    @property
    def n_self_reported(self) -> int:
        """Results that nobody ran but who made it."""
        return sum(one.n_self_reported for one in self.run_by)

    @property
    def met_again(self) -> list[ModelOnBoard]:
        """Return where several sources have a score of it; those that differ beyond rounding first, by how much."""
        several = [board for board in self.boards if len(board.scores) > 1]
        return sorted(several, key=lambda one: (one.is_rounded, -one.difference))

    @property
    def differing(self) -> list[ModelOnBoard]:
        """Those of them that differ beyond rounding."""
        return [one for one in self.met_again if not one.is_rounded]

    @property
    def n_agreeing(self) -> int:
        """On how many of these rounding explains the difference."""
        return sum(one.is_rounded for one in self.met_again)

    @property
    def disputed(self) -> list[ModelOnBoard]:
        return [board for board in self.boards if board.n_disputed]

    @property
    def contradicted(self) -> list[ModelOnBoard]:
        """Return where scores contradict those on linked leaderboards; none of fewer than three."""
        found = [board for board in self.boards if board.n_contradicted]
        return found if len(found) >= _MIN_CONTRADICTED else []

    @property
    def by_training(self) -> list[tuple[str, int]]:
        """Return what is said of its training, and of how many leaderboards; the most first."""
        counts = Counter(board.training for board in self.boards)
        return [(str(TrainingState(word).label), n) for word, n in counts.most_common()]


def model_document(on_record: queries.ModelOnRecord) -> ModelDocument:
    model, systems = on_record.model, on_record.systems
    results = queries.standing_results(on_record)
    base, derived = queries.relatives(model)
    facts = queries.facts_of(systems, model)
    names = {system.name for system in systems}
    links = [(link, n) for link, n in queries.papers_about(systems) if link.paper_id != model.paper_id]
    by_source = grouped(results, lambda result: result.source)
    return document_of(
        ModelDocument,
        model,
        url=model.get_absolute_url(),
        base_model=_brief(base) if base else None,
        known_from=model.source,
        paper=describe_paper(model.paper) if model.paper else None,
        papers=tuple(
            ItsPaper(
                paper=describe_paper(link.paper),
                title=link.paper.title,
                relation=link.get_relation_display(),
                n_systems=n,
            )
            for link, n in links
        ),
        facts=describe_facts(facts) if facts else None,
        systems=_systems(systems, results),
        n_results=len(results),
        boards=_boards(on_record, results),
        run_by=tuple(
            RunBy(
                source=source,
                n_results=len(some),
                n_self_reported=sum(one.is_self_reported for one in some),
                n_systems=len({one.system_id for one in some}),
            )
            for source, some in sorted(by_source.items(), key=lambda item: (-len(item[1]), item[0]))
        ),
        contested=tuple(contested_of(names)),
        disclosures=tuple(disclosures_of(names)),
        derived=tuple(map(_brief, derived)),
    )


def _brief(model: Model) -> ModelBrief:
    return document_of(ModelBrief, model, url=model.get_absolute_url())


def _systems(systems: Iterable[System], results: Iterable[queries.Standing]) -> tuple[ItsSystem, ...]:
    counts = Counter(result.system_id for result in results)
    listed = (
        ItsSystem(
            id=system.pk, name=system.name, team=system.team, url=system.get_absolute_url(), n_results=counts[system.pk]
        )
        for system in systems
    )
    return tuple(sorted(listed, key=lambda one: (-one.n_results, one.name.casefold(), one.team)))


def _boards(on_record: queries.ModelOnRecord, results: Iterable[queries.Standing]) -> tuple[ModelOnBoard, ...]:
    comparable = (result for result in results if result.comparability == Result.Comparability.STANDARD)
    by_board = grouped(comparable, lambda one: one.leaderboard.pk)
    ranked = {board: sorted(some, key=_goodness, reverse=True) for board, some in by_board.items()}
    places = queries.places(ranked)
    named, suites = read_named_results(ranked), queries.suites_of_places()
    training = on_record.training_on({some[0].leaderboard.collection for some in ranked.values()})
    return tuple(
        _board(some, places[board], named.get(board, _NOTHING), suites, training) for board, some in ranked.items()
    )


_goodness = attrgetter("goodness")


def _board(
    ranked: Sequence[queries.Standing],
    place: queries.Place,
    named: NamedResults,
    suites: Mapping[tuple[int, int], tuple[str, str]],
    training: Mapping[int, Training],
) -> ModelOnBoard:
    board = ranked[0].leaderboard
    suite, suite_name = suites.get((board.collection_id, board.measure_id), ("", ""))
    first_of_source = {one.source: one for one in reversed(ranked)}
    return ModelOnBoard(
        collection=board.collection.slug,
        name=board.collection.name,
        measure=board.measure.name,
        decimals=board.measure.decimals,
        url=board.get_absolute_url(),
        suite=suite,
        suite_name=suite_name,
        n_others=place[0],
        n_beaten=place[1],
        may_be_best=None if named.best is None else any(one.pk in named.best for one in ranked),
        training=training[board.collection_id].word,
        scores=tuple(_score(one) for one in sorted(first_of_source.values(), key=_goodness, reverse=True)),
        n_disputed=sum(one.is_disputed for one in ranked),
        n_contradicted=sum(one.pk in named.contradicted for one in ranked),
    )


def _score(one: queries.Standing) -> ItsScore:
    return document_of(ItsScore, one, result=one.pk, url=Result.address_of(one.pk), by=_BY.get(one.role, "paper"))


BOARD_COLUMNS = (
    "collection", "measure", "suite", "printed", "unit", "value", "source", "n_others", "n_beaten", "may_be_best",
    "training", "url",
)  # fmt: skip


def board_rows(shown: ModelDocument) -> list[tuple[object, ...]]:
    return [
        (
            board.collection, board.measure, board.suite, board.scores[0].printed, board.scores[0].unit,
            board.scores[0].value, board.scores[0].source, board.n_others, board.n_beaten, board.may_be_best,
            board.training, board.url,
        )
        for board in shown.boards
    ]  # fmt: skip
