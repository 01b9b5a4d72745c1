"""``python -m tests.kinds_of_pages`` lists the kinds of pages that a reader may meet.

A kind is a template that stands right on ``base.html``. Templates that extend another page are of its kind, as tabs
are. Left out is what only people with an account see, and what says that something went wrong.
"""

import re
from pathlib import Path

TEMPLATES = Path(__file__).parents[1] / "templates"
#: Tabs of the page of a collection.
_OF_A_COLLECTION = {
    *("leaderboards/collection_detail.html", "leaderboards/collection_about.html", "runs/judgements_detail.html"),
    *(f"tools/{name}.html" for name in (
        "baselines/collection_baselines", "resolution/collection_resolution", "standardization/collection_standardized",
    )),
}  # fmt: skip
_EXTENDS = re.compile(r'{% extends "([^"]+)" %}')
#: Of signing in, submitting, checking, following, and looking after the record.
_AT_WORK = (*("account/", "accounts/", "mfa/", "socialaccount/", "submissions/", "catalog/"), "runs/own_")
#: Forms of editors, questions and refusals.
_NO_KIND = {
    *("400.html", "403.html", "404.html", "500.html", "refused.html", "send_again.html"),
    *("core/bad_request.html", "core/gone.html", "runs/which.html", "core/which.html", "results/action.html"),
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
    if name in _OF_A_COLLECTION:
        return "leaderboards/collection_detail.html"
    return name if below[1] == "base.html" else _root(below[1])


if __name__ == "__main__":
    kinds = kinds_of_pages()
    for kind, names in kinds.items():
        print(kind, *(name for name in names if name != kind))
    print(len(kinds), "kinds")
