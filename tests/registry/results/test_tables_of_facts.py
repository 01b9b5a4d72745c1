"""Files that say more of papers, models and sources: what is added, changed and left, by whom, and what is refused."""

from pathlib import Path

import pytest

from registry.core.loading import LoadReport
from registry.journal.models import Entry
from registry.results.models import Model, Paper, Source
from registry.results.services.merging import merge_papers
from registry.results.services.models_file import load_models_file
from registry.results.services.papers_file import load_papers_file
from registry.results.services.sources_file import load_sources_file
from tests.registry.factory import make_model, make_paper, make_result, make_user
from tests.registry.results.loading import counts, refusals

pytestmark = pytest.mark.django_db

DOI = "https://doi.org/10.1145/1.{}"
PAPERS = "paper,paper_url,title,authors,source,also"


def write(folder: Path, head: str, *rows: str) -> Path:
    path = folder / "facts.csv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return path


def last_entry(action: str) -> Entry:
    return Entry.objects.filter(action=action).order_by("pk").last()


def test_addresses_of_one_paper_lead_to_it_and_what_editors_decided_stays(tmp_path):
    ada = make_user("ada")
    arxiv, parted = "https://arxiv.org/abs/1904.09171", DOI.format(3)
    other = make_paper(identity="arxiv:1904.09171", url=arxiv, arxiv_id="1904.09171")
    result = make_result(paper=other)
    row = f",{DOI.format(1)},On Luck,Jane Doe,theirs,{arxiv}|{DOI.format(2)} | {DOI.format(1)}"
    report = load_papers_file(path=write(tmp_path, PAPERS, row), label="papers", actor=ada, reason="read")
    assert (report.label, report.path, counts(report)) == ("papers", str(tmp_path / "facts.csv"), (1, 0, 0, 0)), list(
        report.lines()
    )
    entry = last_entry("results.papers.loaded")
    assert (entry.actor, entry.reason, entry.subject_id) == (ada, "read", "papers")
    paper = Paper.objects.get(title="On Luck")
    alias = Paper.objects.get(identity="doi:10.1145/1.2")
    other.refresh_from_db()
    assert (other.merged_into, alias.merged_into, alias.doi) == (paper, paper, "10.1145/1.2")
    merged = last_entry("results.paper.merged")
    assert (merged.actor, merged.reason, merged.subject_id) == (ada, "read", str(other.pk))
    result.refresh_from_db()
    assert result.superseded_by.paper == paper

    # A row about an address that was merged says it of the paper that it leads to.
    path = write(tmp_path, PAPERS, f",{DOI.format(2)},On Skill,Jane Doe,theirs,")
    assert counts(load_papers_file(path=path, dry_run=True)) == (0, 0, 1, 0)
    paper.refresh_from_db()
    assert paper.title == "On Luck"
    assert load_papers_file(path=path).summary().endswith(": 0 added, 0 unchanged, 1 changed, 0 refused")
    assert counts(load_papers_file(path=path)) == (0, 1, 0, 0)
    paper.refresh_from_db()
    assert (paper.title, paper.described_from) == ("On Skill", "theirs")
    third = make_paper(identity="doi:10.1145/1.3", doi="10.1145/1.3", url=parted)
    load_papers_file(path=write(tmp_path, PAPERS, f",{DOI.format(1)},On Skill,Jane Doe,theirs,{parted}"))
    assert last_entry("results.paper.merged").reason == "the file that describes it says that these are one paper"
    third.refresh_from_db()
    assert third.merged_into == paper

    two = [f",{DOI.format(7)},Seven,,theirs,{DOI.format(8)}", f",{DOI.format(8)},Eight,,theirs,"]
    report = load_papers_file(path=write(tmp_path, PAPERS, *two))
    assert refusals(report) == [
        (2, "also", f"{DOI.format(8)} is the paper of line 3; take it from one of the two, or join the rows")
    ]
    assert not Paper.objects.filter(title="Eight").exists()
    assert counts(load_papers_file(path=tmp_path / "facts.csv", keep_good=True)) == (1, 0, 0, 1)
    assert [paper.title for paper in Paper.objects.filter(title__in=["Seven", "Eight"])] == ["Eight"]


MODELS = "slug,name,source,maker,base,paper_url,published,released"


