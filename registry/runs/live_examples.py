"""Where the precision of average precision is at work: on the page of every run."""

from django.urls import reverse

from registry.core.pages import LiveExample, register_live_example
from registry.runs.queries import example


def _example_run() -> LiveExample | None:
    found = example()
    if found is None:
        return None
    run, collection = found
    return LiveExample(f"Score a run: {run.system} on {collection.name} is the example", reverse("runs:upload-list"))


def register_examples() -> None:
    register_live_example(
        _example_run, "precision-of-map", "precision-of-ap", "split-collection-validation", "meta-analysis"
    )
