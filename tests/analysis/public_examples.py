"""Valid arguments for everything public in ``analysis``, by name of the callable: ``function`` or ``Class.method``.

What is public is discovered (``public_surface.py``); something public without an example here fails the sweep.
"""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas

from analysis.comparisons import compare_family
from analysis.documents import RankedList
from analysis.instances import InstanceComponents, compare_algorithms
from analysis.reliability import VarianceModel
from analysis.results import Interval
from analysis.scales import reference_factors
from analysis.scores import InstanceScores, MeasureKind, parse_run
from tests.analysis.example_data import (
    COMPONENTS,
    FIRST,
    MEANS,
    PAIRED,
    PAPERS,
    SCORES_BY_YEAR,
    YEARS,
    drawn,
    example,
    experiment,
    instances,
    matrix,
    maximum,
    method,
    of_instances,
    of_matrix,
    of_means,
    of_two,
)
from tests.analysis.public_examples_of_boards import EXAMPLES_OF_BOARDS
from tests.analysis.public_examples_of_files import EXAMPLES_OF_FILES
from tests.analysis.public_surface import Example
from tests.analysis.simulated import labelled, noisy_matrix

MODEL = VarianceModel(
    first={"RR": 0.383, "Success": 0.641, "ERR": 0.133},
    of_one={"AP": 0.323, "nDCG": 0.345, "hits": 0.627},
    of_many={"AP": 0.04, "nDCG": 0.069, "R": 0.0325, "P": 0.0382, "Rprec": 0.0109},
    shared_task={"AP": 1.54, "nDCG": 1.62, "hits": 2.27},
    cutoff_exponent=0.188,
)
FRAME = pandas.DataFrame(
    [("A", seed, topic, 0.1 * seed) for seed in (1, 2) for topic in (1, 2)],
    columns=["algorithm", "instance", "topic", "score"],
)
_ANY = ("one number", "nested", "nothing", "infinite", "too large")
_FAMILIES = {"families": (["a"], ["a"] * 7)}
_EXTREME = {"n": (0.5, 10**400), "sd": (0.0, -1.0), "correlation": (-0.1, 1.1)}
_HISTORY = {"times": ([2000] * 40,), "values": ([0.2] * 40, SCORES_BY_YEAR[:-1], [0.1])}
_EFFECTS = {"effects": ([0.1],), "standard_errors": ([0.1, 0.2], [0.1, 0.0, 0.1], [0.1, 0.9e-40, 0.1])}
_EDGES = {
    "pvalues": ((0, 0.3), (0.05, 0.0), (0,), (0.0, float("inf")), (0.0, "1"), (0.0, float("nan"))),
    "difference": ((0.03, 0.04), (0.1, 0.05), (0.0, 0.1 + 1e-8)),
}
_NO_COMPONENTS = (
    InstanceComponents(None, 0.1, 0.1, 0.1, ()),
    InstanceComponents(0.0, 0.1, 0.0, 0.0, ()),
    InstanceComponents(float("nan"), 0.1, 0.1, 0.1, ()),
    *(InstanceComponents(*np.where(np.arange(4) == place, -0.1, 0.1), ()) for place in range(4)),
)

#: Systems that differ by the same on each topic, and a single one.
_PARALLEL, _ONE = labelled([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4]]), labelled([[0.1, 0.2]])
_NO_DIFFERENCE = {
    "confidence_level": (0.5,),
    "difference": (
        SimpleNamespace(estimate=0.0, standard_error=0.1),
        SimpleNamespace(estimate=0.0, standard_error=0.0, df=10),
        SimpleNamespace(estimate=0.0, standard_error=-0.1, df=10),
        SimpleNamespace(estimate=0.0, standard_error=0.1, df=0),
        SimpleNamespace(estimate=float("nan"), standard_error=0.1, df=10),
    ),
}
_FACTORS = {"topics": ["301", "302"], "means": [0.1, 0.2], "sds": [0.1, 0.1], "n_systems": 3}
_DAMAGED_FACTORS = (
    {"topics": ["301", "302"], "sds": [0.1, 0.2]},
    _FACTORS | {"topics": ["301"]},
    _FACTORS | {"topics": ["301", "301"]},
    _FACTORS | {"sds": [0.1, -0.1]},
    _FACTORS | {"sds": [0.1, float("nan")]},
    _FACTORS | {"means": [0.1]},
    _FACTORS | {"n_systems": 1},
)

