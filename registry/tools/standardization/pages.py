"""The page of standardized scores, with its drawing: original runs below reference systems, else results by topic."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil, floor
from typing import Any

from analysis.figures import Axis, Note, Panel, Rule, Series
from registry.catalog.documents import collection_page
from registry.catalog.models import Collection
from registry.core.charts import Chart, draw_forms
from registry.core.charts.scenes import ON_PAGES
from registry.core.messages import say
from registry.core.templatetags.formatting import signed
from registry.tools.standardization.documents import StandardizedDocument, StandardizedForm, standardized_document
from registry.tools.standardization.queries import standardization_version

Dot = tuple[str, float]
#: The highest stack of reference systems, and the lowest room for them, in pixels.
_MOST, _LEAST = 110.0, 50.0


def _lay_out(collection: Collection, document: StandardizedDocument, form: StandardizedForm) -> dict[str, Any]:
    here, drawn = list(document.here()), None
    if here:
        runs, asked = here[0][1], document.asked
        marks = [("median", runs.median)]
        marks += [("asked", asked.z)] if asked and asked.measure == here[0][0].measure else []
        drawn = _draw([(run.system, run.z) for run in runs.runs], runs.systems, marks)
    elif document.matrices:
        matrix = document.matrices[0]
        listed = [(system.system, getattr(system, matrix.ordered_by)) for system in matrix.systems]
        drawn = _draw(listed, {}, [("middle", 0.0 if matrix.ordered_by == "z" else 0.5)])
    return {"collection": collection, "here": here, "drawn": drawn}


def _draw(listed: Sequence[Dot], reference: Mapping[str, float], marks: Sequence[Dot]) -> Chart:
    """Draw reference systems above the axis and what is listed below it; without them, this above."""
    best, n = max(reference.values(), default=0.0), {"n": len(listed), "n_reference": len(reference)}
    above = [dot for dot in listed if reference and dot[1] > best]
    lane = say("standardized-lane", **n) if reference else ""
    kinds = [("listed", [dot for dot in listed if dot not in above], lane), ("above all", above, lane)]
    lines = tuple(
        Series(
            name=name, mark="swarm", x=tuple(z for _, z in dots), y=(None,) * len(dots), lane=hung,
            is_highlighted=dots is above, labels=tuple(f"{system}\n{signed(z)}" for system, z in dots),
        )
        for name, dots, hung in [("reference systems", list(reference.items()), ""), *kinds]
        if dots
    )  # fmt: skip
    notes = [Note(text=say(f"standardized-{name}", z=signed(z)), x=z, place="mark", looks="mark") for name, z in marks]
    if reference:
        notes.append(Note(text=say("standardized-reference", **n), x=0.0, place="head", looks="beyond"))
        notes.append(Note(text=say("standardized-above", **n, n_above=len(above)), x=best, looks="who"))
    rules = (Rule(name="the best of them", at=best, axis="x"),) if reference else ()
    ends = [z for line in lines for z in line.x] + [z for _, z in marks]
    low, high = (floor(min(ends)), ceil(max(ends))) if reference else (min(ends) - 0.02, max(ends) + 0.02)
    panel = Panel(data="", series=lines, rules=rules, notes=tuple(notes))
    forms = [(panel, Axis(label="z", low=low, high=high), replace(size, most=_MOST, least=_LEAST)) for size in ON_PAGES]
    return draw_forms(forms, name="standardized", text=say("standardized-drawn", **n))


STANDARDIZED = collection_page(
    template="tools/standardization/collection_standardized.html",
    meaning="Scores on the scale of fixed systems, original runs among systems of today, and where a mean lies there.",
    document=StandardizedDocument,
    form=StandardizedForm,
    version=standardization_version,
    describe=standardized_document,
    lay_out=_lay_out,
)
