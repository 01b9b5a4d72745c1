"""Tables pasted from the source of a paper."""

import pytest

from analysis.readers.latex.text import printed
from analysis.readers.rejections import Refused
from tests.analysis.readers.examples import facts, read, refuse, scores

BOOKTABS = r"""
\begin{table*}[t]
  \centering % here begins & ends \\ nothing
  \caption{Effectiveness. Best in \textbf{bold} & more \\}\label{tab:main}
  \begin{tabular}{@{}l@{\hspace{2pt}}S[table-format=1.4]cc@{}}
    \toprule
    & \multicolumn{2}{c}{Robust04} & DL19 passage \\
    \cmidrule(lr){2-3} \cmidrule(l){4-4}
    Method & {MAP $\uparrow$} & P@10 & nDCG$_{10}$ \\
    \midrule
    \multicolumn{4}{l}{\textit{Sparse}} \\
    \multirow{2}{*}{BM25~\cite{rob}} & .2531 & 0.4310 & 0.506\\[2pt]
      & \textbf{.2700}$^{\dagger}$ & 0.44 & -- \\
    \addlinespace[3pt]
    \rowcolor{gray!10} D\'eep \& wide (ours)$^\ddagger$ & 0.281\,$\pm$\,0.003 & \underline{0.45} & {\bf 0.71}\\%
    \bottomrule
  \end{tabular}
\end{table*}
"""


def test_a_table_with_everything_in_it():
    table = read(BOOKTABS)
    assert table.form == "LaTeX"
    assert scores(table) == [
        ("BM25", "Robust04", "AP", ".2531"),
        ("BM25", "Robust04", "P@10", "0.4310"),
        ("BM25", "DL19 passage", "nDCG@10", "0.506"),
        ("BM25", "Robust04", "AP", ".2700"),
        ("BM25", "Robust04", "P@10", "0.44"),
        ("Déep & wide (ours)", "Robust04", "AP", "0.281"),
        ("Déep & wide (ours)", "Robust04", "P@10", "0.45"),
        ("Déep & wide (ours)", "DL19 passage", "nDCG@10", "0.71"),
    ]
    assert not table.rejections


def test_sections_name_collections():
    text = r"""\begin{tabular}{lcc}
    Run & MAP & P@10 \\ \hline
    \multicolumn{3}{c}{\emph{Robust04}} \\ r1 & 0.1 & 0.2 \\
    \multicolumn{3}{c}{DL20 passage} \\ r1 & 0.3 & 0.4 \\
    \end{tabular}"""
    assert [values[1] for values in scores(read(text))] == ["Robust04", "Robust04", "DL20 passage", "DL20 passage"]


def test_a_cell_that_reaches_upward_fills_what_is_blank_above_it():
    rows = r"Run & MAP & P@10 \\ & 0.1 & \\ QL & 0.2 & \\ \multirow{-3}{*}{BM25} & 0.3 & \multirow{-9}{*}{0.4} \\"
    assert scores(read(rows)) == [
        ("BM25", "", "AP", "0.1"), ("BM25", "", "P@10", "0.4"), ("QL", "", "AP", "0.2"), ("QL", "", "P@10", "0.4"),
        ("BM25", "", "AP", "0.3"), ("BM25", "", "P@10", "0.4"),
    ]  # fmt: skip


def test_a_cell_reaches_over_as_many_rows_as_it_says():
    rows = r"Run & MAP \\ \multirow{3}{*}{BM25} & 0.1 \\ & 0.2 \\ & 0.3 \\ & 0.4 \\"
    assert [(values[0], values[3]) for values in scores(read(rows))] == [
        ("BM25", "0.1"), ("BM25", "0.2"), ("BM25", "0.3"), ("", "0.4"),
    ]  # fmt: skip


def test_inner_tables_and_stacks_are_cells():
    text = r"""\begin{tabular}{lc}
    Run & \begin{tabular}[c]{@{}c@{}}MAP\\(\%)\end{tabular} \\
    \makecell[l]{two\\lines} & 25.3 \\
    \shortstack{three \\ lines} & 24.1 \\
    \end{tabular}"""
    assert scores(read(text)) == [("two lines", "", "AP", "25.3"), ("three lines", "", "AP", "24.1")]


def test_pages_of_long_tables_are_read_once():
    text = r"""\begin{longtable}{lr}
    \caption{All runs}\\ \toprule Run & MAP \\ \midrule \endfirsthead
    \toprule Run & MAP \\ \midrule \endhead
    \midrule \multicolumn{2}{r}{continued} \\ \endfoot
    \bottomrule \endlastfoot
    r1 & 0.1 \\ r2 & 0.2 \\
    \end{longtable}"""
    table = read(text)
    assert [values[0] for values in scores(table)] == ["r1", "r2"]
    assert {aside.text for aside in table.asides} == {"Run & MAP", "continued & continued"}