EXAMPLES: dict[str, Example] = (
    EXAMPLES_OF_FILES
    | EXAMPLES_OF_BOARDS
    | {
        # order_statistics
        "maximum_distribution": example(n=103, correlation=0.2, refuses=_EXTREME),
        "minimum_distribution": example(n=103, correlation=0.2, refuses=_EXTREME),
        "range_probability": example(lower=-2.0, upper=2.0, n=103, refuses=_EXTREME | {"lower": (2.0, 3.0)}),
        "effective_n": example(n=103, correlation=0.6, refuses=_EXTREME),
        "effective_n_of_scores": drawn(refuses=_FAMILIES, noise=0.3),
        "gumbel_approximation": example(n=103, refuses={"n": (1.5,), "sd": (0.0,)}),
        "scores_maximum_cdf": example(
            x=0.5, scores=matrix().scores, rng=1, refuses={"means": ([0.1],), "scores": ([[0.1]],)}, noise=0.01
        ),
        "expected_maximum_of_attempts": example(
            scores=MEANS,
            n_attempts=[1, 3],
            accepts={"n_attempts": ("one number",)},
            refuses={"n_attempts": (0, 8, [1, 8])},
        ),
        "ExtremeDistribution.pdf": method(maximum, x=2.5, accepts={"x": _ANY}),
        "ExtremeDistribution.cdf": method(maximum, x=2.5, accepts={"x": _ANY}),
        "ExtremeDistribution.sf": method(maximum, x=2.5, accepts={"x": _ANY}),
        "ExtremeDistribution.ppf": method(maximum, q=0.8, accepts={"q": _ANY[:3]}, refuses={"q": (-0.1, 1.1)}),
        "ExtremeDistribution.isf": method(maximum, q=0.8, accepts={"q": _ANY[:3]}, refuses={"q": (-0.1, 1.1)}),
        # best_result
        "analyse_best": of_means(
            scale="residual",
            refuses={
                "tail": (0.4, 1.0),
                "n_multiplier": (10**400,),
                "contenders": ([True], [False] * 7, [1] * 7),
            },
            positions=("best_index", "plausible"),
        ),
        "analyse_summary": example(
            mean=0.2,
            sd=0.08,
            best=0.303,
            n_results=103,
            n_topics=50,
            refuses={"sd": (-0.1,), "tail": (0.4,), "residual_variance": (0.1,)},
        ),
        "best_set_from_means": of_means(
            degrees_of_freedom=10.0,
            refuses={
                "means": ([75.59], [-0.1]),
                "residual_variance": (0.26,),
                "degrees_of_freedom": (0.0, -1.0),
                "contenders": ([True],),
                "value_range": ((1.0, 0.0), (0.0, 0.5, 1.0)),
            },
            positions=("best_index", "members"),
        ),
        "best_set_from_errors": example(
            means=MEANS,
            error_variance=0.00024,
            degrees_of_freedom=10.0,
            refuses={"error_variance": (-1e-9,), "degrees_of_freedom": (0.0,), "contenders": ([True],)},
            positions=("best_index", "members"),
        ),
        "corrected_best_from_means": example(
            means=MEANS,
            error_variance=0.00024,
            degrees_of_freedom=10.0,
            refuses=_FAMILIES
            | {
                "error_variance": (-1e-9,),
                "degrees_of_freedom": (0.0,),
                "contenders": ([True],),
                "families": (["a"], ["a"] * 6),
                "n_in_set": (0, 8),
                "margin": (-0.1,),
                "value_range": ((1.0, 0.0), (0.0,)),
                "interval_variance": (-1e-9,),
            },
            positions=("index",),
        ),
        "corrected_best": of_matrix(kind=MeasureKind.MANY_VALUED, refuses=_FAMILIES),
        "gupta_constant": example(k=10, refuses={"degrees_of_freedom": (0.0,)}),
        "winner_from_means": of_means(
            refuses={"contenders": ([True],), "degrees_of_freedom": (0.0,)}, positions=("index",)
        ),
        "measure_nature": example(measure="nDCG@10", refuses={"measure": ("", " ")}),
        # rankings and winners
        "confidence_set_for_best": drawn(
            refuses=_FAMILIES
            | {"contenders": (["s0", "nobody"], ["s0"], ["s0", "s0"]), "n_resamples": (198,)}
            | {"skewness_allowance": (-0.1,), "topic_groups": (["a"] * 40, ["a", "b"])},
            noise=0.01,
        ),
        "verified_leader": example(
            members=("s5", "s4"), n_topics=50, flagged=("s5",), refuses={"families": ({"s0": 1}, {1: "a"})}
        ),
        "comparisons_with_best": of_matrix(refuses={"matrix": (_PARALLEL,)}),
        "model_confidence_set": drawn(noise=0.1),
        "rank_intervals": drawn(simultaneous=True, refuses={"n_resamples": (18,)}),
        "tie_tiers": drawn(
            refuses=_FAMILIES | {"contenders": (["s0", "nobody"], ["s0"], ["s0", "s0"]), "n_resamples": (198,)},
            noise=0.1,
        ),
        "probability_of_best": drawn(noise=0.1),
        "estimate_winner": drawn(measure_name="AP", refuses={"n_resamples": (198,)}, noise=0.3),
        "two_way_anova": of_matrix(),
        "near_copies": of_matrix(refuses=_FAMILIES),
        "family_weighted_variance": of_matrix(refuses=_FAMILIES | {"families": (*_FAMILIES["families"], ["a"] * 6)}),
        "predict_variance": example(
            model=MODEL,
            measure="AP",
            mean=0.2,
            best=0.4,
            relevant=20.0,
            share_with_one=0.0,
            accepts={"measure": ("text",), "relevant": ("None",), "share_with_one": ("None",)},
            refuses={
                "mean": (-0.1, 1.01),
                "best": (-0.1, 1.01),
                "relevant": (0.0, -1.0),
                "share_with_one": (-0.1, 1.1),
            },
        ),
        "variance_cap": example(
            means=MEANS,
            n_topics=50,
            refuses={"means": ([75.59], [-0.1]), "n_topics": (1,), "value_range": ((1.0, 0.0), (0.0, 0.5, 1.0))},
        ),
        # mean_intervals
        "mean_interval": example(
            scores=FIRST,
            rng=1,
            method="bca",
            refuses={"scores": ([0.1], [9e-71, 0.0]), "n_resamples": (98,)},
            noise=0.01,
        ),
        # paired_tests, multiple_comparisons
        "ttest_rel": of_two(),
        "wilcoxon_test": of_two(refuses=PAIRED | {"tie_tolerance": (-1.0,), "method": ("exact",)}),
        "sign_test": of_two(refuses=PAIRED | {"tie_threshold": (-0.01,)}),
        "randomization_test": of_two(rng=1, n_resamples=2000),
        "bootstrap_shift_test": of_two(rng=1, n_resamples=2000, noise=0.02),
        "equivalence_test": of_two(margin=0.1, refuses=PAIRED | {"confidence_level": (0.5,)}),
        "compare": of_matrix(
            system_a="s0", system_b="s3", refuses={"system_a": ("nobody",), "system_b": ("nobody", "s0")}
        ),
        "adjust_pvalues": example(
            pvalues=[0.01, 0.04, 0.03], refuses={"pvalues": ([0.5, 1 + 1e-9], [-1e-9]), "n_comparisons": (2,)}
        ),
        "compare_family": of_matrix(
            test="sign",
            baseline="s3",
            rng=1,
            accepts={"rng": ("None",)},
            refuses={"baseline": ("nobody",)},
        ),
        "step_down_max_t": drawn(baseline="s3", refuses={"baseline": ("nobody",)}, noise=0.05),
        "tukey_hsd": of_matrix(refuses={"matrix": (_PARALLEL,)}),
        "randomized_tukey_hsd": of_matrix(rng=1, n_resamples=20_000, noise=0.02),
        "ComparisonFamily.pair": method(lambda: compare_family(matrix()), first="s0", second="s3"),
        "ComparisonFamily.significantly_below": method(lambda: compare_family(matrix()), system="s0"),
        # reliability
        "swap_rates": example(
            scores=matrix(8).scores,
            rng=1,
            sizes=[5, 10],
            n_splits=20,
            refuses={"sizes": ([21], [1]), "scores": ([[0.1, 0.2, 0.3]] * 2,)},
            noise=None,
        ),
        "collection_resolution": example(
            scores=matrix(8), refuses={"scores": (matrix(4), matrix(8, 9), labelled(np.full((5, 10), 0.5)))}, noise=None
        ),
        "SwapRates.pooled_with": method(
            experiment, others=[experiment()], refuses={"others": ([experiment("replacement")],)}
        ),
        "SwapRates.error_rate": method(experiment, n_topics=10, refuses=_EDGES | {"n_topics": (7,)}),
        "SwapRates.curve": method(experiment, refuses=_EDGES),
        "SwapRates.difference_needed": method(experiment, n_topics=20, refuses=_EDGES),
        "significant_shares": example(scores=matrix(8).scores, refuses={"scores": ([[0.1, 0.2, 0.3]] * 2,)}),
        "project_error_rate": example(
            sizes=[5, 10, 15],
            rates=[0.4, 0.2, 0.1],
            n_topics=50,
            refuses={"sizes": ([5, 5, 10], [5, 10]), "rates": ([0.4, 0.2, 0.0], [0.4, 0.2, 1.5])},
        ),
        "compare_effort": example(
            first=noisy_matrix([0.45, 0.43, 0.41, 0.39, 0.37, 0.35], 40),
            second=noisy_matrix([0.45, 0.43, 0.41, 0.39, 0.37, 0.35], 40, seed=7),
            first_effort=100.0,
            second_effort=50.0,
            rng=1,
            sizes=[5, 10, 15],
            n_splits=10,
            refuses=_EDGES | {"second": (matrix(5),), "first_effort": (0.0,), "second_effort": (-1.0,)},
            noise=None,
        ),
        "equal_effort_topics": example(n_topics=50, effort_share=0.14, refuses={"effort_share": (0.0,)}),
        "pool_sizes": example(
            rankings=[{"301": ["a", "b"]}, {"301": ["a", "c"]}],
            depths=[1, 2],
            refuses={"rankings": ([{}], [{"301": []}], [{"301": "abc"}], [{"301": [1]}]), "depths": ([0],)},
        ),
        "topics_needed": example(
            difference=0.02,
            residual_variance=0.0144,
            refuses={"difference": (0.0, 1e-6), "difference_variance": (0.02,), "residual_variance": (0.0,)},
        ),
        "smallest_resolvable_difference": example(
            residual_variance=0.012,
            n_topics=50,
            n_systems=103,
            refuses={"n_topics": (1,), "n_systems": (1,), "variance_degrees_of_freedom": (0.0,)},
        ),
        "precision_of_means": example(scores=matrix().scores, sizes=[5, 10], refuses={"sizes": ([0],)}),
        # standardization
        "StandardizationFactors": example(
            topics=["301", "302"],
            means=[0.2, 0.5],
            sds=[0.1, 0.0],
            n_systems=3,
            refuses={"topics": (["301", "301"],), "means": ([0.1],), "sds": ([0.1, -0.1],), "n_systems": (1,)},
        ),
        "StandardizationFactors.from_dict": example(
            stored=reference_factors(matrix()).to_dict(),
            refuses={"stored": ({}, {"topics": [1], "means": None, "sds": 3, "n_systems": 2}, *_DAMAGED_FACTORS)},
        ),
        "reference_factors": example(reference=matrix(), refuses={"reference": (labelled([[0.1, 0.2]]),)}),
        "standardize": of_matrix(reference=reference_factors(matrix()), refuses={"matrix": (matrix(6, 39),)}),
        "standardize_means": example(
            means=MEANS,
            reference_means=[0.1, 0.2, 0.3],
            refuses={"reference_means": ([0.1], [0.2, 0.2])},
            aligned=("z", "percentile"),
        ),
        "percentile_among": example(means=MEANS, reference_means=[0.1, 0.2, 0.3], aligned=("",)),
        "factor_uncertainty": example(
            reference=matrix(8), rng=1, n_resamples=500, refuses={"reference": (matrix(4),)}, noise=0.02
        ),
        "standardized_mean_uncertainty": of_matrix(
            reference=matrix(8),
            rng=1,
            transform="normal",
            n_resamples=500,
            refuses={"reference": (matrix(4),), "matrix": (matrix(6, 39),)},
            noise=0.1,
        ),
        # trends, records, baselines
        "trend_over_time": example(times=YEARS, values=SCORES_BY_YEAR, refuses=_HISTORY),
        "frontier_trend": example(times=YEARS, values=SCORES_BY_YEAR, refuses=_HISTORY | {"quantile": (0.99,)}),
        "clustered_trend": example(
            times=YEARS,
            values=SCORES_BY_YEAR,
            clusters=PAPERS,
            rng=1,
            n_resamples=99,
            refuses=_HISTORY
            | {"n_resamples": (98,), "clusters": (PAPERS[:-1], [f"lab {number % 9}" for number in range(40)])},
        ),
        "best_against_luck": example(times=YEARS, values=SCORES_BY_YEAR, error=0.02, refuses={"error": (0.0,)}),
        "records_test": example(times=YEARS, values=SCORES_BY_YEAR, refuses={"values": ([0.1],)}),
        "standing_of_papers": example(
            baselines=[0.2, 0.24],
            improved=[0.22, 0.23],
            reference_means=[0.15, 0.21],
            refuses={"improved": ([0.2],)},
        ),
        "baselines_against_known_best": example(
            times=[2001, 2002, 2003],
            baselines=[0.2, 0.21, 0.26],
            improved=[0.25, 0.24, 0.28],
            accepts={"known_before": ("nothing",)},
            refuses={"baselines": ([0.2],), "improved": ([0.2],), "lag": (-1.0,), "times": ([5, 5, 5],)},
        ),
        # non-deterministic systems
        "InstanceScores": example(
            algorithm=["A", "A", "A", "A"],
            instance=["1", "1", "2", "2"],
            topic=["x", "y", "x", "y"],
            score=[0.1, 0.2, 0.3, 0.4],
            refuses={"topic": (["x"] * 4,), "deterministic": (["B"],), "score": ([0.1],)},
        ),
        "InstanceScores.from_array": example(
            scores=instances().scores.reshape(2, 3, 20),
            accepts={"scores": ("nested",)},
            refuses={"algorithms": (["A"], ["A", "A"]), "topics": (["1"],), "deterministic": (["C"],)},
        ),
        "InstanceScores.from_matrices": example(
            matrices={"A": matrix(3), "B": matrix(3, seed=2)},
            refuses={"matrices": ({}, {"A": 3}), "deterministic": (["C"],)},
        ),
        "InstanceScores.from_frame": example(
            frame=FRAME, refuses={"frame": ([[0.1]], FRAME[:0], FRAME[["topic"]]), "deterministic": (["C"],)}
        ),
        "InstanceScores.n_instances_of": method(instances, algorithm="A"),
        "InstanceScores.rows_of": method(instances, algorithm="A"),
        "InstanceScores.select": method(instances, algorithms=["A"], refuses={"algorithms": (["C"], [], ["A", "A"])}),
        "InstanceScores.with_scores": method(instances, scores=instances().scores + 0.1),
        "compare_algorithms": of_instances(),
        "compare_instances": of_instances(),
        "bootstrap_comparison": of_instances(rng=1, n_resamples=19),
        "posterior_difference": of_instances(absent=True, rng=1, n_draws=1000),
        "fit_reml": example(scores=instances(absent=True)),
        "design_power": example(
            components=COMPONENTS,
            size=0.02,
            n_instances=5,
            n_topics=50,
            refuses={"size": (0.0,), "n_instances": (1,), "n_topics": (1,), "components": _NO_COMPONENTS},
        ),
        "instances_and_topics_needed": example(
            components=COMPONENTS,
            size=0.02,
            max_topics=300,
            refuses={"size": (0.0,), "n_instances": ((1,),), "max_topics": (1,), "components": _NO_COMPONENTS},
        ),
        "equivalence_of_difference": example(
            difference=compare_algorithms(instances(), "A", "B"), margin=0.1, refuses=_NO_DIFFERENCE
        ),
        "noninferiority_of_difference": example(
            difference=compare_algorithms(instances(), "A", "B"), margin=0.1, refuses=_NO_DIFFERENCE
        ),
        "interval_against_margin": example(
            interval=Interval(-0.01, 0.02, 0.95),
            margin=0.1,
            refuses={
                "interval": tuple(
                    Interval(*ends, 0.95) for ends in ((0.2, 0.1), (float("nan"), 1.0), (0.0, float("inf")))
                )
            },
        ),
        # meta_analysis
        "meta_analysis": example(
            effects=[0.1, 0.5, 0.2], standard_errors=[0.1, 0.2, 0.1], refuses=_EFFECTS, aligned=("weights",)
        ),
    }
)

