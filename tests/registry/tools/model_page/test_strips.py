"""Strips of a model, and what its leaderboards come to, of leaderboards that are made here."""

from registry.tools.model_page.documents import ItsScore, ModelOnBoard
from registry.tools.model_page.views import draw_strips


def board(name, n_beaten, n_others, *, suite="BEIR", may_be_best=None, training="says_nothing", scores=(), **counts):
    return ModelOnBoard(
        collection=name,
        name=name,
        measure="AP",
        decimals=4,
        url="",
        suite=suite.lower(),
        suite_name=suite,
        n_others=n_others,
        n_beaten=n_beaten,
        may_be_best=may_be_best,
        training=training,
        scores=tuple(
            ItsScore(result=place, url="", system="", source="", printed=one, unit="", value=float(one), by="paper")
            for place, one in enumerate(scores)
        ),
        **({"n_disputed": 0, "n_contradicted": 0} | counts),
    )


def test_suites_of_three_leaderboards_have_strips_of_their_own_the_largest_first():
    boards = [
        *(board(f"a{number}", 1, 2, suite="Zeta") for number in range(3)),
        *(board(f"b{number}", 1, 2, suite="Beta") for number in range(3)),
        *(board(f"c{number}", 1, 2, suite="Large") for number in range(4)),
        *(board(f"d{number}", 1, 2, suite=f"Small {number % 2}") for number in range(3)),
        board("e", 1, 2, suite=""),
    ]
    found = draw_strips(boards)
    assert [(one.name, one.n_boards) for one in found] == [
        ("Large", 4),
        ("Beta", 3),
        ("Zeta", 3),
        ("Suites of one or two leaderboards here", 3),
        ("Other leaderboards", 1),
    ]
    assert [one.name for one in draw_strips(boards[:3])] == ["Zeta"]
