"""The figures of Zobel et al.: their numbers by a second, slow route; the checklist leads to pages that there are."""

import csv
import gzip
from functools import cache
from math import erf, sqrt
from statistics import mean, stdev

import pytest
from django.urls import resolve

from analysis.papers.shipped import ShippedFolder
from analysis.papers.zobel import MODERN, read_history
from registry.core.loading import SHIPPED
from registry.tools.reproductions.documents import reproductions
from tests.thoroughness import every

UNNAMED = SHIPPED / "topic_scores" / "unnamed"
YEARS = {1998: "trec-7-adhoc", 1999: "trec-8-adhoc", 2003: "trec-2003-robust", 2004: "trec-2004-robust"}


def shipped_figure(slug: str):
    return next(figure for figure in reproductions()["zobel-principles"].figures if figure.slug == slug)


def columns_of(text: str) -> list[list[float]]:
    """Scores of each system, topic by topic."""
    rows = list(csv.reader(text.splitlines()))
    return [[float(row[place]) for row in rows[1:]] for place in range(1, len(rows[0]))]


def runs_of(year: int) -> list[list[float]]:
    return columns_of((UNNAMED / f"{YEARS[year]}__AP.csv").read_text())


def ranked(runs: list[list[float]]) -> list[int]:
    """Return the places of the runs, that with the best mean first."""
    return sorted(range(len(runs)), key=lambda place: -mean(runs[place]))


@cache
def modern() -> dict[str, float]:
    """Return AP of RM3 by topic, as it is defined."""
    scores = {}
    (run,) = ShippedFolder(SHIPPED).rankings("trec-2004-robust", MODERN)
    assert run.depth == 1000
    for topic in run.grades:
        relevant, n, total = run.relevant(topic), 0, 0.0
        for rank, name in enumerate(run.rankings[topic], 1):
            if name in relevant:
                n += 1
                total += n / rank
        if relevant:
            scores[topic] = total / len(relevant)
    return scores


def topics_of(year: int) -> list[str]:
    if year == 2004:
        return [str(number) for number in range(601, 701) if number != 672]
    if year == 2003:
        return list(read_history(ShippedFolder(SHIPPED)).runs[2003].topics)
    first = 351 if year == 1998 else 401
    return [str(number) for number in range(first, first + 50)]


@pytest.mark.parametrize("year", every(3, YEARS, __file__))
def test_the_historical_plot_counts_topics_on_which_a_run_is_better(year):
    rivals = [modern()[topic] for topic in topics_of(year)]
    runs = runs_of(year)
    of_runs = [
        100 * mean(1.0 if own > other else 0.5 if own == other else 0.0 for own, other in zip(run, rivals, strict=True))
        for run in runs
    ]
    shares = sorted(of_runs)
    middle, best = shipped_figure("history").panel.series
    place = middle.x.index(year)
    order = ranked(runs)
    assert middle.y[place] == pytest.approx(of_runs[order[len(runs) // 2]], abs=0.01)
    assert best.y[place] == pytest.approx(of_runs[order[0]], abs=0.01)
    quarter = len(shares) // 4
    assert shares[quarter - 1] - 0.01 <= middle.low[place] <= shares[quarter + 1] + 0.01


@pytest.mark.parametrize("year", [1998, 1999])
def test_the_scale_of_toolkits_is_that_of_each_topic(year):
    grid = columns_of(gzip.decompress((UNNAMED / f"{YEARS[year]}__AP__grid-of-points.csv.gz").read_bytes()).decode())
    by_topic = list(zip(*grid, strict=True))
    centres, spreads = [mean(scores) for scores in by_topic], [stdev(scores) for scores in by_topic]
    runs = runs_of(year)
    means = [
        mean(
            (1 + erf((score - centre) / spread / sqrt(2))) / 2
            for score, centre, spread in zip(run, centres, spreads, strict=True)
        )
        for run in runs
    ]
    middle, best = shipped_figure("history-standardized").panel.series
    order = ranked(runs)
    place = middle.x.index(year)
    assert (middle.y[place], best.y[place]) == pytest.approx((means[order[len(runs) // 2]], means[order[0]]), abs=1e-3)
    if year == 1999:
        (problem,) = shipped_figure("standardization").panel.series
        assert problem.y == pytest.approx(sorted(centres), abs=1e-4)


def test_names_stand_beside_means_that_were_published_under_them():
    rows = {row[0]: row for row in shipped_figure("names").panel.rows}
    assert rows["CLARIT98COMB"][2:5] == ("TREC-7 (1998)", "manual", 0.3702)
    assert rows["CLARIT98COMB"][5] == pytest.approx(mean(modern()[topic] for topic in topics_of(1998)))
    grid = columns_of(gzip.decompress((UNNAMED / "trec-7-adhoc__AP__grid-of-points.csv.gz").read_bytes()).decode())
    lower = [mean(column) < rows["nttdata7Al0"][4] for column in grid]
    assert rows["nttdata7Al0"][6] == pytest.approx(100 * mean(lower), abs=0.2)
    assert not any(name.removeprefix("run").isdecimal() for name in rows)


def test_papers_over_the_years_are_those_of_the_file():
    with (SHIPPED / "results" / "robust04_papers.csv").open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["measure"] == "AP"]
    own = {row["paper_url"]: row for row in rows if row["role"] == "proposed"}
    against = {row["paper_url"]: row for row in rows if row["role"] == "baseline"}
    (improved,) = shipped_figure("survey").panel.series
    assert sorted(improved.y) == sorted(float(own[url]["value"]) for url in own.keys() & against.keys())
    best, middle = (rule.at for rule in shipped_figure("survey").panel.rules)
    assert sum(y > best for y in improved.y) == 2
    baselines, known = shipped_figure("baselines").panel.series
    before = dict(zip(known.x, known.y, strict=True))
    assert sum(y >= before[x] for x, y in zip(baselines.x, baselines.y, strict=True)) == 1
    for year, value in before.items():
        published = [float(row["value"]) for row in rows if row["paper_url"] in own.keys() & against.keys()
                     and int(row["year"]) <= year - 1]  # fmt: skip
        assert value == pytest.approx(max([best, *published]))
    assert middle < best


def test_the_checklist_leads_to_pages_of_this_site():
    rows = shipped_figure("checklist").panel.rows
    assert {row[1] for row in rows} <= {"yes", "partly", "no"}
    for row in rows:
        assert resolve(row[3])


def test_the_checklist_is_links_and_a_file(client):
    page = client.get("/methods/papers/zobel-principles/").content.decode()
    assert '<a href="/docs/importing/">' in page
    lines = client.get("/methods/papers/zobel-principles/checklist.csv").content.decode().splitlines()
    assert len(lines) == 1 + len(shipped_figure("checklist").panel.rows)
