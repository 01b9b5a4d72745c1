"""The suites that ship are those that people mean by their names."""

from collections import defaultdict

from tests.data.shipped import results, table

TRACKS = {row["slug"] for row in table("suites.csv") if row["slug"].startswith("trec-")}
SUITES = {row["slug"]: row for row in table("suites.csv")}
MEMBERS = defaultdict(list)
for row in table("suite_members.csv"):
    if not row["part_of"]:
        MEMBERS[row["suite"]].append(row["collection"])


def test_beir_is_fourteen_public_datasets_and_the_average_leaves_one_out():
    assert len(MEMBERS["beir"]) == 14
    assert set(MEMBERS["beir"]) - set(MEMBERS["beir-13"]) == {"beir-cqadupstack"}
    assert (SUITES["beir"]["is_average"], SUITES["beir-13"]["is_average"]) == ("false", "true")


def test_sizes_are_those_of_the_benchmarks():
    sizes = {slug: len(members) for slug, members in MEMBERS.items() if slug not in TRACKS}
    assert sizes == {
        "beir": 14, "beir-13": 13, "mteb-eng-v1": 15, "mteb-eng-v2": 10, "mteb-cmn-v1": 8, "bright": 12,
        "bright-mteb": 12, "miracl": 18, "mteb-miracl-hn": 18, "mteb": 1_306, "mr-tydi": 11, "mldr": 13, "lotte": 10,
        "r2med": 8, "mteb-neuclir-2022-hn": 3, "mteb-neuclir-2023-hn": 3, "bright-v1-1": 12, "bright-long": 8,
        "bright-pro": 7, "rar-b": 17, "nanobeir": 13, "beir-nl": 15, "beir-pl": 12, "vn-mteb": 24, "webfaq": 49,
        "xpqa": 36, "mkqa": 26, "wikipedia-multilingual": 16, "miracl-reranking": 18, "vidore": 10, "vidore-v2": 13,
        "vidore-v3": 60, "coir": 20, "longembed": 20,
    }  # fmt: skip
    parts = [row["collection"] for row in table("suite_members.csv") if row["suite"] == "beir" and row["part_of"]]
    assert len(parts) == 12


def test_tasks_are_those_that_benchmarks_count_once_or_that_ask_the_same():
    tasks = defaultdict(set)
    for row in table("suite_members.csv"):
        tasks[row["suite"]].add(row["task"] or (row["collection"], row["measure"]))
    counts = {slug: len(tasks[slug]) for slug, members in MEMBERS.items() if len(tasks[slug]) < len(members)}
    assert counts == {
        "mteb-neuclir-2022-hn": 1, "mteb-neuclir-2023-hn": 1, "rar-b": 13, "xpqa": 12, "mkqa": 1, "vidore-v2": 4,
        "vidore-v3": 10, "coir": 10, "longembed": 6,
    }  # fmt: skip


def test_training_is_remarked_on_except_where_topics_to_train_on_belong_to_the_task():
    known = {slug for slug, row in SUITES.items() if row["is_zero_shot"] == "false"}
    assert known - TRACKS == {"miracl", "mteb-miracl-hn", "miracl-reranking", "mr-tydi", "mldr"}
    trained = {row["collection"] for row in table("suite_members.csv") if row["has_training_part"] == "true"}
    assert {"msmarco-passage-dev", "mteb-msmarco-hn", "miracl-ar-dev", "mteb-miracl-hn-ar"} <= trained
    assert not {"beir-fever", "beir-fiqa", "bright-biology", "cmteb-covid"} & trained


def test_members_have_results_under_their_measure():
    boards = {(row["collection"], row["measure"]) for row in results()}
    lacking = defaultdict(list)
    for row in table("suite_members.csv"):
        if row["suite"] not in TRACKS and (row["collection"], row["measure"]) not in boards:
            lacking[row["suite"]].append(row["collection"])
    assert lacking == {}
