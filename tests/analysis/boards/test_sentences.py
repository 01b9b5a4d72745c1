"""What a verdict rests on, word by word, on small boards and suites."""

from dataclasses import replace

import pytest

from analysis.boards import Evidence, describe_evidence, study, study_suite
from analysis.errors import ArgumentError
from tests.analysis.boards.test_cautions import board
from tests.analysis.boards.test_suites import drawn, member, suite

FAR = (0.20, 0.22, 0.25, 0.28, 0.45)


class TestEvidence:
    def describe(self, kind, *, sources=("x: 3 runs x 50 topics",), inputs=None, **facts):
        board_inputs = inputs or board(FAR)
        findings = study(board_inputs)
        evidence = Evidence(kind=kind, residual_variance=0.01, sources=sources, **facts)
        return describe_evidence(board_inputs, replace(findings, verdict=replace(findings.verdict, evidence=evidence)))

    def test_each_kind_has_its_sentence(self):
        assert self.describe("none") == "Not enough is known to say which could be the best."
        assert self.describe("own-topics") == "Judged by the board’s own topics: 3 runs × 50 topics."
        assert self.describe("own-variance", sources=("y: 3 runs", "z")) == (
            "Judged by how much scores vary between topics here: y: 3 runs; z."
        )
        assert self.describe("own-and-predicted", sources=("x: 3 runs", "the measure"), log_sd=0.45) == (
            "How much scores vary between topics is taken from few runs of this collection (3 runs) together with a"
            " prediction from the measure. This is off by up to a factor of 2.1 in 9 of 10 cases; the margin"
            " allows for that."
        )
        unknown = "No scores by topic are on record. How much scores vary between topics is"
        assert self.describe("predicted", sources=("the measure",), log_sd=0.25) == (
            f"{unknown} predicted from the measure. Such predictions are off by up to a factor of 1.5 in 9 of 10 cases;"
            " the margin allows for that."
        )
        assert self.describe("predicted", sources=("the measure",), log_sd=0.25, audited=0.3142).endswith(
            " for that. On this collection, what was measured under such measures is 0.31 times what is predicted."
        )
        # As methods up to 7 said it.
        assert self.describe("predicted", sources=("the mean",)) == (
            f"{unknown} predicted from the mean, and the margin allows for that."
        )
        assert self.describe("transferred", sources=("y",)) == (
            f"{unknown} taken from other collections: y, and the margin allows for that."
        )

    def test_of_a_mean_of_collections_their_number_is_said(self):
        inputs = replace(board(FAR), members=(member(), member("d")))
        assert self.describe("own-variance", sources=("the variances",), inputs=inputs) == (
            "A score here is the mean over 2 collections. It is judged by how much scores vary between the topics of"
            " each: the variances."
        )
        assert self.describe("own-topics", inputs=inputs).startswith("Judged by the board’s own topics")


class TestSuites:
    def test_the_two_questions_rest_on_what_they_say(self):
        inputs = suite(drawn())
        findings = study_suite(inputs)
        assert describe_evidence(inputs, findings) == (
            "Judged by how far systems differ from collection to collection: the scores of 12 systems on 9 collections."
        )
        assert describe_evidence(inputs, findings, "same-collections") == (
            "Judged by how much scores vary between the topics of each collection, predicted for some, and the margin"
            " allows for that: the variances behind the members’ own verdicts (9 predicted)."
        )
        own = suite(drawn(), [member(f"c{n}", kind="own-topics") for n in range(9)])
        assert ", measured on each: the variances" in describe_evidence(own, study_suite(own), "same-collections")
        few = suite([values[:7] for values in drawn()])
        assert describe_evidence(few, study_suite(few)) == (
            "Not enough is known to say which could be the best: fewer than 8 collections say too little about others."
        )
        with pytest.raises(ArgumentError, match="question must be one of other-collections, same-collections"):
            describe_evidence(inputs, findings, "all")
        with pytest.raises(ArgumentError, match="findings must be"):
            describe_evidence(inputs, study(board(FAR)))
