"""Every sentence that pages say, once: ``python -m tests.wording [EVERY]`` writes ``docs/wording.md``.

It walks over a site of its own below ``PLUMBLINE_HOME``, loaded and analysed: the verdict of every leaderboard, or of
every so many, and of each kind of page, and of each way to ask for it, as many as a seed draws, as a visitor and as an
editor. Nothing that it sends is kept. Sentences of methods and documents stand in ``docs/`` already.
"""

import os
import random
import re
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.sentences import Patterns, sentences_of

FILE = Path(__file__).resolve().parent.parent / "docs" / "wording.md"
SEED = 20_260_101
#: So many leaderboards and pages of other kinds, of one kind asked in one way, and forms sent empty.
MOST_BOARDS, MOST, MOST_ASKED, MOST_SENT = 240, 30, 3, 2
#: Found on so many kinds of pages, a sentence belongs to none of them.
MANY_KINDS = 5
#: Kinds whose sentences are documents, files or of the people who run a site; and forms that end or send something.
_OTHER = re.compile(r"(?:api|admin|dumps:latest|dumps:dump-file|core:(?:method|document)-detail|leaderboards:style)")
_ENDING = re.compile(r"logout|delete|export|end-all|sessions|keep|example")
#: What no link leads to, but readers ask for.
_ASKED = (
    "/nothing/", "/leaderboards/nothing/AP/", "/collections/nothing/", "/systems/nothing/", "/papers/nothing/",
    "/leaderboards/beir-scifact/nDCG%4010/?training=maybe", "/leaderboards/beir-scifact/nDCG%4010/?top=x",
    "/leaderboards/beir-scifact/nDCG%4010/?q=nothing-has-this-name", "/leaderboards/?q=nothing-has-this-name",
    "/leaderboards/trec-2004-robust/AP/?as_of=2020-01-01", "/leaderboards/trec-2004-robust/AP/?published_by=2010-01-01",
    "/leaderboards/trec-2004-robust/AP/?role=baseline", "/leaderboards/trec-2004-robust/AP/?n_multiplier=5",
    "/leaderboards/beir-scifact/nDCG%4010/?weights=open&size=1B", "/search/?q=robust", "/search/?q=zzzzzz",
    "/check/?collection=DL19&measure=nDCG%4010&score=0.7", "/check/?collection=beir-scifact&measure=nDCG%4010&score=80",
    "/check/?collection=beir-scifact&measure=nDCG%4010&score=0.7&baseline=0.68&n_tried=12",
    "/check/?collection=beir-scifact&measure=nDCG%4010&score=0.9", "/check/?collection=robust04&measure=AP&score=0.3",
    "/check/?collection=trec-2004-robust&measure=AP&score=0.25&baseline=0.24", "/check/?collection=x&measure=y&score=z",
    "/check/best-of/?best=0.3&mean=0.25&sd=0.02&n=10", "/check/best-of/?best=x",
    "/compare/?model=bge-m3&model=e5-mistral-7b-instruct&model=splade-v3", "/compare/?model=nothing",
    "/compare/?model=bge-m3", "/review-table/", "/submit/", "/submit/table/", "/runs/",
)  # fmt: skip