@pytest.mark.parametrize(
    "begin",
    [
        r"\begin{tabular}{ll}",
        r"\begin{tabular}[t]{ll}",
        r"\begin{tabular*}{\textwidth}{@{\extracolsep{\fill}}ll}",
        r"\begin{tabularx}{\linewidth}{lX}",
        r"\begin{longtable}{ll}",
        r"\begin{array}{ll}",
        r"\begin{tblr}{colspec={ll},row{1}={font=\bfseries}}",
        r"\begin{NiceTabular}{ll}",
    ],
)
def test_tables_of_many_packages(begin):
    name = begin.split("{")[1].split("}")[0]
    assert scores(read(f"{begin}\nRun & MAP \\\\\nr1 & 0.1 \\\\\n\\end{{{name}}}")) == [("r1", "", "AP", "0.1")]


@pytest.mark.parametrize(
    ("written", "value", "note"),
    [
        (r"0.2345", "0.2345", ""), (r".312", ".312", ""), (r"23.4", "23.4", ""), (r"23.4\%", "23.4%", ""),
        (r"\textbf{0.31}", "0.31", ""), (r"\textbf{\underline{0.31}}", "0.31", ""), (r"{\bf 0.31}", "0.31", ""),
        (r"\bfseries 0.31", "0.31", ""), (r"$\mathbf{0.31}$", "0.31", ""), (r"$-0.1$", "-0.1", ""),
        (r"\num{0.31}", "0.31", ""), (r"\cellcolor{gray!20}0.31", "0.31", ""), (r"\textcolor{red}{0.31}", "0.31", ""),
        (r"\phantom{0}0.31", "0.31", ""), (r"\colorbox[rgb]{1,0,0}{\small 0.31}", "0.31", ""),
        (r"\best{0.31}", "0.31", ""), (r"0.31$^{\dagger\ddagger}$", "0.31", "0.31†‡"),
        (r"0.31$^{*}_{1}$", "0.31", "0.31*_1"), (r"0.31\textsuperscript{a,b}", "0.31", "0.31^a,b"),
        (r"0.31\rlap{$^*$}", "0.31", "0.31*"), (r"0.31*", "0.31", "0.31*"),
        (r"$0.31 \pm 0.02$", "0.31", "0.31 ± 0.02"), (r"0.31(2)", "0.31", "0.31(2)"),
        (r"0.31 {\tiny (+3.2\%)}", "0.31", "0.31 (+3.2%)"), (r"0.31\tnote{1}", "0.31", "0.31^1"),
        (r"0,31", "0,31", ""), (r"0.31 / 0.32", "0.31 / 0.32", ""),
    ],
)  # fmt: skip
def test_scores_as_they_are_printed(written, value, note):
    (row,) = facts(read(rf"Run & MAP \\ r1 & {written} \\"))
    assert row["value"] == value
    assert row.get("notes", "") == (f'printed as "{note}"' if note else "")


@pytest.mark.parametrize(
    ("written", "value", "notes"),
    [
        (r"0.31\footnote{On fewer topics.}", "0.31", 'footnote "On fewer topics."'),
        (r"\textbf{0.31}\tablefootnote{Of \cite{x} and \textit{y}.}", "0.31", 'footnote "Of and y."'),
        (r"0.31$^{*}$\footnote{a}\footnote{b}", "0.31", 'footnote "a"; footnote "b"; printed as "0.31*"'),
    ],
)
def test_footnotes_are_kept_beside_the_score(written, value, notes):
    (row,) = facts(read(rf"Run & MAP \\ r1 & {written} \\"))
    assert (row["value"], row["notes"]) == (value, notes)


@pytest.mark.parametrize(
    ("written", "value", "note"),
    [
        (r"71.5$_{\pm 0.4}$", "71.5", "71.5 ± 0.4"),
        (r"$71.5_{\pm0.4}$", "71.5", "71.5 ± 0.4"),
        (r"71.5\textsubscript{$\pm$0.4}", "71.5", "71.5 ± 0.4"),
        (r"71.5\textsubscript{0.4}", "71.5", "71.5_0.4"),
        (r"71.5$_{(0.4)}$", "71.5", "71.5_(0.4)"),
        (r"71.5$_{-0.3}^{+0.4}$", "71.5", "71.5_-0.3^+0.4"),
        (r"71.5 {\scriptsize($\pm$0.4)}", "71.5", "71.5 (± 0.4)"),
        (r"71.5\% $\pm$ 0.4", "71.5%", "71.5% ± 0.4"),
        (r"71.5 $\pm$ 0.4\%", "71.5%", "71.5 ± 0.4%"),
        (r".715$_a$", ".715", ".715_a"),
    ],
)
def test_what_stands_below_a_score_is_no_part_of_it(written, value, note):
    (row,) = facts(read(rf"Run & MAP \\ r1 & {written} \\"))
    assert (row["value"], row["notes"]) == (value, f'printed as "{note}"')


