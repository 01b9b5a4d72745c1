"""What is shown of a choice, and of what somebody sent: without a database."""

from types import SimpleNamespace
from urllib.parse import urlencode

import numpy as np
import pytest
from django.http import QueryDict

from analysis.figures import Axis, Factor, Panel, scaled, series
from analysis.papers.paper import Drawing, Figure, Given, Undrawable
from analysis.papers.sanderson_zobel import compared, effort_panel
from analysis.scores import ScoreMatrix
from registry.core.pages import LiveExample
from registry.tools.reproductions.documents import Chosen, FigureDocument
from registry.tools.reproductions.forms import FigureForm
from registry.tools.reproductions.papers import reproductions
from registry.tools.reproductions.presentation import lay_out
from registry.tools.reproductions.redrawing import Choice
from registry.tools.reproductions.sent import draw_by, draw_sent, papers_of_sent, sent_figure
from registry.tools.reproductions.sources import DRAWINGS

CHOICES = [
    Choice("cranfield", "Cranfield", "AP"),
    Choice("trec-8-adhoc", "TREC-8", "P@10"),
    Choice("trec-8-adhoc", "TREC-8", "AP"),
    Choice("vaswani", "Vaswani", "nDCG"),
    Choice("vaswani", "Vaswani", "RR"),
]


def matrix(n_systems: int, n_topics: int) -> ScoreMatrix:
    scores = np.linspace(0.1, 0.9, n_systems * n_topics).reshape(n_systems, n_topics)
    return ScoreMatrix([f"s{n}" for n in range(n_systems)], [f"t{n}" for n in range(n_topics)], scores)


def scores_of(n_systems: int, seed: int) -> ScoreMatrix:
    rng = np.random.default_rng(seed)
    scores = np.linspace(0.2, 0.4, n_systems)[:, None] + rng.normal(0, 0.1, 20) + rng.normal(0, 0.1, (n_systems, 20))
    return ScoreMatrix([f"s{n}" for n in range(n_systems)], [f"t{n}" for n in range(20)], np.clip(scores, 0, 1))


def test_scores_are_enough_from_the_least_numbers_on():
    sent = Given(name="ours", measure="AP", matrices={"AP": matrix(3, 4), "P@10": matrix(2, 9)})
    assert sent.scores(3, 4).n_systems == 3
    assert sent.scores(measure="P@10").n_topics == 9
    for least in ((4, 4), (3, 5)):
        with pytest.raises(Undrawable, match=f"{least[0]} systems or more on the same {least[1]} topics or more"):
            sent.scores(*least)
    with pytest.raises(Undrawable, match="2 systems or more"):
        sent.scores(measure="RR")


FIGURE = Figure(
    slug="figure-7", name="Figure 7", title="A title", caption="A caption",
    x=Axis(label="effort", ticks=((2.0, "two"),)), y=Axis(label="errors"),
    factor=Factor(label="What it costs", default=0.5, low=0.1, high=2),
    panel=Panel(
        data="of the paper",
        series=(
            series("deep", [1, 2], [0.5, None]),
            series("shallow", [4, 8], [0.25, 0.123456], low=[0.1, None], high=[0.3, None], is_scaled=True),
            series("bars", [1, 2, 3], [7, 9], mark="bars"),
        ),
    ),
)  # fmt: skip


def document(factor: float | None = 0.5, chosen: Panel | None = None) -> FigureDocument:
    choice = Choice("trec-8-adhoc", "TREC-8", "AP")
    shown = Chosen(choice, "drawn", "", chosen, None) if chosen else None
    return FigureDocument("p", FIGURE, shown, factor, tuple(CHOICES))


def test_the_factor_moves_what_is_scaled_alone():
    panel = scaled(FIGURE.panel, 0.25)
    assert [one.x for one in panel.series] == [(1, 2), (1, 2), (1, 2, 3)]
    assert [one.x for one in document(0.5).panels[0].series] == [(1, 2), (2, 4), (1, 2, 3)]
    assert document(None).panels == (FIGURE.panel,)


def texts(rows) -> list[tuple[str, ...]]:
    return [(head, *(text for text, _ in cells)) for head, cells in rows]


