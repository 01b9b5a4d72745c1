"""The calibration of verdicts as its page shows it: both worlds of a class of boards in one line; and kept verdicts
against evidence that came after them.

A verdict is frozen as its snapshot, which never changes. What scores it came on record later: topic scores of a
leaderboard that had none, and leaderboards of the same systems with other topics, judgements or documents.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from django.db.models import Aggregate, Count, Max, Min, QuerySet
from django.urls import reverse

from analysis.boards import (
    METHODS,
    CalibrationRow,
    EvidenceKind,
    SuiteCalibrationRow,
    SuiteQuestion,
    audit,
    calibration,
)
from analysis.boards import Snapshot as KeptVerdict
from registry.catalog.models import CollectionLink, Leaderboard
from registry.catalog.relatives import CHECKS, checked_links
from registry.core.listing import grouped
from registry.leaderboards.models import Analysis, Snapshot
from registry.leaderboards.queries.boards import read_kept
from registry.results.models import Result
from registry.results.querysets import ResultQuerySet

_PROMISED = 0.95
#: In the order of their strength, with what each means.
KINDS: dict[EvidenceKind, tuple[str, str]] = {
    "own-topics": ("Own topics", "Topic scores of every row that competes."),
    "own-variance": (
        "Own variance",
        "Means alone; how much scores vary was measured on other runs of the same collection.",
    ),
    "own-and-predicted": (
        "Own variance and prediction",
        "Means alone. Three or five other runs of the collection were measured, or fewer than ten where there are"
        " no more, without near-copies. What they tell is taken together with a prediction.",
    ),
    "predicted": (
        "Predicted",
        "Means alone. How much scores vary is predicted from the measure, the mean of the scores and the relevant"
        " documents of a topic. The model was fitted without the collection. Classes: how many documents the"
        " score of a topic hangs on. Boards of one are made of where real runs have the first right document.",
    ),
    "predicted-without-density": (
        "Predicted, relevant documents not known",
        "The same on real tables as if nobody had counted how many documents are relevant.",
    ),
}

#: The questions about suites, what each means, and what they were drawn from.
SUITES: dict[SuiteQuestion, tuple[str, str, str]] = {
    "other-collections": (
        "Suites, on other collections",
        "The collections of real tables of systems and collections are drawn again. What systems score on all of them"
        " is taken for true.",
        "tables",
    ),
    "same-collections": (
        "Suites, on the same collections",
        "Topics are drawn again. No systems with topic scores ran on many collections, so that systems about as good on"
        " each are put together.",
        "kinds of measures",
    ),
}

#: How many documents decide, in words.
_DECIDING = {
    "one": "one deciding document",
    "few": "few",
    "many": "many",
    "ERR": "ERR",
    "Bpref": "bpref",
    "cut-short": "lists shorter than the relevant documents",
    "unknown": "not known",
}


Row = CalibrationRow | SuiteCalibrationRow


@dataclass(frozen=True, slots=True)
class Line:
    """One class of boards, or of suites: ``equal`` with all systems equally good, ``measured`` as they differ.

    ``n_from`` says from how many collections, or tables, these were drawn.
    """

    name: str
    equal: Row
    measured: Row
    n_from: int


@dataclass(frozen=True, slots=True)
class Group:
    """The lines of one family of measures, or of all; and of suites, whose family is blank."""

    family: str
    lines: tuple[Line, ...]

    @property
    def is_all(self) -> bool:
        """Return whether boards under all measures are in it."""
        return self.family in ("all", "")

    @property
    def name(self) -> str:
        """For people."""
        return "all measures" if self.family == "all" else self.family


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The groups of one kind of evidence, that of all measures first; or of one question about suites.

    ``classes`` says what lines are classes by, in a sentence and at their head; ``drawn`` what was drawn from what.
    """

    key: EvidenceKind | SuiteQuestion
    name: str
    meaning: str
    groups: tuple[Group, ...]
    classes: tuple[str, str] = ("rows that compete and topics", "Rows, topics")
    drawn: tuple[str, str] = ("Boards", "collections")

    @property
    def has_leaders(self) -> bool:
        """Return whether leaders can be verified and values have intervals."""
        return self.key == "own-topics"


