"""docs/api.md names what there is, and its examples come out."""

import gzip
import io
import json
import re
import shlex
import urllib.request
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client

from registry.accounts.services import create_token
from registry.catalog.models import Collection, Leaderboard
from registry.leaderboards.services import save_finding
from registry.leaderboards.studies import analyse_leaderboard
from registry.runs.services.judging import put_judgements
from tests.registry.accounts.people import make_person
from tests.registry.api.shapes import operation, operations

DOCUMENT = (settings.BASE_DIR / "docs" / "api.md").read_text(encoding="utf-8")
OMITTED = "…"


def named_in(start: str) -> set[str]:
    """Return the words in code of the first column of the table with this head."""
    table = DOCUMENT.split(f"| {start} |")[1].split("\n\n")[0]
    return {word for row in table.splitlines()[2:] for word in re.findall(r"`([^`]+)`", row.split(" | ")[0])}


def test_every_address_that_is_named_exists():
    paths = {path for path, _ in operations().values()}
    named = named_in("below `/api/v1` | answers")
    assert len(named) > 20
    assert not {path for path in named if not any(known.endswith(path.removeprefix("…")) for known in paths)}


def test_the_parameters_of_a_leaderboard_are_those_of_the_schema():
    described = operation("get_leaderboard")[1]["parameters"]
    assert named_in("parameter | does") == {parameter["name"] for parameter in described if parameter["in"] == "query"}


def assert_shows(shown: Any, answer: Any, place: str = "$") -> None:
    """See that an answer is what the document shows, apart from what it leaves out."""
    if shown == OMITTED:
        return
    if isinstance(shown, dict):
        wanted = {key for key in shown if key != OMITTED}
        assert wanted <= set(answer), place
        assert OMITTED in shown or wanted == set(answer), f"{place} lacks {set(answer) - wanted}"
        for key in wanted:
            assert_shows(shown[key], answer[key], f"{place}.{key}")
    elif isinstance(shown, list):
        is_cut = bool(shown) and shown[-1] == OMITTED
        rows = shown[:-1] if is_cut else shown
        assert len(answer) >= len(rows) if is_cut else len(answer) == len(rows), place
        for position, row in enumerate(rows):
            assert_shows(row, answer[position], f"{place}[{position}]")
    else:
        assert shown == answer, place


@pytest.fixture
def shipped_trec_7(tmp_path: Path, db: None) -> None:
    """The catalog and the runs of TREC-7 that ship, analysed."""
    data = settings.BASE_DIR / "data"
    call_command("load_catalog", data, verbosity=0)
    header, *lines = (data / "results" / "trec_adhoc.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "trec7.csv").write_text(header + "".join(line for line in lines if line.startswith("trec-7-adhoc,")))
    call_command("load_results", tmp_path / "trec7.csv", verbosity=0)
    for pk in Leaderboard.objects.filter(results_version__gt=0).values_list("pk", flat=True):
        save_finding(analyse_leaderboard(pk))


#: Commands, with the answers that the document shows of some.
SHOWN = re.findall(
    r"^```\n\$ (curl -sL? '[^']+'(?: \\\n  -H .*?')?)\n([{\[].*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL
)
OTHERS = re.findall(r"^(?: {4,6}|`)(curl (?:[^`\n]*\\\n)*[^`\n]*)`?$", DOCUMENT, re.MULTILINE)


def answer_of(client: Client, command: str, secret: str) -> HttpResponse:
    """Return what a command is answered."""
    _, *words = shlex.split(command.replace("plumb_…", secret))
    (address,) = (word for word in words if word.startswith("http"))
    headers = dict(word.split(": ", 1) for name, word in pairwise(words) if name == "-H")
    bodies = [word for name, word in pairwise(words) if name in ("-d", "--data-binary")]
    body = gzip.compress(b"351 Q0 d1 1 2.0 mine\n") if "@mine.run.gz" in bodies else "".join(bodies).encode()
    kind = headers.pop("Content-Type", "application/octet-stream")
    parts, method = urlsplit(address), "POST" if bodies else "GET"
    path = f"{parts.path}?{parts.query}"
    return client.generic(method, path, body, content_type=kind, headers=headers, follow=True)


PROGRAM = re.search(r"^```python\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)


def the_program_does_what_its_comments_say(client: Client, monkeypatch, capsys) -> None:
    secret = create_token(user=make_person("grace"), name="docs", scopes=["read", "submit"], days=30).secret

    def answer(request: urllib.request.Request) -> io.BytesIO:
        headers = dict(request.header_items())
        response = client.generic(
            request.method,
            request.selector,
            request.data or b"",
            content_type=headers.pop("Content-type"),
            headers=headers,
        )
        assert response.status_code < 300, response.content
        return io.BytesIO(response.content)

    monkeypatch.setattr(urllib.request, "urlopen", answer)
    assert PROGRAM
    exec(compile(PROGRAM[1].replace("plumb_…", secret), "docs/api.md", "exec"), {})
    comments = re.findall(r"^print\(.*\n# (.*)$", PROGRAM[1], re.MULTILINE)
    assert capsys.readouterr().out.splitlines() == comments
    assert len(comments) == 2


def test_the_examples_come_out(client: Client, shipped_trec_7: None, monkeypatch, capsys, subtests):
    scopes = ["read", "submit"]
    secret = create_token(user=make_person(), name="docs", scopes=scopes, days=30).secret
    assert len(SHOWN) == 4
    for command, shown in SHOWN:
        with subtests.test(command):
            assert_shows(json.loads(shown), answer_of(client, command, secret).json())
    with subtests.test("a program"):
        the_program_does_what_its_comments_say(client, monkeypatch, capsys)
    judged = Collection.objects.get(slug="trec-7-adhoc")
    put_judgements(collection=judged, content=b"351 0 d1 1\n352 0 d1 1\n", source="the track")
    secret = create_token(user=make_person("heidi"), name="docs", scopes=scopes, days=30).secret
    assert len(OTHERS) == 4
    for command in OTHERS:
        with subtests.test(command):
            assert answer_of(client, command, secret).status_code in {200, 201}
