"""What ships of the literature that Carterette (2015) searched: tables 2 and 3, and how many were tried."""

from collections.abc import Iterator

from analysis.best import BestResult, analyse_best
from analysis.figures import Panel
from analysis.papers.carterette import RANGES, SUMMARY, range_row, summary_row
from analysis.papers.paper import Figure, Line, Shipped, values_of

#: The paper’s collections whose original runs ship, and topics of each.
_RUNS = (
    ("WT10g, runs of TREC-9", "trec-2000-web", 50),
    ("WT10g, runs of TREC 2001", "trec-2001-web-adhoc", 50),
    ("GOV2, runs of 2004", "trec-2004-terabyte-adhoc", 49),
    ("GOV2, runs of 2005", "trec-2005-terabyte-adhoc", 50),
    ("GOV2, runs of 2006", "trec-2006-terabyte-adhoc", 50),
    ("Robust04, runs of 2004", "trec-2004-robust", 249),
)
#: Collections with scores by topic under AP.
_SCORED = (
    ("TREC-5 ad hoc, topic scores", "trec-5-adhoc"),
    ("TREC-7 ad hoc, topic scores", "trec-7-adhoc"),
    ("TREC-8 ad hoc, topic scores", "trec-8-adhoc"),
    ("Robust 2003, topic scores", "trec-2003-robust"),
    ("Robust04, topic scores of 99 topics", "trec-2004-robust"),
    ("Web 2010, topic scores", "trec-2010-web"),
)
_SUMMARY_FIELDS = (
    ("results", "n_results", 0),
    ("mean AP", "mean", 4),
    ("standard deviation", "sd", 4),
    ("largest AP", "best", 4),
)
_RANGE_FIELDS = (
    ("mean that explains the largest", "adjusted_mean", 4),
    ("lower end of the range", "lower", 4),
    ("results at or above the lower end", "n_plausible", 0),
)
_OTHER = "Runs of tracks and another sample of papers; the author’s transcription of results of 1995 to 2014 is his."
_MISSING = "Not recomputed here: needs the results that the author transcribed from papers."


def literature_tables(shipped: Shipped) -> tuple[Figure, Figure]:
    """Tables 2 and 3, of papers on Robust04 and of runs."""
    found = dict(_found(shipped))
    of = "AP: papers on Robust04 (robust04_papers.csv), original runs (trec_adhoc.csv), means of topic scores that ship"
    without = "WSJ and AP are no collections of their own here: nobody’s results on them are on record."
    widest = max(found.items(), key=lambda one: one[1].best / one[1].lower)
    gov2 = max(100 * (one.best / one.lower - 1) for name, one in found.items() if name.startswith("GOV2"))
    of_runs = "The paper’s results are of papers, these of the runs of three years."
    papers = found["Robust04, papers of 2005 to 2019"]
    return (
        Figure(
            slug="table-2",
            name="Table 2: mean average precision by collection",
            title=f"{papers.n_results} papers on Robust04 report a mean of {papers.mean:.3f}, {papers.best:.3f} at"
            " most",
            caption=f"Results with their mean, standard deviation and maximum. {_OTHER} {without}",
            panel=Panel(data=of, columns=SUMMARY, rows=tuple(summary_row(*one) for one in found.items())),
            lines=(
                *_lines(papers, _SUMMARY_FIELDS),
                Line("WSJ, AP", None, None, 4, why=_MISSING),
            ),
            methods=("best-result",),
        ),
        Figure(
            slug="table-3",
            name="Table 3: means that could have given the maxima",
            title=f"The widest range is that of {widest[0]}: {100 * (widest[1].best / widest[1].lower - 1):.0f} %",
            caption="The mean that explains the maximum, the range around it of which equal systems pass each end one"
            f" time in five, and how many lie in it. {_OTHER} {without}",
            panel=Panel(data=of, columns=RANGES, rows=tuple(range_row(*one) for one in found.items())),
            lines=(
                *_lines(papers, _RANGE_FIELDS),
                Line("GOV2: upper end above the lower, widest of three years", "20", gov2, 0, unit="%", why=of_runs),
                Line("WSJ, AP", None, None, 4, why=_MISSING),
            ),
            methods=("best-result", "corrected-best"),
        ),
    )  # fmt: skip


def _lines(found: BestResult, fields: tuple[tuple[str, str, int], ...]) -> Iterator[Line]:
    why = "Another sample of papers: the paper’s transcription of results of 1995 to 2014 does not ship here."
    for what, field, digits in fields:
        yield Line(f"Robust04: {what}", None, getattr(found, field), digits, why=why)


def _found(shipped: Shipped) -> Iterator[tuple[str, BestResult]]:
    proposed = shipped.results("robust04_papers.csv", "trec-2004-robust", "proposed")
    yield "Robust04, papers of 2005 to 2019", analyse_best(values_of(proposed), n_topics=249)
    for name, collection, n_topics in _RUNS:
        runs = shipped.results("trec_adhoc.csv", collection, "trec_run")
        yield name, analyse_best(values_of(runs), n_topics=n_topics)
    for name, collection in _SCORED:
        matrix = shipped.unnamed(f"{collection}__AP")
        yield name, analyse_best(matrix.scores.mean(axis=1), n_topics=matrix.n_topics)
