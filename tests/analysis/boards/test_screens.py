"""Whether the best scores of a board stand apart: the boards of frozen MTEB results, and made ones."""

import re
from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest

from analysis.boards import (
    BoardInputs,
    BoardRow,
    Elsewhere,
    FlaggedElsewhere,
    MeasureFacts,
    screen_elsewhere,
    screen_gap,
    study,
)
from analysis.boards._screens import Z_NOTE_FLAGGED
from tests.analysis.boards.boards_that_ship import BEIR
from tests.analysis.boards.frozen_suites import collections, scores_on, teams
from tests.analysis.boards.test_linked import checked, pairs
from tests.analysis.boards.test_views import ENGLISH_V2 as ENGLISH

#: MTEB English v2.
ENGLISH_V2 = tuple(name.removeprefix("beir-") for name in ENGLISH)
YUAN = "IEITYuan/Yuan-embedding-2.0-en"


def scores_of(dataset: str) -> Mapping[str, float]:
    """Return them by system."""
    return scores_on(dataset if dataset.startswith("mteb-") else f"beir-{dataset}")


def family_bests(dataset: str) -> list[float]:
    by_system = teams()
    bests: dict[str, float] = {}
    for system, score in scores_of(dataset).items():
        family = by_system[system].casefold() or system
        bests[family] = max(score, bests.get(family, 0.0))
    return list(bests.values())


@pytest.mark.parametrize(
    ("dataset", "n_topics", "variance", "pvalue", "n_apart"),
    [
        ("scidocs", 1000, 0.096221, 0.010, 1),
        ("fiqa", 648, 0.096221, 0.021, 3),
        ("nfcorpus", 323, 0.018961, 0.088, 0),
        ("scifact", 300, 0.096221, 1.0, 0),
        ("trec-covid", 50, 0.018961, 0.18, 0),
        ("arguana", 1406, 0.096221, 1.0, 0),
    ],
)
def test_which_boards_have_a_gap_at_the_top(dataset, n_topics, variance, pvalue, n_apart):
    """The values of a separate computation."""
    screen = screen_gap(family_bests(dataset), n_topics=n_topics, residual_variance=variance)
    assert screen.pvalue == pytest.approx(pvalue, abs=0.006)
    assert screen.n_apart == n_apart


@cache
def screened(datasets, dataset):
    """Return screens by system, on one dataset of a suite."""
    scores = scores_of(dataset)
    others = [scores_of(other) for other in datasets if other != dataset]
    elsewhere = [[other.get(system, np.nan) for other in others] for system in scores]
    return dict(zip(scores, screen_elsewhere(list(scores.values()), elsewhere), strict=True))


@pytest.mark.parametrize(
    ("dataset", "score", "z", "predicted"),
    [
        ("scidocs", 0.59857, 7.3, 0.318),
        ("fiqa", 0.8206, 7.9, 0.431),
        ("fiqa", 0.78006, 0.2, 0.774),
        ("nfcorpus", 0.55745, 4.97, 0.452),
        ("scifact", 0.866, 4.7, 0.764),
        ("trec-covid", 0.98328, 3.9, 0.853),
        ("arguana", 0.89786, 3.4, 0.765),
    ],
)
def test_how_far_a_score_lies_from_what_its_others_predict(dataset, score, z, predicted):
    """The values of a separate computation; of FiQA's second, a small z clears nobody."""
    (system,) = [system for system, value in scores_of(dataset).items() if value == score]
    screen = screened(BEIR, dataset)[system]
    assert screen.z == pytest.approx(z, abs=0.051)
    assert screen.predicted == pytest.approx(predicted, abs=0.0006)


