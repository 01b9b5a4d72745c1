"""What people fill in: a run or a table to look at, a study, judgements."""

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
from registry.runs.queries import measures_to_seal
from registry.runs.services.uploading import MOST_KEPT
from registry.runs.studies import boards_of, comparable_with, sent_beside

RUN, MATRIX = "run", "matrix"


class WishesForm(forms.Form):
    """What is said of a run, or of a table of topic scores, beside its content."""

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
        #: What the name is made of where none is given.
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
        given = super().clean() or self.cleaned_data
        is_matrix = given.get("kind") == MATRIX
        if is_matrix and not given.get("measure"):
            self.add_error("measure", "Say under which measure these scores are.")
        names = CatalogNames()
        try:
            found = (
                names.collection(given["collection"], under=given.get("measure", ""))
                if given.get("collection")
                else None
            )
        except Refused as refused:
            self.add_error("collection", invalid(refused))
            return given
        given["found"] = found
        given["found_measure"] = None
        if found and is_matrix and given.get("measure"):
            try:
                given["found_measure"] = names.measure(given["measure"], on=found)
            except Refused as refused:
                self.add_error("measure", invalid(refused))
                return given
        self._find_claimed(given, found)
        given["name"] = given.get("name") or name_of_file(self.file_name)
        return given

    def wishes(self) -> dict[str, Any]:
        """Return what a valid form says, as ``services.uploading.hand_in`` takes it."""
        given = self.cleaned_data
        return {
            "name": given["name"],
            "collection": given["found"],
            "measure": given["found_measure"],
            "kept_until": given.get("until"),
            "claimed": given.get("claimed"),
        }

    def _find_claimed(self, given: dict[str, Any], collection: Collection | None) -> None:
        if not given.get("claimed") or collection is None:
            given["claimed"] = None
            return
        standing = Result.objects.standing().select_related("leaderboard__measure")
        claimed = standing.filter(pk=given["claimed"], leaderboard__collection=collection).first()
        if claimed is None:
            self.add_error("claimed", f"No result of this number is on a leaderboard of {collection}.")
        given["claimed"] = claimed


class UploadForm(WishesForm):
    """A run, or a table of topic scores."""

    field_order = ("file",)

    file = forms.FileField(
        label="Drop a file or choose one",
        help_text="A run of trec_eval or MS MARCO (topic, document, rank), or JSON; plain, gzip or zstd; at most 6 MB.",
    )
    #: What only those have who are signed in.
    OF_ACCOUNTS = ("kind", "measure", "claimed", "until")

    def __init__(self, *arguments: Any, is_visitor: bool = False, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["kind"].required = self.fields["collection"].required = False
        self.fields["collection"].help_text = "Any name; left blank, its topics and documents say which."
        for name in self.OF_ACCOUNTS if is_visitor else ():
            del self.fields[name]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if given.get("kind") == MATRIX and not given.get("collection"):
            self.add_error("collection", "Say on which collection these scores are.")
        return given

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        self.file_name = file.name or ""
        return file


def name_of_file(name: str) -> str:
    """Return what something is called of which only the file's name is known."""
    for end in (".gz", ".zst", ".run", ".txt", ".csv", ".tsv", ".json"):
        name = name.removesuffix(end)
    try:
        return clean_name(name[:200], max_length=200) or "unnamed"
    except Refused:
        return "unnamed"


def offer(field: forms.Field, choices: dict[str, str]) -> None:
    """Have these be chosen from, by value with what each is called."""
    assert isinstance(field, forms.ChoiceField)
    field.choices = [*choices.items()]


class StudyForm(forms.Form):
    """What an upload is to be compared with, under which measure."""

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
        self.kept = {one.pk: one for one in sent_beside(upload, user)}
        offer(self.fields["measure"], {name: name for name in self.boards})
        offer(self.fields["others"], {one.pk: one.name for one in self.kept.values()})
        self.fields["others"].initial = [
            key for key, one in self.kept.items() if any(one.name in names for names in upload.executions.values())
        ]
        if not self.kept:
            del self.fields["others"]
        if upload.work.kind == Work.Kind.MATRIX:
            self.fields["alone"].initial = "yes"

    def wishes(self) -> dict[str, Any]:
        """Return what a valid form asks for, as ``services.studying.ask_for_study`` takes it."""
        given = self.cleaned_data
        others = [self.kept[key] for key in dict.fromkeys(given.get("others", []))]
        return {"others": others, "leaderboard": self.boards[given["measure"]], "is_alone": given["alone"] == "yes"}


class DocumentsForm(forms.Form):
    """Under which average precision a run is to be studied, and against which other run."""

    measure = forms.ChoiceField(label="Measure")
    other = forms.ChoiceField(
        label="Compared with", required=False, help_text="Another of your runs, on the same resampled collections."
    )

    def __init__(self, data: Any = None, *, upload: Upload) -> None:
        super().__init__(data, prefix="documents")
        self.boards = boards_of(upload)
        own = upload.own_collection.measures.all() if upload.own_collection else ()
        self._own = {one.name: one for one in own}
        self.runs = comparable_with(upload)
        offer(self.fields["measure"], {name: name for name in self.boards})
        offer(self.fields["other"], {"": "nothing"} | {key: one.name for key, one in self.runs.items()})
        if not self.runs:
            del self.fields["other"]

    def wishes(self) -> dict[str, Any]:
        """Return what a valid form asks for, as ``services.studying.ask_for_document_study`` takes it."""
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
        told = {name: list(of_system) for name, of_system in kept.executions.items()}
        new = [name for name in columns if not any(name in of_system for of_system in told.values())]
        for name, of_system in proposed_systems(new).items():
            told[name] = told.get(name, []) + of_system
        self.initial["systems"] = "\n".join(f"{name}: {', '.join(of_system)}" for name, of_system in told.items())

    def clean_systems(self) -> dict[str, list[str]]:
        """The columns of each system by its name."""
        found: dict[str, list[str]] = {}
        for line in filter(None, map(str.strip, self.cleaned_data["systems"].splitlines())):
            name, _, told = (line, "", "") if line in self.columns else line.partition(":")
            found.setdefault(name.strip(), []).extend(self._named_in(told or name))
        named = [column for of_system in found.values() for column in of_system]
        if unknown := set(named) - set(self.columns):
            raise ValidationError(say("executions-unknown", name=min(unknown), names=", ".join(self.columns[:20])))
        if twice := {column for column in named if named.count(column) > 1}:
            raise ValidationError(say("executions-twice", name=min(twice)))
        if other := next((name for name in found if name in self.columns and name not in found[name]), None):
            raise ValidationError(say("executions-other", name=other))
        if len(named) > self.MOST:
            raise ValidationError(say("executions-most", most=self.MOST))
        if found and all(len(of_system) < 2 for of_system in found.values()):
            raise ValidationError(say("executions-none"))
        return found

    def _named_in(self, text: str) -> Iterator[str]:
        """Yield what stands between commas; a name that has some itself whole."""
        parts = text.split(",")
        while parts:
            joined = (",".join(parts[:n]).strip() for n in range(min(len(parts), 9), 1, -1))
            name = next((one for one in joined if one in self.columns), parts[0].strip())
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
        given = super().clean() or self.cleaned_data
        if given.get("first") is not None and given.get("first") == given.get("second"):
            self.add_error("second", "Choose another system.")
        return given


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
