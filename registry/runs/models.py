"""Judgements, uploads with their findings, and private studies of them."""

import secrets

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.urls import reverse

from registry.catalog.models import Collection, Leaderboard, Measure
from registry.results.models import Result


def new_key() -> str:
    """Return an address that nobody guesses: 256 bits."""
    return secrets.token_urlsafe(32)


class Judgements(models.Model):
    """Grades of documents for the topics of a collection; of each collection one set stands.

    Sealed ones are encrypted as they are put in, read by the scorer alone, and never given out.
    """

    collection = models.ForeignKey(
        Collection,
        null=True,
        on_delete=models.PROTECT,
        related_name="judgements",
        help_text="Blank of those of somebody's own collection.",
    )
    own_collection = models.ForeignKey(
        "OwnCollection", null=True, on_delete=models.CASCADE, related_name="judgements", help_text="Never sealed."
    )
    content = models.BinaryField(
        default=b"",
        help_text="Compressed lines of topic, iteration, document, grade; encrypted if sealed; blank with a file.",
    )
    file = models.CharField(
        max_length=300, blank=True, help_text="Of those that ship: where their file is, read when it is needed."
    )
    sha256 = models.CharField(max_length=64, help_text="Of the lines; of sealed ones keyed, so that it tells nothing.")
    is_sealed = models.BooleanField(default=False)
    measure = models.ForeignKey(
        Measure,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Of sealed ones: the one under which runs are scored.",
    )
    n_topics = models.PositiveIntegerField()
    n_judged = models.PositiveIntegerField(help_text="Documents with a grade, over all topics.")
    source = models.CharField(max_length=300)
    licence = models.CharField(max_length=100, blank=True)
    terms = models.TextField(blank=True, help_text="On what terms they stand here, in the words of their source.")
    note = models.TextField(blank=True)
    recorded_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "judgements"
        constraints = [
            models.UniqueConstraint(
                fields=["collection"], condition=Q(ended_at__isnull=True), name="judgements_stand_once"
            ),
            models.UniqueConstraint(
                fields=["own_collection"], condition=Q(ended_at__isnull=True), name="own_judgements_stand_once"
            ),
            models.CheckConstraint(
                condition=Q(collection__isnull=True) ^ Q(own_collection__isnull=True),
                name="judgements_of_one_collection",
            ),
            models.CheckConstraint(condition=Q(file="") | Q(is_sealed=False), name="judgements_of_files_are_public"),
        ]

    def __str__(self) -> str:
        return f"judgements of {self.collection_id or self.own_collection_id}"


