"""Findings in words: whose the best is, what was found, what it rests on."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.boards import BestRow, Corrected, Coverage, Evidence, MayBeBest, Tries, WithoutFlagged
from registry.leaderboards.documents.shapes import VerdictDocument, ViewDocument
from registry.leaderboards.wording import (
    claim,
    coverage,
    evidence_in_short,
    facts,
    scale_choice,
    strength_of,
    telling_digits,
    tried,
    whose_best,
    why_out,
)
from registry.leaderboards.words import OF_MEANS, OF_RESULTS

SET = MayBeBest(members=(1, 2), n_members=2, confidence_level=0.95, margin=0.0312, method="", n_rows=1200)
WORTH = Corrected(value=0.2861, luck=0.01, decimals=3, low=0.27, high=0.3, confidence_level=0.8, method="")
VERDICT = VerdictDocument(
    best=BestRow(result=1, value=0.31, is_original=True),
    best_unflagged=None,
    corrected=WORTH,
    why_no_value="",
    set=SET,
    why_no_set="",
    leader_verified=False,
    family_verified=False,
    evidence=Evidence(kind="own-variance", n_systems=1100, n_topics=50),
    tries=Tries(n_results=1300, n_families=12),
    sentence="",
    evidence_sentence="",
)
HELD_BACK = replace(
    VERDICT, best_unflagged=WithoutFlagged(result=2, value=0.3, corrected=None, set=SET, n_left_out=1), why_no_value="x"
)
MEASURE: Any = {"decimals": 4, "higher_is_better": True}


def row(pk: int, system: str, value: float = 0.31) -> Any:
    return SimpleNamespace(id=pk, system=system, value=value)


def tied(n_tied: int, *systems: str) -> str:
    """Whose the best score is where so many share it and rows of these systems are at hand."""
    found = replace(SET, members=tuple(range(1, len(systems) + 1)))
    verdict = replace(VERDICT, set=found, best=replace(VERDICT.best, n_tied=n_tied))
    return whose_best(verdict, [row(9, "worse", 0.2), *(row(pk, name) for pk, name in enumerate(systems, 1))])


def test_the_best_is_whose_and_who_shares_it_is_named_up_to_three():
    assert tied(1, "a", "b") == "a"
    assert tied(2, "a", "b") == "a and b, tied"
    assert tied(2, "a", "a") == "a, tied"
    assert tied(2, "a", "b", "c") == "a and b, tied"
    assert tied(3, "a", "b", "c") == "a, b and c, tied"
    assert tied(4, "a", "b", "c", "d") == "a, b and 2 more, tied"
    assert tied(3, "a", "b") == "a, b and 1 more, tied"
    assert tied(1002, "a", "b") == "a, b and 1\u202f000 more, tied"
    shared = replace(VERDICT, best=replace(VERDICT.best, n_tied=2))
    assert whose_best(shared, [row(9, "no member"), row(2, "b"), row(1, "a")]) == "a and b, tied"


def document(**fields: Any) -> Any:
    return SimpleNamespace(**({"name": "Robust", "words": OF_RESULTS, "measure": MEASURE} | fields))


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (VERDICT, "2 of 1\u202f200 can’t be told from the best on Robust"),
        (replace(VERDICT, set=replace(SET, n_members=1)), "One of 1\u202f200 stands alone on Robust: us"),
        (
            replace(VERDICT, set=replace(SET, is_telling=False, n_members=1150)),
            "Which of 1\u202f200 is the best on Robust cannot be told: 1\u202f150 may be",
        ),
        (replace(VERDICT, set=replace(SET, n_members=1, n_rows=1)), "Only one result competes on Robust: us"),
        (replace(VERDICT, set=replace(SET, n_rows=0)), "2 of 1\u202f300 can’t be told from the best on Robust"),
        (replace(VERDICT, set=None), "Which of 1\u202f300 results may be the best on Robust is not known"),
        (
            replace(VERDICT, set=None, tries=Tries(n_results=1, n_families=1)),
            "One result so far on Robust: nothing to compare it with",
        ),
        (
            HELD_BACK,
            "The highest score on Robust is held back; 2 of 1\u202f200 others can’t be told from the best",
        ),
        (
            replace(VERDICT, view="declared-none"),
            "2 of 1\u202f200 that declare no training or need none can’t be told from the best on Robust",
        ),
        (
            replace(HELD_BACK, view="trained-here"),
            "The highest score on Robust is held back; 2 of the 1\u202f200 that declare training can’t be told from the"
            " best",
        ),
    ],
)
def test_what_was_found_is_claimed_in_a_sentence(verdict, said):
    assert claim(document(), verdict, "us") == said


def test_what_was_found_is_said_of_suites_short_names_and_measures_where_less_is_better():
    alone = replace(VERDICT, set=replace(SET, n_members=1))
    long = document(name="A" * 41)
    assert claim(long, alone, "us") == "One of 1\u202f200 stands alone here: us"
    assert claim(document(name="A" * 40), alone, "us").endswith(f"alone on {'A' * 40}: us")
    assert claim(long, alone, "us", "other-collections").endswith(f"on other collections like those of {'A' * 41}: us")
    errors = document(measure={"decimals": 4, "higher_is_better": False}, words=OF_MEANS)
    assert claim(errors, HELD_BACK, "us").startswith("The lowest mean on Robust is held back; 2 of")
    view = ViewDocument(
        best=VERDICT.best, best_unflagged=None, corrected=None, why_no_value="", set=None, why_no_set="",
        view="declared-none", sentence="", n_rows=70,
    )  # fmt: skip
    among = replace(VERDICT, view="declared-none", views=(view,), set=None)
    assert claim(document(), among, "us") == (
        "Which of 70 results that declare no training or need none may be the best on Robust is not known"
    )


def test_three_numbers_carry_the_page():
    best, worth, members = facts(VERDICT, MEASURE, [row(1, "us"), row(2, "they", 0.3)])
    assert (best.name, best.value, best.meaning) == ("Best printed", "0.3100", "us")
    assert (worth.name, worth.value, worth.page) == ("Probably worth", "0.286", "corrected-best")
    assert worth.meaning == "once the luck of coming first is taken off; 80 % interval 0.2700 to 0.3000"
    assert (members.value, members.page) == ("2 of 1\u202f200", "best-set-from-means")
    assert members.meaning == "the leader included, at 95 % confidence; 1\u202f300 results of 12 families"
    rerun = replace(VERDICT, best=replace(VERDICT.best, is_original=False))
    assert facts(rerun, MEASURE, [row(1, "us")])[0].meaning == "us (a toolkit’s run)"


def test_what_is_held_back_stands_beside_the_best_that_is_not():
    best, worth, _ = facts(HELD_BACK, MEASURE, [row(1, "us"), row(2, "they", 0.3)])
    assert (best.name, best.value) == ("Best not held back", "0.3000")
    assert best.meaning == "they; highest printed: 0.3100, held back"
    assert (worth.value, worth.meaning) == ("not known", "x")
    lower = facts(HELD_BACK, MEASURE | {"higher_is_better": False}, [row(2, "they", 0.3)], OF_MEANS)[0]
    assert lower.meaning == "they; lowest mean: 0.3100, held back"


@pytest.mark.parametrize(
    ("worth", "meaning"),
    [
        ({"why_no_interval": "means alone do not tell"}, "; no interval from means alone"),
        ({"why_no_interval": "too few topics"}, "; no interval: too few topics"),
        ({"why_no_interval": "one-sided", "low": 0.27}, "; no interval: one-sided"),
        ({"why_no_interval": "one-sided", "high": 0.3}, "; no interval: one-sided"),
        ({}, ""),
    ],
)
def test_a_worth_without_an_interval_says_why(worth, meaning):
    verdict = replace(
        VERDICT, corrected=replace(WORTH, **({"low": None, "high": None, "confidence_level": None} | worth))
    )
    assert facts(verdict, MEASURE, [])[1].meaning == f"once the luck of coming first is taken off{meaning}"


@pytest.mark.parametrize(
    ("found", "value", "meaning"),
    [
        ({"n_members": 1}, "1 of 1\u202f200", "the leader and no other, at 95 % confidence"),
        ({"n_rows": 0}, "2 of 1\u202f300", "the leader included, at 95 % confidence"),
        (
            {"is_telling": False, "n_members": 1150},
            "cannot tell",
            "1\u202f150 of 1\u202f200 may be the best: that tells none from another",
        ),
    ],
)
def test_the_set_is_said_with_its_size(found, value, meaning):
    said = facts(replace(VERDICT, set=replace(SET, **found)), MEASURE, [])[2]
    assert (said.value, said.meaning.partition(";")[0]) == (value, meaning)
    unknown = facts(replace(VERDICT, set=None, why_no_set="no variance"), MEASURE, [], OF_MEANS)[2]
    assert (unknown.value, unknown.meaning, unknown.page) == ("not known", "no variance", "suites")


def test_how_many_competed_and_what_they_are_worth():
    one = replace(VERDICT, tries=Tries(n_results=1, n_families=1))
    assert tried(one) == "1 result of one family"
    several = replace(VERDICT, tries=Tries(n_results=20, n_families=3, n_effective=7.6))
    assert tried(several, OF_MEANS) == "20 systems of 3 families, worth about 8 with uncorrelated errors"


@pytest.mark.parametrize(
    ("margin", "digits"), [(0.0312, 4), (0.5, 4), (0.004, 5), (0.0004, 6), (None, None), (0.0, None)]
)
def test_scores_have_three_digits_of_a_small_margin(margin, digits):
    assert telling_digits(replace(VERDICT, set=replace(SET, margin=margin)), 4) == digits
    assert telling_digits(replace(VERDICT, set=None), 4) is None


HELD = Coverage(mean=0.963, low=0.951, n_boards=40, n_collections=9, family="nDCG", world="all equal", row="")


@pytest.mark.parametrize(
    ("changes", "question", "said"),
    [
        (
            {},
            None,
            "On 40 boards like this one, drawn from topic scores of 9 collections, with all equal, such sets held the"
            " best in 96 % of draws, and in 95 % or more on 19 of 20 of them.",
        ),
        (
            {"family": "", "n_boards": 19, "n_collections": 1},
            None,
            "On 19 boards of this size under other measures, drawn from topic scores of 1 collection, with all equal,"
            " such sets held the best in 96 % of draws, and in 95 % or more on each of them.",
        ),
        (
            {"variance_class": "unknown"},
            None,
            "On 40 boards whose relevant documents nobody had counted, drawn from topic scores of 9 collections, with"
            " all equal, such sets held the best in 96 % of draws (on the worst: 95 %).",
        ),
        (
            {"variance_class": "many"},
            None,
            "On 40 boards of 9 collections left out of the prediction, with such a measure and as many relevant"
            " documents, with all equal, such sets held the best in 96 % of draws (on the worst: 95 %).",
        ),
        (
            {"variance_class": "one"},
            None,
            "On 40 boards of reciprocal rank, drawn from real runs on 9 collections left out of the prediction, with"
            " all equal, such sets held the best in 96 % of draws (on the worst: 95 %).",
        ),
        (
            {"n_boards": 20, "n_collections": 1},
            "other-collections",
            "On 20 suites like this one, drawn from 1 real table of systems and collections, with all equal, such sets"
            " held the best in 96 % of draws, and in 95 % or more on 19 of 20 of them.",
        ),
        (
            {"mean": 0.9971, "low": 0.9466},
            None,
            "On 40 boards like this one, drawn from topic scores of 9 collections, with all equal, such sets held the"
            " best in > 99 % of draws, and in 94 % or more on 19 of 20 of them.",
        ),
        (
            {"n_boards": 1, "n_collections": 2},
            "same-collections",
            "On 1 suite put together from topic scores under 2 kinds of measures, with all equal, such sets held the"
            " best in 96 % of draws, and in 95 % or more on each of them.",
        ),
    ],
)
def test_how_often_such_sets_held_the_best_is_said(changes, question, said):
    verdict = replace(VERDICT, evidence=replace(VERDICT.evidence, coverage=replace(HELD, **changes)))
    assert coverage(verdict, question) == said
    assert coverage(replace(verdict, set=None), question) == coverage(VERDICT, question) == ""


def test_what_a_verdict_rests_on_stands_in_a_line():
    measured = "Variance between topics measured here, on 1\u202f100 runs × 50 topics"
    assert evidence_in_short(VERDICT) == f"{measured}."
    held = replace(VERDICT, evidence=replace(VERDICT.evidence, coverage=HELD))
    assert evidence_in_short(held) == f"{measured}; such sets held the best in 96 % of draws."
    assert evidence_in_short(replace(held, set=None)) == f"{measured}."
    assert evidence_in_short(VERDICT, "other-collections") == (
        "Variance between collections measured here, on 1\u202f100 systems × 50 collections."
    )
    assert evidence_in_short(VERDICT, "same-collections") == f"{measured}."
    predicted = Evidence(kind="predicted", n_systems=9, n_topics=50)
    assert evidence_in_short(replace(VERDICT, evidence=predicted)) == (
        "Variance between topics predicted, not measured here."
    )
    for unknown in ({"n_systems": None}, {"n_topics": None}):
        short = replace(VERDICT, evidence=replace(VERDICT.evidence, **unknown))
        assert evidence_in_short(short) == "Variance between topics measured here."
    assert strength_of(predicted) == 2
    assert strength_of(replace(predicted, audited=2.5)) == 1


def test_a_row_that_scores_as_high_as_a_member_is_told_why_it_is_out():
    by_topic = replace(VERDICT, set=replace(SET, margin=None))
    out = SimpleNamespace(may_be_best=False, is_held_back=False, rival=1, behind=0.0123, margin=0.01)
    said = "0.0123 behind us over the same topics; more than 0.0100 rules out"
    assert why_out(out, by_topic, {1: "us"}, 4) == said
    assert why_out(out, by_topic, {}, 4) == said.replace("us over", "another over")
    for changes in (
        {"may_be_best": True}, {"may_be_best": None}, {"is_held_back": True},
        {"rival": None}, {"behind": None}, {"margin": None},
    ):  # fmt: skip
        assert why_out(SimpleNamespace(**vars(out) | changes), by_topic, {1: "us"}, 4) == ""
    assert why_out(out, VERDICT, {1: "us"}, 4) == why_out(out, replace(VERDICT, set=None), {1: "us"}, 4) == ""


def test_the_standard_error_says_where_it_is_from():
    known = replace(VERDICT, evidence=replace(VERDICT.evidence, residual_variance=0.0144))
    said = "The standard error rests on how much scores vary between topics: the verdict’s variance, {}."
    assert scale_choice(document(verdict=known), "variance") == said.format("0.01440")
    assert scale_choice(document(verdict=None), "variance") == said.format("–")
    assert scale_choice(document(verdict=known), "published").startswith("The standard error is the spread of the")