def test_what_is_drawn_is_a_table_too_with_a_column_for_each_line():
    """Bars are none of it; a place that has a label is called by it, and a line without a name counts all."""
    table = lay_out(document()).own.table
    assert [one.name for one in table.columns] == ["effort", "deep", "shallow"]
    assert texts(table.rows) == [("1", "0.5", "–"), ("two", "–", "0.25"), ("4", "–", "0.123")]
    nameless = Panel(data="", series=(series("", [3], [4]),))
    assert [one.name for one in lay_out(document(chosen=nameless)).chosen.table.columns] == ["effort", "all"]


def swaps_of(figure: str) -> Drawing:
    (found,) = (one for one in DRAWINGS if one.paper == "sanderson-zobel-2005" and figure in one.figures)
    return found


def test_rates_of_two_measures_are_pooled_by_the_pairs_of_each_collection():
    def points(*rates: float | None) -> list[SimpleNamespace]:
        return [SimpleNamespace(n_topics=5 * place, error_rate=rate) for place, rate in enumerate(rates, 1)]

    found = [
        (30, SimpleNamespace(first_points=points(0.2, 0.1), second_points=points(0.4, None))),
        (10, SimpleNamespace(first_points=points(0.4, 0.3), second_points=points(0.2, 0.2))),
    ]
    panel = effort_panel(found, ("AP", "P@10"), "ours")
    deep, shallow = panel.series
    assert panel.data == "ours"
    assert (deep.name, deep.x, deep.is_highlighted, deep.is_scaled) == ("AP", (5, 10), False, False)
    assert (shallow.name, shallow.x, shallow.is_highlighted, shallow.is_scaled) == ("P@10", (5, 10), True, True)
    assert deep.y == pytest.approx([25, 15])
    assert shallow.y == pytest.approx([35, 5])
    n_pairs, effort = compared((scores_of(8, 1), scores_of(8, 2)))
    # The best six of eight.
    assert (n_pairs, effort.n_systems) == (15, 6)
    assert [point.effort for point in effort.first_points] == [point.n_topics for point in effort.first_points]
    assert [point.effort for point in effort.second_points] == pytest.approx(
        [0.14 * point.n_topics for point in effort.second_points]
    )
    assert [point.n_topics for point in effort.first_points] == [5, 10]


def asked(**values: str) -> FigureForm:
    return FigureForm(QueryDict(urlencode(values)), figure=FIGURE)


def test_a_factor_may_be_asked_for_within_its_ends_where_there_is_one():
    form = asked(collection="trec-8-adhoc", factor="0.1")
    assert form.is_valid()
    assert form.wanted == {"collection": "trec-8-adhoc", "measure": "", "factor": 0.1}
    assert form.fields["factor"].help_text == "What it costs"
    assert asked().is_valid()
    for value in ("0.09", "2.01", "x"):
        assert not asked(factor=value).is_valid(), value
    assert asked(factor="2").is_valid()
    assert not asked(collection="c" * 201).is_valid()
    assert not asked(measure="m" * 101).is_valid()
    assert asked(collection="c" * 200, measure="m" * 100).is_valid()
    without = FigureForm(QueryDict(), figure=Figure(slug="s", name="S", title="", caption=""))
    assert without.is_valid()
    assert without.wanted == {"collection": "", "measure": "", "factor": None}
    assert not FigureForm(QueryDict("factor=1"), figure=Figure(slug="s", name="S", title="", caption="")).is_valid()


def test_of_what_is_too_little_nothing_is_drawn_and_each_figure_says_why():
    found = draw_sent(Given(name="ours", measure="AP", matrices={}))
    assert (found.name, found.measure, found.panels) == ("ours", "AP", {})
    why = found.why
    assert why["cormack-lynam-2006/table-1"].startswith("it needs runs whose documents were kept")
    assert why["jayasinghe-2014/reranker"].startswith("it needs a table whose columns are executions")
    assert why["sanderson-zobel-2005/figure-7"].startswith("it needs average precision and a measure of the first ten")
    assert why["carterette-2015/figure-1"] == "it needs scores of 2 systems or more on the same 2 topics or more"
    for figure in ("carterette-2015/abstract", "sanderson-zobel-2005/figure-1", "sanderson-zobel-2005/figure-5"):
        assert why[figure] == "it needs scores of 5 systems or more on the same 20 topics or more"
    papers = papers_of_sent(found)
    assert [one.paper.slug for one in papers] == list(reproductions())
    for one in papers:
        assert list(one.drawn) == []
        assert sum(map(len, one.others.values())) == len(one.paper.figures)
    own = papers[0].others["it is about the paper’s own data, about the record, or about none"]
    assert [figure.slug for figure in own] == ["table-1", "section-5"]


