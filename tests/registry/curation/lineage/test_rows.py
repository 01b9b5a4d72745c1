"""Rows of files about systems and collections: what each says, and why it is refused."""

from datetime import date
from types import SimpleNamespace

import pytest

from analysis.readers.identifiers import paper_facts
from analysis.readers.rejections import Refused
from analysis.readers.tables import Record
from registry.curation.lineage.pipeline import (
    COLLECTION_PAPER_COLUMNS,
    LINEAGE_COLUMNS,
    PAPER_LINK_COLUMNS,
    SYSTEM_FACTS_COLUMNS,
    TRAINING_COLUMNS,
    read_collection_paper,
    read_lineage,
    read_paper_link,
    read_system_facts,
    read_training,
)

URL = "https://example.org/doe.pdf"
PAPERS = {paper_facts("Doe (2020)", URL).identity: 7}
NAMES = SimpleNamespace(
    collection=lambda text: SimpleNamespace(pk={"robust": 4, "news": 5}[text.casefold()], slug=text.casefold())
)


def record(columns: tuple[str, ...], **cells: str) -> Record:
    return Record(2, dict.fromkeys(columns, "") | cells)


def refusal(read, columns: tuple[str, ...], **cells: str) -> tuple[str, str]:
    """Return code and message of what a row is refused for."""
    with pytest.raises(Refused) as refused:
        read(record(columns, **cells))
    return refused.value.code, refused.value.message


def test_a_row_of_lineages_names_a_system_or_what_is_nobodys():
    row = read_lineage(record(LINEAGE_COLUMNS, system=" ColBERT ", team="Lab", key="Model:M", source="its card"))
    assert (row.name_key, row.team_key, row.about) == ("colbert", "lab", (("model:m",),))
    assert row.fields == {"holds": True, "source": "its card"}
    assert list(row.keys) == [("colbert", "lab", ("model:m",))]
    denied = read_lineage(record(LINEAGE_COLUMNS, key=" not team:Platform ", source="it hosts"))
    assert (denied.name_key, denied.about, denied.fields["holds"]) == ("", (("team:platform",),), False)
    of_system = read_lineage(record(LINEAGE_COLUMNS, system="a", key="not team:x", source="s"))
    assert (of_system.name_key, of_system.fields["holds"]) == ("a", False)

    def refused(**cells: str) -> tuple[str, str]:
        return refusal(read_lineage, LINEAGE_COLUMNS, **cells)

    blank = "names no system; only what makes no family stands for all, as “not team:a platform”"
    assert refused(key="team:x", source="s") == ("blank", blank)
    assert refused(system="a", key="x", source="s")[0] == "key"
    nowhere = ("blank", "says nowhere how it is known; fill in source")
    assert refused(system="a", key="team:x") == nowhere
    read_lineage(record(LINEAGE_COLUMNS, system="a", key="team:x", source="s" * 500))
    assert refused(system="a", key="team:x", source="s" * 501)[0] == "too_long"


def training(**cells: str):
    usual = {"system": "T", "team": "X", "declared": "yes", "source": "its card", "collections": "robust"}
    return read_training(NAMES, record(TRAINING_COLUMNS, **usual | cells))


def test_a_row_on_training_is_a_statement_for_each_collection():
    row = training(
        declared="NO", dataset="FiQA", split="train", evidence="Paper", quotation="q", how="h", date="2024-05",
        confidence="high", collections="robust|news",
    )  # fmt: skip
    assert (row.name_key, row.team_key) == ("t", "x")
    assert row.about == ((4, "FiQA", "its card", "h"), (5, "FiQA", "its card", "h"))
    assert row.fields == {
        "declared": "no", "split": "train", "evidence": "paper", "quotation": "q", "date": "2024-05",
        "confidence": "high",
    }  # fmt: skip
    assert list(row.keys) == [("t", "x", about) for about in row.about]
    plain = training()
    assert (plain.fields["evidence"], plain.fields["confidence"], plain.fields["date"]) == ("package", "medium", "")
    assert training(dataset="NQ", collections="").about == ((None, "NQ", "its card", ""),)
    assert training(collections="*|robust").about == ((None, "", "its card", ""), (4, "", "its card", ""))
    assert [training(date=day).fields["date"] for day in ("2024", " 2024-05-17 ")] == ["2024", "2024-05-17"]


