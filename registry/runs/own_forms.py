"""Forms of people, and requests of programs, about a collection of one's own: its name, its measures, a table."""

from collections.abc import Collection
from typing import Annotated, Any

import msgspec
from django import forms
from django.core.exceptions import ValidationError

from analysis.readers.rejections import Refused
from analysis.runs.scoring import can_score
from registry.catalog.queries import CatalogNames
from registry.core.forms import CleanTextField, invalid
from registry.core.messages import say
from registry.results.forms import WithRefusals
from registry.runs.executions import names_on
from registry.runs.forms import ExecutionsForm, name_of_file, offer
from registry.runs.models import OwnCollection

#: Names of topics, and of the measures of a collection, at most.
MOST_TOPICS, MOST_MEASURES = 10_000, 50


class OwnCollectionForm(forms.Form):
    """The name of a collection of one's own, who sees it, and its topics."""

    name = CleanTextField(label="Name", max_length=200)
    seen = forms.ChoiceField(
        label="Who sees it",
        choices=[
            ("private", "you alone"),
            ("unlisted", "anyone with the link"),
            ("public", "everybody: it is listed under your user name, as not on the record and not reviewed"),
        ],
        initial="private",
        widget=forms.RadioSelect,
    )
    topics = forms.CharField(
        label="Topics",
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="One a line, as tables call them. Left blank, they are those of the tables.",
    )

    def clean_topics(self) -> list[str]:
        name = CleanTextField(max_length=200)
        topics = [name.clean(line) for line in self.cleaned_data["topics"].splitlines() if line.strip()]
        if len(topics) > MOST_TOPICS:
            raise ValidationError(f"At most {MOST_TOPICS:,} topics.", code="too_many")
        twice = next((topic for place, topic in enumerate(topics) if topic in topics[:place]), None)
        if twice is not None:
            raise ValidationError(f"“{twice}” stands there twice.", code="twice")
        return topics

    def wishes(self) -> dict[str, Any]:
        """Return the arguments of ``services.own_collections`` that a valid form gives."""
        fields = self.cleaned_data
        return {"name": fields["name"], "visibility": fields["seen"], "topics": fields["topics"]}


class OwnMeasureForm(forms.Form):
    """A measure: one that is known here by its name alone."""

    name = CleanTextField(
        label="Measure", max_length=100, help_text="One that is known here, such as nDCG@10, needs nothing else."
    )
    low = forms.FloatField(label="From", required=False, help_text="Blank where there is no lower end.")
    high = forms.FloatField(label="To", required=False, help_text="Blank where there is no upper end.")
    better = forms.ChoiceField(label="Better is", choices=[("more", "more"), ("less", "less")], required=False)
    decimals = forms.IntegerField(label="Decimals", required=False, min_value=0, max_value=10)

    def __init__(self, data: Any = None, *, taken: Collection[str]) -> None:
        super().__init__(data)
        self.taken = {name.casefold() for name in taken}

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or self.cleaned_data
        if "name" not in fields:
            return fields
        names = CatalogNames()
        self.facts = {
            "name": fields["name"],
            "low": fields.get("low"),
            "high": fields.get("high"),
            "higher_is_better": fields.get("better") != "less",
            "decimals": 4 if fields.get("decimals") is None else fields["decimals"],
        }
        spelled = fields["name"]
        if names.has_measure(fields["name"]):
            try:
                known = names.measure(fields["name"])
            except Refused as refused:
                self.add_error("name", invalid(refused))
                return fields
            self.facts = {name: getattr(known, name) for name in self.facts}
            spelled = known.ir_measures
        self.facts["ir_measures"] = spelled if can_score(spelled) else ""
        low, high = self.facts["low"], self.facts["high"]
        if low is None and high is None and not self.facts["ir_measures"] and not names.has_measure(fields["name"]):
            self.add_error("name", say("own-unknown-measure", name=fields["name"]))
        if low is not None and high is not None and low >= high:
            self.add_error("high", "It has to be above the lower end.")
        if self.facts["name"].casefold() in self.taken:
            self.add_error("name", "The collection has this measure.")
        if len(self.taken) >= MOST_MEASURES:
            self.add_error(None, f"A collection has {MOST_MEASURES} measures at most.")
        return fields


class BeginForm(OwnCollectionForm):
    """A new collection of one's own, with measures."""

    measures = forms.CharField(
        label="Measures",
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="One a line, such as nDCG@10. Add unknown ones later, with their range.",
    )
    field_order = ["name", "measures", "seen", "topics"]

    def clean_measures(self) -> list[dict[str, Any]]:
        measures: list[dict[str, Any]] = []
        for line in filter(None, map(str.strip, self.cleaned_data["measures"].splitlines())):
            form = OwnMeasureForm({"name": line}, taken=[facts["name"] for facts in measures])
            if not form.is_valid():
                raise ValidationError([f"“{line}”: {error}" for errors in form.errors.values() for error in errors])
            measures.append(form.facts)
        return measures

    def wishes(self) -> dict[str, Any]:
        return super().wishes() | {"measures": self.cleaned_data["measures"]}


