"""What ships in data/ is complete, unambiguous, and says where it comes from."""

import re
from collections import Counter, defaultdict
from datetime import date
from fnmatch import fnmatch
from itertools import combinations

import ir_datasets
import pytest

from tests.data.shipped import DATA, compared, counted_by_leaderboard, counts, number, results, table

ROLES = {"trec_run", "leaderboard", "proposed", "baseline", "reference_implementation"}
COMPARABILITY = {
    "standard", "topic_subset", "other_judgements", "other_documents", "oracle", "doubtful", "partial_mean", "same_run",
}  # fmt: skip
PROVENANCE = {"", "transcribed", "double_checked", "author_confirmed", "topic_scores", "recomputed"}


def repeated(names):
    return [name for name, times in Counter(names).items() if times > 1]


@pytest.mark.parametrize(
    ("collection", "measure", "n_counted"),
    [
        ("trec-7-adhoc", "AP", 103),
        ("trec-2004-robust", "AP", 343),
        ("msmarco-passage-dev", "RR@10", 201),
        ("trec-dl-2019-passage", "nDCG@100", 37),
        ("beir-scifact", "nDCG@10", 286),
        ("trec-2006-terabyte-adhoc-701-850", "AP", 61),
    ],
)
def test_the_leaderboards_people_ask_for_are_there(collection, measure, n_counted):
    assert counted_by_leaderboard()[collection, measure] == n_counted


def test_trec_7_agrees_with_what_carterette_read_from_it():
    rows = [row for row in results() if (row["collection"], row["measure"]) == ("trec-7-adhoc", "AP") and counts(row)]
    values = [number(row) for row in rows]
    assert max(values) == 0.3702
    assert sum(values) / len(values) == pytest.approx(0.1992, abs=5e-5)
    automatic = [row for row in rows if row["run_type"] == "automatic"]
    assert max(automatic, key=lambda row: float(row["value"]))["system"] == "ok7ax"


def test_ir_datasets_knows_its_ids():
    named = {row["ir_datasets_id"] for row in table("collections.csv")} - {""}
    assert len(named) > 150
    assert {name for name in named if name not in ir_datasets.registry} == set()


def test_a_system_is_on_a_leaderboard_once_for_each_paper_that_prints_another_score():
    places = defaultdict(list)
    for row in results():
        places[row["collection"], row["measure"], compared(row["system"])].append(row)
    several = [rows for rows in places.values() if len(rows) > 1]
    assert len(several) == 457
    for rows in several:
        assert repeated((row.get("paper"), row["source"]) for row in rows) == [], rows
        for first, second in combinations(rows, 2):
            assert abs(number(first) - number(second)) > 1e-4, (first, second)


@pytest.mark.parametrize(
    ("file", "n_rows", "n_copied"),
    [
        ("anserini_pages.csv", 1123, 0),
        ("pyserini_pages.csv", 1065, 0),
        ("longembed.csv", 940, 0),
        ("dl_hard.csv", 460, 0),
        ("bm25_benchmarks.csv", 344, 0),
        ("tables_of_papers.csv", 3226, 1359),
        ("model_cards.csv", 592, 0),
    ],
)
def test_tables_of_papers_stand_at_their_line_or_were_copied(file, n_rows, n_copied):
    rows = table(f"results/{file}")
    copied = [row for row in rows if "copy of the table" in row.get("notes", "") or row["source"] == row["paper"]]
    assert (len(rows), len(copied)) == (n_rows, n_copied)
    assert all(re.search(r"#L\d+", row["locator"]) for row in rows if row not in copied)


def test_a_number_that_two_sources_print_is_one_row_that_names_both():
    (row,) = (
        row
        for row in table("results/tables_of_papers.csv")
        if (row["collection"], row["system"]) == ("msmarco-passage-dev", "naver/splade_v2_max")
    )
    assert (row["value"], row["unit"], row["locator"]) == ("34.0", "percent", "README.md#L73")
    assert row["notes"] == "also in UKPLab/sentence-transformers docs/sparse_encoder/pretrained_models.md#L57"


def test_contradicting_prints_stand_beside_each_other():
    splade = [
        (row["source"], row["value"])
        for row in results()
        if (row["collection"], row["measure"], row["system"])
        == ("msmarco-passage-dev", "RR@10", "naver/splade-cocondenser-ensembledistil")
    ]
    assert sorted(splade) == [("UKPLab/sentence-transformers", "38.0"), ("naver/splade", "38.3")]


def test_collections_and_measures_are_known():
    assert {row["collection"] for row in results()} <= {row["slug"] for row in table("collections.csv")}
    assert {row["measure"] for row in results()} <= {row["name"] for row in table("measures.csv")}
    for file in ("leaderboards.csv", "topic_scores/manifest.csv"):
        assert {row["collection"] for row in table(file)} <= {row["slug"] for row in table("collections.csv")}
        assert {row["measure"] for row in table(file)} <= {row["name"] for row in table("measures.csv")}


