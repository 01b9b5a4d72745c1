"""Queries of lists in pages, of one leaderboard, and of requests that submit results.

The content of a page token is our business and may change; readers only hand it back.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast
from urllib.parse import urlencode

import msgspec
from django import forms
from django.db.models import F, QuerySet
from django.http import HttpRequest

from analysis.readers.exchange.formats import FORMATS, Format
from analysis.readers.grids import MAX_CELL_LENGTH
from analysis.readers.numbers import UNITS
from analysis.readers.rejections import Refused
from analysis.readers.tables import FOR_ALL
from registry.catalog.forms import CollectionForm
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.catalog.queries import find_collection, find_measure
from registry.core.forms import AsOfForm, CleanTextField, QueryForm, invalid
from registry.core.http import absolute_address
from registry.leaderboards.forms import SelectionForm, TrainingForm
from registry.results.models import Result
from registry.runs.forms import MATRIX, RUN, WishesForm
from registry.search.forms import FindForm
from registry.submissions.models import Submission, SubmittedRow

MAX_PAGE_SIZE = 200
_TOKEN = re.compile(r"row([0-9]{1,9})\.[0-9a-f]{8}")
Rows = TypeVar("Rows", bound="tuple[Any, ...] | QuerySet[Any]")
_YES_NO = [(word, word) for word in ("true", "false")]
_FORMATS = [(name, name) for name in FORMATS]


@dataclass(frozen=True, slots=True)
class Window:
    """The rows of a list that a page shows; ``question`` is the query of the list, so that tokens fit no other."""

    start: int
    size: int
    question: str = ""

    def cut(self, rows: Rows) -> Rows:
        return cast("Rows", rows[self.start : self.start + self.size])

    def next_token(self, n_rows: int) -> str | None:
        return _token(self.start + self.size, self.question) if self.start + self.size < n_rows else None

    def previous_token(self) -> str | None:
        return _token(max(0, self.start - self.size), self.question) if self.start else None


def _token(start: int, question: str) -> str:
    return f"row{start}.{hashlib.sha256(question.encode()).hexdigest()[:8]}"


class PagedForm(QueryForm):
    """A query for one page of a list."""

    page = forms.CharField(
        max_length=100, help_text="The page that a token from another page leads to; the first without."
    )
    page_size = forms.IntegerField(
        min_value=1, max_value=MAX_PAGE_SIZE, help_text=f"Rows a page, at most {MAX_PAGE_SIZE}."
    )
    default_page_size = 50

    def clean(self) -> None:
        """Read the token, which has to be of the same query, where that is valid."""
        super().clean()
        query = {name: str(value) for name, value in self.cleaned_data.items() if value}
        self.question = urlencode(sorted((name, query[name]) for name in query.keys() - PagedForm.base_fields.keys()))
        match = _TOKEN.fullmatch(token := query.get("page") or _token(0, self.question))
        start = int(match[1]) if match else 0
        if token == _token(start, self.question):
            self.cleaned_data["page"] = start
        elif not self.errors:
            self.add_error("page", "This token does not belong to this list; start with the first page.")

    @property
    def window(self) -> Window:
        size = self.cleaned_data["page_size"] or self.default_page_size
        return Window(start=self.cleaned_data["page"], size=size, question=self.question)


class AsOfPagedForm(PagedForm, AsOfForm):
    """The page of a list of results, and the day on which it is to be seen."""


class LeaderboardForm(PagedForm, SelectionForm):
    """The choices of the page of a leaderboard, and the page of its results."""

    default_page_size = 200

    @property
    def asked(self) -> str:
        return f"{super().asked} {self.window}"


class SearchForm(PagedForm, FindForm):
    """A search, and the page of its results."""


class SystemsForm(PagedForm, TrainingForm):
    """The page of the systems of a suite."""

    default_page_size = 200


class FileForm(QueryForm):
    """The format in which results are taken away."""

    format = forms.ChoiceField(choices=_FORMATS, help_text="The format of the file. Default: json, our own.")

    @property
    def chosen(self) -> Format:
        return FORMATS[self.cleaned_data["format"] or "json"]


def _for_all(column: str) -> forms.CharField:
    help_text = f"The {column.replace('_url', ' as an address or identifier')} of the rows that name none."
    return forms.CharField(max_length=MAX_CELL_LENGTH, help_text=help_text)


class BodyForm(QueryForm):
    """Facts in the address about a body, and about all of its rows that leave them blank."""

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
        """Return the cells, by column, of all rows that leave them blank."""
        return {name: self.cleaned_data[name] for name in FOR_ALL if self.cleaned_data[name]}


class CreationForm(BodyForm):
    """Wishes beside the results themselves: in the address, or as keys of a JSON object."""

    dry_run = forms.ChoiceField(choices=_YES_NO, help_text="Answer what would become of each row, and store nothing.")
    submit = forms.ChoiceField(choices=_YES_NO, help_text="Hand the results in for review; they stay a draft without.")
    note = CleanTextField(max_length=5_000, widget=forms.Textarea, help_text="What the reviewer should know.")

    def wants(self, name: str) -> bool:
        return bool(self.cleaned_data[name] == "true")


class RunForm(QueryForm, WishesForm):
    """Facts in the address about a run that is the body."""

    own = forms.CharField(
        max_length=43,
        help_text="In place of `collection`: the key in the address of a collection of your own, which keeps it.",
    )

    result = forms.IntegerField(min_value=1, help_text="If it is the run of a result on record: its number.")
    claimed = forms.IntegerField(min_value=1, help_text="As `result`, which was called so before.")

    kind = forms.ChoiceField(
        choices=[(RUN, RUN), (MATRIX, MATRIX)],
        help_text="What the body is: a run, which is scored (the default), or a CSV table of topic scores.",
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
        fields = super().clean() or self.cleaned_data
        if result and not claimed and "claimed" in self.errors:
            self.errors["result"] = self.errors.pop("claimed")
        if bool(fields.get("own")) == bool(fields.get("collection")) and "collection" not in self.errors:
            self.add_error("collection", "Name a collection, or one of your own with `own`.")
        if fields.get("measure") and fields.get("kind") == RUN:
            self.add_error("measure", "A run is scored under every measure; a table, with `kind=matrix`, is under one.")
        for name in ("result", "claimed", "until") if fields.get("own") else ():
            if self.data.get(name):
                self.add_error(name, "Leave it out beside `own`: what is sent there is kept with the collection.")
        return fields


class SubmitForm(QueryForm):
    """The choices of submitting a draft."""

    drop_refused = forms.ChoiceField(
        choices=_YES_NO, help_text="Leave out the rows that are refused, and submit the others."
    )


class SubmissionListForm(PagedForm):
    """The page of one's submissions, narrowed."""

    state = forms.ChoiceField(choices=Submission.State, help_text="Those in this state.")
    waiting = forms.ChoiceField(
        choices=_YES_NO, help_text="In place of your own, those that wait for your decision; the oldest first."
    )