def calibration_context() -> dict[str, object]:
    """Return what the template of the page needs beside its document."""
    shipped = calibration()
    equal = [row for row in shipped.rows if row.world == "equal"]
    predicted = [row for row in equal if row.variance_class]
    return {
        "below": [row for row in equal if row.coverage < _PROMISED],
        "lowest": min(equal, key=lambda row: row.coverage),
        "worst": min((row for row in equal if row.family != "all"), key=lambda row: row.coverage_min),
        "n_lines": len(equal),
        "lowest_predicted": min(row.coverage_min for row in predicted),
        "calibration": shipped,
        "audited": [(row, _DECIDING[row.variance_class]) for row in audit()],
        "n_beyond": sum(row.is_beyond for row in audit()),
        "n_collections": len({table.collection for table in shipped.tables}),
        "n_tables": sum(not table.is_sparse for table in shipped.tables),
        "present_methods": METHODS.version,
        "sections": list(_sections(shipped.rows)),
        "suite_sections": list(_suite_sections(shipped.suites)),
    }


def _sections(rows: Sequence[CalibrationRow]) -> Iterator[Section]:
    """Yield the kinds of evidence that were measured, in the order of their strength."""
    measured = {row.key: row for row in rows if row.world == "as-measured"}
    by_evidence = grouped((row for row in rows if row.world == "equal"), lambda row: row.evidence)
    for key, (name, meaning) in KINDS.items():
        by_family = grouped(by_evidence[key], lambda row: row.family)
        groups = tuple(
            Group(family, tuple(Line(_class_of(row), row, measured[row.key], row.n_collections) for row in of_family))
            for family, of_family in sorted(by_family.items(), key=lambda group: (group[0] != "all", group[0]))
        )
        by = {"classes": ("deciding documents", "Deciding documents")} if key.startswith("predicted") else {}
        if groups:
            yield Section(key=key, name=name, meaning=meaning, groups=groups, **by)


def _class_of(row: CalibrationRow) -> str:
    """Return how many rows such boards have, over how many topics; of predictions, how many documents decide."""
    if row.variance_class:
        return _DECIDING[row.variance_class]
    return f"{_range(row.min_systems, row.max_systems)} rows, {_range(row.min_topics, row.max_topics)} topics"


def _suite_sections(rows: Sequence[SuiteCalibrationRow]) -> Iterator[Section]:
    measured = {row.key: row for row in rows if row.world == "as-measured"}
    for key, of_question in grouped((row for row in rows if row.world == "equal"), lambda row: row.question).items():
        name, meaning, source = SUITES[key]
        lines = []
        for row in of_question:
            collections = _range(row.min_collections, row.max_collections)
            called = f"{_range(row.min_systems, row.max_systems)} systems, {collections} collections"
            lines.append(Line(called, row, measured[row.key], row.n_suites))
        yield Section(
            key=key,
            name=name,
            meaning=meaning,
            groups=(Group("", tuple(lines)),),
            classes=("systems that compete and collections", "Systems, collections"),
            drawn=("Suites", source),
        )


def _range(low: int, high: int | None) -> str:
    return f"{low} or more" if high is None else f"{low} to {high}"


