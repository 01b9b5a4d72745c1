"""Loading the questions about names that may mean several things."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from analysis.readers.rejections import Refused, Rejection
from registry.catalog.models import Collection, CollectionAlias, Measure, MeasureAlias, Question
from registry.catalog.pipeline import CatalogRow
from registry.catalog.queries import CatalogNames, QuestionRow, stored_questions
from registry.core.loading import LoadReport


def read_questions(rows: Iterable[CatalogRow], names: CatalogNames, report: LoadReport) -> Iterator[QuestionRow]:
    """Yield the questions of a file that can be asked; the others are refused in the report."""
    asked: dict[tuple[str, str], list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
    for row in rows:
        kind = row.fields["kind"]
        finders: dict[str, Callable[[str], Collection | Measure]] = {
            "collection": names.collection,
            "measure": names.measure,
        }
        find_choice, find_place = finders.pop(kind), *finders.values()
        faults: list[Rejection] = []
        choices = _ids(find_choice, row, "choices", faults)
        places = _ids(find_place, row, "only_with", faults)
        collections, measures = (choices, places) if kind == Question.Kind.COLLECTION else (places, choices)
        question = QuestionRow(kind, row.fields["names"], row.fields["question"], collections, measures)
        has_name = names.has_collection if question.is_of_collection else names.has_measure
        for name in question.names if places else ():
            if not has_name(name):
                message = f"{name!r} is nobody's alias, so what it means elsewhere is not known"
                faults.append(Rejection("unknown_name", message, row.line, "names"))
        for key in sorted(question.keys):
            for line, others in asked[key]:
                if not places or not others or set(places) & set(others):
                    message = f"line {line} asks about {key[1]!r} already"
                    faults.append(Rejection("duplicate", message, row.line, "names"))
            asked[key].append((row.line, places))
        if faults:
            report.refuse(faults)
        else:
            yield question


def _ids(
    find: Callable[[str], Collection | Measure], row: CatalogRow, column: str, faults: list[Rejection]
) -> tuple[int, ...]:
    """Return the ids of the rows that a cell names; those that it doesn't find are added to the faults."""
    ids = []
    for name in row.fields[column]:
        try:
            ids.append(find(name).pk)
        except Refused as refused:
            faults.append(refused.at(row.line, column))
    return tuple(ids)


def replace_questions(wanted: Iterable[QuestionRow], report: LoadReport) -> None:
    """Store the questions of a file in place of all others about one of their names."""
    wanted, stored = list(wanted), stored_questions()
    unchanged = set(wanted) & set(stored.values())
    new = [question for question in wanted if question not in unchanged]
    keys = {key for question in wanted for key in question.keys}
    outdated = {pk: question for pk, question in stored.items() if question not in unchanged and question.keys & keys}
    Question.objects.filter(pk__in=outdated).delete()
    _store(new)
    _end_aliases(wanted)
    earlier = {key for question in outdated.values() for key in question.keys}
    report.unchanged += len(unchanged)
    report.superseded += sum(bool(question.keys & earlier) for question in new)
    report.added += sum(not question.keys & earlier for question in new)


def _end_aliases(questions: Iterable[QuestionRow]) -> None:
    """Delete the aliases that are asked about everywhere."""
    names: dict[str, set[str]] = {"collection": set(), "measure": set()}
    for question in questions:
        if not question.places:
            names[question.kind].update(question.names)
    CollectionAlias.objects.filter(alias__in=names["collection"]).delete()
    MeasureAlias.objects.filter(alias__in=names["measure"]).delete()


def _store(rows: list[QuestionRow]) -> None:
    questions = Question.objects.bulk_create(
        Question(kind=row.kind, names="\n".join(row.names), text=row.text) for row in rows
    )
    stored = list(zip(questions, rows, strict=True))
    # Stored in their order, which is how they are shown.
    _OF_COLLECTIONS.objects.bulk_create(
        _OF_COLLECTIONS(question=question, collection_id=pk) for question, row in stored for pk in row.collections
    )
    _OF_MEASURES.objects.bulk_create(
        _OF_MEASURES(question=question, measure_id=pk) for question, row in stored for pk in row.measures
    )


_OF_COLLECTIONS, _OF_MEASURES = Question.collections.through, Question.measures.through
