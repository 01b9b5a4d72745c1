"""Collections, measures, and the leaderboards they span."""

from collections.abc import Sequence
from typing import cast, get_args

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils.functional import cached_property

from analysis.scores import MeasureFamily, MeasureKind, MeasureNature, measure_nature
from registry.catalog.querysets import CollectionQuerySet, LeaderboardQuerySet
from registry.core.http import path_to


class Collection(models.Model):
    """Documents, topics and judgements in one version and split."""

    class Task(models.TextChoices):
        """The kind of answer that topics ask for, where that changes how scores vary."""

        NOT_STATED = "", "not stated"
        AD_HOC = "ad-hoc", "documents on a subject"
        KNOWN_ITEM = "known-item", "one right answer a topic"

    class Judge(models.TextChoices):
        """The source of judgements: who said which documents are relevant."""

        NOT_KNOWN = "", "not known"
        ASSESSORS = "assessors", "assessors of a track"
        EXPERTS = "experts", "experts"
        ANNOTATORS = "annotators", "annotators"
        USERS = "users", "users"
        ANSWERS = "answers", "answers that a document holds"
        CLICKS = "clicks", "clicks"
        CITATIONS = "citations", "citations"
        LINKS = "links", "links"
        CONSTRUCTION = "by construction", "by construction"
        DERIVED = "derived from other data", "derived from other data"
        MODEL = "LLM", "a language model"
        REVIEWED = "LLM, reviewed by people", "a language model, reviewed by people"

        @property
        def group(self) -> str:
            """Return the judge's key in ``Collection.JUDGES``."""
            if self in (self.MODEL, self.REVIEWED):
                return "model"
            if self in (self.ASSESSORS, self.EXPERTS, self.ANNOTATORS, self.USERS):
                return "people"
            return "data" if self else "unknown"

    class GroupKind(models.TextChoices):
        """The kind of groups that topics come in: only each group is a draw of its own."""

        NONE = "", "each by itself"
        CONVERSATION = "conversation", "turns of conversations"
        NEED = "need", "wordings of needs"

    #: The groups of judges, as lists name them.
    JUDGES = {
        "people": "Judged by people",
        "model": "Judged by a language model",
        "data": "Derived from other data",
        "unknown": "Judge not recorded",
    }

    slug = models.SlugField(max_length=100, unique=True, help_text="As in URLs: trec-2004-robust.")
    name = models.CharField(max_length=200)
    ir_datasets_id = models.CharField(max_length=200, blank=True)
    documents = models.CharField(max_length=200, blank=True, help_text="The corpus, in words.")
    n_documents = models.PositiveBigIntegerField(null=True, blank=True)
    n_topics = models.PositiveIntegerField(null=True, blank=True, help_text="Blank where unknown: no analysis then.")
    n_topics_source = models.CharField(max_length=200, blank=True)
    n_topics_at_least = models.PositiveIntegerField(
        null=True, blank=True, help_text="A proven lower bound, where the number is not known."
    )
    n_topics_at_least_source = models.CharField(max_length=200, blank=True)
    relevant_per_topic = models.FloatField(
        null=True, blank=True, help_text="Relevant documents a topic, on average; blank where nobody counted."
    )
    group_kind = models.CharField(
        max_length=20, choices=GroupKind, blank=True, default=GroupKind.NONE, help_text="Where topics come in groups."
    )
    topic_groups = models.PositiveIntegerField(
        null=True, blank=True, help_text="How many groups its topics come in; blank where nobody counted."
    )
    task = models.CharField(max_length=20, choices=Task, blank=True, default=Task.NOT_STATED)
    mteb_task = models.CharField(
        max_length=200, blank=True, help_text="What the mteb package calls it; a subset in brackets."
    )
    domain = models.CharField(max_length=200, blank=True, help_text="Medical, news, …; several with commas.")
    year = models.PositiveSmallIntegerField(null=True, blank=True)
    suite = models.CharField(max_length=100, blank=True, help_text="Track or benchmark it belongs to.")
    language = models.CharField(max_length=100, blank=True)
    url = models.URLField(max_length=500, blank=True)
    notes = models.TextField(blank=True)
    judge = models.CharField(max_length=30, choices=Judge, blank=True, default=Judge.NOT_KNOWN)
    judged_by = models.CharField(
        max_length=300, blank=True, help_text="More of its judge: the model, its prompt and version."
    )
    holder = models.CharField(max_length=200, blank=True, help_text="Teams of who holds a private test, between bars.")
    held_by = models.CharField(max_length=300, blank=True, help_text="Who holds a private test, and who says so.")

    objects = CollectionQuerySet.as_manager()

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.UniqueConstraint(Lower("slug"), name="collection_slug_once"),
            models.CheckConstraint(
                condition=Q(n_topics__isnull=True) | Q(n_topics__gt=0), name="collection_has_topics"
            ),
            models.CheckConstraint(
                condition=Q(n_topics_at_least__isnull=True) | Q(n_topics_at_least__gt=0),
                name="collection_has_topics_at_least",
            ),
            models.CheckConstraint(
                condition=Q(relevant_per_topic__isnull=True) | Q(relevant_per_topic__gt=0),
                name="collection_has_relevant_documents",
            ),
            models.CheckConstraint(
                condition=Q(topic_groups__isnull=True) | Q(topic_groups__gt=0), name="collection_has_topic_groups"
            ),
            models.CheckConstraint(condition=Q(task__in=["", "ad-hoc", "known-item"]), name="collection_task_known"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return path_to("leaderboards:collection-detail", None, (self.slug,))

    def groups_of(self, topics: Sequence[str]) -> tuple[str, ...]:
        """Return the group of each topic, its label before the last “_”; nothing where labels don't group topics."""
        groups = tuple(topic.rpartition("_")[0] for topic in topics) if self.group_kind else ()
        return groups if all(groups) and 1 < len(set(groups)) < len(groups) else ()

    @property
    def judged_by_model(self) -> str:
        """Return the sentence that says that a language model judged it; blank where none did, or nobody knows."""
        by = f" ({self.judged_by})" if self.judged_by else ""
        if self.judge == self.Judge.MODEL:
            return f"Judged by a language model{by}, not by people."
        return f"Judged by a language model{by}, reviewed by people." if self.judge == self.Judge.REVIEWED else ""

    @property
    def private_test(self) -> str:
        """Return the sentence that says who holds its test; blank where it is public."""
        return f"Private test, held by {self.held_by}." if self.held_by else ""

    @cached_property
    def other_names(self) -> list[str]:
        """Return its aliases in order, without its name in ir_datasets; read from the database once."""
        return sorted(row.alias for row in self.aliases.all() if row.alias != self.ir_datasets_id)


class CollectionAlias(models.Model):
    """Another name of a collection; case does not matter."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="aliases")
    alias = models.CharField(max_length=200)

    class Meta:
        verbose_name_plural = "collection aliases"
        constraints = [models.UniqueConstraint(Lower("alias"), name="collection_alias_once")]

    def __str__(self) -> str:
        return self.alias


class Density(models.Model):
    """The number of relevant documents that the topics of a collection have, and how that is known.

    Grade 1 and more counts as relevant, ``grade_2_…`` counts from grade 2. Means, medians and shares are over topics
    with a relevant document; where only the package's totals are known, over all judged ones.
    """

    class Basis(models.TextChoices):
        """The source of the counts."""

        NOT_KNOWN = "", "not known"
        JUDGEMENTS = "judgements", "judgements"
        STATISTICS = "statistics", "statistics of the mteb package"
        COUNTS = "counts", "judgements counted by grade"
        POOLED = "pooled", "statistics of several languages together"
        MEMBERS = "members", "the members together"
        STAND_IN = "stand-in", "another judging of the same topics"

    class Shape(models.TextChoices):
        """The source of median, share and mean inverse."""

        NOT_KNOWN = "", "not known"
        EXACT = "exact", "counted"
        ASSUMED = "assumed", "assuming that no judged document is irrelevant"
        COPIED = "copied", "those of a collection with equal counts"

    class Removal(models.TextChoices):
        """The answer to whether the text of a query is a document of the collection."""

        NOT_KNOWN = "", "not known"
        POSSIBLE = "possible", "possible"
        YES = "yes", "yes"

    collection = models.OneToOneField(Collection, on_delete=models.CASCADE, related_name="density")
    unit = models.CharField(max_length=40, help_text="What one score belongs to: topic, session, turn …")
    basis = models.CharField(max_length=20, choices=Basis, blank=True)
    n_judged = models.PositiveIntegerField(null=True, blank=True, help_text="Topics with judgements.")
    n_with_relevant = models.PositiveIntegerField(null=True, blank=True)
    relevant_mean = models.FloatField(null=True, blank=True)
    relevant_median = models.FloatField(null=True, blank=True)
    share_with_one = models.FloatField(null=True, blank=True, help_text="Of topics, with exactly one; 0 to 1.")
    mean_inverse = models.FloatField(null=True, blank=True, help_text="Mean of 1 / relevant documents; 0 to 1.")
    shape = models.CharField(max_length=10, choices=Shape, blank=True)
    copied_from = models.SlugField(max_length=100, blank=True, help_text="The collection whose shape it is.")
    relevant_at_least = models.FloatField(null=True, blank=True, help_text="A floor of the mean.")
    at_least_from = models.CharField(max_length=20, blank=True, help_text="The measure whose results show the floor.")
    relevant_grade = models.PositiveSmallIntegerField(default=1, help_text="From which on binary measures count.")
    n_with_grade_2 = models.PositiveIntegerField(null=True, blank=True)
    grade_2_mean = models.FloatField(null=True, blank=True)
    grade_2_median = models.FloatField(null=True, blank=True)
    grade_2_share_with_one = models.FloatField(null=True, blank=True)
    candidates_mean = models.FloatField(null=True, blank=True, help_text="Given documents a topic, for reranking.")
    n_members = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Of which a score is the mean.")
    query_in_corpus = models.CharField(max_length=10, choices=Removal, blank=True)
    mteb_removes_query = models.BooleanField(null=True, blank=True)
    anserini_removes_query = models.BooleanField(null=True, blank=True)
    source = models.CharField(max_length=300, blank=True)
    note = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name_plural = "densities"
        constraints = [
            models.CheckConstraint(condition=Q(relevant_grade__in=[1, 2]), name="density_relevant_grade_known"),
            models.CheckConstraint(
                condition=~Q(shape="copied") | ~Q(copied_from=""), name="density_copied_from_somewhere"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.collection}: {self.relevant_mean}"


class CollectionLink(models.Model):
    """A link of a collection to its base, whose topics, documents or judgements it shares, or whose part it is."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="links")
    base = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="linked")
    relation = models.CharField(max_length=40, help_text="What the collection is of its base: hard_negatives.")
    topics = models.CharField(max_length=40, blank=True, help_text="Those of the collection beside its base’s.")
    judgements = models.CharField(max_length=100, blank=True)
    is_inferred = models.BooleanField(default=False, help_text="From names and counts alone.")
    evidence = models.CharField(max_length=200, blank=True)
    source = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["collection", "base"], name="collection_link_once"),
            models.CheckConstraint(condition=~Q(collection=F("base")), name="collection_link_of_two"),
        ]

    def __str__(self) -> str:
        return f"{self.collection}: {self.relation} of {self.base}"


