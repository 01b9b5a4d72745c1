"""The three views of training on scores and declarations as they stood on 22 November 2026, frozen beside this file.

Expected are the numbers of the study that decided on them: rows that declare nothing are in the view of all alone, and
the constant of every set is that of all rows.
"""

import csv
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from analysis.boards import (
    BoardInputs,
    BoardRow,
    Caution,
    Evidence,
    KnownVariance,
    MeasureFacts,
    Question,
    SuiteInputs,
    SuiteMember,
    SuiteRow,
    headline,
    make_snapshot,
    read_snapshot,
    study,
    study_suite,
    verify_snapshot,
)
from analysis.boards._findings import WithoutFlagged
from analysis.reliability import variance_cap

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


@cache
def frozen() -> tuple[dict[str, str], ...]:
    with FROZEN.open(encoding="utf-8", newline="") as stream:
        return tuple(csv.DictReader(stream))


def board(name: str, **facts: object) -> BoardInputs:
    """Scores of exactly 0 left out; the variance as the study took it, cut to what such scores can have."""
    n_topics, variance = BOARDS[name][:2]
    cells = [(row["system"], row[f"beir-{name}"]) for row in frozen() if row[f"beir-{name}"]]
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
    found = [
        (view.set.n_rows, systems[view.best.result], round(view.best.value, 4), view.set.n_members)
        for view in (views[one] for one in ("all", "declared-none", "trained-here"))
    ]
    assert found == list(BOARDS[name][2:5])
    silent = [row.value for row in inputs.rows if row.view is None]
    assert (len(silent), round(max(silent), 4)) == BOARDS[name][5]


def test_a_view_narrows_no_margin_and_takes_its_own_families():
    views = study(board("fever")).verdict.views
    assert len({view.set.margin for view in views}) == 1
    assert len({view.corrected.luck for view in views}) == 3


def test_the_verdict_is_on_those_that_declare_none_where_a_suite_is_zero_shot_and_on_all_elsewhere():
    inputs = board("trec-covid", is_zero_shot=True)
    found, elsewhere = study(inputs), study(board("trec-covid"))
    assert (found.verdict.view, elsewhere.verdict.view) == ("declared-none", "all")
    assert headline(inputs, found) == (
        "Of the 228 systems that declare no training on trec-covid, IEITYuan/Yuan-embedding-2.0-en leads with 0.9833,"
        " adjusted for luck 0.981 ± 0.048; 15 may be the best. 12 declare it (best 0.8457). 43 say nothing (best"
        " 0.9003)."
    )
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


def test_what_has_nothing_to_train_competes_with_those_that_declare_none_and_the_sentence_says_so():
    inputs = board("fever", is_zero_shot=True)
    best = max(inputs.rows, key=lambda row: row.value)
    rows = tuple(replace(row, training="nothing_to_train") if row == best else row for row in inputs.rows)
    inputs = replace(inputs, rows=rows)
    found = study(inputs)
    assert found.verdict.best.result == best.id
    assert "declare no training on fever or have nothing to train" in headline(inputs, found)


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
    for number, row in enumerate(frozen()):
        cells = [row[one] for one in members]
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
            SuiteMember(collection=one, name=one, snapshot="", n_topics=500, evidence=known) for one in members
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
    found = [
        (view.set.n_rows, systems[view.best.result], round(view.best.value, 4))
        for view in (next(one for one in verdict.views if one.view == kind) for kind in
                     ("all", "declared-none", "trained-here"))
    ]  # fmt: skip
    assert found == list(SUITES[name][1:4])
    assert verdict.view == "all"
    n_silent, best_silent = SUITES[name][4]
    assert f"{n_silent} say nothing of some (best {best_silent:.4f})" in headline(inputs, findings)


def test_a_row_of_a_suite_says_on_how_many_members_it_was_trained():
    row = next(row for row in suite("BEIR-13").rows if short(row.system) == "voyage-3-m-exp")
    assert row.n_trained_on == 10


def test_a_snapshot_keeps_the_views_and_makes_them_again():
    made = make_snapshot(board("fever", is_zero_shot=True))
    assert read_snapshot(made.text).findings.verdict.views == made.findings.verdict.views
    assert verify_snapshot(made.text) == []


def test_those_that_have_nothing_to_train_are_said_to_where_others_lead():
    inputs = board("fever")
    for n_nothing, said in ((3, "88 declare no training on fever or have nothing to train (best 0.8905)."),
                            (88, "88 have nothing to train (best 0.8905).")):  # fmt: skip
        numbers = iter(range(len(inputs.rows)))
        rows = tuple(
            replace(row, training="nothing_to_train")
            if row.view == "declared-none" and next(numbers) < n_nothing
            else row
            for row in inputs.rows
        )
        changed = replace(inputs, rows=rows)
        assert said in headline(changed, study(changed))


