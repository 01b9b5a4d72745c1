"""MTEB and TIREx: platforms that publish the scores of many people's systems, in JSON."""

import re
from collections.abc import Iterator

from analysis.readers.upstream.scores import Json, Score, Upstream, base_name

#: Measures of rankings; the files have others, of classifiers and of confidence.
_MEASURE = re.compile(r"main_score|(max_over_subqueries_)?(ndcg|map|mrr|recall|precision|hit_rate|accuracy)_at_\d+")

_VERSION, _REVISION = (re.compile(rf'"{name}":\s*"([^"]*)"') for name in ("mteb_version", "dataset_revision"))
_COMMIT = re.compile(r"[0-9a-f]{40}")


def _read_mteb(path: str, text: str) -> Iterator[Score]:
    """Yield the scores of one model on one task, those of rankings."""
    _, model, revision, _ = path.rsplit("/", 3)
    task, scores = base_name(path), Json(text).get("scores")
    if scores is None:
        raise ValueError("there is no scores, or more than one")
    version, revision_of_data = (_named(text, field) for field in (_VERSION, _REVISION))
    for split, of_split in scores.members():
        for part in of_split.items():
            subset = part.get("hf_subset")
            named = subset.read() if subset else "default"
            about = _about(task, split, named, part.get("languages"))
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
                        evaluator=f"mteb {version}" if version else "",
                        dataset_revision=short_revision(revision_of_data),
                        about=about,
                    )


def _about(task: str, split: str, subset: str, languages: Json | None) -> dict[str, str]:
    """Return what a file says of the collection that a part of it is about."""
    called = task if subset == "default" else f"{task} ({subset})"
    spoken = ", ".join(languages.read() or ()) if languages else ""
    return {
        "name": f"MTEB {called}",
        "mteb_task": called,
        "suite": "MTEB",
        "language": spoken,
        "notes": f"{split} split",
    }


def short_revision(revision: str) -> str:
    """Return a revision as results name it: ten digits of a commit, blank for none, anything else as it is.

    >>> short_revision("c22ab2a51041ffd869aaddef7af8d8215647e41a"), short_revision("main"), short_revision("None")
    ('c22ab2a510', 'main', '')
    """
    if revision == "None":
        return ""
    return revision[:10] if _COMMIT.fullmatch(revision) else revision


def _named(text: str, name: re.Pattern[str]) -> str:
    match = name.search(text)
    return match[1] if match else ""


MTEB = Upstream("embeddings-benchmark/results", r"results/[^/]+/[^/]+/(?!model_meta\.json$)[^/]+\.json", _read_mteb)


_TIREX_MEASURES = frozenset({"ndcg@10", "precision@10"})


def _read_tirex(path: str, text: str) -> Iterator[Score]:
    """Yield the scores of every system on every data set."""
    for dataset, systems in Json(text).members():
        for system, scores in systems.members():
            for measure, value in scores.members():
                if measure in _TIREX_MEASURES:
                    printed = value.printed()
                    yield Score(
                        key=(dataset, system, measure),
                        places=(dataset,),
                        system=system,
                        measure=measure,
                        printed=printed.text,
                        line=printed.line,
                    )


TIREX = Upstream("tira-io/ir-experiment-platform", r"analysis-of-submissions/all_evaluations\.json", _read_tirex)
