"""Results that their own source, their members or a twin refute: none of them may compete, and each says why.

``data/refuted.csv`` holds what was found where sources were read as a whole; the rest is computed from the record.
"""

import logging
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from analysis.readers.text import comparison_key
from registry.accounts.models import User
from registry.core.shipping import shipped_rows
from registry.curation.suites.models import SuiteMember
from registry.journal.verifying import Report, Share
from registry.results.models import Result

logger = logging.getLogger(__name__)
#: What is looked for, and what each kind is called. Of the kinds in ``NOTED`` a row competes, and has a note.
KINDS: Mapping[str, str] = {
    "partial-mean": "means over some of their members",
    "unequal-mean": "means that are not those of their members",
    "impossible": "results in an impossible block of scores",
    "unequal-at-1": "results beside which RR@1 is not P@1",
    "same-run": "further names of one run",
    "shard": "parts of an index",
    "copied": "results of models with the scores of another",
}
NOTED = frozenset({"unequal-mean", "unequal-at-1", "copied"})
#: How far rounding may set an average off from the mean of its parts: both printed to three decimals.
ROUNDING = 0.001
#: So many measures of a collection must agree, and all that two runs share.
_MIN_ALIKE, _MIN_ALIKE_OF_TREC = 4, 5
#: Digits that every source prints.
_DIGITS = 4
_SAME_AS = re.compile(r"(?:^|; )the same (?:scores|run) as (.+?)(?=; |, before that processing|$)")
_PROCESSED = "(NIST post-processed)"
_SHARD = re.compile(r"\bshard\d+\b", re.IGNORECASE)


class Row(NamedTuple):
    """A standing result, with what tells it from others."""

    result: int
    collection: str
    measure: str
    system: str
    team: str
    source: str
    value: float
    role: str
    comparability: str
    first: int | None
    notes: str

    @property
    def key(self) -> tuple[str, ...]:
        return self[1:6]

    @property
    def competes(self) -> bool:
        return self.comparability == Result.Comparability.STANDARD and self.first is None

    @property
    def run(self) -> tuple[str, ...]:
        return self.system, self.team, self.source


class Refuted(NamedTuple):
    """What refutes a result; ``stands`` says whether the row answers it: it does not compete, or has the note."""

    kind: str
    result: int
    says: str
    stands: bool

    @property
    def address(self) -> str:
        return f"/results/{self.result}/"


def refuted_results() -> list[Refuted]:
    """Return every standing result that something refutes, once for each kind."""
    columns = (
        "pk", "leaderboard__collection__slug", "leaderboard__measure__name", "system__name_key", "system__team_key",
        "source", "value", "role", "comparability", "replicate_of_id", "notes",
    )  # fmt: skip
    rows = [Row(*values) for values in Result.objects.standing().values_list(*columns).iterator()]
    found = [*_gathered(rows), *_of_means(rows), *_of_names(rows), *_of_twins(rows)]
    return list({(one.kind, one.result): one for one in reversed(found)}.values())


def check_refuted(share: Share) -> Report:
    """Return how many results are refuted, and those that compete all the same."""
    found = [one for one in refuted_results() if share.takes(one.result)]
    return Report(len(found), [f"{one.kind}: {one.address} {one.says}" for one in found if not one.stands])


def warn_of_refuted(*, actor: User | None = None, reason: str = "") -> None:
    """Log each result that competes although something refutes it, at the end of a load."""
    for one in refuted_results():
        if not one.stands:
            logger.warning("%s: %s %s", one.kind, one.address, one.says)


def _gathered(rows: Iterable[Row]) -> Iterator[Refuted]:
    """Yield what was found in sources, as far as the rows stand."""
    by_key = {row.key: row for row in rows}
    for fact in shipped_rows("refuted.csv"):
        names = (comparison_key(fact["system"]), comparison_key(fact["team"]))
        row = by_key.get((fact["collection"], fact["measure"], *names, fact["source"]))
        if row:
            stands = fact["says"] in row.notes and (fact["kind"] in NOTED or not row.competes)
            yield Refuted(fact["kind"], row.result, fact["says"], stands)


def _of_means(rows: Iterable[Row]) -> Iterator[Refuted]:
    """Yield means that compete and are over some members, or are not the mean of all and don't say so."""
    parts: dict[tuple[str, str], set[str]] = defaultdict(set)
    names = ("part_of__collection__slug", "measure__name", "collection__slug")
    for whole, measure, part in SuiteMember.objects.exclude(part_of=None).values_list(*names):
        parts[whole, measure].add(part)
    scores = {(row.collection, row.measure, *row.run): row.value for row in rows}
    for row in rows:
        of = parts.get((row.collection, row.measure), set())
        known = [score for part in of if (score := scores.get((part, row.measure, *row.run))) is not None]
        if not (known and row.competes) or "the mean of its" in row.notes:
            continue
        mean = sum(known) / len(known)
        is_equal = abs(mean - row.value) <= ROUNDING
        if is_equal and len(known) < len(of):
            yield Refuted("partial-mean", row.result, f"A mean over {len(known)} of {len(of)} members.", False)
        elif not is_equal and len(known) == len(of):
            yield Refuted("unequal-mean", row.result, f"The mean of its {len(of)} members is {mean:.4f}.", False)


def _of_names(rows: Iterable[Row]) -> Iterator[Refuted]:
    """Yield parts of an index, and further names of runs, which the row that competes must have the scores of."""
    by_name = {(row.collection, row.measure, row.system): row for row in rows if row.competes}
    for row in rows:
        if _SHARD.search(row.system):
            says = "Its name says that it is one part of an index."
            yield Refuted("shard", row.result, says, not row.competes)
        if row.comparability == Result.Comparability.SAME_RUN:
            names = _SAME_AS.findall(row.notes)
            first = by_name.get((row.collection, row.measure, comparison_key(names[0]))) if names else None
            stands = first is not None and (names[0].endswith(_PROCESSED) or _alike(first, row))
            yield Refuted("same-run", row.result, f"It is said to be {names[0] if names else 'another row'}.", stands)


def _alike(one: Row, other: Row) -> bool:
    return round(one.value, _DIGITS) == round(other.value, _DIGITS)


def _of_twins(rows: Iterable[Row]) -> Iterator[Refuted]:
    """Yield runs of toolkits and of tracks that have all scores of another on their collection, and compete too."""
    runs: dict[str, dict[tuple[str, ...], dict[str, Row]]] = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        if row.competes and row.role in (Result.Role.TREC_RUN, Result.Role.REFERENCE_IMPLEMENTATION) and row.value:
            runs[row.collection][row.run][row.measure] = row
    for of_runs in runs.values():
        alike: dict[tuple[str, float], list[tuple[str, ...]]] = defaultdict(list)
        for run, scores in of_runs.items():
            for measure, row in scores.items():
                alike[measure, round(row.value, _DIGITS)].append(run)
        pairs = Counter(pair for some in alike.values() for pair in combinations(sorted(some), 2))
        for (one, other), n_alike in pairs.items():
            shared = of_runs[one].keys() & of_runs[other].keys()
            is_trec = next(iter(of_runs[one].values())).role == Result.Role.TREC_RUN
            if n_alike == len(shared) >= (_MIN_ALIKE_OF_TREC if is_trec else _MIN_ALIKE):
                for measure in sorted(shared):
                    says = f"All of its {n_alike} scores are those of {one[0]}."
                    yield Refuted("same-run", of_runs[other][measure].result, says, False)
