"""BibTeX files of many papers: a broken entry costs no other, and lines are those of the file."""

from analysis.readers.bibliography.bibtex_file import read_bibtex_file

FILE = """\ufeffA comment before.
@article{a, title={First},
 author={Doe, J}, year={2001}}

@article{b, title={Second},
 year={20x}}
@inproceedings{c, title={Third}, author={Roe, R}, crossref={P}}
@string{x = {y}}
  @proceedings{p, title={Proc. of {SIGIR} 2005}, year={2005}} @misc{d, title={Fourth}}
@article{e, title={Cut off
"""


def test_every_entry_is_read_with_its_line_or_told_why_not():
    found = list(read_bibtex_file(FILE))
    assert [(one.line, one.paper.title if one.paper else "") for one in found] == [
        (2, "First"), (5, ""), (7, "Third"), (8, ""), (9, "Fourth"), (10, ""),
    ]  # fmt: skip
    assert [(one.code, one.line, one.column, one.fatal) for entry in found for one in entry.rejections] == [
        ("year", 6, "year", False), ("string", 8, "entry", False), ("cut_off", 10, "title", False),
    ]  # fmt: skip
    assert found[0].text == "@article{a, title={First},\n author={Doe, J}, year={2001}}"
    assert found[0].paper.bibtex == found[0].text
    assert found[3].text == "@string{x = {y}}"


def test_a_paper_takes_from_its_proceedings_wherever_they_stand():
    third = next(one for one in read_bibtex_file(FILE) if one.paper and one.paper.title == "Third")
    assert (third.paper.venue, third.paper.year, third.paper.cite) == ("Proc. of SIGIR 2005", 2005, "Roe (SIGIR 2005)")
    assert third.text == "@inproceedings{c, title={Third}, author={Roe, R}, crossref={P}}"
    proceedings = "@proceedings{p, title={Proc. of {SIGIR} 2005}, year={2005}}"
    assert third.paper.bibtex == f"{third.text}\n\n{proceedings}"


def test_a_file_without_entries_has_none():
    assert list(read_bibtex_file("nothing here")) == []
