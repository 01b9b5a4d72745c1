"""What an address's query may leave out."""

from django import forms
from django.http import QueryDict

from registry.core.forms import PageForm


class Asked(PageForm):
    needs = frozenset({"score"})

    score = forms.FloatField()
    words = forms.CharField()


def test_all_may_be_left_out_but_what_is_needed():
    assert Asked(QueryDict("score=0.3")).is_valid()
    assert list(Asked(QueryDict("words=a&page=2")).errors) == ["score"]
