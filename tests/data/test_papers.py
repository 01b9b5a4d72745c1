"""Papers that ship: each with its source, and of the runs of TREC nine in ten have one, however surely."""

from collections import Counter, defaultdict

from tests.data.shipped import DATA, compared, results, table

PAPERS = {(row["paper"], row["paper_url"]): row for row in table("papers.csv")}
LINKS = table("system_papers.csv")


def relations() -> dict[tuple[str, str], set[tuple[str, str]]]:
    """Return the years and relations of the papers that are about a system, by name and team."""
    years = defaultdict(set)
    for row in LINKS:
        years[compared(row["system"]), compared(row["team"])].add((row["year"], row["relation"]))
    return years


def joined(row: dict[str, str], known: dict[tuple[str, str], set[tuple[str, str]]]) -> str:
    """Return how the result comes to a titled paper: its own, else by what relation; blank where it has none."""
    paper = PAPERS.get((row.get("paper", ""), row.get("paper_url", "")))
    if paper and paper["title"]:
        return "own"
    about = known.get((compared(row["system"]), compared(row.get("team", ""))), set())
    return next((relation for year, relation in sorted(about) if year in ("", row.get("year"))), "")


def test_every_paper_says_where_it_is_known_from_and_stands_once():
    assert len(PAPERS) == len(table("papers.csv"))
    assert all(row["source"] and (row["title"] or row["authors"] or row["kind"] == "page") for row in PAPERS.values())
    assert not [
        row for row in PAPERS.values() if row["kind"] == "page" and (row["title"] or row["doi"] or row["arxiv"])
    ]
    assert not [row for row in PAPERS.values() if "{" in row["title"] + row["authors"] or " and " in row["authors"]]


def test_no_short_form_that_two_papers_share_stands_for_one_without_its_address():
    shared = {form for form, n in Counter(paper for paper, _ in PAPERS if paper).items() if n > 1}
    links = [row for row in [*LINKS, *table("collection_papers.csv")] if not row["paper_url"]]
    assert [row for row in links if row["paper"] in shared] == []


def test_every_link_is_of_a_system_that_is_there_to_a_titled_paper():
    systems = {(compared(row["system"]), compared(row.get("team", ""))) for row in results()}
    assert {(compared(row["system"]), compared(row["team"])) for row in LINKS} <= systems
    assert all(PAPERS[row["paper"], row["paper_url"]]["title"] and row["source"] for row in LINKS)


def test_most_runs_of_trec_lead_to_a_titled_paper_and_weak_joins_are_called_so():
    known = relations()
    rows = [row for row in results() if row["source"] == "usnistgov/trec-browser"]
    how = Counter(joined(row, known) for row in rows)
    # What the gathered join says: 33,442 by their run, 1,536 by team and track, 2,355 by team alone, 4,815 overviews;
    # of domain tracks, what their pages name, which leaves 7,309 without a paper.
    assert how == {
        "own": 56_269, "listed": 452, "team": 1_536, "probable": 2_355, "overview": 4_815, "": 11_118
    }  # fmt: skip
    assert 1 - how[""] / len(rows) > 0.85


def test_a_page_on_a_model_is_no_paper_and_papers_that_makers_cite_are_about_the_system():
    """The page's own address says nothing of a paper; what its maker asks to be cited stands beside it."""
    known = relations()
    pages = {key for key, row in PAPERS.items() if row["kind"] == "page"}
    rows = [row for row in results() if (row.get("paper", ""), row.get("paper_url", "")) in pages]
    assert {row["source"] for row in rows} == {"embeddings-benchmark/results"}
    about = {(compared(row["system"]), compared(row["team"])): row["paper_url"] for row in rows}
    with_paper = [system for system in about if {how for _, how in known.get(system, ())} & {"introduces", "cited"}]
    assert len(with_paper) > len(about) / 3
    assert PAPERS[("", "https://huggingface.co/BAAI/bge-m3")]["title"] == ""
    (link,) = [row for row in LINKS if row["system"] == "BAAI/bge-m3"]
    assert (link["relation"], link["paper_url"]) == ("introduces", "https://arxiv.org/abs/2402.03216")


def test_four_in_five_results_lead_to_a_titled_paper_and_nearly_all_that_are_gathered_do():
    known = relations()
    of_source: dict[str, Counter[bool]] = defaultdict(Counter)
    for row in results():
        of_source[row["source"]][bool(joined(row, known))] += 1
    total = sum(of_source.values(), Counter())
    assert total[True] / total.total() > 0.8
    assert of_source["lintool/robust04-analysis"] == {True: 418, False: 16}
    assert of_source["embeddings-benchmark/results"][True] > 60_000


def test_an_identifier_is_of_one_paper():
    """Two records with one DOI, arXiv or ACL id are one paper, and stand once."""
    names = [
        (kind, row[kind].lower())
        for row in PAPERS.values()
        if row["kind"] not in ("page", "software")
        for kind in ("doi", "arxiv", "acl", "dblp")
        if row[kind]
    ]
    assert [name for name, n in Counter(names).items() if n > 1] == []


def test_papers_on_collections_are_of_collections_that_are_there():
    rows = table("collection_papers.csv")
    slugs = {row["slug"] for row in table("collections.csv")}
    assert {row["collection"] for row in rows} <= slugs
    assert len({row["collection"] for row in rows}) == 1_393
    assert all(PAPERS[row["paper"], row["paper_url"]]["title"] and row["source"] for row in rows)
    assert len({(row["collection"], row["paper"], row["paper_url"]) for row in rows}) == len(rows)
    (first,) = [row["paper_url"] for row in rows if row["collection"] == "beir-scifact" and row["place"] == "1"]
    assert "SciFact" in first or "Fact or Fiction" in PAPERS["", first]["title"]


def test_every_result_opens_in_a_known_source():
    known = {row["source"]: row for row in table("sources.csv")}
    used = {row["source"] for row in [*results(), *table("topic_scores/manifest.csv")]}
    copied = {name for name, row in known.items() if "copy of the table" in row["terms"]}
    assert len(copied) == 9
    # Tables of repositories that print means over suites alone are no results.
    unused = {name for name, row in known.items() if row["file_address"]} - used
    assert used - {name for name, row in known.items() if row["file_address"]} == copied
    assert unused == {
        "OpenMatch/COCO-DR",
        "QwenLM/Qwen3-Embedding",
        "abhaybd/NV-Embed-v2_fixed",
        "Snowflake-Labs/arctic-embed",
        "brightbenchmark/brightbenchmark.github.io",
        "ibm-granite/granite-embedding-models",
    }
    page = (DATA / "SOURCES.md").read_text(encoding="utf-8")
    for row in (known[name] for name in used):
        assert row["state"] in row["address"]
        assert f"ommit {row['state']}" in page
        assert row["licence"] or row["terms"]
