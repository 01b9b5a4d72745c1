"""``python -m tests.data.typed`` prints which texts of ``typed.csv`` don't lead where those who type them mean.

``answer`` is a pattern for a slug, name or identifier; for results ``system on collection/measure``. Searches the site
below ``PLUMBLINE_HOME``, whose index is brought up to date first.
"""

import csv
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django

TYPED = Path(__file__).with_suffix(".csv")


def names_of(find: dict[str, Any]) -> Iterator[str]:
    """Yield all that a find goes by."""
    from registry.results.models import Paper, Result, System
    from registry.search.models import Thing

    place = find["url"].strip("/").partition("/")[2]
    yield from (find["title"], place, *place.split("/"))
    if find["kind"] == "result":
        result = Result.objects.get(pk=place)
        yield f"{result.system} on {result.leaderboard.collection.slug}/{result.leaderboard.measure.name}"
        return
    thing = Thing.objects.get(kind=find["kind"], address=find["url"]).object_id
    if find["kind"] == "paper":
        paper = Paper.objects.get(pk=thing)
        yield from (str(paper), paper.cite, paper.title, paper.doi, paper.arxiv_id)
    if find["kind"] == "model":
        yield from System.objects.filter(model=thing).values_list("name", flat=True)


def main() -> None:
    django.setup()
    from django.core.management import call_command
    from django.test import Client

    call_command("index_search", stdout=sys.stderr)
    client = Client(headers={"host": "127.0.0.1"})
    for row in csv.DictReader(TYPED.read_text(encoding="utf-8").splitlines()):
        finds = client.get("/api/v1/search/", {"q": row["typed"], "page_size": 1}).json()["results"]
        kinds = {row["kind"], "model"} if row["kind"] == "system" else {row["kind"]}
        right = (re.fullmatch(row["answer"], name, re.IGNORECASE) for find in finds for name in names_of(find))
        if not finds or finds[0]["kind"] not in kinds or not any(right):
            print(row["typed"], row["kind"], row["answer"], "but", *(find["url"] for find in finds), sep="\t")


if __name__ == "__main__":
    main()
