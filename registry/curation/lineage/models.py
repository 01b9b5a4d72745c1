"""Lineages of systems, papers about them, and what makers declare about training."""

from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from registry.catalog.models import Collection
from registry.core.querysets import RecordedQuerySet, one_standing
from registry.results.models import Paper, System

KEY_LENGTH = 600
#: How a paper may come to a system, as the database checks it.
_RELATIONS = ["listed", "introduces", "cited", "team", "probable", "uses", "toolkit", "overview"]


class StatementQuerySet(RecordedQuerySet[Any]):
    """Statements on systems, as of today or of an earlier moment."""

    def about(self, systems: models.QuerySet[System] | list[int]) -> Self:
        """Return those on these systems, under the names that were merged into them as well."""
        return self.filter(Q(system__in=systems) | Q(system__merged_into__in=systems))


class Lineage(models.Model):
    """A statement that a system is of a lineage, or is not: results that share one are of one family, directly or over
    others.

    A key is a kind and a name: ``model:baai/bge``. Teams and papers are keys without any row here. A row without a
    system says that a key makes no family at all, as a platform makes nothing; or, with ``into``, that it is the same
    as another key. Decisions prevail over files and searches. Rows are not edited: one that holds no longer gets
    ``ended_at``.
    """

    class Origin(models.TextChoices):
        LOADED = "loaded", "from a file"
        FOUND = "found", "found in the registry"
        DECIDED = "decided", "decided by editors"

    system = models.ForeignKey(System, null=True, blank=True, on_delete=models.PROTECT, related_name="lineages")
    key = models.CharField(max_length=KEY_LENGTH)
    holds = models.BooleanField(default=True, help_text="No: team or paper would say so, and it is not true.")
    into = models.CharField(max_length=KEY_LENGTH, blank=True, help_text="The key that this one goes by.")
    origin = models.CharField(max_length=10, choices=Origin)
    source = models.CharField(max_length=500, help_text="How it is known.")
    recorded_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = StatementQuerySet.as_manager()

    class Meta:
        constraints = [
            one_standing("system", "key", "origin", name="lineage_once", system__isnull=False),
            one_standing("key", "origin", name="lineage_of_nobody_once", system__isnull=True),
            models.CheckConstraint(
                condition=Q(system__isnull=False, into="") | Q(system__isnull=True, holds=False),
                name="lineage_without_system_is_nobodys",
            ),
            models.CheckConstraint(condition=Q(key__regex=r"^[a-z]+:."), name="lineage_key_has_kind"),
        ]
        indexes = [models.Index(fields=["key"], name="lineage_by_key")]

    def __str__(self) -> str:
        return self.key


class PaperLink(models.Model):
    """A paper that is about a system although its results are not taken from it."""

    class Relation(models.TextChoices):
        LISTED = "listed", "lists the run"
        INTRODUCES = "introduces", "introduces it, or its method"
        TEAM = "team", "by its team on this track"
        PROBABLE = "probable", "probably: by its team, on another track"
        CITED = "cited", "what its maker asks to be cited"
        USES = "uses", "on its base model, or a method that it uses"
        TOOLKIT = "toolkit", "on the toolkit that ran it"
        OVERVIEW = "overview", "overview of the track"

    #: Those that describe the system itself, the surest first.
    ABOUT_IT = (Relation.LISTED, Relation.INTRODUCES, Relation.CITED, Relation.TEAM)

    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="paper_links")
    paper = models.ForeignKey(Paper, on_delete=models.PROTECT, related_name="system_links")
    year = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Of the results that it is about; blank: of all. Teams use names again."
    )
    relation = models.CharField(max_length=10, choices=Relation)
    source = models.CharField(max_length=300, help_text="How it is known.")
    recorded_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = StatementQuerySet.as_manager()

    class Meta:
        constraints = [
            one_standing("system", "paper", name="paper_link_once"),
            models.CheckConstraint(condition=Q(relation__in=_RELATIONS), name="paper_link_relation_known"),
        ]

    def __str__(self) -> str:
        return f"{self.paper_id} on {self.system_id}: {self.relation}"