@pytest.mark.parametrize("written", [r"1\_000", r"$71_4$", "0.31ab", r"0.31 0.32", r"$10^{-3}$"])
def test_what_may_be_another_number_stays_as_it_is(written):
    (row,) = facts(read(rf"Run & MAP \\ r1 & {written} \\"))
    assert row["value"] == printed(written).text


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("\\begin{tabular}{ll}\nRun & MAP \\\\\nr1 & 0.1", "unclosed_table", 1, "column 1"),
        ("\n\\begin{tabular}{ll}\nRun & MAP \\\\\nr1 & 0.1", "unclosed_table", 2, "column 1"),
        ("\\begin{tabular}{ll}\nRun & MAP \\\\\n{r1 & 0.1 \\\\\n\\end{tabular}", "brace", 3, "column 1"),
        ("\\begin{tabular}{ll\nRun & MAP \\\\\n\\end{tabular}", "brace", 1, "column 1"),
        ("Run & " * 201 + "\\\\\n", "too_many_columns", 1, "column 1"),
        ("Run & \\map{} \\\\\nr1 & 0.1 \\\\\n", "unknown_command", 1, "column 2"),
    ],
)
def test_what_breaks_the_whole_table_is_named_by_line_and_column(text, code, line, column):
    (rejection,) = refuse(text)
    assert (rejection.code, rejection.line, rejection.column) == (code, line, column)


@pytest.mark.parametrize(
    ("row", "code", "column", "message"),
    [
        (
            r"\ourmodel{} & 0.1",
            "unknown_command",
            "column 1",
            r"\ourmodel is a macro of the paper; write what it prints",
        ),
        (r"r1 & \ci{0.1}{0.2}", "unknown_command", "column 2", r"\ci is a macro"),
        (r"r1 & 0.1}", "brace", "column 2", "a brace is closed here that was not opened"),
        (r"r1 & 0.1 & 0.2", "ragged", "column 3", "the row has 3 cells, the header has 2"),
        (r"r1 & " + "{" * 50 + "0.1" + "}" * 50, "nesting", "column 2", "nested more than 40 deep"),
        (r"r1 & " + "0" * 20_001, "too_long", "column 2", "the most is 20,000"),
    ],
)
def test_a_bad_row_keeps_none_of_the_others_out(row, code, column, message):
    table = read(f"Run & MAP \\\\\n{row} \\\\\nr2 & 0.2 \\\\\n")
    (rejection,) = table.rejections
    assert (rejection.code, rejection.line, rejection.column) == (code, 2, column)
    assert message in rejection.message
    assert scores(table) == [("r2", "", "AP", "0.2")]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"Fr{\"o}be, Ho{\ss} and \v{C}apek", "Fröbe, Hoß and Čapek"),
        (r"S\o ren \AA ngstr\"om, \L{}ukasz, na\"{\i}ve", "Søren Ångström, Łukasz, naïve"),
        (r"\c{c} \c c \H{o} \k{a} \r{u} \d{h} \b{k}", "ç ç ő ą ů ḥ ḵ"),
        (r"``quoted'' it's 1--8 --- so", "“quoted” it's 1–8 — so"),
        (r"\textbf{a}\textit{b}{\em c}", "abc"),
        (r"50\% \& \$5 \#1 a\_b \{x\} \textbackslash", "50% & $5 #1 a_b {x} \\"),
        (r"$\alpha$-nDCG, $R^2$, $x_1$", "α-nDCG, R^{2}, x_1"),
        (r"\href{https://example.org}{text}", "text"),
        (r"a~b\,c\quad d\\e", "a b c d e"),
        ("", ""),
    ],
)
def test_what_latex_prints(source, text):
    assert printed(source).text == text


@pytest.mark.parametrize("source", ["{", "}", "a{b", "a}b", r"\textbf{", "{" * 41 + "}" * 41, r"\textbf" * 60 + "x"])
def test_braces_that_do_not_match_are_refused(source):
    with pytest.raises(Refused, match=r"brace|nested"):
        printed(source)
