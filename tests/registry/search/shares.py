"""How often a search leads to the right place first: ``PLUMBLINE_HOME=… python -m tests.registry.search.shares``.

Two sets, against the database that is there: names and identifiers drawn from it at random, and ``typed.csv``, which
was written before the search was changed. There ``answer`` is a pattern for what the first find is: a slug, a name, an
identifier of a paper, for results ``system on collection/measure``.
"""

import argparse
import csv
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.test import Client

TYPED = Path(__file__).with_name("typed.csv")
#: Of each kind of name, so many are drawn.
N_DRAWN = 150


def typed() -> list[dict[str, str]]:
    """What people type, and where it should lead them."""
    with TYPED.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def is_right(kind: str, answer: str, find: dict[str, Any]) -> bool:
    """Whether a find is of this kind and goes by a name that the pattern is of; a model stands for its systems."""
    kinds = {kind, "model"} if kind == "system" else {kind}
    return find["kind"] in kinds and any(re.fullmatch(answer, name, re.IGNORECASE) for name in names_of(find))


def names_of(find: dict[str, Any]) -> list[str]:
    """All that a find goes by."""
    from django.urls import resolve

    from registry.results.models import Paper, Result, System
    from registry.search.models import Thing

    kind, address = find["kind"], find["url"]
    if kind == "paper":
        paper = Paper.objects.get(pk=Thing.objects.get(kind=kind, address=address).object_id)
        return [str(paper), paper.cite, paper.title, paper.doi, paper.arxiv_id]
    if kind == "result":
        result = Result.objects.get(pk=next(iter(resolve(address).kwargs.values())))
        board = result.leaderboard
        return [f"{result.system} on {board.collection.slug}/{board.measure.name}"]
    if kind == "model":
        systems = Thing.objects.get(kind=kind, address=address).object_id
        own = System.objects.filter(model=systems).values_list("name", flat=True)
        return [find["title"], address.strip("/").partition("/")[2], *own]
    return [find["title"], address.strip("/").partition("/")[2], address.strip("/").split("/")[1]]


def drawn(seed: int) -> Iterator[tuple[str, str, set[str]]]:
    """Names and identifiers of the database with what each is and the addresses of all that go by it."""
    from django.db.models import Model

    from registry.results.models import Paper, System
    from registry.search.models import Thing

    chance = random.Random(seed)
    sources: tuple[tuple[str, type[Model], str], ...] = (
        ("arXiv id", Paper, "arxiv_id"), ("DOI", Paper, "doi"), ("title", Paper, "title"), ("system", System, "name"),
    )  # fmt: skip
    for label, model, field in sources:
        rows = model._default_manager.filter(merged_into=None).exclude(**{field: ""}).order_by("pk")
        kind = "system" if model is System else "paper"
        if model is System:
            rows = rows.filter(pk__in=Thing.objects.filter(kind=kind).values("object_id"))
        texts = sorted({text for text in rows.values_list(field, flat=True) if len(text) <= 200})
        for text in chance.sample(texts, min(N_DRAWN, len(texts))):
            same = rows.filter(**{f"{field}__iexact": text})
            models = {row.model.get_absolute_url() for row in same if label == "system" and row.model}
            yield label, text, {row.get_absolute_url() for row in same} | models


def first_find(client: "Client", text: str) -> dict[str, Any] | None:
    """What the site shows first for a text."""
    found = client.get("/api/v1/search/", {"q": text, "page_size": 1}).json()["results"]
    return found[0] if found else None


def main() -> None:
    """Prints both shares; with ``--wrong`` what is not found first."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--wrong", action="store_true")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
    import django

    django.setup()
    from django.test import Client

    client = Client(headers={"host": "127.0.0.1"})
    right: dict[str, list[bool]] = {}
    wrong = []
    for label, text, addresses in drawn(options.seed):
        find = first_find(client, text)
        right.setdefault(label, []).append(bool(find) and find["url"] in addresses)
        if not right[label][-1]:
            wrong.append((label, text, find and find["url"]))
    n_empty = 0
    for row in typed():
        find = first_find(client, row["typed"])
        n_empty += not find
        right.setdefault("typed", []).append(bool(find) and is_right(row["kind"], row["answer"], find))
        if not right["typed"][-1]:
            wrong.append((row["kind"], row["typed"], find and (find["kind"], find["title"], find["url"])))
    for label, some in right.items():
        print(f"{label}: {sum(some)} of {len(some)} first, {sum(some) / len(some):.1%}")
    print(f"typed, nothing found: {n_empty} of {len(right['typed'])}, {n_empty / len(right['typed']):.1%}")
    if options.wrong:
        print(*wrong, sep="\n")


if __name__ == "__main__":
    main()
