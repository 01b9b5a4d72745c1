"""A model as one object for the page, its JSON, its list of leaderboards and the API."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import attrgetter
from typing import Annotated

from registry.core.documents import document_of
from registry.core.listing import grouped
from registry.core.messages import say
from registry.core.templatetags.formatting import thousands
from registry.curation.lineage.documents import Disclosure, SystemFactsDocument, describe_facts, disclosures_of
from registry.curation.lineage.training import Training, TrainingState, Word
from registry.leaderboards.headlines import without_owner
from registry.leaderboards.stored import NamedResults, read_named_results
from registry.leaderboards.wording import Fact
from registry.results.documents import ContestedScore, PaperBrief, ScoreOfResult, contested_of, describe_paper
from registry.results.models import Model, Result, System
from registry.tools.model_page import queries

#: The state of a board on whose data, by some source, it was trained.
IN_DOMAIN: Word = "declares"
#: How leaderboards are counted, by training.
KINDS = ("zero-shot", "undisclosed", "trained")
#: Who prints a score: a leaderboard that lists it, or a toolkit that ran the model again; papers print all others.
_BY: dict[str, str] = {Result.Role.REFERENCE_IMPLEMENTATION: "toolkit", Result.Role.LEADERBOARD: "leaderboard"}

#: A leaderboard that carries no analysis.
_NOTHING = NamedResults(best=None, contradicted=frozenset())
#: A contradiction has two sides; the page mentions them only where there is more than one such pair.
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
    may_be_best: Annotated[bool | None, "Whether a result of it ties for first; null without a best set."]
    training: Annotated[Word, "What the sources' statements about its training come to for the collection."]
    scores: Annotated[tuple[ItsScore, ...], "The best of each source; the best of all first."]
    n_disputed: Annotated[int, "How many of its results there somebody disputes, undecided."]
    n_contradicted: Annotated[int, "How many of them do not go with the same system's score on a linked leaderboard."]

    @property
    def share(self) -> float:
        """The share of the others that it beats, from 0 to 1; alone it beats all."""
        return self.n_beaten / self.n_others if self.n_others else 1.0

    @property
    def kind(self) -> str:
        """Its training there, as one of ``KINDS``; what takes no training is zero-shot."""
        return {IN_DOMAIN: "trained", "says_nothing": "undisclosed"}.get(self.training, "zero-shot")

    @property
    def difference(self) -> float:
        """The distance between the best scores of its sources."""
        values = [score.value for score in self.scores]
        return max(values) - min(values)

    @property
    def is_rounded(self) -> bool:
        """True where rounding, or .0001 by machine, explains that."""
        return not any(first.score.contradicts(second.score) for first, second in combinations(self.scores, 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBy:
    """Where figures of the model were taken from."""

    source: str
    n_results: int
    n_self_reported: Annotated[int, "Those that nobody but the model's maker ran."]
    n_systems: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDocument(ModelBrief):
    """What is known of a model."""

    base: Annotated[str, "The model that it was made from, as its card says; blank where nothing is said."]
    base_model: Annotated[ModelBrief | None, "That one, where it is on record."]
    published: Annotated[str, "When its paper could be read, as YYYY-MM-DD, YYYY-MM or YYYY; blank if unknown."]
    released: Annotated[str, "When its checkpoint became available, in the same form."]
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
        """The numbers of these, and of those where it ties for first, by training: those that the claim is about."""
        kinds = grouped(self.judged, lambda board: board.kind)
        left_out = "undisclosed" if "zero-shot" in kinds else ""
        return {kind: counted(kinds[kind]) for kind in KINDS if kind in kinds and kind != left_out}

    @property
    def claim(self) -> str:
        """The sentence on how many leaderboards it ties for first, those that it was trained on apart."""
        nothing = "none" if self.boards else "nothing", (len(self.boards), 0)
        kind, (n, n_best) = next(iter(self.ties.items()), nothing)
        n_trained, n_trained_best = self.ties.get("trained", (0, 0))
        counts = {"n": n, "n_best": n_best, "n_trained": n_trained, "n_trained_best": n_trained_best}
        return say("model-claim", kind=kind, name=without_owner(self.name), **counts)

    @property
    def numbers(self) -> Iterator[Fact]:
        """Yield on how many leaderboards it ties for first, by training, and how many results others reported."""
        for kind, (n, n_best) in self.ties.items():
            meaning = say("model-tied-meaning", kind=kind)
            yield Fact(
                say("model-tied", kind=kind, tied="yes"), thousands(n_best), meaning, "set", beside=f"of {thousands(n)}"
            )
        if self.n_results:
            meaning, n = say("model-others-meaning", n_own=self.n_self_reported), self.n_results
            yield Fact(say("model-others"), thousands(n - self.n_self_reported), meaning, beside=f"of {thousands(n)}")

    @property
    def n_without_set(self) -> int:
        return len(self.boards) - len(self.judged)

    @property
    def n_self_reported(self) -> int:
        """The number of results that only its maker ran."""
        return sum(row.n_self_reported for row in self.run_by)

    @property
    def met_again(self) -> list[ModelOnBoard]:
        """Boards where several sources have a score of it; first those that differ beyond rounding, by how much."""
        several = [board for board in self.boards if len(board.scores) > 1]
        return sorted(several, key=lambda board: (board.is_rounded, -board.difference))

    @property
    def differing(self) -> list[ModelOnBoard]:
        """Those of them that differ beyond rounding."""
        return [board for board in self.met_again if not board.is_rounded]

    @property
    def n_agreeing(self) -> int:
        """The number of these where rounding explains the difference."""
        return sum(board.is_rounded for board in self.met_again)

    @property
    def disputed(self) -> list[ModelOnBoard]:
        return [board for board in self.boards if board.n_disputed]

    @property
    def contradicted(self) -> list[ModelOnBoard]:
        """Boards whose scores contradict those on linked leaderboards; none where they are fewer than three."""
        contradicted = [board for board in self.boards if board.n_contradicted]
        return contradicted if len(contradicted) >= _MIN_CONTRADICTED else []

    @property
    def by_training(self) -> list[tuple[str, int]]:
        """The states of training with the number of leaderboards of each, most first."""
        counts = Counter(board.training for board in self.boards)
        return [(str(TrainingState(word).label), n) for word, n in counts.most_common()]


def counted(boards: Iterable[ModelOnBoard]) -> tuple[int, int]:
    """Return how many are ranked, and on how many of these it ties for first."""
    ranked = [board.may_be_best for board in boards if board.may_be_best is not None]
    return len(ranked), sum(ranked)


def model_document(on_record: queries.ModelOnRecord) -> ModelDocument:
    model, systems = on_record.model, on_record.systems
    results = queries.standing_results(on_record)
    base, derived = queries.relatives(model)
    facts = queries.facts_of(systems, model)
    names = {system.name for system in systems}
    links = [(link, n) for link, n in queries.papers_about(systems) if link.paper_id != model.paper_id]
    by_source = grouped(results, lambda result: result.source)
    return document_of(
        ModelDocument, model, url=model.get_absolute_url(), base_model=_brief(base) if base else None,
        known_from=model.source, paper=describe_paper(model.paper) if model.paper else None,
        papers=tuple(
            ItsPaper(
                paper=describe_paper(link.paper),
                title=link.paper.title,
                relation=link.get_relation_display(),
                n_systems=n,
            )
            for link, n in links
        ),
        facts=describe_facts(facts) if facts else None, systems=_systems(systems, results), n_results=len(results),
        boards=_boards(on_record, results),
        run_by=tuple(
            RunBy(
                source=source,
                n_results=len(rows),
                n_self_reported=sum(row.is_self_reported for row in rows),
                n_systems=len({row.system_id for row in rows}),
            )
            for source, rows in sorted(by_source.items(), key=lambda item: (-len(item[1]), item[0]))
        ),
        contested=tuple(contested_of(names)), disclosures=tuple(disclosures_of(names)),
        derived=tuple(map(_brief, derived)),
    )  # fmt: skip


def _brief(model: Model) -> ModelBrief:
    return document_of(ModelBrief, model, url=model.get_absolute_url())


def _systems(systems: Iterable[System], results: Iterable[queries.Standing]) -> tuple[ItsSystem, ...]:
    counts = Counter(result.system_id for result in results)
    listed = (
        document_of(ItsSystem, system, id=system.pk, url=system.get_absolute_url(), n_results=counts[system.pk])
        for system in systems
    )
    return tuple(sorted(listed, key=lambda system: (-system.n_results, system.name.casefold(), system.team)))


def _boards(on_record: queries.ModelOnRecord, results: Iterable[queries.Standing]) -> tuple[ModelOnBoard, ...]:
    comparable = (result for result in results if result.comparability == Result.Comparability.STANDARD)
    by_board = grouped(comparable, lambda result: result.leaderboard.pk)
    ranked = {board: sorted(rows, key=_goodness, reverse=True) for board, rows in by_board.items()}
    places = queries.places(ranked)
    named, suites = read_named_results(ranked), queries.suites_of_places()
    training = on_record.training_on({rows[0].leaderboard.collection for rows in ranked.values()})
    return tuple(
        _board(rows, places[board], named.get(board, _NOTHING), suites, training) for board, rows in ranked.items()
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
    first_of_source = {result.source: result for result in reversed(ranked)}
    return ModelOnBoard(
        collection=board.collection.slug, name=board.collection.name, measure=board.measure.name,
        decimals=board.measure.decimals, url=board.get_absolute_url(), suite=suite, suite_name=suite_name,
        n_others=place[0], n_beaten=place[1],
        may_be_best=None if named.best is None else any(result.pk in named.best for result in ranked),
        training=training[board.collection_id].word,
        scores=tuple(_score(result) for result in sorted(first_of_source.values(), key=_goodness, reverse=True)),
        n_disputed=sum(result.is_disputed for result in ranked),
        n_contradicted=sum(result.pk in named.contradicted for result in ranked),
    )  # fmt: skip


def _score(result: queries.Standing) -> ItsScore:
    return document_of(
        ItsScore, result, result=result.pk, url=Result.address_of(result.pk), by=_BY.get(result.role, "paper")
    )


BOARD_COLUMNS = (
    "collection", "measure", "suite", "printed", "unit", "value", "source", "n_others", "n_beaten", "may_be_best",
    "training", "url",
)  # fmt: skip


def board_rows(document: ModelDocument) -> list[tuple[object, ...]]:
    return [
        (
            board.collection, board.measure, board.suite, board.scores[0].printed, board.scores[0].unit,
            board.scores[0].value, board.scores[0].source, board.n_others, board.n_beaten, board.may_be_best,
            board.training, board.url,
        )
        for board in document.boards
    ]  # fmt: skip
