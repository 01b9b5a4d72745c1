"""A leaderboard as the registry knew it: names, families, training and links of that moment; and tables for papers."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from analysis.readers.scores import PrintedScore
from registry.catalog.models import CollectionLink
from registry.curation.lineage.models import Lineage, TrainingDeclaration
from registry.leaderboards.drawings import over_years
from registry.leaderboards.exports.latex import latex_table
from registry.leaderboards.queries.boards import read_board, read_rows
from registry.results.models import Result, System
from registry.results.services.corrections import request_correction
from registry.results.services.merging import rename_system
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_result,
    make_system,
    make_topic_scores,
    make_topics,
    make_user,
)

pytestmark = pytest.mark.django_db


def test_names_and_disputes_are_those_of_the_moment():
    board = make_leaderboard()
    spelled, other = make_system("bm 25", "uni"), make_system("other", "lab")
    result, quiet = make_result(board, spelled, "0.5"), make_result(board, other, "0.4")
    before = timezone.now()
    rename_system(system=spelled, name="BM 25", team="Uni", actor=None, reason="as they spell it")
    assert System.objects.get(pk=spelled.pk).name == "BM 25"
    request_correction(result=result, requester=make_user(), kind="dispute", reason="table 3 has another")
    now, then = read_rows(board), read_rows(board, known_at=before)
    assert [(row.system, row.team) for row in now.rows] == [("BM 25", "Uni"), ("other", "lab")]
    assert [(row.system, row.team) for row in then.rows] == [("bm 25", "uni"), ("other", "lab")]
    assert (now.facts[result.pk].is_disputed, then.facts[result.pk].is_disputed) == (True, False)
    assert (now.facts[quiet.pk].is_disputed, now.facts[result.pk].team, then.facts[result.pk].team) == (
        False, "Uni", "uni",
    )  # fmt: skip


def test_what_a_study_takes_is_what_was_known_then():
    board = make_leaderboard()
    full = make_leaderboard(make_collection(n_topics=50), board.measure)
    CollectionLink.objects.create(collection=board.collection, base=full.collection, relation="hard_negatives")
    make_topics(board.collection, ["t1", "t2"])
    one, other = make_system("one"), make_system("other")
    results = [make_result(board, system, printed) for system, printed in ((one, "0.5"), (other, "0.4"))]
    before = timezone.now()
    later = before + timedelta(hours=1)
    for system in (one, other):
        Lineage.objects.create(system=system, key="base:bert", holds=True, source="files", recorded_at=later)
    TrainingDeclaration.objects.create(system=one, collection=board.collection, declared="yes", source="card",
                                       recorded_at=later)  # fmt: skip
    there = make_result(full, one, "0.7")
    Result.objects.filter(pk=there.pk).update(recorded_at=later)
    for result, scores in zip(results, ([0.4, 0.6], [0.3, 0.5]), strict=True):
        vector = make_topic_scores(result, scores)
        type(vector).objects.filter(pk=vector.pk).update(recorded_at=later)
    now, then = read_board(board.pk).inputs, read_board(board.pk, known_at=before).inputs
    first, second = now.rows
    assert "base:bert" in first.lineage
    assert "base:bert" in second.lineage
    assert [row.lineage for row in then.rows] == [tuple(one for one in row.lineage if one != "base:bert")
                                                  for row in now.rows]  # fmt: skip
    assert (first.training, second.training) == ("declares", then.rows[1].training)
    assert (first.declared_training, first.training_split, second.declared_training) == (
        "yes",
        "unspecified",
        "unknown",
    )
    assert then.rows[0].training != "declares"
    assert ([one.collection for one in now.linked], first.linked, second.linked) == (
        [full.collection.slug], (0.7,), (),
    )  # fmt: skip
    assert (then.linked, then.rows[0].linked) == ((), ())
    assert (now.topic_scores is not None, then.topic_scores) == (True, None)
    assert (now.collection, now.name, now.task, now.n_topics) == (
        board.collection.slug, board.collection.name, board.collection.task, 50,
    )  # fmt: skip
    measure = now.measure
    assert (measure.name, measure.low, measure.high, measure.higher_is_better) == (board.measure.name, 0.0, 1.0, True)


def test_only_measures_from_0_to_1_are_checked_against_linked_leaderboards():
    board = make_leaderboard()
    full = make_leaderboard(make_collection(n_topics=50), board.measure)
    CollectionLink.objects.create(collection=board.collection, base=full.collection, relation="hard_negatives")
    system = make_system()
    for one in (board, full):
        make_result(one, system, "0.5")
    assert len(read_board(board.pk).inputs.linked) == 1
    for fields in ({"high": 2.0}, {"low": -1.0}, {"higher_is_better": False}):
        known = {"low": 0.0, "high": 1.0, "higher_is_better": True} | fields
        type(board.measure).objects.filter(pk=board.measure_id).update(**known)
        assert read_board(board.pk).inputs.linked == ()


def paper_row(pk: int, **fields) -> SimpleNamespace:
    known = {
        "rank": pk, "rank_low": None, "rank_high": None, "system": f"s_{pk}", "team": "", "year": 2004,
        "paper_slug": "", "may_be_best": False, "printed": "0.5", "unit": "", "value": 0.5,
    } | fields  # fmt: skip
    row = SimpleNamespace(**known)
    row.marks = lambda view: known.get("said", ())
    row.score = PrintedScore(known["printed"], known["unit"])
    return row


def test_a_table_for_papers_line_by_line():
    verdict = SimpleNamespace(is_telling=True, view="all")
    rows = [
        paper_row(1, may_be_best=True, paper_slug="doe-2020", team="Uni & Co", rank_low=1, rank_high=3,
                  said=("held back", "declares no training")),
        paper_row(2, team="Lab", year=None),
    ]  # fmt: skip
    text = latex_table(rows, {"name": "nDCG@10", "decimals": 3}, title="Robust", text="The best.", source=r"\url{x}",
                       verdict=verdict)  # fmt: skip
    lines = [line.strip() for line in text.splitlines()]
    assert lines[0].startswith("% 2 results. Needs ")
    for package in ("array", "booktabs", "url"):
        assert f"\\usepackage{{{package}}}" in lines[0]
    assert "longtable" not in text
    assert lines[1:3] == [r"\begin{table}", r"\centering"]
    assert lines[3] == (
        r"\caption[{Robust}]{Robust. The best. \textsuperscript{u}: declares no training. \textsuperscript{h}: held "
        r"back. \url{x}}"
    )
    (shape,) = [line for line in lines if line.startswith(r"\begin{tabular}")]
    columns = r">{\raggedright\arraybackslash}p{%s\linewidth}"
    widths = [0.48 - min(max(0.48 * 11 / 17, 0.18), 0.34), min(max(0.48 * 11 / 17, 0.18), 0.34)]
    texts = "".join(columns % round(width, 2) for width in widths)
    assert shape == rf"\begin{{tabular}}{{@{{}}r{texts}rrl@{{}}}}"
    assert r"Rank & System & Team & Year & nDCG@10 & Source \\" in lines
    body = [line for line in lines if line.endswith(r"\\") and "Rank" not in line]
    assert len(body) == 2
    first, second = (line.removesuffix(r" \\").split(" & ") for line in body)
    assert (first[0], first[3]) == ("1--3", "2004")
    assert first[1] == r"\textbf{s\_1\textsuperscript{h,u}}"
    assert first[4].startswith(r"\textbf{")
    assert first[2] == r"Uni \& Co"
    assert first[5].startswith(r"\cite{")
    assert (second[1], second[2], second[3], second[5]) == (r"s\_2", "Lab", "", "")
    verdict.is_telling = False
    plain = latex_table(rows, {"name": "a long name of one", "decimals": 3}, title="Robust", text="", source="",
                        verdict=verdict)  # fmt: skip
    assert r"\textbf" not in plain
    assert r"& Score &" in plain
    assert r"\caption[{Robust}]{Robust. \textsuperscript" in plain
    many = [paper_row(pk) for pk in range(1, 32)]
    long = latex_table(many, {"name": "AP", "decimals": 3}, title="T", text="", source="", verdict=None)
    assert r"\begin{longtable}{@{}r>{\raggedright" in long
    assert r"\usepackage{longtable}" in long.splitlines()[0]
    thirty = latex_table(many[:30], {"name": "AP", "decimals": 3}, title="T", text="", source="", verdict=None)
    assert r"\begin{table}" in thirty
    assert r"Rank & System & Year & AP \\" in thirty
    none = latex_table([], {"name": "nDCG(rel=2)@100x", "decimals": 3}, title="T", text="", source="", verdict=None)
    assert none.startswith("% 0 results. ")
    assert r"Rank & System & Year & nDCG(rel=2)@100x \\" in none
    spelled = latex_table([paper_row(1, system="Đình")], {"name": "AP", "decimals": 3}, title="T", text="", source="",
                          verdict=None)  # fmt: skip
    assert r"% 1 result. Needs \usepackage[T1]{fontenc} \usepackage{array}" in spelled


def test_a_paper_has_a_baseline_and_a_score_of_its_own():
    def row(pk: int, value: float, role: str, paper: int | None = 1) -> SimpleNamespace:
        return SimpleNamespace(id=pk, value=value, role=role, paper_id=paper, year=2004)

    rows = [row(1, 0.3, "baseline"), row(2, 0.5, "proposed"), row(3, 0.9, "trec_run"), row(4, 0.35, "baseline"),
            row(5, 0.2, "baseline", 2), row(6, 0.4, "proposed", None), row(7, 0.1, "baseline", None)]  # fmt: skip
    (one,) = over_years._papers(rows, 1.0)
    assert (one.year, one.baseline, one.proposed) == (2004, 0.35, 0.5)
    (less,) = over_years._papers(rows, -1.0)
    assert (less.baseline, less.proposed) == (0.3, 0.5)