def test_each_figure_of_what_was_sent_says_of_what_it_is_drawn():
    """Figures of ten documents are drawn of P@10 where it was sent, whatever was asked for."""
    matrices = {name: scores_of(6, seed) for seed, name in enumerate(("AP", "P@20", "P@10"), 1)}
    found = draw_sent(Given(name="ours", measure="AP", matrices=matrices))
    data = {figure: panel.data for figure, panel in found.panels.items()}
    for figure in ("figure-1", "table-2", "section-3-1"):
        assert data[f"carterette-2015/{figure}"].startswith("ours: 6 systems on 20 topics; mean 0.29")
    of_one = "ours: AP of 6 systems on 20 topics"
    assert data["carterette-2015/abstract"] == data["sanderson-zobel-2005/section-5"] == of_one
    assert data["sanderson-zobel-2005/figure-1"].startswith(f"{of_one}; the best 5 compared")
    assert data["sanderson-zobel-2005/figure-7"] == "ours: 6 systems on 20 topics"
    assert data["zobel-principles/standardization"] == of_one
    ships = {one.slug: one.panel for one in reproductions()["carterette-2015"].figures}
    for figure in ("table-2", "table-3", "abstract"):
        assert found.panels[f"carterette-2015/{figure}"].columns == ships[figure].columns
    lines = found.panels["sanderson-zobel-2005/figure-7"].series
    assert [(one.name, one.is_highlighted, one.is_scaled) for one in lines] == [
        ("AP", False, False), ("P@10", True, True),
    ]  # fmt: skip
    assert lines[0].y != lines[1].y
    assert [one for paper in papers_of_sent(found) for one in paper.drawn] == [
        one for paper in reproductions().values() for one in paper.figures if f"{paper.slug}/{one.slug}" in data
    ]
    few = {"AP": scores_of(6, 1), "P@10": scores_of(4, 3)}
    for matrices in (few, few | {"P@20": scores_of(6, 2)}):
        _, why = draw_by(swaps_of("figure-5"), Given(name="ours", measure="AP", matrices=matrices))
        assert why == "it needs scores of 5 systems or more on the same 20 topics or more"


@pytest.mark.filterwarnings("ignore::analysis.errors.DegenerateWarning")
def test_scores_that_are_all_the_same_are_drawn_by_nothing_that_needs_them_to_differ():
    same = ScoreMatrix([f"s{n}" for n in range(6)], matrix(6, 20).topics, np.full((6, 20), 0.5))
    found = draw_sent(Given(name="ours", measure="AP", matrices={"AP": same}))
    assert list(found.panels) == ["zobel-principles/standardization"]
    assert found.why["carterette-2015/figure-1"] == "the sd must be above 0"
    assert found.why["sanderson-zobel-2005/figure-1"] == "the scores must vary beyond systems and topics"


def test_the_figure_of_what_was_sent_has_the_factor_that_is_asked_for():
    paper = next(iter(reproductions().values()))
    choice, page, panel = CHOICES[0], LiveExample("ours", "/runs/"), Panel(data="ours")
    assert sent_figure(paper, FIGURE, panel, choice, page).factor == 0.5
    bare = Figure(slug="s", name="S", title="", caption="")
    assert sent_figure(paper, bare, panel, choice, page).factor is None
    found = sent_figure(paper, FIGURE, panel, choice, page, 0.2)
    assert (found.factor, found.chosen, found.paper) == (
        0.2, Chosen(choice, "drawn", "", panel, page), paper.slug,
    )  # fmt: skip


def test_means_of_which_less_is_better_are_not_drawn_as_a_best():
    sent = Given(name="ours", measure="cost", higher_is_better=False, matrices={"cost": matrix(6, 25)})
    found = draw_sent(sent)
    for figure in ("figure-1", "abstract"):
        assert found.why[f"carterette-2015/{figure}"] == (
            "the paper draws measures of which more is better, and of cost less is"
        )


def test_two_measures_must_be_of_the_same_systems_and_topics():
    other = ScoreMatrix([f"o{n}" for n in range(6)], matrix(6, 25).topics, matrix(6, 25).scores)
    found = draw_sent(
        Given(name="ours", measure="none", matrices={"AP(rel=2)": matrix(6, 25), "P@10": other})
    )  # fmt: skip
    assert found.why["sanderson-zobel-2005/figure-7"] == "AP(rel=2) and P@10 are not of the same systems and topics"