class SubmissionForm(PagedForm):
    """The page of a submission's rows, narrowed."""

    outcome = forms.ChoiceField(
        choices=[(outcome.name.lower(), outcome.label) for outcome in SubmittedRow.Outcome],
        help_text="Rows that the last check said this about.",
    )
    default_page_size = 200


class NamedField(forms.CharField):
    """The name of a row; an unknown one is refused with the nearest names, an ambiguous one with the candidates."""

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
    """The search of the page of collections, in pages."""


class LeaderboardListForm(PagedForm):
    """The page of leaderboards with results, narrowed and in an order."""

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
        """Return the leaderboards that a valid form asks for, in its order."""
        query = self.cleaned_data
        columns = {"suite": "collection__suite__iexact", "min_results": "analysis__n_counted__gte"}
        filters = {columns.get(name, name): query[name] for name in ("collection", "measure", *columns) if query[name]}
        if query["analysed"] != "all":
            filters["analysis__snapshot__isnull"] = query["analysed"] == "false"
        if query["language"]:
            boards = boards.filter(collection__in=Collection.objects.in_language(query["language"]))
        order = [F("analysis__n_counted").desc(nulls_last=True)] if query["sort"] == "n_results" else []
        return boards.filter(**filters).order_by(*order, "collection__slug", "measure__name")


def paged(
    window: Window, rows: QuerySet[Any], describe: Callable[[Any], object], address: Callable[[str], str]
) -> dict[str, object]:
    """Return one page of a list: ``address`` makes the address of a page from its token."""
    return paged_of(window, rows.count(), [msgspec.to_builtins(describe(row)) for row in window.cut(rows)], address)


def paged_of(window: Window, n_rows: int, page: Sequence[object], address: Callable[[str], str]) -> dict[str, object]:
    """Return the page of a list of so many rows, which are described already."""
    following, previous = window.next_token(n_rows), window.previous_token()
    return {
        "count": n_rows,
        "next": address(following) if following else None,
        "previous": address(previous) if previous else None,
        "results": page,
    }


def page_address(request: HttpRequest, token: str) -> str:
    query = request.GET.dict() | {"page": token}
    return absolute_address(request, f"{request.path}?{urlencode(query)}")
