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
from registry.results.pipeline.rows import ResultRow, result_reader
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


@pytest.fixture(scope="module")
def names(django_db_setup: None, django_db_blocker) -> CatalogNames:
    """All names that ship, read once."""
    with django_db_blocker.unblock(), transaction.atomic():
        load_catalog(directory=Path(__file__).parents[3] / "data")
        catalog_names = CatalogNames()
        transaction.set_rollback(True)
    return catalog_names


def read(path: Path, names: CatalogNames) -> PastedTable:
    wanted = expected(path)
    table = answered(wanted.text, names, dict(wanted.lines("answers")))
    assert isinstance(table, PastedTable), table
    return table


def settle(table: PastedTable, names: CatalogNames, answers: Mapping[str, str]) -> tuple[list[Record], list[Question]]:
    """Return the rows of a table after these answers, and what is asked about their names."""
    asked = NamesOfTable(names, answers)
    rows = fill_blanks(table.records(), BESIDE)
    commas = [replace(question, answer=POINT) for question in ask_about_commas(rows, {})]
    rows = asked.settle(without_commas(rows, commas))
    return [row for row in rows if isinstance(row, Record)], asked.questions


def settled(path: Path, names: CatalogNames) -> tuple[list[Record], list[tuple[str, str]]]:
    """Answer all as the file says, or else by the first choice; return the rows, and questions with answers."""
    table, wanted = read(path, names), dict(expected(path).lines("which"))
    answers: dict[str, str] = {}
    while True:
        rows, questions = settle(table, names, answers)
        left = [question for question in questions if question.is_open]
        if not left:
            return rows, [(question.text, dict(question.choices)[question.answer]) for question in questions]
        for question in left:
            start = wanted.get(question.text, "")
            answers[question.key] = next(value for value, label in question.choices if label.startswith(start))


@pytest.mark.parametrize("path", FILES, ids=by_name)
def test_every_row_can_be_recorded_once_its_names_are_told(path, names):
    rows, _ = settled(path, names)
    reader = result_reader(names, today=date(2026, 1, 1))
    parsed = [reader(row.cells, 1) for row in rows]
    refused = {fault.code for faults in parsed if not isinstance(faults, ResultRow) for fault in faults}
    # Once it was said that they are collections, those that nobody knows are refused.
    assert refused == ({"unknown_collection"} if path.stem == "csv-unknown-heads" else set())
    keys = [row.key for row in parsed if isinstance(row, ResultRow)]
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
    before = [record.cells for record in fill_blanks(read(path, names).records(), {}) if isinstance(record, Record)]
    rows, _ = settled(path, names)
    recorded = {
        f"{written['collection']}|{written['measure']}": meant(row, names)
        for written, row in zip(before, rows, strict=True)
    }
    assert recorded.items() >= dict(expected(path).lines("recorded")).items()
