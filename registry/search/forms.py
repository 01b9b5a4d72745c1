"""Forms of searches and lists."""

from django import forms

from registry.core.forms import PageForm, QueryForm
from registry.search.models import Thing
from registry.search.names import MAX_LENGTH


class FileForm(QueryForm):
    """Words."""

    q = forms.CharField(max_length=MAX_LENGTH, help_text="A name, or the beginnings of its words.")


class ListForm(PageForm, FileForm):
    """The same, and the page of the list."""


class FindForm(FileForm):
    """Words, perhaps for one kind of things."""

    kind = forms.ChoiceField(choices=Thing.Kind.choices, help_text="Only things of this kind.")


class SearchForm(PageForm, FindForm):
    """The same, and the page of the list."""