@pytest.mark.parametrize(
    ("cells", "code", "message"),
    [
        ({"date": "May 2024"}, "date", "'May 2024' is no year, month or day, as 2024, 2024-05 or 2024-05-17"),
        ({"date": "2024-05-17-1"}, "date", "'2024-05-17-1' is no year"),
        ({"dataset": "NQ", "collections": "*"}, "collections", "is about all data sets and names one"),
        ({"dataset": "NQ", "collections": "robust|*"}, "collections", "is about all data sets and names one"),
        ({"collections": ""}, "blank", "names no data set and no collection; fill in collections, with * for all"),
        ({"evidence": "answer"}, "choice", "'answer' is none of package, config, readme"),
        ({"confidence": "hgh"}, "choice", "'hgh' is none of high, medium, low; did you mean high?"),
        ({"system": " "}, "blank", "names no system"),
        ({"quotation": "q" * 501}, "too_long", "501 characters"),
        ({"dataset": "d" * 201}, "too_long", "201 characters"),
        ({"split": "s" * 41}, "too_long", "41 characters"),
        ({"how": "h" * 501}, "too_long", "501 characters"),
        ({"source": "s" * 501}, "too_long", "501 characters"),
    ],
)
def test_a_row_on_training_is_refused_for_what_is_wrong(cells, code, message):
    with pytest.raises(Refused) as refused:
        training(**cells)
    assert refused.value.code == code
    assert message in refused.value.message
    training(quotation="q" * 500, dataset="d" * 200, split="s" * 40, how="h" * 500, source="s" * 500)


def test_a_row_on_papers_names_one_on_record():
    def read(row: Record):
        return read_paper_link(PAPERS, row)

    cells = {"system": "T", "team": "X", "paper": "Doe (2020)", "paper_url": URL, "relation": "Cited", "source": "card"}
    row = read(record(PAPER_LINK_COLUMNS, **cells, year="2012"))
    assert (row.name_key, row.team_key, row.about) == ("t", "x", ((7,),))
    assert row.fields == {"year": 2012, "relation": "cited", "source": "card"}
    assert read(record(PAPER_LINK_COLUMNS, **cells)).fields["year"] is None
    for wrong, code, message in (
        ({"paper": "Roe (2021)", "paper_url": ""}, "paper", "'Roe (2021)' is no paper on record; load it first"),
        ({"paper": "", "paper_url": ""}, "blank", "names no paper; fill in paper, paper_url or both"),
        ({"relation": "overvue"}, "choice", "did you mean overview?"),
        ({"system": "", "team": ""}, "blank", "names no system"),
        ({"source": "s" * 301}, "too_long", "has 301 characters; the most is 300"),
        ({"year": str(date.today().year + 2)}, "year", ""),
    ):
        refused = refusal(read, PAPER_LINK_COLUMNS, **cells | wrong)
        assert (refused[0] if code != "year" else "year") == code
        assert message in refused[1]
    read(record(PAPER_LINK_COLUMNS, **cells | {"source": "s" * 300}))


def test_a_row_on_papers_of_a_collection_has_its_place():
    def read(**cells: str):
        usual = {"collection": "ROBUST", "role": "overview", "paper": "Doe (2020)", "paper_url": URL, "source": "dblp"}
        return read_collection_paper(NAMES, PAPERS, record(COLLECTION_PAPER_COLUMNS, **usual | cells))

    row = read(place="3")
    assert (row.name_key, row.team_key, row.about) == ("robust", "", ((7,),))
    assert row.fields == {"place": 3, "role": "overview", "source": "dblp"}
    assert read().fields["place"] == read(place="1").fields["place"] == 1
    for wrong in ({"place": "0"}, {"place": "x"}, {"role": "author"}, {"source": "s" * 301}, {"source": " "}):
        with pytest.raises(Refused):
            read(**wrong)
    read(source="s" * 300)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"open_weights": "perhaps"}, "'perhaps' is none of yes, no"),
        ({"training": "declard"}, "'declard' is none of declared, none, unknown; did you mean declared?"),
        ({"n_parameters": "7B"}, "'7B' is not a whole number; write digits only, as 50"),
        ({"n_parameters": "0"}, "0 is not between 1 and 1,000,000,000,000,000"),
        ({"system": "", "team": ""}, "names no system"),
        ({"source": ""}, "says nowhere how it is known; fill in source"),
    ],
)
def test_what_makers_say_of_a_system_is_refused_for_what_is_wrong(cells, message):
    usual = {"system": "E5", "team": "lab", "training": "declared", "source": "its card"}
    assert read_system_facts(record(SYSTEM_FACTS_COLUMNS, **usual)).name_key == "e5"
    assert refusal(read_system_facts, SYSTEM_FACTS_COLUMNS, **usual | cells)[1] == message
