"""Who leads whom, of what leaderboards tell of each pair."""

import pytest

from registry.tools.compare.records import Duel, Told, by_suite, leader_of, records_of, told_of

A, B, C = 1, 2, 3
NAMES = {A: "Alpha", B: "Beta", C: "Gamma"}


def told(suite, first, second, better=None, *, is_known=True):
    return Told(suite, (first, second), better, is_known)


def duels(*outcomes):
    """Of each pair so many wins, ties, losses and leaderboards that can't be judged."""
    pairs = ((A, B), (A, C), (B, C))
    return tuple(
        Duel(first=first, second=second, n_wins=wins, n_ties=ties, n_losses=losses, n_unknown=unknown)
        for (first, second), (wins, ties, losses, unknown) in zip(pairs, outcomes, strict=False)
    )


def test_a_pair_counts_whoever_is_named_first():
    found = [told("BEIR", A, B, A), told("BEIR", B, A, B), told("BEIR", B, A), told("MTEB", A, B, is_known=False)]
    (record,) = records_of([A, B], found)
    assert record == Duel(first=A, second=B, n_wins=1, n_ties=1, n_losses=1, n_unknown=1)
    assert record.n_boards == 4
    first, second = by_suite([A, B], found)
    assert (first.suite, first.n_boards, second.suite, second.n_boards) == ("BEIR", 3, "MTEB", 1)
    assert second.pairs == (Duel(first=A, second=B, n_wins=0, n_ties=0, n_losses=0, n_unknown=1),)


@pytest.mark.parametrize(
    ("outcomes", "leader"),
    [
        (((6, 4, 0, 0), (6, 2, 2, 0), (0, 10, 0, 0)), A),
        (((0, 3, 7, 0), (5, 0, 5, 0), (6, 0, 4, 0)), B),
        # Half is not more than half, and what can't be judged counts.
        (((5, 5, 0, 0), (6, 4, 0, 0), (0, 10, 0, 0)), None),
        (((6, 0, 0, 6), (12, 0, 0, 0), (0, 12, 0, 0)), None),
    ],
)
def test_a_leader_is_told_better_than_each_other_on_more_than_half(outcomes, leader):
    assert leader_of([A, B, C], duels(*outcomes)) == leader


@pytest.mark.parametrize(
    ("outcomes", "n_boards", "where"),
    [
        (((3, 1, 0, 0),), 4, "more than half of 4 shared leaderboards"),
        (((0, 1, 3, 0),), 4, "more than half of 4 shared leaderboards"),
        (((4, 0, 0, 0),), 4, "all 4 shared leaderboards"),
        (((4, 0, 0, 0), (3, 1, 0, 0), (0, 4, 0, 0)), 4, "more than half of 4 shared leaderboards"),
        (((4, 0, 0, 0), (4, 0, 0, 0), (0, 4, 0, 0)), 4, "all 4 shared leaderboards"),
        (((1, 0, 0, 0),), 1, "1 shared leaderboard"),
    ],
)
def test_a_leader_is_not_said_to_lead_where_it_cannot_be_told_apart(outcomes, n_boards, where):
    names = NAMES if len(outcomes) > 1 else {A: "Alpha", B: "Beta"}
    assert f" leads on {where}: it beats " in told_of(names, duels(*outcomes), n_boards)


def test_one_sentence_says_it():
    leads = told_of(NAMES, duels((6, 4, 0, 0), (7, 1, 1, 1), (0, 10, 0, 0)), 10)
    assert leads == (
        "Alpha leads on more than half of 10 shared leaderboards: it beats Beta on 6 and loses on 0; on 4 they can’t be"
        " told apart; it beats Gamma on 7 and loses on 1; on 1 they can’t be told apart, and 1 can’t be judged."
    )
    one_pair = told_of(NAMES, duels((6, 4, 0, 0), (0, 10, 0, 0), (0, 10, 0, 0)), 10)
    assert one_pair == (
        "None leads on the 10 leaderboards that all share: Alpha beats Beta on 6; no other pair is decided one way on"
        " more than half."
    )
    none = told_of(NAMES, duels((1, 9, 0, 0), (0, 10, 0, 0), (0, 10, 0, 0)), 10)
    assert none.endswith(" share: no pair is decided one way on more than half.")
    neither = told_of({A: "Alpha", B: "Beta"}, duels((2, 5, 3, 0)), 10)
    assert neither == (
        "Neither leads: of 10 shared leaderboards, Alpha wins 2 and Beta 3; on 5 they can’t be told apart."
    )
    assert told_of(NAMES, duels((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)), 0) == "No leaderboard has all of them."
