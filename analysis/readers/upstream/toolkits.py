"""Anserini, Pyserini and rank_llm: toolkits that list what they reproduce, in YAML; rank_llm its runs in JSON, too."""

import json
import re
from collections.abc import Iterator
from functools import partial

from analysis.readers.upstream.scores import Score, Upstream, Yaml, base_name

_LINK = re.compile(r"\[(.*)\]\(.*\)$")


def _read_anserini(path: str, text: str) -> Iterator[Score]:
    """Return the scores of a configuration of either kind."""
    whole = Yaml.read(text)
    return _of_anserini_conditions(path, whole) if "conditions" in whole else _of_models(path, whole)


def _of_models(path: str, whole: Yaml) -> Iterator[Score]:
    file = base_name(path)
    topics = [unlinked(topic["name"].text) for topic in whole["topics"].items()]
    judged = [topic["qrels"].text if "qrels" in topic else "" for topic in whole["topics"].items()]
    for model in whole["models"].items():
        name = model["name"].text
        for measure, values in model["results"].members():
            for place, value in enumerate(values.items()):
                printed = value.printed()
                yield Score(
                    # Names of topics and of judgements change in bulk; their place among those of the file does not.
                    key=(file, name, str(place), measure),
                    places=(f"{file}/{place}", f"{topics[place]}/{judged[place]}", topics[place]),
                    system=f"Anserini {file} {name}" + (f" [{topics[place]}]" if len(topics) > 1 else ""),
                    measure=measure,
                    printed=printed.text,
                    line=printed.line,
                    about={"name": topics[place], "notes": f"judgements {judged[place] or 'not named'}"},
                )


def unlinked(name: str) -> str:
    """Return the text of a name that is a Markdown link; others as they are."""
    link = _LINK.match(name)
    return link[1] if link else name


def _of_anserini_conditions(path: str, whole: Yaml) -> Iterator[Score]:
    file = base_name(path)
    for condition in whole["conditions"].items():
        name = condition["name"].text
        for place, topic in enumerate(condition["topics"].items()):
            key, judged = topic["topic_key"].text, topic["eval_key"].text
            for measure, value in topic["expected_scores"].members():
                printed = value.printed()
                yield Score(
                    key=("conditions", file, name, str(place), measure),
                    places=(f"{key}/{judged}", judged),
                    system=f"Anserini {name}",
                    measure=measure,
                    printed=printed.text,
                    line=printed.line,
                )


ANSERINI = Upstream(
    "castorini/anserini", r"src/main/resources/(reproduce/(.+/)?|regression/)[^/]+\.yaml", _read_anserini
)


#: The names of a condition's list of places, each with the key that names a place.
_PARTS = {"datasets": "dataset", "topics": "eval_key", "splits": "split"}


def scores_of_conditions(path: str, text: str, toolkit: str) -> Iterator[Score]:
    """Yield the scores of one list; a system is the toolkit and the condition."""
    file = base_name(path)
    for condition in Yaml.read(text)["conditions"].items():
        name = condition["name" if "name" in condition else "model_name"].text
        for place, scores in places_of(condition):
            # Languages have splits of the same names, and stand at the end of the name of the condition.
            places = (f"{file}/{name}/{place}", f"{file}/{name.rpartition('.')[2]}/{place}", f"{file}/{place}")
            for measure, value in scores.members():
                printed = value.printed()
                yield Score(
                    key=(file, name, place, measure),
                    places=places,
                    system=f"{toolkit} {name}",
                    measure=measure,
                    printed=printed.text,
                    line=printed.line,
                )


def places_of(condition: Yaml) -> Iterator[tuple[str, Yaml]]:
    """Yield what a condition is run on, with the scores there; a list on one collection does not name it."""
    if "scores" in condition:
        yield "", condition["scores"]
    for part, key in _PARTS.items():
        for place in condition[part].items() if part in condition else []:
            yield place[key].text, place["scores"]


PYSERINI = Upstream(
    "castorini/pyserini", r"pyserini/2cr/[^/]+\.yaml", partial(scores_of_conditions, toolkit="Pyserini")
)


_YEAR = re.compile(r"_(dl\d\d|covid|news)_")


def _read_rank_llm(path: str, text: str) -> Iterator[Score]:
    """Yield the scores of one list, or of many runs."""
    if path.endswith(".yaml"):
        yield from scores_of_conditions(path, text, "rank_llm")
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line:
            yield from _of_run(json.loads(line), number)


def _of_run(run: dict[str, list[str]], number: int) -> Iterator[Score]:
    file = str(run["file"])
    on = _YEAR.search(file)
    for score in run["result"]:
        measure, _, value = score.split()
        yield Score(
            key=(base_name(file), file.split("/")[1], measure),
            places=(on[1],) if on else (),
            system=f"rank_llm {file.split('/')[1]} > {base_name(file)}",
            measure=measure,
            printed=value,
            line=number,
        )


RANK_LLM = Upstream(
    "castorini/rank_llm", r"src/rank_llm/2cr/[^/]+\.yaml|trec_eval_aggregated_results/[^/]+\.jsonl", _read_rank_llm
)
