"""What merged systems and papers are called today."""

from dataclasses import dataclass, replace

from registry.results.models import Paper, System
from registry.results.pipeline.rows import ResultRow


@dataclass(frozen=True)
class MergedNames:
    """What systems and papers that were merged into others are called today: read once, for many rows."""

    systems: dict[tuple[str, str], tuple[str, str]]
    papers: dict[str, str]

    @classmethod
    def read(cls) -> "MergedNames":
        # Neither "is not null" nor in an order: for these SQLite reads the whole table.
        systems = System.objects.order_by().filter(merged_into__gt=0)
        papers = Paper.objects.order_by().filter(merged_into__gt=0)
        names = systems.values_list("name_key", "team_key", "merged_into__name_key", "merged_into__team_key")
        return cls({row[:2]: row[2:] for row in names}, dict(papers.values_list("identity", "merged_into__identity")))

    def today(self, row: ResultRow) -> ResultRow:
        """The row under the names of today, spelled as it came: one result is the same row under each of its names."""
        name_key, team_key = self._system(row.name_key, row.team_key)
        replicate_of, first_team_key = self._system(row.replicate_of, row.first_team_key)
        paper = row.paper
        if paper and paper.identity in self.papers:
            paper = replace(paper, identity=self.papers[paper.identity])
        today = (name_key, team_key, replicate_of, first_team_key, paper)
        if today == (row.name_key, row.team_key, row.replicate_of, row.first_team_key, row.paper):
            return row
        return replace(
            row,
            name_key=name_key,
            team_key=team_key,
            replicate_of=replicate_of,
            first_team_key=first_team_key,
            paper=paper,
        )

    def _system(self, name_key: str, team_key: str) -> tuple[str, str]:
        return self.systems.get((name_key, team_key), (name_key, team_key))
