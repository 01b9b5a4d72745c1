"""Forms for a run or a table of topic scores, a study, executions and judgements."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from analysis.readers.rejections import Refused
from analysis.readers.text import clean_name
from analysis.runs.reports import is_complete, proposed_systems
from registry.accounts.models import User
from registry.catalog.models import Collection, Leaderboard
from registry.catalog.queries import CatalogNames
from registry.core.forms import CleanTextField, DayField, NumberField, invalid
from registry.core.messages import say
from registry.results.models import Result
from registry.runs.models import Executed, Upload, Work, own_board
from registry.runs.queries import comparable_with, measures_to_seal, precision_boards_of, sent_beside
from registry.runs.services.uploading import MOST_KEPT

RUN, MATRIX = "run", "matrix"


class WishesForm(forms.Form):
    """The facts that go with a run, or a table of topic scores: its collection, name and how long it is kept."""

    kind = forms.ChoiceField(
        label="It is", choices=[(RUN, "a run, to be scored"), (MATRIX, "a table of topic scores")], initial=RUN
    )
    collection = forms.CharField(label="Collection", max_length=200, help_text="Any name of a collection.")
    measure = forms.CharField(
        label="Measure", max_length=100, required=False, help_text="Of a table; a run is scored under all of them."
    )
    name = CleanTextField(
        label="Name", max_length=200, required=False, help_text="What your system is called in reports; else the file."
    )
    claimed = forms.IntegerField(
        label="Result",
        required=False,
        min_value=1,
        help_text="If it is the run of a result on record: the number in the address of that result’s page.",
    )
    until = DayField(
        label="Keep it until",
        help_text="A day within a year, as 2027-01-31. Left blank, it is not kept: all is deleted after an hour.",
    )

    def __init__(self, *arguments: Any, file_name: str = "", **options: Any) -> None:
        super().__init__(*arguments, **options)
        #: The name is made of it where none is given.
        self.file_name = file_name

    def clean_until(self) -> datetime | None:
        day = self.cleaned_data["until"]
        if day is None:
            return None
        now = timezone.now()
        # The last of all days, 9999-12-31, has none after it.
        if not now.date() <= day < (now + MOST_KEPT).date():
            raise ValidationError("Choose a day from today on, within a year.", code="day")
        return datetime.combine(day + timedelta(days=1), time(), tzinfo=UTC)

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or self.cleaned_data
        name, measure_name = fields.get("collection"), fields.get("measure", "")
        is_matrix = fields.get("kind") == MATRIX
        if is_matrix and not measure_name:
            self.add_error("measure", "Say under which measure these scores are.")
        names = CatalogNames()
        try:
            collection = names.collection(name, under=measure_name) if name else None
        except Refused as refused:
            self.add_error("collection", invalid(refused))
            return fields
        fields["named_collection"], fields["named_measure"] = collection, None
        if collection and is_matrix and measure_name:
            try:
                fields["named_measure"] = names.measure(measure_name, on=collection)
            except Refused as refused:
                self.add_error("measure", invalid(refused))
                return fields
        self._find_claimed(fields, collection)
        fields["name"] = fields.get("name") or name_of_file(self.file_name)
        return fields

    def wishes(self) -> dict[str, Any]:
        """Return the arguments of ``services.uploading.hand_in`` that a valid form gives."""
        fields = self.cleaned_data
        return {
            "name": fields["name"],
            "collection": fields["named_collection"],
            "measure": fields["named_measure"],
            "kept_until": fields.get("until"),
            "claimed": fields.get("claimed"),
        }

    def _find_claimed(self, fields: dict[str, Any], collection: Collection | None) -> None:
        if not fields.get("claimed") or collection is None:
            fields["claimed"] = None
            return
        standing = Result.objects.standing().select_related("leaderboard__measure")
        claimed = standing.filter(pk=fields["claimed"], leaderboard__collection=collection).first()
        if claimed is None:
            self.add_error("claimed", f"No result of this number is on a leaderboard of {collection}.")
        fields["claimed"] = claimed


class UploadForm(WishesForm):
    """A run, or a table of topic scores."""

    field_order = ("file",)

    file = forms.FileField(
        label="Drop a file or choose one",
        help_text="A run of trec_eval or MS MARCO (topic, document, rank), or JSON; plain, gzip or zstd; at most 6 MB.",
    )
    #: Fields for those who are signed in.
    OF_ACCOUNTS = ("kind", "measure", "claimed", "until")

    def __init__(self, *arguments: Any, is_visitor: bool = False, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["kind"].required = self.fields["collection"].required = False
        self.fields["collection"].help_text = "Any name; left blank, its topics and documents say which."
        for name in self.OF_ACCOUNTS if is_visitor else ():
            del self.fields[name]

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or self.cleaned_data
        if fields.get("kind") == MATRIX and not fields.get("collection"):
            self.add_error("collection", "Say on which collection these scores are.")
        return fields

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        self.file_name = file.name or ""
        return file


def name_of_file(name: str) -> str:
    """Return the name of an upload of which only the file's name is known."""
    for end in (".gz", ".zst", ".run", ".txt", ".csv", ".tsv", ".json"):
        name = name.removesuffix(end)
    try:
        return clean_name(name[:200], max_length=200) or "unnamed"
    except Refused:
        return "unnamed"


