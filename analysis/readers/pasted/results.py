"""From the grid of a table to its results: blocks, rows, headings between them, and scores with what stands around."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from analysis.readers.columns import find_names
from analysis.readers.grids import Aside, Cell, Flaw, Grid, GridRow, show_raised, split_score
from analysis.readers.names import Names, is_addition, with_addition
from analysis.readers.numbers import stands_for_nothing
from analysis.readers.pasted.averages import UnequalMean, mean_over_topics, unequal_means
from analysis.readers.pasted.headers import Block, fit_header, is_heading, split_blocks, split_pairs
from analysis.readers.pasted.heads import COLLECTION_AND_MEASURE, Head, conflicts, names_of_heading, read_heads
from analysis.readers.pasted.layouts import Layout
from analysis.readers.pasted.naming import (
    TRIES,
    Fact,
    TableResult,
    facts_of,
    join_additions,
    name_of_system,
    read_brackets,
    take_off_marks,
    tell_apart,
)
from analysis.readers.questions import Question, mentioned
from analysis.readers.rejections import Rejection
from analysis.readers.tables import MAX_RESULTS
from analysis.readers.text import nearest, shorten

_HEADING = "a heading, or a row without scores"
#: Longer than the head of any group of systems.
_MAX_GROUP = 100
#: How many executions a score is the best of, or the mean.
_TRIES = re.compile(
    r"(?i)(?:best|max(?:imum)?|mean|avg\.?|average|median)(?: score)? (?:of|over|across) [0-9]+(?: \w+)?"
    r"|n ?= ?[0-9]+ (?:runs|seeds)"
)
#: Rows that show what the columns of a table hold.
_SAMPLE = 500
#: Columns whose cells name collections or measures.
_NAMING = frozenset({"collection", "measure", COLLECTION_AND_MEASURE})
_ASKED = {
    "system": "Which system is it? No column of the table names it.",
    "collection": "On which collection? The table does not say.",
    "measure": "Under which measure? The table does not say.",
}


@dataclass
class _RowLabels:
    """The part of a row that holds for all its scores: cells, groups and facts of its system, notes, deviations."""

    cells: dict[str, str]
    groups: list[str]
    facts: list[Fact] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    spreads: dict[int, str] = field(default_factory=dict)
    is_bold: bool = False

    def take(self, head: Head, cell: Cell, text: str, named: tuple[str, str], names: Names) -> None:
        """Keep a cell of a column of the import format; ``named`` are the collection and the measure that it names."""
        if head.field == "system":
            self._take_system(head, cell, text)
            return
        collection, measure = named
        if head.field == COLLECTION_AND_MEASURE:
            # What is neither is refused later, under the name that it has.
            self.cells |= {"collection": collection or ("" if measure else text), "measure": measure}
        elif head.field == "collection":
            self.cells[head.field] = text if names.has_collection(text) else collection or text
        elif head.field == "measure":
            self.cells[head.field] = text if names.has_measure(text) else measure or text
        else:
            self.cells[head.field] = text
        if cell.printed and head.field != "notes":
            self.notes.append(f'{head.field} printed as "{show_raised(cell.printed)}"')
        self.notes += _footnotes(cell)

    def _take_system(self, head: Head, cell: Cell, text: str) -> None:
        name = name_of_system(text)
        self.is_bold = self.is_bold or cell.is_bold
        if cell.printed or name != text:
            self.notes.append(f'system printed as "{show_raised(cell.printed or text)}"')
        self.notes += _footnotes(cell)
        earlier = self.cells.get("system", "")
        if earlier and head.part_of_system:
            # Retriever and reranker are one system; a dash says that there is none of them.
            name = (
                earlier
                if stands_for_nothing(name)
                else name
                if stands_for_nothing(earlier)
                else with_addition(earlier, name if is_addition(name) else f"+ {name}")
            )
        self.cells["system"] = name


@dataclass
class TableReader:
    """A grid on its way to results. What could not be read, and what became part of no result, the grid keeps."""

    grid: Grid
    names: Names
    answers: Mapping[str, str]
    heads: list[Head] = field(default_factory=list)
    results: list[TableResult] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    #: What headings between the rows say of all rows below them: names, and the groups that systems stand in.
    section: dict[str, str] = field(default_factory=dict)
    groups: list[Cell] = field(default_factory=list)
    are_groups_used: bool = False
    #: What stands below heads under which there are no scores.
    left_out: dict[Head, list[str]] = field(default_factory=dict)
    #: By column, what stands in a cell that reaches over the blank ones below it.
    carried: dict[int, str] = field(default_factory=dict)
    named: dict[str, tuple[str, str]] = field(default_factory=dict)
    #: How many groups of rows were begun so far, and averages that are not the mean of their columns.
    n_parts: int = 0
    grouped: list[str] = field(default_factory=list)
    unequal: list[UnequalMean] = field(default_factory=list)

    def read(self) -> list[Rejection]:
        """Read the table; return why nothing of it can be read, where that is so."""
        titles = [*self.grid.titles, *self._take_titles()]
        blocks = split_blocks(self.grid, self.names)
        for block in blocks:
            faults = self._read_block(block, titles)
            if faults:
                return faults
            titles = []
        if not self.are_groups_used:
            self.grid.asides += [Aside(cell.line, 1, cell.text, _HEADING) for cell in self.groups]
        line = blocks[0].header[-1].line
        for head, texts in self.left_out.items():
            self.grid.asides.append(Aside(line, head.position, ", ".join(texts), head.left_out))
        self.results, topics = mean_over_topics(self.results)
        self.grid.asides += topics
        read_brackets(self.results, self.names)
        take_off_marks(self.results)
        self.questions += join_additions(self.results, self.answers)
        tell_apart(self.results)
        self._propose_own()
        is_left_open = any(question.is_open for question in self.questions)
        if not self.results and not self.grid.rejections and not is_left_open:
            return [Rejection("empty", "the table has a header and no results", line, "value", fatal=True)]
        self._ask_what_rows_leave_out()
        return []

    def _propose_own(self) -> None:
        """Say which results may be their author's own: bold among others, or in the last of several groups of rows."""
        parts = {result.part for result in self.results}
        last = 0 if len(parts) < 2 or any(head.system for head in self.heads) else max(parts)
        are_all_bold = all(result.is_bold for result in self.results)
        for result in self.results:
            is_bold, is_last = result.is_bold and not are_all_bold, 0 < result.part == last
            result.whose = "bold" if is_bold else "last" if is_last else ""

    def _take_titles(self) -> list[Cell]:
        """Take the lines above the header that hold one text and no more, at their beginning."""
        rows = self.grid.rows
        n_titles = next((n for n, row in enumerate(rows) if not is_heading(row) or row.cells[0].is_blank), 0)
        titles = [row.cells[0] for row in rows[:n_titles]]
        del rows[:n_titles]
        return titles

    def _read_block(self, block: Block, titles: Sequence[Cell]) -> list[Rejection]:
        try:
            block, questions = fit_header(block, self.grid, self.names, self.answers)
        except Flaw as flaw:
            return [flaw.rejection]
        self.questions += questions
        if any(question.is_open for question in questions):
            return []
        block = split_pairs(block, self.names, [self.grid.caption, *(title.text for title in titles)])
        layout = self._lay_out(block, [title.text for title in titles])
        for title in titles:
            # MIRACL over ar and bn is in the names of its columns.
            if not any(head.collection.startswith(f"{title.text} ") for head in layout.heads):
                self._read_heading(title, layout.heads, "above the table")
        line = block.header[-1].line
        if any(question.is_open and question.about != "across" for question in layout.questions):
            self.heads += layout.heads
            return []
        faults = list(self._header_faults(layout, line))
        if faults:
            return faults
        self.heads += layout.heads
        for row in block.body:
            self._read_row(row, layout)
            if len(self.results) > MAX_RESULTS:
                message = f"more than {MAX_RESULTS:,} results; split them"
                return [Rejection("too_many_rows", message, row.line, "column 1", fatal=True)]
        return []

    def _lay_out(self, block: Block, context: Sequence[str]) -> Layout:
        """Return what the columns of the block hold."""
        for row in block.header:
            for place, cell in enumerate(row.cells, 1):
                for note in () if cell.is_covered else cell.footnotes:
                    self.grid.asides.append(Aside(cell.line, place, note, "a footnote of the header"))
        rows = list(islice((row for row in block.body if not is_heading(row)), _SAMPLE))
        columns = [[row.cells[place].text for row in rows if place < len(row.cells)] for place in range(block.width)]
        has_collection = any(find_names(text, self.names)[0] for text in context) or "collection" in self.section
        heads = read_heads(block.levels(), self.names, context)
        layout = Layout(heads, columns, self.names, has_collection=has_collection)
        layout.settle(self.answers)
        # The columns of a table in several blocks are asked about once.
        known = {question.about for question in self.questions}
        self.questions += [question for question in layout.questions if question.about not in known]
        self.section |= layout.defaults
        self.carried = {}
        return layout

    def _header_faults(self, layout: Layout, line: int) -> Iterator[Rejection]:
        heads = layout.heads
        for head, code, message in conflicts(heads):
            yield Rejection(code, message, line, shorten(head.text) or f"column {head.position}", fatal=True)
        if any(head.field == "value" for head in heads):
            return
        unused = [head.text for head in heads if head.is_unknown and head.text]
        near = nearest("value", unused)
        if layout.questions and not near:
            return
        details = f"; not understood: {', '.join(shorten(text, 30) for text in unused[:8])}" if unused else ""
        details += "".join(
            f"; {shorten(head.text, 30)} is {head.left_out}" for head in heads if head.left_out and head.text
        )
        hint = f"; should {shorten(near[0])!r} be value?" if near else details
        message = f"no column holds scores; name one value, or after a measure, as AP or nDCG@10{hint}"
        yield Rejection("missing_column", message, line, "value", fatal=True)

    def _read_row(self, row: GridRow, layout: Layout) -> None:
        width = len(layout.heads)
        if len(row.cells) > width and all(cell.is_covered for cell in row.cells[width:]):
            row = replace(row, cells=row.cells[:width])
        cells = row.cells
        self.n_parts += row.is_below_rule
        if all(cell.is_blank for cell in cells):
            return
        if len(cells) == 1 < width and self.grid.lacks_covered and is_heading(row):
            self._read_heading(cells[0], layout.heads, _HEADING)
            return
        if len(cells) > width or (len(cells) < width and not self.grid.may_end_early):
            hint = "; does a cell with a separator in it lack its quotes?" if len(cells) > width else ""
            message = f"the row has {len(cells)} cells, the header has {width}{hint}"
            place = f"column {min(len(cells), width) + 1}"
            self.grid.rejections.append(Rejection("ragged", message, row.line, place))
            return
        if is_heading(row) and any(head.is_wide for head in layout.heads):
            heading = next(cell for cell in cells if not cell.is_blank)
            self._read_heading(heading, layout.heads, _HEADING)
        elif why := layout.why_row_left_out(row.texts):
            first, *rest = [cell.text.strip() for cell in cells if not cell.is_blank]
            self.grid.asides.append(Aside(row.line, 0, ": ".join(filter(None, [first, ", ".join(rest)])), why))
        else:
            self._read_results(row, layout)

    def _read_heading(self, cell: Cell, heads: Sequence[Head], why: str) -> None:
        """Keep what a heading says of the rows below it: their collection or measure, or the group they stand in."""
        collection, measure, group = names_of_heading(cell.text, self.names)
        is_used = False
        for kind, text in (("collection", collection), ("measure", measure)):
            if text and not any(getattr(head, kind) or head.field == kind for head in heads):
                self.section[kind] = text
                is_used = True
        if self.are_groups_used:
            self.groups, self.are_groups_used = [], False
        if is_used and not group:
            return
        if why != _HEADING or len(cell.text) > _MAX_GROUP:
            self.grid.asides.append(Aside(cell.line, 1, cell.text, why))
            return
        self.groups.append(replace(cell, text=group or cell.text))

    def _read_results(self, row: GridRow, layout: Layout) -> None:
        labels = self._read_labels(row, layout)
        self.n_parts += labels.groups != self.grouped
        self.grouped, n_before = labels.groups, len(self.results)
        for head, cell in zip(layout.heads, row.cells, strict=False):
            if head.field == "value":
                self._take_score(row, head, cell, labels)
        if len(self.heads) == len(layout.heads):
            # The average of a table in several blocks is over all of them.
            self.unequal += unequal_means(row.line, layout.heads, row.texts, self.results[n_before:])
        self.are_groups_used = self.are_groups_used or len(self.results) > n_before
        if len(self.results) == n_before:
            for head, cell in zip(layout.heads, row.cells, strict=False):
                if (head.field not in {"", "value"} or head.is_fact or head.is_group) and not cell.is_blank:
                    self.grid.asides.append(Aside(cell.line, head.position, cell.text, "a row without scores"))

    def _read_labels(self, row: GridRow, layout: Layout) -> _RowLabels:
        """Return what a row says of all its scores; what it says that nobody understands is put aside."""
        labels = _RowLabels(dict(self.section), [cell.text for cell in self.groups])
        for head, cell in zip(layout.heads, row.cells, strict=False):
            is_carried = head.position in layout.carrying
            text = cell.text.strip() or (self.carried.get(head.position, "") if is_carried else "")
            if head.field == "value" or not (text or head.field):
                continue
            if head.field:
                labels.take(head, cell, text, self._named(text) if head.field in _NAMING else ("", ""), self.names)
            elif head.spread_of:
                labels.spreads[head.spread_of] = f"{head.text.split(' / ')[-1]} {text}"
            elif head.is_group:
                labels.groups.append(text)
            elif head.is_fact and not stands_for_nothing(text):
                labels.facts.append((head.text, text))
            elif head.left_out:
                self.left_out.setdefault(head, []).append(text)
            else:
                why = "a place in the order" if head.is_rank else "its column is not understood"
                self.grid.asides.append(Aside(cell.line, head.position, text, "says nothing" if head.is_fact else why))
            if is_carried:
                self.carried[head.position] = text
        return labels

    def _named(self, text: str) -> tuple[str, str]:
        """Return the collection and the measure that a cell names; rows repeat each other."""
        if text not in self.named:
            self.named[text] = find_names(text, self.names)
        return self.named[text]

    def _take_score(self, row: GridRow, head: Head, cell: Cell, labels: _RowLabels) -> None:
        if head.is_wide and stands_for_nothing(cell.text):
            if not cell.is_blank:
                self.grid.asides.append(Aside(cell.line, head.position, cell.text, "stands for no score"))
            return
        value, printed = split_score(cell.printed or cell.text, may_have_letters=self.grid.form == "aligned text")
        named = {"collection": head.collection, "measure": head.measure, "system": head.system}
        cells = labels.cells | {name: text for name, text in named.items() if text} | {"value": value}
        if head.unit and not cells.get("unit"):
            cells["unit"] = head.unit
        notes = [*labels.notes, *_footnotes(cell), labels.spreads.get(head.position, "")]
        notes.append(f'printed as "{show_raised(printed)}"' if printed else "")
        groups = list(dict.fromkeys(filter(None, [*labels.groups, head.group])))
        tries = [group for group in groups if _TRIES.fullmatch(group)]
        group = " / ".join(group for group in groups if group not in tries)
        facts = facts_of([("", group), (TRIES, ", ".join(tries)), *labels.facts])
        notes = [note for note in notes if note]
        topics, is_bold = self.grid.topics.get(row.line, {}), labels.is_bold or cell.is_bold
        self.results.append(TableResult(row.line, head.position, cells, facts, notes, topics, is_bold, self.n_parts))

    def _ask_what_rows_leave_out(self) -> None:
        """Ask for what a row needs and the table does not say; names that stand beside the table are suggested."""
        texts = [self.grid.caption, *(aside.text for aside in self.grid.asides if aside.why == "above the table")]
        for kind, wording in _ASKED.items():
            if all(result.cells.get(kind) for result in self.results):
                continue
            named = [getattr(head, kind) for head in self.heads if getattr(head, kind)]
            suggestions = mentioned([*texts, *named], self.names, kind) if kind != "system" else ()
            self.questions.append(Question(kind, wording, suggestions))


def _footnotes(cell: Cell) -> list[str]:
    return [f'footnote "{note}"' for note in cell.footnotes]
