"""What the pages of leaderboards and suites take from their documents, put together by hand."""

from types import SimpleNamespace
from typing import Any

import pytest

from registry.leaderboards import presentation
from registry.leaderboards.drawings.plumb_line import Mark
from registry.leaderboards.forms import Selection
from registry.leaderboards.presentation import page_context, suite_context
from registry.leaderboards.traits import Traits
from registry.leaderboards.words import OF_MEANS


@pytest.fixture
def seen(monkeypatch):
    """What the parts that draw and say are asked for."""
    asked: dict[str, Any] = {}

    def note(name: str):
        return lambda *given, **named: asked.setdefault(name, []).append((given, named)) or name

    for name in ("answers_of", "quoted", "page_drawings", "draw_plumb_line", "small_drawings"):
        monkeypatch.setattr(presentation, name, note(name))
    monkeypatch.setattr(presentation.five_runs, "what_runs_would_add", note("five_runs"))
    for name in ("choices_in_words", "equal_means_finding", "scale_choice"):
        monkeypatch.setattr(presentation.wording, name, note(name))
    return asked


def row(pk: int, **fields: Any) -> SimpleNamespace:
    return SimpleNamespace(**{"id": pk, "system": f"s{pk}", "year": 2004, "paper_slug": "", "training": "",
                              "value": 0.5} | fields)  # fmt: skip


def board(**fields: Any) -> Any:
    known = {
        "url": "/leaderboards/c/AP/", "selection": {}, "verdict": None, "n_listed": 11, "as_of": None,
        "published_by": None, "scales": {"published": "p", "residual": "r"}, "results": [row(1), row(2, year=2005)],
        "facets": {"role": {"baseline": 1, "proposed": 1}, "run_type": {}, "provenance": {"transcribed": 2}},
    } | fields  # fmt: skip
    return SimpleNamespace(**known)


def test_the_page_of_a_leaderboard(seen):
    document = board()
    selection = Selection(query={"role": "baseline"}, view={"q": "x"}, traits=Traits(since=2020))
    context = page_context(document, selection)
    assert (context["bounds"], context["five_runs"], context["drawn"]) == ("p", "five_runs", "page_drawings")
    assert seen["page_drawings"] == [((document, "p"), {})]
    assert seen["equal_means_finding"] == [((document, "p"), {})]
    assert seen["scale_choice"] == [((document, "published"), {})]
    assert [one.name for one in context["filters"]] == ["role"]
    assert [one.name for one in context["counted"]] == ["counted_roles"]
    ((_, labels, traits), _) = seen["choices_in_words"][0]
    assert (labels, traits) == ({"role": "all", "counted_roles": "all original results"}, Traits(since=2020))
    assert [one.name for one in context["scales"]] == ["scale"]
    assert context["trait_names"] == ("weights", "size", "maker", "since")
    assert [one.name for one in context["trait_fields"]] == list(context["trait_names"])
    assert context["years"] == [(2004, "2004-12-31")]
    assert (context["sources"], context["other_days"]) == ("", {"role": "baseline", "q": "x"})
    assert (context["cautions"], context["cleared"], context["quote"]) == ((), (), "quoted")
    assert context["top_table"] == "/leaderboards/c/AP.tex?top=10"
    assert [one.address for one in context["drawings"]] == [
        "/leaderboards/c/AP/figure.svg", "/leaderboards/c/AP/figure.png",
    ]  # fmt: skip


def test_the_page_of_a_leaderboard_under_choices(seen):
    cited = board(results=[row(1), row(2, paper_slug="doe")], n_listed=10, selection={"role": "baseline"})
    context = page_context(cited, Selection(scale="residual", query={"as_of": "2020-01-01", "published_by": "x"}))
    assert context["sources"] == "/leaderboards/c/AP.sources.bib?role=baseline"
    assert (context["top_table"], context["bounds"], context["other_days"]) == ("", "r", {})
    assert context["drawings"][0].address == "/leaderboards/c/AP/figure.svg?role=baseline"
    assert seen["scale_choice"] == [((cited, "residual"), {})]
    unknown = page_context(cited, Selection(scale="borrowed"))
    assert unknown["bounds"] == "p"
    assert page_context(board(scales={}), Selection())["bounds"] is None