def offer(field: forms.Field, choices: dict[str, str]) -> None:
    """Offer these values to choose from, with what each is called."""
    assert isinstance(field, forms.ChoiceField)
    field.choices = [*choices.items()]


class StudyForm(forms.Form):
    """The measure under which an upload is compared, and with what."""

    measure = forms.ChoiceField(label="Measure")
    alone = forms.ChoiceField(
        label="Among", choices=[("no", "the results of the leaderboard"), ("yes", "each other only")], initial="no"
    )
    others = forms.MultipleChoiceField(
        label="Together with", required=False, widget=forms.CheckboxSelectMultiple, help_text="Your other uploads."
    )

    def __init__(self, data: Any = None, *, upload: Upload, user: User) -> None:
        super().__init__(data)
        boards = Leaderboard.objects.filter(collection=upload.collection_id).select_related("measure", "collection")
        names = [upload.measure.name] if upload.measure else list(upload.work.means)
        is_ranked = is_complete(upload.work.report)
        self.boards = {board.measure.name: board for board in boards if board.measure.name in names and is_ranked}
        if upload.measure and not self.boards:
            self.boards = {upload.measure.name: own_board(upload)}
            offer(self.fields["alone"], {"yes": "each other only"})
        self.beside = {other.pk: other for other in sent_beside(upload, user)}
        offer(self.fields["measure"], {name: name for name in self.boards})
        offer(self.fields["others"], {key: other.name for key, other in self.beside.items()})
        executions = {name for names in upload.executions.values() for name in names}
        self.fields["others"].initial = [key for key, other in self.beside.items() if other.name in executions]
        if not self.beside:
            del self.fields["others"]
        if upload.work.kind == Work.Kind.MATRIX:
            self.fields["alone"].initial = "yes"

    def wishes(self) -> dict[str, Any]:
        """Return the arguments of ``services.studying.ask_for_study`` that a valid form gives."""
        fields = self.cleaned_data
        others = [self.beside[key] for key in dict.fromkeys(fields.get("others", []))]
        return {"others": others, "leaderboard": self.boards[fields["measure"]], "is_alone": fields["alone"] == "yes"}


class DocumentsForm(forms.Form):
    """The average precision under which a run is studied, and a run to compare it with."""

    measure = forms.ChoiceField(label="Measure")
    other = forms.ChoiceField(
        label="Compared with", required=False, help_text="Another of your runs, on the same resampled collections."
    )

    def __init__(self, data: Any = None, *, upload: Upload) -> None:
        super().__init__(data, prefix="documents")
        self.boards = precision_boards_of(upload)
        own = upload.own_collection.measures.all() if upload.own_collection else ()
        self._own = {measure.name: measure for measure in own}
        self.runs = comparable_with(upload)
        offer(self.fields["measure"], {name: name for name in self.boards})
        offer(self.fields["other"], {"": "nothing"} | {key: run.name for key, run in self.runs.items()})
        if not self.runs:
            del self.fields["other"]

    def wishes(self) -> dict[str, Any]:
        """Return the arguments of ``services.studying.ask_for_document_study`` that a valid form gives."""
        measure, other = self.cleaned_data["measure"], self.cleaned_data.get("other", "")
        return {
            "leaderboard": self.boards[measure],
            "own_measure": self._own.get(measure),
            "other": self.runs.get(other),
        }