class CollectionPaper(models.Model):
    """A paper that is cited for a collection by whoever packages it, or has another part in it."""

    class Role(models.TextChoices):
        DESCRIBES = "describes", "cited for it"
        OVERVIEW = "overview", "overview of the track"
        JUDGEMENTS = "judgements", "on its judgements"
        SUITE = "suite", "on the suite that packages it"
        PARENT = "parent", "on what it was made from"

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="paper_links")
    paper = models.ForeignKey(Paper, on_delete=models.PROTECT, related_name="collection_links")
    place = models.PositiveSmallIntegerField(help_text="Its place among the papers on the collection.")
    role = models.CharField(max_length=10, choices=Role)
    source = models.CharField(max_length=300, help_text="How it is known.")
    recorded_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = StatementQuerySet.as_manager()

    class Meta:
        ordering = ["place"]
        constraints = [
            one_standing("collection", "paper", name="collection_paper_once"),
            models.CheckConstraint(
                condition=Q(role__in=["describes", "overview", "judgements", "suite", "parent"]),
                name="collection_paper_role_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.paper_id} on {self.collection_id}: {self.role}"


class SystemFacts(models.Model):
    """A system as its maker describes it: a model with its size, its base, its release, what it was trained on."""

    class Training(models.TextChoices):
        DECLARED = "declared", "declared"
        NONE = "none", "an empty list"
        UNKNOWN = "unknown", "no list"

    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="facts")
    model = models.CharField(max_length=300, help_text="Its name in the source, which may be that of today.")
    organisation = models.CharField(max_length=200, blank=True)
    released = models.DateField(null=True, blank=True)
    n_parameters = models.BigIntegerField(null=True, blank=True)
    n_active_parameters = models.BigIntegerField(
        null=True, blank=True, help_text="Those that a text passes through, without the table of words."
    )
    base_model = models.CharField(max_length=300, blank=True)
    superseded_by = models.CharField(max_length=300, blank=True)
    revision = models.CharField(max_length=100, blank=True)
    has_open_weights = models.BooleanField(null=True, blank=True)
    licence = models.CharField(max_length=200, blank=True)
    reference = models.URLField(max_length=500, blank=True)
    training = models.CharField(max_length=10, choices=Training, default=Training.UNKNOWN)
    training_data = models.JSONField(default=list, blank=True, help_text="Names as the source lists them.")
    source = models.CharField(max_length=300)
    recorded_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = StatementQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "system facts"
        constraints = [
            one_standing("system", "model", name="system_facts_once"),
            models.CheckConstraint(
                condition=Q(training__in=["declared", "none", "unknown"]), name="system_facts_training_known"
            ),
        ]

    def __str__(self) -> str:
        return self.model


class TrainingDeclaration(models.Model):
    """A statement of one source on the training of a system on a data set; without any row, nobody says anything.

    A row with neither data set nor collection is about all of them: the package has a list for the system (no: it was
    not trained on what the list leaves out), it has none (unknown), or the system is a formula (nothing). A data set
    without a collection has no leaderboard here.
    """

    class Declared(models.TextChoices):
        YES = "yes", "trained on it"
        NO = "no", "not trained on it, or not in the package's list"
        UNKNOWN = "unknown", "says nothing"
        NOTHING = "nothing", "nothing to train"

    class Evidence(models.TextChoices):
        PACKAGE = "package", "the list of the mteb package"
        CONFIG = "config", "its training configuration"
        README = "readme", "its repository"
        PAPER = "paper", "a paper"
        CARD = "card", "a model or data set card"
        THREAD = "thread", "a thread of issues"
        BLOG = "blog", "a blog"
        RULE = "rule", "a rule of this registry"
        ANSWER = "answer", "an answer given here"

    class Confidence(models.TextChoices):
        HIGH = "high", "high"
        MEDIUM = "medium", "medium"
        LOW = "low", "low"

    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="training_declarations")
    collection = models.ForeignKey(
        Collection, null=True, blank=True, on_delete=models.PROTECT, related_name="training_declarations"
    )
    declared = models.CharField(max_length=10, choices=Declared)
    dataset = models.CharField(max_length=200, blank=True, help_text="As the source names it.")
    split = models.CharField(max_length=40, blank=True, help_text="As far as the source says; else unspecified.")
    evidence = models.CharField(max_length=10, choices=Evidence, default=Evidence.PACKAGE)
    quotation = models.CharField(max_length=500, blank=True)
    how = models.CharField(max_length=500, blank=True, help_text="What to know of it: a similar task, a base model …")
    source = models.CharField(max_length=500)
    date = models.CharField(max_length=10, blank=True, help_text="Of the source: a year, a month or a day.")
    confidence = models.CharField(max_length=10, choices=Confidence, default=Confidence.MEDIUM)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+",
        help_text="Who answered here.",
    )  # fmt: skip
    recorded_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = StatementQuerySet.as_manager()

    class Meta:
        constraints = [
            one_standing(
                "system", "collection", "dataset", "source", "how", name="training_statement_once", person__isnull=True
            ),
            one_standing(
                "system", "collection", "dataset", "person", name="training_answer_once", person__isnull=False
            ),
            models.CheckConstraint(
                condition=Q(declared__in=["yes", "no", "unknown", "nothing"]), name="training_declaration_known"
            ),
            models.CheckConstraint(
                condition=Q(confidence__in=["high", "medium", "low"]), name="training_confidence_known"
            ),
            models.CheckConstraint(
                condition=Q(person__isnull=True) | Q(evidence="answer"), name="training_answer_is_of_somebody"
            ),
        ]
        indexes = [models.Index(fields=["collection", "ended_at", "system"], name="training_of_collection")]

    def __str__(self) -> str:
        return f"{self.system_id} on {self.dataset or self.collection_id}: {self.declared}"
