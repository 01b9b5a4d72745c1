"""Macros that a paper defines, pasted with its table."""

import pytest

from analysis.readers.grids import Flaw
from analysis.readers.latex.macros import expand_macros
from analysis.readers.pasted.tables import PastedTable, read_pasted
from tests.analysis.readers.examples import read, scores

ROW = r"Run & MAP \\ "


@pytest.mark.parametrize(
    ("definitions", "use", "system"),
    [
        (r"\newcommand{\ours}{DeepRank}", r"\ours", "DeepRank"),
        (r"\newcommand\ours{DeepRank}", r"\ours{}", "DeepRank"),
        (r"\newcommand*{\ours}{DeepRank\xspace}", r"\ours + RM3", "DeepRank + RM3"),
        (r"\newcommand{\ours}{DeepRank}", r"\ours + RM3", "DeepRank+ RM3"),
        (r"\newcommand{\ours}{Deep }", r"\ours{}Rank", "Deep Rank"),
        (r"\newcommand{\ours}{Deep\xspace}", r"\ours-Rank", "Deep-Rank"),
        (r"\def\ours{\textsc{DeepRank}}", r"\ours$^\dagger$", "DeepRank"),
        (r"\newcommand{\m}[1]{Deep#1}", r"\m{Rank} v2", "DeepRank v2"),
        (r"\newcommand{\m}[2][v1]{#2 #1}", r"\m{Deep}", "Deep v1"),
        (r"\newcommand{\m}[2][v1]{#2 #1}", r"\m[v3]{Deep}", "Deep v3"),
        (r"\def\m#1#2{#2-#1}", r"\m{a}{b}", "b-a"),
        (r"\newcommand{\m}[1]{<#1>}", r"\m x", "<x>"),
        (r"\newcommand{\a}{A}\newcommand{\b}{\a\a}", r"\b", "AA"),
        (r"\newcommand{\a}{A}\renewcommand{\a}{B}", r"\a", "B"),
        (r"\providecommand{\a}{A}\DeclareRobustCommand{\b}{B}", r"\a\b", "AB"),
        (r"\newcommand{\ab}{AB}\newcommand{\a}{A}", r"\ab\a", "ABA"),
    ],
)
def test_a_macro_stands_for_what_it_is_defined_as(definitions, use, system):
    assert scores(read(rf"{definitions}{ROW}{use} & 0.1 \\")) == [(system, "", "AP", "0.1")]


def test_a_macro_may_stand_for_several_cells_and_for_heads():
    definitions = "\\newcommand{\\two}[2]{#1 & #2}\n\\newcommand{\\m}{MAP}\n"
    text = definitions + "Run & \\two{\\m}{P@10} \\\\\nr1 & \\two{0.1}{0.2} \\\\"
    table = read(text)
    assert scores(table) == [("r1", "", "AP", "0.1"), ("r1", "", "P@10", "0.2")]
    assert {row.line for row in table.rows} == {4}


def test_a_macro_without_a_definition_is_named_with_what_to_do():
    (rejection,) = read(rf"{ROW}\ours & 0.1 \\ r2 & 0.2 \\").rejections
    assert r"\ours is a macro of the paper" in rejection.message
    assert "paste its definition above the table" in rejection.message


@pytest.mark.parametrize(
    "definitions",
    [
        r"\def\ma{\ma\ma}",
        r"\newcommand{\ma}{\mb}\newcommand{\mb}{\ma}",
        "".join(rf"\newcommand{{\m{chr(97 + n)}}}{{\m{chr(98 + n)}\m{chr(98 + n)}}}" for n in range(24)),
    ],
    ids=["itself", "each other", "doubling"],
)
def test_macros_without_end_are_refused_or_left(definitions):
    table = read_pasted(definitions + ROW + r"\ma & 0.1 \\")
    rejections = table.rejections if isinstance(table, PastedTable) else table
    assert {rejection.code for rejection in rejections} <= {"too_long", "unknown_command"}
    assert rejections


def test_macros_stand_for_four_million_characters_at_most():
    definition, use = rf"\newcommand{{\x}}{{{'y' * 9_998}}}", r"\x "
    assert expand_macros(definition + use * 400) == "y" * 9_998 * 400
    with pytest.raises(Flaw, match="the macros stand for too long a text; write what they print") as caught:
        expand_macros(f"{definition}\n{use * 400}\n{use}")
    assert (caught.value.rejection.line, caught.value.rejection.fatal) == (3, True)
    longer = definition.replace("y", "yy", 1) + use
    assert expand_macros(longer) == longer
