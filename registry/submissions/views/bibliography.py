"""Many papers at once: a BibTeX file, shown as it was understood before it is recorded."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from analysis.readers.weighing import weigh
from registry.accounts.errands.services import is_left
from registry.accounts.errands.views import leave
from registry.accounts.keeping import sign_in_first
from registry.core.templatetags.formatting import plural
from registry.core.views import may_post
from registry.submissions.access import require_reviewer
from registry.submissions.bibliography_forms import BibliographyForm
from registry.submissions.limits import charge
from registry.submissions.services.bibliography import load_bibtex
from registry.submissions.views.tables import text_of


@sign_in_first
@may_post
def bibliography_import(request: HttpRequest) -> HttpResponse:
    """First what would become of every entry; then what is good is recorded, and the rest is given back."""
    reviewer = require_reviewer(request.user)
    form = BibliographyForm(request.POST or None, request.FILES or None)
    if request.method != "POST" or not form.is_valid():
        return _shown(request, form)
    n_lines = weigh(form.bibtex)
    charge(request, n_lines)
    if is_left(request, n_lines):
        return leave(request, **text_of(request))
    is_import = request.POST.get("step") == "import"
    source = form.cleaned_data["source"]
    found = load_bibtex(text=form.bibtex, label=source, actor=reviewer, dry_run=not is_import)
    if is_import and not found.refused:
        new, more = plural(found.report.added, "paper is,papers are"), plural(found.report.superseded, "says,say")
        messages.success(request, f"{new} new, {more} more.")
        return redirect("search:paper-list")
    kept = BibliographyForm(initial={"text": found.rest if is_import else form.bibtex, "source": source})
    return _shown(request, kept, report=found.report, is_import=is_import)


def _shown(request: HttpRequest, form: BibliographyForm, **context: object) -> HttpResponse:
    return render(request, "submissions/bibliography_import.html", {"form": form} | context)
