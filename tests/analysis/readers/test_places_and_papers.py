"""Where scores stand in files of JSON, YAML and git, and what addresses say of papers."""

import subprocess

import pytest

from analysis.readers.paper_facts import MAX_IDENTITY_LENGTH, PaperFacts, paper_facts
from analysis.readers.printed_names import printed_model
from analysis.readers.recipes import model_of
from analysis.readers.typed import read_paper, read_score
from analysis.readers.upstream.checkouts import Checkout, NoCheckout
from analysis.readers.upstream.places import Json, Printed, Yaml
from analysis.readers.upstream.scores import Upstream, base_name

TEXT = '{"a": {"x": 1.50,\n "y" : [ ]},\n\t"b": [0.1 , {"c": 2e-3}, "s"], "b2": null, "a2": {}, "d": 1, "d": 2}'


def test_members_and_items_of_json_have_their_lines():
    whole = Json(TEXT)
    assert [key for key, _ in whole.members()] == ["a", "b", "b2", "a2", "d", "d"]
    first, second = (value for _, value in list(whole.members())[:2])
    assert [(key, value.read()) for key, value in first.members()] == [("x", 1.5), ("y", [])]
    assert list(first.get("y").items()) == []
    assert [value.read() for value in second.items()] == [0.1, {"c": 0.002}, "s"]
    assert first.get("x").printed() == Printed("1.50", 1)
    number, inner, word = second.items()
    assert (number.printed(), inner.get("c").printed(), word.printed()) == (
        Printed("0.1", 3), Printed("2e-3", 3), Printed('"s"', 3),
    )  # fmt: skip
    assert list(whole.get("b2").members()) == list(whole.get("a2").members()) == []
    assert whole.get("d") is whole.get("e") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1]", "expected { at 0, not ["),
        (' {"a" 1}', "expected : at 6, not 1"),
        ('{"a": 1 "b": 2}', 'expected , at 8, not "'),
    ],
)
def test_json_of_another_shape_is_an_error(text, said):
    with pytest.raises(ValueError, match="expected") as caught:
        list(Json(text).members())
    assert str(caught.value) == said


def test_members_of_yaml_are_those_of_all_mappings_of_a_list():
    whole = Yaml.read("a:\n  - x: 0.10\n  - y: [1,\n      2]\nb: text\n")
    assert [(key, value.text if key == "x" else "") for key, value in whole["a"].members()] == [
        ("x", "0.10"),
        ("y", ""),
    ]
    assert whole["a"]["x"].printed() == Printed("0.10", 2)
    assert [one.printed() for one in whole["a"]["y"].items()] == [Printed("1", 3), Printed("2", 4)]
    assert ("a" in whole, "x" in whole, whole["b"].text) == (True, False, "text")
    with pytest.raises(ValueError, match="the file is empty"):
        Yaml.read("")


