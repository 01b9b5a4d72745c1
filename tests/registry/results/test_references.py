"""What is said of a paper to machines and to reference managers, by how much of it is known; nothing is saved here."""

from typing import Any
from urllib.parse import parse_qsl

from registry.results.exports import keyed_bibtex, paper_bibtex, paper_csl, paper_ris
from registry.results.models import Paper
from registry.results.signposts import coins, highwire, paper_linked_data


def paper_with(**fields: Any) -> Paper:
    return Paper(**({"slug": "on-luck", "title": "On Luck", "authors": "Jane Doe; et al."} | fields))


ARTICLE = {
    "kind": "article",
    "venue": "TOIS",
    "year": 2019,
    "month": 4,
    "imprint": {"series": "Surveys", "volume": "37", "pages": "12--34", "publisher": "ACM"},
    "url": "https://example.org/luck",
    "dblp_key": "journals/tois/Doe19",
    "arxiv_id": "1904.09171",
}
REPORT = {
    "kind": "inproceedings",
    "venue": "TREC",
    "year": 2004,
    "imprint": {"booktitle": "Proc. TREC", "series": "NIST SP", "volume": "500-261", "publisher": "NIST"},
    "doi": "10.1/x",
}


def test_an_article_is_told_as_one_in_a_journal():
    paper = paper_with(**ARTICLE)
    assert highwire(paper) == [
        ("citation_title", "On Luck"),
        ("citation_author", "Jane Doe"),
        ("citation_publication_date", "2019"),
        ("citation_journal_title", "TOIS"),
        ("citation_firstpage", "12"),
        ("citation_lastpage", "34"),
        ("citation_arxiv_id", "1904.09171"),
    ]
    assert parse_qsl(coins(paper)) == [
        ("ctx_ver", "Z39.88-2004"),
        ("rft_val_fmt", "info:ofi/fmt:kev:mtx:journal"),
        ("rft.genre", "article"),
        ("rft.atitle", "On Luck"),
        ("rft.jtitle", "TOIS"),
        ("rft.date", "2019"),
        ("rft.au", "Jane Doe"),
        ("rft_id", "https://example.org/luck"),
    ]
    assert paper_linked_data(paper, "https://here.example") == {
        "@context": paper_linked_data(paper, "")["@context"],
        "@type": "ScholarlyArticle",
        "@id": "https://here.example/papers/on-luck/",
        "name": "On Luck",
        "author": [{"@type": "Person", "name": "Jane Doe"}],
        "datePublished": "2019",
        "sameAs": "https://example.org/luck",
    }
    assert paper_csl(paper) == [
        {
            "id": "plumbline-on-luck",
            "type": "article-journal",
            "title": "On Luck",
            "author": [{"family": "Doe", "given": "Jane"}],
            "issued": {"date-parts": [[2019, 4]]},
            "container-title": "TOIS",
            "volume": "37",
            "page": "12-34",
            "URL": "https://example.org/luck",
            "note": "arXiv:1904.09171; DBLP:journals/tois/Doe19; not all authors are recorded",
            "collection-title": "Surveys",
            "publisher": "ACM",
        }
    ]
    assert paper_ris(paper).split("\r\n") == [
        "TY  - JOUR", "ID  - plumbline-on-luck", "AU  - Doe, Jane", "TI  - On Luck", "T2  - TOIS", "T3  - Surveys",
        "VL  - 37", "SP  - 12", "EP  - 34", "PB  - ACM", "PY  - 2019", "UR  - https://example.org/luck",
        "N1  - arXiv:1904.09171", "N1  - DBLP:journals/tois/Doe19", "N1  - not all authors are recorded", "ER  - ", "",
    ]  # fmt: skip
    assert paper_bibtex(paper) == (
        "@article{plumbline-on-luck,\n"
        "  author        = {Jane Doe and others},\n"
        "  title         = {{On Luck}},\n"
        "  journal       = {TOIS},\n"
        "  series        = {Surveys},\n"
        "  volume        = {37},\n"
        "  pages         = {12--34},\n"
        "  year          = {2019},\n"
        "  month         = {4},\n"
        "  eprint        = {1904.09171},\n"
        "  archiveprefix = {arXiv},\n"
        "  url           = {https://example.org/luck}\n"
        "}\n"
    )