def test_cautions_lead_to_their_answers_where_nothing_is_chosen(seen):
    def caution(code: str, *results: int) -> SimpleNamespace:
        return SimpleNamespace(code=code, message="A. B.", results=results, answers=(), decisions=())

    answerable = sorted(presentation.ANSWERABLE)[0]
    verdict = SimpleNamespace(cautions=(caution(answerable, 1, 9), caution("x", 2)), cleared_cautions=())
    first, second = page_context(board(verdict=verdict), Selection())["cautions"]
    assert first.links == (("s1", f"/results/1/cautions/{answerable}/"),)
    assert (first.message, second.message, second.links) == ("A. B.", "", ())
    chosen = page_context(board(verdict=verdict), Selection(traits=Traits(since=2020)))["cautions"]
    assert chosen[0].links == ()


def test_the_page_of_a_suite_marks_who_wins_by_the_rule_that_is_asked(seen, monkeypatch):
    rules = [SimpleNamespace(rule="mean", name="mean", winner=1, sentence="m"),
             SimpleNamespace(rule="copeland", name="duels", winner=2, sentence="d")]  # fmt: skip
    members = [
        SimpleNamespace(collection="a", snapshot="/snapshots/abc/"),
        SimpleNamespace(collection="b", snapshot=""),
    ]
    document: Any = SimpleNamespace(
        url="/suites/x/AP/", rules=SimpleNamespace(rules=rules), results=[row(1), row(2, value=0.4), row(3)],
        members=members, measure={"name": "AP"}, words=OF_MEANS, verdict=None, n_listed=3, selection={},
    )  # fmt: skip
    monkeypatch.setattr(
        presentation, "small_drawings", lambda given: seen.setdefault("small", given) and {"abc": "svg"}
    )

    def marked(rule: str = "", **fields: Any) -> list[Mark]:
        seen.pop("draw_plumb_line", None)
        changed: Any = SimpleNamespace(**vars(document) | fields)
        context = suite_context(changed, rule)
        assert context["drawn"] == {"plumb_line": "draw_plumb_line"}
        (((of, words, mark), _),) = seen["draw_plumb_line"]
        assert (of, words) == (changed, OF_MEANS)
        return mark

    assert marked() == []
    assert marked("copeland") == [Mark(0.4, "by duels: s2")]
    assert marked("mean") == [Mark(0.5, "by mean: s1")]
    assert marked("borda") == []
    assert marked("copeland", rules=None) == []
    assert marked("copeland", results=[row(1), row(2, value=None)]) == []
    assert marked("copeland", results=[row(1)]) == []
    context: Any = suite_context(document, "copeland")
    assert seen["small"] == [("abc", {"name": "AP"}), ("", {"name": "AP"})]
    assert context["members"] == [(members[0], "svg"), (members[1], None)]
    assert (context["has_drawings"], context["rules"].said, context["top_table"]) == (True, "d", "")
    answerable = SimpleNamespace(code=sorted(presentation.ANSWERABLE)[0], message="A.", results=(1,), answers=(),
                                 decisions=())  # fmt: skip
    verdict = SimpleNamespace(cautions=(answerable,), cleared_cautions=(answerable,))
    cautioned: Any = suite_context(SimpleNamespace(**vars(document) | {"verdict": verdict}))
    # Systems are no results: what is said to one stands with the member.
    assert [one.links for one in (*cautioned["cautions"], *cautioned["cleared"])] == [(), ()]
    monkeypatch.setattr(presentation, "small_drawings", lambda given: {})
    assert suite_context(document)["has_drawings"] is False
