"""Strips of a model, and what its leaderboards come to, of leaderboards that are made here."""

from registry.tools.model_page.documents import ItsScore, ModelDocument, ModelOnBoard, RunBy
from registry.tools.model_page.drawings import draw_strips
from registry.tools.model_page.exports import model_badge, model_snippet


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


def shown(*boards, run_by=()):
    texts = ("slug", "name", "maker", "url", "base", "published", "released", "known_since", "known_from")
    return ModelDocument(
        **dict.fromkeys(texts, "model"),
        base_model=None,
        has_doubtful_days=False,
        paper=None,
        papers=(),
        facts=None,
        systems=(),
        n_results=0,
        boards=boards,
        run_by=run_by,
        contested=(),
        disclosures=(),
        derived=(),
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


def test_the_counts_of_a_page_are_of_leaderboards_with_a_best_set():
    found = shown(
        board("a", 1, 2, may_be_best=True, training="declares"),
        board("b", 1, 2, may_be_best=False, training="declares"),
        board("c", 1, 2, may_be_best=True),
        board("d", 1, 2, may_be_best=False),
        board("e", 1, 2, may_be_best=True),
        board("f", 1, 2, training="declares"),
        run_by=[
            RunBy(source=name, n_results=5, n_self_reported=n, n_systems=1)
            for name, n in (("x", 2), ("y", 0), ("z", 1))
        ],
    )
    assert (found.n_best, found.n_in_domain, found.n_in_domain_best) == (3, 2, 1)
    assert (found.n_other, found.n_other_best, found.n_without_set, found.n_self_reported) == (3, 2, 1, 3)
    assert found.by_training == [("declares training on it", 3), ("says nothing about training", 3)]
    words = "model: may be the best on 3 of 5 leaderboards; 1 of 2 in-domain, 2 of 3 others. Plumbline."
    assert words in model_badge(found)
    assert words in str(model_snippet(found))
    assert ("#0a6a66" in model_badge(found), "#0a6a66" in model_badge(shown())) == (True, False)
    assert "model; no result. Plumbline." in model_badge(shown())
    assert "model; on 1 leaderboard, none with a best set. Plumbline." in model_badge(shown(found.boards[5]))
    assert "; none known to be in-domain. Plumbline." in model_badge(shown(*found.boards[2:5]))
    assert "on 2 of 2 leaderboards; all in-domain. " in model_badge(shown(found.boards[0], found.boards[0]))
    assert "; 1 of 2 in-domain, 1 of 1 other. Plumbline." in model_badge(shown(*found.boards[:3]))


def test_what_several_sources_print_is_listed_by_how_far_it_is_apart():
    found = shown(
        board("near", 0, 0, scores=("0.50", "0.501")),
        board("once", 0, 0, scores=("0.5",)),
        board("far", 0, 0, scores=("0.5", "0.8", "0.7")),
        board("nearer", 0, 0, scores=("0.5", "0.6"), n_disputed=1),
    )
    assert [one.name for one in found.met_again] == ["far", "nearer", "near"]
    assert [round(one.difference, 3) for one in found.met_again] == [0.3, 0.1, 0.001]
    assert [one.name for one in found.differing] == ["far", "nearer"]
    assert (found.n_agreeing, [one.name for one in found.disputed]) == (1, ["nearer"])
