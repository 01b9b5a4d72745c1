"""What may be asked of lists, of one leaderboard, and with results that are handed in."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.db.models import F, QuerySet

from analysis.readers.exchange.formats import FORMATS, Format
from analysis.readers.grids import MAX_CELL_LENGTH
from analysis.readers.rejections import Refused
from analysis.readers.scores import UNITS
from analysis.readers.tables import FOR_ALL
from registry.api.paging import PagedForm
from registry.catalog.filters import CollectionForm
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.catalog.queries import find_collection, find_measure
from registry.core.forms import AsOfForm, CleanTextField, QueryForm, invalid
from registry.leaderboards.forms import SelectionForm, TrainingForm
from registry.results.models import Result
from registry.runs.forms import MATRIX, RUN, WishesForm
from registry.search.forms import FindForm
from registry.submissions.models import Submission, SubmittedRow

_YES_NO = [(word, word) for word in ("true", "false")]
_FORMATS = [(name, name) for name in FORMATS]


class AsOfPagedForm(PagedForm, AsOfForm):
    """The page of a list of results, and the day on which it is to be seen."""


class LeaderboardForm(PagedForm, SelectionForm):
    """The choices of the page of a leaderboard, and the page of its results."""

    default_page_size = 200

    @property
    def asked(self) -> str:
        return f"{super().asked} {self.window}"


class SearchForm(PagedForm, FindForm):
    """What is looked for, and the page of what is found."""


class SystemsForm(PagedForm, TrainingForm):
    """The page of the systems of a suite."""

    default_page_size = 200


class FileForm(QueryForm):
    """The format in which results are taken away."""

    format = forms.ChoiceField(choices=_FORMATS, help_text="The format of the file; json, which is ours, without.")

    @property
    def chosen(self) -> Format:
        return FORMATS[self.cleaned_data["format"] or "json"]


def _for_all(column: str) -> forms.CharField:
    help_text = f"The {column.replace('_url', ' as an address or identifier')} of the rows that name none."
    return forms.CharField(max_length=MAX_CELL_LENGTH, help_text=help_text)


class BodyForm(QueryForm):
    """What is said in the address about a body, and about all of its rows that do not say it themselves."""

    format = forms.ChoiceField(
        choices=_FORMATS, help_text="The format of the body, where its Content-Type leaves a choice: ours without."
    )
    collection = _for_all("collection")
    measure = _for_all("measure")
    system = _for_all("system")
    role = forms.ChoiceField(choices=Result.Role.choices, help_text="The role of the rows that name none.")
    unit = forms.ChoiceField(
        choices=[(word, word) for word in UNITS],
        help_text="What the scores are in whose rows name no unit; as their measure counts without.",
    )
    paper = _for_all("paper")
    paper_url = _for_all("paper_url")
    year = _for_all("year")
    source = _for_all("source")
    locator = _for_all("locator")

    def defaults(self) -> dict[str, str]:
        """Return what holds for all rows of a valid form that do not say it themselves, by column."""
        return {name: self.cleaned_data[name] for name in FOR_ALL if self.cleaned_data[name]}


class CreationForm(BodyForm):
    """What is wished beside the results themselves: in the address, or as keys of a JSON object."""

    dry_run = forms.ChoiceField(choices=_YES_NO, help_text="Answer what would become of each row, and store nothing.")
    submit = forms.ChoiceField(choices=_YES_NO, help_text="Hand the results in for review; they stay a draft without.")
    note = CleanTextField(max_length=5_000, widget=forms.Textarea, help_text="What the reviewer should know.")

    def wants(self, name: str) -> bool:
        return bool(self.cleaned_data[name] == "true")


class RunForm(QueryForm, WishesForm):
    """What is said in the address about a run that is the body."""

    own = forms.CharField(
        max_length=43,
        help_text="In place of `collection`: the key in the address of a collection of your own, which keeps it.",
    )

    result = forms.IntegerField(min_value=1, help_text="If it is the run of a result on record: its number.")
    claimed = forms.IntegerField(min_value=1, help_text="As `result`, which was called so before.")

    kind = forms.ChoiceField(
        choices=[(RUN, RUN), (MATRIX, MATRIX)],
        help_text="What the body is: a run, which is scored (so without); or a CSV table of topic scores.",
    )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["collection"].required = False

    def clean_kind(self) -> str:
        return str(self.cleaned_data["kind"] or RUN)

    def clean(self) -> dict[str, Any]:
        result, claimed = self.cleaned_data.get("result"), self.cleaned_data.get("claimed")
        if result and claimed:
            self.add_error("claimed", "This is `result`; give one of the two.")
        elif result:
            self.cleaned_data["claimed"] = result
        given = super().clean() or self.cleaned_data
        if result and not claimed and "claimed" in self.errors:
            self.errors["result"] = self.errors.pop("claimed")
        if bool(given.get("own")) == bool(given.get("collection")) and "collection" not in self.errors:
            self.add_error("collection", "Name a collection, or one of your own with `own`.")
        if given.get("measure") and given.get("kind") == RUN:
            self.add_error("measure", "A run is scored under every measure; a table, with `kind=matrix`, is under one.")
        for name in ("result", "claimed", "until") if given.get("own") else ():
            if self.data.get(name):
                self.add_error(name, "Leave it out beside `own`: what is sent there is kept with the collection.")
        return given


class SubmitForm(QueryForm):
    """How a draft is handed in."""

    drop_refused = forms.ChoiceField(
        choices=_YES_NO, help_text="Leave out the rows that are refused, and hand in the others."
    )


class SubmissionListForm(PagedForm):
    """Which of one's submissions."""

    state = forms.ChoiceField(choices=Submission.State, help_text="Those in this state.")
    waiting = forms.ChoiceField(
        choices=_YES_NO, help_text="In place of your own, those that wait for your decision; the oldest first."
    )


