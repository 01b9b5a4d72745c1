"""OAI-PMH 2.0, https://www.openarchives.org/OAI/openarchivesprotocol.html: snapshots and papers for libraries.

A paper changed on the day when a result of it, an entry about it, or a file of papers or results last came.
"""

import re
from collections.abc import Mapping
from datetime import date
from email.utils import parseaddr
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Max
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from registry.core.http import site_address
from registry.journal.models import Entry
from registry.leaderboards.models import Snapshot
from registry.results.models import Paper, Result
from registry.results.services.papers import PAPERS_LOADED
from registry.results.services.recording import FILE_LOADED

#: Records on a page of a list.
PER_PAGE = 100
_SETS = {"papers": "Papers on record", "snapshots": "What was found of leaderboards and benchmarks"}
_LIST = ({"metadataPrefix"}, {"from", "until", "set"})
#: By verb, the arguments that it needs, and others that it takes; the token of a list stands alone.
_VERBS: Mapping[str, tuple[set[str], set[str]]] = {
    "Identify": (set(), set()), "ListMetadataFormats": (set(), {"identifier"}), "ListSets": (set(), set()),
    "ListIdentifiers": _LIST, "ListRecords": _LIST, "GetRecord": ({"identifier", "metadataPrefix"}, set()),
}  # fmt: skip
#: Set, first and last day, then the record that the last page ended with.
_TOKEN = re.compile(r"(papers|snapshots|)\|([\d-]*)\|([\d-]*)\|([\d-]{10} oai:\S+)")


class _Failure(Exception):
    """An error by its code in the protocol, and the reason."""


class _Header(NamedTuple):
    """A place in a list: the day of the last change, the identifier, the set, and the id in it."""

    day: str
    identifier: str
    of_set: str
    key: str


@csrf_exempt  # Programs may ask by POST as well; nothing is changed.
@require_http_methods(["GET", "HEAD", "POST"])
def harvest(request: HttpRequest) -> HttpResponse:
    """Answer one of the six verbs of the protocol, or with its error, as XML."""
    context: dict[str, Any] = {"now": timezone.now(), "site": site_address(), "path": reverse("search:oai")}
    try:
        given = _read(request.POST if request.method == "POST" else request.GET)
        context |= {"given": given.items(), "verb": given["verb"]}
        context |= _answer(given["verb"], given)
    except _Failure as failure:
        context["code"], context["why"] = failure.args
    return render(request, "search/oai.xml", context, content_type="text/xml; charset=utf-8")


def _read(asked: QueryDict) -> dict[str, str]:
    """Return the arguments of a request, if its verb takes each of them, and once."""
    verb, arguments = asked.get("verb", ""), {name: str(asked[name]) for name in asked}
    if verb not in _VERBS or len(asked.getlist("verb")) > 1:
        raise _Failure("badVerb", f"Ask for one verb of {', '.join(_VERBS)}.")
    needed, taken = _VERBS[verb]
    if _VERBS[verb] is _LIST and "resumptionToken" in arguments:
        needed, taken = {"resumptionToken"}, set()
    wrong = {*arguments} - needed - taken - {"verb"} | {name for name in arguments if len(asked.getlist(name)) > 1}
    if wrong or needed - {*arguments}:
        problem = f"does not take {', '.join(sorted(wrong))} so" if wrong else f"needs {', '.join(sorted(needed))}"
        raise _Failure("badArgument", f"{verb} {problem}.")
    for name in {"from", "until"} & {*arguments}:
        try:
            date.fromisoformat(arguments[name] if re.fullmatch(r"[\d-]{10}", arguments[name]) else "")
        except ValueError:
            raise _Failure("badArgument", f"{name} is no day; write it as 2026-01-31.") from None
    if arguments.get("from", "") > arguments.get("until", "9"):
        raise _Failure("badArgument", "from is later than until; give the earlier day first.")
    return arguments


