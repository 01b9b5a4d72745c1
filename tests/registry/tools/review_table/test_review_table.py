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
from tests.registry.leaderboards.boards import analyse, make_board, mark_changed
from tests.registry.leaderboards.suites import declare
from tests.registry.pages import Page, _Reader

pytestmark = pytest.mark.django_db

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
    page = Page(status, response.content.decode())
    _Reader(page).feed(page.source)
    return page


def test_every_score_is_judged_against_the_best_baseline(client, robust):
    page = review(client, asked="1", baseline=["BM25"])
    error = read_stored([robust.pk])[robust.pk].pair_error
    assert page.row("BM25 baseline") == ["BM25 baseline", "0.2100 weak baseline contested", "0.3631 not known"]
    assert page.row("Better") == ["Better", "0.2150 not told apart new", "–"]
    assert page.row("Ours") == ["Ours", "0.3900 record beyond luck new", "0.4000 not known"]
    assert "2 comparisons with the best baseline of the column: 1 beyond luck." in page.text
    assert "All are judged together, as 2 comparisons (Holm). Were no two different, about one table in" in page.text
    assert "BM25, 0.2100: 28 of 31 results on record are better; percentile 10 among 30 original runs" in page.text
    assert "the record has 0.2500 for BM25" in page.text
    said = f"not told apart by means, which takes {error.margin(0.05):.4f} for an average pair"
    assert f"0.0050 better than the best baseline, BM25: {said}" in page.text
    assert "Ours, 0.3900: 0.0740 better than the best of 31 results on record" in page.text


def test_one_planned_pair_is_judged_as_one_pair(client, robust):
    """As the table of two rows that it is, not as the best of a board against all others."""
    stored = read_stored([robust.pk])[robust.pk]
    alone = stored.pair_error.margin(0.05)
    better = f"{0.25 + (alone + stored.margin) / 2:.4f}"
    table = f"System,Robust04 MAP\nBase,0.25\nNewer,{better}\n"
    for fields in ({}, {"asked": "1", "baseline": ["Base"]}):
        page = review(client, table, **fields)
        assert page.row("Newer")[1].startswith(better)
        assert page.row("Newer")[1].endswith("beyond luck new")
        assert f"told apart by means, which takes {alone:.4f} for an average pair" in page.text
    # Among ten more that were tried it is no longer told apart.
    rest = "".join(f"Try {n},0.24{n}\n" for n in range(10))
    page = review(client, table + rest, asked="1", baseline=["Base"])
    assert "not told apart" in page.row("Newer")[1]
    assert "11 comparisons with the best baseline of the column: 0 beyond luck." in page.text


def test_nothing_is_claimed_of_what_is_below_a_baseline_that_was_picked_by_its_score(client, robust):
    table = "System,Robust04 MAP\nBase,0.35\nWeak base,0.2\nOurs,0.2\n"
    page = review(client, table, asked="1", baseline=["Base", "Weak base"])
    assert page.row("Ours")[1] == "0.2 new"
    assert "0.1500 worse than the best baseline, Base; no system or model of this name is on record here." in page.text
    assert "1 comparison with the best baseline of the column: 0 beyond luck." in page.text


@pytest.mark.usefixtures("robust")
def test_without_baselines_the_best_other_score_is_the_rival(client):
    page = review(client, asked="1")
    assert "2 comparisons with the best other score of the column: 2 beyond luck." in page.text
    assert "as 3 comparisons (Holm); without a baseline, all pairs of a column count" in page.text
    assert page.row("Ours")[1] == "0.3900 record beyond luck new"
    ticks = [one["name"] for one in page.of("input") if one.get("type") == "checkbox"]
    assert ticks == ["own"] * 3 + ["baseline"] * 3


@pytest.mark.usefixtures("robust")
@pytest.mark.parametrize(
    "text",
    [
        "| Model | Dataset | Metric | Score |\n|---|---|---|---|\n"
        "| Ours | Robust04 | MAP | **0.39** |\n| X | Robust04 | MAP | 0.2 |",
        "model,dataset,metric,score\nOurs,Robust04,MAP,0.39\nX,Robust04,MAP,0.2\n",
        "model\tdataset\tmetric\tscore\nOurs\tRobust04\tMAP\t0.39\nX\tRobust04\tMAP\t0.2\n",
    ],
)
def test_it_is_read_in_every_form(client, text):
    assert review(client, text).row("Ours yours")[1] == "0.39 record beyond luck new"


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
    told = "can’t be told from luck on TREC 2004 Robust, P@20, where nothing is known of it."
    own = [one["value"] for one in page.of("input") if one.get("name") == "own" and "checked" in one]
    assert own == ["Ours", "Ours (large)"]
    assert [text for level, text in page.headings if level == 2][:2] == [
        f"Ours can’t be told from the best other row on TREC 2004 Robust, AP and {told}",
        f"Ours (large) beats the best other row on TREC 2004 Robust, AP and {told}",
    ]
    said = review(client, CLAIMS, asked="1", own=["Strong"])
    assert "Strong trails the best other row on TREC 2004 Robust, AP" in said.text


