"""``plumbline review paper/``: by the options, by ``plumbline.yaml``, and by what is asked at the terminal."""

import argparse
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from plumbline.errors import PlumblineError
from plumbline.site import Site

FORMATS = ("text", "markdown", "json", "sarif", "latex")
_DEFAULTS = ("collection", "measure", "unit")
_HUNK = re.compile(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@")


@dataclass(slots=True)
class Settings:
    """What ``plumbline.yaml`` says: files, record, own systems, answers, and which findings are errors."""

    files: list[str] = field(default_factory=list)
    url: str = ""
    dump: str = ""
    own: list[str] = field(default_factory=list)
    collection: str = ""
    measure: str = ""
    unit: str = ""
    answers: dict[str, str] = field(default_factory=dict)
    errors: list[str] | None = None


def read_settings(file: Path) -> Settings:
    """Return what a ``plumbline.yaml`` says.

    Raises
    ------
    PlumblineError
        If it is no YAML, has another key, or a value of another kind.
    """
    from analysis.readers.grids import Flaw
    from analysis.readers.structured import read_yaml
    from plumbline.reviewing import LEVELS

    try:
        given = read_yaml(file.read_text(encoding="utf-8")) or {}
    except Flaw as error:
        raise PlumblineError(f"{file} {error}") from error
    if not isinstance(given, dict):
        raise PlumblineError(f"{file} has no keys; write for example: own: [MyRanker]")
    settings = Settings()
    known = {each.name: getattr(settings, each.name) for each in fields(Settings)} | {"errors": []}
    for key, value in given.items():
        if key not in known:
            raise PlumblineError(f"{file}: {key} is no key; the keys are {', '.join(known)}.")
        if isinstance(known[key], list) and isinstance(value, str):
            value = [value] if value else []
        if not isinstance(value, type(known[key])):
            kinds = {"list": "a list", "dict": "keys with values", "str": "one text"}
            raise PlumblineError(f"{file}: {key} takes {kinds[type(known[key]).__name__]}.")
        parts = value.values() if isinstance(value, dict) else value
        if not all(isinstance(part, str) for part in parts):
            raise PlumblineError(f"{file}: {key} takes texts; one of them is something else.")
        setattr(settings, key, value)
    if unknown := set(settings.errors or ()) - set(LEVELS):
        raise PlumblineError(f"{file}: errors has {min(unknown)}; it takes some of {', '.join(LEVELS)}.")
    return settings


def add_command(commands: Any) -> None:
    """Add ``review`` to the commands."""
    paper = commands.add_parser("review", help="review the tables of a paper against a site, or against a dump")
    paper.add_argument("files", nargs="*", type=Path, help="LaTeX, Markdown, HTML, CSV, folders of them, or tarballs")
    paper.add_argument("--dump", type=Path, help="folder of a dump, in place of the site; nothing is fetched")
    paper.add_argument("--config", type=Path, help="what else is said (default: plumbline.yaml, where there is one)")
    paper.add_argument("--since", default="", metavar="REVISION", help="only tables that git has changed since")
    paper.add_argument("--own", action="append", default=[], help="a system of the author's (default: Ours, …)")
    add_questions(paper)
    for name in _DEFAULTS:
        paper.add_argument(f"--{name}", default="", help="where rows name none")
    paper.add_argument("--format", choices=FORMATS, default="text")
    paper.add_argument(
        "--write", action="append", default=[], metavar="FORMAT=FILE", help="the findings to a file, too"
    )


def add_questions(command: argparse.ArgumentParser) -> None:
    """Add how questions about tables are answered."""
    command.add_argument("--answer", action="append", default=[], metavar="KEY=VALUE", help="to a question of a table")
    command.add_argument(
        "--ask", action=argparse.BooleanOptionalAction, help="ask what is open (default: where there is a terminal)"
    )


def answers_of(options: argparse.Namespace) -> dict[str, str]:
    """Return the answers that the command was given."""
    return dict(_pair(text, "--answer") for text in options.answer)


def asks(options: argparse.Namespace) -> bool:
    """Say whether there is somebody to ask."""
    return bool(options.ask if options.ask is not None else sys.stdin.isatty() and sys.stderr.isatty())


def review(options: argparse.Namespace) -> int:
    """Print what the record says of the tables; return the exit code."""
    from plumbline import reviewing
    from plumbline.record import DumpRecord, SiteRecord

    config = options.config or Path("plumbline.yaml")
    settings = read_settings(config) if options.config or config.is_file() else Settings()
    files = options.files or [config.parent / name for name in settings.files]
    if not files:
        raise PlumblineError("Name files or a folder to review, or list them as files in plumbline.yaml.")
    outputs = [_output(text) for text in options.write]
    changed = changed_lines(options.since, files) if options.since else None
    dump = options.dump or (config.parent / settings.dump if settings.dump and not options.url else None)
    answers = settings.answers | answers_of(options)
    defaults = {name: getattr(options, name) or getattr(settings, name) for name in _DEFAULTS}
    said = reviewing.Said(
        answers=dict(answers),
        own=options.own or list(settings.own),
        defaults={name: text for name, text in defaults.items() if text},
        ask=ask if asks(options) else None,
    )
    own_before = list(said.own)
    findings = []
    if changed is None or changed:
        record = DumpRecord(dump) if dump else SiteRecord(Site(options.url or settings.url))
        findings = reviewing.review(files, record, said, changed=changed)
    for form, file in outputs:
        file.write_text(reviewing.written(findings, form, settings.errors or ()) + "\n", encoding="utf-8")
    print(reviewing.written(findings, options.format, settings.errors or ()))
    if (said.answers, said.own) != (answers, own_before):
        print(_to_keep(said.answers, said.own), file=sys.stderr)
    if changed is not None and not findings:
        return 0
    return reviewing.code_of(findings, settings.errors)


def changed_lines(since: str, files: Sequence[Path]) -> dict[str, list[range]]:
    """Return the lines that git has changed since a revision, by the absolute path of each file.

    Raises
    ------
    PlumblineError
        If git can't say: no repository, no such revision.
    """
    asked = ["git", "-c", "core.quotePath=false", "diff", "--no-color", "--no-ext-diff", "--no-renames", "--relative",
             "-U0", "--dst-prefix=", "--diff-filter=d", "--end-of-options", since, "--", *map(str, files)]  # fmt: skip
    try:
        output = subprocess.run(asked, capture_output=True, check=True, encoding="utf-8").stdout
    except FileNotFoundError as error:
        raise PlumblineError("--since needs git, which is not installed.") from error
    except subprocess.CalledProcessError as error:
        raise PlumblineError(f"git can't say what changed since {since}: {error.stderr.strip()}") from error
    lines: dict[str, list[range]] = defaultdict(list)
    file = ""
    for line in output.splitlines():
        if line.startswith("+++ "):
            file = str(Path(line[4:].rstrip("\t")).resolve())
        elif hunk := _HUNK.match(line):
            start, n = int(hunk[1]), int(hunk[2] or 1)
            # What was only taken out leaves the two lines around it.
            lines[file].append(range(start, start + n) if n else range(start, start + 2))
    return dict(lines)


def _pair(text: str, option: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals and value):
        raise PlumblineError(f"{option} takes two parts with = between; this is {text!r}.")
    return key, value


def _output(text: str) -> tuple[str, Path]:
    form, file = _pair(text, "--write")
    if form not in FORMATS:
        raise PlumblineError(f"--write takes FORMAT=FILE with one of {', '.join(FORMATS)}; this is {text!r}.")
    return form, Path(file)


def ask(text: str, choices: Sequence[tuple[str, str]]) -> str:
    """Ask at the terminal; return one of the choices, or what is typed where there are none; blank for no answer."""
    print(text, file=sys.stderr)
    for n, (value, words) in enumerate(choices, 1):
        print(f"  {n}  {f'{value}: {words}' if words and words != value else value}", file=sys.stderr)
    while True:
        wanted = "Number" if choices else "Name"
        print(f"{wanted}, or Enter to leave it open: ", end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline().strip()
        if not (answer and choices):
            return answer
        if answer.isdecimal() and 1 <= int(answer) <= len(choices):
            return choices[int(answer) - 1][0]
        print(f"{answer} is none of 1 to {len(choices)}.", file=sys.stderr)


def _to_keep(answers: dict[str, str], own: Sequence[str]) -> str:
    lines = ["Keep these in plumbline.yaml, and nothing is asked again:"]
    if own:
        lines += ["own:", *(f"  - {_quoted(system)}" for system in own)]
    if answers:
        lines += ["answers:", *(f"  {key}: {_quoted(value)}" for key, value in answers.items())]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    escaped = text.replace("'", "''")
    return f"'{escaped}'"