_APART = {"first": [0.5, 0.75], "second": [0.25, 0.5]}
_OF_TWO_OR_MORE = (
    "model_confidence_set probability_of_best estimate_winner comparisons_with_best compare_family step_down_max_t"
    " tukey_hsd randomized_tukey_hsd near_copies family_weighted_variance two_way_anova"
)
#: What is refused for what several arguments say together, or for one that another is at fault with.
REFUSED_TOGETHER: list[tuple[str, dict[str, Any]]] = [
    *((name, {"matrix": _ONE}) for name in _OF_TWO_OR_MORE.split()),
    ("analyse_best", {"residual_variance": None}),
    ("analyse_best", {"scale": "published"}),
    ("analyse_best", {"means": [0.3], "scale": "published", "residual_variance": None}),
    ("analyse_summary", {"sd": None}),
    ("best_set_from_means", {"value_range": (0.1, 0.2)}),
    *((name, _APART) for name in ("ttest_rel", "bootstrap_shift_test", "equivalence_test")),
    ("compare_family", {"baseline": None, "alternative": "greater"}),
    ("step_down_max_t", {"baseline": None, "alternative": "greater"}),
    *(
        ("ComparisonFamily.pair", {"self": compare_family(matrix(), baseline="s0", alternative="greater")} | pair)
        for pair in ({"first": "s1", "second": "s2"}, {"first": "s0", "second": "s1"})
    ),
    ("meta_analysis", {"model": "fixed", "inference": "hartung-knapp"}),
    ("swap_rates", {"design": "replacement", "sizes": [41]}),
    *(
        ("SwapRates.pooled_with", {"others": [replace(experiment(), **{name: value})]})
        for name, value in {
            "test": "sign",
            "n_splits": 4,
            "sizes": (5, 10, 19),
        }.items()
    ),
    ("swap_rates", {"top_fraction": 0.1}),
    ("significant_shares", {"top_fraction": 0.1}),
    ("topics_needed", {"residual_variance": None}),
    ("topics_needed", {"residual_variance": None, "difference_variance": -1.0}),
    ("precision_of_means", {"sizes": [41], "replacement": False}),
    ("standardize", {"reference": _ONE, "transform": "empirical"}),
    ("trend_over_time", {"times": range(5001), "values": range(5001)}),
    ("bootstrap_comparison", {"scores": InstanceScores.from_array(np.tile(np.linspace(0.1, 0.9, 20), (2, 3, 1)))}),
    ("bootstrap_comparison", {"n_resamples": 18}),
    ("posterior_difference", {"n_draws": 999}),
    ("judge_run", {"minimum_grade": 3}),
    ("judge_pair", {"minimum_grade": 3}),
    ("split_run", {"run": parse_run("9 Q0 d3 1 2 t\n9 Q0 d5 1 1 t\n9 Q0 d4 1 1 t\n")}),
    ("split_run", {"run": parse_run("1 Q0 d3 1 1 t\n")}),
    (
        "list_agreement",
        {name: [RankedList([], 2, 100)] * 2 for name in ("first", "second")} | {"small_sample_correction": False},
    ),
]
