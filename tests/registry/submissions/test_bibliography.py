"""A whole BibTeX file: good entries are recorded, broken ones are named by line and field."""

import sys

import pytest
from django.core.management import CommandError, call_command

from registry.journal.models import Entry
from registry.results.models import Paper
from registry.results.services.papers import load_papers_file
from registry.submissions.services.bibliography import load_bibtex
from tests.registry.factory import make_paper


def entry(number: int, **fields: str) -> str:
    whole = {"title": f"Paper {number}", "author": "Doe, Jane", "year": "2020", "doi": f"10.1145/{number}"} | fields
    return "\n".join([f"@article{{key{number},", *(f"  {name} = {{{text}}}," for name, text in whole.items()), "}"])


BROKEN = {
    "cut off": "@article{cut,\n  title = {Never closed,\n  year = {2020},\n}",
    "no brace behind it": "@article{open,\n  title = {Open},\n  author = {Doe, Jane}",
    "two commas' worth": "@article{comma,\n  title = {One} author = {Doe, Jane}\n}",
    "an abbreviation": "@article{abbr,\n  title = {One},\n  journal = tois,\n  doi = {10.1145/abbr}\n}",
    "@string": "@string{tois = {ACM TOIS}}",
    "no title": "@article{none,\n  author = {Doe, Jane},\n  doi = {10.1145/none}\n}",
    "no year": "@article{year,\n  title = {One},\n  author = {Doe, Jane},\n  year = {soon},\n  doi = {10.1145/year}\n}",
    "a sign that is not seen": "@article{ctrl,\n  title = {One \x07},\n  doi = {10.1145/ctrl}\n}",
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_broken_entry_costs_no_other_and_is_named_by_its_line(broken):
    text = f"{entry(1)}\n\n{broken}\n\n{entry(2)}\n"
    report = load_bibtex(text=text, label="test.bib")
    assert set(Paper.objects.values_list("doi", flat=True)) == {"10.1145/1", "10.1145/2"}
    assert (report.added, report.refused) == (2, 1)
    lines = range(entry(1).count("\n") + 3, entry(1).count("\n") + 4 + broken.count("\n"))
    assert {fault.line for fault in report.rejections} <= set(lines)


def test_a_paper_is_known_by_the_identifiers_that_a_file_says_are_its_own_too(tmp_path):
    path = tmp_path / "papers.csv"
    others = "https://aclanthology.org/P19-1001|https://dblp.org/rec/conf/acl/Doe19"
    path.write_text(f"paper,paper_url,source,also\n,https://doi.org/10.1145/1,dblp,{others}\n")
    assert not load_papers_file(path=path).refused
    known = Paper.objects.get(merged_into=None)
    for field in ({"url": "https://aclanthology.org/P19-1001"}, {"biburl": "https://dblp.org/rec/conf/acl/Doe19"}):
        report = load_bibtex(text=entry(2, **field), label="test.bib")
        assert (report.added, report.rejections) == (0, [])
    assert Paper.objects.get(merged_into=None) == known


def test_faults_name_line_and_field(capsys, tmp_path):
    path = tmp_path / "papers.bib"
    path.write_text(f"{entry(1)}\n{BROKEN['no year']}\n{entry(2, author='李, 明 and Müller, Ä')}", encoding="utf-8")
    with pytest.raises(SystemExit):
        call_command("load_papers", str(path), stdout=sys.stdout, stderr=sys.stderr)
    output = capsys.readouterr()
    assert f"{path}:10: year: 'soon' is not a year; write it as 2004, or leave it out" in output.err
    assert f"{path}: 2 added, 0 unchanged, 0 changed, 1 refused" in output.out
    assert Paper.objects.get(doi="10.1145/2").people == ["明 李", "Ä Müller"]


def test_a_paper_on_record_is_told_by_any_of_its_identifiers_and_what_people_said_stays():
    known = make_paper(
        "Doe (2020)", identity="arxiv:2004.00001", arxiv_id="2004.00001", title="As people wrote it", authors="Jane Doe"
    )
    text = entry(1, eprint="2004.00001", archiveprefix="arXiv")
    report = load_bibtex(text=text, label="test.bib")
    assert (report.added, report.superseded) == (0, 1)
    paper = Paper.objects.get()
    assert (paper.pk, paper.title, paper.doi) == (known.pk, "As people wrote it", "10.1145/1")


def test_without_identifiers_two_papers_of_one_citation_are_not_taken_for_one():
    make_paper("Doe (2020)", title="Quite another one")
    report = load_bibtex(text=entry(1, doi=""), label="test.bib")
    assert "has another title; add an identifier or address" in str(report.rejections[0])
    assert Paper.objects.get().title == "Quite another one"


def test_what_stands_in_proceedings_takes_from_them_what_it_lacks():
    volume = "@proceedings{sigir20,\n  title = {Proceedings of SIGIR 2020},\n  year = {2020},\n}"
    load_bibtex(text=f"{entry(1, crossref='SIGIR20', year='2020')}\n{volume}", label="test.bib")
    paper = Paper.objects.get()
    assert paper.venue == "Proceedings of SIGIR 2020"
    assert paper.bibtex == f"{entry(1, crossref='SIGIR20', year='2020')}\n\n{volume}"


def test_the_command_says_what_it_cannot_read_and_tries_without_changing_anything(capsys, tmp_path):
    path = tmp_path / "papers.bib"
    with pytest.raises(CommandError, match="No such file or directory"):
        call_command("load_papers", str(path))
    path.write_bytes(b"\xff")
    with pytest.raises(CommandError, match="not UTF-8"):
        call_command("load_papers", str(path))
    path.write_text(entry(1), encoding="utf-8")
    call_command("load_papers", str(path), dry_run=True, stdout=sys.stdout)
    assert "1 added" in capsys.readouterr().out
    assert not Paper.objects.exists()
    call_command("load_papers", str(path), reason="for the survey", stdout=sys.stdout)
    loaded = Entry.objects.get(action="results.papers.loaded")
    assert (loaded.subject_id, loaded.reason) == ("papers.bib", "for the survey")
    assert Paper.objects.get().described_from == "papers.bib"


def test_a_paper_that_was_merged_is_told_under_its_identity_of_today():
    today = make_paper("Doe (2020)", identity="doi:10.1145/9", doi="10.1145/9")
    make_paper("a", identity="doi:10.1145/1", doi="10.1145/1", merged_into=today)
    make_paper("b", identity="arxiv:2004.00001", arxiv_id="2004.00001", merged_into=today)
    report = load_bibtex(text=entry(1, eprint="2004.00001", archiveprefix="arXiv", title="The title"), label="test.bib")
    assert not report.rejections
    today.refresh_from_db()
    assert today.title == "The title"
    assert Paper.objects.count() == 3