def test_values_lie_in_the_range_of_their_measure():
    ends = {row["name"]: (row["low"], row["high"]) for row in table("measures.csv")}
    outside = []
    for row in results():
        low, high = ends[row["measure"]]
        value = number(row)
        if (low and value < float(low)) or (high and value > float(high)) or abs(value) > 1e6:
            outside.append(row)
    assert outside == []


def test_values_are_plain_decimals_that_fit():
    assert [row["value"] for row in results() if not re.fullmatch(r"-?\d+(\.\d+)?(e-\d+)?", row["value"])] == []
    assert max(len(row["value"]) for row in results()) <= 40


def test_coded_columns_hold_their_codes():
    assert {row["role"] for row in results()} == ROLES
    assert {row["comparability"] for row in results()} <= COMPARABILITY
    assert {row.get("provenance", "") for row in results()} <= PROVENANCE
    assert {row.get("run_type", "") for row in results()} <= {"", "automatic", "manual"}


def test_dates_are_dates_and_agree_with_years():
    for row in results():
        if row.get("date"):
            assert date.fromisoformat(row["date"]).year == int(row["year"]), row
        if row.get("year"):
            assert 1960 <= int(row["year"]) <= 2100, row


def test_every_row_says_where_it_comes_from():
    assert all(row["source"] and row["locator"] for row in results())


def test_a_replicate_stands_after_the_execution_that_counts():
    seen = {}
    n_replicates = 0
    for row in results():
        board = (row["collection"], row["measure"])
        if row.get("replicate_of"):
            n_replicates += 1
            assert counts(seen[(*board, row["replicate_of"])]), row
        seen[(*board, row["system"])] = row
    assert n_replicates == 243


def test_a_departure_is_explained():
    departing = [row for row in results() if row["comparability"] != "standard"]
    assert departing
    assert all(row["notes"] for row in departing)
    assert all(row["n_topics"] for row in departing if row["comparability"] == "topic_subset")


def test_an_alias_leads_to_one_collection():
    rows = table("collections.csv")
    aliases = [compared(alias) for row in rows for alias in row["aliases"].split("|") if alias]
    assert repeated(aliases + [row["slug"] for row in rows]) == []


def test_a_name_leads_to_one_measure():
    rows = table("measures.csv")
    aliases = [compared(alias) for row in rows for alias in row["aliases"].split("|") if alias]
    assert repeated(aliases + [compared(row["name"]) for row in rows]) == []
    assert [row["name"] for row in rows if "/" in row["name"]] == []


def test_measures_are_those_of_ir_measures():
    ir_measures = pytest.importorskip("ir_measures")
    named = [row for row in table("measures.csv") if row["ir_measures"]]
    assert len(named) >= 45
    for row in named:
        assert str(ir_measures.parse_measure(row["ir_measures"])) == row["ir_measures"]


def test_numbers_of_topics_have_a_source():
    for row in table("collections.csv"):
        assert bool(row["n_topics"]) == bool(row["n_topics_source"]), row
        assert not row["n_topics"] or int(row["n_topics"]) > 0


def test_the_sources_page_names_every_file_and_its_rows():
    page = (DATA / "SOURCES.md").read_text(encoding="utf-8")
    counted = {file: int(n.replace(",", "")) for file, n in re.findall(r"^\| `([^`]+)` \| ([\d,]+) \|", page, re.M)}
    files = [path.relative_to(DATA).as_posix() for path in DATA.rglob("*.csv")]
    listed = [file for file in files if not re.match(r"topic_scores/(?!manifest)", file)]
    assert counted == {file: len(table(file)) for file in listed}
    assert [source for source in {row["source"] for row in results()} if source not in page] == []
    patterns = re.findall(r"`(topic_scores/[^`]*\*[^`]*)`", page)
    assert [file for file in files if file not in counted and not any(fnmatch(file, p) for p in patterns)] == []


def test_remarks_are_of_what_is_here():
    slugs = {row["slug"] for row in table("collections.csv")}
    suites = {row["slug"] for row in table("suites.csv")}
    systems = {row["system"] for row in results()}
    assert {row["slug"] for row in table("missing.csv")} <= slugs | suites
    assert [row for row in table("missing.csv") if not (row["missing"] and row["where"] and row["day"])] == []
    of_splits = [row["collection"] for row in table("splits.csv")]
    assert len(of_splits) == len(set(of_splits))
    assert set(of_splits) <= slugs
    contested = table("contested.csv")
    assert {row[name] for row in contested for name in ("collection", "other_collection")} <= slugs
    assert {row["system"] for row in (*contested, *table("disclosures.csv"))} <= systems
    assert all(row[name].startswith("https://") for row in contested for name in ("address", "other_address"))


def test_no_system_goes_by_a_line_a_second_or_a_file_of_its_source():
    names = {(row["system"], row["team"]): row["name"] for row in table("system_names.csv")}
    known = {(row["system"], row.get("team", "")) for row in results()}
    odd = re.compile(r"@\d{4}-\d\d-\d\dT|\.md#L\d|\w_\(|evaluation on the page")
    assert [name for name in known if odd.search(names.get(name, name[0]))] == []
    assert sum((name, team) in known for (_, team), name in names.items() if team in ("voyageai", "Cohere")) == 6
