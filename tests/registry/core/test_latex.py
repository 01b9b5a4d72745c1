"""Any text as LaTeX: plain ASCII that pdflatex prints, and that reads back as what it was."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analysis.readers.latex.text import printed
from registry.core.latex import latex, needs_t1
from tests.registry.tex import typeset
from tests.thoroughness import every

ANY_TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")))
#: Blocks with letters and signs that people write names with, and many that they do not.
BLOCKS = (range(0x20, 0x3000), range(0xFB00, 0xFB07), range(0xFF00, 0xFFF0), range(0x1D400, 0x1D800))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("α-SVS", r"$\alpha$-SVS"),
        ("ΒΜ25 Ωmega, λ, ά", r"BM25 $\Omega$mega, $\lambda$, $\alpha$"),
        ("Łódź – Škvorecký", r"{\L}{\'{o}}d{\'{z}} -- {\v{S}}kvoreck{\'{y}}"),
        ("naïve Ångström, Straße", r"na{\"{\i}}ve {\r{A}}ngstr{\"{o}}m, Stra{\ss}e"),
        ("Đình ę ș", r"{\DJ}{\`{\i}}nh {\k{e}} {\textcommabelow{s}}"),
        ("ơ ả", "o a"),
        ("ǖ ậ ṩ ĵ", r"{\={\"{u}}} {\^{\d{a}}} {\.{\d{s}}} {\^{\j}}"),
        ("й ≮ ヸ", "[U+0439] [U+226E] [U+30F8]"),
        ("x² H₂O ½ ﬁ ＡＢ", r"x$^{2}$ H$_{2}$O 1/2 fi AB"),
        ("検索 is 검", "[U+691C U+7D22] is [U+AC80]"),
        ("a--b---c", "a-{}-b-{}-{}-c"),
        ("50 % & more_#1 {x}", r"50 \% \& more\_\#1 \textbraceleft{}x\textbraceright{}"),
        (r"\y ~^ a|b <c> $d", r"\textbackslash{}y \textasciitilde{}\textasciicircum{} a\textbar{}b \textless{}c"
         r"\textgreater{} \$d"),
        ("−0.5 ± 1 × 10", r"$-$0.5 $\pm$ 1 $\times$ 10"),
        ("one\ntwo\tthree\u200b!", "one two three!"),
    ],
)  # fmt: skip
def test_what_is_written(text: str, written: str) -> None:
    assert latex(text) == written


@given(ANY_TEXT)
def test_any_text_is_plain_and_balanced(text: str) -> None:
    written = latex(text)
    assert written.isascii()
    assert "\n" not in written
    depth = 0
    for character in written:
        depth += (character == "{") - (character == "}")
        assert depth >= 0
    assert depth == 0
    assert written.replace(r"\$", "").count("$") % 2 == 0


@given(st.text("abcABC019 .,:;()/+=%&#_$\\{}~^<>|-–—αβλΩäéçńšőåøłßæœđþ±×≤→†"))
@example("-–")
def test_names_read_back_as_they_were(text: str) -> None:
    assert printed(latex(text)).text == " ".join(text.replace("±", " ± ").split())


@pytest.mark.tex
def test_pdflatex_prints_every_character(tmp_path: Path) -> None:
    characters = [chr(number) for block in BLOCKS for number in block]
    written = [latex(char) for char in characters if unicodedata.category(char) not in {"Cn", "Co", "Cs"}]
    lines = [line for line in written if line.strip() and "[U+" not in line]
    assert len(lines) > 2_000
    plain, of_t1 = ([line for line in lines if needs_t1([line]) == wanted] for wanted in (False, True))
    plain = every(4, dict.fromkeys(plain), __file__)
    assert 20 < len(of_t1) < 60
    pages, log = typeset(tmp_path, "\n\n".join(plain), [])
    assert pages >= 5
    assert "Missing character" not in log
    typeset(tmp_path, "\n\n".join(of_t1), [r"\usepackage[T1]{fontenc}"])