def test_models_have_what_the_file_says_and_the_paper_that_theirs_was_merged_into(tmp_path):
    first = make_paper(identity="doi:10.1145/1.1", doi="10.1145/1.1", url=DOI.format(1))
    target = make_paper("Doe (2001)")
    merge_papers(source=first, target=target, actor=None, reason="one")
    named = make_model("BGE-M3", "bge-m3-by-rule")
    make_model("Left alone", "left-alone")
    slug = "a" * 100
    rows = [
        f"bge-m3,bge-M3,its card,BAAI,XLM-R,{DOI.format(1)},2024-02-05,2024-01",
        f"{slug},Long,its card,,,,2021,",
        f"x_1,Other,its card,,,{DOI.format(9)},,",
    ]
    ada = make_user("ada")
    report = load_models_file(path=write(tmp_path, MODELS, *rows), actor=ada, reason="read")
    assert (counts(report), report.summary().split(": ", 1)[1]) == (
        (2, 0, 1, 0), "2 added, 0 unchanged, 1 changed, 0 refused"
    )  # fmt: skip
    entry = last_entry("results.models.loaded")
    assert (entry.actor, entry.reason, entry.subject_id) == (ada, "read", "facts.csv")
    named.refresh_from_db()
    assert (named.slug, named.name, named.maker, named.base, named.paper, named.published, named.released) == (
        "bge-m3", "bge-M3", "BAAI", "XLM-R", target, "2024-02-05", "2024-01"
    )  # fmt: skip
    assert (Model.objects.get(slug="x_1").paper, Model.objects.count()) == (None, 4)
    assert counts(load_models_file(path=tmp_path / "facts.csv")) == (0, 3, 0, 0)
    refused = [
        f"{slug}a,Longer,x,,,,,", "A,Capital,x,,,,,", "a--b,Two,x,,,,,", ",Blank,x,,,,,", "b,,x,,,,,",
        "c,C,x,,,,2021-1,", "d,D,x,,,,,2021-01-01-01", "bge-m3,Again,x,,,,,", "bge-m3,Again once more,x,,,,,",
        "e,again,x,,,,,",
    ]  # fmt: skip
    report = load_models_file(path=write(tmp_path, MODELS, *refused))
    said = [message.split(",")[0].split(";")[0] for _, _, message in refusals(report)]
    assert [line for line, _, _ in refusals(report)] == [2, 3, 4, 5, 6, 7, 8, 10, 11]
    assert said == [
        *["names no model"] * 5, "published is no day", "released is no day",
        *["names a model that stands in the file already"] * 2,
    ]  # fmt: skip


SOURCES = "source,what,address,state,file_address,licence,terms"


def test_sources_have_what_the_file_says(tmp_path):
    address = "https://example.org/a"
    rows = [f"one,numbers,{address},v1,{address}/{{path}}?at={{state}},MIT,ask first", f"two,more,{address},,,,"]
    ada = make_user("ada")
    assert counts(load_sources_file(path=write(tmp_path, SOURCES, *rows), actor=ada, reason="read")) == (2, 0, 0, 0)
    entry = last_entry("results.sources.loaded")
    assert (entry.actor, entry.reason, entry.after["added"]) == (ada, "read", 2)
    one = Source.objects.get(name="one")
    assert (one.what, one.state, one.licence, one.terms) == ("numbers", "v1", "MIT", "ask first")
    assert one.opened("x y.txt at v 2") == f"{address}/x%20y.txt?at=v%202"
    rows[1] = rows[1].replace("more", "less")
    again = load_sources_file(path=write(tmp_path, SOURCES, rows[1], rows[0]))
    assert again.summary().endswith(": 0 added, 1 unchanged, 1 changed, 0 refused")
    assert Source.objects.get(name="two").what == "less"
    assert counts(load_sources_file(path=write(tmp_path, SOURCES, rows[0]))) == (0, 1, 0, 0)
    bad = [
        f",x,{address},,,,", "three,x,,,,,", f"four,x,{address},,{address}/files,,", f"five,x,{address},,{{path}},,",
        f"six,x,{address},,,,", f"six,y,{address},,,,",
    ]  # fmt: skip
    report: LoadReport = load_sources_file(path=write(tmp_path, SOURCES, *bad))
    assert [line for line, _, _ in refusals(report)] == [2, 3, 4, 5, 7]
    messages = [message for _, _, message in refusals(report)]
    assert messages[0] == messages[1] == "names no source, or not where it is; fill in source and address"
    assert messages[2] == "file_address says nowhere where the path goes; write {path} there"
    assert messages[4] == "names a source that stands in the file already; leave one out"
    assert Source.objects.count() == 2
