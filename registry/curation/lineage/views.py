"""Pages of lineages, and answers on training."""

from functools import partial
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.readers.rejections import Refused
from analysis.readers.text import shorten
from registry.accounts.access import AnyUser, require_contributor, require_editor
from registry.accounts.models import User
from registry.catalog.queries import CatalogNames
from registry.core.documents import DocumentPage, as_lists
from registry.core.forms import CleanTextField, PageForm, asked
from registry.core.http import must_exist
from registry.core.limits import spend
from registry.curation.lineage.documents import NamedLineage
from registry.curation.lineage.models import KEY_LENGTH, Lineage, TrainingDeclaration
from registry.curation.lineage.pipeline import KINDS, parse_key
from registry.curation.lineage.queries import systems_of
from registry.curation.lineage.services import answer_training, withdraw_training_answer
from registry.journal.queries import journal_version
from registry.results.access import get_visible_system
from registry.results.documents import SOURCE_COLUMNS, source_cells
from registry.results.forms import Action, ReasonForm, WithRefusals, action
from registry.results.queries import source_counts

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


def get_visible_lineage(text: str) -> tuple[str, set[int]]:
    """Return the key in its canonical form, and the systems that may be of it; 404 where nothing ever was."""
    try:
        key = parse_key(text)
    except Refused as refused:
        raise Http404(f"This names no lineage: {refused.message}.") from refused
    systems = systems_of([key])
    if not systems and not Lineage.objects.filter(key=key).exists():
        raise Http404(f"No system is of the lineage {shorten(key)}.")
    return key, systems


def get_training_answer(user: AnyUser, pk: int) -> tuple[TrainingDeclaration, User]:
    """Return the answer and who asks for it, its author or an editor; 404 once it is taken back."""
    person = require_contributor(user)
    answers = TrainingDeclaration.objects.standing().filter(person__isnull=False).select_related("system")
    answer = must_exist(answers.filter(pk=pk).first(), "There is no such answer.")
    return answer, person if answer.person_id == person.pk else require_editor(user)


SYSTEMS_PER_PAGE = 200


@require_safe
def lineage_detail(request: HttpRequest) -> HttpResponse:
    """Show a lineage: the systems that are of it, and what was decided about it."""
    form = asked(LineageForm(request.GET))
    key, ids = get_visible_lineage(form.cleaned_data["key"])
    lineage = NamedLineage(key)
    page = form.cut(lineage.systems(ids), SYSTEMS_PER_PAGE)
    context = {"lineage": lineage, "page": page, "query": {"key": key}}
    return render(request, "curation/lineage/lineage_detail.html", context)


@action("Say what it was trained on", "Your answer stands beside the others.")
def training_answer(request: HttpRequest, slug: str) -> Action:
    """Say what a system was trained on."""
    person, system = require_contributor(request.user), get_visible_system(slug)

    def act(**answer: Any) -> Any:
        spend("comment", person.pk)
        return answer_training(system=system, person=person, **answer)

    form = TrainingAnswerForm(request.POST or None, initial={"dataset": request.GET.get("dataset", "")})
    return Action(form, act, system, then=system)


@action("Take an answer back", "It is taken back.")
def training_answer_withdraw(request: HttpRequest, pk: int) -> Action:
    """Take an answer on training back, or remove it."""
    answer, person = get_training_answer(request.user, pk)
    act = partial(withdraw_training_answer, answer=answer, actor=person)
    return Action(ReasonForm(request.POST or None), act, answer.system, then=answer.system)


#: The number of sources, the largest first, that are shown at once.
MOST_SHOWN = 20

SOURCES = DocumentPage(
    template="curation/lineage/sources.html",
    meaning="Where figures were taken from, with how many stand.",
    document=list,
    find=lambda: None,
    version=lambda _: journal_version(),
    describe=lambda _, form: source_counts(),
    lay_out=lambda _, sources, form: {
        "sources": sources,
        "parts": [part for part in (sources[:MOST_SHOWN], sources[MOST_SHOWN:]) if part],
    },
    formats=as_lists("sources", SOURCE_COLUMNS, lambda sources: list(map(source_cells, sources)), "csv", "json"),
)
