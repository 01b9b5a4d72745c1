"""Zobel, with Moffat, Sanderson and Webber: why improvements did not add up, and what a registry should be."""

from collections.abc import Iterator

from analysis.figures import Axis, Panel, columns_of
from analysis.papers.history import history_figures
from analysis.papers.paper import Figure, Line, Reproduction, Shipped, values_of
from analysis.papers.zobel import PAPER, Survey, survey_panels
from analysis.trends import baselines_against_known_best, standing_of_papers, trend_over_time

_SCORE = Axis(label="AP, or the measure that is chosen")
_YEAR = Axis(label="year of the papers")
_COLLECTION = "trec-2004-robust"
_OTHER = (
    "Other papers: theirs are 106 of SIGIR and CIKM, 1998 to 2008, on several collections, as transcribed by the"
    " authors; these are of 2005 to 2019 on Robust04."
)
_LINE = "Other papers: theirs are of 1998 to 2008 on several collections, these of 2005 to 2019 on Robust04."


def reproduce_zobel(shipped: Shipped) -> Reproduction:
    """The historical plot, the survey of papers, and what the talk asks for."""
    return Reproduction(
        slug=PAPER,
        authors="J. Zobel, with A. Moffat, M. Sanderson, W. Webber",
        title="Principles for robust evaluation infrastructure",
        venue="slides of a talk",
        doi=None,
        short="Zobel et al., slides",
        summary="Whether papers got better over the years, whether systems did, and what a shared record needs.",
        methods=("baselines", "trends", "historical-standardization", "standardization"),
        figures=(*history_figures(shipped), *_survey(shipped), _checklist()),
    )


def _survey(shipped: Shipped) -> Iterator[Figure]:
    of_baselines, own = (
        {row["paper_url"]: row for row in shipped.results("robust04_papers.csv", _COLLECTION, role)}
        for role in ("baseline", "proposed")
    )
    papers = [paper for paper in own if paper in of_baselines]
    baselines, improved = (values_of([rows[one] for one in papers]) for rows in (of_baselines, own))
    years = [int(own[one]["year"]) for one in papers]
    runs = values_of(shipped.results("trec_adhoc.csv", _COLLECTION, "trec_run"))
    found = standing_of_papers(baselines, improved, runs)
    trend = trend_over_time(years, improved)
    known = baselines_against_known_best(years, baselines, improved, known_before=runs)
    panels = survey_panels(
        Survey(tuple(years), tuple(baselines.tolist()), tuple(improved.tolist()), tuple(runs.tolist())),
        f"AP on Robust04: baseline and own best of {len(papers)} papers (robust04_papers.csv), among the {len(runs)}"
        " original runs of TREC 2004",
    )
    n_above = round(found.fraction_improved_above_best * len(papers))
    yield Figure(
        slug="survey",
        name="“Improved” scores over time",
        title=f"In fifteen years improved scores rose by {trend.slope:.4f} AP a year; {n_above} of {len(papers)} beat"
        " the best run of 2004",
        caption=f"Each dot is the best score that a paper gives for its own system. {_OTHER}",
        panel=panels["survey"],
        x=_YEAR,
        y=_SCORE,
        methods=("trends", "baselines"),
        lines=tuple(
            Line(what, printed, float(value), digits, why=f"{says}{_LINE}")
            for what, printed, value, digits, says in (
                ("Papers", None, len(papers), 0, "They have 106. "),
                (
                    "Percentile of the median improved score among original runs",
                    "58", found.median_improved_percentile, 0, "",
                ),
                ("Papers better than every original run", None, n_above, 0, "They say “almost no results”. "),
                ("Change of improved scores a year (Sen’s slope)", None, trend.slope, 4, "They see no upwards trend. "),
                ("p of no trend (Mann-Kendall)", None, trend.pvalue, 2, "They see no upwards trend. "),
            )
        ),
    )  # fmt: skip
    yield Figure(
        slug="baselines",
        name="Use of baselines",
        title=f"{known.n_reaching} of {known.n_baselines} baselines reach the best result known the year before",
        caption="Each dot is the best baseline that a paper compares with; the line is the best score published by the"
        f" year before, original runs among them. {_OTHER}",
        panel=panels["baselines"],
        x=_YEAR,
        y=_SCORE,
        methods=("baselines",),
        lines=(
            Line("Percentile of the median baseline", "41", found.median_baseline_percentile, 0, why=_LINE),
            Line("Baselines that reach the best known the year before", None, known.n_reaching, 0,
                 why=f"“One year’s improved result is not next year’s baseline”. {_LINE}"),
        ),
    )  # fmt: skip


