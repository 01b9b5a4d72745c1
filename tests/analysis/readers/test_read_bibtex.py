"""Papers from BibTeX entries."""

import pytest

from analysis.readers.bibliography.bibtex import read_bibtex
from analysis.readers.bibliography.papers import PaperDraft, read_authors

ENTRY = r"""@inproceedings{DBLP:conf/sigir/DoeRS21,
  author    = {Jane Doe and
               Fr{\"{o}}be, Kurt and
               {The \'Equipe}},
  editor    = {Some Body},
  title     = {On {BM25} \& its ``friends'': An $\alpha$-{S}tudy},
  booktitle = "{SIGIR} '21: The 44th Conference on {R}etrieval, Virtual Event, July
               11-15, 2021",
  pages     = {1--8},
  month     = jul,
  year      = {2021},
  url       = {https://doi.org/10.1145/1234567.1234568},
  doi       = {10.1145/1234567.1234568},
}"""


def paper(text: str) -> PaperDraft:
    entry = read_bibtex(text)
    assert isinstance(entry, PaperDraft), entry
    return entry


def fault(text: str) -> tuple[str, int | None, str]:
    rejections = read_bibtex(text)
    assert isinstance(rejections, list), rejections
    (rejection,) = rejections
    return rejection.code, rejection.line, rejection.column


def test_an_entry():
    entry = paper(ENTRY)
    assert entry.title == "On BM25 & its “friends”: An α-Study"
    assert entry.authors == "Jane Doe; Kurt Fröbe; The Équipe"
    assert entry.cite == "Doe et al. (SIGIR 2021)"
    assert entry.venue == "SIGIR '21: The 44th Conference on Retrieval, Virtual Event, July 11-15, 2021"
    assert entry.year == 2021
    assert (entry.doi, entry.dblp_key) == ("10.1145/1234567.1234568", "conf/sigir/DoeRS21")
    assert entry.identity == "doi:10.1145/1234567.1234568"
    assert entry.cells() == {
        "paper": "Doe et al. (SIGIR 2021)",
        "paper_url": "https://doi.org/10.1145/1234567.1234568",
        "year": "2021",
    }


@pytest.mark.parametrize(
    ("fields", "identity", "url"),
    [
        ("doi={https://doi.org/10.1145/1.2}", "doi:10.1145/1.2", "https://doi.org/10.1145/1.2"),
        (r"doi={10.1007/978-3-030-1\_26}", "doi:10.1007/978-3-030-1_26", "https://doi.org/10.1007/978-3-030-1_26"),
        (
            "url={https://aclanthology.org/2021.naacl-main.1/}, doi={10.18653/v1/2021.naacl-main.1}",
            "acl:2021.naacl-main.1",
            "https://doi.org/10.18653/v1/2021.naacl-main.1",
        ),
        ("eprint={2104.08663}, archiveprefix={arXiv}", "arxiv:2104.08663", "https://arxiv.org/abs/2104.08663"),
        ("journal={arXiv preprint arXiv:2104.08663}", "arxiv:2104.08663", "https://arxiv.org/abs/2104.08663"),
        ("journal={CoRR}, volume={abs/2104.08663}", "arxiv:2104.08663", "https://arxiv.org/abs/2104.08663"),
        ("url={https://example.org/~doe/p.pdf}", "url:example.org/~doe/p.pdf", "https://example.org/~doe/p.pdf"),
        (r"howpublished={\url{https://example.org}}", "cite:doe (2021)", ""),
        ("doi={10.1145/1.2}, eprint={2104.08663}", "doi:10.1145/1.2", "https://doi.org/10.1145/1.2"),
        ("doi={10.1145/1.2}, url={www.example.org}", "doi:10.1145/1.2", "https://doi.org/10.1145/1.2"),
    ],
)
def test_a_paper_is_known_by_its_strongest_identifier(fields, identity, url):
    entry = paper(f"@misc{{k, title={{T}}, author={{Doe, Jane}}, year=2021, {fields}}}")
    assert (entry.identity, entry.url) == (identity, url)


def test_proceedings_beside_the_entry_that_refers_to_them():
    text = """@inproceedings{DBLP:conf/cikm/Doe05, author={Jane Doe}, title={T}, crossref={DBLP:conf/cikm/2005}}
    @proceedings{DBLP:conf/cikm/2005, title={Proceedings of CIKM}, editor={Ed Itor}, year={2005}}"""
    entry = paper(text)
    assert (entry.title, entry.venue, entry.year, entry.authors) == ("T", "Proceedings of CIKM", 2005, "Jane Doe")
    assert entry.bibtex == text


@pytest.mark.parametrize(
    ("booktitle", "cite"),
    [
        ("Proceedings of the 28th SIGIR Conference", "Doe (2005)"),
        ("Proc. of {SIGIR} 2005", "Doe (SIGIR 2005)"),
        ("{ECIR} '05", "Doe (ECIR 2005)"),
    ],
)
def test_papers_are_cited_by_the_short_name_of_their_conference(booktitle, cite):
    assert (
        paper(f"@inproceedings{{k, title={{T}}, author={{Doe, J}}, year={{2005}}, booktitle={{{booktitle}}}}}").cite
        == cite
    )


