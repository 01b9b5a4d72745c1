"""Rows for tests, in plain Python: every function makes what it needs, and takes what the test cares about."""

from collections.abc import Sequence
from itertools import count
from typing import Any

from django.utils import timezone

from analysis.readers.numbers import PrintedScore
from analysis.readers.text import comparison_key
from registry.accounts.models import User
from registry.catalog.models import (
    Collection,
    CollectionAlias,
    Leaderboard,
    Measure,
    MeasureAlias,
    Question,
    ResidualVariance,
    Topic,
)
from registry.journal.models import Entry
from registry.journal.services import record
from registry.results.models import Model, Paper, Result, System, TopicScores

_numbers = count(1)


def make_user(username: str = "", **fields: Any) -> User:
    return User.objects.create_user(username or f"contributor{next(_numbers)}", **fields)


def make_collection(slug: str = "", *, aliases: Sequence[str] = (), **fields: Any) -> Collection:
    """A collection of 50 topics."""
    slug = slug or f"collection-{next(_numbers)}"
    collection = Collection.objects.create(slug=slug, **({"name": slug, "n_topics": 50} | fields))
    CollectionAlias.objects.bulk_create(CollectionAlias(collection=collection, alias=alias) for alias in aliases)
    return collection


def make_topics(collection: Collection, labels: Sequence[str]) -> list[Topic]:
    """The collection's topics, in this order."""
    return Topic.objects.bulk_create(
        Topic(collection=collection, position=position, label=label) for position, label in enumerate(labels)
    )


def make_measure(name: str = "", *, aliases: Sequence[str] = (), **fields: Any) -> Measure:
    """A measure from 0 to 1 that is the better the higher."""
    name = name or f"P@{1000 + next(_numbers)}"
    measure = Measure.objects.create(name=name, **({"ir_measures": name, "low": 0, "high": 1} | fields))
    MeasureAlias.objects.bulk_create(MeasureAlias(measure=measure, alias=alias) for alias in aliases)
    return measure


def make_question(
    text: str,
    names: Sequence[str],
    choices: Sequence[Any] = (),
    *,
    kind: str = "collection",
    only_with: Sequence[Any] = (),
) -> Question:
    """Return what to ask about names of collections, or of measures; on or under ``only_with`` alone."""
    question = Question.objects.create(kind=kind, names="\n".join(names), text=text)
    of_kind, others = question.collections, question.measures
    if kind == "measure":
        of_kind, others = question.measures, question.collections
    for choice in choices:
        of_kind.add(choice)
    others.add(*only_with)
    return question


def make_leaderboard(
    collection: Collection | None = None, measure: Measure | None = None, **fields: Any
) -> Leaderboard:
    return Leaderboard.objects.create(
        collection=collection or make_collection(), measure=measure or make_measure(), **fields
    )


def make_variance(measure: Measure, value: float, collection: Collection, **fields: Any) -> ResidualVariance:
    """A residual variance that was seen on runs of a collection."""
    defaults = {"n_systems": 20, "n_topics": 50, "sources": ["its own runs"]}
    return ResidualVariance.objects.create(
        measure=measure, collection=collection, residual_variance=value, **(defaults | fields)
    )


def make_system(name: str = "", team: str = "", **fields: Any) -> System:
    name = name or f"system {next(_numbers)}"
    return System.objects.create(
        name=name, team=team, name_key=comparison_key(name), team_key=comparison_key(team), **fields
    )


def make_model(name: str = "SPLADE-v3", slug: str = "splade-v3", **fields: Any) -> Model:
    return Model.objects.create(name=name, slug=slug, name_key=comparison_key(name), **fields)


def make_paper(cite: str = "", **fields: Any) -> Paper:
    cite = cite or f"Paper {next(_numbers)}"
    return Paper.objects.create(cite=cite, **({"identity": f"cite:{comparison_key(cite)}"} | fields))


def make_entry(action: str = "results.file.loaded", **fields: Any) -> Entry:
    about = (fields.pop("subject_type", "file"), fields.pop("subject_id", "test.csv"))
    return record(action=action, subject=about, **fields)


def make_result(
    leaderboard: Leaderboard | None = None, system: System | None = None, printed: str = "0.2500", **fields: Any
) -> Result:
    """A standing baseline, recorded now."""
    defaults: dict[str, Any] = {"role": Result.Role.BASELINE, "source": "test", "recorded_at": timezone.now()}
    if "recorded_by" not in fields:
        defaults["recorded_by"] = make_entry()
    return Result.objects.create(
        leaderboard=leaderboard or make_leaderboard(),
        system=system or make_system(),
        printed=printed,
        **({"value": PrintedScore(printed, fields.get("unit", "")).value} | defaults | fields),
    )


def make_results(leaderboard: Leaderboard, values: Sequence[float], **fields: Any) -> list[Result]:
    """One standing result a value, each of a system of its own, printed with four decimals."""
    entry = fields.pop("recorded_by", None) or make_entry()
    return [make_result(leaderboard, printed=f"{value:.4f}", recorded_by=entry, **fields) for value in values]


def make_topic_scores(result: Result, scores: Sequence[float | None]) -> TopicScores:
    """The vector behind the result; give its collection topics first (``make_topics``)."""
    return TopicScores.objects.create(result=result, scores=list(scores))
