"""POST /review-table/"""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.catalog.models import Leaderboard
from registry.core.limits import LIMITS
from registry.leaderboards.stored import read_stored
from tests.registry.curation.suites.world import make_suite
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_model,
    make_result,
    make_system,
    make_variance,
)
from tests.registry.leaderboards.boards import analyse, analyse_again, make_board
from tests.registry.leaderboards.suites import declare
from tests.registry.pages import Page, page_of

LATEX = r"""\begin{tabular}{lcc}
\toprule
 & \multicolumn{2}{c}{Robust04} \\
Method & MAP & P@20 \\
\midrule
BM25 & 0.2100 & 0.3631 \\
Better & 0.2150 & -- \\
Ours & \textbf{0.3900} & 0.4000 \\
\end{tabular}"""


@pytest.fixture
def robust() -> Leaderboard:
    board = make_leaderboard(
        make_collection("trec-2004-robust", name="TREC 2004 Robust", aliases=["Robust04"], n_topics=249),
        make_measure("AP", aliases=["MAP"]),
    )
    make_measure("P@20")
    for number in range(30):
        make_result(board, make_system(f"run {number}"), f"0.{200 + 4 * number}", role="trec_run", year=2004)
    make_result(board, make_system("BM25"), "0.2500", role="baseline", year=2010)
    make_variance(board.measure, 0.012, board.collection)
    Leaderboard.objects.filter(pk=board.pk).mark_changed()
    analyse(board)
    return board


def review(client, text=LATEX, status=200, **fields) -> Page:
    response = client.post("/review-table/", {"text": text, "step": "read"} | fields)
    assert response.status_code == status, response.content.decode()[:3000]
    return page_of(response)


def test_every_score_is_judged_against_the_best_baseline(client, robust):
    page = review(client, asked="1", baseline=["BM25"])
    error = read_stored([robust.pk])[robust.pk].pair_error
    assert page.row("BM25 baseline") == ["BM25 baseline", "0.2100 weak differs", "0.3631 not known"]
    assert page.row("Better") == ["Better", "0.2150 not significant new", "–"]
    assert page.row("Ours") == ["Ours", "0.3900 best reported significant new", "0.4000 not known"]
    assert "2 comparisons with the best baseline, corrected as 2 (Holm). 1 significant." in page.text
    assert "BM25, 0.2100: 28 of 31 on record are better · percentile 10 of 30 TREC runs" in page.text
    assert "0.2500 on record for BM25" in page.text
    assert f"0.005 better than BM25: not significant ({error.margin(0.05):.3f} needed)" in page.text
    assert "Ours, 0.3900: 0.0740 better than the best on record" in page.text


def test_one_planned_pair_is_judged_as_one_pair(client, robust):
    """As the table of two rows that it is, not as the best of a board against all others."""
    stored = read_stored([robust.pk])[robust.pk]
    alone = stored.pair_error.margin(0.05)
    better = f"{0.25 + (alone + stored.margin) / 2:.4f}"
    table = f"System,Robust04 MAP\nBase,0.25\nNewer,{better}\n"
    for fields in ({}, {"asked": "1", "baseline": ["Base"]}):
        page = review(client, table, **fields)
        assert page.row("Newer")[1].startswith(better)
        assert page.row("Newer")[1].endswith("significant new")
        assert f"significant ({alone:.3f} needed)" in page.text
    # Among ten more that were tried it is no longer told apart.
    rest = "".join(f"Try {n},0.24{n}\n" for n in range(10))
    page = review(client, table + rest, asked="1", baseline=["Base"])
    assert "not significant" in page.row("Newer")[1]
    assert "11 comparisons with the best baseline, corrected as 11 (Holm). 0 significant." in page.text


