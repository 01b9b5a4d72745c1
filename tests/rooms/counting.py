"""How large the house is: what ``budgets.toml`` bounds, counted."""

import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import allauth.urls
from django.core.management import get_commands
from django.urls import URLPattern, URLResolver, get_resolver

from registry import gone
from registry.core.messages import message_files, read_messages

ROOT = Path(__file__).parents[2]
#: Names that name nothing, and docstrings that don't begin with a verb: counted until none is left.
_EMPTY_NAMES = re.compile(r"\b(?:one|found|said)\b(?=\s*(?:=[^=]|\bin\b|:=|[.,)\]]))")
_OPENINGS = re.compile(r'"""(?:What|Whether|How|Which|Who|Whose|Where|Why) ')

Budgets = dict[str, dict[str, int]]


def read_budgets() -> Budgets:
    """Return the budgets, by section and name."""
    return tomllib.loads((ROOT / "budgets.toml").read_text(encoding="utf-8"))


def count_house() -> Budgets:
    """Return what can be counted without running anything, in the sections of the budgets."""
    documents = (file for file in _files("docs") if file.endswith(".md") and not file.startswith("docs/decisions/"))
    return {
        "lines": {
            "registry": _lines("registry", ".py"),
            "analysis": _lines("analysis", ".py"),
            "tests": _lines("tests", ".py"),
            "tools": _lines("tools", ".py"),
            "clients": _lines("clients", ".py"),
            "data": _lines("data", ".py"),
            "templates": _lines("templates", ".html", ".jinja", ".txt", ".svg"),
            "static": _lines("static", ".css", ".js"),
        },
        "rooms": dict(_rooms()),
        "analysis": {room: _lines(f"analysis/{room}", ".py") for room in ("readers", "papers")},
        "counts": {
            "addresses": sum(1 for _ in addresses(get_resolver().url_patterns)),
            "settings": len(set(re.findall(r"^\| `([A-Z_]+)` \|", _text("docs/settings.md"), re.MULTILINE))),
            "commands": sum(app.startswith("registry.") for app in get_commands().values()),
            "messages": sum(len(read_messages(file)) for file in message_files()),
            "docs_kilobytes": -(-sum(len(_bytes(file)) for file in documents) // 1000),
            "changelog_lines": len(_text("CHANGELOG.md").splitlines()),
            "empty_names": _occurrences(_EMPTY_NAMES),
            "docstrings_without_a_verb": _occurrences(_OPENINGS),
        },
    }


def addresses(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    """Yield the addresses of the site, without those of Django's admin, of allauth, and of what is gone."""
    for pattern in patterns:
        if not isinstance(pattern, URLResolver):
            yield pattern
        elif pattern.app_name != "admin" and pattern.urlconf_module not in (gone, allauth.urls):
            yield from addresses(pattern.url_patterns)


def _rooms() -> Counter[str]:
    rooms: Counter[str] = Counter()
    for file in _files("registry"):
        if file.endswith(".py") and "/migrations/" not in file and file.count("/") > 1:
            rooms[file.split("/")[1]] += len(_text(file).splitlines())
    return rooms


def _lines(folder: str, *suffixes: str) -> int:
    files = (file for file in _files(folder) if file.endswith(suffixes) and "/migrations/" not in file)
    return sum(len(_text(file).splitlines()) for file in files)


def _occurrences(pattern: re.Pattern[str]) -> int:
    files = (file for folder in ("registry", "analysis") for file in _files(folder) if file.endswith(".py"))
    return sum(len(pattern.findall(_text(file))) for file in files)


@cache
def _files(folder: str) -> list[str]:
    """Return the files that git tracks or would add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", folder]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [name for name in names if (ROOT / name).is_file()]


def _bytes(file: str) -> bytes:
    return (ROOT / file).read_bytes()


def _text(file: str) -> str:
    return _bytes(file).decode()