class ExecutionsForm(forms.Form):
    """Runs and columns that are executions of one system, and the difference that matters; blank for none."""

    systems = forms.CharField(
        label="Systems with their executions",
        required=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="A line each, as “A: A.1, A.2, A.3”: runs by name, or columns. A system with one was executed once.",
    )
    margin = NumberField(label="Smallest difference that matters", required=False, min_value=1e-6, max_value=1e6)
    #: So many columns are compared at once.
    MOST = 100

    def __init__(self, data: Any, columns: Sequence[str], kept: Executed) -> None:
        super().__init__(data, initial={"margin": kept.margin})
        self.columns = columns
        systems = {name: list(executions) for name, executions in kept.executions.items()}
        new = [name for name in columns if not any(name in executions for executions in systems.values())]
        for name, executions in proposed_systems(new).items():
            systems[name] = systems.get(name, []) + executions
        self.initial["systems"] = "\n".join(f"{name}: {', '.join(names)}" for name, names in systems.items())

    def clean_systems(self) -> dict[str, list[str]]:
        """Return the columns of each system by its name."""
        systems: dict[str, list[str]] = {}
        for line in filter(None, map(str.strip, self.cleaned_data["systems"].splitlines())):
            name, _, executions = (line, "", "") if line in self.columns else line.partition(":")
            systems.setdefault(name.strip(), []).extend(self._named_in(executions or name))
        named = [column for columns in systems.values() for column in columns]
        if unknown := set(named) - set(self.columns):
            raise ValidationError(say("executions-unknown", name=min(unknown), names=", ".join(self.columns[:20])))
        if twice := {column for column in named if named.count(column) > 1}:
            raise ValidationError(say("executions-twice", name=min(twice)))
        if other := next((name for name in systems if name in self.columns and name not in systems[name]), None):
            raise ValidationError(say("executions-other", name=other))
        if len(named) > self.MOST:
            raise ValidationError(say("executions-most", most=self.MOST))
        if systems and all(len(columns) < 2 for columns in systems.values()):
            raise ValidationError(say("executions-none"))
        return systems

    def _named_in(self, text: str) -> Iterator[str]:
        """Yield the names between commas; one that has commas itself stays whole."""
        parts = text.split(",")
        while parts:
            joined = (",".join(parts[:n]).strip() for n in range(min(len(parts), 9), 1, -1))
            name = next((text for text in joined if text in self.columns), parts[0].strip())
            parts = parts[name.count(",") + 1 :]
            if name:
                yield name


class PairForm(forms.Form):
    """A system of a study against another, or against all others; and which difference matters."""

    first = forms.ChoiceField(label="System")
    second = forms.ChoiceField(label="Compared with", required=False)
    margin = NumberField(label="Smallest difference that matters", required=False, min_value=1e-6, max_value=1e6)

    def __init__(self, data: Any, systems: Sequence[str]) -> None:
        super().__init__(data)
        names = {name: name for name in systems}
        offer(self.fields["first"], names)
        offer(self.fields["second"], {"": "each of the others"} | names)

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or self.cleaned_data
        if fields.get("first") is not None and fields.get("first") == fields.get("second"):
            self.add_error("second", "Choose another system.")
        return fields


class JudgementsForm(forms.Form):
    """Judgements of a collection."""

    file = forms.FileField(
        label="File", help_text="Lines of topic, iteration, document, grade, as trec_eval takes them."
    )
    source = forms.CharField(label="Where they are from", max_length=300)
    licence = forms.CharField(label="Licence", max_length=100, required=False)
    sealed = forms.ChoiceField(
        label="Sealed",
        required=False,
        help_text="Sealed ones the scorer alone reads; nobody gets them out again, nor do you. Runs get one mean, "
        "under this measure, at two decimals.",
    )

    def __init__(self, *arguments: Any, collection: Collection, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.measures = {measure.name: measure for measure in measures_to_seal(collection)}
        sealed = {name: f"yes, and runs are scored under {name}" for name in self.measures}
        offer(self.fields["sealed"], {"": "no, they are public"} | sealed)
