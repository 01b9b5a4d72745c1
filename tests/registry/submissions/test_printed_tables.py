"""Printed tables on their way to the record: what their names mean is asked, and then every row can be recorded."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from django.db import transaction

from analysis.readers.pasted.tables import PastedTable
from analysis.readers.questions import POINT, Question, ask_about_commas, without_commas
from analysis.readers.tables import Record, fill_blanks
from registry.catalog.queries import CatalogNames
from registry.catalog.services import load_catalog
from registry.results.pipeline.rows import ResultRow, parse_result
from registry.submissions.pipeline.which import NamesOfTable
from tests.analysis.readers.examples import answered
from tests.analysis.readers.test_printed_tables import FILES, by_name, expected

#: What somebody would fill in beside the tables: what they do not say themselves.
BESIDE = {
    "collection": "trec-2004-robust",
    "measure": "nDCG@10",
    "system": "MyModel",
    "role": "baseline",
    "paper": "Doe (SIGIR 2021)",
    "unit": "percent",
}
#: Collections that nobody knows: refused with the reason, once it was said that they are collections.
UNKNOWN = {"csv-unknown-heads"}


@pytest.fixture(scope="module")
def names(django_db_setup: None, django_db_blocker) -> CatalogNames:
    """All names that ship, read once."""
    with django_db_blocker.unblock(), transaction.atomic():
        load_catalog(directory=Path(__file__).parents[3] / "data")
        found = CatalogNames()
        transaction.set_rollback(True)
    return found


def read(path: Path, names: CatalogNames) -> PastedTable:
    wanted = expected(path)
    table = answered(wanted.text, names, dict(wanted.lines("answers")))
    assert isinstance(table, PastedTable), table
    return table


def settle(table: PastedTable, names: CatalogNames, answers: Mapping[str, str]) -> tuple[list[Record], list[Question]]:
    """The rows of a table after these answers, and what is asked about their names."""
    asked = NamesOfTable(names, answers)
    rows = fill_blanks(table.records(), BESIDE)
    commas = [replace(question, answer=POINT) for question in ask_about_commas(rows, {})]
    rows = asked.settle(without_commas(rows, commas))
    return [one for one in rows if isinstance(one, Record)], asked.questions


def settled(path: Path, names: CatalogNames) -> tuple[list[Record], list[tuple[str, str]]]:
    """The rows once all is answered, as the file says or else by the first choice; and questions with answers."""
    table, wanted = read(path, names), dict(expected(path).lines("which"))
    answers: dict[str, str] = {}
    while True:
        rows, questions = settle(table, names, answers)
        left = [one for one in questions if one.is_open]
        if not left:
            return rows, [(one.text, dict(one.choices)[one.answer]) for one in questions]
        for question in left:
            start = wanted.get(question.text, "")
            answers[question.key] = next(value for value, label in question.choices if label.startswith(start))


@pytest.mark.parametrize("path", FILES, ids=by_name)
def test_every_row_can_be_recorded_once_its_names_are_told(path, names):
    rows, _ = settled(path, names)
    found = [parse_result(row.cells, names, today=date(2026, 1, 1)) for row in rows]
    refused = {one.code for faults in found if not isinstance(faults, ResultRow) for one in faults}
    assert refused == ({"unknown_collection"} if path.stem in UNKNOWN else set())
    keys = [row.key for row in found if isinstance(row, ResultRow)]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("path", [path for path in FILES if expected(path).lines("which")], ids=by_name)
def test_a_name_that_may_be_several_is_asked_about_once(path, names):
    _, asked = settled(path, names)
    wanted = expected(path)
    assert [text for text, _ in asked] == [text for text, _ in wanted.lines("which")]
    assert all(answer.startswith(start) for (_, answer), (_, start) in zip(asked, wanted.lines("which"), strict=True))


def meant(row: Record, names: CatalogNames) -> str:
    collection = names.collection(row.cells["collection"], under=row.cells["measure"])
    return f"{collection.slug} {names.measure(row.cells['measure'], on=collection).name}"


@pytest.mark.parametrize("path", [path for path in FILES if expected(path).lines("recorded")], ids=by_name)
def test_the_answer_holds_for_all_rows_of_the_name(path, names):
    before = [one.cells for one in fill_blanks(read(path, names).records(), {}) if isinstance(one, Record)]
    rows, _ = settled(path, names)
    found = {
        f"{written['collection']}|{written['measure']}": meant(row, names)
        for written, row in zip(before, rows, strict=True)
    }
    assert found.items() >= dict(expected(path).lines("recorded")).items()


def asked_of(text: str, names: CatalogNames, *said: tuple[str, str]) -> tuple[list[Record], list[Question]]:
    """The rows of a table and its questions, after answers to those whose text starts so."""
    table = answered(text, names, {})
    assert isinstance(table, PastedTable)
    given: dict[str, str] = {}
    for start, answer in said:
        _, questions = settle(table, names, given)
        given |= {one.key: answer for one in questions if one.text.startswith(start)}
    return settle(table, names, given)


DL = "Run\tDL19 nDCG@10\tDL20 nDCG@10\nr1\t0.5\t0.4\n"


def test_names_that_one_question_tells_are_asked_about_together(names):
    rows, (question,) = asked_of(DL, names)
    assert question.text == "DL19 and DL20: Passage or document ranking?"
    assert question.is_open
    assert [row.cells["collection"] for row in rows] == ["DL19", "DL20"]
    rows, (question,) = asked_of(DL, names, ("DL19 and DL20", "1"))
    assert [row.cells["collection"] for row in rows] == ["trec-dl-2019-doc", "trec-dl-2020-doc"]
    assert not question.is_open
