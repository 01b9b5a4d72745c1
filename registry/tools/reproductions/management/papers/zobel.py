"""Zobel, with Moffat, Sanderson and Webber: why improvements did not add up."""

import gzip
from pathlib import Path

import numpy as np

from analysis.scales import percentile_among
from analysis.scores import parse_score_table
from analysis.trends import baselines_against_known_best, standing_of_papers, trend_over_time
from registry.tools.reproductions.lines import Line, Part
from registry.tools.reproductions.management.papers.sources import published_rows, values_of
from registry.tools.reproductions.reproduction import Reproduction

_OTHER = "Other papers: theirs are of 1998 to 2008 on several collections, these of 2005 to 2019 on Robust04."


def reproduce_zobel(data: Path) -> Reproduction:
    """The survey of papers on Robust04, and the original runs of two years among toolkits."""
    return Reproduction(
        slug="zobel-principles",
        authors="J. Zobel, with A. Moffat, M. Sanderson, W. Webber",
        title="Principles for robust evaluation infrastructure",
        venue="slides of a talk",
        doi=None,
        summary="Whether papers got better over the years, and whether systems did.",
        methods=("baselines", "trends", "historical-standardization"),
        parts=(_survey(data), _over_time(data)),
    )


def _survey(data: Path) -> Part:
    rows = published_rows(data, "robust04_papers.csv", "trec-2004-robust")
    by_role = {
        role: {row["paper_url"]: row for row in rows if row["role"] == role} for role in ("baseline", "proposed")
    }
    papers = [paper for paper in by_role["proposed"] if paper in by_role["baseline"]]
    baselines, improved = (values_of([by_role[role][one] for one in papers]) for role in ("baseline", "proposed"))
    years = [int(by_role["proposed"][one]["year"]) for one in papers]
    runs = values_of(_original(data, "trec-2004-robust"))
    found = standing_of_papers(baselines, improved, runs)
    n_above = round(found.fraction_improved_above_best * len(papers))
    trend = trend_over_time(years, improved)
    known = baselines_against_known_best(years, baselines, improved, known_before=runs)
    numbers: tuple[tuple[str, str | None, float, int, str], ...] = (
        ("Papers", None, len(papers), 0, "They have 106. "),
        ("Percentile of the median improved score among original runs", "58", found.median_improved_percentile, 0, ""),
        ("Percentile of the median baseline", "41", found.median_baseline_percentile, 0, ""),
        ("Papers better than every original run", None, n_above, 0, "They say “almost no results”. "),
        ("Change of improved scores a year (Sen’s slope)", None, trend.slope, 4, "They see no upwards trend. "),
        ("p of no trend (Mann-Kendall)", None, trend.pvalue, 2, "They see no upwards trend. "),
        (
            "Baselines that reach the best known the year before",
            None,
            sum(one.n_reaching for one in known.times),
            0,
            "“One year’s improved result is not next year’s baseline”. ",
        ),
    )
    return Part(
        name="Survey: improved and baseline scores",
        data=f"AP on Robust04: baseline and own best of {len(papers)} papers (robust04_papers.csv), among the"
        f" {len(runs)} original runs of TREC 2004.",
        lines=tuple(
            Line(what, printed, float(value), digits, why=f"{says}{_OTHER}")
            for what, printed, value, digits, says in numbers
        ),
    )


def _original(data: Path, collection: str) -> list[dict[str, str]]:
    return [row for row in published_rows(data, "trec_adhoc.csv", collection) if row["role"] == "trec_run"]


def _over_time(data: Path) -> Part:
    lines = []
    for collection, year in (("trec-7-adhoc", 1998), ("trec-8-adhoc", 1999)):
        path = data / "topic_scores" / "unnamed" / f"{collection}__AP__grid-of-points.csv.gz"
        toolkits = parse_score_table(gzip.decompress(path.read_bytes())).means
        runs = values_of(_original(data, collection))
        lines.append(
            Line(
                f"Percentile of the median run of {year} among 560 configurations of toolkits",
                None,
                float(np.median(percentile_among(runs, toolkits))),
                0,
                why="They draw it, and say “no overall improvement, perhaps since TREC 3 (1994)”; two years ship here.",
            )
        )
    return Part(
        name="Historical standardization: original runs among systems of today",
        data="Means over 50 topics of the original runs (trec_adhoc.csv) and of 560 combinations of stop list, stemmer"
        " and model (grid of points, SIGIR 2016).",
        lines=tuple(lines),
    )
