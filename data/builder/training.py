"""Statements on the data that systems were trained on: each by one source, on one system and one data set.

The package is mteb, whose authors keep a list for each of its models; other sources are papers, cards, repositories and
threads. That the list of the package does not name a data set is no statement of the maker.

Systems with nothing to train are known by their names: toolkits' runs of formulas that learn from no judged topics. A
run whose parameters were tuned on judged topics, whose documents or queries a model wrote or translated, or which
re-ranks with a model, is none of them; neither is a run of somebody who says no more than "BM25" among other things.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from analysis.readers.recipes import model_of
from builder.more import alike_tasks, described_by_base, undeclared_bases
from builder.tables import Row

COLUMNS = [
    "system", "team", "declared", "dataset", "split", "evidence", "quotation", "source", "date", "confidence", "how",
    "collections",
]  # fmt: skip

_PACKAGE = "mteb 2.26.24"
_SOURCE = f"{_PACKAGE}, training_datasets of {{model}}"

#: Checkpoints that toolkits run, by what stands in a system's name: pattern, the model in the package.
_CHECKPOINTS = [
    (r"bge-base-en-v1\.5", "BAAI/bge-base-en-v1.5"),
    (r"bge-large-en-v1\.5", "BAAI/bge-large-en-v1.5"),
    (r"splade-v3", "naver/splade-v3"),
    (r"shard\d+\.arctic-l\.", "Snowflake/snowflake-arctic-embed-l"),
    (r"Pyserini cohere-embed-english-v3\.0", "Cohere/Cohere-embed-english-v3.0"),
    (r"Pyserini openai-text-embedding-3-large", "openai/text-embedding-3-large"),
    (r"Pyserini openai-ada2$|rank_llm OPEN_AI_ADA2$", "openai/text-embedding-ada-002"),
    (r"Pyserini contriever-msmarco", "facebook/contriever-msmarco"),
    (r"Pyserini diver-retriever-4b", "AQ-MedAI/Diver-Retriever-4B"),
    (r"rank_llm REP_LLAMA$", "castorini/repllama-v1-7b-lora-passage"),
    (r"SBERT multi-qa-MiniLM-L6-cos-v1", "sentence-transformers/multi-qa-MiniLM-L6-cos-v1"),
    (r"splade-pp-ed|SPLADE_P_P_ENSEMBLE_DISTIL$", "naver/splade-cocondenser-ensembledistil"),
    (r"rank_llm (rankzephyr|rank_zephyr_7b_v1_full)", "castorini/rank_zephyr_7b_v1_full"),
    (r"MonoT5 Large \(tira", "castorini/monot5-large-msmarco"),
    (r"DuoT5 3b-ms-marco Top-25 \(tira", "castorini/duot5-3b-msmarco"),
]
_TOOLKITS = ("castorini/anserini", "castorini/pyserini", "castorini/rank_llm", "tira-io/ir-experiment-platform")
_MODELS = "embeddings-benchmark/results"

_DECLARED = {"trained-on": "yes", "explicitly-not-trained-on": "no", "zero-shot-claim": "no", "says-nothing": "unknown"}
_EVIDENCE = {
    "package metadata": "package", "repository config": "config", "repository readme": "readme", "paper": "paper",
    "model card": "card", "data set card": "card", "issue thread": "thread", "blog": "blog",
}  # fmt: skip
_DAY = re.compile(r"\d{4}(-\d\d){0,2}")

_FORMULA: Row = {
    "declared": "nothing", "dataset": "", "split": "", "evidence": "rule", "quotation": "", "date": "", "how": "",
    "source": "its name, a formula", "confidence": "medium", "collections": "*",
}  # fmt: skip

#: Said of a system of such a model in which there is more than the formula: what holds of the model doesn't of it.
_NO_FORMULA = _FORMULA | {"declared": "unknown", "source": "its name: tuned on judged topics, or translated by a model"}

System = tuple[str, str]


def build_training(
    results: Iterable[Row],
    overlap: list[Row],
    models: list[Row],
    places: Mapping[str, set[str]],
    main: set[str],
    ledger: list[Row],
    similar: list[Row],
    all_results: Iterable[Row],
) -> list[Row]:
    """Return the rows of ``training.csv``; what holds of a model is said of one of its systems.

    ``places`` are the collections of each task of the package, ``main`` those that go by the name of one.
    ``all_results`` has those of other sources as well.
    """
    rows = _Builder(list(results), overlap, models, places, main, ledger, similar).rows()
    rows += _not_formulas(
        {(row["system"], row["team"]) for row in all_results}, {(row["system"], row["team"]) for row in rows}
    )
    return sorted(rows, key=lambda row: (row["system"].casefold(), *row.values()))


def _not_formulas(systems: set[System], known: set[System]) -> list[Row]:
    """Say of systems that go by a formula's name, and are more, that nothing is known of their training."""
    models = {system: recipe.model for system in systems if (recipe := model_of(*system))}
    formulas = {model for (name, _), model in models.items() if has_nothing_to_train(name)}
    return [
        {"system": name, "team": team} | _NO_FORMULA
        for (name, team), model in models.items()
        if model in formulas and is_not_plain(name) and (name, team) not in known
    ]


