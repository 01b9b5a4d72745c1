"""Strips of numbers that were run again, in the units of the drawing, of pairs that are made here."""

from registry.tools.reproduced.documents import Distances, OneScore, ReproducedDocument, RunAgain
from registry.tools.reproduced.drawings import draw_strips


def score(system):
    return OneScore(result=1, url="", system=system, source="", printed="0.5", unit="", value=0.5)


def pair(difference, printed_by="Doe", *, agrees=False, url=""):
    return RunAgain(
        collection="c",
        name="Robust",
        measure="AP",
        decimals=4,
        url="",
        model="",
        paper={"id": 1, "slug": "", "cite": printed_by, "year": None, "url": url or f"/{printed_by}/"},
        printed_by=printed_by,
        printed=score("splade"),
        again=score("Anserini splade"),
        again_by="anserini",
        how="model",
        difference=difference,
        agrees=agrees,
    )


def distances(name, n, url=""):
    return Distances(
        name=name, url=url or f"/{name}/", n=n, n_agreeing=1, n_lower=2, median=0.0, upper_quartile=0.0, largest=0.0
    )


def drawn(*pairs, by=(("Doe", 5),)):
    return draw_strips(
        ReproducedDocument(
            all=None, by_print=tuple(distances(*one) for one in by), by_runner=(), pairs=pairs, several=()
        )
    )


def test_dots_lie_by_how_far_a_number_came_out_from_its_print_and_what_is_further_at_the_end():
    found = drawn(pair(0.025), pair(-0.2), pair(0.0, agrees=True), pair(0.05), pair(0.051))
    (strip,) = found
    assert (strip.name, strip.url, strip.n, strip.n_agreeing) == ("Doe", "/Doe/", 5, 1)
    # Beyond 0.05 lie two, one on either side; 0.05 itself does not.
    assert strip.n_beyond == 2
    named = [(shape.title, shape.kind) for shape in strip.scene.shapes if shape.title]
    assert named[0] == ("Robust, AP, Anserini splade: +0.0000 (anserini)", "dot measured is-highlighted")
    assert len(named) == 5


def test_who_prints_has_a_strip_and_high_stacks_move_together():
    found = drawn(*(pair(0.0) for _ in range(9)), pair(0.01, "Roe"), by=(("Doe", 9), ("Roe", 1)))
    assert [(one.name, one.n, one.n_beyond) for one in found] == [("Doe", 9, 0), ("Roe", 1, 0)]
    assert found[0].scene.height > found[1].scene.height


def test_two_papers_that_are_cited_alike_have_a_strip_each():
    found = drawn(
        pair(0.01), pair(0.02), pair(0.2, url="/other/"), by=(("Doe", 2), ("Doe", 1, "/other/"))
    )  # fmt: skip
    assert [(one.url, one.n, one.n_beyond) for one in found] == [("/Doe/", 2, 0), ("/other/", 1, 1)]


def test_what_did_not_come_out_lower_came_out_higher():
    assert distances("Doe", 5).n_higher == 2