@pytest.mark.parametrize(
    ("suite", "dataset", "system", "z", "z_by_median"),
    [
        ("beir", "scidocs", "IEITYuan/Yuan-embedding-2.0-en", 7.3, 10.2),
        ("beir", "fiqa", "ai-sage/Giga-Embeddings-instruct", 7.9, 9.6),
        ("beir", "fiqa", "sentence-transformers/all-mpnet-base-v2", 5.3, 6.0),
        ("beir", "nfcorpus", "TencentBAC/Conan-embedding-v2", 4.97, 4.9),
        ("beir", "scifact", "openbmb/MiniCPM-Embedding", 4.7, 4.6),
        ("beir", "trec-covid", "IEITYuan/Yuan-embedding-2.0-en", 3.9, 4.4),
        ("mteb-eng-v2", "scidocs", "IEITYuan/Yuan-embedding-2.0-en", 7.6, 7.6),
        ("mteb-eng-v2", "fiqa", "Haon-Chen/speed-embedding-7b-instruct", 7.6, 8.5),
    ],
)
def test_how_far_it_lies_by_the_median_too(suite, dataset, system, z, z_by_median):
    """The values of a separate computation."""
    screen = screened(BEIR if suite == "beir" else ENGLISH_V2, dataset)[system]
    assert (screen.z, screen.z_by_mean) == pytest.approx((z, z), abs=0.051)
    assert screen.z_by_median == pytest.approx(z_by_median, abs=0.051)


def test_one_broken_score_elsewhere_makes_no_healthy_score_an_outlier():
    """Two models have .05 on HotpotQA's hard negatives: by the mean, seven of their scores would stand out."""
    by_dataset = {dataset: screened(ENGLISH_V2, dataset) for dataset in ENGLISH_V2}
    flags = {
        (dataset, name)
        for dataset, screens in by_dataset.items()
        for name, screen in screens.items()
        if screen and screen.is_flag
    }
    by_mean = [
        (name, screen.z_by_mean, screen.z_by_median)
        for screens in by_dataset.values()
        for name, screen in screens.items()
        if screen and screen.z_by_mean >= 5
    ]
    assert flags == {("scidocs", "IEITYuan/Yuan-embedding-2.0-en"), ("fiqa", "Haon-Chen/speed-embedding-7b-instruct")}
    fallen = [outlier for outlier in by_mean if outlier[0].startswith("jinaai/jina-embeddings-v2-")]
    assert len(by_mean) == len(flags) + len(fallen) == 9
    assert all(5.75 < z < 9.85 and 0.45 < z_by_median < 2.05 for _, z, z_by_median in fallen)


@pytest.mark.parametrize(
    ("suite", "z"), [(BEIR, {"trec-covid": 3.9}), (ENGLISH_V2, {"trec-covid": 4.2, "cqadupstack-gaming": 4.6})]
)
def test_one_model_of_each_suite_has_a_flag_and_stands_out_elsewhere(suite, z):
    """The values of a separate computation: of all that are flagged, this one alone is noted on other boards."""
    by_dataset = {dataset: screened(suite, dataset) for dataset in suite}
    flagged = {
        name: {} for screens in by_dataset.values() for name, screen in screens.items() if screen and screen.is_flag
    }
    for dataset, screens in by_dataset.items():
        for name, others in flagged.items():
            screen = screens.get(name)
            if screen and not screen.is_flag and screen.z >= Z_NOTE_FLAGGED:
                others[dataset] = screen.z
    assert {name: others for name, others in flagged.items() if others} == {YUAN: pytest.approx(z, abs=0.051)}


@pytest.mark.parametrize(("suite", "noted"), [(BEIR, {"scifact": 3.8}), (ENGLISH_V2, {"fiqa": 3.9})])
def test_contradictions_add_one_model_to_those_that_are_noted_from_three_and_a_half(suite, noted):
    """The first of a separate computation; both are of one model."""
    flags = set()
    for boards in pairs():
        systems, check = checked(*boards)
        members = {board.removeprefix("beir-") for board in boards} & set(suite)
        contradicted = {name for name, kind in zip(systems, check.contradictions, strict=True) if kind}
        flags |= {(name, member) for name in contradicted for member in members}
    check = {
        (dataset, name): screen.z
        for dataset in suite
        for name, screen in screened(suite, dataset).items()
        if screen and Z_NOTE_FLAGGED <= screen.z < 4 and any(who == name and place != dataset for who, place in flags)
    }
    of_model = {(dataset, "Salesforce/SFR-Embedding-2_R"): pytest.approx(z, abs=0.051) for dataset, z in noted.items()}
    assert check == of_model


