"""Systems, the models that they are of, and the places that figures were taken from."""

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from django.db import models
from django.db.models import Q
from django.urls import reverse

from analysis.readers.identifiers import slug_of_system
from registry.core.http import path_to
from registry.journal.models import Entry

#: A day, a month, a year, or nothing.
_DAY = r"^([0-9]{4}(-[0-9]{2}){0,2})?$"


class OwnSlugField(models.CharField):  # type: ignore[type-arg]  # at run time it takes none
    """The part of an address that stands for a row, made of the fields that identify it and never change: so it stays.

    It does not contain names that may change. Code that writes rows past Django makes it with the same function.
    """

    def __init__(self, make: Callable[..., str] = str, *of: str, **options: Any) -> None:
        self.make, self.of = make, of
        own: dict[str, Any] = {"unique": True, "editable": False, "help_text": "Its address, which stays."}
        super().__init__(**(own | {"max_length": 120} | options))

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """Return a column of text for migrations, which fill it themselves."""
        name, _, arguments, options = super().deconstruct()
        return str(name), "django.db.models.CharField", list(arguments), dict(options)

    def pre_save(self, row: models.Model, add: bool) -> str:
        """Return the slug of the row, and set it."""
        slug = self.of_columns(vars(row))
        setattr(row, self.attname, slug)
        return slug

    def of_columns(self, columns: Mapping[str, Any]) -> str:
        """Return the slug of a row with these columns."""
        return self.make(*(columns[name] for name in self.of))


#: A checkpoint that precedes its paper by more months has a doubtful day, or another paper.
_MONTHS_BEFORE_PAPER = 6


def _month(day: str, unknown: str) -> int:
    """Return the months from year 0 to that of a day; ``unknown`` is the month where only the year is known."""
    year, month = [*day.split("-"), unknown][:2]
    return 12 * int(year) + int(month)


class Model(models.Model):
    """A model, as people mean it by a name: "SPLADE-v3", "BM25". Systems are its checkpoints, settings and runs by
    toolkits.

    Days are given as far as they are known: ``2021-12-02``, ``2021-12`` or ``2021``.
    """

    slug = models.SlugField(max_length=100, unique=True, help_text="Its address, which stays.")
    name = models.CharField(max_length=300)
    name_key = models.CharField(max_length=600, unique=True, help_text="Its name as names are compared.")
    maker = models.CharField(max_length=300, blank=True)
    base = models.CharField(max_length=300, blank=True, help_text="The model that it was made from, by its name.")
    paper = models.ForeignKey(
        "results.Paper",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="models_introduced",
        help_text="On it.",
    )
    published = models.CharField(max_length=10, blank=True, help_text="When its paper could be read.")
    released = models.CharField(max_length=10, blank=True, help_text="When its checkpoint could be had.")
    source = models.CharField(max_length=300, blank=True, help_text="Where that is known from.")

    class Meta:
        ordering = ["name_key"]
        constraints = [
            models.CheckConstraint(
                condition=Q(published__regex=_DAY) & Q(released__regex=_DAY), name="model_days_are_days"
            ),
            models.CheckConstraint(condition=~Q(name_key=""), name="model_has_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return path_to("models:model-detail", None, (self.slug,))

    @property
    def has_doubtful_days(self) -> bool:
        """True if its checkpoint is dated long before the paper that introduces it, however its days are completed.

        Papers often follow their checkpoint within weeks.
        """
        if not self.published or not self.released:
            return False
        return _month(self.published, "01") - _month(self.released, "12") > _MONTHS_BEFORE_PAPER

    @property
    def known_since(self) -> str:
        """The earlier of the two days; that of the paper if they are doubtful, blank if neither is known.

        A day is earlier than its month, which ends later.
        """
        if self.has_doubtful_days:
            return self.published
        return min(filter(None, (self.published, self.released)), key=lambda day: f"{day}-99-99"[:10], default="")


class System(models.Model):
    """A system that was measured: a run, a model, a configuration; known by its name and the team that made it.

    The keys are the names as they are compared: without case, in one Unicode form, with single blanks.
    """

    name = models.CharField(max_length=300)
    team = models.CharField(max_length=300, blank=True)
    name_key = models.CharField(max_length=600)
    team_key = models.CharField(max_length=600, blank=True)
    slug = OwnSlugField(slug_of_system, "name_key", "team_key")
    model = models.ForeignKey(
        Model, null=True, blank=True, on_delete=models.PROTECT, related_name="systems", help_text="Null: of none."
    )
    model_by = models.ForeignKey(
        Entry,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="systems_of_models",
        help_text="The entry of the log that says so, or that it is of none.",
    )
    merged_into = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="merged_systems",
        help_text="The same system under its name of today; its results stand there, and new ones go there.",
    )

    class Meta:
        ordering = ["name_key"]
        constraints = [
            models.UniqueConstraint(fields=["name_key", "team_key"], name="system_once"),
            models.CheckConstraint(condition=~Q(name_key=""), name="system_has_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return path_to("results:system-detail", None, (self.slug,))


#: The end of a locator that names a line of a file, or the first and the last of several.
_LINES = re.compile(r"#L[1-9]\d*(?:-L[1-9]\d*)?$", re.ASCII)


class Source(models.Model):
    """A place that figures were taken from, in the state that was read, and the terms under which they stand."""

    name = models.CharField(max_length=200, unique=True, help_text="As results name it.")
    what = models.CharField(max_length=300, help_text="What is there, in a few words.")
    state = models.CharField(max_length=100, blank=True, help_text="The commit or version that was read.")
    address = models.URLField(max_length=500, help_text="Where it is, in that state.")
    file_address = models.CharField(
        max_length=500, blank=True, help_text="Where one of its files is: an address with {path}, perhaps {state}."
    )
    licence = models.CharField(max_length=100, blank=True)
    terms = models.TextField(blank=True, help_text="What else holds for those who take it further.")

    #: Results that stand, for sources that ``queries.source_counts`` gives.
    n_results: int

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("results:source-detail", args=[self.name])

    def opened(self, locator: str) -> str:
        """Return the address of the file that a locator names, in the state that was read; without a file, of the
        source.

        A locator may name another state than the source's, and lines of the file:
        ``trec_results/x.txt#L12-L15 at 87e65ef478``.
        """
        path, _, state = locator.rpartition(" at ") if " at " in locator else (locator, "", "")
        if not path or not self.file_address:
            return self.address
        lines = _LINES.search(path)
        path = path[: lines.start()] if lines else path
        address = self.file_address.replace("{state}", quote(state or self.state)).replace("{path}", quote(path))
        if not lines:
            return address
        # GitHub shows Markdown as it is meant to be read, without its lines, unless it is asked for plain text.
        plain = "?plain=1" if path.endswith(".md") and address.startswith("https://github.com/") else ""
        return f"{address}{plain}{lines[0]}"