class Curator(models.Model):
    """Somebody who looks after a collection: checks what is submitted on it, and corrects what is recorded."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="curated")
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="curators")
    appointed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["collection", "user__username"]
        constraints = [models.UniqueConstraint(fields=["user", "collection"], name="curator_once")]

    def __str__(self) -> str:
        return f"{self.user} of {self.collection}"


class Topic(models.Model):
    """One topic of a collection, at its place in the order that per-topic scores are stored in."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="topics")
    position = models.PositiveIntegerField()
    label = models.CharField(max_length=100)

    class Meta:
        ordering = ["collection", "position"]
        constraints = [
            models.UniqueConstraint(fields=["collection", "position"], name="topic_position_once"),
            models.UniqueConstraint(fields=["collection", "label"], name="topic_label_once"),
        ]

    def __str__(self) -> str:
        return self.label


#: Of measures; that topics have one relevant document is said of collections.
_KINDS = ["", *(kind.value for kind in MeasureKind if kind is not MeasureKind.KNOWN_ITEM)]
_FAMILIES = get_args(MeasureFamily)


class Measure(models.Model):
    """A function that scores a ranking, under its ir-measures name where that library has one."""

    name = models.CharField(max_length=100, unique=True, help_text="As in URLs: nDCG@10.")
    ir_measures = models.CharField(max_length=100, blank=True, help_text="What ir_measures.parse_measure takes.")
    trec_eval = models.CharField(max_length=100, blank=True)
    long_name = models.CharField(max_length=200, blank=True)
    low = models.FloatField(null=True, blank=True, help_text="Blank where there is no lower end.")
    high = models.FloatField(null=True, blank=True, help_text="Blank where there is no upper end.")
    higher_is_better = models.BooleanField(default=True)
    decimals = models.PositiveSmallIntegerField(default=4)
    kind = models.CharField(
        max_length=20,
        choices=[(kind, kind or "as its name says") for kind in _KINDS],
        blank=True,
        help_text="Values on a topic. Blank: name, range and direction say this and the next three.",
    )
    family = models.CharField(
        max_length=20,
        choices=[(family, family or "none") for family in _FAMILIES],
        blank=True,
        help_text="Measures whose scores vary by one rule.",
    )
    cutoff = models.PositiveIntegerField(null=True, blank=True, help_text="How many documents it looks at.")
    zero_is_failure = models.BooleanField(default=True, help_text="Whether a score of 0 is taken for a failed run.")
    description = models.TextField(blank=True)
    notes = models.TextField(blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(Lower("name"), name="measure_name_once"),
            models.CheckConstraint(
                condition=Q(low__isnull=True) | Q(high__isnull=True) | Q(low__lt=F("high")),
                name="measure_range_ordered",
            ),
            models.CheckConstraint(condition=~Q(name__contains="/"), name="measure_name_fits_url"),
            models.CheckConstraint(condition=Q(kind__in=_KINDS, family__in=_FAMILIES), name="measure_nature_known"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def own_nature(self) -> MeasureNature | None:
        """Return the recorded nature; None where none is."""
        if not self.kind:
            return None
        kind, family = MeasureKind(self.kind), cast(MeasureFamily, self.family)
        return MeasureNature(family=family, cutoff=self.cutoff, kind=kind, zero_is_failure=self.zero_is_failure)

    @property
    def nature(self) -> MeasureNature:
        """Return its nature: as recorded, else as its name says."""
        return self.own_nature or measure_nature(self.name, low=self.low, higher_is_better=self.higher_is_better)


class MeasureAlias(models.Model):
    """Another name of a measure; case does not matter."""

    measure = models.ForeignKey(Measure, on_delete=models.CASCADE, related_name="aliases")
    alias = models.CharField(max_length=100)

    class Meta:
        verbose_name_plural = "measure aliases"
        constraints = [models.UniqueConstraint(Lower("alias"), name="measure_alias_once")]

    def __str__(self) -> str:
        return self.alias


class Question(models.Model):
    """A question about a name that may mean several things, with the choices.

    Of a collection's name the choices are the collections, and it is asked only under the measures, if there are any;
    of a measure's name the other way round. Without choices the text says why the name means nothing that is held here.
    A name that is asked about in some places may be an alias: elsewhere it means what it is an alias of.
    """

    class Kind(models.TextChoices):
        COLLECTION = "collection", "collection"
        MEASURE = "measure", "measure"

    kind = models.CharField(max_length=10, choices=Kind)
    names = models.TextField(help_text="One on each line; other spellings of them are found as well.")
    text = models.CharField(max_length=300, help_text="One question: Passage or document ranking?")
    collections = models.ManyToManyField(Collection, blank=True, related_name="questions")
    measures = models.ManyToManyField(Measure, blank=True, related_name="questions")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=["collection", "measure"]), name="question_kind_known"),
            models.CheckConstraint(condition=~Q(names="") & ~Q(text=""), name="question_asks_something"),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def spellings(self) -> list[str]:
        """Return the names that it is asked about."""
        return self.names.splitlines()


