"""Files of papers: what bibliographies say of them, all or nothing; what people said stays."""

import csv
import io
from pathlib import Path

import pytest

from registry.core.loading import LoadReport
from registry.journal.models import Entry
from registry.results.models import Paper, Result
from registry.results.pipeline.paper_rows import OPTIONAL_COLUMNS, REQUIRED_COLUMNS
from registry.results.services.merging import merge_papers
from registry.results.services.papers import describe_paper, load_papers_file
from tests.registry.factory import make_paper, make_user
from tests.registry.results.loading import counts, line, load, refusals

COLUMNS = [*REQUIRED_COLUMNS, *OPTIONAL_COLUMNS]
ARXIV = "https://arxiv.org/abs/1904.09171"
DEFAULTS = {"paper_url": ARXIV, "title": "On Luck", "authors": "Jane Doe; Kurt Gödel", "source": "a bibliography"}


def load_papers(folder: Path, *rows: dict[str, str], **options: bool) -> LoadReport:
    """Load a file of these papers; what a row leaves out is that of ``DEFAULTS``."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(dict.fromkeys(COLUMNS, "") | DEFAULTS | row for row in rows)
    path = folder / "papers.csv"
    path.write_text(text.getvalue(), encoding="utf-8")
    return load_papers_file(path=path, **options)


def test_a_paper_has_what_the_file_says_of_it(tmp_path):
    row = {
        "venue": "SIGIR",
        "year": "2019",
        "kind": "inproceedings",
        "booktitle": "Proc. SIGIR 2019",
        "pages": "1--10",
        "doi": "10.1145/3331184.3331340",
        "dblp": "conf/sigir/Doe19",
    }
    assert counts(load_papers(tmp_path, row)) == (1, 0, 0, 0)
    paper = Paper.objects.get(arxiv_id="1904.09171")
    assert (paper.title, paper.people, str(paper)) == (
        "On Luck",
        ["Jane Doe", "Kurt Gödel"],
        "Doe and Gödel (SIGIR 2019)",
    )
    assert (paper.doi, paper.dblp_key, paper.described_from) == (
        "10.1145/3331184.3331340", "conf/sigir/Doe19", "a bibliography"
    )  # fmt: skip
    assert paper.full_citation == "Jane Doe, Kurt Gödel: On Luck. Proc. SIGIR 2019."
    assert Entry.objects.filter(action="results.papers.loaded").get().after["added"] == 1
    assert counts(load_papers(tmp_path, row)) == (0, 1, 0, 0)


def test_a_paper_has_the_year_of_its_results_where_it_is_known_by_a_citation(robust04, tmp_path):
    cited = {"paper": "Doe", "paper_url": "https://arxiv.org/abs/2010.00001", "year": "2021"}
    same = {"paper": "Roe", "paper_url": "https://arxiv.org/abs/2010.00002", "year": "2020"}
    silent = {"paper": "Poe", "paper_url": "https://arxiv.org/abs/2010.00003"}
    alone = {"paper_url": "https://arxiv.org/abs/2010.00004", "year": "2021"}
    other = {"paper": "Coe", "year": "1999"}
    load(tmp_path, *(line(**cells, system=str(cells)) for cells in (cited, same, silent, alone, other)))
    dates = {paper.cite or paper.arxiv_id: (paper.year, paper.month) for paper in Paper.objects.all()}
    assert dates == {
        "Doe": (2021, None),
        "Roe": (2020, 10),
        "Poe": (2020, 10),
        "2010.00004": (2020, 10),
        "Coe": (1999, None),
    }


def test_results_find_the_paper_of_the_file(robust04, tmp_path):
    load_papers(tmp_path, {})
    load(tmp_path, line(paper="Doe (2019)", paper_url="https://arxiv.org/pdf/1904.09171v3"))
    assert Result.objects.get().paper.title == "On Luck"


def test_what_people_said_stays_and_what_a_file_said_gives_way(tmp_path):
    load_papers(tmp_path, {"paper_url": ARXIV, "title": "On Luk"}, {"paper_url": "https://arxiv.org/abs/2001.00001"})
    ours = Paper.objects.get(arxiv_id="1904.09171")
    theirs = Paper.objects.create(
        identity="arxiv:2002.00002", title="Given by its author", url="https://arxiv.org/abs/2002.00002"
    )
    describe_paper(paper=theirs, description={"venue": "SIGIR"}, actor=None)
    report = load_papers(tmp_path, {}, {"paper_url": theirs.url, "venue": "ECIR", "year": "2020"})
    assert counts(report) == (0, 0, 2, 0)
    ours.refresh_from_db(), theirs.refresh_from_db()
    assert ours.title == "On Luck"
    assert (theirs.title, theirs.venue, theirs.authors, theirs.year) == (
        "Given by its author", "SIGIR", "Jane Doe; Kurt Gödel", 2020
    )  # fmt: skip


BROKEN = [
    ({"paper_url": ""}, ("paper", "names no paper; fill in paper, paper_url or both")),
    ({"source": ""}, ("source", "says nowhere where this is known from; fill in source")),
    ({"doi": "3331340"}, ("doi", "'3331340' is not a DOI; write it as 10.1145/2766462.2767812")),
    ({"arxiv": "19/04"}, ("arxiv", "'19/04' is not an arXiv id; write it as 1904.09171")),
    ({"dblp": "Doe19"}, ("dblp", "'Doe19' is no DBLP key; write it as conf/sigir/Doe01")),
    (
        {"kind": "artikle"},
        ("kind", "'artikle' is none of article, inproceedings, misc, software, page; did you mean article?"),
    ),
    ({"year": "19"}, ("year", "'19' is not a year between 1950 and ")),
]


@pytest.mark.parametrize(("row", "fault"), BROKEN, ids=[next(iter(row)) for row, _ in BROKEN])
def test_one_bad_row_keeps_all_out_and_says_what_to_do(tmp_path, row, fault):
    report = load_papers(tmp_path, {"paper_url": "https://arxiv.org/abs/2001.00001"}, row)
    ((number, column, message),) = refusals(report)
    assert (number, column) == (3, fault[0])
    assert message.startswith(fault[1])
    assert not Paper.objects.exists()
    load_papers(tmp_path, {"paper_url": "https://arxiv.org/abs/2001.00001"}, row, keep_good=True)
    assert Paper.objects.count() == 1


def test_a_paper_stands_once_in_a_file_under_whatever_address(tmp_path):
    report = load_papers(tmp_path, {}, {"paper_url": "https://arxiv.org/pdf/1904.09171v2.pdf"})
    assert refusals(report) == [(3, "", "is the paper of line 2; leave one out")]
    other = "https://doi.org/10.1145/3331184.3331340"
    report = load_papers(tmp_path, {"also": other}, {"paper_url": other})
    message = f"{other} is the paper of line 3; take it from one of the two, or join the rows"
    assert refusals(report) == [(2, "also", message)]


def test_other_addresses_of_a_paper_lead_to_what_it_was_merged_into(tmp_path):
    target = make_paper("Doe (2019)", identity="arxiv:1904.09173")
    load_papers(tmp_path, {})
    merge_papers(source=Paper.objects.get(title="On Luck"), target=target, actor=None, reason="one paper")
    others = ("https://doi.org/10.1145/9", "https://arxiv.org/abs/1904.09172", "https://arxiv.org/abs/1904.09174")
    ada = make_user("ada")
    make_paper("Doe (2019), again", identity="arxiv:1904.09172")
    row = {"title": "Of luck", "also": "|".join([*others, ARXIV, "https://arxiv.org/abs/1904.09173"])}
    assert counts(load_papers(tmp_path, row, actor=ada)) == (0, 0, 1, 0)
    assert {paper.merged_into for paper in Paper.objects.exclude(pk=target.pk)} == {target}
    assert Paper.objects.get(pk=target.pk).title == "Of luck"
    assert Paper.objects.get(identity="doi:10.1145/9").doi == "10.1145/9"
    assert Paper.objects.get(identity="arxiv:1904.09174").arxiv_id == "1904.09174"
    entry = Entry.objects.filter(action="results.paper.merged").latest("pk")
    assert (entry.actor, entry.reason) == (ada, "the file that describes it says that these are one paper")
