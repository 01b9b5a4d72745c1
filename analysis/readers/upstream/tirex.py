"""TIREx: the scores of all software on all data sets in one file; JSON."""

from collections.abc import Iterator

from analysis.readers.upstream.places import Json
from analysis.readers.upstream.scores import Score, Upstream

_MEASURES = frozenset({"ndcg@10", "precision@10"})


def read(path: str, text: str) -> Iterator[Score]:
    """Yield the scores of every system on every data set."""
    for dataset, systems in Json(text).members():
        for system, scores in systems.members():
            for measure, value in scores.members():
                if measure in _MEASURES:
                    printed = value.printed()
                    yield Score(
                        key=(dataset, system, measure),
                        places=(dataset,),
                        system=system,
                        measure=measure,
                        printed=printed.text,
                        line=printed.line,
                    )


UPSTREAM = Upstream("tira-io/ir-experiment-platform", r"analysis-of-submissions/all_evaluations\.json", read)
