"""Systems and files of lineages for tests."""

from pathlib import Path
from typing import Any

from registry.core.loading import LoadReport
from registry.curation.lineage.queries import lineage_of
from registry.curation.lineage.services import load_statements
from registry.results.models import Result
from tests.registry.factory import make_leaderboard, make_result, make_system


class Row:
    """A result as a leaderboard lists it: what ``lineage_of`` reads."""

    def __init__(self, result: Result) -> None:
        self.id = result.pk
        self.system_id = result.system_id
        self.team = result.system.team
        self.paper_id = result.paper_id


def make_of(name: str, team: str = "", **fields: Any) -> Result:
    """Make a result of a system of this name and team."""
    return make_result(fields.pop("leaderboard", None) or make_leaderboard(), make_system(name, team), **fields)


def keys_of(result: Result, **options: Any) -> tuple[str, ...]:
    """Return the lineage of one result."""
    return lineage_of([Row(result)], **options)[result.pk]


def load_lineage(folder: Path, *lines: str) -> LoadReport:
    """Load a file of lineages with these lines."""
    return load_statements(path=_write(folder, "lineage.csv", "system,team,key,source", lines))


def decide(folder: Path, *lines: str) -> LoadReport:
    """Load a file of decisions with these lines."""
    return load_statements(path=_write(folder, "decisions.csv", "decision,system,team,key,into,reason", lines))


def load_training(folder: Path, *lines: str) -> LoadReport:
    """Load a file of what sources say of training with these lines."""
    short = "system,team,declared,how,source,collections"
    header = "system,team,declared,dataset,split,evidence,quotation,source,date,confidence,how,collections"
    header = short if lines and lines[0].count(",") == short.count(",") else header
    return load_statements(path=_write(folder, "training.csv", header, lines))


def load_paper_links(folder: Path, *lines: str) -> LoadReport:
    """Load a file of papers about systems with these lines."""
    header = "system,team,year,paper,paper_url,relation,source"
    return load_statements(path=_write(folder, "system_papers.csv", header, lines))


def load_collection_papers(folder: Path, *lines: str) -> LoadReport:
    """Load a file of papers on collections with these lines."""
    header = "collection,place,role,paper,paper_url,source"
    return load_statements(path=_write(folder, "collection_papers.csv", header, lines))


def _write(folder: Path, name: str, header: str, lines: tuple[str, ...]) -> Path:
    path = folder / name
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    return path
