"""The three views of training on scores and declarations as they stood on 22 November 2026, frozen beside this file.

Expected are the numbers of the study that decided on them: rows that declare nothing are in the view of all alone, and
the constant of every set is that of all rows.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from analysis.boards import (
    BoardInputs,
    BoardRow,
    Evidence,
    KnownVariance,
    MeasureFacts,
    Question,
    SuiteInputs,
    SuiteMember,
    SuiteRow,
    make_snapshot,
    read_snapshot,
    study,
    study_suite,
    verify_snapshot,
)
from analysis.reliability import variance_cap
from tests.data.shipped import table

FROZEN = Path(__file__).with_name("scores_and_training.csv")
STATES = {"y": "declares", "n": "not_listed", "u": "says_nothing"}
MEASURE = MeasureFacts(name="nDCG@10")
POOLED, ONE_RIGHT = 0.018961, 0.096221
#: Topics and variance; of each view rows, leader, score, members; of those that say nothing rows and best.
BOARDS = {
    "arguana": (1406, ONE_RIGHT, (281, "voyage-3-m-exp", 0.8979, 4), (200, "gemini-embedding-001", 0.8644, 1),
                (36, "voyage-3-m-exp", 0.8979, 2), (45, 0.8634)),
    "dbpedia-entity": (400, POOLED, (217, "NV-Embed-v2", 0.5350, 18), (145, "NV-Embed-v2", 0.5350, 15),
                       (34, "inf-retriever-v1", 0.5039, 7), (38, 0.5242)),
    "fever": (6666, ONE_RIGHT, (214, "voyage-3-m-exp", 0.9628, 7), (88, "jina-embeddings-v3", 0.8905, 5),
              (89, "voyage-3-m-exp", 0.9628, 5), (37, 0.9511)),
    "fiqa": (648, ONE_RIGHT, (259, "Giga-Embeddings-instruct", 0.8206, 2), (172, "ingot-8b-r3", 0.6458, 11),
             (45, "voyage-3-m-exp", 0.7801, 2), (42, 0.8206)),
    "hotpotqa": (7405, ONE_RIGHT, (215, "voyage-3-m-exp", 0.8696, 6), (85, "bge-large-en", 0.7464, 4),
                 (93, "voyage-3-m-exp", 0.8696, 6), (37, 0.7811)),
    "nq": (3452, ONE_RIGHT, (217, "voyage-3-m-exp", 0.8248, 1), (47, "ColBERT-Zero-unsupervised", 0.5879, 4),
           (133, "voyage-3-m-exp", 0.8248, 1), (37, 0.6929)),
    "scidocs": (1000, ONE_RIGHT, (280, "Yuan-embedding-2.0-en", 0.5986, 1), (226, "Yuan-embedding-2.0-en", 0.5986, 1),
                (10, "inf-retriever-v1", 0.3078, 3), (44, 0.3103)),
    "trec-covid": (50, POOLED, (283, "Yuan-embedding-2.0-en", 0.9833, 17), (228, "Yuan-embedding-2.0-en", 0.9833, 15),
                   (12, "KaLM-Embedding-Gemma3-12B-2511", 0.8457, 9), (43, 0.9003)),
}  # fmt: skip
BEIR_13 = (
    "arguana", "climate-fever", "dbpedia-entity", "fever", "fiqa", "hotpotqa", "nfcorpus", "nq", "quora", "scidocs",
    "scifact", "trec-covid", "webis-touche2020",
)  # fmt: skip
ENGLISH_V2 = (
    "beir-arguana", "beir-cqadupstack-gaming", "beir-cqadupstack-unix", "mteb-climate-fever-hn", "mteb-fever-hn",
    "beir-fiqa", "mteb-hotpotqa-hn", "beir-scidocs", "beir-trec-covid", "mteb-touche2020-v3",
)  # fmt: skip
SUITES = {
    "BEIR-13": ([f"beir-{name}" for name in BEIR_13], (209, "voyage-3-m-exp", 0.7048),
                (34, "UAE-Large-V1", 0.5674), (140, "voyage-3-m-exp", 0.7048), (35, 0.6110)),
    "MTEB English v2": (list(ENGLISH_V2), (203, "Yuan-embedding-2.0-en", 0.7069),
                        (78, "jina-embeddings-v4", 0.5615), (88, "Yuan-embedding-2.0-en", 0.7069), (37, 0.6876)),
}  # fmt: skip


def board(name: str, **facts: object) -> BoardInputs:
    """Return a board without scores of exactly 0; the variance as the study took it, cut to what they can have."""
    n_topics, variance = BOARDS[name][:2]
    cells = [(row["system"], row[f"beir-{name}"]) for row in table(FROZEN) if row[f"beir-{name}"]]
    rows = tuple(
        BoardRow(id=number, system=system, printed=cell[:-1], value=float(cell[:-1]), training=STATES[cell[-1]])
        for number, (system, cell) in enumerate(cells)
    )
    cap = variance_cap([row.value for row in rows], n_topics=n_topics, value_range=(0.0, 1.0))
    known = KnownVariance(
        kind="own-variance", value=min(variance, cap), degrees_of_freedom=10.0, sources=("x",), n_systems=len(rows)
    )
    return BoardInputs(
        collection=name, name=name, measure=MEASURE, rows=rows, n_topics=n_topics, variances=(known,), **facts
    )


def short(name: str) -> str:
    return name.rpartition("/")[2]


@pytest.mark.parametrize("name", BOARDS)
def test_leaders_and_sets_of_eight_boards_are_those_of_the_study(name):
    inputs = board(name)
    views = {view.view: view for view in study(inputs).verdict.views}
    systems = {row.id: short(row.system) for row in inputs.rows}
    leaders = [
        (view.set.n_rows, systems[view.best.result], round(view.best.value, 4), view.set.n_members)
        for view in (views[kind] for kind in ("all", "declared-none", "trained-here"))
    ]
    assert leaders == list(BOARDS[name][2:5])
    silent = [row.value for row in inputs.rows if row.view is None]
    assert (len(silent), round(max(silent), 4)) == BOARDS[name][5]


def test_a_view_narrows_no_margin_and_takes_its_own_families():
    views = study(board("fever")).verdict.views
    assert len({view.set.margin for view in views}) == 1
    assert len({view.corrected.luck for view in views}) == 3


def test_the_verdict_is_on_those_that_declare_none_where_a_suite_is_zero_shot_and_on_all_elsewhere():
    inputs = board("trec-covid", is_zero_shot=True)
    findings, elsewhere = study(inputs), study(board("trec-covid"))
    assert (findings.verdict.view, elsewhere.verdict.view) == ("declared-none", "all")
    asked = study(inputs, Question(training="all"))
    assert asked.verdict.best == elsewhere.verdict.best
    assert asked.verdict.set.members == elsewhere.verdict.set.members


@pytest.mark.parametrize("n_declared", [9, 10])
def test_ten_rows_that_declare_something_make_views(n_declared):
    inputs = board("fever", is_zero_shot=True)
    rows = [replace(row, training="says_nothing") for row in inputs.rows]
    rows[:n_declared] = [replace(row, training="declares_none") for row in rows[:n_declared]]
    verdict = study(replace(inputs, rows=tuple(rows))).verdict
    assert verdict.view == "all"
    assert [view.view for view in verdict.views] == (["all", "declared-none"] if n_declared == 10 else [])


def test_what_has_nothing_to_train_competes_with_those_that_declare_none():
    inputs = board("fever", is_zero_shot=True)
    best = max(inputs.rows, key=lambda row: row.value)
    rows = tuple(replace(row, training="nothing_to_train") if row == best else row for row in inputs.rows)
    inputs = replace(inputs, rows=rows)
    assert study(inputs).verdict.best.result == best.id


def test_silence_is_no_record_of_having_not_trained():
    """Whatever a silent row scores, it is in no view but that of all."""
    inputs = board("fever", is_zero_shot=True)
    silent = next(row for row in inputs.rows if row.view is None)
    rows = tuple(replace(row, value=0.999, printed="0.999") if row == silent else row for row in inputs.rows)
    views = {view.view: view for view in study(replace(inputs, rows=rows)).verdict.views}
    assert views["all"].best.result == silent.id
    assert all(silent.id not in views[name].set.members for name in ("declared-none", "trained-here"))


def suite(name: str) -> SuiteInputs:
    members = SUITES[name][0]
    known = Evidence(kind="predicted", residual_variance=0.02, degrees_of_freedom=10.0)
    rows = []
    for number, row in enumerate(table(FROZEN)):
        cells = [row[member] for member in members]
        if any(cells):
            rows.append(
                SuiteRow(
                    id=number,
                    system=row["system"],
                    scores=tuple(float(cell[:-1]) if cell else None for cell in cells),
                    results=(None,) * len(cells),
                    training=tuple(STATES[cell[-1]] if cell else "" for cell in cells),
                )
            )
    return SuiteInputs(
        suite="s",
        name=name,
        measure=MEASURE,
        members=tuple(
            SuiteMember(collection=member, name=member, snapshot="", n_topics=500, evidence=known) for member in members
        ),
        rows=tuple(rows),
        is_zero_shot=True,
    )


@pytest.mark.parametrize("name", SUITES)
def test_two_suites_have_the_leaders_of_the_study_by_each_view(name):
    inputs = suite(name)
    findings = study_suite(inputs)
    verdict = findings.other_collections
    systems = {row.id: short(row.system) for row in inputs.rows}
    leaders = [
        (view.set.n_rows, systems[view.best.result], round(view.best.value, 4))
        for view in (next(view for view in verdict.views if view.view == kind) for kind in
                     ("all", "declared-none", "trained-here"))
    ]  # fmt: skip
    assert leaders == list(SUITES[name][1:4])
    assert verdict.view == "all"
    complete = [row for row in inputs.rows if None not in row.scores]
    assert sum(row.view is None for row in complete) == SUITES[name][4][0]


def test_a_row_of_a_suite_says_on_how_many_members_it_was_trained():
    row = next(row for row in suite("BEIR-13").rows if short(row.system) == "voyage-3-m-exp")
    assert row.n_trained_on == 10


def test_a_snapshot_keeps_the_views_and_makes_them_again():
    snapshot = make_snapshot(board("fever", is_zero_shot=True))
    assert read_snapshot(snapshot.text).findings.verdict.views == snapshot.findings.verdict.views
    assert verify_snapshot(snapshot.text) == []


@pytest.mark.parametrize(("n_none", "n_silent", "view"), [(10, 10, "declared-none"), (10, 11, "all"), (9, 0, "all")])
def test_those_that_declare_none_lead_if_they_are_ten_and_half_of_all(n_none, n_silent, view):
    words = ["declares_none"] * n_none + ["says_nothing"] * n_silent
    rows = tuple(
        BoardRow(id=n, system=f"s{n}", printed="0.5", value=0.3 + 0.01 * n, training=word)
        for n, word in enumerate(words)
    )
    inputs = BoardInputs(collection="c", measure=MeasureFacts(name="AP"), rows=rows, n_topics=50, is_zero_shot=True)
    assert study(inputs).verdict.view == view
