"""A pasted table beside the record, score by score: the document, its drawings and its Markdown."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from analysis.boards import planned_pairs
from analysis.figures import Axis, Panel, Rule, Series, Style
from analysis.readers.numbers import mark_of, test_named
from analysis.readers.rejections import Rejection
from analysis.readers.tables import BLANKS, Record
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.core.charts import Scene, draw_scene
from registry.core.charts.scenes import CLAIM
from registry.core.messages import say
from registry.leaderboards.exports.files import markdown
from registry.leaderboards.stored import read_stored
from registry.results.models import Result
from registry.results.pipeline.rows import ResultRow, result_reader
from registry.submissions.table_forms import PastedForm
from registry.tools.review_table.judging import (
    Judge,
    answer_marks,
    best_of,
    claim_in,
    models_on,
    rivals_of,
    what_to_ask,
)
from registry.tools.review_table.shapes import Cell, Claim, ClaimInColumn, Column, ReviewDocument, claim_of, guess_own


def review_document(form: PastedForm, baselines: frozenset[str] | None, own: frozenset[str] | None) -> ReviewDocument:
    """Return the scores of a valid form beside the record.

    ``baselines`` and ``own`` are the systems ticked as such; None leaves it to the table. Only ``own`` rows claim
    anything.
    """
    #: By collection and measure.
    matched: dict[tuple[int, int], list[ResultRow]] = {}
    rejections: list[Rejection] = []
    read = result_reader(form.names, today=date.today())
    for record in form.records():
        parsed = [record] if isinstance(record, Rejection) else read(_cells(record), record.line)
        if isinstance(parsed, list):
            rejections += parsed
            continue
        matched.setdefault((parsed.collection_id, parsed.measure_id), []).append(parsed)
    rows = [row for column_rows in matched.values() for row in column_rows]
    if baselines is None:
        baselines = frozenset(row.system for row in rows if row.role == Result.Role.BASELINE)
    if own is None:
        own = guess_own([row.system for row in rows])
    collections = Collection.objects.in_bulk({collection for collection, _ in matched})
    measures = Measure.objects.in_bulk({measure for _, measure in matched})
    known_boards = Leaderboard.objects.with_names().filter(collection__in=collections, measure__in=measures)
    boards = {(board.collection_id, board.measure_id): board for board in known_boards}
    stored = read_stored(boards[place].pk for place in matched if place in boards)
    of_models = models_on([board.pk for board in boards.values()])
    judges = {
        place: Judge(boards[place], stored[boards[place].pk], column_rows, baselines, own, of_models)
        for place, column_rows in matched.items()
        if place in boards and boards[place].pk in stored
    }
    n_together = _judge_together(list(judges.values()))
    columns = [
        _column(judges[place])
        if place in judges
        else _unrecorded(
            column_rows, Leaderboard(collection=collections[place[0]], measure=measures[place[1]]), baselines, own
        )
        for place, column_rows in matched.items()
    ]
    systems = tuple(dict.fromkeys(row.system for row in rows))
    shown_baselines = tuple(system for system in systems if system in baselines)
    claims = list(_claims(systems, columns, n_baselines=len(shown_baselines)))
    zero_shot = [column.name for column in columns if column.is_zero_shot]
    return ReviewDocument(
        systems=systems, baselines=shown_baselines, own=tuple(system for system in systems if system in own),
        claims=tuple(claims), marks=answer_marks(claims, test_named(str(form.data["text"]))),
        asks=tuple(what_to_ask(systems, columns, claims, zero_shot, form.reading.unequal if form.reading else ())),
        columns=tuple(columns), rejections=tuple(rejections),
        n_comparisons=sum(column.n_comparisons for column in columns),
        n_beyond=sum(column.n_beyond for column in columns), n_unknown=sum(column.n_unknown for column in columns),
        n_together=n_together,
    )  # fmt: skip


def _claims(systems: Iterable[str], columns: Sequence[Column], *, n_baselines: int) -> Iterator[Claim]:
    for system in systems:
        claims = [claim for column in columns for cell, claim in column.claimed if cell == system]
        if claims:
            yield claim_of(system, claims, n_baselines=n_baselines)


def _cells(record: Record) -> dict[str, str]:
    cells = BLANKS | dict(record.cells)
    return cells | {"source": "a pasted table", "role": cells["role"] or Result.Role.PROPOSED.value}


def _unrecorded(
    rows: Sequence[ResultRow], board: Leaderboard, baselines: frozenset[str], own: frozenset[str]
) -> Column:
    """Return the column of a leaderboard without any record."""
    rivals = rivals_of(rows, own, baselines, 1.0 if board.measure.higher_is_better else -1.0)
    return Column(
        name=f"{board.collection.name}, {board.measure.name}",
        url="",
        decimals=board.measure.decimals,
        cells=tuple(
            Cell(
                system=row.system,
                score=row.score,
                is_baseline=row.system in baselines,
                is_own=row.system in own,
                kinds=("unknown",),
                words=(say("review-unknown"),),
                mark=mark_of(row.notes),
            )
            for row in rows
        ),
        n_comparisons=0,
        n_beyond=0,
        n_unknown=0,
        claimed=tuple(
            (row.system, claim_in(row, rivals[0], board, None)) for row in rows if row.system in own and rivals
        ),
        best="",
    )


def _column(judge: Judge) -> Column:
    board, best = judge.board, best_of(judge.stored)
    return Column(
        name=f"{board.collection.name}, {board.measure.name}",
        url=board.get_absolute_url(),
        decimals=board.measure.decimals,
        cells=tuple(judge.cell(row) for row in judge.rows),
        n_comparisons=len(judge.compared),
        n_beyond=sum(comparison.is_told_apart for comparison in judge.judged.values()),
        n_unknown=0 if judge.stored.pair_error else len(judge.compared),
        claimed=tuple(judge.claims()),
        best=f"{judge.number(best.value)} ({best.system}{f', {best.year}' if best.year else ''})",
        is_zero_shot=judge.stored.findings.verdict.view == "declared-none",
    )


def _judge_together(judges: Sequence[Judge]) -> int:
    """Judge the comparisons of all columns as one family; return how many it counts."""
    known = [(judge, pair, error) for judge in judges if (error := judge.stored.pair_error) for pair in judge.compared]
    n_together = sum(judge.n_pairs for judge in judges if judge.stored.pair_error)
    gains, errors = [judge.compared[pair] for judge, pair, _ in known], [error for _, _, error in known]
    comparisons = planned_pairs(gains, errors, n_together or None)
    for (judge, pair, _), comparison in zip(known, comparisons, strict=True):
        judge.judged[pair] = comparison
    return n_together


_LOOKS: dict[str, tuple[Style, bool]] = {"beats": ("measured", True), "trails": ("other", False)}


#: A gain with its drawing.
Bar = tuple[ClaimInColumn, Scene]


def draw_claims(claims: Sequence[Claim]) -> list[tuple[Claim, list[Bar]]]:
    """Return each claim with its bars."""
    return [(claim, bars_of(claim.columns)) for claim in claims]


def bars_of(columns: Sequence[ClaimInColumn]) -> list[Bar]:
    """Return gains with their drawings, on one axis."""
    gained = max(max(column.gain, column.margin or 0.0) for column in columns)
    axis = Axis(label="", low=min(0.0, *(column.gain for column in columns)), high=gained)
    return [(column, _scene(column, axis)) for column in columns]


def _scene(claim: ClaimInColumn, axis: Axis) -> Scene:
    style, is_highlighted = _LOOKS.get(claim.says, ("muted", False))
    dot = Series(name="", mark="swarm", x=(claim.gain,), y=(None,), style=style, is_highlighted=is_highlighted)
    rules = (
        Rule(name="", at=0.0, to=claim.margin or 0.0, axis="x", is_dashed=False),
        Rule(name="", at=0.0, axis="x", style="ink"),
    )
    return draw_scene(Panel(data="", series=(dot,), rules=rules), axis, None, CLAIM)


def review_markdown(document: ReviewDocument) -> str:
    """Return the table in Markdown, with the words on every score and the number of comparisons."""
    heads = ["System", *(column.name for column in document.columns)]
    lines = [
        "# A table against the record",
        "",
        document.summary,
        "",
        f"| {' | '.join(map(markdown, heads))} |",
        f"| {' | '.join([':---', *('---:' for _ in document.columns)])} |",
    ]
    for system, cells in document.rows:
        name = markdown(system) + (" (baseline)" if system in document.baselines else "")
        lines.append(f"| {' | '.join([name, *map(_short, cells)])} |")
    for column in document.columns:
        lines += ["", *_in_words(column)]
    if document.rejections:
        lines += ["", "## Not matched", ""]
        lines += [f"- line {rejection.line}: {markdown(rejection.message)}" for rejection in document.rejections]
    return "\n".join([*lines, ""])


def _short(cells: list[Cell]) -> str:
    return "; ".join(
        markdown(" ".join([cell.score.digits, *(f"({label})" for _, label in cell.labels)])) for cell in cells
    )


def _in_words(column: Column) -> list[str]:
    lines = [f"## {markdown(column.name)}", ""]
    if column.best:
        lines += [markdown(f"Best on record: {column.best}."), ""]
    scores = (f"{cell.system}, {cell.score.digits}: {'; '.join(cell.words)}." for cell in column.cells)
    return [*lines, *(f"- {markdown(score)}" for score in scores)]