class ListingForm(WithRefusals):
    """The reason why a collection of somebody's own is taken off the list, or may be on it again."""

    reason = CleanTextField(
        max_length=2000, widget=forms.Textarea(attrs={"rows": 3}), help_text="Its owner reads it; the journal keeps it."
    )


class _SentForm(forms.Form):
    """A file, which names what is in it where nobody does."""

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or self.cleaned_data
        if fields.get("file") and "name" in fields:
            fields["name"] = fields["name"] or name_of_file(fields["file"].name or "")
        return fields


class OwnTableForm(_SentForm):
    """A table of topic scores, and under which measure they are."""

    file = forms.FileField(
        label="Table of topic scores",
        help_text="CSV: a row for each topic, a column for each system. Blank cells stay absent. "
        "Send more tables later, with further systems or topics.",
    )
    measure = forms.ChoiceField(label="Measure")
    name = CleanTextField(label="Name", max_length=200, required=False, help_text="Left blank: that of the file.")

    def __init__(self, *arguments: Any, collection: OwnCollection, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.measures = {str(measure.pk): measure for measure in collection.measures.order_by("pk")}
        offer(self.fields["measure"], {key: measure.name for key, measure in self.measures.items()})


class OwnRunForm(_SentForm):
    """A run, to be scored against the judgements of a collection of one's own."""

    file = forms.FileField(label="Run", help_text="As trec_eval takes it, or in the other layouts that are read here.")
    name = CleanTextField(label="Name", max_length=200, required=False, help_text="Left blank: that of the file.")


class OwnJudgementsForm(forms.Form):
    """Judgements of a collection of one's own."""

    file = forms.FileField(
        label="Judgements", help_text="Lines of topic, iteration, document, grade, as trec_eval takes them."
    )


Visibility = OwnCollection.Visibility


class SentOwnCollection(msgspec.Struct, forbid_unknown_fields=True):
    """A collection of one's own: what is left out is as it is by default, or as it was."""

    name: Annotated[str | None, "What it is called; a new one needs it."] = None
    visibility: Annotated[
        Visibility | None,
        "Who sees it: `private` you alone (default), `unlisted` anyone with the link, `public` everybody.",
    ] = None
    is_private: Annotated[bool | None, "In its place: true as `private`, false as `unlisted`."] = None
    topics: Annotated[list[str] | None, "Their names; empty where they are those of what is sent."] = None

    def as_form(self, stands: OwnCollection | None = None) -> dict[str, Any]:
        """Return the fields of the page's form, for a new collection or one that stands."""
        topics = self.topics if self.topics is not None else stands.topics if stands else []
        return {
            "name": self.name if self.name is not None else stands.name if stands else "",
            "seen": self._seen() or (stands.visibility if stands else Visibility.PRIVATE),
            "topics": "\n".join(topics),
        }

    def _seen(self) -> str | None:
        if self.visibility is None and self.is_private is not None:
            return Visibility.PRIVATE if self.is_private else Visibility.UNLISTED
        return self.visibility


class BegunOwnCollection(SentOwnCollection, forbid_unknown_fields=True):
    """A new collection of one's own, with its measures."""

    measures: Annotated[list[str], "As `nDCG@10`; all or none are begun with it."] = msgspec.field(default_factory=list)

    def as_form(self, stands: OwnCollection | None = None) -> dict[str, Any]:
        return super().as_form(stands) | {"measures": "\n".join(self.measures)}


class ChangedOwnCollection(SentOwnCollection, forbid_unknown_fields=True):
    """The same, with which runs and columns are executions of which system."""

    executions: Annotated[dict[str, list[str]] | None, "By system its runs and columns, by name; {} for none."] = None
    margin: Annotated[float | None, "The smallest difference between these that matters."] = None

    def executions_on(self, stands: OwnCollection) -> dict[str, Any]:
        """Return executions as ``own_collections.change`` takes them; raise ``Refused`` where they can't be."""
        if self.executions is None and self.margin is None:
            return {}
        systems = stands.executions if self.executions is None else self.executions
        lines = "\n".join(f"{name}: {', '.join(names)}" for name, names in systems.items())
        margin = stands.margin if self.margin is None else self.margin
        form = ExecutionsForm({"systems": lines, "margin": margin}, names_on(stands), stands)
        if not form.is_valid():
            raise Refused("executions", " ".join(str(error) for errors in form.errors.values() for error in errors))
        return form.cleaned_data


class SentOwnMeasure(msgspec.Struct, forbid_unknown_fields=True):
    """A measure of a collection of one's own; one that is known here needs its name alone."""

    name: Annotated[str, "As `nDCG@10`."]
    low: Annotated[float | None, "Null where there is no lower end."] = None
    high: Annotated[float | None, "Null where there is no upper end."] = None
    higher_is_better: bool = True
    decimals: Annotated[int | None, "To show; 4 by default."] = None

    def as_form(self) -> dict[str, Any]:
        better = "more" if self.higher_is_better else "less"
        return {"name": self.name, "low": self.low, "high": self.high, "better": better, "decimals": self.decimals}
