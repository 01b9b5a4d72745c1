"""What declared training goes with, on frozen scores and declarations and on made ones, beside a slow second route."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.boards._suites import study_uplift
from tests.analysis.boards.test_suite_rules import suite_of
from tests.analysis.boards.test_views import BEIR_13, ENGLISH_V2, FROZEN, STATES
from tests.data.shipped import table

BEIR = tuple(f"beir-{name}" for name in BEIR_13)


def study_of(columns, *, is_shuffled=False):
    rows = [row for row in table(FROZEN) if all(row[name] for name in columns)]
    plain = suite_of([[float(row[name][:-1]) for name in columns] for row in rows], [row["system"] for row in rows])
    states = [tuple(STATES[row[name][-1]] for name in columns) for row in rows]
    if is_shuffled:
        states = [states[place] for place in np.random.default_rng(3).permutation(len(states))]
    teams = [row["system"].partition("/")[0].casefold() for row in rows]
    numbers = {team: number for number, team in enumerate(sorted(set(teams)))}
    declared = tuple(
        replace(row, training=answers, lineage=(f"team:{team}",))
        for row, answers, team in zip(plain.rows, states, teams, strict=True)
    )
    return replace(plain, rows=declared), {place: numbers[team] for place, team in enumerate(teams)}


def test_beir_and_english_v2_are_those_of_the_study_that_decided_on_it():
    beir, english = study_uplift(*study_of(BEIR)), study_uplift(*study_of(ENGLISH_V2))
    assert (round(beir.estimate, 4), round(beir.standard_error, 4), beir.n_systems) == (0.0731, 0.0151, 174)
    assert (round(english.estimate, 4), round(english.standard_error, 4)) == (0.0760, 0.0167)
    shrunk = {BEIR_13[member.member]: member.value for member in beir.members}
    expected = {
        "fever": 0.147,
        "hotpotqa": 0.096,
        "fiqa": 0.094,
        "nq": 0.091,
        "arguana": 0.066,
        "trec-covid": 0.054,
        "scifact": 0.013,
        "nfcorpus": -0.002,
        "scidocs": -0.005,
        "dbpedia-entity": -0.007,
        "quora": -0.015,
    }
    assert shrunk == pytest.approx(expected, abs=0.0015)
    (fever,) = [member for member in beir.members if BEIR_13[member.member] == "fever"]
    assert (fever.low, fever.high) == pytest.approx((0.10, 0.20), abs=0.01)
    assert fever.n_declare + fever.n_others == 174


def test_declarations_that_stand_with_other_systems_go_with_nothing():
    findings = study_uplift(*study_of(BEIR, is_shuffled=True))
    assert abs(findings.estimate) < 0.032, "the most of 300 shuffles of the study"


def test_it_is_the_slope_of_a_regression_on_systems_members_and_declared_training():
    inputs, families = study_of(BEIR)
    rows = [row for row in inputs.rows if "says_nothing" not in row.training]
    design, values = [], []
    for place, row in enumerate(rows):
        for member, (score, answer) in enumerate(zip(row.scores, row.training, strict=True)):
            ones = np.zeros(1 + len(rows) + len(row.scores))
            ones[[1 + place, 1 + len(rows) + member]] = 1.0
            ones[0] = answer == "declares"
            design.append(ones)
            values.append(score)
    slope = np.linalg.lstsq(np.array(design), np.array(values), rcond=None)[0][0]
    assert study_uplift(inputs, families).estimate == pytest.approx(slope, abs=1e-9)


def test_it_says_nothing_of_few_families_or_where_nobody_declares_or_nothing_was_recorded():
    inputs, families = study_of(BEIR)
    assert study_uplift(inputs, dict.fromkeys(families, 0)) is None
    nobody = tuple(replace(row, training=("not_listed",) * len(row.scores)) for row in inputs.rows)
    assert study_uplift(replace(inputs, rows=nobody), families) is None
    unknown = tuple(replace(row, training=()) for row in inputs.rows)
    assert study_uplift(replace(inputs, rows=unknown), families) is None
