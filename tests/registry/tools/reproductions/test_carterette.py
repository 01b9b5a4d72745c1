"""The figures and tables of Carterette: their numbers by a second, slow route, from the files that ship."""

import csv
from collections import Counter
from math import exp, pi, sqrt
from statistics import NormalDist, mean, stdev

import pytest

from analysis.papers.paper import Figure
from registry.core.loading import SHIPPED
from registry.tools.reproductions.documents import reproductions

NORMAL = NormalDist()


def figure(slug: str) -> Figure:
    return next(shipped for shipped in reproductions()["carterette-2015"].figures if shipped.slug == slug)


def rows_of(file: str, **wanted: str) -> list[dict[str, str]]:
    with (SHIPPED / file).open(encoding="utf-8", newline="") as stream:
        return [row for row in csv.DictReader(stream) if all(row[name] == text for name, text in wanted.items())]


def means_of_trec_7() -> list[float]:
    """Return the means of the runs whose scores by topic ship without their names."""
    text = (SHIPPED / "topic_scores" / "unnamed" / "trec-7-adhoc__AP.csv").read_text(encoding="utf-8")
    lines = list(csv.reader(text.splitlines()))
    return [mean(float(line[column]) for line in lines[1:]) for column in range(1, len(lines[0]))]


def expected_largest(n: int) -> float:
    """Return the integral of x over n times density times cdf to n − 1, in small steps."""
    step = 0.001
    xs = [step * place for place in range(-8000, 8001)]
    return sum(x * n * exp(-x * x / 2) / sqrt(2 * pi) * NORMAL.cdf(x) ** (n - 1) for x in xs) * step


def test_figure_1_is_the_density_of_the_largest_of_a_hundred():
    single, largest = figure("figure-1").panel.series
    heights = [NORMAL.pdf((x - 0.2) / 0.027) for x in single.x]
    assert single.y == pytest.approx([height / max(heights) for height in heights], rel=2e-3, abs=1e-5)
    heights = [NORMAL.pdf((x - 0.2) / 0.027) * NORMAL.cdf((x - 0.2) / 0.027) ** 99 for x in largest.x]
    assert largest.y == pytest.approx([height / max(heights) for height in heights], rel=2e-3, abs=1e-5)
    (rule,) = figure("figure-1").panel.rules
    assert rule.at == pytest.approx(0.2 + 0.027 * expected_largest(100), abs=1e-6)


def test_figure_2_is_the_mean_and_the_middle_nine_tenths_of_the_largest():
    (curve,) = figure("figure-2").panel.series
    for n in (1, 10, 100, 1000):
        place = curve.x.index(n)
        assert curve.y[place] == pytest.approx(0.2 + 0.027 * expected_largest(n), abs=1e-5)
        ends = [0.2 + 0.027 * NORMAL.inv_cdf(share ** (1 / n)) for share in (0.05, 0.95)]
        assert (curve.low[place], curve.high[place]) == pytest.approx(ends, abs=1e-5)


def range_of(values: list[float], n_topics: int) -> tuple[float, float, float, int, float]:
    """Return the range of Table 3: equal systems pass the best, and the lower end, one time in five."""
    n, best, error = len(values), max(values), stdev(values) / sqrt(n_topics)
    reach = error * NORMAL.inv_cdf(0.8 ** (1 / n))
    lower = best - 2 * reach
    return best - reach, lower, best, sum(value >= lower for value in values), 100 * (best / lower - 1)


def test_figure_3_is_the_mean_whose_largest_of_103_reaches_the_best_one_time_in_five():
    panel = figure("figure-3").panel
    error = 0.08 / sqrt(50)
    reach = error * NORMAL.inv_cdf(0.8 ** (1 / 103))
    centre = 0.303 - reach
    assert [rule.at for rule in panel.rules] == pytest.approx([centre - reach, 0.303], abs=1e-6)
    single, smallest, largest, interval = panel.series
    assert single.x[single.y.index(max(single.y))] == pytest.approx(centre, abs=error / 10)
    assert interval.x == pytest.approx([centre - 1.95996 * error, centre + 1.95996 * error], abs=1e-5)
    for line, sign in ((smallest, -1), (largest, 1)):
        heights = [NORMAL.pdf(z) * NORMAL.cdf(sign * z) ** 102 for z in ((x - centre) / error for x in line.x)]
        assert line.y == pytest.approx([height / max(heights) for height in heights], rel=1e-2, abs=1e-4)