def test_of_beirs_flags_one_falls():
    screen = screened(BEIR, "fiqa")["sdadas/mmlw-roberta-large"]
    assert screen.z_by_mean == pytest.approx(5.6, abs=0.051)
    assert screen.z_by_median < 4.0
    assert not screen.is_flag


def test_a_gap_where_lower_is_better_is_the_same_gap():
    bests = family_bests("scidocs")
    mirrored = screen_gap([-score for score in bests], n_topics=1000, residual_variance=0.1, higher_is_better=False)
    plain = screen_gap(bests, n_topics=1000, residual_variance=0.1)
    assert (mirrored.pvalue, mirrored.n_apart) == (plain.pvalue, plain.n_apart)
    assert mirrored.threshold == -plain.threshold


def test_a_gap_within_three_margins_is_none():
    """At a ceiling, a thousandth can be significant among spacings of hundred thousandths, and is nothing."""
    bests = [0.999, *np.linspace(0.9980, 0.9979, 30)]
    with_margin = screen_gap(bests, n_topics=50, residual_variance=0.01)
    without = screen_gap(bests, n_topics=None, residual_variance=None)
    assert with_margin.pvalue == without.pvalue < 0.05
    assert (with_margin.n_apart, with_margin.threshold) == (0, None)
    assert (without.n_apart, without.threshold) == (1, 0.999)


@pytest.mark.slow
def test_how_often_exponential_tails_are_flagged():
    rng = np.random.default_rng(7)
    flagged = [
        screen_gap(rng.exponential(size=100), n_topics=None, residual_variance=None).n_apart > 0 for _ in range(2000)
    ]
    assert np.mean(flagged) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)


def test_a_score_that_its_others_predict_is_no_outlier():
    rng = np.random.default_rng(3)
    ability = rng.normal(size=120)
    scores = 1 / (1 + np.exp(-(ability + rng.normal(scale=0.2, size=120))))
    elsewhere = 1 / (1 + np.exp(-(ability[:, None] + rng.normal(scale=0.2, size=(120, 5)))))
    z = [screen.z for screen in screen_elsewhere(scores, elsewhere) if screen]
    assert len(z) > 110
    assert max(z) < 5


def test_too_little_to_compare_with_gives_nothing():
    scores, elsewhere = np.full(80, 0.5), np.full((80, 3), 0.5)
    assert screen_elsewhere(scores, elsewhere) == (None,) * 80  # 79 others
    enough = np.linspace(0.3, 0.6, 81)
    assert None not in screen_elsewhere(enough + 0.01 * np.cos(range(81)), np.tile(enough[:, None], (1, 3)))
    low = np.r_[0.04, np.linspace(0.3, 0.6, 100)]
    some = np.tile(np.linspace(0.2, 0.7, 101)[:, None], (1, 3))
    some[1, 0] = np.nan  # Two scores elsewhere
    screens = screen_elsewhere(low, some)
    assert screens[:2] == (None, None)
    assert screens[2] is not None


FLAG = FlaggedElsewhere(dataset="beir-scidocs, nDCG@10", score=0.59857, z=7.3, predicted=0.318)


