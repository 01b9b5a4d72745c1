"""Lists of what toolkits in Python reproduce: conditions, on what each is run, and its scores; YAML."""

from collections.abc import Iterator

from analysis.readers.upstream.places import Yaml
from analysis.readers.upstream.scores import Score, base_name

#: The names of a condition's list of places, each with the key that names a place.
_PARTS = {"datasets": "dataset", "topics": "eval_key", "splits": "split"}


def scores_of_conditions(path: str, text: str, toolkit: str) -> Iterator[Score]:
    """Yield the scores of one list; a system is the toolkit and the condition."""
    file = base_name(path)
    for condition in Yaml.read(text)["conditions"].items():
        name = condition["name" if "name" in condition else "model_name"].text
        for place, scores in _places(condition):
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


def _places(condition: Yaml) -> Iterator[tuple[str, Yaml]]:
    """Yield what a condition is run on, with the scores there; a list on one collection does not name it."""
    if "scores" in condition:
        yield "", condition["scores"]
    for part, key in _PARTS.items():
        for place in condition[part].items() if part in condition else []:
            yield place[key].text, place["scores"]
