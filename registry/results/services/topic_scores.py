"""Putting per-topic scores behind results."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from itertools import chain
from pathlib import Path

from django.db import transaction
from django.db.models.functions import Coalesce

from analysis.readers.columns import OPTIONAL_COLUMNS, REQUIRED_COLUMNS
from analysis.readers.numbers import PrintedScore
from analysis.readers.rejections import Refused
from analysis.readers.tables import open_table
from analysis.readers.text import comparison_key, did_you_mean, shorten
from registry.accounts.models import User
from registry.catalog.models import Collection, Leaderboard, Measure, Topic
from registry.catalog.queries import CatalogNames
from registry.catalog.services import ensure_leaderboards
from registry.core.listing import in_words
from registry.core.loading import LoadReport, digest_of
from registry.core.templatetags.formatting import plural
from registry.journal.services import record
from registry.results.models import Result, System, TopicScores
from registry.results.pipeline.rows import result_reader
from registry.results.pipeline.topic_scores import ScoreColumn, TopicTable, read_topic_table
from registry.results.services.endings import Change
from registry.results.services.recording import record_results

TOPIC_SCORES_LOADED = "results.topic_scores.loaded"
#: Digits of scores by topic: at least as many as their mean has.
_DECIMALS = 4


@dataclass(frozen=True)
class Origin:
    """The facts that hold for all systems of a table of per-topic scores; needed for those without a result."""

    role: str = ""
    run_type: str = ""
    team: str = ""
    year: str = ""
    paper: str = ""
    paper_url: str = ""
    source: str = ""


def load_topic_scores(
    *,
    path: Path,
    collection: Collection,
    measure: Measure,
    origin: Origin,
    label: str = "",
    digest: str = "",
    actor: User | None = None,
    reason: str = "",
    replace: bool = False,
    dry_run: bool = False,
    names: CatalogNames | None = None,
) -> LoadReport:
    """Put the scores of one file behind the results of its systems on the leaderboard; all columns or none.

    A column is attached to the standing result of its system if the printed score is the mean of the column, and
    refused if it is not; for a system without a result the mean is recorded, in the decimals of the measure. The first
    file of a collection fixes its topics and their order; later files are aligned by label. If other scores stand
    behind a result, the new ones are refused, or with ``replace`` take their place from now on. ``names`` saves reading
    the catalog's names for every one of many files.
    """
    report = LoadReport(label or path.name, digest, str(path))
    try:
        with open_table(path) as stream:
            table = read_topic_table(stream, measure)
        report.digest = report.digest or digest_of(path)
    except Refused as refused:
        table = [refused.at(None, fatal=True)]
    if isinstance(table, list):
        report.refuse(table)
        return report
    with transaction.atomic():
        pair = (collection.pk, measure.pk)
        boards = Leaderboard.objects.with_names().select_for_update(of=("self",))
        board = boards.get(pk=ensure_leaderboards(pairs=[pair])[pair])
        load = _TopicScoresLoad(report, board, origin, actor, reason, replace, names)
        load.run(table)
        if dry_run or report.refused:
            transaction.set_rollback(True)
        elif report.added or report.superseded:
            load.write_journal()
    return report


def why_not_behind(scores_by_topic: Mapping[str, float], score: PrintedScore, labels: Sequence[str]) -> str:
    """Return why scores by topic can't stand behind a score: ``no_topics``, ``topics``, ``mean``; blank where they can.

    ``labels`` are the topics of its collection. The scores by topic are in the unit in which the score is printed.
    """
    if not labels:
        return "no_topics"
    if set(scores_by_topic) != set(labels):
        return "topics"
    return "" if ScoreColumn("", list(_scaled(scores_by_topic, score)), _DECIMALS).agrees_with(score) else "mean"


def _scaled(scores_by_topic: Mapping[str, float], score: PrintedScore) -> Iterator[float]:
    """Yield the scores in the unit of the measure."""
    yield from (value / 100 if score.unit else value for value in scores_by_topic.values())


def attach_topic_scores(
    scores_by_topic: Mapping[int, Mapping[str, float]], *, label: str, actor: User | None = None, reason: str = ""
) -> int:
    """Put scores by topic, by the ids of results, behind the results that can have them; return for how many.

    ``label`` names their origin in the journal. Scores on other topics than the collection's, or with another mean, are
    left out; results that have scores already keep them.
    """
    results = Result.objects.standing().select_related("leaderboard").in_bulk(scores_by_topic)
    with_scores = set(TopicScores.objects.standing().filter(result__in=results).values_list("result", flat=True))
    topics: dict[int, list[str]] = defaultdict(list)
    boards = {result.leaderboard.collection_id for result in results.values()}
    for collection, topic in Topic.objects.filter(collection__in=boards).values_list("collection", "label"):
        topics[collection].append(topic)
    new: dict[int, list[float | None]] = {}
    for pk, result in results.items():
        labels = topics[result.leaderboard.collection_id]
        if pk not in with_scores and not why_not_behind(scores_by_topic[pk], result.score, labels):
            scaled = dict(zip(scores_by_topic[pk], _scaled(scores_by_topic[pk], result.score), strict=True))
            new[pk] = [scaled[topic] for topic in labels]
    if new:
        change = Change(actor, reason)
        change.put_topic_scores(new)
        change.tell()
        after = {"added": len(new), "results": sorted(new)}
        record(action=TOPIC_SCORES_LOADED, subject=("file", label), actor=actor, reason=reason, after=after)
    return len(new)


@dataclass
class _TopicScoresLoad:
    """One table on its way behind the results of a leaderboard, which is held until the transaction ends."""

    report: LoadReport
    board: Leaderboard
    origin: Origin
    actor: User | None
    reason: str
    replace: bool
    names: CatalogNames | None
    n_results: int = 0

    def run(self, table: TopicTable) -> None:
        order = self._align(table.labels)
        if order is None:
            return
        for column in table.columns:
            column.scores = [column.scores[position] for position in order]
        candidates = self._candidates(table)
        vectors = TopicScores.objects.standing().vectors(chain.from_iterable(candidates.values()))
        targets: dict[str, Result | None] = {}
        spelled: dict[int, str] = {}
        for column in table.columns:
            try:
                target = _choose(column, candidates.get(column.key, []), vectors, replace=self.replace)
                first = spelled.setdefault(target.system_id, column.system) if target else column.system
                if first != column.system:
                    message = f"is the system of the column {first!r} by another name; leave one out"
                    raise Refused("duplicate_column", message)
                targets[column.key] = target
            except Refused as refused:
                self._refuse(refused, column.system)
        if not self.report.refused:
            self._attach(table, targets, vectors)

    def _refuse(self, refused: Refused, column: str) -> None:
        self.report.refuse([refused.at(1, column)])

    def _align(self, labels: list[str]) -> list[int] | None:
        """Return the place in the file of each topic of the collection, in its order; None where the topics differ."""
        known = list(Topic.objects.filter(collection=self.board.collection).values_list("label", flat=True))
        if not known:
            return self._fix_topics(labels)
        places = {label: place for place, label in enumerate(labels)}
        strange = [label for label in labels if label not in set(known)]
        missing = [label for label in known if label not in places]
        if not strange and not missing:
            return [places[label] for label in known]
        slug = self.board.collection.slug
        if strange:
            shown = in_words([*map(repr, strange)], most=5, separator=", ")
            message = f"{slug} has no topic {shown}{did_you_mean(strange[0], missing)}"
            self._refuse(Refused("unknown_topic", message), "topic")
        if missing:
            shown = in_words([*map(repr, missing)], most=5, separator=", ")
            number = plural(len(missing), f"topic of {slug} has,topics of {slug} have")
            message = f"{number} no row ({shown}); leave cells blank instead"
            self._refuse(Refused("missing_topic", message), "topic")
        return None

    def _fix_topics(self, labels: list[str]) -> list[int] | None:
        expected = self.board.n_topics
        if expected is not None and len(labels) != expected:
            number = plural(len(labels), "topic,topics")
            message = f"the file has {number}, {self.board.collection.slug} has {expected}"
            self._refuse(Refused("n_topics", message), "topic")
            return None
        Topic.objects.bulk_create(
            Topic(collection=self.board.collection, position=position, label=label)
            for position, label in enumerate(labels)
        )
        return list(range(len(labels)))

    def _candidates(self, table: TopicTable) -> dict[str, list[Result]]:
        """Return the standing results of the table's systems here, under merged names as well, the oldest first."""
        named = System.objects.filter(name_key__in=[column.key for column in table.columns])
        if self.origin.team:
            named = named.filter(team_key=comparison_key(self.origin.team))
        keys: dict[int, set[str]] = {}
        for key, pk in named.values_list("name_key", Coalesce("merged_into_id", "pk")):
            keys.setdefault(pk, set()).add(key)
        rows = Result.objects.standing().for_leaderboard(self.board).filter(system__in=keys)
        candidates: dict[str, list[Result]] = {}
        for result in rows.select_related("system").order_by("pk"):
            for key in keys[result.system_id]:
                candidates.setdefault(key, []).append(result)
        return candidates

    def _attach(
        self, table: TopicTable, targets: dict[str, Result | None], vectors: dict[int, list[float | None]]
    ) -> None:
        lacking = [column for column in table.columns if targets[column.key] is None]
        if lacking and not self._record_means(lacking):
            return
        if lacking:
            candidates = self._candidates(table)
            targets |= {column.key: candidates[column.key][0] for column in lacking if column.key in candidates}
        new = {
            result.pk: column.scores
            for column in table.columns
            if (result := targets[column.key]) is not None and vectors.get(result.pk) != column.scores
        }
        change = Change(self.actor, self.reason)
        self.report.superseded = change.put_topic_scores(new)
        self.report.added = len(new) - self.report.superseded
        self.report.unchanged = len(table.columns) - len(new) - self.report.withdrawn
        change.tell()

    def _record_means(self, columns: list[ScoreColumn]) -> bool:
        """Record a result for each column that has none; return whether none was refused."""
        if not self.origin.role:
            for column in columns:
                message = "has no result on this leaderboard; give a role to record the mean of its scores as one"
                self._refuse(Refused("no_result", message), column.system)
            return False
        read = result_reader(self.names or CatalogNames(), today=date.today())
        rows = [read(self._mean_cells(column), 1) for column in columns]
        recorded = record_results(rows=rows, label=f"{self.report.label} (means)", actor=self.actor, reason=self.reason)
        self.report.withdrawn = recorded.withdrawn
        for rejection in recorded.rejections:
            self.report.refuse([rejection])
        self.n_results = recorded.added
        if self.n_results:
            self.report.remarks.append(
                f"{plural(self.n_results, 'result is,results are')} new, from the means of the scores"
            )
        return not recorded.refused

    def _mean_cells(self, column: ScoreColumn) -> dict[str, str]:
        cells = dict.fromkeys([*REQUIRED_COLUMNS, *OPTIONAL_COLUMNS], "") | asdict(self.origin)
        cells |= {
            "collection": self.board.collection.slug,
            "measure": self.board.measure.name,
            "system": column.system,
            "value": f"{column.means()[0]:.{self.board.measure.decimals}f}",
            "provenance": Result.Provenance.TOPIC_SCORES.value,
            "source": self.origin.source or ("" if self.origin.paper or self.origin.paper_url else self.report.label),
        }
        if column.n_topics != len(column.scores):
            cells["n_topics"] = str(column.n_topics)
        return cells

    def write_journal(self) -> None:
        record(
            action=TOPIC_SCORES_LOADED,
            subject=("file", self.report.label[:200]),
            actor=self.actor,
            reason=self.reason,
            after={
                "digest": self.report.digest,
                "collection": self.board.collection.slug,
                "measure": self.board.measure.name,
                "added": self.report.added,
                "superseded": self.report.superseded,
                "unchanged": self.report.unchanged,
                "new_results": self.n_results,
            },
        )


