"""What to know before the verdict of a board is used."""

from dataclasses import replace

import pytest

from analysis.boards import BoardInputs, BoardRow, KnownVariance, MeasureFacts, study

OWN = KnownVariance(kind="own-variance", value=0.0144, degrees_of_freedom=980.0, sources=("its runs",))


def board(values, *, measure="AP", n_topics=50, **of_rows) -> BoardInputs:
    rows = tuple(
        BoardRow(id=n, system=f"s{n}", printed=f"{value}", value=value, **of_rows) for n, value in enumerate(values)
    )
    return BoardInputs(
        collection="x", measure=MeasureFacts(name=measure), rows=rows, n_topics=n_topics, variances=(OWN,)
    )


def cautions_of(inputs):
    return {caution.code: caution for caution in study(inputs).verdict.cautions}


def change(inputs, number, **fields):
    rows = tuple(replace(row, **fields) if row.id == number else row for row in inputs.rows)
    return replace(inputs, rows=rows)


def test_a_number_of_topics_that_is_not_known_is_told_with_what_it_is_at_least():
    inputs = board([0.20, 0.22, 0.25], n_topics=None)
    assert "is unknown." in cautions_of(inputs)["unknown-topics"].message
    assert "is at least 40." in cautions_of(replace(inputs, n_topics_at_least=40))["unknown-topics"].message


def test_only_of_the_best_is_it_told_that_its_maker_alone_ran_it():
    inputs = board([0.20, 0.22, 0.25])
    assert cautions_of(change(inputs, 2, is_self_reported=True))["self-reported"].results == (2,)
    assert cautions_of(change(inputs, 1, is_self_reported=True)) == {}


def test_the_rows_of_who_holds_a_private_test_are_told_and_compete_as_before():
    inputs = change(board([0.20, 0.22, 0.25]), 2, lineage=("model:m", "team:acme"))
    held = replace(inputs, holders=("team:acme",))
    caution = cautions_of(held)["holds-test"]
    assert (caution.results, caution.is_flag, caution.withholds) == ((2,), False, False)
    assert caution.message == "The maker of s2 holds this test; others can't run it themselves."
    assert replace(study(held).verdict, cautions=()) == study(inputs).verdict
    assert cautions_of(replace(inputs, holders=("team:other",))) == {}


def test_a_best_result_from_outside_the_shared_task_may_be_scored_too_low():
    inputs = board([0.20, 0.22, 0.25], role="trec_run")
    assert cautions_of(inputs) == {}
    assert cautions_of(change(inputs, 2, role="proposed"))["other-pool"].results == (2,)
    assert cautions_of(change(inputs, 1, role="proposed")) == {}
    assert cautions_of(board([0.20, 0.22, 0.25], role="proposed")) == {}


class TestUnjudged:
    VALUES = tuple(round(0.30 + 0.01 * n, 2) for n in range(20))

    def test_twenty_rows_of_which_half_have_a_tenth_unjudged_are_told(self):
        message = cautions_of(board(self.VALUES, unjudged=0.10))["unjudged"].message
        assert message.startswith(
            "10% of the first ten documents of a topic have no judgement, in the median of the 20"
        )
        assert "of s19 10%" in message

    def test_fewer_rows_or_a_smaller_share_are_not(self):
        assert cautions_of(board(self.VALUES[1:], unjudged=0.10)) == {}
        assert cautions_of(board(self.VALUES, unjudged=0.09)) == {}

    def test_of_precision_at_ten_the_rows_that_could_lead_are_counted(self):
        # 0.49 is the best: 0.45 to 0.48 reach it with a share of 0.04.
        message = cautions_of(board(self.VALUES, measure="P@10", unjudged=0.04))["unjudged"].message
        assert "If all were relevant, 4 other rows could lead: a true P@10" in message
        assert "could lead" not in cautions_of(board(self.VALUES, measure="AP", unjudged=0.20))["unjudged"].message

    def test_where_all_that_was_judged_is_relevant_the_share_only_repeats_the_score(self):
        inputs = board(self.VALUES, measure="P@10")
        rows = tuple(replace(row, unjudged=round(0.9 - row.value, 2)) for row in inputs.rows)
        assert "only repeats the score" in cautions_of(replace(inputs, rows=rows))["unjudged"].message


@pytest.mark.parametrize(
    ("where", "words"), [(("A",), "The score of s1 on A is"), (("A", "B"), "of s1 on A and B are")]
)
def test_a_mean_names_the_member_on_which_a_score_is_held_back(where, words):
    caution = cautions_of(change(board([0.20, 0.22, 0.25]), 1, flagged_on=where))["flagged-on-member"]
    assert (caution.results, caution.is_flag) == ((1,), True)
    assert words in caution.message
