"""``python -m tests.benchmarks [topic …]`` prints the figures of every bench_<topic>.py, or of those named."""

import importlib
import sys
from pathlib import Path

from tests.benchmarks.table import format_table

TOPICS = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


# The client is not installed with the site.
sys.path.insert(0, str(Path(__file__).parents[2] / "clients/python/src"))


def main(wanted: list[str]) -> None:
    unknown = sorted(set(wanted) - set(TOPICS))
    if unknown:
        sys.exit(f"no benchmark named {', '.join(unknown)}; there are {', '.join(TOPICS)}")
    rows = []
    for topic in wanted or TOPICS:
        module = importlib.import_module(f"tests.benchmarks.bench_{topic}")
        rows += [(topic, row) for row in module.rows()]
    print(format_table(rows))


main(sys.argv[1:])
