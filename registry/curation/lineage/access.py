"""Lineages, which everybody may see, and answers on training, which their authors and editors may take back."""

from django.http import Http404

from analysis.readers.rejections import Refused
from analysis.readers.text import shorten
from registry.accounts.access import AnyUser, require_contributor, require_editor
from registry.accounts.models import User
from registry.core.http import must_exist
from registry.curation.lineage.models import Lineage, TrainingDeclaration
from registry.curation.lineage.pipeline import parse_key
from registry.curation.lineage.queries import systems_of


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