class _Builder:
    """The statements of the gathered tables, put together by system."""

    def __init__(
        self,
        results: list[Row],
        overlap: list[Row],
        models: list[Row],
        places: Mapping[str, set[str]],
        main: set[str],
        ledger: list[Row],
        similar: list[Row],
    ) -> None:
        self.main = main
        self.models = {
            name: model for model in models for name in [model["name"], *model["former_names"].split(";")] if name
        }
        self.overlap: dict[str, list[Row]] = defaultdict(list)
        for row in overlap:
            self.overlap[row["system"]].append(row)
        self.places = places
        self.alike = alike_tasks(similar)
        self.tasks_of: dict[str, set[str]] = defaultdict(set)
        for task, slugs in places.items():
            for slug in slugs:
                self.tasks_of[slug].add(task)
        self.collections: dict[System, set[str]] = defaultdict(set)
        self.systems: dict[str, set[System]] = defaultdict(set)
        self.packaged = {row["system"] for row in results if row["source"] == _MODELS}
        for row in results:
            if row["source"] in (*_TOOLKITS, _MODELS):
                self.collections[row["system"], row["team"]].add(row["collection"])
        self.ledger: dict[str, list[Row]] = defaultdict(list)
        for row in ledger:
            self.ledger[self._known(row["model"])].append(row)
        for system in self.collections:
            self.systems[self._model_of(system[0])].add(system)

    def rows(self) -> list[Row]:
        """Return every statement once, with all the collections that it is about."""
        statements = [row for model, systems in self.systems.items() for row in self._of_model(model, sorted(systems))]
        collections: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for row in statements:
            slugs = row.pop("collections")
            collections[tuple(row[column] for column in COLUMNS[:-1])].update(filter(None, slugs.split("|")))
        return [dict(zip(COLUMNS, (*key, "|".join(sorted(slugs))), strict=True)) for key, slugs in collections.items()]

    def _known(self, name: str) -> str:
        return self.models[name]["name"] if name in self.models else name

    def _model_of(self, system: str) -> str:
        """Return the model of which a system is a run, a setting or another spelling."""
        for name in (system, _spaced(system), described_by_base(system)):
            if name in self.models:
                return self.models[name]["name"]
        named = next((name for pattern, name in _CHECKPOINTS if re.search(pattern, system)), system)
        return self._known(named) if named in self.models or named in self.ledger else system

    def _of_model(self, model: str, systems: list[System]) -> Iterator[Row]:
        for system, team in systems:
            ledger = self.ledger[model] + (self.ledger[system] if system != model and system in self.ledger else [])
            on = self.collections[system, team]
            if has_nothing_to_train(system):
                statements = [_FORMULA]
            else:
                statements = [statement for row in ledger for statement in self._stated(row, on, ledger)]
                if model in self.models:
                    statements += self._listed(self.models[model], system, team, ledger)
            if system not in self.packaged:
                # Of a toolkit's run, a checkpoint on one index, what is said of its collections is enough.
                about = on | {"*"}
                narrowed = (
                    statement | {"collections": "|".join(about & set(statement["collections"].split("|")))}
                    for statement in statements
                )
                statements = [row for row in narrowed if row["collections"] or not row["dataset"]]
            yield from ({"system": system, "team": team} | statement for statement in statements)

    def _stated(self, row: Row, on: set[str], ledger: list[Row]) -> Iterator[Row]:
        """Yield a row of the ledger as ours: about its own collections, then about others that count as the same."""
        if _is_list(row):
            return
        notes = [row["note"]] if row["note"] else []
        if row["named_in_quotation"] == "no":
            notes.append("the words point to another list")
        statement = _as_statement(row) | {"how": "; ".join(notes)}
        slugs = set(filter(None, row["collections"].split(";")))
        yield statement | {"collections": "|".join(slugs)}
        task = row["mteb_task"]
        if statement["declared"] == "yes" and task and statement["evidence"] != "package":
            others = on - slugs - _denied(ledger)
            through = {slug for slug in others if any(task in self.alike[name] for name in self.tasks_of[slug])}
            if through:
                how = "; ".join([*notes, "through a similar task"])
                yield statement | {"how": how, "collections": "|".join(through)}

    def _listed(self, model: Row, system: str, team: str, ledger: list[Row]) -> Iterator[Row]:
        """Yield what the list of the package comes to: that there is one or none, and what the ledger does not
        quote."""
        statement = _row(evidence="package", source=_SOURCE.format(model=model["name"]), confidence="medium")
        for row in filter(_is_list, ledger):
            statement |= {column: row[column] for column in ("quotation", "source")} | {"date": _day(row["date"])}
        # It is about all that go by the name of a task; of some tasks another split is here, too.
        others = {slug for slug in self.collections[system, team] - self.main if self.tasks_of[slug]}
        statement |= {"collections": "|".join(["*", *others])}
        if model["training_datasets_status"] == "unknown":
            yield statement | {"declared": "unknown"}
        else:
            how = ["the list is empty"] if model["training_datasets_status"] == "declared_none" else []
            how += [f"its base model {base} has none" for base in undeclared_bases(model, self.models)]
            yield statement | {"declared": "no", "how": "; ".join(how)}
        quoted = {(row["mteb_task"], slug) for row in ledger for slug in row["collections"].split(";") if _lists(row)}
        denied = _denied(ledger)
        for slug, declarer, tasks in self._named(model, system, team):
            for task in tasks:
                if slug not in denied and (task, slug) not in quoted:
                    yield self._through(slug, declarer, task, model["name"])

    def _through(self, slug: str, declarer: str, task: str, model: str) -> Row:
        """Return the row that says so of the collection: the list of the model, or of its base, names a task of it."""
        quoting = next((row for row in self.ledger[declarer] if _lists(row) and row["mteb_task"] == task), None)
        statement = _as_statement(quoting) if quoting else _row(declared="yes", evidence="package", dataset=task)
        if not quoting:
            statement |= {"source": _SOURCE.format(model=declarer), "confidence": "medium", "split": "unspecified"}
        how = [statement["how"]] if statement["how"] else []
        how += [f"on the list of its base model {declarer}"] if declarer != model else []
        how += [] if slug in self.places.get(task, ()) else ["through a similar task"]
        return statement | {"how": "; ".join(how), "collections": slug}

    def _named(self, model: Row, system: str, team: str) -> Iterator[tuple[str, str, list[str]]]:
        """Yield the collections that count as trained on, each with the model whose list says so, and its tasks."""
        rows = self.overlap[system] if _spaced(system) not in self.models or _spaced(system) == system else []
        for row in rows:
            if row["overlap"] == "yes":
                kind, _, base = row["how"].partition(" model ")
                declarer = self._known(base) if kind == "base" else model["name"]
                yield row["collection"], declarer, list(filter(None, row["through"].split(";"))) or [row["task"]]
        listed = set(filter(None, model["training_datasets"].split(";")))
        expanded = listed | set(filter(None, model["training_datasets_expanded"].split(";")))
        for slug in sorted(self.collections[system, team] - {row["collection"] for row in rows}):
            for task in sorted(self.tasks_of[slug] & expanded):
                through = [task] if task in listed else sorted(listed & self.alike[task])
                yield slug, model["name"], through or [task]