def test_files_with_results_are_told_by_their_whole_path():
    upstream = Upstream("a/b", r"runs/[^/]+\.json", lambda path, text: iter(()))
    assert upstream.has_results("runs/a.json")
    assert not any(upstream.has_results(path) for path in ("x/runs/a.json", "runs/a.json5", "runs/a/b.json"))
    assert (base_name("a.b/c.d.yaml"), base_name("c.yaml")) == ("c.d", "c")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A repository of two commits: a text that changes, and one in a folder that goes."""
    folder = tmp_path_factory.mktemp("upstream")

    def git(*arguments: str) -> None:
        made = {"GIT_AUTHOR_DATE": "2024-05-06T12:00:00Z", "GIT_COMMITTER_DATE": "2024-05-06T12:00:00Z"}
        people = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", str(folder), *people, *arguments], check=True, capture_output=True, env=made)

    git("init", "--initial-branch=main")
    (folder / "in it").mkdir()
    (folder / "in it" / "ä.json").write_text("old\n\nlines", encoding="utf-8")
    (folder / "empty").write_text("")
    git("add", ".")
    git("commit", "-m", "one")
    git("tag", "first")
    (folder / "in it" / "ä.json").unlink()
    (folder / "empty").write_text("ü\n", encoding="utf-8")
    git("commit", "-am", "two")
    return Checkout(folder)


def test_commits_are_found_by_their_names(checkout):
    first, second = checkout.commit("first"), checkout.commit("main")
    assert (len(first), first != second) == (40, True)
    assert checkout.commit(first[:12]) == first
    assert checkout.newest([second, first]) == checkout.newest([first, second]) == second
    with pytest.raises(NoCheckout, match="has no commit other: fetch its whole history") as caught:
        checkout.commit("other")
    assert str(caught.value).endswith("the state that they were read from")


def test_files_of_a_commit_are_read_at_that_commit(checkout):
    first, second = checkout.commit("first"), checkout.commit("main")
    files = checkout.files("first")
    assert set(files) == {"in it/ä.json", "empty"}
    assert all(len(one) == 40 for one in files.values())
    assert set(checkout.files(second)) == {"empty"}
    with checkout:
        assert checkout.read(first, "in it/ä.json") == "old\n\nlines"
        assert checkout.read(first, "empty") == ""
        assert checkout.read(second, "in it/ä.json") is None
        assert checkout.read(second, "empty") == "ü\n"
        assert checkout.read(first, "in it") is None
        assert list(checkout.texts(first, ["in it/ä.json", "gone", "empty"])) == [
            ("in it/ä.json", "old\n\nlines"), ("empty", ""),
        ]  # fmt: skip


def test_a_folder_that_is_no_repository_is_named(tmp_path):
    with pytest.raises(NoCheckout, match="is no git repository: clone the one that the results come from"):
        Checkout(tmp_path).commit("main")


# --- papers


@pytest.mark.parametrize(
    ("url", "facts"),
    [
        ("https://www.doi.org/10.1000/ABC.pdf/", {"identity": "doi:10.1000/abc", "doi": "10.1000/abc"}),
        ("https://x.org/doi/10.1000/abc/full", {"identity": "doi:10.1000/abc", "doi": "10.1000/abc"}),
        (
            "https://doi.org/10.48550/arXiv.1904.09171v2",
            {"identity": "arxiv:1904.09171", "doi": "10.48550/arxiv.1904.09171v2", "arxiv_id": "1904.09171"},
        ),
        (
            "https://doi.org/10.18653/v1/P19-1001",
            {"identity": "acl:p19-1001", "doi": "10.18653/v1/p19-1001", "acl_id": "P19-1001"},
        ),
        ("https://arxiv.org/pdf/cs.IR/0410001v1.pdf", {"identity": "arxiv:cs.ir/0410001", "arxiv_id": "cs.ir/0410001"}),
        ("https://aclanthology.org/2020.acl-x.1.pdf", {"identity": "acl:2020.acl-x.1", "acl_id": "2020.acl-x.1"}),
        ("https://dblp.org/rec/conf/x/Doe21.bib", {"identity": "dblp:conf/x/doe21", "dblp_key": "conf/x/Doe21"}),
        ("https://www.Example.org/a%20b/?q=1", {"identity": "url:example.org/a b?q=1 doe (2004)"}),
        ("https://example.org/", {"identity": "url:example.org doe (2004)"}),
    ],
)  # fmt: skip
def test_addresses_show_identifiers(url, facts):
    assert paper_facts("Doe (2004)", url) == PaperFacts(cite="Doe (2004)", url=url, **facts)


def test_long_identities_are_digests():
    exact = "x" * (MAX_IDENTITY_LENGTH - len("cite:"))
    assert paper_facts(exact, "").identity == f"cite:{exact}"
    digest = paper_facts(exact + "x", "").identity
    assert digest.startswith("cite:sha256:")
    assert len(digest) == len("cite:sha256:") + 64
    assert paper_facts("", "") is None


@pytest.mark.parametrize(
    ("identifier", "published"),
    [
        ("arxiv.org/abs/9112001", (None, None)),
        ("arxiv.org/abs/cs/9912001", (1999, 12)),
        ("arxiv.org/abs/cs/0013001", (None, None)),
        ("arxiv.org/abs/2001.00001", (2020, 1)),
        ("aclanthology.org/W60-0001", (1960, None)),
        ("aclanthology.org/W59-0001", (2059, None)),
        ("aclanthology.org/2020.acl-main.1", (2020, None)),
        ("doi.org/10.1000/1", (None, None)),
    ],
)
def test_identifiers_say_years_and_months(identifier, published):
    assert paper_facts("", f"https://{identifier}").published == published


def test_papers_as_they_are_typed():
    both = read_paper("Doe (SIGIR 2021) HTTPS://example.org/x")
    assert (both.cite, both.year, both.url.endswith("/x")) == ("Doe (SIGIR 2021)", 2021, True)
    assert read_paper("Doe (1899)").year is None
    assert read_paper("Doe (in 2004) and more").year is None
    (blank,) = read_paper("")
    assert blank.code == "blank"
    (word,) = read_paper("Doe")
    assert word.code == "identifier"
    assert read_paper(" @a{k, title={T}}").title == "T"


def test_scores_as_they_are_typed():
    assert read_score("0.3" + " " * 300) == ("0.3", "")
    long = "0.3" + "*" * 197
    assert (read_score(long), read_score(long + "*")) == (("0.3", long), (long + "*", ""))
    assert read_score(r"$0.3^{a}$") == ("0.3", "0.3^a")


# --- names of models


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("Pyserini HC4 page: BM25+RM3, title", "BM25 + RM3"),
        ("Anserini JDIQ 2018 QL (table 2)", "Query likelihood (Dirichlet)"),
        ("SBERT, Average PRF 3 (vector PRF)", "sentence-transformers/msmarco-distilbert-base-v3 + average PRF"),
        ("Unknown, Average PRF 3 (vector PRF)", ""),
        ("BM25 top-100 > cross-encoder/ms-marco-TinyBERT-L-2-v2", "cross-encoder/ms-marco-TinyBERT-L2-v2"),
        ("BM25 (k1=0.9, b=0.4) (CODEC)", "BM25"),
        ("BM25 (k1=0.9, b=0.4) (another page)", ""),
    ],
)
def test_names_as_they_are_printed(name, model):
    assert printed_model(name) == model


@pytest.mark.parametrize(
    ("name", "team", "model", "rule"),
    [
        ("Anserini a b c", "", None, ""),
        ("Lucene bm25", "", None, ""),
        ("PYSERINI bm25.de", "", "BM25", "the recipe “bm25.de” of Pyserini"),
        ("Pyserini bm25+other", "", None, ""),
        ("Anserini index ql+rm3", "", "Query likelihood (Dirichlet) + RM3", "the recipe “ql+rm3” of Anserini"),
        ("Anserini index flat", "", None, ""),
        ("Anserini dl19.unicoil-noexp unicoil", "", "uniCOIL (no expansion)", "the recipe “unicoil” of Anserini"),
        ("Anserini neuclir22-de-qt-splade splade", "", None, ""),
        ("rank_llm A+RankZephyr", "", "RankZephyr", "“A+RankZephyr” as rank_llm calls it"),
        ("bm25base_p", "Baselines", "BM25", "“bm25base_p”, a baseline for a track"),
        ("bm25base_p", "somebody", None, ""),
        ("Terrier-DPH", "bl_rmit", "DPH", "“Terrier-DPH”, a baseline for a track"),
        ("other", "baselines", None, ""),
        ("TAS-B", "", "TAS-B", "“TAS-B” is what the model is called"),
        ("lab/m_(embed_dim=512)", "LAB", "lab/m", "its address, but for “(embed_dim=512)”"),
        ("lab/m-int8", "", "lab/m", "its address, but for “int8”"),
        ("lab/m", "", "lab/m", "its address"),
        ("lab/m", "others", None, ""),
        ("baseline/Human", "", None, ""),
        ("SBERT foo (tira-ir-starter-beir)", "", "sentence-transformers/foo", "“SBERT foo” as TIREx calls it"),
        ("PL2 Re-Rank (tira-ir-starter-pyterrier)", "", "PL2", "“PL2 Re-Rank” as TIREx calls it"),
        ("Foo (tira-ir-starter-beir)", "", None, ""),
        (
            "BM25 top-100 > RankVicuna-7B (LRL)", "", "RankVicuna",
            "a run of RankVicuna-7B with the prompt of LRL, whatever it reranks",
        ),
    ],
)  # fmt: skip
def test_models_and_the_rules_that_read_them(name, team, model, rule):
    found = model_of(name, team)
    assert (found and found.model, found.rule if found else "") == (model, rule)