def _answer(verb: str, arguments: Mapping[str, str]) -> dict[str, Any]:
    if arguments.get("metadataPrefix", "oai_dc") != "oai_dc":
        raise _Failure("cannotDisseminateFormat", "Records are in oai_dc alone.")
    if verb == "Identify":
        contact, known = settings.PLUMBLINE_CONTACT.removeprefix("mailto:"), _headers("")
        mail = contact if "@" in contact else parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
        return {"mail": mail, "earliest": known[0].day if known else timezone.now().date().isoformat()}
    if "identifier" in arguments:
        of_set, _, key = arguments["identifier"].split(":", 2)[-1].partition("/")
        named = _headers(of_set, key) if of_set in _SETS and key else []
        headers = [header for header in named if header.identifier == arguments["identifier"]]
        if not headers:
            raise _Failure("idDoesNotExist", "Nothing here has this identifier; ListIdentifiers has all.")
        return {"records": _with_things(headers)}
    return _list(arguments) if _VERBS[verb] is _LIST else {"sets": _SETS.items()}


def _list(given: Mapping[str, str]) -> dict[str, Any]:
    """Return a page of records with the token of the next page, the number of all, and of those before."""
    of_set, first, last, after = (given.get(name, "") for name in ("set", "from", "until", "after"))
    if "resumptionToken" in given:
        if not (match := _TOKEN.fullmatch(given["resumptionToken"])):
            raise _Failure("badResumptionToken", "This is no token of ours; begin the list anew.")
        of_set, first, last, after = match.groups()
    headers = [header for header in _headers(of_set) if first <= header.day <= (last or "9")]
    rest = [header for header in headers if after < f"{header.day} {header.identifier}"]
    if not rest:
        raise _Failure("noRecordsMatch", f"Nothing changed then; ask for other days, or a set of {', '.join(_SETS)}.")
    page = rest[:PER_PAGE]
    token = f"{of_set}|{first}|{last}|{page[-1].day} {page[-1].identifier}" if len(page) < len(rest) else ""
    numbers = {"n": len(headers), "n_before": len(headers) - len(rest)}
    return {"records": _with_things(page), "token": token, "is_part": bool(after or token), **numbers}


def _headers(of_set: str, key: str = "") -> list[_Header]:
    """Return the headers of a set, or of both where it is blank, the oldest first; with a key, that one alone."""
    changes = []
    if of_set in ("", "snapshots"):
        snapshots = Snapshot.objects.filter(pk=key) if key else Snapshot.objects.all()
        changes += [(at, "snapshots", pk) for at, pk in snapshots.values_list("created_at", "pk")]
    if of_set in ("", "papers"):
        papers = Paper.objects.filter(merged_into=None)
        files = Entry.objects.filter(subject_type="file", action__in=(PAPERS_LOADED, FILE_LOADED))
        loaded = files.aggregate(at=Max("recorded_at"))["at"]
        # Changes before the last file are covered by it.
        entries, results = Entry.objects.filter(subject_type="paper"), Result.objects.exclude(paper=None)
        if loaded:
            entries, results = entries.filter(recorded_at__gt=loaded), results.filter(recorded_at__gt=loaded)
        if key:
            papers, results = papers.filter(slug=key), results.filter(paper__slug=key)
        described = dict(entries.values_list("subject_id").annotate(at=Max("recorded_at")))
        # In the order of the index: the last of a paper stays. Grouped by paper, the whole table would be read.
        recorded = dict(results.order_by("recorded_at").values_list("paper", "recorded_at").distinct())
        for pk, slug in papers.values_list("pk", "slug"):
            if known := [at for at in (loaded, described.get(str(pk)), recorded.get(pk)) if at]:
                changes.append((max(known), "papers", slug))
    host = urlsplit(site_address()).hostname
    return sorted(_Header(f"{at:%Y-%m-%d}", f"oai:{host}:{spec}/{name}", spec, name) for at, spec, name in changes)


def _with_things(headers: list[_Header]) -> list[tuple[_Header, Paper | Snapshot]]:
    named, keys = ("leaderboard__collection", "leaderboard__measure", "suite"), [header.key for header in headers]
    things: dict[str, Any] = Snapshot.objects.select_related(*named).defer("content").in_bulk(keys)
    things |= Paper.objects.defer("bibtex").in_bulk(keys, field_name="slug")
    return [(header, things[header.key]) for header in headers]
