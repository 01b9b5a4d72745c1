"""Who leads whom, of what leaderboards tell of each pair."""

import pytest

from registry.tools.compare.documents import leader_of, sentence_of
from registry.tools.compare.shapes import Duel

A, B, C = 1, 2, 3
NAMES = {A: "Alpha", B: "Beta", C: "Gamma"}


def duels(*outcomes):
    """Return so many wins, ties, losses and leaderboards that can't be judged of each pair."""
    pairs = ((A, B), (A, C), (B, C))
    return tuple(
        Duel(first=first, second=second, n_wins=wins, n_ties=ties, n_losses=losses, n_unknown=unknown)
        for (first, second), (wins, ties, losses, unknown) in zip(pairs, outcomes, strict=False)
    )


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
    ("outcomes", "sentence"),
    [
        (((3, 1, 0, 0),), "Alpha wins on 3 of 4 leaderboards, Beta on 0; 1 is a tie."),
        (((0, 1, 3, 0),), "Beta wins on 3 of 4 leaderboards, Alpha on 0; 1 is a tie."),
        (
            ((4, 0, 0, 0), (3, 1, 0, 0), (0, 4, 0, 0)),
            "Alpha beats each of the others on more than half of 4 leaderboards.",
        ),
        (((2, 2, 0, 0), (3, 1, 0, 0), (0, 4, 0, 0)), "no clear winner on the 4 leaderboards that all share."),
    ],
)
def test_the_sentence_names_who_wins_how_often(outcomes, sentence):
    names = NAMES if len(outcomes) > 1 else {A: "Alpha", B: "Beta"}
    assert sentence_of(names, duels(*outcomes), 4, is_zero_shot=False) == sentence
    assert sentence_of(names, duels(*outcomes), 4, is_zero_shot=True) == f"Zero-shot, {sentence}"
