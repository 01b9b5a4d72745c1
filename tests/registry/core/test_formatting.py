"""Numbers and names as every page shows them."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.readers.numbers import PrintedScore
from registry.core.templatetags import formatting


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        *((0.25, 4, "0.2500"), (-0.5, 2, "−0.50"), (None, 4, "–"), ("", 4, "–"), (1e-9, 4, "0.0000"), (98.4, 0, "98")),
        (-1e-9, 4, "0.0000"),
    ],
)
def test_score(value, decimals, text):
    assert formatting.score(value, decimals) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "< 0.001"), (0.0009, "< 0.001"), (0.001, "0.001"), (0.0495, "0.050"), (1.0, "1.000"), (None, "–")],
)
def test_a_pvalue_is_never_0(value, text):
    assert formatting.pvalue(value) == text


@given(st.floats(0, 1))
def test_no_pvalue_looks_like_0(value):
    assert formatting.pvalue(value) != "0.000"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0.364", "0.364"),
        ("0.470123456789", "0.4701"),
        ("1e-05", "0.00001"),
        ("1e-07", "0.0000"),
        ("0.9068600000000001", "0.90686"),
        ("0.36559139784946254", "0.3656"),
        ("12", "12"),
    ],
)
def test_a_score_is_shown_as_printed_unless_a_program_printed_it(text, shown):
    assert formatting.printed({"printed": text}, 4) == shown


def test_a_score_in_percent_is_shown_as_its_measure_counts():
    assert formatting.printed({"printed": "36.4", "unit": "percent"}) == "0.364"
    assert formatting.printed(SimpleNamespace(score=PrintedScore("0.470123456789"))) == "0.4701"
    assert formatting.printed(SimpleNamespace(score=PrintedScore("47.0123456789", "percent")), 2) == "0.47"


@given(st.from_regex(r"[0-9]{1,2}(\.[0-9]{1,6})?", fullmatch=True), st.integers(0, 6))
def test_aligned_scores_are_as_wide_after_the_point(text, decimals):
    shown = formatting.aligned(text, decimals)
    assert shown.startswith(text)
    after = shown.removeprefix(text.partition(".")[0])
    assert len(after) == max(decimals, len(text.partition(".")[2])) + bool(decimals or "." in text)


def test_choices_become_an_address_again():
    query = {"role": "proposed", "sort": "-year", "page": "3"}
    assert formatting.query_with(query, "sort", "z") == "?role=proposed&sort=z"
    assert formatting.query_with(query, "role") == "?sort=-year"
    assert formatting.query_with(query, "page", 4) == "?role=proposed&sort=-year&page=4"
    assert formatting.query_with({}, "role") == "?"
    assert formatting.query_with("", "suite", "a & b") == "?suite=a+%26+b"
    assert formatting.as_query({}) == ""
    assert formatting.as_query({"a": "ü"}) == "?a=%C3%BC"


@pytest.mark.parametrize("text", ["</script>", "<!--", "]]>", "&lt;"])
def test_data_in_a_page_cannot_end_its_block(text):
    block = formatting.json_script_text(f'["{text}"]', "data")
    assert block.count("<") == 2
    assert block.startswith('<script id="data" type="application/json">')


@pytest.mark.parametrize(
    ("score", "other", "text"),
    [
        (0.25004, 0.24996, "0.0000"),
        (0.1, 0.3, "0.2000"),
        (0.3, 0.1, "0.2000"),
        (None, 0.1, "–"),
        (0.1, "", "–"),
        ("", 0.1, "–"),
        (0.1, None, "–"),
    ],
)
def test_a_difference_is_that_of_what_is_printed(score, other, text):
    assert formatting.difference(score, other) == text


@pytest.mark.parametrize(
    ("text", "shown"), [("2021-12-02", "2 December 2021"), ("2021-12", "December 2021"), ("2021", "2021"), ("", "")]
)
def test_a_day_is_written_as_far_as_it_is_known(text, shown):
    assert formatting.known_day(text) == shown


def test_what_a_page_says_to_programs_cannot_end_its_block():
    block = formatting.json_ld({"name": "</script>&<b>ü"})
    assert block == '<script type="application/ld+json">{"name": "\\u003C/script>\\u0026\\u003Cb>ü"}</script>'


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.0, 0, "0%"), (0.004, 0, "< 1%"), (0.006, 0, "1%"), (0.0004, 1, "< 0.1%"),
        (0.994, 0, "99%"), (0.996, 0, "> 99%"), (0.9996, 1, "> 99.9%"), (1.0, 0, "100%"), (1.004, 0, "100%"),
    ],
)  # fmt: skip
def test_a_share_is_none_or_all_only_where_it_is(value, decimals, text):
    assert formatting.percent(value, decimals) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (0.0, "0"), (49.99, "49"), (50.0, "50"), (100 * 0.29, "29"), (99.8, "99"), (100.0, "100")],
)
def test_a_percentile_is_rounded_down_so_that_only_above_all_is_100(value, text):
    assert formatting.percentile(value) == text


@pytest.mark.parametrize(
    ("share", "text"), [(0.9466, "94%"), (0.95, "95%"), (0.29, "29%"), (0.9985, "99%"), (1, "100%")]
)
def test_what_is_reached_or_more_is_rounded_down(share, text):
    assert formatting.at_least(share) == text