def test_the_runs_of_trec_7_are_counted_from_their_file():
    means = [float(row["value"]) for row in rows_of("results/trec_adhoc.csv", collection="trec-7-adhoc", measure="AP")]
    panel = figure("section-3-1").panel
    (bars,) = panel.series
    assert bars.y == tuple(sum(low <= value < low + 0.02 for value in means) for low in bars.x[:-1])
    assert sum(bars.y) == 103
    reach = stdev(means) / sqrt(50) * NORMAL.inv_cdf(0.95 ** (1 / 103))
    assert [rule.at for rule in panel.rules] == pytest.approx([mean(means) - reach, mean(means) + reach], abs=1e-6)


def test_table_1_counts_papers_of_the_venues():
    papers = rows_of("papers.csv")
    for name, n in figure("table-1").panel.rows:
        venue, _, years = name.partition(" ")
        first, last = map(int, years.split("–"))
        of_venue = [paper for paper in papers if f" {venue} " in f" {paper['venue']} "]
        assert n == sum(first <= int(paper["year"] or 0) <= last for paper in of_venue), name


@pytest.mark.parametrize(
    ("name", "file", "wanted", "n_topics"),
    [
        ("Robust04, papers of 2005 to 2019", "robust04_papers", {"role": "proposed"}, 249),
        ("Robust04, runs of 2004", "trec_adhoc", {"collection": "trec-2004-robust", "role": "trec_run"}, 249),
        ("GOV2, runs of 2004", "trec_adhoc", {"collection": "trec-2004-terabyte-adhoc", "role": "trec_run"}, 49),
        ("WT10g, runs of TREC-9", "trec_adhoc", {"collection": "trec-2000-web", "role": "trec_run"}, 50),
    ],
)
def test_tables_2_and_3_are_of_the_rows_of_the_files(name, file, wanted, n_topics):
    values = [float(row["value"]) for row in rows_of(f"results/{file}.csv", measure="AP", **wanted)]
    of_two, of_three = (
        next(row for row in figure(slug).panel.rows if row[0] == name) for slug in ("table-2", "table-3")
    )
    assert of_two[1:] == pytest.approx((len(values), mean(values), stdev(values), max(values)))
    assert of_three[1:] == pytest.approx(range_of(values, n_topics))


def test_tables_2_and_3_have_means_of_scores_by_topic():
    means = means_of_trec_7()
    name = "TREC-7 ad hoc, topic scores"
    of_two, of_three = (
        next(row for row in figure(slug).panel.rows if row[0] == name) for slug in ("table-2", "table-3")
    )
    assert of_two[1:] == pytest.approx((103, mean(means), stdev(means), max(means)))
    assert of_three[1:] == pytest.approx(range_of(means, 50))


def test_section_5_counts_the_rows_of_all_files():
    counts = Counter()
    for path in (SHIPPED / "results").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as stream:
            names, *lines = csv.reader(stream)
        collection, measure = names.index("collection"), names.index("measure")
        counts.update(f"{line[collection]}, {line[measure]}" for line in lines)
    rows = figure("section-5").panel.rows
    assert [row[1] for row in rows] == [n for _, n in counts.most_common(len(rows))]
    for name, n, largest in rows[:3]:
        assert counts[name] == n
        assert largest == pytest.approx(expected_largest(n), abs=1e-4)


def test_the_abstract_has_the_best_against_the_mean_of_all_by_the_formula_of_james_and_stein():
    abstract = figure("abstract")
    assert f"by {len(abstract.panel.rows)} ways" in abstract.title
    means = means_of_trec_7()
    # s² of inputs that are quoted: .012229 on 50 topics.
    pull = (len(means) - 3) * 0.012229 / 50 / sum((value - mean(means)) ** 2 for value in means)
    worth = mean(means) + (1 - pull) * (max(means) - mean(means))
    rows = dict(abstract.panel.rows)
    assert rows["James-Stein, from means"] == pytest.approx(100 * (max(means) / worth - 1), abs=0.01)
