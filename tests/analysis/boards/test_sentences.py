"""The verdict in a sentence, word by word, on small boards and suites."""

from dataclasses import replace
from functools import cache

import pytest

from analysis.boards import (
    BoardInputs,
    BoardRow,
    Caution,
    Evidence,
    MeasureFacts,
    Question,
    SuiteFlag,
    describe_evidence,
    headline,
    study,
    study_suite,
)
from analysis.boards._findings import Corrected, WithoutFlagged
from analysis.errors import ArgumentError
from tests.analysis.boards.test_cautions import OWN, board, change
from tests.analysis.boards.test_suites import drawn, member, suite

FAR = (0.20, 0.22, 0.25, 0.28, 0.45)
NEAR = (0.20, 0.22, 0.25, 0.30, 0.31)
FLAG = Caution(code="stands-apart", message="", results=(4,), is_flag=True)


def of(inputs, question=None, **changed):
    """The sentence of a study of which some of the verdict is changed."""
    found = study(inputs, question)
    return headline(inputs, replace(found, verdict=replace(found.verdict, **changed)), question)


WORTH = Corrected(
    value=0.4412, luck=0.0088, half_width=0.012, decimals=3, low=0.43, high=0.453, confidence_level=0.95, method=""
)


class TestOneBoard:
    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({}, "The best of 5 results prints 0.4500, and every other result is ruled out."),
            ({"leader_verified": True}, "The best of 5 results prints 0.4500, and its lead is verified: its topic"
             " scores rule out every other result."),
            ({"set": None}, "The best of 5 results prints 0.4500; not enough is known to say which could be the best."),
            ({"corrected": WORTH}, "The best of 5 results prints 0.4500; adjusted for luck 0.441 ± 0.012, and every"
             " other result is ruled out."),
            ({"corrected": replace(WORTH, value=None, decimals=2)}, "The best of 5 results prints 0.4500; adjusted for"
             " luck between 0.43 and 0.45, and every other result is ruled out."),
        ],
    )  # fmt: skip
    def test_what_is_said_of_a_best_that_rules_out_all_others(self, changed, said):
        assert of(board(FAR), **({"corrected": None} | changed)) == said

    def test_how_many_cannot_be_told_from_it_the_leader_among_them(self):
        assert (
            of(board(NEAR), corrected=None)
            == "The best of 5 results prints 0.3100, and two can’t be told from the best."
        )
        tied = [*NEAR, 0.31]
        assert of(board(tied), corrected=None) == (
            "The best of 6 results prints 0.3100, as one other does, and three can’t be told from the best."
        )
        assert ", as 2 others do," in of(board([*tied, 0.31]), corrected=None)

    def test_of_a_set_of_nearly_all_it_is_said_that_nothing_can_be_told(self):
        alike = [0.30 + n / 1000 for n in range(13)]
        assert of(board(alike), corrected=None) == (
            "The best of 13 results prints 0.3120, and which is the best cannot be told: 13 of 13 may be."
        )

    def test_what_a_toolkit_reran_is_said_to_be_one_and_a_strong_note_is_named(self):
        assert " prints 0.4500 (a toolkit’s run), and" in of(
            change(board(FAR), 4, role="reference_implementation"), corrected=None
        )
        note = Caution(code="contradicts-linked", message="", results=(4,))
        assert " prints 0.4500 (which a linked board contradicts), and" in of(
            board(FAR), corrected=None, cautions=(note,)
        )
        other = replace(note, results=(3,))
        assert " prints 0.4500, and" in of(board(FAR), corrected=None, cautions=(other,))

    def test_those_that_the_reader_chose_are_counted(self):
        question = Question(only=(1, 2, 3))
        assert of(board(FAR), question, corrected=None) == (
            "The best of those chosen, 3 of 5 results that were tried, prints 0.2800, and two can’t be told from the"
            " best."
        )
        assert of(board(FAR), question, corrected=None, set=None).startswith(
            "The best of those chosen, of 5 results that were tried, prints 0.2800; not enough"
        )

    def unflagged(self, **changed):
        found = study(replace(board(FAR), rows=board(FAR).rows[:4])).verdict
        return replace(
            WithoutFlagged(result=3, value=0.28, corrected=None, set=found.set, n_left_out=1, n_tied=1), **changed
        )

    def test_of_a_best_that_is_held_back_the_next_is_told_too(self):
        known = {"cautions": (FLAG,), "corrected": None}
        opening = "The highest of 5 results prints 0.4500 and is held back as an outlier; the best that is not prints"
        assert of(board(FAR), best_unflagged=self.unflagged(), **known) == (
            f"{opening} 0.2800, and two can’t be told from it."
        )
        alone = replace(self.unflagged().set, n_members=1, members=(3,), is_telling=True)
        assert of(board(FAR), best_unflagged=self.unflagged(corrected=WORTH, set=alone), **known) == (
            f"{opening} 0.2800, is adjusted for luck 0.441 ± 0.012 and rules out every other."
        )
        assert of(board(FAR), best_unflagged=self.unflagged(set=None, n_tied=2), **known) == (
            f"{opening} 0.2800, as one other does; not enough is known to say which could be the best."
        )
        every = replace(alone, is_telling=False, n_members=4, n_rows=0)
        assert of(board(FAR), best_unflagged=self.unflagged(set=every), **known) == (
            f"{opening} 0.2800, and which is the best cannot be told: four of four may be."
        )
        assert of(board(FAR), best_unflagged=self.unflagged(value=0.45), **known).startswith(f"{opening} the same, and")

    def test_a_best_that_stays_the_best_without_what_is_held_back_is_said_to(self):
        known = {"cautions": (replace(FLAG, results=(3,)),), "corrected": None}
        stays = self.unflagged(result=4, value=0.45)
        opening = "The best of 5 results prints 0.4500; without those held back it"
        assert (
            of(board(FAR), best_unflagged=stays, **known) == f"{opening} stays the best, and two can’t be told from it."
        )
        assert of(board(FAR), best_unflagged=replace(stays, corrected=WORTH), **known) == (
            f"{opening} is adjusted for luck 0.441 ± 0.012, and two can’t be told from it."
        )
        chosen = of(board(FAR), Question(only=(3, 4)), best_unflagged=stays, **known)
        assert chosen.startswith("The best of those chosen, of 5 results that were tried, prints 0.4500; without")

    def test_where_less_is_better_the_held_back_is_the_lowest(self):
        inputs = board(FAR)
        inputs = replace(inputs, measure=MeasureFacts(name="AP", higher_is_better=False))
        said = of(inputs, best_unflagged=self.unflagged(), cautions=(replace(FLAG, results=(0,)),))
        assert said.startswith("The lowest of 5 results prints 0.2000 and is held back as an outlier;")


