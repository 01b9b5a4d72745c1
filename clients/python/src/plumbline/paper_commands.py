"""``plumbline review paper/`` and ``plumbline submit paper/``: a paper's tables, by options, a file and answers."""

import argparse
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from plumbline.errors import Part, PlumblineError
from plumbline.records import Submission
from plumbline.site import TOKEN_VARIABLE, Site

FORMATS = ("text", "markdown", "json", "sarif", "latex")
_DEFAULTS = ("collection", "measure", "unit")
_HUNK = re.compile(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@")
_FOR_ALL = ("collection", "measure", "system", "unit", "paper", "year")
#: Begins the field of a question; and of the question which of several tables is meant.
_ANSWER, _TABLE = "answers.", "answers.table-"


@dataclass(slots=True)
class Settings:
    """The content of ``plumbline.yaml``: files, record, own systems, answers, and which findings are errors."""

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
    """Read a ``plumbline.yaml``.

    Raises
    ------
    PlumblineError
        If it is no YAML, has another key, or a value of another kind.
    """
    from analysis.readers.grids import Flaw
    from analysis.readers.structured import read_yaml
    from plumbline.reviewing import LEVELS

    try:
        content = read_yaml(file.read_text(encoding="utf-8")) or {}
    except Flaw as error:
        raise PlumblineError(f"{file} {error}") from error
    if not isinstance(content, dict):
        raise PlumblineError(f"{file} has no keys; write for example: own: [MyRanker]")
    settings = Settings()
    known = {each.name: getattr(settings, each.name) for each in fields(Settings)} | {"errors": []}
    for key, value in content.items():
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


def add_review(commands: Any) -> None:
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
    """Add the options that answer questions about tables."""
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
    """Review the tables and print the findings; return the exit code."""
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
    author = reviewing.Author(
        answers=dict(answers),
        own=options.own or list(settings.own),
        defaults={name: text for name, text in defaults.items() if text},
        ask=ask if asks(options) else None,
    )
    own_before = list(author.own)
    findings = []
    if changed is None or changed:
        record = DumpRecord(dump) if dump else SiteRecord(Site(options.url or settings.url))
        findings = reviewing.review(files, record, author, changed=changed)
    for form, file in outputs:
        file.write_text(reviewing.written(findings, form, settings.errors or ()) + "\n", encoding="utf-8")
    print(reviewing.written(findings, options.format, settings.errors or ()))
    if (author.answers, author.own) != (answers, own_before):
        print(_to_keep(author.answers, author.own), file=sys.stderr)
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
    command = ["git", "-c", "core.quotePath=false", "diff", "--no-color", "--no-ext-diff", "--no-renames", "--relative",
             "-U0", "--dst-prefix=", "--diff-filter=d", "--end-of-options", since, "--", *map(str, files)]  # fmt: skip
    try:
        output = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
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
            # Lines that were only taken out leave the two around them.
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
    """Ask at the terminal; return one of the choices, or the typed text where there are none; blank for no answer."""
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


def add_submit(commands: Any) -> None:
    """Add ``submit`` to the commands."""
    command = commands.add_parser("submit", help=f"submit results, or the tables of a paper (token: ${TOKEN_VARIABLE})")
    command.add_argument("file", type=Path, help="CSV as it is; LaTeX, Markdown, HTML, a folder or tarball of a paper")
    command.add_argument("--dry-run", action="store_true", help="only say what would become of them")
    command.add_argument("--note", default="", help="for reviewers")
    command.add_argument("--own", action="append", help="a system of yours; the others are baselines")
    add_questions(command)
    for name in _FOR_ALL:
        command.add_argument(f"--{name}", default="", help="where rows name none")


def submit(site: Site, options: argparse.Namespace) -> int:
    """Submit a file or the tables of a paper; return 1 where rows are refused, or a table is left out."""
    wishes = {"dry_run": options.dry_run, "note": options.note}
    wishes |= {name: getattr(options, name) for name in _FOR_ALL if getattr(options, name)}
    if options.file.suffix.lower() == ".csv":
        return _print_submission(site, site.submit(options.file, **wishes))
    from plumbline.reviewing import has_table, texts_of

    asker = _Asker(site, wishes | {"own": options.own}, answers_of(options), asks(options))
    code = 0
    for file, alone in texts_of([options.file]).items():
        for name, submission in asker.tables(file, alone.text) if has_table(file, alone.text) else ():
            if isinstance(submission, PlumblineError):
                print(f"{name}: left out. {submission}", file=sys.stderr)
                code = 1
            else:
                print(f"{name}: ", end="")
                code |= _print_submission(site, submission, is_told=bool(options.own))
    return code


class _Asker:
    """Has a site read the tables of a text, and asks at the terminal what they leave open: each thing once."""

    def __init__(self, site: Site, wishes: dict[str, Any], answers: dict[str, str], is_asking: bool) -> None:
        self._site, self._wishes, self._answers, self._is_asking = site, wishes, answers, is_asking

    def tables(self, name: str, text: str, **which: str) -> Iterator[tuple[str, Submission | PlumblineError]]:
        """Yield each table by its name, as it was submitted, or why it was not."""
        cells: dict[str, str] = {}
        while True:
            try:
                submission = self._site.submit_table(text, answers=self._answers | which, **self._wishes | cells)
            except PlumblineError as error:
                part = next((part for part in error.parts if part.code in ("open", "missing")), Part("", ""))
                key = part.field.removeprefix(_ANSWER)
                if part.field.startswith(_TABLE):
                    for value, label in zip(part.candidates, part.labels, strict=True):
                        yield from self.tables(f"{name}, {label}", text, **{key: value})
                    return
                choices = tuple(zip(part.candidates, part.labels, strict=True))
                answer = ask(f"{name}: {part.message}", choices) if part.code and self._is_asking else ""
                if not answer:
                    yield name, error
                    return
                (self._answers if choices else cells)[key] = answer
            else:
                yield name, submission
                return


def _print_submission(site: Site, submission: Submission, *, is_told: bool = True) -> int:
    print(", ".join(f"{n} {name}" for name, n in submission.counts.items()))
    for row in submission.refused if is_told else ():
        print(f"row {row.line}: {'; '.join(rejection.message for rejection in row.rejections)}", file=sys.stderr)
    if submission.url:
        address = f"{site.url.rstrip('/')}{submission.url}"
        print(f"draft: {address}" if is_told else f"say which rows are yours: {address}systems/")
    return int(is_told and bool(submission.refused))