def board_among(suite, own, n_topics, facts_of=lambda system: {}):
    """Return a collection of a suite with the scores of the same systems on the others, from the highest score on."""
    others = [scores_on(other) for other in suite if other != own]
    rows = tuple(
        BoardRow(
            id=number,
            system=system,
            printed=str(value),
            value=value,
            elsewhere=tuple(other.get(system) for other in others),
            **facts_of(system),
        )
        for number, (system, value) in enumerate(sorted(scores_on(own).items(), key=lambda scored: -scored[1]))
    )
    elsewhere = Elsewhere(name="X", datasets=tuple(other for other in suite if other != own), as_of="2026-11-26")
    measure = MeasureFacts(name="nDCG@10")
    return BoardInputs(collection=own, measure=measure, rows=rows, n_topics=n_topics, elsewhere=elsewhere)


def verdict_on_trec_covid(flag=None):
    """Return it among BEIR; of the system that is an outlier on SCIDOCS, with that flag, another or none."""
    suite = [f"beir-{name}" for name in BEIR]
    flags = {YUAN: {"flagged_elsewhere": (flag,)}} if flag else {}
    return study(board_among(suite, "beir-trec-covid", 50, lambda system: flags.get(system, {}))).verdict


def test_a_model_with_a_flag_is_noted_elsewhere_from_three_and_a_half():
    """The lead of 0.9833, at 3.9 prediction errors, is noted once the same model is an outlier on SCIDOCS."""
    noted, alone = verdict_on_trec_covid(FLAG), verdict_on_trec_covid()
    assert "follows-flag" not in {caution.code for caution in alone.cautions}
    (caution,) = [noted_caution for noted_caution in noted.cautions if noted_caution.code == "follows-flag"]
    assert caution.message.startswith(
        f"{YUAN} scores 0.9833; its other scores in X predict about 0.85, 3.9 prediction errors less."
    )
    assert (
        "0.5986 on beir-scidocs, nDCG@10, where about 0.32 is predicted (7.3 prediction errors less)" in caution.message
    )
    assert (caution.is_flag, caution.withholds) == (False, True)
    assert noted.best_unflagged is alone.best_unflagged is None
    assert noted.set == alone.set


@pytest.mark.parametrize(
    ("code", "ending"),
    [
        ("stands-apart", "0.5986 on beir-scidocs, nDCG@10, apart from all others."),
        ("contradicts-linked", "which conflicts with its score on a linked board."),
    ],
)
def test_a_gap_and_a_contradiction_are_followed_like_an_outlier(code, ending):
    verdict = verdict_on_trec_covid(FlaggedElsewhere(dataset="beir-scidocs, nDCG@10", score=0.59857, code=code))
    (caution,) = [noted for noted in verdict.cautions if noted.code == "follows-flag"]
    assert caution.message.endswith(ending)
    assert (caution.is_flag, caution.withholds) == (False, True)


def test_sizes_of_a_model_that_stand_out_together_are_named():
    """RAR-b's questions of mathematics: four sizes of one model, 5.1 to 6.0 in a separate computation."""
    tasks = collections()[-17:]
    (own,) = [name for name in tasks if "math" in name]
    inputs = board_among(
        tasks, own, 1000, lambda system: {"lineage": (f"model:{'f2llm' if 'F2LLM-v2' in system else system}",)}
    )
    (caution,) = [noted for noted in study(inputs).verdict.cautions if noted.code == "outlier-elsewhere"]
    names = {row.id: row.system for row in inputs.rows}
    flagged = [names[result].removeprefix("codefuse-ai/F2LLM-v2-") for result in caution.results]
    assert flagged == ["14B", "8B", "4B", "1.7B"]
    assert "are sizes or versions of one model." in caution.message
    z_of_sizes = dict(re.findall(r"codefuse-ai/F2LLM-v2-([\d.]+B) \((\d\.\d)\)", caution.message))
    assert list(z_of_sizes) == [*flagged, "0.6B"], "the last is a note, of the same model"
    assert {min(z_of_sizes[size] for size in flagged), max(z_of_sizes.values())} == {"5.1", "6.0"}