def _choose(
    column: ScoreColumn, candidates: list[Result], vectors: dict[int, list[float | None]], *, replace: bool
) -> Result | None:
    """Return the result that a column holds the scores of; None if the system has none. Refuse a contradiction.

    ``vectors`` are the scores that stand behind results, by their ids; with ``replace`` they may give way.
    """
    if len({result.system_id for result in candidates}) > 1:
        teams = " and ".join(sorted({repr(result.system.team) for result in candidates}))
        raise Refused("ambiguous", f"is the name of systems of several teams ({teams}); name the team")
    if not candidates:
        return None
    for result in candidates:
        if vectors.get(result.pk) == column.scores:
            return result
    agreeing = [result for result in candidates if column.agrees_with(result.score)]
    if not agreeing:
        recorded = ", ".join(f"{result.score} (from {shorten(result.source)})" for result in candidates)
        mean = " or ".join(f"{mean:.6f}" for mean in column.means())
        raise Refused("disagreement", f"the mean of these scores is {mean}, on the record is {recorded}")
    free = [result for result in agreeing if result.pk not in vectors]
    if not free and not replace:
        message = f"other per-topic scores stand behind the result {agreeing[0].score} already; --replace ends those"
        raise Refused("other_scores", message)
    if not free and len(agreeing) > 1:
        raise Refused(
            "ambiguous", f"{len(agreeing)} results have other per-topic scores; withdraw those that are wrong"
        )
    return (free or agreeing)[0]