class Work(models.Model):
    """The findings on one content, computed once however many people send it: the key is its SHA-256, with that of the
    judgements, the measures and the version of the scorer."""

    class Kind(models.TextChoices):
        RUN = "run", "run"
        MATRIX = "matrix", "table of topic scores"

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        DONE = "done", "done"
        REFUSED = "refused", "refused"

    digest = models.CharField(primary_key=True, max_length=64)
    kind = models.CharField(max_length=10, choices=Kind)
    judgements = models.ForeignKey(Judgements, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    measures = models.JSONField(default=dict, help_text="Name to the spelling of ir-measures.")
    content = models.BinaryField(help_text="As it was sent; blank once it is worked off.")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    refusal = models.TextField(blank=True)
    is_passing = models.BooleanField(
        default=False, help_text="Refused for what it cost here: whoever sends the same again has it tried again."
    )
    report = models.JSONField(default=dict)
    head = models.TextField(blank=True, help_text="The comments that the file begins with: perhaps ir_metadata.")
    means = models.JSONField(default=dict, help_text="Name of the measure, or of the system, to the mean.")
    scores = models.BinaryField(default=b"", help_text="Packed topic scores; blank where they are not given out.")
    rankings = models.BinaryField(
        default=b"",
        help_text="Packed documents by judged topic, best first; blank of long runs and where judgements are sealed.",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "work"
        constraints = [
            models.CheckConstraint(condition=Q(state="waiting") | Q(content=b""), name="work_forgets_what_was_sent")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.digest[:12]}"


class Executed(models.Model):
    """Something in which systems may be executed several times, as its owner says."""

    executions = models.JSONField(
        default=dict, help_text="By the name of a system the names of the runs and columns that are its executions."
    )
    margin = models.FloatField(null=True, blank=True, help_text="The smallest difference between these that matters.")

    class Meta:
        abstract = True


class OwnCollection(Executed):
    """A collection that somebody named for tables and runs of their own.

    It is no part of the record: pages, files and dumps of the registry know nothing of it.
    """

    class Visibility(models.TextChoices):
        PRIVATE = "private", "you alone"
        UNLISTED = "unlisted", "anyone with the link"
        PUBLIC = "public", "everybody"

    key = models.CharField(primary_key=True, max_length=43, default=new_key, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=200)
    visibility = models.CharField(
        max_length=10,
        choices=Visibility,
        default=Visibility.PRIVATE,
        help_text="Who sees it: its owner alone, everybody who has its address, or everybody, in a list.",
    )
    delisted_for = models.TextField(
        blank=True, help_text="Why an editor took it off the list of public ones; while it stands it can't be public."
    )
    topics = models.JSONField(default=list, help_text="Their names; empty where they are those of the tables.")
    created_at = models.DateTimeField(auto_now_add=True)
    forgotten_at = models.DateTimeField(help_text="When it is deleted, with all that was sent to it.", db_index=True)

    #: Of lists: tables and runs that were sent to it.
    n_sent: int

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(forgotten_at__gt=F("created_at")), name="own_collection_forgotten_later"
            ),
            models.CheckConstraint(
                condition=~Q(visibility="public") | Q(delisted_for=""), name="own_collection_delisted_not_public"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("runs:own-detail", args=[self.key])

    @property
    def is_private(self) -> bool:
        return self.visibility == self.Visibility.PRIVATE

    @property
    def measure_names(self) -> list[str]:
        return [measure.name for measure in self.measures.all()]

    @property
    def is_public(self) -> bool:
        return self.visibility == self.Visibility.PUBLIC


class OwnMeasure(models.Model):
    """A measure of a collection of one's own; it never changes, since tables stand under it."""

    collection = models.ForeignKey(OwnCollection, on_delete=models.CASCADE, related_name="measures")
    name = models.CharField(max_length=100)
    ir_measures = models.CharField(max_length=100, blank=True, help_text="Blank where no run can be scored under it.")
    low = models.FloatField(null=True, blank=True, help_text="Blank where there is no lower end.")
    high = models.FloatField(null=True, blank=True, help_text="Blank where there is no upper end.")
    higher_is_better = models.BooleanField(default=True)
    decimals = models.PositiveSmallIntegerField(default=4)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint("collection", Lower("name"), name="own_measure_name_once"),
            models.CheckConstraint(
                condition=Q(low__isnull=True) | Q(high__isnull=True) | Q(low__lt=F("high")),
                name="own_measure_range_ordered",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("runs:own-board", args=[self.collection_id, self.pk])

    @property
    def board_study(self) -> "Study | None":
        """Return the study of everything that was sent under it."""
        studies = self.studies.filter(kind=Study.Kind.BOARD).select_related("upload__own_collection")
        return studies.defer("content").first()

    @property
    def board(self) -> Leaderboard:
        """Return the leaderboard that its tables make, which is not recorded."""
        names = ("name", "ir_measures", "low", "high", "higher_is_better", "decimals")
        known = {name: getattr(self, name) for name in names}
        return Leaderboard(collection=Collection(slug="own", name=self.collection.name), measure=Measure(**known))


class Upload(Executed):
    """A run or table that somebody submitted, for their own eyes and those to whom they give its address."""

    key = models.CharField(primary_key=True, max_length=43, default=new_key, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="Blank for what visitors send: anyone with the link may keep or delete it.",
    )
    visitor = models.CharField(
        max_length=64, blank=True, help_text="Keyed hash of a visitor's address, whose budget it is worked on."
    )
    name = models.CharField(max_length=200)
    collection = models.ForeignKey(
        Collection,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Blank of what belongs to a collection of one's own.",
    )
    measure = models.ForeignKey(
        Measure, null=True, blank=True, on_delete=models.PROTECT, related_name="+", help_text="Of a table of scores."
    )
    own_collection = models.ForeignKey(
        OwnCollection, null=True, blank=True, on_delete=models.CASCADE, related_name="uploads"
    )
    own_measure = models.ForeignKey(
        OwnMeasure,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="tables",
        help_text="Of a table on a collection of one's own.",
    )
    claimed = models.ForeignKey(
        Result,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Whose run it is said to be.",
    )
    work = models.ForeignKey(Work, on_delete=models.PROTECT, related_name="uploads")
    created_at = models.DateTimeField(auto_now_add=True)
    forgotten_at = models.DateTimeField(help_text="When it is deleted, with all that was found.", db_index=True)
    # Here and not with the work: SQLite writes the whole row anew, with all that was sent.
    n_done = models.PositiveIntegerField(default=0, help_text="Topics that are scored so far.")

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=Q(forgotten_at__gt=F("created_at")), name="upload_forgotten_later"),
            models.CheckConstraint(
                condition=Q(collection__isnull=True) ^ Q(own_collection__isnull=True), name="upload_on_one_collection"
            ),
            models.CheckConstraint(
                condition=Q(own_measure__isnull=True) | Q(own_collection__isnull=False), name="upload_under_own_measure"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("runs:upload-detail", args=[self.key])

    @property
    def place(self) -> Collection | OwnCollection:
        """Return the collection that it is on, of the record or of one's own."""
        place = self.own_collection or self.collection
        assert place is not None
        return place

    @property
    def under(self) -> Measure | OwnMeasure | None:
        """Return the measure of a table; None of a run."""
        return self.own_measure or self.measure


def own_board(upload: Upload) -> Leaderboard:
    """Return the leaderboard of a table where none is recorded: its collection under its measure."""
    assert upload.measure is not None
    return Leaderboard(collection=upload.collection, measure=upload.measure)


class Study(models.Model):
    """A study of uploads under one measure, once for each content: as a leaderboard, alone or among its results; or how
    far average precision would move with other documents, of one run or of two."""

    class Kind(models.TextChoices):
        BOARD = "board", "as a leaderboard"
        DOCUMENTS = "documents", "against other documents"

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        DONE = "done", "done"

    digest = models.CharField(max_length=64)
    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="studies")
    leaderboard = models.ForeignKey(
        Leaderboard,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Blank of a table under a measure that its collection has no leaderboard of.",
    )
    own_measure = models.ForeignKey(
        OwnMeasure,
        null=True,
        on_delete=models.CASCADE,
        related_name="studies",
        help_text="Of all that was sent to a board of somebody's own.",
    )
    others = models.JSONField(default=list, help_text="Keys of further uploads of the same owner.")
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.BOARD)
    is_alone = models.BooleanField(help_text="Whether they are compared with each other only.")
    n_done = models.PositiveIntegerField(default=0, help_text="Ranked lists that are resampled.")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    content = models.TextField(blank=True, help_text="As a snapshot's; blank while it is waited for, or impossible.")
    obstacle = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "studies"
        ordering = ["-created_at"]
        constraints = [models.UniqueConstraint(fields=["upload", "digest"], name="study_once")]
        indexes = [models.Index(fields=["digest"], name="study_by_digest")]

    def __str__(self) -> str:
        return self.digest[:12]

    def get_absolute_url(self) -> str:
        return reverse("runs:study-detail", args=[self.upload_id, self.pk])

    @property
    def board(self) -> Leaderboard:
        """Return its leaderboard, or one of its own that is not recorded."""
        if self.own_measure:
            return self.own_measure.board
        return self.leaderboard or own_board(self.upload)


class Answer(models.Model):
    """That a run was held against sealed judgements: each answer tells something of them, so they are counted."""

    judgements = models.ForeignKey(Judgements, on_delete=models.PROTECT, related_name="answers")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", help_text="Who sent the run."
    )
    is_refused = models.BooleanField(help_text="Whether the run was refused because of what is judged.")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"answer from {self.judgements_id}"
