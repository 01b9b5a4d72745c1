"""MTEB: a file a model, its revision and a task, with scores by split and subset; JSON."""

import re
from collections.abc import Iterator

from analysis.readers.upstream.places import Json
from analysis.readers.upstream.scores import Score, Upstream, base_name

#: Measures of rankings; the files have others, of classifiers and of confidence.
_MEASURE = re.compile(r"main_score|(max_over_subqueries_)?(ndcg|map|mrr|recall|precision|hit_rate|accuracy)_at_\d+")


def read(path: str, text: str) -> Iterator[Score]:
    """Yield the scores of one model on one task, those of rankings."""
    _, model, revision, _ = path.rsplit("/", 3)
    task, scores = base_name(path), Json(text).get("scores")
    if scores is None:
        raise ValueError("there is no scores, or more than one")
    for split, of_split in scores.members():
        for part in of_split.items():
            subset = part.get("hf_subset")
            named = subset.read() if subset else "default"
            for measure, value in part.members():
                if _MEASURE.fullmatch(measure) and (printed := value.printed()).text not in {"null", "NaN"}:
                    yield Score(
                        key=(model, revision, task, split, named, measure),
                        places=(f"{task}/{split}/{named}",),
                        system=model.replace("__", "/", 1),
                        measure=measure,
                        printed=printed.text,
                        line=printed.line,
                        is_self_reported=revision == "external",
                    )


UPSTREAM = Upstream("embeddings-benchmark/results", r"results/[^/]+/[^/]+/(?!model_meta\.json$)[^/]+\.json", read)
