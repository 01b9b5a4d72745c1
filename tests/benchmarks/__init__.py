"""Speed and accuracy against what people would use otherwise: ``python -m tests.benchmarks [topic …]``."""
