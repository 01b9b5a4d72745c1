"""What forms of curation ask for: their fields, how long an answer may be, and what is said beside each."""

import pytest
from django import forms

from registry.curation.cautions.forms import AnswerForm, CautionDecisionForm
from registry.curation.lineage.forms import LineageDecisionForm, LineageForm, SystemLineageForm, TrainingAnswerForm
from registry.curation.lineage.models import KEY_LENGTH
from registry.curation.oddities.forms import OddityDecisionForm, OddityListForm
from tests.registry.factory import make_collection, make_question

pytestmark = pytest.mark.django_db


def asked(kind: type[forms.Form]) -> dict[str, tuple[str | None, bool, int | None]]:
    """Label, whether it must be filled in, and the most characters, by name."""
    fields = kind().fields
    return {name: (one.label, one.required, getattr(one, "max_length", None)) for name, one in fields.items()}


def explained(kind: type[forms.Form]) -> set[str]:
    """The fields beside which something is said."""
    return {name for name, one in kind().fields.items() if one.help_text}


def test_what_each_form_asks_for():
    assert asked(AnswerForm) == {"text": ("Answer", True, 2000), "url": ("Link", False, 500)}
    assert explained(AnswerForm) == {"text", "url"}
    assert list(asked(CautionDecisionForm)) == ["decision", "reason"]
    assert asked(CautionDecisionForm)["decision"] == ("Decision", True, None)
    assert list(asked(SystemLineageForm)) == ["decision", "key", "reason"]
    assert asked(SystemLineageForm)["key"] == ("Lineage", True, KEY_LENGTH)
    assert explained(SystemLineageForm) >= {"key"}
    assert asked(TrainingAnswerForm) == {
        "declared": ("What is so", True, None),
        "dataset": ("Data set", False, 200),
        "split": ("Split", False, None),
        "text": ("In your words", True, 500),
        "url": ("Link", True, 500),
    }
    assert explained(TrainingAnswerForm) == {"dataset", "text", "url"}
    assert list(asked(LineageDecisionForm)) == ["decision", "into", "reason"]
    assert asked(LineageDecisionForm)["into"][:2] == ("The other lineage", False)
    assert explained(LineageDecisionForm) >= {"into"}
    assert asked(OddityDecisionForm)["reason"] == (None, False, 2000)
    assert explained(OddityDecisionForm) >= {"reason"}
    assert asked(LineageForm)["key"][1] is True
    assert asked(OddityListForm)["kind"] == ("What", False, None)
    for kind in (AnswerForm, TrainingAnswerForm):
        assert kind().fields["text"].widget.attrs["rows"] in (4, 5)
    for kind in (CautionDecisionForm, SystemLineageForm, LineageDecisionForm, TrainingAnswerForm):
        name = "declared" if kind is TrainingAnswerForm else "decision"
        assert isinstance(kind().fields[name].widget, forms.RadioSelect)


def training(**given: str) -> TrainingAnswerForm:
    usual = {"declared": "yes", "text": "We did.", "url": "example.org/log"}
    return TrainingAnswerForm(usual | given)


def test_a_data_set_that_is_a_collection_here_is_taken_for_it():
    one, other = make_collection("beir-fiqa"), make_collection("fiqa-2")
    make_question("Which?", ["FiQA"], [one, other])
    form = training(dataset="BEIR-fiqa")
    assert form.is_valid()
    assert (form.cleaned_data["collection"], form.cleaned_data["url"]) == (one, "https://example.org/log")
    for name in ("AllNLI", ""):
        form = training(dataset=name)
        assert form.is_valid()
        assert form.cleaned_data["collection"] is None
    ambiguous = training(dataset="FiQA")
    assert not ambiguous.is_valid()
    assert ambiguous.errors.as_data()["dataset"][0].code == "ambiguous"
    assert not training(split="all").is_valid()


def test_a_lineage_that_is_the_same_as_another_names_it():
    form = LineageDecisionForm({"decision": "merge", "reason": "so it is"})
    assert not form.is_valid()
    assert form.errors == {"into": ["Say which lineage it is."]}
    assert LineageDecisionForm({"decision": "dissolve", "reason": "so it is"}).is_valid()
    assert LineageDecisionForm({"decision": "merge", "into": "team:x", "reason": "so it is"}).is_valid()
    nothing = LineageDecisionForm({"reason": "so it is"})
    assert not nothing.is_valid()
    assert list(nothing.errors) == ["decision"]