def test_a_report_is_told_as_one_in_proceedings_with_its_number():
    paper = paper_with(**REPORT, authors="Doe, Jane and Roe; van Beethoven, L.; 山田太郎; Kurt Gödel Jr.")
    tags = dict(highwire(paper))
    assert (tags["citation_conference_title"], tags["citation_doi"]) == ("Proc. TREC", "10.1/x")
    assert not {"citation_journal_title", "citation_firstpage", "citation_lastpage", "citation_arxiv_id"} & set(tags)
    said = dict(parse_qsl(coins(paper)))
    assert (said["rft.genre"], said["rft.jtitle"], said["rft_id"]) == ("proceeding", "Proc. TREC", "info:doi/10.1/x")
    assert paper_linked_data(paper, "")["sameAs"] == "https://doi.org/10.1/x"
    (item,) = paper_csl(paper)
    assert (item["type"], item["collection-number"], item["collection-title"]) == (
        "paper-conference",
        "500-261",
        "NIST SP",
    )
    assert "volume" not in item
    assert "note" not in item
    assert item["issued"] == {"date-parts": [[2004]]}
    assert item["author"][1:] == [
        {"literal": "van Beethoven, L."},
        {"literal": "山田太郎"},
        {"family": "Gödel", "given": "Kurt", "suffix": "Jr."},
    ]
    ris = paper_ris(paper).split("\r\n")
    assert {"TY  - CONF", "IS  - 500-261", "AU  - Gödel, Kurt, Jr.", "DO  - 10.1/x"} <= set(ris)
    bibtex = paper_bibtex(paper)
    for part in ("@inproceedings{", "booktitle = {Proc. TREC}", "number    = {500-261}", "publisher = {NIST}"):
        assert part in bibtex
    assert "{Doe, Jane and Roe} and {van Beethoven, L.} and " in bibtex
    assert "journal" not in bibtex
    assert "eprint" not in bibtex
    assert "archiveprefix" not in bibtex


def test_of_a_paper_that_is_hardly_known_nothing_is_made_up():
    paper = paper_with(title="", authors="", cite="Doe (SIGIR 1998)", url="https://x.example/a{b}c", kind="article")
    assert (highwire(paper), coins(paper)) == ([], "")
    assert paper_linked_data(paper, "")["name"] == "Doe (SIGIR 1998)"
    assert set(paper_linked_data(paper, "")) == {"@context", "@type", "@id", "name", "sameAs"}
    assert paper_bibtex(paper) == (
        "% Not recorded at Plumbline: title and authors.\n"
        "@misc{plumbline-on-luck,\n"
        "  title = {{Doe (SIGIR 1998)}},\n"
        "  year  = {1998},\n"
        "  url   = {https://x.example/a%7Bb%7Dc}\n"
        "}\n"
    )
    assert paper_csl(paper)[0]["issued"] == {"date-parts": [[1998]]}
    assert "issued" not in paper_csl(paper_with(cite="Doe (in 1998, at SIGIR)"))[0]
    types = [
        paper_csl(paper_with(title=title, authors=authors, url=url, kind=kind))[0]["type"]
        for title, authors, url, kind in [
            ("", "", "https://huggingface.co/a/b", ""),
            ("T", "", "https://huggingface.co/a/b", ""),
            ("", "Jane Doe", "https://huggingface.co/a/b", ""),
            ("", "", "https://example.org/a/b", ""),
            ("", "", "https://huggingface.co/a/b", "software"),
        ]
    ]
    assert types == ["webpage", "article", "article", "article", "software"]
    assert paper_ris(paper_with(kind="page")).startswith("TY  - ELEC\r\n")
    assert paper_ris(paper_with(kind="misc")).startswith("TY  - GEN\r\n")


def test_an_entry_that_was_given_stands_as_it_is_and_under_our_key_where_several_stand_together():
    paper = paper_with(bibtex="  @inproceedings{ doe:98 , title={A, b},\n  note = {@x{y,}}}\n\n")
    assert paper_bibtex(paper) == "@inproceedings{ doe:98 , title={A, b},\n  note = {@x{y,}}}\n"
    assert keyed_bibtex(paper) == "@inproceedings{ plumbline-on-luck, title={A, b},\n  note = {@x{y,}}}\n"
    assert keyed_bibtex(paper_with(bibtex="@comment{,}\n@misc{a,b={c}}")).count("plumbline-on-luck") == 1


def test_pages_are_a_range_of_a_first_and_a_last_one():
    for given, first, last in [("7", "7", None), ("758 – 759", "758", "759"), ("1:3--1:9", "1:3", "1:9")]:
        tags = dict(highwire(paper_with(imprint={"pages": given})))
        assert (tags["citation_firstpage"], tags.get("citation_lastpage")) == (first, last)