def _row(**cells: str) -> Row:
    return dict.fromkeys(COLUMNS[2:], "") | cells


def _as_statement(row: Row) -> Row:
    """Return a row of the ledger in our columns; the package's splits dev and test are a default, and no evidence."""
    is_default = row["evidence"] == "package metadata" and bool({"dev", "test"} & set(row["split"].split(";")))
    return _row(
        declared=_DECLARED[row["statement"]],
        dataset=row["dataset"],
        split="unspecified" if is_default else row["split"].replace("none-declared", "").replace(";", ", "),
        evidence=_EVIDENCE[row["evidence"]],
        quotation=row["quotation"],
        source=row["source"],
        date=_day(row["date"]),
        # That the list names the set is as sure as of its other rows.
        confidence="medium" if is_default else row["confidence"],
    )


def _is_list(row: Row) -> bool:
    """Say whether the row says of the list of the package as a whole that it is empty, or that there is none."""
    return row["evidence"] == "package metadata" and row["statement"] in ("zero-shot-claim", "says-nothing")


def _lists(row: Row) -> bool:
    """Say whether the row is one of the list of the package."""
    return row["evidence"] == "package metadata" and row["statement"] == "trained-on"


def _denied(ledger: Iterable[Row]) -> set[str]:
    """Return collections of which a comment in the list itself says that the model was not trained on them."""
    rows = (row for row in ledger if row["statement"] == "explicitly-not-trained-on")
    return {slug for row in rows if row["evidence"] == "package metadata" for slug in row["collections"].split(";")}


