"""Kinds of pages that a reader may meet: templates that stand right on ``base.html``. ``python -m tests.kinds_of_pages`` lists them.

Templates that extend another page are of its kind, as tabs are. Left out is what only people with an account see, and
what says that something went wrong.
"""

import re
from pathlib import Path

TEMPLATES = Path(__file__).parents[1] / "templates"
_EXTENDS = re.compile(r'{% extends "([^"]+)" %}')
#: Of signing in, handing in, checking, following, and looking after the record.
_AT_WORK = ("account/", "accounts/", "mfa/", "socialaccount/", "submissions/", "following/", "catalog/", "curation/oddities/")
#: Forms of editors, questions, refusals, and what makers of pages look at.
_NO_KIND = {
    *("400.html", "403.html", "404.html", "500.html", "refused.html", "send_again.html"),
    *("core/bad_request.html", "core/which.html", "results/action.html", "leaderboards/style.html"),
}


def kinds_of_pages() -> dict[str, list[str]]:
    """The templates of each kind, under the one that stands on ``base.html``."""
    found: dict[str, list[str]] = {}
    for file in sorted(TEMPLATES.rglob("*.html")):
        name = file.relative_to(TEMPLATES).as_posix()
        if (root := _root(name)) and not root.startswith(_AT_WORK) and root not in _NO_KIND:
            found.setdefault(root, []).append(name)
    return found


def _root(name: str) -> str | None:
    """The template under this one that extends ``base.html``; None of a part of a page."""
    below = _EXTENDS.match((TEMPLATES / name).read_text())
    if not below:
        return None
    return name if below[1] == "base.html" else _root(below[1])


if __name__ == "__main__":
    kinds = kinds_of_pages()
    for kind, names in kinds.items():
        print(kind, *(name for name in names if name != kind))
    print(len(kinds), "kinds")
