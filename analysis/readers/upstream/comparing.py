"""Comparing the record of a repository's results with what the repository prints at another commit."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from analysis.readers.columns import COLUMNS
from analysis.readers.names import measure_key
from analysis.readers.numbers import doubt
from analysis.readers.text import comparison_key
from analysis.readers.upstream.checkouts import Checkout
from analysis.readers.upstream.scores import Score, Upstream, base_name

_LOCATOR = re.compile(r"(?P<path>.*?)#L(?P<line>\d+)(?:-L\d+)?(?: at (?P<state>\w+))?")
#: How notes begin that are about the other scores of a file.
_OF_BLOCK = re.compile(r"impossible in its file: |RR@1 \(")
#: Of the record, what a new result of the same system says as well.
_SHARED = ("role", "run_type", "year", "date", "team", "paper", "paper_url")
#: A row of a file of results: cells by column.
Row = dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A row whose result is printed otherwise now."""

    row: Row
    before: str
    now: Row


@dataclass(slots=True, kw_only=True)
class Comparison:
    """The differences between what a repository prints at a commit and the rows on record.

    Attributes
    ----------
    base, commit
        The commit that was read last, and the one that is read now.
    new
        Results that are not on record, as rows.
    changed, gone
        Rows on record that are printed with another number, and that are printed no more.
    n_same
        Rows on record that stand there as they did.
    n_left_out
        New scores of systems whose score under the same measure is on record already and stands: other revisions.
    proposed
        Collections that the repository had nothing of before, as rows of ``collections.csv``; their scores are new.
    unplaced
        What other new scores were measured on that is no collection of the record: of how many systems, by what it is
        called there. New scores under a measure that the record does not keep of a collection are passed over.
    unread
        Files that look like results and are not in the form that is known, with what is wrong.
    n_unlocated
        Rows on record that name no line of a file that is read, or none that prints them: they cannot be compared.
        Pages of documents are such files.
    """

    base: str
    commit: str
    new: list[Row] = field(default_factory=list)
    changed: list[Changed] = field(default_factory=list)
    gone: list[Row] = field(default_factory=list)
    n_same: int = 0
    n_left_out: int = 0
    proposed: list[Row] = field(default_factory=list)
    unplaced: dict[str, int] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)
    n_unlocated: int = 0


def compare(upstream: Upstream, checkout: Checkout, *, rows: Sequence[Row], state: str, commit: str) -> Comparison:
    """Return what the repository prints at ``commit`` that the rows of its source do not say.

    ``checkout`` is open; ``state`` is the commit of rows whose locators name none. Rows are known again by the line
    that they were read from, at the commit that they were read at, so nothing is guessed from names.

    Raises
    ------
    NoCheckout
        If the repository has not one of the commits.
    """
    return _Comparing(upstream, checkout, rows, state, commit).run()


