"""Non-deterministic systems: our closed form, posterior and fit against statsmodels' MixedLM and R's lme4."""

import csv
import shutil
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from statsmodels.regression.mixed_linear_model import MixedLM

from analysis.instances import compare_algorithms, fit_reml, posterior_difference
from analysis.scores import InstanceScores
from tests.analysis.instance_tables import simulated_table
from tests.benchmarks.table import BenchmarkRow, processor_seconds

LARGE, MEDIUM, SMALL = (100, 150), (20, 50), (5, 40)

R_SCRIPT = """
suppressMessages(library(lme4))
data <- read.csv(commandArgs(trailingOnly = TRUE)[1])
start <- sum(proc.time()[1:2])
model <- lmer(score ~ algorithm + (1 | run) + (1 | topic) + (1 | cell), data = data, REML = TRUE)
seconds <- sum(proc.time()[1:2]) - start
cat(seconds, sqrt(vcov(model)[2, 2]))
"""


def rows() -> list[BenchmarkRow]:
    """Time closed form, posterior and fits at the sizes that each rival can hold; all in seconds of a processor."""
    large, small = _scores(*LARGE), _scores(*SMALL)
    posterior = processor_seconds(lambda: posterior_difference(large, "A", "B", 1, n_draws=10_000), 3)
    table = [
        _against_lme4("closed form", _size(LARGE), large),
        BenchmarkRow("posterior, 10,000 draws", _size(LARGE), posterior),
    ]
    for size, absent, words in (
        (LARGE, 1, "one absent"),
        (LARGE, 300, "1 % absent"),
        (LARGE, 6000, "a fifth absent"),
        (MEDIUM, 400, "a fifth absent"),
    ):
        scores = _without(_scores(*size), absent)
        table.append(_against_lme4(f"comparison, {words}", _size(size), scores))
    gappy = _without(large, 6000)
    interval = processor_seconds(lambda: posterior_difference(gappy, "A", "B", 1), 1)
    fitting, error = processor_seconds(lambda: fit_reml(small), 3), fit_reml(small).standard_error
    mixed_seconds, mixed_error = _mixed_lm(small)
    table += [
        BenchmarkRow("interval of the posterior, a fifth absent", _size(LARGE), interval),
        BenchmarkRow("fit by REML", _size(SMALL), fitting, "MixedLM", mixed_seconds, _difference(error, mixed_error)),
    ]
    return table


def _against_lme4(what: str, size: str, scores: InstanceScores) -> BenchmarkRow:
    error = compare_algorithms(scores, "A", "B").standard_error
    seconds = processor_seconds(lambda: compare_algorithms(scores, "A", "B"), 3)
    lme4_seconds, lme4_error = _lme4(scores)
    return BenchmarkRow(what, size, seconds, "R lme4", lme4_seconds, _difference(error, lme4_error))


def _without(scores: InstanceScores, n_absent: int) -> InstanceScores:
    """Return the scores without so many cells, chosen at random."""
    rows, columns = np.divmod(np.random.default_rng(2).permutation(scores.scores.size)[n_absent:], scores.n_topics)
    algorithm, instance = zip(*(scores.instances[row] for row in rows), strict=True)
    topics = [scores.topics[column] for column in columns]
    return InstanceScores(algorithm, instance, topics, scores.scores[rows, columns]).select(["A", "B"])


def _scores(n_instances: int, n_topics: int) -> InstanceScores:
    return InstanceScores.from_array(simulated_table(np.random.default_rng(1), n_instances, n_topics, instance=0.03))


def _size(size: tuple[int, int]) -> str:
    return f"2 x {size[0]} instances x {size[1]} topics = {2 * size[0] * size[1]:,} scores"


def _difference(ours: float, theirs: float | None) -> str:
    return "" if theirs is None else f"standard errors differ by {abs(ours / theirs - 1):.0e}"


def _frame(scores: InstanceScores) -> pd.DataFrame:
    rows, columns = np.nonzero(scores.present)
    algorithm = [scores.instances[row][0] for row in rows]
    return pd.DataFrame(
        {
            "score": scores.scores[rows, columns],
            "algorithm": algorithm,
            "run": rows,
            "topic": columns,
            "cell": [f"{name}{column}" for name, column in zip(algorithm, columns, strict=True)],
            "all": 1,
        }
    )


def _mixed_lm(scores: InstanceScores) -> tuple[float, float]:
    """Fit it. Its equations hold a matrix of scores x scores: 400 scores here, minutes and gigabytes soon after."""
    parts = {name: f"0 + C({name})" for name in ("run", "topic", "cell")}
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = MixedLM.from_formula(
            "score ~ algorithm", groups="all", vc_formula=parts, re_formula="0", data=_frame(scores)
        )
        fit = model.fit(reml=True)
    return time.process_time() - start, float(fit.bse.iloc[1])


def _lme4(scores: InstanceScores) -> tuple[float | None, float | None]:
    if shutil.which("Rscript") is None:
        return None, None
    with tempfile.TemporaryDirectory() as folder:
        data, script = Path(folder, "data.csv"), Path(folder, "fit.R")
        _frame(scores).to_csv(data, index=False, quoting=csv.QUOTE_NONNUMERIC)
        script.write_text(R_SCRIPT)
        answer = subprocess.run(["Rscript", str(script), str(data)], capture_output=True, text=True, check=False)
    if answer.returncode:
        return None, None
    seconds, error = answer.stdout.split()
    return float(seconds), float(error)