class Leaderboard(models.Model):
    """One collection under one measure.

    ``results_version`` goes up by one in every transaction that changes what stands on the leaderboard. An analysis
    remembers the version it saw; while the two differ, the leaderboard is stale, whatever became of the queue.
    """

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="leaderboards")
    measure = models.ForeignKey(Measure, on_delete=models.PROTECT, related_name="leaderboards")
    n_topics_here = models.PositiveIntegerField(
        null=True, blank=True, help_text="Only where this measure averages over other topics than the collection's."
    )
    note = models.CharField(max_length=300, blank=True)
    is_doubtful = models.BooleanField(
        default=False, help_text="A third of its scores are doubtful, and lie apart from the others by over the margin."
    )
    results_version = models.PositiveIntegerField(default=0)
    results_changed_at = models.DateTimeField(null=True, blank=True)

    objects = LeaderboardQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["collection", "measure"], name="leaderboard_once"),
            models.CheckConstraint(
                condition=Q(n_topics_here__isnull=True) | Q(n_topics_here__gt=0), name="leaderboard_has_topics"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.collection}, {self.measure}"

    def get_absolute_url(self) -> str:
        return path_to("leaderboards:leaderboard-detail", None, self.names)

    @property
    def names(self) -> tuple[str, str]:
        """Return the names of its collection and measure in addresses."""
        return self.collection.slug, self.measure.name

    @property
    def n_topics(self) -> int | None:
        """Return the number of topics that a mean on this leaderboard averages; None where unknown."""
        return self.n_topics_here or self.collection.n_topics


class ResidualVariance(models.Model):
    """The variance of scores on a collection beyond systems and topics, as measured on runs of its own."""

    measure = models.ForeignKey(Measure, on_delete=models.CASCADE, related_name="residual_variances")
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="residual_variances")
    residual_variance = models.FloatField(help_text="Per topic, in squared units of the measure.")
    topic_variance = models.FloatField(null=True, blank=True)
    n_topics = models.PositiveIntegerField()
    n_systems = models.PositiveIntegerField()
    n_makers = models.PositiveIntegerField(null=True, blank=True, help_text="Blank where the runs have no names.")
    sources = models.JSONField(default=list, help_text="What it was measured on: one text for each.")
    note = models.CharField(max_length=300, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["measure", "collection"], name="residual_variance_once"),
            models.CheckConstraint(condition=Q(residual_variance__gt=0), name="residual_variance_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.measure}: {self.residual_variance}"
