"""What is shown of a choice, and of what somebody sent: without a database."""

from urllib.parse import urlencode

import numpy as np
import pytest
from django.http import QueryDict

from analysis.figures import Axis, Factor, Panel, scaled, series
from analysis.papers.paper import Figure, Given, Undrawable
from analysis.scores import ScoreMatrix
from registry.tools.reproductions.documents import Chosen, FigureDocument, lay_out
from registry.tools.reproductions.sources import Choice
from registry.tools.reproductions.views import FigureForm
from tests.registry.tools.reproductions.drawing import draw_all


def matrix(n_systems: int, n_topics: int) -> ScoreMatrix:
    scores = np.linspace(0.1, 0.9, n_systems * n_topics).reshape(n_systems, n_topics)
    return ScoreMatrix([f"s{n}" for n in range(n_systems)], [f"t{n}" for n in range(n_topics)], scores)


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
    return FigureDocument("p", FIGURE, shown, factor, (choice,))


def test_the_factor_moves_what_is_scaled_alone():
    panel = scaled(FIGURE.panel, 0.25)
    assert [line.x for line in panel.series] == [(1, 2), (1, 2), (1, 2, 3)]
    assert [line.x for line in document(0.5).panels[0].series] == [(1, 2), (2, 4), (1, 2, 3)]
    assert document(None).panels == (FIGURE.panel,)


def test_what_is_drawn_is_a_table_too_with_a_column_for_each_line():
    """Bars are none of it; a place that has a label is called by it, and a line without a name counts all."""
    table = lay_out(document())["own"]["table"]
    assert [column.name for column in table["columns"]] == ["effort", "deep", "shallow"]
    rows = [(head, *(text for text, _ in cells)) for head, cells in table["rows"]]
    assert rows == [("1", "0.5", "–"), ("two", "–", "0.25"), ("4", "–", "0.123")]
    nameless = Panel(data="", series=(series("", [3], [4]),))
    table = lay_out(document(chosen=nameless))["chosen"]["table"]
    assert [column.name for column in table["columns"]] == ["effort", "all"]


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
    panels, why = draw_all(Given(name="ours", measure="AP", matrices={}))
    assert panels == {}
    assert why["cormack-lynam-2006/table-1"].startswith("it needs runs whose documents were kept")
    assert why["jayasinghe-2014/reranker"].startswith("it needs a table whose columns are executions")
    assert why["sanderson-zobel-2005/figure-7"].startswith("it needs average precision and a measure of the first ten")
    assert why["carterette-2015/figure-1"] == "it needs scores of 2 systems or more on the same 2 topics or more"
    for figure in ("carterette-2015/abstract", "sanderson-zobel-2005/figure-1", "sanderson-zobel-2005/figure-5"):
        assert why[figure] == "it needs scores of 5 systems or more on the same 20 topics or more"


@pytest.mark.filterwarnings("ignore::analysis.errors.DegenerateWarning")
def test_scores_that_are_all_the_same_are_drawn_by_nothing_that_needs_them_to_differ():
    same = ScoreMatrix([f"s{n}" for n in range(6)], matrix(6, 20).topics, np.full((6, 20), 0.5))
    panels, why = draw_all(Given(name="ours", measure="AP", matrices={"AP": same}))
    assert list(panels) == ["zobel-principles/standardization"]
    assert why["carterette-2015/figure-1"] == "the sd must be above 0"
    assert why["sanderson-zobel-2005/figure-1"] == "the scores must vary beyond systems and topics"


def test_means_of_which_less_is_better_are_not_drawn_as_a_best():
    sent = Given(name="ours", measure="cost", higher_is_better=False, matrices={"cost": matrix(6, 25)})
    _, why = draw_all(sent)
    for figure in ("figure-1", "abstract"):
        assert why[f"carterette-2015/{figure}"] == (
            "the paper draws measures of which more is better, and of cost less is"
        )


def test_two_measures_must_be_of_the_same_systems_and_topics():
    other = ScoreMatrix([f"o{n}" for n in range(6)], matrix(6, 25).topics, matrix(6, 25).scores)
    _, why = draw_all(
        Given(name="ours", measure="none", matrices={"AP(rel=2)": matrix(6, 25), "P@10": other})
    )  # fmt: skip
    assert why["sanderson-zobel-2005/figure-7"] == "AP(rel=2) and P@10 are not of the same systems and topics"