_ASKED = (
    *columns_of("What the talk asks for"),
    *columns_of("Here", "What there is", kind="text"),
    *columns_of("Where", kind="address"),
)
#: What slides and their finding ask of an infrastructure; whether this registry has it, how, and on which page.
_ANSWERS = (
    (
        "Shared testing environments, such as TREC’s test collections",
        "yes",
        "Collections with their topics, splits and relatives; runs are scored against judgements that ship, of some"
        " ninety collections. Documents themselves are not here.",
        "/collections/",
    ),
    (
        "Shared, public-domain IR systems",
        "partly",
        "Scores of open toolkits stand beside what papers print of the same system. Toolkits are not run here.",
        "/reproduced/",
    ),
    (
        "Environments for publishing new data",
        "yes",
        "Whoever owns a collection gives it a page, public or not, its measures and its judgements.",
        "/submit/",
    ),
    (
        "Environments for publishing runs",
        "partly",
        "A run is scored and its scores by topic can go on the record; the ranking itself stays with whoever sent it.",
        "/runs/",
    ),
    (
        "Environments for publishing systems",
        "partly",
        "Models have pages with their maker, base and every score on record, and lead to code elsewhere.",
        "/models/",
    ),
    (
        "Shared, statistically based tools for measuring",
        "yes",
        "Every statistic has a page with its assumptions; the same code runs at the desk and behind every page.",
        "/methods/",
    ),
    (
        "Recording experimental outcomes",
        "yes",
        "Results with their source and line; the log keeps who changed what, and analyses are kept for good.",
        "/log/",
    ),
    (
        "Social frameworks that make openness the norm",
        "partly",
        "Leaderboards say of each row who prints it, on what it was trained, and what is not known. Nobody is made to"
        " tell.",
        "/sources/",
    ),
    (
        "Restricted or private data that can be evaluated, accessed or inspected",
        "partly",
        "Judgements may be sealed: runs are scored against them and nobody reads them, for a number of answers. Private"
        " documents can’t be searched here.",
        "/docs/runs/",
    ),
    (
        "Scores by topic, for want of which “standardization isn’t an option”",
        "partly",
        "They are taken beside every result, and a leaderboard that has them is judged by them; most papers give none.",
        "/docs/importing/",
    ),
    (
        "A fixed reference set, to compare years",
        "partly",
        "Leaderboards freeze reference sets; results are placed on them. By topic there is one for four years of TREC.",
        "/methods/historical-standardization/",
    ),
    (
        "One year’s improved result as next year’s baseline",
        "yes",
        "Baselines of papers stand against the best known by then; a weak baseline is named when a score is checked.",
        "/check/",
    ),
)  # fmt: skip


def _checklist() -> Figure:
    n_met = sum(row[1] == "yes" for row in _ANSWERS)
    return Figure(
        slug="checklist",
        name="Position: what evaluation needs",
        title=f"Of {len(_ANSWERS)} things that the talk asks for this registry has {n_met}, and a part of the others",
        caption="The talk’s critical elements, first those that exist since TREC, then those that are missing, and"
        " what its survey found wanting; whether this registry has it, and where.",
        panel=Panel(
            data="The slides headed “Position”, “Survey” and “Use of baselines”", columns=_ASKED, rows=_ANSWERS
        ),
        methods=("standardization", "baselines"),
    )