def test_nothing_is_claimed_of_what_is_below_a_baseline_that_was_picked_by_its_score(client, robust):
    table = "System,Robust04 MAP\nBase,0.35\nWeak base,0.2\nOurs,0.2\n"
    page = review(client, table, asked="1", baseline=["Base", "Weak base"])
    assert page.row("Ours")[1] == "0.2 new"
    assert "0.150 worse than Base: not asked, as the best baseline was picked by its score · no system" in page.text
    assert "1 comparison with the best baseline. 0 significant." in page.text


CLAIMS = """System,Robust04 MAP,Robust04 P@20
BM25,0.2500,0.30
Strong,0.3500,0.40
Oracle,0.6000,0.90
Ours,0.3550,0.45
Ours (large),0.4300,0.46
"""


@pytest.mark.usefixtures("robust")
def test_rows_that_call_themselves_the_authors_are_taken_for_that_until_somebody_says_otherwise(client):
    page = review(client, CLAIMS)
    own = [tag["value"] for tag in page.of("input") if tag.get("name") == "own" and "checked" in tag]
    assert own == ["Ours", "Ours (large)"]
    assert [text for level, text in page.headings if level == 2][:2] == [
        "Ours has no significant gain over the best other row on all 2 columns; 1 can’t be judged.",
        "1 of 1 gains is significant: Ours (large) beats the best other row on TREC 2004 Robust, AP only;"
        " 1 can’t be judged.",
    ]
    answer = review(client, CLAIMS, asked="1", own=["Strong"])
    assert "significantly lower on TREC 2004 Robust, AP; 1 can’t be judged." in answer.text


@pytest.mark.usefixtures("robust")
def test_an_oracle_is_nobodys_rival_and_a_baseline_that_loses_is_no_finding(client):
    page = review(client, CLAIMS)
    assert "Oracle" not in " ".join(row[1] for row in page.rows if row[0] == "TREC 2004 Robust, AP")
    assert page.row("BM25")[1] == "0.2500 weak as on record"


def test_a_model_is_known_under_whatever_its_runs_are_called(client, robust):
    model = make_model()
    for name, value in (("flat.splade-v3.onnx", "0.3300"), ("splade-v3 cached", "0.3320")):
        make_result(robust, make_system(name, model=model), value, role="reference_implementation")
    Leaderboard.objects.filter(pk=robust.pk).mark_changed()
    analyse(robust)
    same = review(client, f"System,Robust04 MAP\n{model.name},0.332\nOurs,0.34\n")
    assert same.row(model.name)[1] == "0.332 as on record"
    assert "as on record for splade-v3 cached" in same.text
    other = review(client, f"System,Robust04 MAP\n{model.name},0.300\nOurs,0.34\n")
    assert other.row(model.name)[1] == "0.300 differs"
    assert "0.3300–0.3320 on record for 2 runs of this model" in other.text


@pytest.mark.usefixtures("robust")
def test_nothing_of_it_is_kept(client):
    with CaptureQueriesContext(connection) as queries:
        review(client, "model,dataset,metric,score\nA secret name,Robust04,MAP,0.31234\nX,Robust04,MAP,0.2\n")
    assert not any("secret" in query["sql"] or "0.31234" in query["sql"] for query in queries)
    assert client.post("/review-table/", {"text": LATEX})["Cache-Control"] == "no-store"


@pytest.mark.usefixtures("robust")
def test_it_is_charged_before_it_is_read(client, monkeypatch):
    monkeypatch.setitem(LIMITS, "check: address", (1, 300))
    review(client)
    page = review(client, status=429, asked="1", baseline=["BM25"], own=["Ours"])
    assert "0.3900" in page.source
    inputs = [(tag.get("name"), tag.get("value")) for tag in page.of("input")]
    assert [pair for pair in inputs if pair[0] in {"asked", "baseline", "own"}] == [
        ("asked", "1"), ("baseline", "BM25"), ("own", "Ours"),
    ]  # fmt: skip
    unasked = review(client, status=429)
    assert not {"asked", "baseline", "own"} & {tag.get("name") for tag in unasked.of("input")}


