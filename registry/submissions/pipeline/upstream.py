"""What the record has of an upstream repository, compared with what the repository prints at another commit."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from typing import Any

from analysis.readers.columns import COLUMNS
from analysis.readers.text import comparison_key
from analysis.readers.upstream.checkouts import Checkout
from analysis.readers.upstream.scores import Score, Upstream, base_name
from registry.results.models import Result, Source

_LOCATOR = re.compile(r"(?P<path>.*?)#L(?P<line>\d+)(?:-L\d+)?(?: at (?P<state>\w+))?")
#: Of the record, what a new result of the same system says as well.
_SHARED = ("role", "run_type", "year", "date", "team", "paper", "paper_url")
_FIELDS = {
    "pk": "pk",
    "locator": "locator",
    "printed": "printed",
    "collection": "leaderboard__collection__slug",
    "measure": "leaderboard__measure__name",
    "system": "system__name",
    "team": "system__team",
    "role": "role",
    "run_type": "run_type",
    "year": "year",
    "date": "date",
    "paper": "paper__cite",
    "paper_url": "paper__url",
}
Recorded = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A result that is printed otherwise now."""

    pk: int
    before: str
    printed: str
    locator: str


@dataclass(slots=True, kw_only=True)
class Comparison:
    """What a repository prints otherwise at a commit than the record has it.

    Attributes
    ----------
    new
        Results that are not on the record, as cells of the import format.
    changed, gone
        Results on the record that are printed with another number, and (their ids) that are printed no more.
    n_same
        Results on the record that stand there as they did.
    n_left_out
        New scores of systems whose score under the same measure is on the record already and stands: other revisions.
    unplaced
        What new scores were measured on that is no collection of the record: of how many systems, by what it is called
        there. New scores under a measure that the record does not keep of a collection are passed over.
    unread
        Files that look like results and are not in the form that is known, with what is wrong.
    n_unlocated
        Results on the record that name no line of a file that is read, or none that prints them: they cannot be
        compared. Pages of documents are such files.
    """

    new: list[dict[str, str]] = field(default_factory=list)
    changed: list[Changed] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)
    n_same: int = 0
    n_left_out: int = 0
    unplaced: dict[str, int] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)
    n_unlocated: int = 0


def compare(upstream: Upstream, checkout: Checkout, *, base: str, commit: str) -> Comparison:
    """What the repository prints at ``commit`` that it did not print at ``base``, which was read last.

    ``checkout`` is open. Results are known again by the line that they were read from, at the commit that they were
    read at, so nothing is guessed from names.

    Raises
    ------
    NoCheckout
        If the repository has not one of the commits.
    """
    return _Comparing(upstream, checkout, base, commit).run()