#: Fewer systems on both, and nothing is compared.
MIN_SHARED = 20
_MEASURED = ("own-topics", "own-variance")
_EVIDENCE = {
    "fewer-documents": "the same topics with fewer documents",
    "new-version": "another version",
    "other-topics": "other topics",
    "new-judgements": "judged again",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A kept verdict, and one piece of evidence that came later."""

    leaderboard: str
    snapshot: Snapshot
    evidence: Annotated[str, "What scores it, in words."]
    seen_on: Annotated[str, "Name of the leaderboard with that evidence."]
    url: Annotated[str, "Where the evidence is."]
    n_systems: Annotated[int, "Systems that are on both."]
    held: Annotated[bool, "Whether the best by the evidence was among those that might be the best."]
    kept_leader: Annotated[bool, "Whether the leader is still the first."]


def list_predictions() -> list[Prediction]:
    """Return every verdict that later evidence scores, those that failed first."""
    predictions = (*_scored_by_linked(), *_scored_by_topic_scores())
    return sorted(predictions, key=lambda prediction: (prediction.held, prediction.leaderboard, prediction.seen_on))


def _scored_by_linked() -> Iterator[Prediction]:
    links = list(CollectionLink.objects.filter(checked_links()).values_list("base", "collection", "relation"))
    collections = {collection for link in links for collection in link[:2]}
    boards: dict[int, dict[int, Leaderboard]] = defaultdict(dict)
    for board in Leaderboard.objects.with_names().filter(collection__in=collections, results_version__gt=0):
        boards[board.collection_id][board.measure_id] = board
    pairs = [
        (boards[base][measure], boards[collection][measure], _EVIDENCE[CHECKS[relation]])
        for base, collection, relation in links
        for measure in sorted(boards[base].keys() & boards[collection].keys())
    ]
    frozen = _moments(Snapshot.objects.filter(leaderboard__in=[first for first, _, _ in pairs]), Min("created_at"))
    recorded = _moments(_comparable().filter(leaderboard__in=[second for _, second, _ in pairs]), Max("recorded_at"))
    # On most leaderboards everything was known before the verdict, and no snapshot is read.
    pairs = [
        (first, second, evidence)
        for first, second, evidence in pairs
        if first.pk in frozen and second.pk in recorded and recorded[second.pk] > frozen[first.pk]
    ]
    snapshots = _first_kept({first.pk for first, _, _ in pairs})
    for first, second, evidence in pairs:
        snapshot = snapshots.get(first.pk)
        if snapshot and (prediction := _against(first, second, snapshot, evidence)):
            yield prediction


def _moments(rows: QuerySet[Any], moment: Aggregate) -> dict[int, datetime]:
    return dict(rows.order_by().values_list("leaderboard").annotate(moment=moment))


def _comparable() -> ResultQuerySet:
    """Return results that stand, without scores of exactly 0, which are failed runs."""
    results = Result.objects.standing().filter(comparability=Result.Comparability.STANDARD, replicate_of=None)
    return results.exclude(value=0)


def _against(first: Leaderboard, second: Leaderboard, snapshot: Snapshot, evidence: str) -> Prediction | None:
    """Return how the verdict on the first leaderboard fared on the second; None where its best was known before."""
    here, there = _scores(first), _scores(second)
    shared = sorted(here.keys() & there.keys())
    stored = read_kept(snapshot, KeptVerdict)
    if stored is None or len(shared) < MIN_SHARED:
        return None
    verdict = stored.findings.verdict
    whole = next((view.set for view in verdict.views if view.view == "all"), verdict.set)
    sign = 1.0 if second.measure.higher_is_better else -1.0
    best = max(shared, key=lambda system: sign * there[system].value)
    if whole is None or whole.margin is None or there[best].recorded_at <= snapshot.created_at:
        return None
    leading = max(sign * here[system].value for system in shared)
    return Prediction(
        leaderboard=str(first),
        snapshot=snapshot,
        evidence=evidence,
        seen_on=str(second),
        url=second.get_absolute_url(),
        n_systems=len(shared),
        held=sign * here[best].value >= leading - whole.margin,
        kept_leader=sign * here[best].value >= leading,
    )


def _scores(board: Leaderboard) -> Mapping[int, Result]:
    """Return the oldest comparable result of each system."""
    return {result.system_id: result for result in _comparable().filter(leaderboard=board).order_by("-pk")}


def _first_kept(boards: set[int]) -> dict[int, Snapshot]:
    """Return the oldest snapshot of each leaderboard that this release can read."""
    oldest: dict[int, Snapshot] = {}
    for snapshot in Snapshot.objects.filter(leaderboard__in=boards).order_by("-created_at").iterator():
        if snapshot.leaderboard_id is not None and read_kept(snapshot, KeptVerdict):
            oldest[snapshot.leaderboard_id] = snapshot
    return oldest


def _scored_by_topic_scores() -> Iterator[Prediction]:
    """Yield the verdicts from before topic scores on leaderboards that have them now."""
    measured = Analysis.objects.filter(headline__evidence__in=_MEASURED, snapshot__isnull=False).select_related(
        "snapshot", "leaderboard__collection", "leaderboard__measure"
    )
    several = measured.annotate(n_kept=Count("leaderboard__snapshots")).filter(n_kept__gt=1)
    snapshots = _first_kept(set(several.values_list("leaderboard", flat=True)))
    for analysis in several:
        snapshot = snapshots.get(analysis.leaderboard_id)
        before, now = read_kept(snapshot, KeptVerdict), read_kept(analysis.snapshot, KeptVerdict)
        if snapshot is None or before is None or now is None:
            continue
        old, new = before.findings.verdict, now.findings.verdict
        if old.set is None or old.evidence.kind in _MEASURED:
            continue
        yield Prediction(
            leaderboard=str(analysis.leaderboard),
            snapshot=snapshot,
            evidence="topic scores that came later",
            seen_on=str(analysis.leaderboard),
            url=reverse("leaderboards:snapshot-detail", args=[analysis.snapshot_id]),
            n_systems=new.tries.n_results,
            held=new.best.result in old.set.members,
            kept_leader=new.best.result == old.best.result,
        )
