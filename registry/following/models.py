"""Who wants to hear of changes, and the mails that say what changed."""

from functools import reduce
from operator import or_

from django.conf import settings
from django.db import models
from django.db.models import Q

from registry.catalog.models import Collection, Leaderboard
from registry.following.querysets import DigestQuerySet, FollowingQuerySet
from registry.leaderboards.models import Snapshot
from registry.results.models import Model, Paper, System

Followable = Collection | Leaderboard | System | Paper | Model

#: What can be followed: the model of each kind. The kinds are fields of ``Following`` and stand in addresses.
KINDS: dict[str, type[models.Model]] = {
    "collection": Collection,
    "leaderboard": Leaderboard,
    "system": System,
    "paper": Paper,
    "model": Model,
}


class Following(models.Model):
    """Somebody wants to hear what changes on one collection or leaderboard, about one system, paper or model.

    ``told_entry`` and ``told_snapshot`` say how far digests told of it, and move in the transaction that writes the
    digest: each change is told once.
    """

    class Every(models.TextChoices):
        DAY = "day", "daily"
        WEEK = "week", "weekly"
        NEVER = "never", "no mail"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="followings")
    collection = models.ForeignKey(Collection, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    leaderboard = models.ForeignKey(Leaderboard, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    system = models.ForeignKey(System, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    paper = models.ForeignKey(Paper, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    model = models.ForeignKey(Model, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    every = models.CharField(max_length=5, choices=Every, default=Every.WEEK)
    site = models.CharField(max_length=300, help_text="Where it was asked for; links begin with it.")
    since = models.DateTimeField(auto_now_add=True)
    told_entry = models.PositiveBigIntegerField(help_text="The last entry of the journal that digests covered.")
    told_snapshot = models.ForeignKey(
        Snapshot, null=True, blank=True, on_delete=models.PROTECT, related_name="+", help_text="Of a leaderboard."
    )
    told_on = models.DateField(help_text="The day of the last digest that looked, whether or not it found anything.")

    objects = FollowingQuerySet.as_manager()

    class Meta:
        constraints = [
            *(
                models.UniqueConstraint(
                    fields=["user", kind], condition=Q(**{f"{kind}__isnull": False}), name=f"following_{kind}_once"
                )
                for kind in KINDS
            ),
            models.CheckConstraint(
                condition=reduce(or_, (Q(**{f"{one}__isnull": one != kind for one in KINDS}) for kind in KINDS)),
                name="following_one_thing",
            ),
            models.CheckConstraint(condition=Q(every__in=["day", "week", "never"]), name="following_every_known"),
        ]
        indexes = [models.Index(fields=["every", "told_on"], name="following_due")]

    def __str__(self) -> str:
        return f"{self.kind} {self.thing.pk}"

    @property
    def kind(self) -> str:
        """What it is: collection, leaderboard, system, paper or model."""
        return next(kind for kind in KINDS if getattr(self, f"{kind}_id") is not None)

    @property
    def thing(self) -> "Followable":
        """The collection, leaderboard, system, paper or model itself."""
        thing: Followable = getattr(self, self.kind)
        return thing


class Digest(models.Model):
    """One mail that says what changed. It waits until a mail server takes it, and is forgotten a while after that."""

    class State(models.TextChoices):
        WAITING = "waiting", "waiting to be sent"
        SENT = "sent", "sent"
        REFUSED = "refused", "refused by the mail server"
        DROPPED = "dropped", "not wanted any more"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="digests")
    subject = models.CharField(max_length=200)
    body = models.TextField()
    site = models.CharField(max_length=300)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = DigestQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state="waiting", closed_at__isnull=True)
                | Q(state__in=["sent", "refused", "dropped"], closed_at__isnull=False),
                name="digest_state_known",
            )
        ]
        indexes = [models.Index(fields=["state", "closed_at"], name="digest_by_state")]

    def __str__(self) -> str:
        return self.subject
