"""Verifying that what rows refer to is there: the database asks when it is written, and not what is done without it."""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db import models
from django.db.models import Exists, OuterRef

from registry.core.listing import MAX_LISTED
from registry.journal.verifying import Report, Share


def check_references(_: Share) -> Report:
    """Every foreign key of every table."""
    report = Report()
    for model, field in _references():
        manager = model._base_manager
        named = manager.exclude(**{field.attname: None})
        n = named.count()
        if not n:
            continue
        report.n += n
        there = field.related_model._base_manager.filter(**{field.target_field.attname: OuterRef(field.attname)})
        lost = named.filter(~Exists(there)).order_by("pk").values_list("pk", field.attname)
        what = str(model._meta.verbose_name)
        name = field.name.replace("_", " ")
        report.problems += [f"{what} {key}: names {name} {value}, which is gone" for key, value in lost[:MAX_LISTED]]
    return report


def _references() -> "Iterator[tuple[type[models.Model], models.ForeignKey[Any, Any]]]":
    """Those of tables that have rows."""
    for model in apps.get_models(include_auto_created=True):
        if model._meta.managed and not model._meta.proxy:
            fields = [field for field in model._meta.concrete_fields if isinstance(field, models.ForeignKey)]
            if fields and model._base_manager.exists():
                yield from ((model, field) for field in fields)