@pytest.mark.usefixtures("robust")
def test_more_scores_take_no_more_queries(client, django_assert_max_num_queries):
    def table(n):
        return "model,dataset,metric,score\n" + "".join(f"s{i},Robust04,MAP,0.2{i}\n" for i in range(n))

    with CaptureQueriesContext(connection) as few:
        review(client, table(2))
    with django_assert_max_num_queries(len(few)):
        review(client, table(60))


def test_a_record_is_told_from_the_best_of_all_where_the_verdict_is_on_those_that_declare_no_training(client):
    board = make_board([f"0.{200 + 5 * number}" for number in range(20)])
    make_suite("zero", [board], is_zero_shot=True)
    for number, result in enumerate(board.results.order_by("value")):
        declare(result.system, board.collection, "no" if number < 15 else "yes")
    analyse_again(board)
    assert read_stored([board.pk])[board.pk].best.value == pytest.approx(0.27)
    page = review(client, f"System,{board.collection.slug} {board.measure.name}\nOurs,0.2980\nBase,0.2\n")
    assert "Ours, 0.2980: 0.0030 better than the best on record" in page.text
    assert page.row("Best on record")[1].startswith("0.2950 ")


def markdown_of(client, rows, **fields):
    fields = {"text": f"System,Robust04 MAP\n{rows}", "step": "markdown", "asked": "1"} | fields
    return client.post("/review-table/", fields).content.decode()


@pytest.mark.usefixtures("robust")
def test_what_is_as_good_as_the_best_or_within_the_margin_of_it_is_said(client):
    text = markdown_of(client, "run 29,0.3160\nrun 28,0.4\nrun 3,0.2121\nOurs,0.33\nX,0.312\n")
    assert "4 comparisons with the best other row, corrected as 10 (Holm). 4 significant. Without a baseline" in text
    assert "- run 29, 0.3160: equals the best on record; 0.084 worse than run 28: significant" in text
    assert "- run 28, 0.4: 0.0840 better than the best on record (significant); 0.070" in text
    assert "; 0.3120 on record for run 28." in text
    assert text.count("; as on record for run 3.") == 1
    assert "- Ours, 0.33: 0.0140 better than the best on record (not significant); 0.070 worse" in text
    assert "- X, 0.312: 1 of 31 on record is better; 0.088 worse than run 28:" in text
    assert [line for line in text.splitlines() if line.startswith("| run") or line.startswith("| Ours")] == [
        "| run 29 | 0.3160 (as on record) |",
        "| run 28 | 0.4 (best reported) (significant) (differs) |",
        "| run 3 | 0.2121 (as on record) |",
        "| Ours | 0.33 (best reported) (new) |",
    ]


def test_what_is_held_back_on_record_is_counted_apart(client, robust):
    make_result(robust, make_system("odd"), "0.9000", role="proposed", year=2012)
    analyse_again(robust)
    text = markdown_of(client, "odd,0.9\nOurs,0.316\nX,0.36\nBase,0.2\n", baseline=["Base"])
    assert "- odd, 0.9: 0.5840 better than the best on record (significant);" in text
    assert "; as on record for odd; excluded on record: needs evidence." in text
    assert "| odd | 0.9 (best reported) (significant) (as on record) (excluded on record) |" in text
    assert "- Ours, 0.316: equals the best on record; 1 excluded there is better; " in text
    assert "- Base, 0.2: 30 of 31 on record are better; 1 excluded there is better; percentile" in text
    assert "Best on record: 0.3160 (run 29, 2004)." in text
    assert "3 comparisons with the best baseline, corrected as 3 (Holm). 3 significant." in text