def test_a_long_name_is_cut_where_no_parenthesis_is_open():
    inputs = replace(board("fever", is_zero_shot=True), name="CQADupStack (mean of 12 collections, each by its topics)")
    rows = tuple(replace(row, training="nothing_to_train") if row.view == "declared-none" and n % 2 else row
                 for n, row in enumerate(inputs.rows))  # fmt: skip
    inputs = replace(inputs, rows=rows)
    asked = Question(training="declared-none")
    said = headline(inputs, study(inputs, asked))
    assert "declare no training on CQADupStack or have nothing to train, " in said
    long = replace(inputs, name="news and patents of many places and years (2004)")
    assert "declare no training on this collection or have nothing to train" in headline(long, study(long, asked))
    leader = max((row for row in rows if row.view == "declared-none"), key=lambda row: row.value)
    name = "BM25 with RM3 (ten terms of the first five documents)"
    long = replace(long, rows=tuple(replace(row, system=name) if row == leader else row for row in rows))
    assert ", BM25 with RM3 … leads with 0.8905; " in headline(long, study(long, asked))


def test_systems_of_a_suite_are_systems_whatever_their_names():
    inputs = suite("BEIR-13")
    best = max(inputs.rows, key=lambda row: len([one for one in row.scores if one is not None]))
    rows = tuple(replace(row, system=best.system) for row in inputs.rows)
    inputs = replace(inputs, rows=rows, is_zero_shot=False)
    assert headline(inputs, study_suite(inputs)).startswith("Of all 209 systems, ")


def test_of_a_noted_leader_the_note_goes_before_the_value_within_forty_words():
    """The sentence of TREC-COVID, where those that have nothing to train are counted too."""
    inputs = replace(board("trec-covid", is_zero_shot=True), name="BEIR TREC-COVID")
    leader = max(inputs.rows, key=lambda row: row.value)
    nothing = next(row for row in inputs.rows if row.view == "declared-none" and row != leader)
    rows = tuple(replace(row, training="nothing_to_train") if row == nothing else row for row in inputs.rows)
    inputs = replace(inputs, rows=rows)
    found = study(inputs)
    note = Caution(code="unusual-elsewhere", message="", results=(leader.id,))
    found = replace(found, verdict=replace(found.verdict, cautions=(note,)))
    said = headline(inputs, found)
    assert "leads with 0.9833 (unusual for it); 15 may" in said
    assert said.endswith(" 12 declare it (best 0.8457). 43 say nothing (best 0.9003).")
    assert len(said.split()) <= 40


def test_where_a_best_is_held_back_and_nothing_known_the_sentence_has_forty_words_at_most():
    """The sentence of MTEB TempReasonL1, whose leader is held back and whose variance nobody knows."""
    inputs = replace(board("fever"), name="MTEB TempReasonL1 in a long way of writing it")
    found = study(inputs)
    ranked = sorted(inputs.rows, key=lambda row: -row.value)
    formula = next(row for row in ranked[2:] if row.view == "declared-none")
    rows = tuple(replace(row, training="nothing_to_train") if row == formula else row for row in inputs.rows)
    first, second = ranked[0], ranked[1]
    verdict = replace(
        found.verdict,
        set=None,
        corrected=None,
        best_unflagged=WithoutFlagged(
            result=second.id, value=second.value, corrected=None, set=None, n_left_out=1, n_tied=1
        ),
        cautions=(Caution(code="stands-apart", message="", results=(first.id,), is_flag=True),),
    )
    said = headline(replace(inputs, rows=rows), replace(found, verdict=verdict))
    assert f"prints {first.value:.4f}, held back" in said
    assert "; not enough is known to say which may be the best. " in said
    assert " declare no training on this collection or need none. " in said
    assert len(said.split()) <= 40


@pytest.mark.parametrize(("training", "said"), [
    ("declares", " alone declares training on fever, with 0.9628. "),
    ("declares_none", " alone declares no training on fever, with 0.9628. "),
    ("nothing_to_train", " alone has nothing to train, with 0.9628. "),
])  # fmt: skip
def test_one_system_of_a_view_leads_nobody(training, said):
    inputs = board("fever")
    rows = sorted(inputs.rows, key=lambda row: -(row.value if row.view == "trained-here" else 0.0))
    others = "declares_none" if training == "declares" else "declares"
    rows = [replace(row, training=training if n == 0 else others) for n, row in enumerate(rows)]
    inputs = replace(inputs, rows=tuple(rows))
    view = "trained-here" if training == "declares" else "declared-none"
    question = Question(training=view)
    assert f"{rows[0].system}{said}" in headline(inputs, study(inputs, question), question)


@pytest.mark.parametrize(("n_none", "n_silent", "view"), [(10, 10, "declared-none"), (10, 11, "all"), (9, 0, "all")])
def test_those_that_declare_none_lead_if_they_are_ten_and_half_of_all(n_none, n_silent, view):
    words = ["declares_none"] * n_none + ["says_nothing"] * n_silent
    rows = tuple(
        BoardRow(id=n, system=f"s{n}", printed="0.5", value=0.3 + 0.01 * n, training=word)
        for n, word in enumerate(words)
    )
    inputs = BoardInputs(collection="c", measure=MeasureFacts(name="AP"), rows=rows, n_topics=50, is_zero_shot=True)
    assert study(inputs).verdict.view == view
