"""The claim of a verdict, word by word: what pages say under their name, and what is cited."""

import re
from dataclasses import replace

import pytest

from analysis.boards import Caution, MeasureFacts, Question, Verdict, study, study_suite
from registry.leaderboards.headlines import MOST_WORDS, claimed
from tests.analysis.boards.test_cautions import board, change
from tests.analysis.boards.test_minimum import of_teams
from tests.analysis.boards.test_suites import drawn, suite
from tests.analysis.boards.test_views import board as of_beir
from tests.analysis.boards.test_views import suite as suite_of_beir

FAR = (0.20, 0.22, 0.25, 0.28, 0.45)
NEAR = (0.20, 0.22, 0.25, 0.30, 0.31)


def claim_of(inputs, question=None, **changed):
    """Return what a study claims of which some of the verdict is changed."""
    inputs = replace(inputs, name="Toy")
    findings = study(inputs, question)
    return claimed(inputs, replace(findings, verdict=replace(findings.verdict, **changed)), question)


def on_beir(name, question=None, **changed):
    inputs = replace(of_beir(name, **changed), name=f"BEIR {name}")
    return claimed(inputs, study(inputs, question), question)


@pytest.mark.parametrize(
    ("claim", "headline"),
    [
        (lambda: claim_of(board(FAR)), "On Toy, s4 leads alone among 5 results."),
        (lambda: claim_of(board(NEAR)), "On Toy, 2 of 5 results tie for first."),
        (lambda: claim_of(board([*NEAR, 0.31])),
         "On Toy, 2 share the top score, 0.3100; 3 of 6 results tie for first."),
        (lambda: claim_of(board([0.3 + n / 1000 for n in range(13)])),
         "On Toy, all 13 results tie for first: too close to rank."),
        (lambda: claim_of(of_teams("a")), "On Toy, one result so far: nothing to compare it with."),
        (lambda: claim_of(of_teams("abcd")), "On Toy, 4 results from 4 groups are too few to call a winner."),
        (lambda: claim_of(of_teams("aaaaaa")), "On Toy, all 6 results are from one group: no ranking."),
        (lambda: claim_of(of_teams("aabbbc")), "On Toy, 2 of 6 results tie for first, all from one group."),
        (lambda: claim_of(board(FAR), set=None), "On Toy, scores by topic are needed to rank these 5 results."),
        (lambda: claim_of(replace(board(FAR), n_topics=8)), "On Toy, 8 topics are too few to rank 5 results."),
        (lambda: claim_of(change(board(NEAR), 4, role="reference_implementation")),
         "On Toy, 2 of 5 results tie for first, led by a reference run."),
        (lambda: claim_of(board(NEAR), cautions=(Caution(code="unusual-elsewhere", message="", results=(4,)),)),
         "On Toy, 2 of 5 results tie for first; the leader’s score is unusually high for it."),
        (lambda: claim_of(board(NEAR), cautions=(Caution(code="contradicts-linked", message="", results=(4,)),)),
         "On Toy, 2 of 5 results tie for first; the leader’s score conflicts with another leaderboard."),
        (lambda: claim_of(board(FAR), Question(only=(0, 1, 2, 3, 4))),
         "On Toy, s4 leads alone among 5 chosen results."),
        (lambda: on_beir("trec-covid", is_zero_shot=True),
         "On BEIR trec-covid, 15 of 228 zero-shot systems tie for first."),
        (lambda: on_beir("trec-covid"),
         "On BEIR trec-covid, 17 of all 283 systems tie for first, whatever their training."),
    ],
)  # fmt: skip
def test_a_headline_names_the_collection_and_makes_one_claim(claim, headline):
    assert claim().headline == headline


def test_what_stands_alone_names_measure_and_level_and_who_leads():
    claim = on_beir("trec-covid", is_zero_shot=True)
    assert claim.sentence.startswith("On BEIR trec-covid (nDCG@10), 15 of 228 zero-shot systems are statistically tied")
    assert claim.of_leader == (
        "Yuan-embedding-2.0-en has the best zero-shot score, 0.9833 (0.981 ± 0.048 adjusted for luck)."
    )
    in_parentheses = replace(claim, name="CQADupStack (mean of 12 forums)")
    assert in_parentheses.sentence.startswith("On CQADupStack (mean of 12 forums, nDCG@10), 15 of")


def test_an_excluded_leader_is_named_and_no_other_is_called_the_best_reported():
    claim = claim_of(board(FAR))
    flag = Caution(code="stands-apart", message="", results=(4,), is_flag=True)
    rest = study(board(FAR[:4])).verdict.shown
    excluded = replace(claim, verdict=replace(claim.verdict, best_unflagged=rest, cautions=(flag,)))
    assert excluded.headline.endswith("; s4, 0.4500, is excluded: needs evidence.")
    assert excluded.of_leader == "s3 has the best ranked score, 0.2800."
    assert claim.of_leader.startswith("s4 has the best reported score, 0.4500")


def test_of_a_mean_it_is_said_who_could_lead_on_new_collections():
    inputs = suite(drawn())
    claim = claimed(inputs, study_suite(inputs))
    assert claim.headline == (
        "On S (9 data sets), s1 has the best mean; no other system stays in the running on new collections."
    )
    assert "(9 data sets, mean nDCG@10)" in claim.sentence
    assert "(about 90%)" in claim.sentence
    of_beir_13 = suite_of_beir("BEIR-13")
    beir_claim = claimed(of_beir_13, study_suite(of_beir_13))
    assert beir_claim.headline == (
        "On BEIR-13, voyage-3-m-exp has the best mean, trained on 10 of 13; UAE-Large-V1 has the best zero-shot mean."
    )
    few = suite([row[:7] for row in drawn()])
    assert claimed(few, study_suite(few)).headline == "On S (7 data sets), 7 data sets are too few to rank 12 systems."


def test_no_sentence_has_more_than_25_words_whatever_names_are():
    claim = on_beir("trec-covid", is_zero_shot=True)
    name = "BM25 with RM3 (ten terms of the first five documents) on titles and descriptions of all the topics"
    alone = replace(claim.verdict.set, n_members=1, members=claim.verdict.set.members[:1])
    long = replace(
        claim,
        name="news and patents of many places and many more years (2004)",
        rows=[replace(row, system=name) for row in claim.rows],
        verdict=replace(claim.verdict, set=alone, cautions=(
            Caution(code="unusual-elsewhere", message="", results=(claim.verdict.best.result,)),
        )),
    )  # fmt: skip
    sentences = re.split(r"(?<=[\w)%])\. (?=[A-Z0-9])", f"{long.sentence} {long.of_leader}")
    assert [sentence for sentence in sentences if len(sentence.split()) > MOST_WORDS] == []
    assert "BM25 with RM3 … leads alone" in long.sentence


def test_where_less_is_better_a_noted_leader_scores_unusually_low():
    inputs = replace(board(NEAR), measure=MeasureFacts(name="AP", higher_is_better=False))
    note = Caution(code="unusual-elsewhere", message="", results=(0,))
    assert claim_of(inputs, cautions=(note,)).headline.endswith("the leader’s score is unusually low for it.")


def test_a_view_is_told_without_the_certificates_of_the_board():
    claim = on_beir("trec-covid", is_zero_shot=True)
    trained = next(view for view in claim.verdict.views if view.view == "trained-here")
    seen = claim.seen_as(trained)
    assert isinstance(seen.verdict, Verdict)
    assert " trained on it" in seen.headline
    assert seen.of_leader.partition(" has the ")[2].startswith("best score trained on it, 0.8457")