class Walk:
    """One walk over a site: what was met, and which pages of which kind."""

    def __init__(self, names: set[str], every: int) -> None:
        self.names, self.patterns, self.most = names, Patterns(), max(MOST // every, MOST_ASKED)
        self.visited: dict[tuple[str, str], set[str]] = {}
        self.waiting: dict[tuple[str, str], set[str]] = {}
        self.sent: dict[str, int] = {}

    def visit(self, client: Any, address: str) -> None:
        """Read one page, and remember what it leads to."""
        kind = kind_of(address)
        self.visited.setdefault(kind, set()).add(address)
        self.read(client, kind[0], client.get(address))

    def read(self, client: Any, kind: str, response: Any) -> None:
        """What one answer says; forms on it are sent empty, for what is said then."""
        if not response.get("Content-Type", "").startswith("text/html") or response.streaming:
            return
        source = response.content.decode()
        error = f"{response.status_code}" if response.status_code >= 400 else kind
        self.patterns.add(error, sentences_of(source, self.names))
        for address in re.findall(r'<a [^>]*?href="(/[^"#]*)', source):
            found = address.replace("&amp;", "&")
            if found not in self.visited.setdefault(kind_of(found), set()):
                self.waiting.setdefault(kind_of(found), set()).add(found)
        for method_first in re.findall(r"<form[^>]*>", source):
            self._send(client, kind, response.wsgi_request.path, method_first)

    def _send(self, client: Any, kind: str, page: str, form: str) -> None:
        action = re.search(r'action="([^"]*)"', form)
        address = (action[1] if action else "") or page
        if 'method="post"' not in form or _ENDING.search(address) or not address.startswith("/"):
            return
        name = f"{kind} {kind_of(address)[0]}"
        self.sent[name] = self.sent.get(name, 0) + 1
        if self.sent[name] <= MOST_SENT:
            self.read(client, kind, client.post(address, {}))

    def go_on(self, client: Any, chosen: random.Random) -> None:
        """Visit what pages lead to, kind by kind, until each has had enough."""
        while queue := list(self._next(chosen)):
            for address in queue:
                self.visit(client, address)

    def _next(self, chosen: random.Random) -> Iterator[str]:
        for kind in sorted(self.waiting):
            waiting, visited = sorted(self.waiting.pop(kind)), self.visited.setdefault(kind, set())
            most = MOST_ASKED if kind[1] else self.most
            n = min(len(waiting), most - len(visited))
            if n > 0 and not _OTHER.match(kind[0]):
                yield from chosen.sample(waiting, n)


def kind_of(address: str) -> tuple[str, str]:
    """The kind of page at an address, and what it is asked for, by the names of its parameters."""
    from django.urls import Resolver404, resolve

    parts = urlsplit(address)
    try:
        name = resolve(parts.path).view_name
    except Resolver404:
        name = "404"
    return name, " ".join(sorted(parse_qs(parts.query, keep_blank_values=True)))


def names_on_record() -> set[str]:
    """Whatever on record has a name."""
    from registry.catalog.models import Collection, Measure
    from registry.curation.suites.models import Suite
    from registry.results.models import Paper, Result, System

    columns = [
        (Collection, "name"), (Collection, "slug"), (Measure, "name"), (Suite, "name"), (System, "name"),
        (System, "team"), (Paper, "title"), (Paper, "cite"), (Result, "source"), (Result, "locator"),
    ]  # fmt: skip
    found = {" ".join(str(one).split()) for of, column in columns for one in of.objects.values_list(column, flat=True)}
    return {name for name in found if len(name) > 2}


def walk(every: int = 1) -> Patterns:
    """Every so many leaderboards, then all other kinds of pages, as a visitor and as an editor."""
    from django.contrib.auth import get_user_model
    from django.db import transaction
    from django.test import Client

    from registry.catalog.models import Leaderboard

    chosen, found, visitor, editor = random.Random(SEED), Walk(names_on_record(), every), Client(), Client()
    boards = list(Leaderboard.objects.filter(results_version__gt=0).order_by("pk").values_list("pk", flat=True))
    for board in boards[::every]:
        found.patterns.add("leaderboards:leaderboard-detail", sentences_of(verdict_of(board), found.names))
    print("verdicts", file=sys.stderr)
    for board in Leaderboard.objects.with_names().filter(
        pk__in=chosen.sample(boards, min(MOST_BOARDS // every, len(boards)))
    ):
        found.visit(visitor, board.get_absolute_url())
    print("leaderboards", file=sys.stderr)
    for address in ("/", *_ASKED):
        found.visit(visitor, address)
    found.go_on(visitor, chosen)
    print("as an editor", file=sys.stderr)
    with transaction.atomic():
        who = get_user_model().objects.create_superuser("somebody", "somebody@example.org", "a long password")
        editor.force_login(who)
        found.visited, found.sent, found.waiting = {}, {}, {}
        for address in ("/", "/accounts/", "/moderation/", "/submissions/", *_ASKED):
            found.visit(editor, address)
        found.go_on(editor, chosen)
        transaction.set_rollback(True)
    return found.patterns


def verdict_of(board: int) -> str:
    """What the page of a leaderboard says of its verdict, from its snapshot alone, each in a paragraph."""
    from registry.leaderboards.answers import answers_of
    from registry.leaderboards.documents.suites import any_snapshot_document
    from registry.leaderboards.drawings.snapshots import drawn_snapshot
    from registry.leaderboards.models import Analysis
    from registry.leaderboards.verification import read_any

    analysis = Analysis.objects.select_related("snapshot").filter(leaderboard=board, snapshot__isnull=False).first()
    if analysis is None or analysis.snapshot is None:
        return ""
    document = any_snapshot_document(analysis.snapshot)
    said = []
    for one in answers_of(document, drawn_snapshot(document, read_any(analysis.snapshot)).results):
        said += [one.claim, one.evidence_in_short, one.coverage, one.verdict.sentence, one.verdict.evidence_sentence]
        said += [view.sentence for view in one.views]
        said += [text for fact in one.facts for text in (fact.name, fact.meaning)]
        said += [caution.message for caution in one.verdict.cautions]
    return "".join(f"<p>{escape(text)}</p>" for text in said)


def text_of(patterns: Patterns, every: int = 1) -> str:
    """The list as a document: by kind of page, what is said most first, with its number of pages."""
    by_kind: dict[str, list[str]] = {}
    for pattern, kinds in patterns.kinds.items():
        by_kind.setdefault("many kinds of pages" if len(kinds) >= MANY_KINDS else min(kinds), []).append(pattern)
    which = "all leaderboards" if every == 1 else f"one leaderboard in {every}"
    lines = [_HEAD.format(n=len(patterns.kinds), which=which)]
    for kind in sorted(by_kind):
        ordered = sorted(by_kind[kind], key=lambda one: (-patterns.counts[one], one))
        short = [patterns.examples[one] for one in ordered if is_short(one)]
        lines += [f"## {kind}", "", "```text"]
        lines += [f"{patterns.counts[one]} {patterns.examples[one]}" for one in ordered if not is_short(one)]
        lines += [f"in short: {' | '.join(short)}"] if short else []
        lines += ["```", ""]
    return "\n".join(lines)


def is_short(pattern: str) -> bool:
    """Whether a pattern is a label and no sentence."""
    return len(re.findall(r"[^\W\d_]{2,}", pattern)) < 4 and not pattern.endswith((".", "?", "!"))


_HEAD = """# Sentences

All {n} patterns that pages said on a walk over {which}, each once, with the number of pages on which it was met;
what varies stands in braces, by the shortest example. Kinds of pages are called as their addresses are in code. Made by
`python -m tests.wording`; who changes a sentence reads what stands beside it here.
"""


def main() -> int:
    """Walk, and write the list."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
    django.setup()
    from django.conf import settings
    from django.test.utils import setup_test_environment

    setup_test_environment()
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    FILE.write_text(text_of(walk(every), every), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
