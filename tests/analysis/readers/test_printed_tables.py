"""Tables as papers, pages, spreadsheets and tools print them: each in a file of its own, with what has to be read.

The tables are ours, in the shape of those that are printed; their scores mean nothing. A file holds what is special,
the table, and what is read: a row a system, a column a collection and a measure, blank for no result. ``group`` is the
head that a system stands under, ``note`` how its notes begin. Then come notes in full, what is left out and why, what
has to be asked of the table, the answers under which it is read so, which of several things its names mean, under
which names scores are recorded; which systems may be their author's own, and why; which averages are no mean.
"""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from analysis.readers.names import measure_key
from analysis.readers.pasted.tables import FORMS, PastedTable
from tests.analysis.readers.examples import CatalogFiles, answered

FILES = sorted((Path(__file__).parent / "printed_tables").glob("*.txt"))
#: Columns of the tables of expectations that hold no scores.
_TOLD = ("system", "group", "note", "team", "run_type", "unit")


@dataclass(frozen=True)
class Expected:
    """A table as it is printed, and what it says."""

    text: str
    parts: dict[str, str]

    @property
    def scores(self) -> dict[tuple[str, str, str], str]:
        """Return the scores by system, collection and measure, however this is spelled."""
        return {
            place_of(row["system"], *head.split("|")): value
            for row in self.rows
            for head, value in row.items()
            if head not in _TOLD and value
        }

    @property
    def rows(self) -> list[dict[str, str]]:
        return list(csv.DictReader(self.parts["reads"].splitlines()))

    def lines(self, part: str) -> list[tuple[str, str]]:
        """Return the lines of a part, each in two."""
        pattern = re.compile({"left out": r"(.*): (.*)", "which": r"(.*) => (.*)"}.get(part, r"(.*?): ?(.*)"))
        return [match.groups() for line in self.parts.get(part, "").splitlines() if (match := pattern.fullmatch(line))]


def place_of(system: str, collection: str, measure: str) -> tuple[str, str, str]:
    return system, collection, measure_key(measure)


def expected(path: Path) -> Expected:
    _, *parts = re.split(r"^===== (.*)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    parts_by_name = dict(zip(parts[::2], parts[1::2], strict=True))
    return Expected(parts_by_name["table"], parts_by_name)


def read(path: Path, *, is_answered: bool = True) -> PastedTable:
    """Return the table, with what somebody answered to its questions, where there are any."""
    wanted = expected(path)
    table = answered(wanted.text, CatalogFiles(), dict(wanted.lines("answers")) if is_answered else {})
    assert isinstance(table, PastedTable), table
    return table


def by_name(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", FILES, ids=by_name)
def test_every_score_is_read_for_its_system_collection_and_measure(path):
    table = read(path)
    scores = [
        (place_of(*(row.cells[name] for name in ("system", "collection", "measure"))), row.cells["value"])
        for row in table.rows
    ]
    assert dict(scores) == expected(path).scores
    assert len(scores) == len(dict(scores))
    assert not table.rejections


@pytest.mark.parametrize("path", FILES, ids=by_name)
def test_what_stands_over_and_beside_a_system_is_kept(path):
    wanted = expected(path)
    notes = {
        place_of(*(cells[name] for name in ("system", "collection", "measure"))): cells["notes"]
        for cells in (row.cells for row in read(path).rows)
    }
    for row in wanted.rows:
        starts = [f'under "{row["group"]}"'] if row.get("group") else [row["note"]] if row.get("note") else []
        of_system = [text for (system, *_), text in notes.items() if system == row["system"]]
        assert all(text.startswith(start) for start in starts for text in of_system), of_system
        cells = [other.cells for other in read(path).rows if other.cells["system"] == row["system"]]
        assert all(own[name] == row.get(name, "") for name in ("team", "run_type", "unit") for own in cells)
    for place, text in wanted.lines("notes"):
        system, _, head = place.rpartition(", ")
        assert notes[place_of(system, *head.split("|"))] == text


@pytest.mark.parametrize("path", FILES, ids=by_name)
def test_what_is_left_out_is_told_with_the_reason(path):
    table = read(path)
    columns = {head.position: (head.text, head.left_out) for head in table.heads if head.left_out}
    left_out = {(line.text, line.why) for line in table.asides if line.column not in columns} | set(columns.values())
    assert left_out == set(expected(path).lines("left out"))


@pytest.mark.parametrize("path", FILES, ids=by_name)
def test_what_the_table_does_not_say_is_asked(path):
    table = read(path, is_answered=False)
    asked = {
        question.about: ", ".join(question.suggestions) or " or ".join(value for value, _ in question.choices)
        for question in table.questions
    }
    assert asked == dict(expected(path).lines("asks"))


@pytest.mark.parametrize(
    "path", [path for path in FILES if "===== answers" in path.read_text(encoding="utf-8")], ids=by_name
)
def test_what_depends_on_an_answer_is_not_read_before_it(path):
    assert not read(path, is_answered=False).rows


@pytest.mark.parametrize(
    "path", [path for path in FILES if {"own", "unequal"} & expected(path).parts.keys()], ids=by_name
)
def test_what_may_be_its_authors_own_and_averages_that_are_none_are_told(path):
    table, wanted = read(path), expected(path)
    assert {row.cells["system"]: row.whose for row in table.rows if row.whose} == dict(wanted.lines("own"))
    unequal = {row.system: f"{row.head} {row.printed} {row.mean} {row.n}" for row in table.unequal}
    assert unequal == dict(wanted.lines("unequal"))


#: A table of each shape that people were promised is read.
SHAPES = {
    "html-page", "html-page-of-a-paper", "html-two-scores-in-a-cell", "markdown-several",
    "markdown-two-scores-in-a-cell", "markdown-measures-behind-systems", "markdown-transposed", "markdown-ablations",
    "markdown-marks-around-names", "markdown-short-names-of-bright", "markdown-tries", "latex-rules-set-groups-apart",
    "sheet-of-topics", "tool-pandas-pivot", "tool-pandas-rows", "tool-pandas-response-times",
    "tool-pyterrier-by-topic", "tool-mteb-long-frame", "tool-mteb-wide-frame", "tool-mteb-task",
    "tool-mteb-task-old", "tool-ranx-saved-report", "tool-ranx-report",
    "tool-ir-measures", "tool-ir-measures-dictionary", "tool-trec-eval", "tool-trec-eval-by-topic",
    "tool-trec-eval-without-run", "tool-pyserini-log", "tool-msmarco-evaluation", "tool-beir-log", "tool-beir-tuple",
    "tool-lm-eval", "tool-hugging-face-results", "tool-hugging-face-card", "tool-papers-with-code",
}  # fmt: skip


def test_nothing_of_the_promised_shapes_is_read_wrong_without_a_question():
    n_cells = n_right = 0
    for path in (path for path in FILES if path.stem in SHAPES):
        scores, unasked = expected(path).scores, read(path, is_answered=False)
        scores_read = {
            place_of(*(row.cells[name] for name in ("system", "collection", "measure"))): row.cells["value"]
            for row in unasked.rows
        }
        assert scores_read.items() <= scores.items(), path.stem
        is_asked = any(question.choices for question in unasked.questions)
        n_cells, n_right = n_cells + len(scores), n_right + (len(scores) if is_asked else len(scores_read))
    assert len(SHAPES) == sum(path.stem in SHAPES for path in FILES)
    assert n_right >= 0.97 * n_cells


def test_there_are_tables_of_every_form():
    assert {read(path).form for path in FILES} == FORMS.keys()
    assert len(FILES) >= 50