class _Comparing:
    def __init__(self, upstream: Upstream, checkout: Checkout, base: str, commit: str) -> None:
        self._upstream, self._checkout = upstream, checkout
        self._base, self._commit = checkout.commit(base), checkout.commit(commit)
        self._found = Comparison()
        self._trees: dict[str, dict[str, str]] = {}
        self._standing: dict[tuple[str, str, str], Recorded] = {}
        #: What is on record, by the state, the file and the line that it was read from.
        self._by_place: dict[str, dict[str, dict[int, list[Recorded]]]] = defaultdict(
            lambda: defaultdict(lambda: defaultdict(list))
        )
        self._whole = cache(checkout.commit)

    def run(self) -> Comparison:
        self._read_record()
        now = self._tree(self._commit)
        differing = {
            state: {path for path in files if self._tree(state).get(path) != now.get(path)}
            for state, files in self._by_place.items()
        }
        self._found.n_same += sum(
            len(rows)
            for state, files in self._by_place.items()
            for path, lines in files.items()
            if path not in differing[state]
            for rows in lines.values()
        )
        base = self._tree(self._base)
        to_read = {path for path, blob in now.items() if base.get(path) != blob}
        to_read |= {path for paths in differing.values() for path in paths if path in now}
        printed = self._scores(self._commit, to_read)
        before = self._scores(self._base, {path for path, blob in base.items() if now.get(path) != blob})
        gone = self._compare_recorded(differing, printed)
        fresh = [(path, score) for key, (path, score) in printed.items() if key not in before]
        self._add_new(fresh, gone)
        self._found.gone = sorted(gone)
        return self._found

    def _read_record(self) -> None:
        first = Source.objects.get(name=self._upstream.source).state
        rows = Result.objects.standing().filter(source=self._upstream.source).order_by("pk")
        for values in rows.values_list(*_FIELDS.values()):
            row = dict(zip(_FIELDS, values, strict=True))
            place = _LOCATOR.fullmatch(row["locator"])
            self._standing[row["collection"], row["measure"], comparison_key(row["system"])] = row
            if place is None or not self._upstream.has_results(place["path"]):
                self._found.n_unlocated += 1
                continue
            # Where a locator names no commit, its line is of the state in which the source was first read.
            state = self._whole(place["state"] or first)
            self._by_place[state][place["path"]][int(place["line"])].append(row)

    def _tree(self, commit: str) -> dict[str, str]:
        if commit not in self._trees:
            files = self._checkout.files(commit)
            self._trees[commit] = {path: blob for path, blob in files.items() if self._upstream.has_results(path)}
        return self._trees[commit]

    def _scores(self, commit: str, paths: Iterable[str]) -> dict[tuple[str, ...], tuple[str, Score]]:
        """What the files print at a commit, with the file, by what tells scores apart."""
        found = {}
        for path, text in self._checkout.texts(commit, sorted(paths)):
            try:
                for score in self._upstream.read(path, text):
                    found[score.key] = path, score
            except (ValueError, KeyError, TypeError, IndexError) as error:
                self._found.unread[path] = f"{type(error).__name__}: {error}"
        return found

    def _recorded_scores(self, state: str, paths: Iterable[str]) -> Iterator[tuple[Recorded, Score]]:
        """What is on record of these files, with the scores that it was read from."""
        for path, score in self._scores(state, paths).values():
            rows = self._by_place[state][path].get(score.line, [])
            if len(rows) > 1:
                # Some files have one line. What the name and the number leave open stays so.
                told = comparison_key(score.system), score.printed
                rows = [row for row in rows if (comparison_key(row["system"]), row["printed"]) == told]
            if len(rows) == 1:
                yield rows[0], score

    def _compare_recorded(
        self, differing: Mapping[str, set[str]], printed: Mapping[tuple[str, ...], tuple[str, Score]]
    ) -> dict[int, Recorded]:
        """Count what stands and note what changed; what is printed no more is given back, by its id."""
        gone: dict[int, Recorded] = {}
        for state, paths in differing.items():
            waiting = {
                row["pk"]: row for path in paths for rows in self._by_place[state][path].values() for row in rows
            }
            for row, score in self._recorded_scores(state, paths):
                del waiting[row["pk"]]
                if score.key in printed:
                    self._judge(row, *printed[score.key])
                else:
                    gone[row["pk"]] = row
            # Their files print no such number at the state that they name.
            self._found.n_unlocated += len(waiting)
        return gone

    def _judge(self, row: Recorded, path: str, score: Score) -> None:
        if is_same_number(row["printed"], score.printed):
            self._found.n_same += 1
        else:
            self._found.changed.append(
                Changed(pk=row["pk"], before=row["printed"], printed=score.printed, locator=self._locator(path, score))
            )

    def _locator(self, path: str, score: Score) -> str:
        return f"{path}#L{score.line} at {self._commit[:10]}"

    def _add_new(self, fresh: list[tuple[str, Score]], gone: dict[int, Recorded]) -> None:
        """Place every new score; one in place of a score that is gone is a change of that."""
        if not fresh:
            return
        known = _Places(self._samples({base_name(path) for path, _ in fresh}))
        cells = _Cells(self._standing.values())
        taken = set()
        unplaced = set()
        # What others ran leads what makers say of their own; else the order of the files decides.
        for path, score in sorted(fresh, key=lambda one: one[1].is_self_reported):
            collection = known.collection(score)
            if collection is None:
                unplaced.add((score.places[0] if score.places else path, score.system))
                continue
            measure = known.measure(collection, score)
            key = (collection, measure or "", comparison_key(score.system))
            if measure is None or key in taken:
                continue
            taken.add(key)
            row = self._standing.get(key)
            if row is None:
                self._found.new.append(
                    cells.of(score, collection, measure, self._upstream.source, self._locator(path, score))
                )
            elif row["pk"] in gone:
                self._judge(gone.pop(row["pk"]), path, score)
            else:
                self._found.n_left_out += 1
        self._found.unplaced = dict(Counter(place for place, _ in unplaced).most_common())

    def _samples(self, names: set[str]) -> Iterator[tuple[Recorded, Score]]:
        """Results on record with their scores: of every collection and measure one, of files of these names first.

        Where no file of such a name is on record, of all files.
        """
        wanted: dict[str, list[str]] = defaultdict(list)
        seen: set[tuple[str, str, str]] = set()
        is_known = any(base_name(path) in names for files in self._by_place.values() for path in files)
        for state, files in self._by_place.items():
            for path, lines in files.items():
                name = base_name(path)
                boards = {(name, row["collection"], row["measure"]) for rows in lines.values() for row in rows}
                if (name in names or not is_known) and not boards <= seen:
                    seen |= boards
                    wanted[state].append(path)
        for state, paths in wanted.items():
            yield from self._recorded_scores(state, paths)


