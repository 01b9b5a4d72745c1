"""Walk over every leaderboard of a site, as readers and programs have it: ``python -m tests.data.walking``.

Prints, as JSON, how many leaderboards there are, how many were walked (in a share of the thorough tests, its part of
them) and what contradicts itself where. For a site of its own, below ``PLUMBLINE_HOME``: it is loaded and analysed
first where it is empty.
"""

import csv
import html
import io
import json
import os
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import django

from tests.data import refuted
from tests.thoroughness import part_of_share

#: What stands where a value is missing, or a template failed.
BROKEN = re.compile(r"(?<![\w-])(?:NaN|nan|None(?! declared)|inf)(?![\w-])|\[object|\{\{|\{%|\{#")

#: What chips call the views of training.
CHIPS = {"all": "All", "declared-none": "Zero-shot", "trained-here": "Trained on it"}


def text_of(source: str) -> str:
    """Return what can be read on a page. A parser would take as long as the page."""
    source = re.sub(r"<script.*?</script>", "", source, flags=re.DOTALL)
    inline = re.sub(r"</?(?:a|b|bdi|code|em|s|span|strong)(?:\s[^>]*)?>", "", source)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", inline)).split())


def problems_of(board: Any, client: Any) -> Iterator[str]:
    """Yield what contradicts itself on one leaderboard."""
    from django.urls import reverse

    names = [board.collection.slug, board.measure.name]
    shown = client.get(reverse("api:leaderboard-detail", args=names) + "?page_size=200").json()
    page = text_of(client.get(board.get_absolute_url()).content.decode())
    files = {
        suffix: client.get(reverse("leaderboards:leaderboard-format", args=[*names, suffix])).content.decode()
        for suffix in ("json", "csv", "tex", "md", *(["bib"] if shown["verdict"] else []))
    }
    twin = json.loads(files["json"])
    named = {word for row in twin["results"] for field in ("system", "team", "paper", "notes") for word in [row[field]]}
    if quoted := broken(page, named):
        yield f"the page says {quoted}"
    yield from refuted.of_the_wording(page, named)
    if twin["verdict"] != shown["verdict"]:
        yield "the verdict of the JSON file is not that of the API"
    yield from of_the_list(board, shown)
    if shown["verdict"]:
        yield from of_the_set(shown["verdict"], twin)
        yield from of_the_views(shown["verdict"], twin, page)
        yield from of_the_words(shown, page, files)
        yield from of_the_tables(twin, files)
        yield from of_the_cautions(shown, page)
        yield from refuted.of_the_numbers(shown, page)
        yield from refuted.of_the_evidence(shown["verdict"]["evidence"], page)
        yield from refuted.of_the_quotes(shown["verdict"]["sentence"], twin["collection"]["name"], files)
        yield from refuted.of_the_marks(twin, files)


def broken(text: str, named: set[str | None]) -> str:
    """Return what no page should say, and no name on it says."""
    match = BROKEN.search(text)
    if match is None or any(match.group() in name for name in named if name):
        return ""
    return text[max(0, match.start() - 40) : match.end() + 20]


def of_the_set(verdict: dict[str, Any], twin: dict[str, Any]) -> Iterator[str]:
    """Check that tier 1, the marks of the table and what is within the margin are the set, of the verdict itself."""
    other = verdict["best_unflagged"]
    members = set(verdict["set"]["members"]) if verdict["set"] else set()
    tiers = {row["id"]: row["tier"] for row in twin["results"] if row["tier"] is not None}
    if tiers and {row for row, tier in tiers.items() if tier == 1} != members:
        yield "tier 1 is not the set"
    if {row["id"] for row in twin["results"] if row["can_be_best"]} != members:
        yield "the table marks others than the set"
    shown = (other or verdict)["set"]
    held_back = {row for caution in verdict["cautions"] if other and caution["is_flag"] for row in caution["results"]}
    if shown and shown["margin"] is not None:
        judged = [row for row in twin["results"] if row["behind"] is not None and row["id"] not in held_back]
        if {row["id"] for row in judged if row["behind"] <= row["margin"]} != set(shown["members"]):
            yield "others than the set are within the margin"
    competing = [row for row in twin["results"] if row["rank"] is not None]
    # Of executions of one system the mean competes, and each has a rank by its own score.
    first = {row["id"] for row in competing if row["rank"] == 1 or row["value"] != verdict["best"]["value"]}
    is_first = verdict["best"]["result"] in first
    if verdict["view"] == "all" and not is_first:
        yield "the leader is not of rank 1"


