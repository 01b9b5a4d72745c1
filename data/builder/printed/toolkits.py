"""Files that toolkits check their own runs against: YAML of conditions or models, and lists of rank_llm's runs."""

import json
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping

from analysis.readers.upstream.scores import Printed, Yaml
from analysis.readers.upstream.toolkits import places_of, unlinked
from builder.lines import Finder, once, plain_measure
from builder.tables import Row

_NOTE = re.compile(r"(?:^|; )(\w+)=(.*?)(?=; \w+=|$)")
_YEAR_OF_DL = re.compile(r"dl(\d\d)-passage$")
_RUN_OF_RANK_LLM = re.compile(r"(\S+) top-(\d+) > .+ @(\S+)")


def anserini_file(text: str) -> Finder:
    """Return a finder in a configuration of Anserini, of either kind."""
    whole = Yaml.read(text)
    return _of_conditions(whole) if "conditions" in whole else _of_models(whole)


def _of_models(whole: Yaml) -> Finder:
    places = once(_scores_of_models(whole))

    def find(row: Row) -> Printed | None:
        # Systems are named by file, model and, where the file has several, topics in brackets.
        topics = dict(_NOTE.findall(row["notes"]))["topics"]
        model = re.sub(r"^Anserini \S+ ", "", row["system"]).removesuffix(f" [{topics}]")
        return _first(places, [(model, topics, name) for name in _names(row)])

    return find


def _scores_of_models(whole: Yaml) -> Iterator[tuple[Hashable, Printed]]:
    """Yield scores by model, name of the topics, and metric."""
    topics = [unlinked(topic["name"].text) for topic in whole["topics"].items()]
    for model in whole["models"].items():
        for metric, values in model["results"].members():
            for name, value in zip(topics, values.items(), strict=True):
                yield (model["name"].text, name, metric), value.printed()


def _of_conditions(whole: Yaml) -> Finder:
    places = once(
        ((condition["name"].text, topic["topic_key"].text, topic["eval_key"].text, metric), value.printed())
        for condition in whole["conditions"].items()
        for topic in condition["topics"].items()
        for metric, value in topic["expected_scores"].members()
    )

    def find(row: Row) -> Printed | None:
        notes = dict(_NOTE.findall(row["notes"]))
        system = row["system"].removeprefix("Anserini ")
        return _first(places, [(system, notes["topic_key"], notes["eval_key"], name) for name in _names(row)])

    return find


def pyserini_file(text: str) -> Finder:
    """Return a finder in a list of what Pyserini reproduces."""
    places = once(_scores_of_conditions(text))

    def find(row: Row) -> Printed | None:
        key = dict(_NOTE.findall(row["notes"]))["key"]
        system = row["system"].removeprefix("Pyserini ")
        return _first(places, [(system, key, name) for name in _names(row)])

    return find


def rank_llm_file(text: str) -> Finder:
    """Return a finder in a list of what rank_llm reproduces, or of what trec_eval says of its runs."""
    return _of_runs(text) if text.startswith("{") else _of_reproductions(text)


def _of_reproductions(text: str) -> Finder:
    def collection(key: str) -> str:
        return _YEAR_OF_DL.sub(r"trec-dl-20\1-passage", key)

    places = once(
        ((name, collection(key), metric), printed) for (name, key, metric), printed in _scores_of_conditions(text)
    )

    def find(row: Row) -> Printed | None:
        system = row["system"].removeprefix("rank_llm ")
        return _first(places, [(system, row["collection"], name) for name in _names(row)])

    return find


def _of_runs(text: str) -> Finder:
    places = once(_scores_of_runs(text))

    def find(row: Row) -> Printed | None:
        run = _RUN_OF_RANK_LLM.fullmatch(row["system"])
        if run is None:
            return None
        measure, _, cutoff = row["measure"].partition("@")
        label = {"nDCG": "ndcg_cut", "AP": "map_cut", "R": "recall"}.get(measure, measure)
        return places.get((*run.groups(), row["collection"], f"{label}_{cutoff}"))

    return find


def _scores_of_runs(text: str) -> Iterator[tuple[tuple[str, str, str, str, str], Printed]]:
    """Yield scores by first stage, depth, time stamp, collection and what trec_eval prints."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line:
            continue
        run = json.loads(line)
        stage = run["file"].split("/")[1]
        parts = re.search(r"_(\d+)_(?:PromptMode\.)?(?:RANK_GPT|rank_GPT|LRL)_dl(\d\d)_(.+)\.txt$", run["file"])
        if parts is None:
            continue
        depth, year, stamp = parts.groups()
        for score in run["result"]:
            label, _, value = score.split()
            yield (stage, depth, stamp, f"trec-dl-20{year}-passage", label), Printed(value, number)


def _scores_of_conditions(text: str) -> Iterator[tuple[tuple[str, str, str], Printed]]:
    """Yield scores by condition, what it is run on, and metric."""
    for condition in Yaml.read(text)["conditions"].items():
        for place, scores in places_of(condition):
            for metric, value in scores.members():
                yield (condition["name"].text, place, metric), value.printed()


def _names(row: Row) -> list[str]:
    """Return what the toolkits call a measure."""
    name, _, cutoff = plain_measure(row["measure"]).partition("@")
    names = {"AP": ["MAP", "AP"], "RR": ["MRR", "RR"], "R": ["R", "Recall"]}.get(name, [name])
    if not cutoff:
        return names
    return [f"{name}@{short}" for name in names for short in (cutoff, cutoff.replace("000", "K"))] + [f"{name}{cutoff}"]


def _first(places: Mapping[Hashable, Printed], keys: Iterable[Hashable]) -> Printed | None:
    return next((places[key] for key in keys if key in places), None)
