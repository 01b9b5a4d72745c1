"""Commands as somebody gives them: what they say, and how they end."""

from io import StringIO
from typing import Any, NamedTuple

from django.core.management import call_command


class Said(NamedTuple):
    """What a command says on stdout and stderr, and its exit code."""

    out: str
    err: str
    code: int


def given(name: str, *arguments: object, **options: Any) -> Said:
    """Return what the command of this name says and comes to."""
    out, err, code = StringIO(), StringIO(), 0
    try:
        call_command(name, *map(str, arguments), stdout=out, stderr=err, **options)
    except SystemExit as left:
        code = int(left.code or 0)
    return Said(out.getvalue(), err.getvalue(), code)
