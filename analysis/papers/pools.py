"""Pools of fewer documents, from the runs and judgements that ship."""

from collections.abc import Iterator

from analysis.figures import Cell, Panel, columns_of
from analysis.papers.paper import Figure, JudgedRanking, Shipped, Words
from analysis.reliability import equal_effort_topics, pool_sizes

_SHALLOW, _DEEP = 10, 100
_COLUMNS = (
    *columns_of("Collection", "Runs"),
    *columns_of(
        "Documents a topic, top 10", "Top 100", "Share, %", "Relevant in the top 10", "In the top 100", digits=1
    ),
    *columns_of("Relevant found for the same effort, times", digits=1),
)


def pools_figure(words: Words, shipped: Shipped) -> Figure:
    """Return section 4: what a pool of depth 10 has of one of depth 100, and what it finds."""
    rows = tuple(_rows(shipped))
    shares, gains = ([float(row[place] or 0.0) for row in rows] for place in (4, 7))
    least, most, least_found, most_found = min(shares), max(shares), min(gains), max(gains)
    topics = [equal_effort_topics(50, share) for share in (0.14, 0.11)]
    return words.figure(
        "section-4-pools",
        Panel(data="Runs and judgements that ship (data/runs, data/judgements)", columns=_COLUMNS, rows=rows),
        (least, most, *topics, least_found, most_found),
        least=least, most=most, least_found=least_found, most_found=most_found,
    )  # fmt: skip


def _rows(shipped: Shipped) -> Iterator[tuple[Cell, ...]]:
    runs = [run for run in shipped.rankings() if run.depth >= _DEEP]
    for collection in sorted({run.collection for run in runs}):
        of_one = [run for run in runs if run.collection == collection]
        if len(of_one) < 2:
            continue
        judged = [{topic: run.rankings[topic] for topic in run.rankings if topic in run.grades} for run in of_one]
        pools = pool_sizes(judged, [_SHALLOW, _DEEP])
        n_relevant = [_n_relevant(of_one, judged, depth) / pools.n_topics for depth in (_SHALLOW, _DEEP)]
        share = pools.shares[0]
        yield (collection, len(of_one), *pools.means, 100 * share, *n_relevant, n_relevant[0] / share / n_relevant[1])


def _n_relevant(runs: list[JudgedRanking], judged: list[dict[str, tuple[str, ...]]], depth: int) -> int:
    topics = {topic for rankings in judged for topic in rankings}
    pools = {topic: {document for run in judged for document in run.get(topic, ())[:depth]} for topic in topics}
    return sum(len(runs[0].relevant(topic) & pool) for topic, pool in pools.items())
