"""Published results, as printed; what people say of them, and the scores by topic behind them."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone

from analysis.readers.numbers import PERCENT, PrintedScore
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.core.http import path_to
from registry.core.querysets import one_standing
from registry.journal.models import Entry
from registry.results.models.papers import Paper
from registry.results.models.systems import Source, System
from registry.results.querysets import CorrectionRequestQuerySet, ResultQuerySet, TopicScoresQuerySet


class Result(models.Model):
    """A system's mean score on a leaderboard, as printed.

    Nothing is edited in place: a row that was superseded or withdrawn keeps its values, gets ``ended_at`` with the
    journal entry that says why, and stays visible as a tombstone.
    """

    class Role(models.TextChoices):
        TREC_RUN = "trec_run", "shared-task run"
        LEADERBOARD = "leaderboard", "leaderboard entry"
        PROPOSED = "proposed", "proposed"
        BASELINE = "baseline", "baseline"
        REFERENCE_IMPLEMENTATION = "reference_implementation", "reference run"

    class RunType(models.TextChoices):
        UNKNOWN = "", "not stated"
        AUTOMATIC = "automatic", "automatic"
        MANUAL = "manual", "manual"

    class Provenance(models.TextChoices):
        TRANSCRIBED = "transcribed", "transcribed"
        DOUBLE_CHECKED = "double_checked", "double-checked"
        AUTHOR_CONFIRMED = "author_confirmed", "author-confirmed"
        TOPIC_SCORES = "topic_scores", "per-topic scores"
        RECOMPUTED = "recomputed", "recomputed from a run"

    class Comparability(models.TextChoices):
        STANDARD = "standard", "standard"
        TOPIC_SUBSET = "topic_subset", "other set of topics"
        OTHER_JUDGEMENTS = "other_judgements", "other judgements"
        OTHER_DOCUMENTS = "other_documents", "other documents"
        ORACLE = "oracle", "uses the judgements"
        DOUBTFUL = "doubtful", "doubtful figure"
        PARTIAL_MEAN = "partial_mean", "mean of some members only"
        SAME_RUN = "same_run", "same scores as another row"

    class Unit(models.TextChoices):
        MEASURE = "", "as the measure counts"
        PERCENT = PERCENT, "in percent"

    class Ending(models.TextChoices):
        SUPERSEDED = "superseded", "superseded"
        WITHDRAWN = "withdrawn", "withdrawn"

    #: Roles of original results: only these are among the counted results.
    COUNTED_ROLES = (Role.TREC_RUN, Role.LEADERBOARD, Role.PROPOSED, Role.BASELINE)

    leaderboard = models.ForeignKey(Leaderboard, on_delete=models.PROTECT, related_name="results")
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="results")
    paper = models.ForeignKey(Paper, null=True, blank=True, on_delete=models.PROTECT, related_name="results")
    printed = models.CharField(max_length=40, help_text="The score exactly as reported, with all digits.")
    unit = models.CharField(
        max_length=10, choices=Unit, blank=True, default=Unit.MEASURE, help_text="What the printed digits are in."
    )
    value = models.FloatField(help_text="The printed score as a number on the scale of its measure.")
    year = models.PositiveSmallIntegerField(null=True, blank=True)
    date = models.DateField(null=True, blank=True)
    role = models.CharField(max_length=30, choices=Role)
    run_type = models.CharField(max_length=10, choices=RunType, blank=True, default=RunType.UNKNOWN)
    provenance = models.CharField(max_length=20, choices=Provenance, default=Provenance.TRANSCRIBED)
    comparability = models.CharField(max_length=20, choices=Comparability, default=Comparability.STANDARD)
    replicate_of = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="replicates",
        help_text="The first instance of the same non-deterministic system, which counts for all of them.",
    )
    n_topics_here = models.PositiveIntegerField(
        null=True, blank=True, help_text="Topics behind this mean, where not the leaderboard's."
    )
    is_self_reported = models.BooleanField(
        default=False, help_text="Nobody but who made the system ran it, and the source does not vouch for it."
    )
    evaluator = models.CharField(
        max_length=100, blank=True, help_text="The program that computed it, with its version."
    )
    dataset_revision = models.CharField(
        max_length=100, blank=True, help_text="The commit or version of the data set that was evaluated."
    )
    locator = models.CharField(max_length=200, blank=True, help_text="Where in the paper: table, row, page.")
    source = models.CharField(max_length=500, help_text="Where the figure was taken from.")
    notes = models.TextField(blank=True)

    recorded_at = models.DateTimeField(db_index=True)
    recorded_by = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="recorded_results")
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(Entry, null=True, blank=True, on_delete=models.PROTECT, related_name="ended_results")
    ending = models.CharField(max_length=10, choices=Ending, blank=True)
    superseded_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="supersedes"
    )

    #: Whether somebody disputes it and nobody has decided yet, for results ``with_disputes``.
    is_disputed: bool
    #: Name, addresses and state of its source, for results ``with_sources``; None where nothing is known of that.
    known_source: dict[str, str] | None

    objects = ResultQuerySet.as_manager()

    class Meta:
        constraints = [
            # A missing paper is a value of its own here, so it takes two constraints to say "once".
            one_standing("leaderboard", "system", "source", "paper", name="result_once", paper__isnull=False),
            one_standing("leaderboard", "system", "source", name="result_without_paper_once", paper__isnull=True),
            # NaN compares as larger than everything in PostgreSQL, and is stored as NULL by SQLite.
            models.CheckConstraint(condition=Q(value__gt=-1e12, value__lt=1e12), name="result_value_finite"),
            models.CheckConstraint(condition=~Q(printed=""), name="result_keeps_what_was_printed"),
            models.CheckConstraint(condition=Q(unit__in=["", "percent"]), name="result_unit_known"),
            models.CheckConstraint(
                condition=Q(year__isnull=True) | Q(year__range=(1950, 2100)), name="result_year_real"
            ),
            models.CheckConstraint(
                condition=Q(role__in=["trec_run", "leaderboard", "proposed", "baseline", "reference_implementation"]),
                name="result_role_known",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_by__isnull=True, ending="")
                | Q(ended_at__isnull=False, ended_by__isnull=False, ending__in=["superseded", "withdrawn"]),
                name="result_ends_with_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(replicate_of__isnull=True) | ~Q(replicate_of=F("pk")), name="result_not_its_own_replicate"
            ),
        ]
        indexes = [
            models.Index(fields=["leaderboard", "ended_at"], name="result_on_leaderboard"),
            # Papers followed over the years: few of all results are of a paper's own systems.
            models.Index(fields=["role", "leaderboard"], name="result_by_role"),
            # What a source gives, and whether most of it is a paper's.
            models.Index(fields=["source", "role"], condition=Q(ended_at=None), name="result_by_source"),
        ]

    def __str__(self) -> str:
        return f"{self.system} {self.score.digits}"

    def get_absolute_url(self) -> str:
        return self.address_of(self.pk)

    @staticmethod
    def address_of(pk: int) -> str:
        """Return the address of the result of this number, without the result."""
        return f"{path_to('results:result-detail', None, (0,)).removesuffix('0/')}{pk}/"

    @property
    def end(self) -> "End | None":
        """When it left the record, and why; None while it stands."""
        return End(self.ended_at, self.ended_by) if self.ended_at and self.ended_by else None

    @property
    def score(self) -> PrintedScore:
        """The score as its source prints it, with the number that this stands for."""
        return PrintedScore(self.printed, self.unit)

    @property
    def opened(self) -> str:
        """The address of its figure: the file of its source in the state that was read, else the paper; blank if
        neither is known. For results with their sources at hand (``for_listing``)."""
        if self.known_source:
            return Source(**self.known_source).opened(self.locator)
        if self.source.startswith(("https://", "http://")):
            return self.source
        return self.paper.address if self.paper else ""

    @property
    def source_page(self) -> str:
        """The page of its source; blank where nothing is known of that."""
        return Source(**self.known_source).get_absolute_url() if self.known_source else ""

    @property
    def shown(self) -> str:
        """The score as pages show it, with its significant digits or those of the measure."""
        return self.score.shown(self.leaderboard.measure.decimals)


@dataclass(frozen=True, slots=True)
class End:
    """When a result left the record, and the entry of the journal that says why."""

    at: datetime
    entry: Entry


#: The fields in which one report of a result can differ from another; the rest tells results from each other.
CONTENT = (
    "printed", "unit", "year", "date", "role", "run_type", "provenance", "comparability", "n_topics_here",
    "is_self_reported", "evaluator", "dataset_revision", "locator", "notes",
)  # fmt: skip

#: Tiers that a result earns when people read its score again; they hold for that score only.
EARNED = (Result.Provenance.DOUBLE_CHECKED, Result.Provenance.AUTHOR_CONFIRMED)


class CorrectionRequest(models.Model):
    """A request to correct a result, or a dispute, with the decision; public like the result.

    An open request follows its result when that is superseded.
    """

    class Kind(models.TextChoices):
        CORRECT = "correct", "correction"
        DISPUTE = "dispute", "dispute"

    class State(models.TextChoices):
        OPEN = "open", "open"
        ACCEPTED = "accepted", "accepted"
        DECLINED = "declined", "declined"

    result = models.ForeignKey(Result, on_delete=models.PROTECT, related_name="correction_requests")
    requester = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)
    proposed_printed = models.CharField(max_length=40, blank=True, help_text="The score that should stand there.")
    proposed_unit = models.CharField(max_length=10, choices=Result.Unit, blank=True, default=Result.Unit.MEASURE)
    reason = models.TextField()
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decision_reason = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    shown_at = models.DateTimeField(
        null=True, blank=True, help_text="Of a dispute: since when all see it; before, who asked and who decides do."
    )

    objects = CorrectionRequestQuerySet.as_manager()

    class Meta:
        ordering = ["created_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["result", "requester", "kind"], condition=Q(state="open"), name="correction_request_open_once"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="correction_request_has_reason"),
            models.CheckConstraint(
                condition=~Q(kind="correct") | ~Q(proposed_printed=""), name="correction_request_proposes"
            ),
            models.CheckConstraint(
                condition=Q(state="open", decided_at__isnull=True, decided_by__isnull=True)
                | Q(state__in=["accepted", "declined"], decided_at__isnull=False, decided_by__isnull=False),
                name="correction_request_decided_by_somebody",
            ),
        ]
        indexes = [models.Index(fields=["state", "created_at"], name="correction_request_queue")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of result {self.result_id}"

    def get_absolute_url(self) -> str:
        return reverse("results:correction-detail", args=[self.pk])

    @property
    def proposed(self) -> PrintedScore | None:
        """The score that should stand there; None where the request proposes none."""
        return PrintedScore(self.proposed_printed, self.proposed_unit) if self.proposed_printed else None


class Confirmation(models.Model):
    """Somebody read the score in its source and found it as recorded."""

    class Kind(models.TextChoices):
        SECOND_TRANSCRIPTION = "second_transcription", "second transcription"
        AUTHOR = "author", "confirmed by an author"

    result = models.ForeignKey(
        Result, on_delete=models.PROTECT, related_name="confirmations", help_text="In the version that was confirmed."
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=30, choices=Kind)
    printed = models.CharField(max_length=40, help_text="The score as this person read it.")
    unit = models.CharField(max_length=10, choices=Result.Unit, blank=True, default=Result.Unit.MEASURE)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["result", "user", "kind"], name="confirmation_once")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of result {self.result_id}"


class TopicScores(models.Model):
    """The per-topic vector behind a result, in the order of its collection's topics.

    Like results, vectors are not edited: one that is replaced gets ``ended_at`` and stays, so that an analysis as of an
    earlier day uses what was known then.
    """

    result = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="topic_scores")
    scores = models.JSONField(help_text="One number for each topic of the collection, null where the run had none.")
    recorded_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = TopicScoresQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "topic scores"
        constraints = [one_standing("result", name="topic_scores_stand_once")]

    def __str__(self) -> str:
        return f"topic scores of {self.result_id}"


class UnnamedScores(models.Model):
    """Topic scores of runs without names, which tell how the scores of a collection vary.

    They stand behind no result and on no leaderboard. Who made the runs is withheld by the publisher, with the
    organisers' permission: they are never matched with names.
    """

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="unnamed_scores")
    measure = models.ForeignKey(Measure, on_delete=models.PROTECT, related_name="unnamed_scores")
    label = models.CharField(max_length=200, unique=True, help_text="What the journal calls the file.")
    runs = models.CharField(max_length=200, help_text="What its columns are.")
    n_topics = models.PositiveIntegerField()
    n_runs = models.PositiveIntegerField()
    content = models.BinaryField(help_text="Topics, runs and scores, as compressed JSON.")
    sha256 = models.CharField(max_length=64, help_text="Of the file.")
    source = models.CharField(max_length=300)
    licence = models.CharField(max_length=100)
    note = models.CharField(max_length=300, blank=True)
    recorded_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "unnamed scores"
        ordering = ["collection", "measure", "label"]

    def __str__(self) -> str:
        return self.label
