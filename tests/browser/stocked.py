"""A site with a part of all that ships: some leaderboards of models, of papers, and of runs with scores by topic."""

import csv
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from tests.databases import ROOT, collect_static_files, migrated_sqlite

WANTED = {
    ("beir-scifact", "nDCG@10"),
    ("beir-nfcorpus", "nDCG@10"),
    ("beir-fiqa", "nDCG@10"),
    ("beir-arguana", "nDCG@10"),
    *((f"beir-{name}", "nDCG@10") for name in (
        "climate-fever", "dbpedia-entity", "fever", "hotpotqa", "nq", "quora", "scidocs", "trec-covid",
        "webis-touche2020",
    )),
    ("trec-2004-robust", "AP"),
    ("trec-2004-robust", "P@10"),
}  # fmt: skip

#: In one process: starting Django costs more than most of these commands.
LOADING = """
import sys
from pathlib import Path
import django
django.setup()
from django.core.management import call_command
from registry.core.loading import load_shipped_data
list(load_shipped_data(directory=Path(sys.argv[1])))
topics = {"role": "trec_run", "year": "2019", "source": "CLEF-TAR/tar"}
board = {"collection": "clef-tar-2019-abs", "measure": "AP"}
call_command("load_topic_scores", "data/topic_scores/clef-tar-2019-abs__AP.csv", **board, **topics, verbosity=0)
call_command("recompute", processes=1, verbosity=0)
from registry.tools.models import TopicStudy
from registry.tools.pairs import queries, services
TopicStudy.keep(services.study_leaderboard(queries.scored_leaderboards().get().pk))
call_command("index_search", verbosity=0)
"""


def environment_of(home: Path) -> dict[str, str]:
    """Return the variables of the processes of an embedded site; all browsers are one visitor of it."""
    variables = os.environ | {"PLUMBLINE_HOME": str(home), "DJANGO_SETTINGS_MODULE": "registry.settings"}
    variables |= {"OPENBLAS_NUM_THREADS": "1", "PLUMBLINE_COMPUTE_SECONDS": "100000"}
    return {name: value for name, value in variables.items() if name not in {"DATABASE_URL", "REDIS_URL"}}


@contextmanager
def stocked(home: Path, served: Callable[[dict[str, str]], AbstractContextManager[str]]) -> Iterator[str]:
    """Yield its address, for as long as it is needed; ``served`` serves the site of an environment."""
    environment = environment_of(home / "site")
    (home / "site").mkdir()
    (home / "site" / "plumbline.sqlite3").write_bytes(migrated_sqlite().read_bytes())
    collect_static_files(home / "site")
    _narrow(home / "data")
    command = [sys.executable, "-c", LOADING, str(home / "data")]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    with served(environment) as address:
        yield address


def _narrow(directory: Path) -> None:
    """Make a folder in the layout of ``data/`` with the results of these leaderboards alone, and no scores by topic."""
    (directory / "results").mkdir(parents=True)
    for path in (ROOT / "data").glob("*.csv"):
        (directory / path.name).symlink_to(path)
    for path in sorted((ROOT / "data" / "results").glob("*.csv")):
        with path.open(newline="") as source:
            reader = csv.DictReader(source)
            rows = [row for row in reader if (row["collection"], row["measure"]) in WANTED]
        if rows:
            with (directory / "results" / path.name).open("w", newline="") as file:
                writer = csv.DictWriter(file, reader.fieldnames or [])
                writer.writeheader()
                writer.writerows(rows)
