"""What is found: one row for everything that has a page, and one for every word and name that leads to it.

All of it is derived from other tables and can be made again at any time (``manage.py index_search``).
"""

from django.db import models


class Thing(models.Model):
    """Something that is found, as lists and suggestions show it."""

    class Kind(models.TextChoices):
        """In the order in which kinds stand where nothing else tells two finds apart."""

        COLLECTION = "collection", "Collections"
        SUITE = "suite", "Suites"
        MEASURE = "measure", "Measures"
        LEADERBOARD = "leaderboard", "Leaderboards"
        SYSTEM = "system", "Systems"
        PAPER = "paper", "Papers"

    kind = models.CharField(max_length=12, choices=Kind)
    object_id = models.PositiveBigIntegerField()
    title = models.CharField(max_length=500)
    detail = models.CharField(max_length=500, blank=True, help_text="What tells it from others of that name.")
    address = models.CharField(max_length=500, help_text="Path of its page.")
    n_results = models.PositiveIntegerField(help_text="Standing results: what many look for comes first.")
    digest = models.CharField(max_length=32, help_text="Of all of this and of its words, to see what changed.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "object_id"], name="thing_once")]
        indexes = [models.Index(fields=["kind", "-n_results", "title"], name="thing_by_kind")]

    def __str__(self) -> str:
        return self.title


class Term(models.Model):
    """A word or a whole name that leads to a thing, in the form in which they are compared (``search.names``)."""

    thing = models.ForeignKey(Thing, on_delete=models.CASCADE, related_name="terms")
    text = models.CharField(max_length=200)
    is_name = models.BooleanField(help_text="The thing goes by it as a whole; else one word among others.")
    kind = models.CharField(max_length=12, choices=Thing.Kind, help_text="Of the thing, so that nothing is joined.")
    n_results = models.PositiveIntegerField(help_text="Of the thing as well.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["thing", "text", "is_name"], name="term_once")]
        # Of these classes, so that PostgreSQL finds beginnings of words by it, whatever the collation.
        indexes = [
            models.Index(
                fields=["text", "is_name", "kind", "-n_results", "thing"],
                opclasses=["varchar_pattern_ops", "bool_ops", "text_ops", "int4_ops", "int8_ops"],
                name="term_by_text",
            )
        ]

    def __str__(self) -> str:
        return self.text


class IndexState(models.Model):
    """Of which state of the registry the index is; one row."""

    key = models.CharField(primary_key=True, max_length=10, default="only")
    seen = models.TextField(help_text="What the registry looked like before it was read.")
    written_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.seen