@pytest.mark.usefixtures("robust")
def test_own_rows_are_judged_with_all_that_could_have_been_their_rivals(client):
    text = markdown_of(client, "BM25,0.25\nOurs,0.316\nOld,0.22\nX,0.3\nXX,9\n", own=["Ours", "X"])
    assert "2 comparisons with the best other row, corrected as 4 (Holm).\n" in text
    assert (
        "- BM25, 0.25: 17 of 31 on record are better; percentile 43 of 30 TREC runs; as on record for BM25.\n" in text
    )
    assert "- X, 0.3: 4 of 31 on record are better; 0.050 better than BM25: significant" in text
    assert text.endswith(
        "## Not matched\n\n- line 6: 9 is above 1, where AP ends; if it is in percent, say so by the unit percent, or"
        " by writing 9%\n"
    )


def test_where_lower_is_better_and_nothing_tells_how_much_scores_vary(client):
    board = make_board(["0.10", "0.20", "0.30", "0.40", "0.50"], measure=make_measure("risk", higher_is_better=False))
    analyse(board)
    rows = f"System,{board.collection.slug} risk\nBase,0.30\nOurs,0.2\nX,0.36\nBest,0.05\n"
    text = markdown_of(client, "", text=rows, baseline=["Base"])
    assert "3 comparisons with the best baseline. 3 can’t be judged here. 0 significant." in text
    assert "Best on record: 0.1000 (run 0)." in text
    new = "no system or model of this name on record here"
    unknown = f"nobody knows how much scores vary here; {new}"
    assert text.splitlines()[-4:] == [
        f"- Base, 0.30: 2 of 5 on record are better; percentile 50 of 5 TREC runs; {new}.",
        f"- Ours, 0.2: 1 of 5 on record is better; 0.1000 better than Base: {unknown}.",
        f"- X, 0.36: 3 of 5 on record are better; 0.0600 worse than Base: {unknown}.",
        f"- Best, 0.05: 0.0500 better than the best on record; 0.2500 better than Base: {unknown}.",
    ]


MARKED = """<table><caption>MAP</caption><tr><th>System</th><th>Robust04</th><th>News</th></tr>
<tr><td>BM25</td><td>0.2100</td><td>0.2000</td></tr><tr><td>Ours<sup>1</sup></td><td><b>0.3900</b><sup>†</sup></td>
<td>0.2010<sup>†</sup></td></tr></table><p>† paired t-test, Bonferroni</p>"""


def test_the_papers_own_marks_are_kept_and_answered_in_html_as_in_text(client, robust):
    news = make_leaderboard(make_collection("news", name="News", n_topics=50), robust.measure)
    for number in range(6):
        make_result(news, make_system(f"news {number}"), f"0.{20 + number}0", role="trec_run")
    make_variance(robust.measure, 0.012, news.collection)
    analyse(news)
    page = review(client, MARKED, measure="MAP")
    sentence = "The paper marks 2 gains as significant (†, paired t-test, Bonferroni). From the means we confirm"
    assert f"{sentence} TREC 2004 Robust, not News." in page.text
    assert page.headings[0] == (
        1,
        "1 of 2 gains is significant: Ours beats the best other row on TREC 2004 Robust only.",
    )
    assert page.row("Ours yours")[1] == "0.3900† best reported significant new"
    asks = page.text.partition("What a reviewer may ask")[2]
    for ask in ("Scores by topic for News", "A stronger baseline than BM25", "Which BM25? 1 score differs"):
        assert ask in asks
    unmarked = review(client, "System,Robust04 MAP\nBM25,0.21\nOurs,0.39\n")
    assert "The table marks no gain as significant." in unmarked.text


def test_an_average_that_is_no_mean_of_its_columns_is_asked_about_with_both_numbers(client, robust):
    head = "| System | Robust04 MAP | Robust04 P@20 | Avg. |\n|---|---|---|---|\n"
    asks = review(client, f"{head}| Base | .230 | .250 | .240 |\n| Ours | .240 | .270 | .260 |\n").text.partition(
        "What a reviewer may ask"
    )[2]
    assert "Which average of Ours? Avg. is .260; the mean of its 2 scores here is 0.255." in asks
    assert "Which average of Base" not in asks
