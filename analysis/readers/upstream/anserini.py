"""Anserini: a configuration a file, of models on topics, or of conditions on data sets; YAML."""

import re
from collections.abc import Iterator

from analysis.readers.upstream.places import Yaml
from analysis.readers.upstream.scores import Score, Upstream, base_name

_LINK = re.compile(r"\[(.*)\]\(.*\)$")


def read(path: str, text: str) -> Iterator[Score]:
    """Return the scores of a configuration of either kind."""
    whole = Yaml.read(text)
    return _of_conditions(path, whole) if "conditions" in whole else _of_models(path, whole)


def _of_models(path: str, whole: Yaml) -> Iterator[Score]:
    file = base_name(path)
    topics = [_unlinked(topic["name"].text) for topic in whole["topics"].items()]
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


def _unlinked(name: str) -> str:
    link = _LINK.match(name)
    return link[1] if link else name


def _of_conditions(path: str, whole: Yaml) -> Iterator[Score]:
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


UPSTREAM = Upstream("castorini/anserini", r"src/main/resources/(reproduce/(.+/)?|regression/)[^/]+\.yaml", read)