class TestEvidence:
    def told(self, kind, *, sources=("x: 3 runs x 50 topics",), inputs=None, **facts):
        given = inputs or board(FAR)
        found = study(given)
        evidence = Evidence(kind=kind, residual_variance=0.01, sources=sources, **facts)
        return describe_evidence(given, replace(found, verdict=replace(found.verdict, evidence=evidence)))

    def test_each_kind_has_its_sentence(self):
        assert self.told("none") == "Not enough is known to say which could be the best."
        assert self.told("own-topics") == "Judged by the board’s own topics: 3 runs × 50 topics."
        assert self.told("own-variance", sources=("y: 3 runs", "z")) == (
            "Judged by how much scores vary between the topics of this collection: y: 3 runs; z."
        )
        assert self.told("own-and-predicted", sources=("x: 3 runs", "the measure"), log_sd=0.45) == (
            "How much scores vary between topics is taken from few runs of this collection (3 runs) together with a"
            " prediction from the measure. This is off by up to a factor of 2.1 in 9 of 10 cases; the set is widened"
            " for that."
        )
        unknown = "No topic scores of this leaderboard are known. How much scores vary between topics is"
        assert self.told("predicted", sources=("the measure",), log_sd=0.25) == (
            f"{unknown} predicted from the measure. Such predictions are off by up to a factor of 1.5 in 9 of 10 cases;"
            " the set is widened for that."
        )
        assert self.told("predicted", sources=("the measure",), log_sd=0.25, audited=0.3142).endswith(
            " for that. On this collection, what was measured under such measures is 0.31 times what is predicted."
        )
        # As methods up to 7 said it.
        assert self.told("predicted", sources=("the mean",)) == (
            f"{unknown} predicted from the mean, and the set is widened for that."
        )
        assert self.told("transferred", sources=("y",)) == (
            f"{unknown} taken from other collections: y, and the set is widened for that."
        )

    def test_of_a_mean_of_collections_their_number_is_said(self):
        inputs = replace(board(FAR), members=(member(), member("d")))
        assert self.told("own-variance", sources=("the variances",), inputs=inputs) == (
            "A score here is the mean over 2 collections. It is judged by how much scores vary between the topics of"
            " each: the variances."
        )
        assert self.told("own-topics", inputs=inputs).startswith("Judged by the board’s own topics")


@cache
def study_of(inputs):
    """Made once of each suite."""
    return study_suite(inputs)


