"""Lists in pages. What a token holds is our business and may change; readers only hand it back."""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast
from urllib.parse import urlencode

import msgspec
from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest

from registry.core.forms import QueryForm
from registry.core.http import absolute_address

MAX_PAGE_SIZE = 200
_TOKEN = re.compile(r"row([0-9]{1,9})\.[0-9a-f]{8}")
Rows = TypeVar("Rows", bound="tuple[Any, ...] | QuerySet[Any]")


@dataclass(frozen=True, slots=True)
class Window:
    """Which rows of a list a page shows; ``question`` is what the list was asked, so that tokens fit no other."""

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
        """Read the token as one of what is asked besides the page, where that is valid."""
        super().clean()
        given = {name: str(value) for name, value in self.cleaned_data.items() if value}
        self.question = urlencode(sorted((name, given[name]) for name in given.keys() - PagedForm.base_fields.keys()))
        match = _TOKEN.fullmatch(token := given.get("page") or _token(0, self.question))
        start = int(match[1]) if match else 0
        if token == _token(start, self.question):
            self.cleaned_data["page"] = start
        elif not self.errors:
            self.add_error("page", "This token does not belong to this list; start with the first page.")

    @property
    def window(self) -> Window:
        size = self.cleaned_data["page_size"] or self.default_page_size
        return Window(start=self.cleaned_data["page"], size=size, question=self.question)


def paged(
    window: Window, rows: QuerySet[Any], describe: Callable[[Any], object], address: Callable[[str], str]
) -> dict[str, object]:
    """One page of a list: ``address`` makes the address of a page from its token."""
    return paged_of(window, rows.count(), [msgspec.to_builtins(describe(row)) for row in window.cut(rows)], address)


def paged_of(window: Window, n_rows: int, page: Sequence[object], address: Callable[[str], str]) -> dict[str, object]:
    """The page of a list of so many rows, which are described already."""
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