class _Places:
    """Which collection and measure a repository means, learned from what is on record of it."""

    def __init__(self, samples: Iterable[tuple[Recorded, Score]]) -> None:
        self._collections: dict[str, set[str]] = defaultdict(set)
        self._measures: dict[tuple[str, str], set[str]] = defaultdict(set)
        for row, score in samples:
            for place in score.places:
                self._collections[place].add(row["collection"])
            self._measures[row["collection"], score.measure].add(row["measure"])

    def collection(self, score: Score) -> str | None:
        """The slug of the collection of a score; None where nothing on record tells, or it tells several."""
        found = (self._collections[place] for place in score.places if len(self._collections.get(place, ())) == 1)
        return next((slug for (slug,) in found), None)

    def measure(self, collection: str, score: Score) -> str | None:
        """The measure of a score on the collection; None where the record keeps none of that name there."""
        measures = self._measures.get((collection, score.measure), set())
        return next(iter(measures)) if len(measures) == 1 else None


class _Cells:
    """What a new result says beside its score: what the record says of the same system, else what it says of all."""

    def __init__(self, recorded: Iterable[Recorded]) -> None:
        self._by_system: dict[str, Recorded] = {}
        values: dict[str, set[Any]] = {name: set() for name in _SHARED}
        for row in recorded:
            self._by_system.setdefault(comparison_key(row["system"]), row)
            for name in _SHARED:
                values[name].add(row[name])
        self._of_all = {name: next(iter(said)) for name, said in values.items() if len(said) == 1}
        self._role = Counter(row["role"] for row in self._by_system.values()).most_common(1)

    def of(self, score: Score, collection: str, measure: str, source: str, locator: str) -> dict[str, str]:
        """The cells of the import format."""
        shared: Mapping[str, Any] = self._by_system.get(comparison_key(score.system), self._of_all)
        maker = score.system.partition("/")[0] if "/" in score.system else ""
        cells = dict.fromkeys(COLUMNS, "") | {name: str(shared.get(name) or "") for name in _SHARED}
        return cells | {
            "collection": collection,
            "measure": measure,
            "system": score.system,
            "value": score.printed,
            "role": cells["role"] or (self._role[0][0] if self._role else ""),
            "team": cells["team"] or maker,
            "source": source,
            "locator": locator,
            "self_reported": "yes" if score.is_self_reported else "",
        }


def is_same_number(one: str, other: str) -> bool:
    """Whether two prints are one number to as many decimals as the shorter has.

    >>> is_same_number("0.7176470588235293", "0.717647"), is_same_number("0.4485", "0.4857")
    (True, False)
    """
    first, second = Decimal(one), Decimal(other)
    unit = max(first, second, key=lambda number: int(number.as_tuple().exponent))
    return first.quantize(unit) == second.quantize(unit)
