"""Writes mixed_models_data.csv: simulated scores, some absent, that mixed_models.R fits with lme4.

    python tests/analysis/reference/mixed_models_data.py

Cases: balanced; absent (a fifth of the cells gone); boundary (no instance variance, cells gone); deterministic (the
second algorithm has one execution, cells gone); repeats (as absent, fitted without an instance effect).
"""

import csv
from pathlib import Path

import numpy as np

CASES = {  # n_instances, n_topics, sd of instance, topic, interaction, residual, share absent, deterministic
    "balanced": (6, 12, 0.02, 0.15, 0.05, 0.05, 0.0, False),
    "absent": (5, 14, 0.03, 0.15, 0.05, 0.05, 0.2, False),
    "boundary": (3, 14, 0.0, 0.10, 0.03, 0.08, 0.2, False),
    "deterministic": (6, 16, 0.03, 0.10, 0.04, 0.05, 0.15, True),
}


def main() -> None:
    rng = np.random.default_rng(20140706)
    rows = []
    for case, (n_instances, n_topics, instance, topic, interaction, residual, absent, deterministic) in CASES.items():
        table = 0.4 + rng.normal(0, topic, n_topics) + rng.normal(0, interaction, (2, 1, n_topics))
        noise = rng.normal(0, instance, (2, n_instances, 1)) + rng.normal(0, residual, (2, n_instances, n_topics))
        for algorithm in range(2):
            fixed = deterministic and algorithm == 1
            for number in range(1 if fixed else n_instances):
                for column in range(n_topics):
                    if rng.random() >= absent:
                        score = table[algorithm, 0, column] + (0.0 if fixed else noise[algorithm, number, column])
                        rows.append([case, "AB"[algorithm], number + 1, column + 1, f"{score:.4f}"])
    with Path(__file__).with_name("mixed_models_data.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["case", "algorithm", "instance", "topic", "score"])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