class SubmissionForm(PagedForm):
    """Which rows of a submission."""

    outcome = forms.ChoiceField(
        choices=[(outcome.name.lower(), outcome.label) for outcome in SubmittedRow.Outcome],
        help_text="Rows of which the last check said this.",
    )
    default_page_size = 200


class NamedField(forms.CharField):
    """The row of this name; an unknown name is refused with the nearest ones, an ambiguous one with the candidates."""

    def __init__(self, *, find: Callable[[str], Collection | Measure], **options: Any) -> None:
        super().__init__(max_length=200, **options)
        self.find = find

    def clean(self, value: Any) -> Collection | Measure | None:
        text = super().clean(value)
        try:
            return self.find(text) if text else None
        except Refused as refused:
            raise invalid(refused) from refused


class CollectionListForm(PagedForm, CollectionForm):
    """As on the page of collections."""


class LeaderboardListForm(PagedForm):
    """Which leaderboards that have results, in which order."""

    collection = NamedField(find=find_collection, help_text="Slug or alias of a collection, in any case.")
    measure = NamedField(find=find_measure, help_text="Name or alias of a measure, in any case.")
    suite = forms.CharField(max_length=100, help_text="Track or benchmark, as collections say.")
    language = forms.CharField(max_length=100, help_text="A language of collections, or their languages as they say.")
    min_results = forms.IntegerField(min_value=1, max_value=1_000_000, help_text="At least so many counted results.")
    analysed = forms.ChoiceField(
        choices=[(word, word) for word in ("true", "false", "all")],
        help_text="Those that carry an analysis (the default), those that don't, or all.",
    )
    sort = forms.ChoiceField(
        choices=[(word, word) for word in ("name", "n_results")],
        help_text="By collection and measure (the default), or those with the most counted results first.",
    )

    def narrow(self, boards: QuerySet[Leaderboard]) -> QuerySet[Leaderboard]:
        """Return those that a valid form asks for, in its order."""
        given = self.cleaned_data
        columns = {"suite": "collection__suite__iexact", "min_results": "analysis__n_counted__gte"}
        wanted = {columns.get(name, name): given[name] for name in ("collection", "measure", *columns) if given[name]}
        if given["analysed"] != "all":
            wanted["analysis__snapshot__isnull"] = given["analysed"] == "false"
        if given["language"]:
            boards = boards.filter(collection__in=Collection.objects.in_language(given["language"]))
        order = [F("analysis__n_counted").desc(nulls_last=True)] if given["sort"] == "n_results" else []
        return boards.filter(**wanted).order_by(*order, "collection__slug", "measure__name")