@pytest.mark.parametrize(
    ("source", "names", "short"),
    [
        ("Jane Doe", "Jane Doe", "Doe"),
        ("Doe, Jane", "Jane Doe", "Doe"),
        ("Doe, Jr., John", "John Doe Jr.", "Doe"),
        ("Ludwig van der Berg and Roe, R.", "Ludwig van der Berg; R. Roe", "van der Berg and Roe"),
        ("A B and C D and E F", "A B; C D; E F", "B et al."),
        ("A B and others", "A B; et al.", "B et al."),
        ("{Team and Friends}", "Team and Friends", "Team and Friends"),
        (r"{\v{C}}apek, Karel and S{\o}rensen, P.", "Karel Čapek; P. Sørensen", "Čapek and Sørensen"),
        ("Plato", "Plato", "Plato"),
        ("A~B and\nC\tD", "A B; C D", "B and D"),
        ("", "", ""),
        (", and ,", "", ""),
    ],
)
def test_names_of_authors(source, names, short):
    authors = read_authors(source)
    assert (str(authors), authors.short) == (names, short)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ("empty", 1, "entry")),
        ("no entry", ("no_entry", 1, "entry")),
        ("@article", ("no_entry", 1, "entry")),
        ("@article{", ("cut_off", 1, "entry")),
        ("@article{key", ("cut_off", 1, "entry")),
        ("@article{key,\n title", ("cut_off", 1, "entry")),
        ("@article{key,\n title =", ("cut_off", 2, "title")),
        ("@article{key,\n title = {On the", ("cut_off", 2, "title")),
        ('@article{key,\n title = "On the', ("cut_off", 2, "title")),
        ("@article{key,\n title = {On the},\n year = 2004", ("cut_off", 3, "year")),
        ("@article{key,\n title = {On the},\n", ("cut_off", 1, "entry")),
        ("@article{key,\n title = {On the {BM25}, year = {2004}\n}", ("cut_off", 1, "entry")),
        ("@article{title = {T}}", ("key", 1, "entry")),
        ("@article{key, title = {T} year = {2004}}", ("comma", 1, "title")),
        ("@article{key, title = {T},\n title = {U}}", ("duplicate_field", 2, "title")),
        ("@article{key, title = {T}, ,, = }", ("field", 1, "entry")),
        ("@article{key, title = , year = 2004}", ("value", 1, "title")),
        ('@article{key, title = "a } b"}', ("brace", 1, "title")),
        ("@article{key, title = {T},\n journal = tois}", ("abbreviation", 2, "journal")),
        ('@article{key, title = "a" # "b"}', ("concatenation", 1, "title")),
        ("\n@string{a = {b}}\n@article{key, title = a}", ("string", 2, "entry")),
        ('@preamble{"x"} @article{key, title = {T}}', ("preamble", 1, "entry")),
        ("@article{a, title={T}}\n@article{b, title={U}}", ("several_entries", 2, "entry")),
        ("@article{a,\n title={T\u202e}}", ("invisible_character", 2, "entry")),
        ("@article{a,\n title={T\0}}", ("invisible_character", 2, "entry")),
        ("@article{a,\n title={\ud800}}", ("invisible_character", 2, "entry")),
        ("@article{a,\n title={a\u200bb}}", ("invisible_character", 2, "title")),
        ("@article{a, year={2004}}", ("blank", 1, "title")),
        ("@article{a, title={}}", ("blank", 1, "title")),
        ("@article{a, title={T},\n year={20x}}", ("year", 2, "year")),
        ("@article{a, title={T},\n doi={nope}}", ("doi", 2, "doi")),
        ("@article{a, title={T},\n eprint={nope}}", ("arxiv", 2, "eprint")),
        ("@article{a, title={T},\n url={www.example.org}}", ("url", 2, "url")),
        ("@article{a, title={" + "x" * 501 + "}}", ("too_long", 1, "title")),
        ("@article{a, title={" + "{" * 50 + "x" + "}" * 50 + "}}", ("nesting", 1, "title")),
        ("@article{a, title={T}" + "".join(f", f{n}={{x}}" for n in range(100)) + "}", ("too_many_fields", 1, "f99")),
        ("@article{a, title={" + "x" * 64_000 + "}}", ("too_long", 1, "entry")),
    ],
)
def test_what_cannot_be_taken_is_named_by_line_and_field(text, expected):
    assert fault(text) == expected


def test_all_faults_of_fields_are_told_at_once():
    rejections = read_bibtex("@article{a, year={20x},\n doi={nope}}")
    assert isinstance(rejections, list)
    assert [(rejection.column, rejection.line) for rejection in rejections] == [("title", 1), ("year", 1), ("doi", 2)]


@pytest.mark.parametrize(
    ("fields", "cite"),
    [
        ("journal={ArXiv e-prints}", "Doe (arXiv 2005)"),
        ("journaltitle={TOIS}", "Doe (TOIS 2005)"),
        ("series={SIGIR '05}, journal={X}", "Doe (SIGIR 2005)"),
        ("journal={}", "Doe (2005)"),
    ],
)
def test_papers_are_cited_by_their_series_or_journal(fields, cite):
    assert paper(f"@article{{k, title={{T}}, author={{Doe, J}}, year={{2005}}, {fields}}}").cite == cite


def test_long_venues_and_names_are_cut():
    entry = paper(
        f"@article{{k, title={{T}}, author={{{'x' * 201} and Doe, J}}, journal={{{'y' * 201}}}, year={{2005}}}}"
    )
    assert entry.venue == "y" * 199 + "…"
    assert entry.cite == "x" * 199 + "… (2005)"
    short = paper(f"@article{{k, title={{T}}, author={{Doe, J}}, journal={{{'y' * 40}}}}}")
    assert (short.venue, short.cite) == ("y" * 40, f"Doe ({'y' * 40})")
    assert paper(f"@article{{k, title={{T}}, author={{Doe, J}}, journal={{{'y' * 41}}}}}").cite == "Doe"
