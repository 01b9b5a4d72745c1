"""Scores that programs print: in scientific notation, or with every digit of a double."""

import pytest

from analysis.readers.numbers import PrintedScore
from tests.registry.factory import make_leaderboard, make_result
from tests.registry.leaderboards.boards import analyse
from tests.registry.pages import read


@pytest.mark.parametrize(
    ("printed", "shown", "note"),
    [
        ("0.9068600000000001", "0.90686", "0.9068600000000001 (0.90686 without the noise of a program’s arithmetic)"),
        ("0.36559139784946254", "0.3656", "0.36559139784946254 (0.365591397849463 without the noise of a program’s"),
        ("6e-05", "0.00006", "6e-05"),
        ("0.2500", "0.2500", "0.2500"),
    ],
)
def test_the_page_shows_the_digits_that_are_real_and_keeps_the_print(client, printed, shown, note):
    result = make_result(printed=printed)
    page = read(client, result.get_absolute_url())
    assert page.headings[0] == (1, f"{result.system.name}: {shown}")
    assert f"Score as reported {note}" in page.text
    assert str(result) == f"{result.system.name} {PrintedScore(printed).digits}"


def test_equal_scores_share_a_rank_whatever_bit_they_differ_in(client):
    board = make_leaderboard()
    for printed in ("0.4860000000000001", "0.486", "0.48600", "0.485", "0.41", "0.40"):
        make_result(board, printed=printed)
    analyse(board)
    rows = client.get(f"/api/v1{board.get_absolute_url()}").json()["results"]
    assert [row["rank"] for row in rows] == [1, 1, 1, 4, 5, 6]
    assert {row["value"] for row in rows[:3]} == {0.486}
    assert {row["printed"] for row in rows[:3]} == {"0.4860000000000001", "0.486", "0.48600"}
