"""What an address's query may ask for and leave out, and which text a form takes."""

from datetime import UTC, datetime, time, timedelta
from typing import ClassVar

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone

from analysis.readers.rejections import Candidate, Refused
from registry.core.forms import (
    AsOfForm,
    CleanTextField,
    DayField,
    PageForm,
    QueryForm,
    WrongQuery,
    asked,
    field_errors,
    invalid,
    require_known,
)


class Asked(PageForm):
    needs = frozenset({"score"})

    score = forms.FloatField()
    words = forms.CharField()


def test_all_may_be_left_out_but_what_is_needed():
    assert Asked(QueryDict("score=0.3")).is_valid()
    assert list(Asked(QueryDict("words=a&page=2")).errors) == ["score"]
    assert PageForm().is_valid(), "nothing is asked"
    assert DayField().clean("") is None


def errors_of(form: forms.Form) -> dict[str, list[tuple[str, str]]]:
    return {
        name: [(one.code, next(iter(one.messages))) for one in found] for name, found in form.errors.as_data().items()
    }


def test_what_is_unknown_is_refused_with_the_nearest_and_else_with_all_that_there_is():
    assert errors_of(Asked(QueryDict("score=1&wrods=a"))) == {
        "wrods": [("unknown", "There is no parameter “wrods”. Did you mean words?")]
    }
    assert errors_of(Asked(QueryDict("score=1&zzz=a"))) == {
        "zzz": [("unknown", "There is no parameter “zzz”. Known here: page, score, words.")]
    }
    assert errors_of(QueryForm(QueryDict("a=1"))) == {
        "a": [("unknown", "There is no parameter “a”. This address takes none.")]
    }


def test_a_parameter_of_another_address_says_what_to_do_here():
    class Hinted(Asked):
        hints: ClassVar = {"page_size": "A page has 25 rows."}

    assert errors_of(Hinted(QueryDict("score=1&page_size=9")))["page_size"] == [
        ("unknown", "There is no parameter “page_size”. A page has 25 rows.")
    ]


def test_what_is_given_twice_is_refused_unless_it_may_be_repeated():
    class Repeated(Asked):
        repeatable = frozenset({"words"})

    query = QueryDict("score=1&score=2&words=a&words=b")
    form = Repeated(query)
    assert list(form.errors) == ["score"]
    assert form.cleaned_data == {"page": None, "words": "b"}
    found = errors_of(Asked(query))
    assert found["score"] == found["words"] == [("repeated", "This parameter is given more than once.")]
    assert errors_of(Asked(QueryDict("score=x&score=y"))) == {"score": found["score"]}, "of what is wrong as well"


def test_what_other_sites_add_to_links_is_passed_over():
    assert Asked(QueryDict("score=1&utm_source=x&fbclid=y&gclid=z")).is_valid()
    assert Asked(QueryDict("score=1&utm_source=x&utm_source=y")).is_valid(), "however often"


def test_the_same_is_asked_in_whatever_order_it_is_written():
    one, other = Asked(QueryDict("score=1&words=a&page=2")), Asked(QueryDict("page=2&words=a&score=1"))
    assert one.is_valid()
    assert other.is_valid()
    assert one.asked == other.asked
    assert one.query == {"score": "1", "words": "a"}, "a list's page is no choice"
    later = Asked(QueryDict("score=1&words=a&page=3"))
    assert later.is_valid()
    assert later.asked != one.asked


def test_a_page_beyond_the_end_is_the_last_one():
    form = PageForm(QueryDict("page=9"))
    assert form.is_valid()
    assert list(form.cut(list(range(5)), 2)) == [4]
    first = PageForm(QueryDict(""))
    assert first.is_valid()
    assert (first.number, list(first.cut([1, 2, 3], 2))) == (1, [1, 2])
    assert not PageForm(QueryDict("page=0")).is_valid()
    assert not PageForm(QueryDict("page=10001")).is_valid()


def test_a_day_is_one_that_has_come_and_lasts_to_its_end():
    today = timezone.now().date()
    form = AsOfForm(QueryDict(f"as_of={today}"))
    assert form.is_valid()
    assert (form.day, form.moment) == (today, datetime.combine(today, time.max, tzinfo=UTC))
    none = AsOfForm(QueryDict(""))
    assert none.is_valid()
    assert (none.day, none.moment) == (None, None)
    tomorrow = today + timedelta(days=1)
    assert errors_of(AsOfForm(QueryDict(f"as_of={tomorrow}"))) == {
        "as_of": [("future", f"{tomorrow} has not come yet.")]
    }
    assert errors_of(AsOfForm(QueryDict("as_of=5.6.2026"))) == {"as_of": [("invalid", "Write a day as 2026-01-31.")]}


class Chosen(QueryForm):
    sort = forms.ChoiceField(choices=[("", "usual"), ("year", "Year"), ("-year", "Year, the last first")])


def test_a_choice_that_there_is_not_is_refused_with_those_that_there_are():
    assert errors_of(Chosen(QueryDict("sort=size"))) == {
        "sort": [("invalid_choice", "“size” is not known here; choose from year, -year.")]
    }
    assert Chosen(QueryDict("sort=")).is_valid()


def test_what_cannot_be_asked_is_raised_with_its_form():
    form = Chosen(QueryDict("sort=size"))
    with pytest.raises(WrongQuery) as caught:
        asked(form)
    assert caught.value.form is form
    good = Chosen(QueryDict("sort=year"))
    assert asked(good) is good


def test_a_known_text_is_taken_in_any_case_and_another_refused_with_the_nearest():
    known = ["TREC", None, "", "CLEF"]
    assert require_known("trec", known, "collection", "suite") == "trec"
    assert require_known("", known, "collection", "suite") == ""
    with pytest.raises(ValidationError, match=r"No collection has “TRECK” as its suite; did you mean TREC\?"):
        require_known("TRECK", known, "collection", "suite")
    with pytest.raises(ValidationError, match=r"No collection has “zzzz” as its suite\."):
        require_known("zzzz", known, "collection", "suite")


class Typed(forms.Form):
    name = CleanTextField(max_length=5)
    text = CleanTextField(widget=forms.Textarea, max_length=9)


def test_text_without_what_cannot_be_seen_is_taken_on_one_line_or_on_several():
    form = Typed({"name": " a  b ", "text": "a\nb"})
    assert form.is_valid()
    assert form.cleaned_data == {"name": "a b", "text": "a\nb"}
    found = errors_of(Typed({"name": "a\u200bb", "text": "x" * 10}))
    assert "U+200B" in found["name"][0][1]
    assert found["text"][0][1] == "This has 10 characters; the most is 9."
    assert "maxlength" not in str(Typed()), "browsers would cut what is pasted without a word"


def test_programs_are_told_which_field_is_wrong_and_what_an_ambiguous_value_may_be():
    form = Typed({"name": "a", "text": "b"})
    refused = Refused("ambiguous", "100 % may be a or b.", [Candidate("a", "A", "first")])
    form.add_error("name", invalid(refused))
    form.add_error("text", invalid(Refused("blank", "is 5 % blank")))
    assert field_errors(form) == [
        {
            "field": "name",
            "code": "ambiguous",
            "message": "100 % may be a or b.",
            "candidates": [{"value": "a", "label": "A", "detail": "first"}],
        },
        {"field": "text", "code": "blank", "message": "is 5 % blank"},
    ]
    form.add_error("name", "plain")
    assert field_errors(form)[1] == {"field": "name", "code": "invalid", "message": "plain"}