@pytest.mark.usefixtures("robust")
def test_an_oracle_is_nobodys_rival_and_a_baseline_that_loses_is_no_finding(client):
    page = review(client, CLAIMS)
    assert "Oracle" not in " ".join(row[1] for row in page.rows if row[0] == "TREC 2004 Robust, AP")
    assert "told apart" not in page.row("BM25")[1]
    assert "beyond luck" not in page.row("BM25")[1]
    assert page.row("BM25")[1] == "0.2500 same"


def test_a_model_is_known_under_whatever_its_runs_are_called(client, robust):
    model = make_model()
    for name, value in (("flat.splade-v3.onnx", "0.3300"), ("splade-v3 cached", "0.3320")):
        make_result(robust, make_system(name, model=model), value, role="reference_implementation")
    Leaderboard.objects.filter(pk=robust.pk).mark_changed()
    analyse(robust)
    same = review(client, f"System,Robust04 MAP\n{model.name},0.332\nOurs,0.34\n")
    assert same.row(model.name)[1] == "0.332 same"
    assert "as on record for splade-v3 cached" in same.text
    other = review(client, f"System,Robust04 MAP\n{model.name},0.300\nOurs,0.34\n")
    assert other.row(model.name)[1] == "0.300 contested"
    assert "the record has 0.3300 to 0.3320 for 2 runs of this model" in other.text


@pytest.mark.usefixtures("robust")
def test_what_cannot_be_matched_is_listed_with_the_reason(client):
    page = review(
        client, "model,dataset,metric,score\nOurs,Robust04,MAP,0.39\nX,Robust99,MAP,0.2\nY,Robust04,MAP,3.9\n"
    )
    assert "Not matched" in page.text
    assert "unknown collection" in page.text
    assert "line 4" in page.text


@pytest.mark.usefixtures("robust")
def test_nothing_of_it_is_kept(client):
    with CaptureQueriesContext(connection) as queries:
        review(client, "model,dataset,metric,score\nA secret name,Robust04,MAP,0.31234\nX,Robust04,MAP,0.2\n")
    assert not any("secret" in one["sql"] or "0.31234" in one["sql"] for one in queries)
    assert client.post("/review-table/", {"text": LATEX})["Cache-Control"] == "no-store"


@pytest.mark.usefixtures("robust")
def test_it_is_charged_before_it_is_read(client, monkeypatch):
    monkeypatch.setitem(LIMITS, "check: address", (1, 300))
    review(client)
    page = review(client, status=429, asked="1", baseline=["BM25"], own=["Ours"])
    assert "0.3900" in page.source
    kept = [(one.get("name"), one.get("value")) for one in page.of("input")]
    assert [one for one in kept if one[0] in {"asked", "baseline", "own"}] == [
        ("asked", "1"), ("baseline", "BM25"), ("own", "Ours"),
    ]  # fmt: skip
    unasked = review(client, status=429)
    assert not {"asked", "baseline", "own"} & {one.get("name") for one in unasked.of("input")}


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
    mark_changed(board)
    analyse(board)
    assert read_stored([board.pk])[board.pk].best.value == pytest.approx(0.27)
    page = review(client, f"System,{board.collection.slug} {board.measure.name}\nOurs,0.2980\nBase,0.2\n")
    assert "Ours, 0.2980: 0.0030 better than the best of 20 results on record" in page.text
    assert page.row("Best on record")[1].startswith("0.2950 ")


def markdown_of(client, rows, **fields):
    fields = {"text": f"System,Robust04 MAP\n{rows}", "step": "markdown", "asked": "1"} | fields
    return client.post("/review-table/", fields).content.decode()