class _Comparing:
    def __init__(self, upstream: Upstream, checkout: Checkout, rows: Sequence[Row], state: str, commit: str) -> None:
        self._upstream, self._checkout = upstream, checkout
        self._trees: dict[str, dict[str, str]] = {}
        self._rows = {_key(row): row for row in rows}
        #: What is on record, by the state, the file and the line that it was read from.
        self._by_place: dict[str, dict[str, dict[int, list[Row]]]] = defaultdict(
            lambda: defaultdict(lambda: defaultdict(list))
        )
        #: The scores of each block of a file, by measure.
        self._blocks: dict[tuple[str, ...], dict[str, float]] = defaultdict(dict)
        #: What the repository had before: names of files that stand as they did, places in the others.
        self._unread: set[str] = set()
        self._placed: set[str] = set()
        n_unlocated = 0
        whole = {"": checkout.commit(state)}
        for row in rows:
            place = _LOCATOR.fullmatch(row["locator"])
            if place is None or not upstream.has_results(place["path"]):
                n_unlocated += 1
                continue
            named = place["state"] or ""
            whole[named] = whole.get(named) or checkout.commit(named)
            self._by_place[whole[named]][place["path"]][int(place["line"])].append(row)
        base = checkout.newest(list(whole.values()))
        self._comparison = Comparison(base=base, commit=checkout.commit(commit), n_unlocated=n_unlocated)

    def run(self) -> Comparison:
        now = self._tree(self._comparison.commit)
        differing = {state: self._differing(state, files, now) for state, files in self._by_place.items()}
        self._comparison.n_same += sum(
            len(rows)
            for state, files in self._by_place.items()
            for path, lines in files.items()
            if path not in differing[state]
            for rows in lines.values()
        )
        base = self._tree(self._comparison.base)
        moved = _moved(base, now)
        to_read = {path for path, blob in now.items() if base.get(path) != blob} - set(moved.values())
        to_read |= {path for paths in differing.values() for path in paths if path in now}
        printed = self._scores(self._comparison.commit, to_read)
        for key, (_, score) in printed.items():
            self._blocks[key[:-1]][key[-1]] = float(score.printed)
        left = {path for path, blob in base.items() if now.get(path) != blob} - set(moved)
        before = self._scores(self._comparison.base, left)
        gone = self._compare_recorded(differing, printed)
        fresh = [(path, score) for key, (path, score) in printed.items() if key not in before]
        self._unread = {base_name(path) for path, blob in base.items() if now.get(path) == blob}
        self._placed = {place for _, score in before.values() for place in score.places}
        self._add_new(fresh, gone)
        self._comparison.gone = list(gone.values())
        return self._comparison

    def _differing(self, state: str, paths: Iterable[str], now: Mapping[str, str]) -> set[str]:
        """Return which of these files are no more what they were; one that only moved is."""
        then = self._tree(state)
        moved = _moved(then, now)
        return {path for path in paths if then.get(path) != now.get(moved.get(path, path))}

    def _tree(self, commit: str) -> dict[str, str]:
        if commit not in self._trees:
            files = self._checkout.files(commit)
            self._trees[commit] = {path: blob for path, blob in files.items() if self._upstream.has_results(path)}
        return self._trees[commit]

    def _scores(self, commit: str, paths: Iterable[str]) -> dict[tuple[str, ...], tuple[str, Score]]:
        """Return what the files print at a commit, with the file, by what tells scores apart."""
        scores = {}
        for path, text in self._checkout.texts(commit, sorted(paths)):
            try:
                for score in self._upstream.read(path, text):
                    scores[score.key] = path, score
            except (ValueError, KeyError, TypeError, IndexError) as error:
                self._comparison.unread[path] = f"{type(error).__name__}: {error}"
        return scores

    def _recorded_scores(self, state: str, paths: Iterable[str]) -> Iterator[tuple[Row, Score]]:
        """Yield what is on record of these files, with the scores that it was read from."""
        for path, score in self._scores(state, paths).values():
            rows = self._by_place[state][path].get(score.line, [])
            if len(rows) > 1:
                # Some files have one line. What the name and the number leave open stays so.
                identity = comparison_key(score.system), score.printed
                rows = [row for row in rows if (comparison_key(row["system"]), row["value"]) == identity]
            if len(rows) == 1:
                yield rows[0], score

    def _compare_recorded(
        self, differing: Mapping[str, set[str]], printed: Mapping[tuple[str, ...], tuple[str, Score]]
    ) -> dict[int, Row]:
        """Count what stands and note what changed; return what is printed no more, by the identity of its row."""
        gone: dict[int, Row] = {}
        for state, paths in differing.items():
            waiting = {id(row) for path in paths for rows in self._by_place[state][path].values() for row in rows}
            for row, score in self._recorded_scores(state, paths):
                waiting.discard(id(row))
                if score.key in printed:
                    self._judge(row, *printed[score.key])
                else:
                    gone[id(row)] = row
            # Their files print no such number at the state that they name.
            self._comparison.n_unlocated += len(waiting)
        return gone

    def _judge(self, row: Row, path: str, score: Score) -> None:
        if is_same_number(row["value"], score.printed):
            self._comparison.n_same += 1
        else:
            now = {"value": score.printed, "locator": self._locator(path, score)} | _evaluated(score)
            now |= self._doubt(score, row["notes"]) if "notes" in row else {}
            self._comparison.changed.append(Changed(row=row, before=row["value"], now=now))

    def _doubt(self, score: Score, notes: str = "") -> Row:
        """Return the cells of a row whose score contradicts others of its file, in place of those that it had."""
        cells = doubt(self._blocks[score.key[:-1]])
        before = [note for note in notes.split("; ") if note]
        others = [note for note in before if not _OF_BLOCK.match(note)]
        if others == before and not cells:
            return {}
        freed = {"comparability": "standard"} if any(note.startswith("impossible") for note in before) else {}
        return freed | cells | {"notes": "; ".join([*others, *filter(None, [cells.get("notes")])])}

    def _locator(self, path: str, score: Score) -> str:
        return f"{path}#L{score.line} at {self._comparison.commit[:10]}"

    def _add_new(self, fresh: list[tuple[str, Score]], gone: dict[int, Row]) -> None:
        """Place every new score; where it stands for a score that is gone, that row has changed."""
        if not fresh:
            return
        known = _Places(self._samples({base_name(path) for path, _ in fresh}))
        cells = _Cells(self._rows.values())
        taken = set()
        unplaced = set()
        unheard = []
        # What others ran leads what makers say of their own; else the order of the files decides.
        for path, score in sorted(fresh, key=lambda pair: pair[1].is_self_reported):
            collection = known.collection(score)
            if collection is None:
                # The repository had nothing of its place before.
                if base_name(path) not in self._unread and score.places and self._placed.isdisjoint(score.places):
                    unheard.append((path, score))
                else:
                    unplaced.add((score.places[0] if score.places else path, score.system))
                continue
            measure = known.measure(collection, score)
            key = (collection, measure or "", comparison_key(score.system))
            if measure is None or key in taken:
                continue
            taken.add(key)
            row = self._rows.get(key)
            if row is None:
                locator = self._locator(path, score)
                row = cells.of(score, collection, measure, self._upstream.source, locator)
                self._comparison.new.append(row | self._doubt(score))
            elif id(row) in gone:
                self._judge(gone.pop(id(row)), path, score)
            else:
                self._comparison.n_left_out += 1
        unplaced |= self._propose(unheard, cells)
        self._comparison.unplaced = dict(Counter(place for place, _ in unplaced).most_common())

    def _propose(self, unheard: Iterable[tuple[str, Score]], cells: "_Cells") -> set[tuple[str, str]]:
        """Propose a collection for each place, with its scores under the usual measure; return what has none of it."""
        usual = Counter(row["measure"] for row in self._rows.values()).most_common(1)[0][0]
        places: dict[str, dict[str, tuple[str, Score]]] = defaultdict(dict)
        for path, score in unheard:
            of_place = places[score.places[-1]]
            if measure_key(score.measure) == measure_key(usual):
                of_place.setdefault(comparison_key(score.system), (path, score))
        for place, scores in places.items():
            if not scores:
                continue
            collection = self._described(place, *next(iter(scores.values())))
            self._comparison.proposed.append(collection)
            for path, score in scores.values():
                locator = self._locator(path, score)
                row = cells.of(score, collection["slug"], usual, self._upstream.source, locator)
                self._comparison.new.append(row | self._doubt(score))
        return {(score.places[-1], score.system) for _, score in unheard if not places[score.places[-1]]}

    def _described(self, place: str, path: str, score: Score) -> Row:
        """Return what the repository says of a collection that it calls so, by column of ``collections.csv``."""
        about: Row = {"name": place, "notes": "", **score.about}
        read = f"proposed from {self._upstream.source}, {path} at {self._comparison.commit[:10]}"
        notes = "; ".join(filter(None, [about["notes"], read, "its topics, documents and judgements are to be said"]))
        slug = re.sub(r"[^a-z0-9]+", "-", about["name"].casefold()).strip("-")
        address = f"https://github.com/{self._upstream.source}"
        return {"slug": slug, "aliases": place, "url": address} | about | {"notes": notes}

    def _samples(self, names: set[str]) -> Iterator[tuple[Row, Score]]:
        """Yield rows with their scores: one for every collection and measure, of files of these names first.

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


def _moved(then: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """Return where files stand now whose content is the same under another path, by the path that they had."""
    fresh = {blob: path for path, blob in now.items() if path not in then}
    return {path: fresh[blob] for path, blob in then.items() if path not in now and blob in fresh}


def _key(row: Row) -> tuple[str, str, str]:
    return row["collection"], row["measure"], comparison_key(row["system"])


class _Places:
    """The collections and measures that a repository means, learned from what is on record of it."""

    def __init__(self, samples: Iterable[tuple[Row, Score]]) -> None:
        self._collections: dict[str, set[str]] = defaultdict(set)
        self._measures: dict[tuple[str, str], set[str]] = defaultdict(set)
        for row, score in samples:
            for place in score.places:
                self._collections[place].add(row["collection"])
            self._measures[row["collection"], score.measure].add(row["measure"])

    def collection(self, score: Score) -> str | None:
        """Return the slug of the collection of a score; None where nothing on record tells, or it tells several."""
        known = (self._collections[place] for place in score.places if len(self._collections.get(place, ())) == 1)
        return next((slug for (slug,) in known), None)

    def measure(self, collection: str, score: Score) -> str | None:
        """Return the measure of a score there; None where the record keeps none of that name, or several."""
        measures = self._measures.get((collection, score.measure), set())
        return next(iter(measures)) if len(measures) == 1 else None


class _Cells:
    """The cells of new results beside their scores: as on record for the same system, else as for all of them."""

    def __init__(self, recorded: Iterable[Row]) -> None:
        self._by_system: dict[str, Row] = {}
        values: dict[str, set[str]] = {name: set() for name in _SHARED}
        for row in recorded:
            self._by_system.setdefault(comparison_key(row["system"]), row)
            for name in _SHARED:
                values[name].add(row.get(name, ""))
        self._of_all = {name: next(iter(texts)) for name, texts in values.items() if len(texts) == 1}
        self._role = Counter(row["role"] for row in self._by_system.values()).most_common(1)

    def of(self, score: Score, collection: str, measure: str, source: str, locator: str) -> Row:
        """Return the row of a new score."""
        shared: Mapping[str, str] = self._by_system.get(comparison_key(score.system), self._of_all)
        maker = score.system.partition("/")[0] if "/" in score.system else ""
        cells = dict.fromkeys(COLUMNS, "") | {name: shared.get(name, "") for name in _SHARED}
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
            **_evaluated(score),
        }


def _evaluated(score: Score) -> Row:
    """Return the cells of a score's program and data, as far as the repository names them."""
    cells = {"evaluator": score.evaluator, "dataset_revision": score.dataset_revision}
    return {name: text for name, text in cells.items() if text}


def is_same_number(printed: str, other: str) -> bool:
    """Tell whether two prints are one number to as many decimals as the shorter has.

    >>> is_same_number("0.7176470588235293", "0.717647"), is_same_number("0.4485", "0.4857")
    (True, False)
    """
    first, second = Decimal(printed), Decimal(other)
    unit = max(first, second, key=lambda number: int(number.as_tuple().exponent))
    return first.quantize(unit) == second.quantize(unit)
