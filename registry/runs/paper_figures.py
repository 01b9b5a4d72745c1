"""Figures of papers, drawn of the uploads behind a study."""

from collections.abc import Iterator, Sequence

import msgspec

from analysis.scores import Judgements, parse_judgements
from registry.runs.models import Study, Upload, Work
from registry.runs.pipeline.packing import unpack_rankings
from registry.runs.pipeline.precision import as_average_precision, run_of
from registry.runs.queries import lines_of
from registry.runs.studies import Found, matrix_of, uploads_behind
from registry.tools.reproductions.ranked import JudgedRanking
from registry.tools.reproductions.redrawing import Sent
from registry.tools.reproductions.sent import SentFigures, draw_sent


def draw(study_id: int) -> Found | None:
    """The figures that can be drawn; None where nobody wants them any more."""
    asked = Study.objects.select_related("upload", "leaderboard__collection", "leaderboard__measure")
    study = asked.filter(pk=study_id, state=Study.State.WAITING).first()
    if study is None:
        return None
    return Found(study.digest, msgspec.json.encode(draw_sent(sent_of(study))).decode())


def read_figures(study: Study) -> SentFigures:
    """What was drawn, of a study that is done."""
    return msgspec.json.decode(study.content, type=SentFigures)


def sent_of(study: Study) -> Sent:
    """What is behind a study: scores under its measure and, of runs, under every other; and rankings that are kept."""
    uploads, measure = uploads_behind(study), study.board.measure
    runs = [one for one in uploads if one.work.kind == Work.Kind.RUN]
    under = {name: [one for one in runs if name in one.work.means] for one in runs for name in one.work.means}
    under[measure.name] = uploads
    found = {name: matrix_of(of, name) for name, of in under.items()}
    return Sent(
        name=name_of(study, uploads),
        measure=measure.name,
        higher_is_better=measure.higher_is_better,
        matrices={name: matrix for name, matrix in found.items() if matrix},
        runs=list(_rankings(runs)),
    )


def name_of(study: Study, uploads: Sequence[Upload]) -> str:
    """What figures say they are drawn of."""
    first, *others = [upload.name for upload in uploads]
    said = f"{first} and {len(others)} more" if len(others) > 1 else " and ".join([first, *others])
    return study.board.collection.name if study.own_measure_id else f"{said} on {study.board.collection.name}"


def _rankings(runs: Sequence[Upload]) -> Iterator[JudgedRanking]:
    """Runs whose documents are kept, with judgements that are not sealed."""
    known: dict[int, Judgements] = {}
    for upload in runs:
        judgements = upload.work.judgements
        if not upload.work.rankings or judgements is None or judgements.is_sealed:
            continue
        if judgements.pk not in known:
            known[judgements.pk] = parse_judgements(lines_of(judgements))
        run = run_of(unpack_rankings(bytes(upload.work.rankings)))
        kinds = (as_average_precision(text) for text in upload.work.measures.values())
        grade = next((kind.grade for kind in kinds if kind), 1)
        depth = max(map(len, run.rankings.values()), default=0)
        yield JudgedRanking(upload.place.name, upload.name, depth, grade, run, known[judgements.pk])