def _spaced(system: str) -> str:
    """Return the name of a setting as the package has it: results write underscores for its blanks."""
    return system.replace("_(", " (").replace(",_", ", ")


def _day(text: str) -> str:
    return text if _DAY.fullmatch(text) else ""


#: Parts of Anserini's and Pyserini's recipes: a weighting, and feedback from the documents that it ranks first.
_WEIGHTINGS = {"bm25", "bm25-default", "bm25-b8", "bm25qs", "bm25prf", "ql"}
_FEEDBACK = {"rm3", "rocchio", "rocchio-neg", "ax", "prf", "df"}
#: What stands in an index whose documents or queries a model wrote, weighted, split or translated.
_BY_MODELS = re.compile(r"d2q|doc2query|doctttttquery|splade|unicoil|onnx|-dt$|-qt$|^(hc4|ciral).*-en$")
_ANSERINI = re.compile(r"Anserini (?P<index>\S+) (?P<recipe>\S+)(?: \[(?P<topics>.*)\])?")
_IN_ONE_WORD = re.compile(
    r"(Anserini|Pyserini) bm25(qs)?(-rm3|-rocchio)?(-flat|-multifield)?(-doc|-segmented|-augmented)*"
    r"(-default)?(-rocchio|-slim)?(\.[a-z]{2})?"
)
#: The weightings of PyTerrier, and the like.
_EXACT = {
    *(
        f"{name} Re-Rank (tira-ir-starter-pyterrier)"
        for name in (
            "BM25", "DFIC", "DFIZ", "DFR_BM25", "DFRee", "DFReeKLIM", "DLH", "DPH", "DirichletLM", "Hiemstra_LM",
            "IFB2", "InB2", "InL2", "In_expB2", "In_expC2", "Js_KLs", "LGD", "PL2", "TF_IDF", "XSqrA_M",
        )
    ),
    "rank_llm BM25", "rank_llm BM25_RM3", "mteb/baseline-bm25s", "mteb/baseline-random-encoder",
}  # fmt: skip


#: What is more than a formula: parameters that were tuned on judged topics, texts that a model translated.
_NOT_PLAIN = re.compile(r"tuned|machine-translated|[ -](?:dt|qt)(?=[ .]|$)|^Anserini (?:hc4|ciral)\S*-en ")


def is_not_plain(system: str) -> bool:
    """Say whether the name says that more than the formula of its model is in the system."""
    return bool(_NOT_PLAIN.search(system))


def has_nothing_to_train(system: str) -> bool:
    """Say whether a system of this name is a formula, by the rules above."""
    if system in _EXACT or _IN_ONE_WORD.fullmatch(system):
        return True
    match = _ANSERINI.fullmatch(system)
    if not match or _BY_MODELS.search(match["index"].casefold()) or "machine-translated" in (match["topics"] or ""):
        return False
    weighting, *feedback = match["recipe"].split("+")
    return weighting in _WEIGHTINGS and set(feedback) <= _FEEDBACK