def of_the_words(shown: dict[str, Any], page: str, files: dict[str, str]) -> Iterator[str]:
    """Check that headline and sentence of the API stand on the page and in the files.

    What other places say of counts, leader and value is compared in tests/verdicts/places.py.
    """
    from registry.core.latex import latex
    from registry.leaderboards.exports.files import markdown

    verdict = shown["verdict"]
    for words in (verdict["headline"], verdict["sentence"]):
        if words not in page:
            yield f"the page does not say {words}"
    for suffix, text in (("md", markdown(verdict["sentence"])), ("tex", latex(verdict["sentence"]))):
        if text not in files[suffix]:
            yield f"the {suffix} file has another sentence"
    best = verdict["best_unflagged"] or verdict["best"]
    if best["n_tied"] > 1 and "share" not in verdict["of_leader"]:
        yield "the leader is named without those of the same score"
    if verdict["of_leader"] not in page:
        yield f"the page does not say {verdict['of_leader']}"
    before = page.split("Carterette’s test (2015)")[0]
    if "nflation" in before or "one time in five" in before:
        yield "a second number for luck stands beside the verdict"


def of_the_views(verdict: dict[str, Any], twin: dict[str, Any], page: str) -> Iterator[str]:
    """Check that who competes in a view is a fact of the row; silence is in all alone, and every view is told."""
    training = {row["id"]: row["training"] for row in twin["results"] if row["rank"] is not None}
    wanted = {"declared-none": {"declares_none", "not_listed", "nothing_to_train"}, "trained-here": {"declares"}}
    for view in verdict["views"]:
        may = {row for row, answer in training.items() if view["view"] == "all" or answer in wanted[view["view"]]}
        if not {view["best"]["result"], *(view["set"]["members"] if view["set"] else ())} <= may:
            yield f"{view['view']} has rows of another view"
        if view["set"] and view["set"]["n_rows"] != len(may):
            yield f"{view['view']} is of {view['set']['n_rows']} rows, and {len(may)} are of it"
        chip = f"{CHIPS[view['view']]} {len(may):,}".replace(",", "\u202f")
        if len(verdict["views"]) > 1 and chip not in page:
            yield f"no chip says {chip}"
        if len(view["sentence"].split()) > 40:
            yield f"{view['view']} is told in more than 40 words"
    shown = [view for view in verdict["views"] if view["view"] == verdict["view"]]
    if verdict["views"] and [view["sentence"] for view in shown] != [verdict["sentence"]]:
        yield "the verdict is not that of its view"
    if not verdict["views"] and verdict["view"] != "all":
        yield "the verdict is on a view that is not told"


def of_the_tables(twin: dict[str, Any], files: dict[str, str]) -> Iterator[str]:
    """Check that the CSV file has the rows, scores and marks of the API."""
    rows = list(csv.DictReader(io.StringIO(files["csv"])))
    same = [
        (str(row["id"]), repr(row["value"]), {None: "", True: "true", False: "false"}[row["can_be_best"]])
        for row in twin["results"]
    ]
    if [(row["id"], row["value"], row["can_be_best"]) for row in rows] != same:
        yield "the CSV file has other rows"


def of_the_cautions(shown: dict[str, Any], page: str) -> Iterator[str]:
    """Check that every caution is on the page; where one holds back the leader, both scores are given."""
    verdict = shown["verdict"]
    for caution in verdict["cautions"]:
        if any(sentence not in page for sentence in re.split(r"(?<=\.) (?=[A-Z])", caution["message"])):
            yield f"the page does not say {caution['code']}"
    flagged = {row for caution in verdict["cautions"] if caution["is_flag"] for row in caution["results"]}
    if verdict["best"]["result"] in flagged and verdict["best_unflagged"]:
        for best in (verdict["best"], verdict["best_unflagged"]):
            score = f"{best['value']:.{shown['measure']['decimals']}f}"
            if score not in page:
                yield f"the page does not say {score}"


