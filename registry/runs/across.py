"""Two systems on several collections: their differences of logit AP, combined."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from django.utils import timezone
from typing_extensions import Doc

from analysis.comparisons import MetaAnalysis, meta_analysis
from registry.runs.document_presentation import read_study
from registry.runs.models import Study, Upload
from registry.runs.pipeline.precision import NO_ERROR


@dataclass(frozen=True, slots=True)
class OnCollection:
    """What a study of two systems found on one collection."""

    collection: Annotated[str, Doc("Its name.")]
    url: Annotated[str, Doc("Of the study.")]
    n_topics: int
    difference: Annotated[float, Doc("Mean difference of logit AP.")]
    standard_error: Annotated[float, Doc("Its standard error against other documents.")]


@dataclass(frozen=True, slots=True)
class Across:
    """Two systems on the collections on which both were studied."""

    rows: Annotated[tuple[OnCollection, ...], Doc("The study at hand first.")]
    n_without_error: Annotated[
        int, Doc("Collections on which no resample changes the difference; they are not combined.")
    ]
    combined: Annotated[
        MetaAnalysis | None, Doc("Each collection as a test of its own (random effects); None of fewer than two.")
    ]


def across_collections(study: Study) -> Across | None:
    """The study with those that its owner had made of systems of the same two names, under the same measure on other
    collections; None where there are none."""
    rows = tuple(_rows(study))
    if len(rows) < 2:
        return None
    tests = [(row.difference, row.standard_error) for row in rows if row.standard_error > NO_ERROR]
    combined = meta_analysis(*zip(*tests, strict=True)) if len(tests) > 1 else None
    return Across(rows, len(rows) - len(tests), combined)


def _rows(study: Study) -> Iterator[OnCollection]:
    names = _names(study)
    if len(set(names)) < 2:
        return
    measure = study.board.measure_id
    others = Study.objects.filter(kind=Study.Kind.DOCUMENTS, state=Study.State.DONE, leaderboard__measure=measure)
    others = others.filter(upload__owner=study.upload.owner_id, upload__forgotten_at__gt=timezone.now())
    others = others.filter(upload__name__in=names).exclude(content="")
    seen = set()
    for one in [study, *others.select_related("upload", "leaderboard__collection")]:
        found = _names(one)
        collection = one.board.collection
        if collection.pk in seen or sorted(found) != sorted(names):
            continue
        pair = read_study(one).pair
        assert pair is not None
        seen.add(collection.pk)
        sign = 1.0 if found == names else -1.0
        logit = pair.logit
        yield OnCollection(
            str(collection), one.get_absolute_url(), len(pair.topics), sign * logit.estimate, logit.standard_error
        )


def _names(study: Study) -> list[str]:
    kept = Upload.objects.filter(pk__in=study.others, forgotten_at__gt=timezone.now())
    names = dict(kept.values_list("pk", "name"))
    return [study.upload.name, *(names[key] for key in study.others if key in names)]
