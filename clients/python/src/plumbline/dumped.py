"""A dump in place of a site: the same calls, offline. Needs the statistics."""

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

import plumbline
from analysis.readers.text import comparison_key
from plumbline import desk
from plumbline.errors import NotFoundError, PlumblineError
from plumbline.record import DumpRecord, Pair, rows_of
from plumbline.records import Analysis, Collection, Finds, Found, Leaderboard, Measure, Row, Snapshot, Verdict
from plumbline.reviewing import Finding
from plumbline.statistics import boards, comparisons, scores


class Dump:
    """The record in a dump: the folder of its JSON Lines files (``*.jsonl.gz``). Nothing is fetched.

    Methods are those of :class:`Site`; lists hold the rows of the dump's tables, by their columns.

    Raises
    ------
    PlumblineError
        If the folder is no dump, or a file of it is damaged.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._record = DumpRecord(self.folder)

    def __repr__(self) -> str:
        return f"Dump({str(self.folder)!r})"

    def __getattr__(self, name: str) -> Any:
        if hasattr(plumbline.Site, name):
            raise AttributeError(f"A dump can't {name}; a site can: plumbline.Site(url).{name}(…).")
        raise AttributeError(f"Dump has no {name}.")

    def collections(self, text: str = "") -> Iterator[Collection]:
        """Yield all collections, or those whose names ``text`` is in."""
        yield from (msgspec.convert(row, Collection) for row in self._named("collections", text))

    def measures(self) -> Iterator[Measure]:
        """Yield all measures."""
        yield from (msgspec.convert(row, Measure) for row in rows_of(self.folder, "measures"))

    def systems(self, text: str = "") -> list[dict[str, Any]]:
        """Return the systems, or those whose names ``text`` is in."""
        return list(self._named("systems", text))

    def models(self, text: str = "") -> list[dict[str, Any]]:
        """Return the models, or those whose names ``text`` is in."""
        return list(self._named("models", text))

    def papers(self, text: str = "") -> list[dict[str, Any]]:
        """Return the papers, or those whose citation, title or authors ``text`` is in."""
        return list(self._named("papers", text))

    def system(self, name: str) -> dict[str, Any]:
        """Return a system, by its slug or its name, with its results."""
        row = self._one("systems", name, "name")
        return row | {"results": self._scores(system=row["name"], team=row["team"])}

    def model(self, name: str) -> dict[str, Any]:
        """Return a model, by its slug or its name, with the results of its systems."""
        row = self._one("models", name, "name")
        return row | {"results": self._scores(model=row["slug"])}

    def paper(self, name: str) -> dict[str, Any]:
        """Return a paper, by its slug, title or citation, with the results that it reports."""
        row = self._one("papers", name, "title", "cite")
        return row | {"results": self._scores(paper=row["cite"])}

    def search(self, text: str) -> Finds:
        """Return the collections, systems, models and papers in one of whose names ``text`` is."""
        finds = [
            Found(table.removesuffix("s"), row.get("name") or row["title"] or row["cite"], row["slug"])
            for table in ("collections", "systems", "models", "papers")
            for row in self._named(table, text)
        ]
        return Finds(len(finds), tuple(finds))

    def suite(self, suite: str, measure: str) -> dict[str, Any]:
        """Return what the standing analysis of a benchmark's means says, with all that it rests on (``content``)."""
        suites = {row["id"] for row in rows_of(self.folder, "suites") if suite in (row["slug"], row["name"])}
        measures = self._record.ids("measure", measure)
        for row in rows_of(self.folder, "suite_analyses"):
            if row["suite_id"] in suites and row["measure_id"] in measures and row["snapshot_id"]:
                return dict(row["headline"], content=self.snapshot(row["snapshot_id"]))
        raise NotFoundError(f"The dump has no analysis of {suite}, {measure}.")

    def pairs(self, collection: str, measure: str) -> dict[str, Any]:
        """Return every pair of a leaderboard's systems with scores by topic, by the t test and Holm's rule.

        Raises
        ------
        NotFoundError
            If there are fewer than two.
        """
        rows, vectors = self._by_topic(collection, measure)
        signs = {row["name"]: 1.0 if row["higher_is_better"] else -1.0 for row in rows_of(self.folder, "measures")}
        named = [row | {"system": row["id"]} for row in rows]
        return {"systems": rows, "pairs": _differences(named, signs[rows[0]["measure"]], None, vectors)}

    def topics(self, collection: str, measure: str) -> dict[str, Any]:
        """Return the topics of a leaderboard in their order, each with mean, lowest and highest score of the systems.

        Raises
        ------
        NotFoundError
            If there are fewer than two systems with scores by topic.
        """
        _, vectors = self._by_topic(collection, measure)
        labels = self._labels(collection)
        topics = [
            {"topic": labels.get(place, ""), "mean": sum(column) / len(column), "low": min(column), "high": max(column)}
            for place, column in enumerate(zip(*vectors.values(), strict=True))
        ]
        return {"n_systems": len(vectors), "topics": topics}

    def compare_topics(self, first: Sequence[float], second: Sequence[float]) -> dict[str, Any]:
        """Return paired tests of two systems' scores on the same topics, as ``plumbline compare`` has them."""
        if len(first) != len(second):
            raise PlumblineError(f"Give as many scores of both; these are {len(first)} and {len(second)}.")
        systems = ({str(place): float(score) for place, score in enumerate(vector)} for vector in (first, second))
        return desk.compare(*(desk.Scored("", sum(system.values()) / len(system), system, ()) for system in systems))

    def best_of(self, n: int, *, topics: int, variance: float, best: float) -> dict[str, Any]:
        """Return how good the best of ``n`` equal systems looks by chance, as ``plumbline best-of`` has it."""
        return desk.best_of(n, n_topics=topics, variance=variance, printed=best)

    def review(self, *paths: str | Path, **choices: Any) -> list[Finding]:
        """Return what the record says of every table of a paper, as :func:`plumbline.review` does."""
        return plumbline.review(*paths, dump=self.folder, **choices)

    def verify(self, id: str) -> list[str]:
        """Return what is wrong with the analysis of this id; nothing where every number comes out again."""
        text = self._record.content_of(id)
        inputs = msgspec.json.decode(text)["inputs"]
        if not (described := inputs.get("topic_scores")):
            return boards.verify_snapshot(text, expected_id=id)
        results = described["results"]
        vectors = self._vectors(results)
        if vectors.keys() != set(results):
            raise PlumblineError("Scores by topic that it rests on no longer stand; verify its JSON with their CSV.")
        topics = list(self._labels(inputs["collection"]).values())
        matrix = scores.ScoreMatrix([str(pk) for pk in results], topics, [vectors[pk] for pk in results])
        return boards.verify_snapshot(text, matrix, expected_id=id)

    def log(self, **choices: str) -> list[dict[str, Any]]:
        """Return the changes of the record, the latest first; ``choices`` are what columns say, as ``actor="ada"``."""
        entries = list(rows_of(self.folder, "entries"))
        for name in choices.keys() - {column for entry in entries[:1] for column in entry}:
            raise PlumblineError(f"The log of a dump has no column {name}.")
        chosen = [entry for entry in entries if all(str(entry[name]) == text for name, text in choices.items())]
        return sorted(chosen, key=lambda entry: -int(entry["id"]))

    def heads(self) -> str:
        """Return the signed heads that the site had told when it wrote the dump, as ``Site.heads`` does."""
        return (self.folder / "heads.txt").read_text(encoding="utf-8")

    def snapshot(self, id: str) -> dict[str, Any]:
        """Return one analysis for good, with all that it rests on."""
        return dict(msgspec.json.decode(self._record.content_of(id)))

    def leaderboard(self, collection: str, measure: str) -> Leaderboard:
        """Return the results of a collection under a measure, by its standing analysis, with the verdict.

        What takes other tables (papers, standardized scores) is left out.

        Raises
        ------
        NotFoundError
            If there is none in the dump.
        """
        text = self._text(collection, measure)
        snapshot, plain = boards.read_snapshot(text), msgspec.json.decode(text)
        headline, snapshot_id = self._headline(text)
        inputs, findings, verdict = snapshot.inputs, snapshot.findings, snapshot.findings.verdict
        competing = {result for family in findings.families for result in family.results}
        means = {result: mean for result, mean in inputs.means.items() if result in competing}
        sign = -1.0 if inputs.measure.higher_is_better else 1.0
        firsts: dict[float, int] = {}
        for place, mean in enumerate(sorted(means.values(), key=lambda mean: sign * mean), start=1):
            firsts.setdefault(mean, place)
        members = verdict.set.members if verdict.set else None
        ranges = boards.rank_ranges(inputs, findings)
        rows = [
            {
                **row,
                # Of a result alone; names of systems have no numbers in an analysis.
                "system_id": 0,
                "rank": firsts.get(means[row["id"]]) if row["id"] in means else None,
                "rank_low": ranges[row["id"]].low if row["id"] in ranges else None,
                "rank_high": ranges[row["id"]].high if row["id"] in ranges else None,
                "can_be_best": None if members is None or row["id"] not in verdict.distances else row["id"] in members,
                "is_held_back": row["id"] in verdict.held_back,
            }
            for row in plain["inputs"]["rows"]
        ]
        rows.sort(key=lambda row: sign * means.get(row["id"], row["value"]))
        facts = plain["findings"]["verdict"] | {"sentence": headline.get("sentence", "")}
        return Leaderboard(
            collection=self._first("collection", collection, Collection),
            measure=self._first("measure", measure, Measure),
            url="",
            analysis=Analysis(state="current", message="As the dump has it."),
            verdict=msgspec.convert(facts, Verdict, strict=False),
            snapshot=Snapshot(id=snapshot_id, url="", created=""),
            results=tuple(msgspec.convert(row, Row, strict=False) for row in rows),
        )

    def check(self, collection: str, measure: str, score: float) -> dict[str, Any]:
        """Check a score against a leaderboard; return the numbers of ``boards.check_score``."""
        snapshot = boards.read_snapshot(self._text(collection, measure))
        return asdict(boards.check_score(snapshot.inputs, score, held_back=snapshot.findings.verdict.held_back))

    def compare(self, *systems: str) -> dict[str, Any]:
        """Return two to four systems, by name or slug, on every leaderboard of theirs, by the keys of ``Site.compare``.

        What takes more than scores and analyses (training, reversals, z) is left out.

        Raises
        ------
        PlumblineError
            If it is not two to four, or a name is that of none or of several.
        """
        named: dict[tuple[str, str], int] = {}
        for name in systems:
            rows = [row for row in rows_of(self.folder, "systems") if _is_called(row, name)]
            if len(rows) != 1:
                raise PlumblineError(f"The dump has {len(rows)} systems {name}; write the slug of one.")
            named[rows[0]["name"], rows[0]["team"]] = rows[0]["id"]
        if not 2 <= len(named) <= 4:
            raise PlumblineError("Name two to four systems.")
        by_board: dict[Pair, list[dict[str, Any]]] = defaultdict(list)
        for row in rows_of(self.folder, "scores"):
            if row["comparability"] == "standard" and (owner := named.get((row["system"], row["team"]))):
                by_board[row["collection"], row["measure"]].append(row | {"system": owner, "result": row["id"]})
        order = list(named.values())
        signs = {row["name"]: 1.0 if row["higher_is_better"] else -1.0 for row in rows_of(self.folder, "measures")}
        best = {pair: _best(rows, signs[pair[1]], order) for pair, rows in by_board.items()}
        shared = {pair: rows for pair, rows in best.items() if len(rows) > 1}
        ids = {row["id"] for rows in shared.values() for row in rows}
        vectors = self._vectors(ids)
        compared: list[dict[str, Any]] = []
        for (collection, measure), content in self._record.snapshots(shared).items():
            rows = shared[collection, measure]
            snapshot = boards.read_snapshot(content) if isinstance(content, str) else None
            differences = _differences(rows, signs[measure], snapshot, vectors)
            names = {"collection": {"slug": collection}, "measure": {"name": measure}}
            compared.append(names | {"scores": rows, "differences": differences})
        answers = [difference["told_apart"] for board in compared for difference in board["differences"]]
        return {
            "systems": [{"id": pk, "name": name, "team": team} for (name, team), pk in named.items()],
            "n_shared_by_all": sum(len(rows) == len(order) for rows in shared.values()),
            "n_comparisons": len(answers), "n_told_apart": answers.count(True), "n_unknown": answers.count(None),
            "boards": sorted(compared, key=lambda board: -len(board["scores"])),
        }  # fmt: skip

    def _text(self, collection: str, measure: str) -> str:
        (content,) = self._record.snapshots([(collection, measure)]).values()
        if isinstance(content, PlumblineError):
            raise content
        return content

    def _headline(self, text: str) -> tuple[Mapping[str, Any], str]:
        """Return the headline of a snapshot's analysis, and its id."""
        snapshot = boards.snapshot_id(text)
        standing = (row for row in rows_of(self.folder, "analyses") if row["snapshot_id"] == snapshot)
        return next((row.get("headline") or {} for row in standing), {}), snapshot

    def _first(self, kind: str, name: str, record: type[Any]) -> Any:
        ids = self._record.ids(kind, name)
        return next(msgspec.convert(row, record) for row in rows_of(self.folder, f"{kind}s") if row["id"] in ids)

    def _one(self, table: str, name: str, *columns: str) -> dict[str, Any]:
        """Return the row of this slug, else the only one that is called so."""
        rows = [
            row for row in rows_of(self.folder, table) if name in (row["slug"], *(row[column] for column in columns))
        ]
        rows = [row for row in rows if row["slug"] == name] or rows
        if len(rows) != 1:
            raise NotFoundError(f"The dump has {len(rows)} {table} {name}; write the slug of one.")
        return rows[0]

    def _scores(self, **columns: Any) -> list[dict[str, Any]]:
        rows = rows_of(self.folder, "scores")
        return [row for row in rows if all(row[name] == text for name, text in columns.items())]

    def _by_topic(self, collection: str, measure: str) -> tuple[list[dict[str, Any]], dict[int, list[float]]]:
        """Return the results of a leaderboard that have a score on every topic, and these scores by their ids."""
        snapshot = boards.read_snapshot(self._text(collection, measure))
        vectors = self._vectors({row.id for row in snapshot.inputs.rows})
        if len(vectors) < 2:
            raise NotFoundError(f"Fewer than two systems of {collection}, {measure} have scores by topic in the dump.")
        return [row for row in rows_of(self.folder, "scores") if row["id"] in vectors], vectors

    def _vectors(self, ids: Container[int]) -> dict[int, list[float]]:
        """Return the standing scores by topic of these results, of those that have one on every topic."""
        rows = (row for row in rows_of(self.folder, "topic_scores") if row["result_id"] in ids and not row["ended_at"])
        return {row["result_id"]: row["scores"] for row in rows if None not in row["scores"]}

    def _labels(self, collection: str) -> dict[int, str]:
        """Return the labels of a collection's topics, in their order."""
        ids = self._record.ids("collection", collection)
        rows = (row for row in rows_of(self.folder, "topics") if row["collection_id"] in ids)
        return {row["position"]: row["label"] for row in sorted(rows, key=lambda row: row["position"])}

    def _named(self, table: str, text: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of a table in one of whose names the text is, as names are compared."""
        key = comparison_key(text)
        for row in rows_of(self.folder, table):
            names = (row.get(column) for column in ("slug", "name", "cite", "title", "authors"))
            if not key or any(key in comparison_key(name) for name in names if name):
                yield row


def _is_called(row: Mapping[str, Any], name: str) -> bool:
    names = {row["slug"], comparison_key(row["name"])}
    return row["merged_into_id"] is None and not names.isdisjoint({name, comparison_key(name)})


def _best(rows: Sequence[dict[str, Any]], sign: float, order: Sequence[int]) -> list[dict[str, Any]]:
    """Return the best score of each system, in this order, further executions aside."""
    own = {row["id"] for row in rows}
    first = [row for row in rows if row["replicate_of"] not in own]
    best = {row["system"]: row for row in sorted(first, key=lambda row: (sign * float(row["value"]), -row["id"]))}
    return [best[system] for system in order if system in best]


def _differences(
    rows: Sequence[dict[str, Any]], sign: float, snapshot: Any, vectors: Mapping[int, list[float]]
) -> list[dict[str, Any]]:
    """Return each pair by its scores by topic, else by its means; those of one leaderboard are corrected together."""
    pairs = [sorted(pair, key=lambda row: -sign * float(row["value"])) for pair in combinations(rows, 2)]
    competing = {pk for family in snapshot.findings.families for pk in family.results} if snapshot else set()
    error = boards.error_of_pair(snapshot.inputs, snapshot.findings) if snapshot else None
    tests: dict[int, Any] = {}
    gains: dict[int, float] = {}
    for place, (better, other) in enumerate(pairs):
        both = [vectors[row["id"]] for row in (better, other) if row["id"] in vectors]
        # Systems that differ by the same on every topic have no t test.
        if len(both) == 2 and len({round(first - second, 9) for first, second in zip(*both, strict=True)}) > 1:
            tests[place] = comparisons.ttest_rel(*sorted(both, key=sum, reverse=True))
        elif error and {better["id"], other["id"]} <= competing:
            gains[place] = float(better["value"] - other["value"])
    pvalues = [test.pvalue for test in tests.values()]
    adjusted = comparisons.adjust_pvalues(pvalues, n_comparisons=len(pairs)).tolist() if pvalues else []
    judged = boards.planned_pairs(list(gains.values()), [error] * len(gains), len(pairs)) if error and gains else ()
    answers: dict[int, dict[str, Any]] = {}
    for (place, test), pvalue in zip(tests.items(), adjusted, strict=True):
        answers[place] = {"basis": "topic-scores", "difference": test.mean_difference, "pvalue": pvalue}
        answers[place]["told_apart"] = pvalue <= 1 - boards.METHODS.confidence_level
    for place, gain in zip(gains, judged, strict=True):
        answers[place] = {"basis": "means", "told_apart": gain.is_told_apart}
        answers[place] |= {"margin": gain.margin, "pvalue": gain.pvalue}
    return [
        {"better": better["system"], "other": other["system"], "difference": abs(better["value"] - other["value"])}
        | answers.get(place, {"basis": "none", "told_apart": None})
        for place, (better, other) in enumerate(pairs)
    ]
