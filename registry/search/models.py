"""The index of search: a row for everything that has a page, and one for every word and name that leads to it.

All of it is derived from other tables and can be made again at any time (``manage.py index_search``).
"""

from django.db import models


class Thing(models.Model):
    """Something with a page, as lists and suggestions show it."""

    class Kind(models.TextChoices):
        """In the order of finds that are otherwise equal."""

        SUITE = "suite", "Suites"
        COLLECTION = "collection", "Collections"
        MEASURE = "measure", "Measures"
        RESULT = "result", "Results"
        LEADERBOARD = "leaderboard", "Leaderboards"
        MODEL = "model", "Models"
        SYSTEM = "system", "Systems"
        PAPER = "paper", "Papers"
        METHOD = "method", "Methods"

    kind = models.CharField(max_length=12, choices=Kind)
    object_id = models.PositiveBigIntegerField()
    title = models.CharField(max_length=500)
    detail = models.CharField(max_length=500, blank=True, help_text="What tells it from others of that name.")
    address = models.CharField(max_length=500, help_text="Path of its page.")
    n_results = models.PositiveIntegerField(help_text="Standing results.")
    weight = models.PositiveIntegerField(
        default=0,
        help_text="What many look for comes first: the results of a system, the most that stand on one leaderboard.",
    )
    digest = models.CharField(max_length=32, help_text="Of all of this and of its words, to see what changed.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "object_id"], name="thing_once")]
        indexes = [models.Index(fields=["kind", "-n_results", "title"], name="thing_by_kind")]

    def __str__(self) -> str:
        return self.title


class Term(models.Model):
    """A word or a whole name that leads to a thing, in the form in which they are compared (``search.names``)."""

    class Place(models.IntegerChoices):
        """A place in the ranking of finds: a lower one means the thing more surely."""

        OWN = 0, "its own name"
        SHORT = 1, "a short name, or one that it shares"
        WORD = 2, "one word among others"

    thing = models.ForeignKey(Thing, on_delete=models.CASCADE, related_name="terms")
    text = models.CharField(max_length=200)
    place = models.PositiveSmallIntegerField(choices=Place)
    kind = models.CharField(max_length=12, choices=Thing.Kind, help_text="Of the thing, so that nothing is joined.")
    weight = models.PositiveIntegerField(help_text="Of the thing as well.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["thing", "text", "place"], name="term_once")]
        # Of these classes, so that PostgreSQL finds beginnings of words by it, whatever the collation.
        indexes = [
            models.Index(
                fields=["text", "place", "kind", "-weight", "thing"],
                opclasses=["varchar_pattern_ops", "int2_ops", "text_ops", "int4_ops", "int8_ops"],
                name="term_by_text",
            )
        ]

    def __str__(self) -> str:
        return self.text


class IndexState(models.Model):
    """The state of the registry that the index shows; one row."""

    key = models.CharField(primary_key=True, max_length=10, default="only")
    seen = models.TextField(help_text="What the registry looked like before it was read.")
    written_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.seen
