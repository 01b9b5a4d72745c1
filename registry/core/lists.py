"""Lists that readers sort and narrow down: what their addresses may ask, and the heads of their tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.urls import reverse

from registry.core.forms import PageForm, choices_of
from registry.core.templatetags.formatting import query_with

#: Rows on a page of a list.
ROWS_PER_PAGE = 25


@dataclass(frozen=True, slots=True)
class ListColumn:
    """A column of a list; ``sort`` is what its addresses call it, blank where it has no order."""

    name: str
    sort: str = ""
    is_number: bool = False
    title: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column: ``link`` asks for its order, ``order`` is that of the list if it is by this column."""

    column: ListColumn
    link: str
    order: str


def heads(columns: Iterable[ListColumn], query: dict[str, str], default: str) -> list[Head]:
    """Return the heads of a list under these choices: numbers begin with the largest; asked again, the order turns."""
    sort = query.get("sort") or default
    row = []
    for column in columns:
        is_by_it = bool(column.sort) and sort.removeprefix("-") == column.sort
        first, other = (f"-{column.sort}", column.sort) if column.is_number else (column.sort, f"-{column.sort}")
        link = query_with(query, "sort", other if sort == first else first) if column.sort else ""
        order = ("descending" if sort.startswith("-") else "ascending") if is_by_it else ""
        row.append(Head(column, link, order))
    return row


def in_order(column: Any, order: str) -> Any:
    """Return an expression as rows are ordered by it, the other way round after a minus; what is not known last."""
    return column.desc(nulls_last=True) if order.startswith("-") else column.asc(nulls_last=True)


class SortedListForm(PageForm):
    """Words, an order, a page, and the choices that a list adds."""

    #: The columns to sort by, the default order, the name of the address of the list, and what words of it may name.
    sorts: Sequence[str] = ()
    default = ""
    address = ""
    named = ""

    q = forms.CharField(max_length=200, help_text="Words of a name.")
    sort = forms.CharField(
        max_length=30, widget=forms.HiddenInput, help_text="The order; a minus before it begins with the largest."
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["q"].label = self.fields["q"].widget.attrs["placeholder"] = self.named

    def clean_sort(self) -> str:
        sort: str = self.cleaned_data["sort"]
        if sort and sort.removeprefix("-") not in self.sorts:
            raise forms.ValidationError(f"No order “{sort}”; choose from {', '.join(self.sorts)}.")
        return sort

    @property
    def order(self) -> str:
        """The order of a valid form."""
        return str(self.cleaned_data["sort"] or self.default)

    def shown(self, rows: Any, columns: Iterable[ListColumn], *, units: str) -> dict[str, Any]:
        """Return what the page of a list needs of a valid form: the page asked for, and the heads of columns."""
        page = self.cut(rows, ROWS_PER_PAGE)
        context = {"form": self, "query": self.query, "heads": heads(columns, self.query, self.default)}
        context["chosen"] = [
            (self._label_of(name), query_with(self.query, name))
            for name in self.query
            if name not in ("sort", "question")
        ]
        return context | {"page": page, "n": page.paginator.count, "file": reverse(self.address)[:-1], "units": units}

    def _label_of(self, name: str) -> str:
        """Return what is chosen of a field, as people say it."""
        field, value = self.fields[name], str(self.cleaned_data[name])
        return dict(choices_of(field)).get(value, value) if isinstance(field, forms.ChoiceField) else value

    def offer(self, name: str, every: str, values: Iterable[tuple[str, str]]) -> None:
        """Have a field offer these values, or none, for which ``every`` stands."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", every), *values]
