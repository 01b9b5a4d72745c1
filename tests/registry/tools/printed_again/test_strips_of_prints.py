"""Strips of numbers that were run again, in the units of the drawing, of pairs that are made here."""

from registry.tools.printed_again.documents import Distances, OneScore, PrintedAgain, RunAgain
from registry.tools.printed_again.drawings import draw_strips


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
        PrintedAgain(all=None, by_print=tuple(distances(*one) for one in by), by_runner=(), pairs=pairs, several=())
    )


def test_dots_lie_by_how_far_a_number_came_out_from_its_print_and_what_is_further_at_the_end():
    found = drawn(pair(0.025), pair(-0.2), pair(0.0, agrees=True), pair(0.05), pair(0.051))
    (strip,) = found.strips
    assert (strip.name, strip.url, strip.n, strip.n_agreeing) == ("Doe", "/Doe/", 5, 1)
    # Beyond 0.05 lie two, one on either side; 0.05 itself does not.
    assert strip.n_beyond == 2
    # The middle is at 240, 0.05 is 230 from it; dots 6 high and half a unit apart stand on each other from 36 on.
    assert [(one.x, one.y, one.agrees) for one in strip.dots] == [
        (10, 36, False),
        (240, 36, True),
        (355, 36, False),
        (470, 36, False),
        (470, 29.5, False),
    ]
    assert [one.label for one in strip.dots[:2]] == [
        "Robust, AP, Anserini splade: -0.2000 (anserini)",
        "Robust, AP, Anserini splade: +0.0000 (anserini)",
    ]
    assert strip.dots[-1].label.endswith(": +0.0510 (anserini)")
    assert found.zero == 240
    assert [(round(one.at, 4), one.label) for one in found.ticks] == [(2.0833, "-0.05"), (50, "0"), (97.9167, "+0.05")]


def test_who_prints_has_a_strip_and_high_stacks_move_together():
    found = drawn(*(pair(0.0) for _ in range(9)), pair(0.01, "Roe"), by=(("Doe", 9), ("Roe", 1)))
    assert [(one.name, len(one.dots), one.n_beyond) for one in found.strips] == [("Doe", 9, 0), ("Roe", 1, 0)]
    # Nine within the 32 units that are left beside a dot: four apart.
    assert [one.y for one in found.strips[0].dots] == [36 - 4 * number for number in range(9)]


def test_two_papers_that_are_cited_alike_have_a_strip_each():
    found = drawn(
        pair(0.01), pair(0.02), pair(0.2, url="/other/"), by=(("Doe", 2), ("Doe", 1, "/other/"))
    )  # fmt: skip
    assert [(one.url, len(one.dots), one.n_beyond) for one in found.strips] == [("/Doe/", 2, 0), ("/other/", 1, 1)]


def test_what_did_not_come_out_lower_came_out_higher():
    assert distances("Doe", 5).n_higher == 2


def test_dots_of_nearly_the_same_difference_stand_on_each_other_whatever_stands_elsewhere():
    found = drawn(pair(0.0102), pair(0.01), pair(-0.03), by=(("Doe", 3),))
    assert [(one.x, one.y) for one in found.strips[0].dots] == [(102, 36), (286, 36), (286.9, 29.5)]
    tall = drawn(*(pair(0.0) for _ in range(16)), pair(0.04), by=(("Doe", 17),))
    assert [one.y for one in tall.strips[0].dots] == [*(round(36 - 32 / 15 * number, 1) for number in range(16)), 36]
