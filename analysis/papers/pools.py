"""Pools of fewer documents, from the runs and judgements that ship."""

from collections.abc import Iterator

from analysis.figures import Cell, Panel, columns_of
from analysis.papers.paper import Figure, JudgedRanking, Line, Shipped
from analysis.reliability import equal_effort_topics, pool_sizes

_SHALLOW, _DEEP = 10, 100
_COLUMNS = (
    *columns_of("Collection", "Runs"),
    *columns_of(
        "Documents a topic, top 10", "Top 100", "Share, %", "Relevant in the top 10", "In the top 100", digits=1
    ),
    *columns_of("Relevant found for the same effort, times", digits=1),
)


def pools_figure(shipped: Shipped) -> Figure:
    """Section 4: what a pool of depth 10 has of one of depth 100, and what it finds."""
    rows = tuple(_rows(shipped))
    shares, gains = ([float(row[place] or 0.0) for row in rows] for place in (4, 7))
    few = "Two to five runs a collection ship, where TREC pooled dozens: those here share fewer of their documents."
    return Figure(
        slug="section-4-pools",
        name="Section 4: pools of fewer documents",
        title=f"Ten documents of each run cost {min(shares):.0f} to {max(shares):.0f} % of a hundred, and find"
        f" {min(gains):.1f} to {max(gains):.1f} times as much for the same work",
        caption="How many different documents the runs that ship have in their first 10 and 100, and how many of these"
        " are judged relevant; an unjudged document counts as judged not to be. The last column is what as many"
        f" judgements find if they are spent on more topics, ten deep. {few}",
        panel=Panel(data="Runs and judgements that ship (data/runs, data/judgements)", columns=_COLUMNS, rows=rows),
        methods=("assessor-effort",),
        lines=(
            Line("Pool of depth 10 over that of depth 100, least", "11", min(shares), 1, unit="%", why=few),
            Line("The same, most", "14", max(shares), 1, unit="%", why=few),
            Line("Topics for the effort of 50, at 14 %", "357", equal_effort_topics(50, 0.14), 0),
            Line("At 11 %", "454", equal_effort_topics(50, 0.11), 0),
            Line("Relevant documents found for the same effort, least", "1.7", min(gains), 1, why=few),
            Line("The same, most", "3.6", max(gains), 1, why=few),
        ),
    )


def _rows(shipped: Shipped) -> Iterator[tuple[Cell, ...]]:
    runs = [run for run in shipped.rankings() if run.depth >= _DEEP]
    for collection in sorted({run.collection for run in runs}):
        of_one = [run for run in runs if run.collection == collection]
        if len(of_one) < 2:
            continue
        judged = [{topic: run.rankings[topic] for topic in run.rankings if topic in run.grades} for run in of_one]
        pools = pool_sizes(judged, [_SHALLOW, _DEEP])
        found = [_n_relevant(of_one, judged, depth) / pools.n_topics for depth in (_SHALLOW, _DEEP)]
        share = pools.shares[0]
        yield (collection, len(of_one), *pools.means, 100 * share, *found, found[0] / share / found[1])


def _n_relevant(runs: list[JudgedRanking], judged: list[dict[str, tuple[str, ...]]], depth: int) -> int:
    topics = {topic for rankings in judged for topic in rankings}
    return sum(
        len(runs[0].relevant(topic).intersection(*[{one for run in judged for one in run.get(topic, ())[:depth]}]))
        for topic in topics
    )
