"""The form of the page of a lineage, and that of answers on training."""

from typing import Any

from django import forms

from analysis.readers.rejections import Refused
from registry.catalog.queries import CatalogNames
from registry.core.forms import CleanTextField, PageForm
from registry.curation.lineage.models import KEY_LENGTH, TrainingDeclaration
from registry.curation.lineage.pipeline import KINDS
from registry.results.forms import WithRefusals

Declared = TrainingDeclaration.Declared


class LineageForm(PageForm):
    """The lineage that a reader asks for."""

    needs = frozenset({"key"})
    key = CleanTextField(
        max_length=KEY_LENGTH, help_text=f"A kind and a name, as team:baidu nlp. Kinds: {', '.join(KINDS)}."
    )


class TrainingAnswerForm(WithRefusals):
    """An answer on the training of a system."""

    declared = forms.ChoiceField(
        choices=[
            (Declared.YES, "It was trained on this data set"),
            (Declared.NO, "It was not trained on this data set"),
            (Declared.NOTHING, "Untrained: it is a formula"),
        ],
        widget=forms.RadioSelect,
        label="What is so",
    )
    dataset = CleanTextField(
        max_length=200,
        required=False,
        label="Data set",
        help_text="A collection here, as beir-scifact, or a name; blank for all collections here.",
    )
    split = forms.ChoiceField(
        choices=[("", "not stated"), *((split, split) for split in ("train", "dev", "test"))],
        required=False,
        label="Split",
    )
    text = CleanTextField(
        max_length=500,
        label="In your words",
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Everybody can read this under your name, beside what other sources say. It counts for leaderboards"
        " where your ORCID iD is among those of the authors of its paper.",
    )
    url = forms.URLField(
        max_length=500,
        assume_scheme="https",
        label="Link",
        help_text="Where it can be checked: a paper, a card, a log.",
    )

    def clean(self) -> dict[str, Any]:
        """Return the answer, with the collection that ``dataset`` names, if any."""
        answer = super().clean() or {}
        name = answer.get("dataset") or ""
        answer["collection"] = None
        names = CatalogNames()
        if name and names.has_collection(name):
            try:
                answer["collection"] = names.collection(name)
            except Refused as refused:
                self.add_error("dataset", forms.ValidationError(refused.message, code=refused.code))
        return answer
