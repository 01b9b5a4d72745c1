"""``plumbline submit paper/``: a file of results as it is, or every table of a paper as a draft of its own."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plumbline import review_commands
from plumbline.errors import Part, PlumblineError
from plumbline.records import Submission
from plumbline.site import TOKEN_VARIABLE, Site

_FOR_ALL = ("collection", "measure", "system", "unit", "paper", "year")
#: Of a question which of several tables is meant.
_TABLE = "answers.table-"
_ANSWER = "answers."


def add_command(commands: Any) -> None:
    """Add ``submit`` to the commands."""
    hand_in = commands.add_parser(
        "submit", help=f"hand in results, or the tables of a paper (token: ${TOKEN_VARIABLE})"
    )
    hand_in.add_argument("file", type=Path, help="CSV as it is; LaTeX, Markdown, HTML, a folder or tarball of a paper")
    hand_in.add_argument("--dry-run", action="store_true", help="only say what would become of them")
    hand_in.add_argument("--note", default="", help="for reviewers")
    hand_in.add_argument("--own", action="append", help="a system of yours; the others are baselines")
    review_commands.add_questions(hand_in)
    for name in _FOR_ALL:
        hand_in.add_argument(f"--{name}", default="", help="where rows name none")


def submit(site: Site, options: argparse.Namespace) -> int:
    """Hand in what is named; return 1 where rows are refused, or a table is left out."""
    wishes = {"dry_run": options.dry_run, "note": options.note}
    wishes |= {name: getattr(options, name) for name in _FOR_ALL if getattr(options, name)}
    if options.file.suffix.lower() == ".csv":
        return _say(site, site.submit(options.file, **wishes))
    from plumbline.reviewing import has_table, texts_of

    asker = _Asker(
        site, wishes | {"own": options.own}, review_commands.answers_of(options), review_commands.asks(options)
    )
    code = 0
    for file, alone in texts_of([options.file]).items():
        for name, found in asker.tables(file, alone.text) if has_table(file, alone.text) else ():
            if isinstance(found, PlumblineError):
                print(f"{name}: left out. {found}", file=sys.stderr)
                code = 1
            else:
                print(f"{name}: ", end="")
                code |= _say(site, found, is_told=bool(options.own))
    return code


class _Asker:
    """Has a site read the tables of a text, and asks at the terminal what they leave open: each thing once."""

    def __init__(self, site: Site, wishes: dict[str, Any], answers: dict[str, str], is_asking: bool) -> None:
        self._site, self._wishes, self._answers, self._is_asking = site, wishes, answers, is_asking

    def tables(self, name: str, text: str, **which: str) -> Iterator[tuple[str, Submission | PlumblineError]]:
        """Yield each table by its name, as it was handed in, or why it was not."""
        said: dict[str, str] = {}
        while True:
            try:
                found = self._site.submit_table(text, answers=self._answers | which, **self._wishes | said)
            except PlumblineError as error:
                part = next((part for part in error.parts if part.code in ("open", "missing")), Part("", ""))
                key = part.field.removeprefix(_ANSWER)
                if part.field.startswith(_TABLE):
                    for value, label in zip(part.candidates, part.labels, strict=True):
                        yield from self.tables(f"{name}, {label}", text, **{key: value})
                    return
                choices = tuple(zip(part.candidates, part.labels, strict=True))
                answer = (
                    review_commands.ask(f"{name}: {part.message}", choices) if part.code and self._is_asking else ""
                )
                if not answer:
                    yield name, error
                    return
                (self._answers if choices else said)[key] = answer
            else:
                yield name, found
                return


def _say(site: Site, submission: Submission, *, is_told: bool = True) -> int:
    print(", ".join(f"{n} {name}" for name, n in submission.counts.items()))
    for row in submission.refused if is_told else ():
        print(f"row {row.line}: {'; '.join(rejection.message for rejection in row.rejections)}", file=sys.stderr)
    if submission.url:
        address = f"{site.url.rstrip('/')}{submission.url}"
        print(f"draft: {address}" if is_told else f"say which rows are yours: {address}systems/")
    return int(is_told and bool(submission.refused))