@pytest.mark.usefixtures("robust")
def test_what_is_as_good_as_the_best_or_within_the_margin_of_it_is_said(client):
    text = markdown_of(client, "run 29,0.3160\nrun 28,0.4\nrun 3,0.2121\nOurs,0.33\nX,0.312\n")
    assert "4 comparisons with the best other score of the column: 4 beyond luck." in text
    assert "All are judged together, as 10 comparisons (Holm); without a baseline, all pairs of a column count" in text
    assert "- run 29, 0.3160: as good as the best of 31 results on record; 0.0840 worse than the best other" in text
    assert "- run 28, 0.4: 0.0840 better than the best of 31 results on record, beyond the margin; 0.0700" in text
    assert "; the record has 0.3120 for run 28." in text
    assert text.count("; as on record for run 3.") == 1
    assert "- Ours, 0.33: 0.0140 better than the best of 31 results on record, within the margin; 0.0700 worse" in text
    assert "- X, 0.312: 1 of 31 results on record is better; 0.0880 worse than the best other score, run 28:" in text
    assert [line for line in text.splitlines() if line.startswith("| run") or line.startswith("| Ours")] == [
        "| run 29 | 0.3160 (same) |",
        "| run 28 | 0.4 (record) (beyond luck) (contested) |",
        "| run 3 | 0.2121 (same) |",
        "| Ours | 0.33 (record) (new) |",
    ]


def test_what_is_held_back_on_record_is_counted_apart(client, robust):
    make_result(robust, make_system("odd"), "0.9000", role="proposed", year=2012)
    mark_changed(robust)
    analyse(robust)
    text = markdown_of(client, "odd,0.9\nOurs,0.316\nX,0.36\nBase,0.2\n", baseline=["Base"])
    assert "- odd, 0.9: 0.5840 better than the best of 31 results on record not held back, beyond the margin;" in text
    assert "; as on record for odd; held back on record; its leaderboard says why." in text
    assert "| odd | 0.9 (record) (beyond luck) (same) (held back) |" in text
    assert "- Ours, 0.316: as good as the best of 31 results on record not held back; 1 held back is better; " in text
    assert "- Base, 0.2: 30 of 31 results on record not held back are better; 1 held back is better; percentile" in text
    assert "Best on record: 0.3160 (run 29, 2004)." in text
    assert "3 comparisons with the best baseline of the column: 3 beyond luck." in text


@pytest.mark.usefixtures("robust")
def test_own_rows_are_judged_with_all_that_could_have_been_their_rivals(client):
    text = markdown_of(client, "BM25,0.25\nOurs,0.316\nOld,0.22\nX,0.3\nXX,9\n", own=["Ours", "X"])
    assert (
        "2 comparisons with the best other score of the column, judged as 4 comparisons together (Holm): each own row"
        " with every row that could have been its rival. Were no two different, about one table in twenty would have"
        " any told apart.\n"
    ) in text
    assert "- BM25, 0.25: 17 of 31 results on record are better; as on record for BM25.\n" in text
    assert "- X, 0.3: 4 of 31 results on record are better; 0.0500 better than the best other score, BM25: told" in text
    assert text.endswith(
        "## Not matched\n\n- line 6: 9 is above 1, where AP ends; if it is in percent, say so by the unit percent, or"
        " by writing 9%\n"
    )


def test_where_lower_is_better_and_nothing_tells_how_much_scores_vary(client):
    board = make_board(["0.10", "0.20", "0.30", "0.40", "0.50"], measure=make_measure("risk", higher_is_better=False))
    analyse(board)
    rows = f"System,{board.collection.slug} risk\nBase,0.30\nOurs,0.2\nX,0.36\nBest,0.05\n"
    text = markdown_of(client, "", text=rows, baseline=["Base"])
    assert "3 comparisons with the best baseline of the column: 0 beyond luck, 3 can’t be judged" in text
    assert "Best on record: 0.1000 (run 0)." in text
    new = "no system or model of this name is on record here"
    unknown = f"how much scores vary here is not known; {new}"
    assert text.splitlines()[-4:] == [
        f"- Base, 0.30: 2 of 5 results on record are better; percentile 50 among 5 original runs; {new}.",
        f"- Ours, 0.2: 1 of 5 results on record is better; 0.1000 better than the best baseline, Base; {unknown}.",
        f"- X, 0.36: 3 of 5 results on record are better; 0.0600 worse than the best baseline, Base; {unknown}.",
        "- Best, 0.05: 0.0500 better than the best of 5 results on record; 0.2500 better than the best baseline, Base;"
        f" {unknown}.",
    ]