class TestSuites:
    def test_the_two_questions_have_their_sentences(self):
        inputs = suite(drawn())
        found = study_of(inputs)
        opening = f"The best of 12 systems has a mean of {found.other_collections.best.value:.4f}; "
        assert headline(inputs, found).startswith(f"{opening}on other collections like these adjusted for luck")
        same = headline(inputs, found, "same-collections")
        assert same.startswith(f"{opening}with other topics of these collections adjusted for luck")
        assert same == headline(inputs, found, question="same-collections")
        with pytest.raises(ArgumentError, match="question must be one of other-collections, same-collections"):
            headline(inputs, found, "all")
        with pytest.raises(ArgumentError, match="findings must be"):
            headline(inputs, study(board(FAR)))
        assert describe_evidence(inputs, found) == (
            "Judged by how far systems differ from collection to collection: the scores of 12 systems on 9 collections."
        )
        assert describe_evidence(inputs, found, "same-collections") == (
            "Judged by how much scores vary between the topics of each collection, predicted for some, and the set is"
            " widened for that: the variances behind the members’ own verdicts (9 predicted)."
        )
        own = suite(drawn(), [member(f"c{n}", kind="own-topics") for n in range(9)])
        assert ", measured on each: the variances" in describe_evidence(own, study_of(own), "same-collections")

    def said(self, inputs, **changed):
        found = study_of(inputs)
        return headline(inputs, replace(found, other_collections=replace(found.other_collections, **changed)))

    def test_sets_of_suites_are_said_as_they_are(self):
        inputs = suite(drawn())
        mean, whole = f"{study_of(inputs).means[0].value:.4f}", study_of(inputs).other_collections
        opening = f"The best of 12 systems has a mean of {mean}"
        where = "on other collections like these"
        alone = replace(whole.set, members=whole.set.members[:1], n_members=1)
        assert self.said(inputs, corrected=None, set=alone) == f"{opening}; {where}, every other is ruled out."
        three = replace(whole.set, n_members=3)
        assert self.said(inputs, corrected=None, set=three) == f"{opening}; {where}, three can’t be told from the best."
        every = replace(whole.set, is_telling=False)
        assert self.said(inputs, corrected=None, set=every) == f"{opening}; {where}, which is the best cannot be told."
        assert self.said(inputs, set=None) == f"{opening}; not enough is known to say which could be the best {where}."
        reran = suite(drawn(), is_original=False)
        assert f"has a mean of {mean}, with toolkits’ runs in it; " in self.said(reran)
        tries = replace(whole.tries, n_families=4)
        assert self.said(inputs, tries=tries).startswith("The best of 12 systems of 4 families has a mean of ")
        few = suite([one[:7] for one in drawn()])
        assert describe_evidence(few, study_of(few)) == (
            "Not enough is known to say which could be the best: fewer than 8 collections say too little about others."
        )

    def test_of_a_mean_that_is_held_back_the_next_is_told_too(self):
        inputs = suite(drawn())
        flagged = (replace(inputs.rows[0], flags=(SuiteFlag(code="stands-apart", member=2),)), *inputs.rows[1:])
        inputs = replace(inputs, rows=flagged)
        found = study_of(inputs).other_collections
        first, second = (f"{one.value:.4f}" for one in study_of(inputs).means[:2])
        opening = (
            f"The highest of 12 means is {first} and is held back for a score on a member; the best that is not is"
        )
        other = replace(found.best_unflagged, corrected=None, set=replace(found.set, n_members=1))
        assert self.said(inputs, best_unflagged=other) == f"{opening} {second}, every other is ruled out."
        assert self.said(inputs, best_unflagged=replace(other, set=None)) == f"{opening} {second}."
        several = replace(found.best_unflagged, set=replace(found.set, n_members=2))
        worth = several.corrected
        about = f"adjusted for luck {worth.figures} on other collections like these"
        assert (
            self.said(inputs, best_unflagged=several) == f"{opening} {second}, {about}, and two can’t be told from it."
        )
        stays = replace(other, result=found.best.result, value=found.best.value)
        assert self.said(inputs, best_unflagged=stays) == (
            f"The best of 12 means is {first}; without those held back it stays the best, every other is ruled out."
        )


def test_a_single_result_and_a_single_system_say_so():
    inputs = BoardInputs(
        collection="x", measure=MeasureFacts(name="AP", decimals=2),
        rows=(BoardRow(id=1, system="a", printed="0.25", value=0.25),), n_topics=50, variances=(OWN,),
    )  # fmt: skip
    assert headline(inputs, study(inputs)) == (
        "The only comparable result prints 0.25; with nothing to compare it with, nothing can be said about the best."
    )
    one = suite([[0.5] * 9])
    assert headline(one, study_of(one)) == (
        "The only system with all scores has a mean of 0.5000; with nothing to compare it with, nothing can be said"
        " about the best."
    )