def walk(ids: list[int]) -> dict[str, list[str]]:
    """Return the contradictions of some leaderboards, by name."""
    from django.test import Client

    from registry.catalog.models import Leaderboard
    from registry.leaderboards.documents.boards import leaderboard_document
    from registry.leaderboards.forms import Selection
    from registry.leaderboards.views import boards

    client, by_board = Client(), {}
    for board in Leaderboard.objects.with_names().select_related("analysis__snapshot").filter(pk__in=ids):
        # One leaderboard is asked for seven times in a row: made once, it is the same for all of them.
        document_of = lru_cache(maxsize=1)(lambda _, board=board: leaderboard_document(board, Selection()))
        with patch.object(boards, "leaderboard_document", lambda board, *_, cached=document_of: cached(board.pk)):
            problems = list(problems_of(board, client))
        if problems:
            by_board[str(board)] = problems
    return by_board


def of_the_list(board: Any, shown: dict[str, Any]) -> Iterator[str]:
    """Check that the line of the leaderboard in lists, and its snapshot, have the verdict of the page."""
    from registry.leaderboards.documents.boards import leaderboard_summary, snapshot_document

    line, verdict = leaderboard_summary(board).headline, shown["verdict"]
    if (line is None) != (verdict is None):
        yield "the list has a verdict where the page has none, or none where it has one"
    if line is None or verdict is None:
        return
    if snapshot_document(board.analysis.snapshot).verdict.sentence != verdict["sentence"]:
        yield "the snapshot has another sentence"
    part = verdict["best_unflagged"] or verdict
    wanted = {
        "sentence": verdict["sentence"],
        "best": part["value"] if verdict["best_unflagged"] else verdict["best"]["value"],
        "highest": next(
            (view["best"]["value"] for view in verdict["views"] if view["view"] == "all"), verdict["best"]["value"]
        ),
        "corrected": part["corrected"] and part["corrected"]["value"],
        "n_members": part["set"] and part["set"]["n_members"],
        "n_results": verdict["tries"]["n_results"],
        "n_families": verdict["tries"]["n_families"],
        "evidence": verdict["evidence"]["kind"],
    }
    yield from (f"the list has another {name}" for name, value in wanted.items() if getattr(line, name) != value)


def walk_suites(ids: list[int]) -> dict[str, list[str]]:
    """Return the contradictions of some suites, by name."""
    from django.test import Client
    from django.urls import reverse

    from registry.leaderboards.models import SuiteAnalysis

    client, by_suite = Client(), {}
    for analysis in SuiteAnalysis.objects.select_related("suite", "measure").filter(pk__in=ids):
        names = [analysis.suite.slug, analysis.measure.name]
        page = text_of(client.get(reverse("leaderboards:suite-detail", args=names)).content.decode())
        twin = client.get(reverse("leaderboards:suite-format", args=[*names, "json"])).json()
        named = {row["system"] for row in twin["results"]} | {row["team"] for row in twin["results"]}
        problems = [f"the page says {words}" for words in [broken(page, named)] if words]
        problems += [*refuted.of_the_wording(page, named), *refuted.of_the_rules(twin, page)]
        if problems:
            by_suite[f"{names[0]} {names[1]}"] = problems
    return by_suite


def main() -> int:
    """Load and analyse what ships where the site is empty, and walk over all of it."""
    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connections

    import registry.urls  # noqa: F401
    from registry.catalog.models import Leaderboard
    from registry.leaderboards.models import SuiteAnalysis

    settings.ALLOWED_HOSTS = ["testserver"]
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}
    Path(settings.STATIC_ROOT).mkdir(exist_ok=True)
    n_processes = os.cpu_count() or 1
    call_command("migrate", create=True, verbosity=0)
    call_command("load_shipped_data", verbosity=0, stdout=sys.stderr)
    call_command("recompute", verbosity=0, processes=n_processes, stdout=sys.stderr)
    ids = list(Leaderboard.objects.filter(results_version__gt=0).order_by("pk").values_list("pk", flat=True))
    suites = list(SuiteAnalysis.objects.filter(snapshot__isnull=False).order_by("pk").values_list("pk", flat=True))
    connections.close_all()
    walked = part_of_share(ids)
    problems: dict[str, list[str]] = {}
    with ProcessPoolExecutor(n_processes) as pool:
        for part in pool.map(walk, [walked[start : start + 20] for start in range(0, len(walked), 20)]):
            problems |= part
        for part in pool.map(walk_suites, [suites[start : start + 5] for start in range(0, len(suites), 5)]):
            problems |= part
    json.dump({"n": len(ids), "n_walked": len(walked), "n_suites": len(suites), "problems": problems}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
