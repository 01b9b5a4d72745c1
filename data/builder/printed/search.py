"""Looking results up in the files of their sources."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from analysis.readers.upstream.checkouts import Checkout
from builder.lines import Reader, is_same, without_line
from builder.printed.boards import ms_marco_table, mteb_file, robust04_papers, tirex_file
from builder.printed.toolkits import anserini_file, pyserini_file, rank_llm_file
from builder.printed.trec import trec_summary
from builder.tables import Row

#: How the files of each source are read.
READERS: dict[str, Reader] = {
    "usnistgov/trec-browser": trec_summary,
    "embeddings-benchmark/results": mteb_file,
    "castorini/anserini": anserini_file,
    "castorini/pyserini": pyserini_file,
    "castorini/rank_llm": rank_llm_file,
    "tira-io/ir-experiment-platform": tirex_file,
    "lintool/robust04-analysis": robust04_papers,
    "microsoft/MSMARCO-Passage-Ranking-Submissions": ms_marco_table,
}


class Outcome(StrEnum):
    """The outcome of looking a row up."""

    FOUND = "found"
    #: The scores of run files are computed, and matrices print none.
    NO_PRINT = "not printed"
    NO_FILE = "no such file"
    NOT_FOUND = "not found in the file"
    DIFFERS = "another number there"


@dataclass
class Search:
    """Looks results up in copies of the repositories that they were taken from, at ``FOLDER/owner/name``.

    ``states`` has the commit of each source, ``collections`` the rows of ``collections.csv`` by slug.
    """

    folder: Path
    states: Mapping[str, str]
    collections: Mapping[str, Row]
    counts: dict[str, Counter[Outcome]] = field(default_factory=lambda: defaultdict(Counter))
    differing: list[str] = field(default_factory=list)

    def find(self, rows: Iterable[Row]) -> list[Row]:
        """Return the rows, those that were found with their lines and the numbers as they are printed there."""
        located = [row | {"locator": without_line(row.get("locator", ""))} for row in rows]
        by_file: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for index, row in enumerate(located):
            by_file[row["source"]][row["locator"]].append(index)
        for source, files in by_file.items():
            with Checkout(self.folder / source) as checkout:
                for path, indices in files.items():
                    lookup = self._lookup(source, path, checkout)
                    for index in indices:
                        located[index], outcome = lookup(located[index])
                        self.counts[source][outcome] += 1
        return located

    def _lookup(self, source: str, path: str, checkout: Checkout) -> Callable[[Row], tuple[Row, Outcome]]:
        """Return how the rows of a file are looked up in it."""
        # What is of another state is a run file: its scores were computed.
        if source not in READERS or not path or " at " in path:
            return lambda row: (row, Outcome.NO_PRINT)
        text = checkout.read(self.states[source], path)
        if text is None:
            return lambda row: (row, Outcome.NO_FILE)
        find, lines = READERS[source](text), text.split("\n")

        def look_up(row: Row) -> tuple[Row, Outcome]:
            printed = find(self.collections[row["collection"]] | {"date": ""} | row)
            if printed is None:
                return row, Outcome.NOT_FOUND
            place = f"{path}#L{printed.line}"
            if printed.text not in lines[printed.line - 1]:
                raise ValueError(f"{place} in {source} does not hold {printed.text}")
            if not is_same(printed.text, row["value"]):
                named = f"{row['collection']}, {row['measure']}, {row['system']}"
                self.differing.append(f"{named}: {row['value']} here, {printed.text} in {place}")
                return row, Outcome.DIFFERS
            return row | {"locator": place, "value": printed.text}, Outcome.FOUND

        return look_up
