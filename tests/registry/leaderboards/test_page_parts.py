"""Parts of pages, files and drawings of leaderboards, from documents put together by hand."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from analysis.boards import Question, calibration
from registry.leaderboards import presentation, results_table
from registry.leaderboards.calibration import Line, _range, calibration_context
from registry.leaderboards.documents.shapes import Marked
from registry.leaderboards.documents.suites import _state, suite_rows
from registry.leaderboards.exports import citing, croissant, files
from registry.leaderboards.exports.citing import Entry
from registry.leaderboards.exports.result_citing import _doubt, result_sentence
from registry.leaderboards.five_runs import what_runs_would_add
from registry.leaderboards.forms import Selection
from registry.leaderboards.presentation import Choice, Choices
from registry.leaderboards.queries.suites import MembersState
from registry.leaderboards.traits import Traits
from registry.leaderboards.words import OF_MEANS, OF_RESULTS
from registry.results.models import Result


def row(pk: int = 1, **fields) -> SimpleNamespace:
    known = {
        "id": pk, "system": f"s{pk}", "system_id": pk, "system_slug": f"s-{pk}", "team": "", "paper": "", "source": "a",
        "paper_slug": "", "year": 2004, "role_label": "baseline", "run_type": "", "provenance_label": "transcribed",
        "training": "", "training_split": "", "is_held_back": False, "rank_low": None, "rank": pk, "value": 0.5,
        "can_be_best": None, "behind": None, "tier": None, "family": None, "topic_z": None, "z": None,
        "percentile": None, "role": "baseline", "provenance": "transcribed", "may_be_best": None, "rival": None,
        "margin": None, "is_counted": True,
    } | fields  # fmt: skip
    return SimpleNamespace(**known)


def test_results_are_found_by_all_words_of_what_they_say():
    rows = [row(1, system="BERT base", team="Uni"), row(2, paper="Doe (2020)", source="b.csv"), row(3, source="c.csv")]
    document = SimpleNamespace(results=rows)

    def found(q: str) -> list[int]:
        return [one.id for one in results_table.found_results(document, q)]

    assert (found(""), found(" "), found("bert UNI"), found("bert doe")) == ([1, 2, 3], [1, 2, 3], [1], [])
    # The source stands for what has no paper.
    assert (found("b.csv"), found("c.csv"), found("doe 2020")) == ([], [3], [2])


def test_what_all_rows_say_alike_stands_once():
    alike = results_table._alike
    assert alike([row(1), row(2)]) == {
        "year": 2004, "role": "baseline", "provenance": "transcribed", "paper": "a",
    }  # fmt: skip
    assert alike([row(1)]) == {}
    assert alike([row(1), row(2, year=2005, paper="Doe")]) == {"role": "baseline", "provenance": "transcribed"}
    assert alike([row(1, year=None, team="T"), row(2, year=None, team="T")])["team"] == "T"
    assert "year" not in alike([row(1, year=None), row(2, year=None)])
    assert results_table._usual_columns(["year", "paper", "team"], {"year": 2004}) == ["paper"]
    assert results_table._usual_columns(["can_be_best", "year"], {}) == ["can_be_best", "year"]


@pytest.mark.parametrize(
    ("name", "now", "higher", "order", "sort"),
    [
        ("score", "rank", True, "descending", "-rank"), ("score", "-rank", True, "ascending", "rank"),
        ("score", "rank", False, "ascending", "-rank"), ("score", "-rank", False, "descending", "rank"),
        ("score", "year", True, "", "rank"), ("year", "year", True, "descending", "-year"),
        ("year", "-year", False, "ascending", "year"), ("system", "system", True, "ascending", "-system"),
        ("system", "-system", True, "descending", "system"), ("z", "z", True, "descending", "-z"),
        ("tier", "rank", True, "", ""),
    ],
)  # fmt: skip
def test_a_heading_asks_for_the_other_direction(name, now, higher, order, sort):
    column = results_table._column(name, "it means", now, higher_is_better=higher)
    assert (column.key, column.meaning, column.order, column.sort) == (name, "it means", order, sort)
    assert column.page == {"z": "standing-among-reference-means", "tier": "tie-tiers"}.get(name, "")
    assert column.is_number == (name != "system")


def table(rows: list, selection: Selection | None = None, *, telling: bool = True, shown: list | None = None) -> dict:
    found = SimpleNamespace(margin=0.05, distances=(), is_telling=telling)
    verdict = SimpleNamespace(
        is_telling=telling, shown=SimpleNamespace(set=found), held_back=set(), best_unflagged=None, cautions=()
    )
    document = SimpleNamespace(
        verdict=verdict, results=rows, reference_sets=(), measure={"decimals": 4, "higher_is_better": True}
    )
    return results_table.table_context(document, selection or Selection(), rows if shown is None else shown)


def test_the_table_has_few_columns_and_offers_those_that_say_something():
    rows = [row(1, can_be_best=True, rank_low=1), row(2, can_be_best=False, year=2005, tier=2, paper="Doe")]
    context = table(rows)
    assert list(context["columns"]) == ["ranks", "system", "score", "can_be_best", "year", "paper"]
    assert context["alike"] == [("Role", "baseline"), ("Provenance", "transcribed")]
    assert context["offered"] == [
        ("can_be_best", "Can it be the best?", True), ("rank", "Rank", False), ("tier", "Tier", False),
        ("year", "Year", True), ("role", "Role", False), ("provenance", "Provenance", False),
        ("paper", "Printed by", True),
    ]  # fmt: skip
    assert context["lengths"] == [(20, True), (50, False), (300, False)]
    assert (context["can_compare"], context["usual_training"]) == (True, "")
    first = context["rows"][0]
    assert (first.row, first.has_teams, first.has_training) == (rows[0], True, False)
    assert (first.is_telling, first.digits) == (True, 4)
    assert list(table(rows, telling=False)["columns"]) == ["ranks", "system", "score", "year", "paper"]
    held = [row(1, can_be_best=True, is_held_back=True), row(2, can_be_best=True, year=2005)]
    assert "can_be_best" in table(held, telling=False)["columns"]
    assert next(iter(table(held)["columns"])) == "rank"
    chosen = table(rows, Selection(columns=("team", "year"), rows=50))
    assert list(chosen["columns"]) == ["ranks", "system", "score", "year", "team"]
    assert (chosen["rows"][0].has_teams, chosen["lengths"][1]) == (False, (50, True))
    said = table(rows, Selection(columns=("role",)))
    assert (said["alike"], list(said["columns"])[3:]) == ([("Provenance", "transcribed")], ["role"])
    one_team = table([row(1, team="T"), row(2, team="T")])
    assert (one_team["rows"][0].has_teams, ("Team", "T") in one_team["alike"]) == (False, True)
    alone = table(rows, shown=rows[:1])
    assert (alone["can_compare"], alone["rows"][0].can_compare, len(alone["rows"])) == (False, False, 1)


def test_what_is_said_of_training_stands_above_where_most_say_nothing():
    silent, said = row(1, training="not_listed"), row(2, training="declares", team="T")
    most = table([silent, silent, said])
    assert (most["usual_training"] != "", most["rows"][0].usual_training) == (True, "not_listed")
    half = table([silent, said])
    assert (half["usual_training"], half["rows"][0].has_training) == ("", True)
    assert not table([row(1), row(2)])["rows"][0].has_training


def caution(code: str, message: str, *results: int, **fields) -> SimpleNamespace:
    return SimpleNamespace(**({"code": code, "message": message, "results": results, "answers": (), "decisions": ()}
                              | fields))  # fmt: skip


def board(**fields) -> SimpleNamespace:
    known = {
        "facets": {"role": {}, "run_type": {}, "provenance": {}}, "scales": {}, "results": (), "verdict": "v",
        "as_of": None, "published_by": None, "url": "/leaderboards/c/AP/", "selection": {}, "count": 0, "n_listed": 0,
        "words": OF_RESULTS, "name": "Robust", "measure": {"name": "AP", "decimals": 4}, "slug": "robust",
        "snapshot": None,
    } | fields  # fmt: skip
    return SimpleNamespace(**known)


def test_filters_are_offered_where_they_change_something():
    facets = {"role": {"baseline": 3, "proposed": 2}, "run_type": {"manual": 5}, "provenance": {}}
    offered = presentation.contender_choices(board(facets=facets), Selection())
    labels = dict(Result.Role.choices)
    assert offered == [
        Choices("role", "Role", (Choice(None, "all", True), Choice("baseline", labels["baseline"], False, 3),
                                 Choice("proposed", labels["proposed"], False, 2))),
    ]  # fmt: skip
    chosen = Selection(question=Question(run_type="automatic", provenance="transcribed"))
    _, run_type, provenance = presentation.contender_choices(board(facets=facets), chosen)
    assert [(one.value, one.is_chosen, one.n) for one in run_type.choices] == [
        (None, False, None), ("manual", False, 5), ("automatic", True, 0),
    ]  # fmt: skip
    assert run_type.chosen_text == "automatic"
    assert [one.value for one in provenance.choices] == [None, "transcribed"]
    role, *_ = presentation.contender_choices(board(facets=facets), Selection(question=Question(role="proposed")))
    assert [(one.value, one.is_chosen, one.n) for one in role.choices] == [
        (None, False, None), ("baseline", False, 3), ("proposed", True, 2),
    ]  # fmt: skip


def test_whose_results_count_is_offered_where_there_are_several_roles():
    first, second = Result.COUNTED_ROLES[:2]
    facets = {"role": {first: 3, "reference_implementation": 9}}
    assert presentation.counted_choices(board(facets=facets), Selection()) == []
    facets["role"][second] = 1
    (found,) = presentation.counted_choices(board(facets=facets), Selection())
    assert [(one.value, one.is_chosen) for one in found.choices] == [(None, True), (first, False), (second, False)]
    both = Selection(question=Question(counted_roles=tuple(sorted((first, second)))))
    (found,) = presentation.counted_choices(board(facets=facets), both)
    assert [one.is_chosen for one in found.choices] == [False, False, False, True]
    assert found.chosen_text == ", ".join(str(Result.Role(one).label) for one in sorted((first, second)))
    (one,) = presentation.counted_choices(board(facets={"role": {first: 1}}),
                                          Selection(question=Question(counted_roles=(first,))))  # fmt: skip
    assert [choice.value for choice in one.choices] == [None, first]


def test_scales_years_formats_and_drawings_to_choose_from():
    assert presentation.scale_choices(board(scales={"published": 1}), "published") == []
    (scales,) = presentation.scale_choices(board(scales={"published": 1, "residual": 2}), "residual")
    assert [(one.value, one.is_chosen) for one in scales.choices] == [(None, False), ("residual", True)]
    rows = [row(1, year=2005), row(2, year=2003), row(3, year=None), row(4, year=2003), row(5, year=2004)]
    assert presentation._years(board(results=rows)) == [(2003, "2003-12-31"), (2004, "2004-12-31")]
    assert presentation._years(board(results=rows, as_of="2020-01-01")) == []
    assert presentation._years(board(results=rows, published_by="2020-01-01")) == []
    names = [one.name for one in presentation.formats(board(selection={"role": "baseline"}))]
    assert names == ["JSON", "CSV", "LaTeX", "Markdown", "BibTeX", "RIS"]
    uncited = presentation.formats(board(verdict=None, selection={"role": "baseline"}))
    assert [one.name for one in uncited] == ["JSON", "CSV", "LaTeX", "Markdown"]
    assert uncited[1].address == "/leaderboards/c/AP.csv?role=baseline"
    assert uncited[1].media_type == "text/csv"
    assert [(one.name, one.media_type, one.address) for one in presentation.drawings("/x/", "?a=b")] == [
        ("SVG", "image/svg+xml", "/x/figure.svg?a=b"), ("PNG", "image/png", "/x/figure.png?a=b"),
    ]  # fmt: skip


def test_traits_are_asked_for_where_models_are_on_the_board():
    assert presentation.trait_fields(board(results=[row(1)]), Selection()) == []
    fields = presentation.trait_fields(board(results=[row(1), row(2, training="declares")]), Selection())
    assert [field.name for field in fields] == ["weights", "size", "maker", "since"]
    assert fields[0].field.choices[0] == ("", "any")
    asked = Selection(traits=Traits(since=2020), query={"since": "2020"})
    assert [field.value() for field in presentation.trait_fields(board(results=[row(1)]), asked)][3] == "2020"


def test_rules_are_offered_with_the_sentence_of_the_one_that_is_asked():
    found = [SimpleNamespace(rule=rule, sentence=f"by {rule}") for rule in ("mean", "copeland")]
    assert presentation._rule_choices(board(rules=None), None) is None
    shown = presentation._rule_choices(board(rules=SimpleNamespace(rules=found)), None)
    assert [(one.value, one.text, one.is_chosen) for one in shown.choices] == [
        (None, "mean", True), ("copeland", "duels", False),
    ]  # fmt: skip
    assert (shown.name, shown.said) == ("rule", "")
    asked = presentation._rule_choices(board(rules=SimpleNamespace(rules=found)), found[1])
    assert ([one.is_chosen for one in asked.choices], asked.said) == ([False, True], "by copeland")


@pytest.mark.parametrize(
    ("fields", "view", "marks"),
    [
        ({}, "all", ()), ({"is_held_back": True, "cautions": ("x",)}, "declared-none", ("held back",)),
        ({"cautions": ("x",)}, "all", ("noted",)), ({"can_be_best": None}, "declared-none", ("declares no training",)),
        ({"can_be_best": True}, "declared-none", ()), ({"can_be_best": None, "rank": None}, "declared-none", ()),
        ({"can_be_best": None, "cautions": ("x",)}, "trained-here", ("declares no training", "noted")),
    ],
)  # fmt: skip
def test_what_stands_beside_a_name(fields, view, marks):
    known = {"rank": 1, "can_be_best": True, "can_be_best_unflagged": None, "is_held_back": False, "cautions": (),
             "training": "declares_none"} | fields  # fmt: skip
    one = SimpleNamespace(**known)
    one.may_be_best = Marked.may_be_best.fget(one)
    assert Marked.marks(one, view) == marks
    one.can_be_best_unflagged = False
    assert Marked.may_be_best.fget(one) is False


ENTRY = Entry("key", "A & B", "2026-01-09", "https://x.org/", "It is.", "abc")


def test_an_entry_in_each_format():
    assert ENTRY.bibtex() == (
        "@misc{key,\n"
        "  author       = {{Plumbline}},\n"
        "  title        = {{A \\& B}},\n"
        "  year         = {2026},\n"
        "  month        = {1},\n"
        "  howpublished = {\\url{https://x.org/}},\n"
        "  note         = {It is.}\n}\n"
    )
    assert "  month        = {12},\n" in replace(ENTRY, day="2026-12-09").bibtex()
    assert ENTRY.csl() == {
        "id": "key", "type": "dataset", "title": "A & B", "author": [{"literal": "Plumbline"}],
        "publisher": "Plumbline", "issued": {"date-parts": [[2026, 1, 9]]}, "version": "abc", "URL": "https://x.org/",
        "note": "It is.",
    }  # fmt: skip
    assert ENTRY.ris().split("\r\n") == [
        "TY  - DATA", "ID  - key", "AU  - Plumbline", "TI  - A & B", "PB  - Plumbline", "PY  - 2026",
        "DA  - 2026/01/09", "ET  - abc", "UR  - https://x.org/", "N1  - It is.", "ER  - ", "",
    ]  # fmt: skip
    filled = citing.csl_text([{"a": "", "b": 1, "c": None, "d": "é"}])
    assert filled == json.dumps([{"b": 1, "d": "é"}], ensure_ascii=False, indent=2) + "\n"


def test_choices_and_owners_in_citations():
    assert citing._chosen({}) == ""
    asked = {"role": "trec_run", "provenance": "transcribed", "weights": "open", "since": "2020", "sort": "year"}
    assert citing._chosen(asked) == "trec run, transcribed, open weights, published in 2020 or later"
    assert citing.without_owners("org/bge-1.5 leads a/b", "a/b c") == "bge-1.5 leads a/b"
    assert citing.command_name("TREC 2004 Robust, nDCG@10") == "PlumblineTRECTwoZeroZeroFourRobustNDCGOneZero"
    document = board(selection={"role": "x", "as_of": "y"})
    assert citing.title_of(document) == "Robust, AP"
    assert citing.title_with_choices(document) == "Robust, AP, role x, as_of y"
    kept = board(snapshot=SimpleNamespace(id="abc", url="/snapshots/abc/", created="2026-01-09T10:00:00"))
    assert citing.made_on(kept) == ("2026-01-09", "Snapshot abc of 2026-01-09")
    assert (citing.citable_address(kept), citing.citation_key(kept)) == ("/snapshots/abc/", "plumbline-abc")
    today, said = citing.made_on(document)
    assert said == f"As of {today}"
    assert citing.citable_address(board(selection={"role": "x"})) == f"/leaderboards/c/AP/?as_of={today}&role=x"
    assert citing.citable_address(document) == "/leaderboards/c/AP/?as_of=y&role=x"
    turned = board(selection={"sort": "year", "role": "x"})
    assert citing.citable_address(turned) == f"/leaderboards/c/AP/?as_of={today}&role=x&sort=year"
    view = board(verdict=SimpleNamespace(sentence="The best of those chosen prints 0.5."))
    assert citing.quoted(view) == "The best of those chosen prints 0.5."
    assert citing.quoted(board(verdict=None)) == citing.snapshot_sentences(board(verdict=None)) == ""
    assert citing.citation_key(document).startswith("plumbline-view-")
    assert len(citing.citation_key(document)) == 27


def test_numbers_of_a_verdict_are_commands():
    corrected = SimpleNamespace(value=0.36, decimals=3, low=0.3, high=None)
    found = SimpleNamespace(margin=None, n_members=2, n_rows=None)
    shown = SimpleNamespace(value=0.3686, set=found, corrected=corrected, n_left_out=0)
    verdict = SimpleNamespace(shown=shown, tries=SimpleNamespace(n_results=8, n_families=5), sentence="The best.")
    lines = citing.macros(board(verdict=verdict), "https://x.org/").splitlines()
    assert lines[0] == "% Robust, AP. https://x.org/"
    assert [line for line in lines[1:] if "Sentence" not in line and "Cite" not in line] == [
        "\\newcommand{\\PlumblineRobustAPBest}{0.3686}", "\\newcommand{\\PlumblineRobustAPWorth}{0.360}",
        "\\newcommand{\\PlumblineRobustAPLow}{0.3000}", "\\newcommand{\\PlumblineRobustAPMembers}{2}",
        "\\newcommand{\\PlumblineRobustAPResults}{8}", "\\newcommand{\\PlumblineRobustAPFamilies}{5}",
    ]  # fmt: skip
    corrected.low, corrected.high = None, 0.4
    upper = citing.macros(board(verdict=verdict), "https://x.org/")
    assert ("APLow}" in upper, "\\PlumblineRobustAPHigh}{0.4000}" in upper) == (False, True)
    kept = citing.macros(board(verdict=verdict, snapshot=SimpleNamespace(id="abc", url="/snapshots/abc/")), "x")
    assert "\\PlumblineRobustAPSnapshot}{abc}" in kept
    assert "\\PlumblineRobustAPCite}{\\cite{plumbline-abc}}" in kept
    assert "APSnapshot}" not in upper
    shown.corrected, shown.n_left_out = None, 1
    found.margin, found.n_rows = 0.05, 7
    text = citing.macros(board(verdict=verdict), "https://x.org/")
    for name, value in (("Margin", "0.0500"), ("MembersOf", "7"), ("LeftOut", "1")):
        assert f"\\newcommand{{\\PlumblineRobustAP{name}}}{{{value}}}" in text
    assert "Worth" not in text
    shown.set = None
    assert "Members" not in citing.macros(board(verdict=verdict), "x")
    assert citing.macros(board(verdict=None), "x").endswith("% There is no verdict whose numbers could be quoted.\n")


def test_what_is_doubtful_of_a_table_is_said_below_it():
    corrected = SimpleNamespace(low=0.3, high=0.4, confidence_level=0.95)
    shown = SimpleNamespace(corrected=corrected, set=None)
    verdict = SimpleNamespace(shown=shown, is_telling=True, sentence="The best.", view="all")
    rows = [row(1, rank_low=1, may_be_best=True), row(2)]
    document = board(verdict=verdict, results=rows, listed=rows, n_listed=2)
    assert files._what_is_doubtful(document) == (
        "What it is worth: 0.3000 to 0.4000 (95 % interval). Ranks are those that a result may truly have. "
        "Bold: may be the best."
    )
    document.n_listed, verdict.sentence = 5, "The best of those chosen."
    rows[0].rank_low, corrected.high = None, None
    assert files._what_is_doubtful(document) == "Bold: may be the best of those chosen. The first 2 of 5 results."
    corrected.low, corrected.high = None, 0.4
    assert files._what_is_doubtful(document).startswith("Bold: ")
    verdict.view, verdict.sentence = "declared-none", "The best."
    assert files._what_is_doubtful(document).startswith(
        "Bold: may be the best of those that declare no training or need none."
    )
    verdict.is_telling = False
    assert files._what_is_doubtful(document) == "The first 2 of 5 results."
    verdict.is_telling, rows[0].may_be_best, document.n_listed = True, False, 2
    assert files._what_is_doubtful(document) == ""
    assert files._what_is_doubtful(board(verdict=None)) == ""


def test_files_have_plain_names_and_texts_stay_on_their_line():
    assert files.file_name(board(measure={"name": "nDCG(rel=2)@10"}), "csv") == "robust-nDCG-rel-2--10.csv"
    assert files.file_name(board(measure={"name": "R@10%"}), "md") == "robust-R-10.md"
    assert files.file_name(board(measure={"name": "Rappelé"}), "md") == "robust-Rappel.md"
    assert files.markdown(" a_b\n*c* ") == "a\\_b \\*c\\*"
    assert files.file_address(board(selection={"a": "b"}), "csv", {"top": "3"}) == "/leaderboards/c/AP.csv?a=b&top=3"
    assert files.file_address(board(), "json") == "/leaderboards/c/AP.json"
    assert croissant._plain("nDCG(rel=2)@10.x_é") == "nDCG-rel-2--10.x_-"
    assert croissant._version("2026-01-09") == "2026.1.9"
    assert [croissant._kind(one) for one in ("id", "value", "system")] == ["sc:Integer", "sc:Float", "sc:Text"]


def strip(**fields) -> SimpleNamespace:
    known = {"result": 1, "rank": 2, "n_results": 1, "worth": None, "worth_decimals": 2, "is_held_back": False,
             "is_best": False, "may_be_best": None}  # fmt: skip
    return SimpleNamespace(**(known | fields))


@pytest.mark.parametrize(
    ("fields", "ranks", "n_members", "said"),
    [
        ({}, None, None, ""),
        ({}, (1, 1200), 3, " (truly anything from 1 to 1,200, each end at 95 % confidence)"),
        ({}, (1, 1200), None, ""), ({}, (3, 3), 3, ""),
        ({"worth": 0.3123}, None, None, ", probably worth about 0.31"),
        ({"is_held_back": True, "may_be_best": True, "is_best": True}, None, 3, ", held back from being the best"),
        ({"is_best": True, "may_be_best": True}, None, 3, ", and 2 others can’t be told from it"),
        ({"is_best": True, "may_be_best": True}, None, 2, ", and 1 other can’t be told from it"),
        ({"is_best": True, "may_be_best": True}, None, 1, ", and all others are ruled out"),
        ({"is_best": True, "may_be_best": True}, None, None, ", not told from the best"),
        ({"is_best": True, "may_be_best": False}, None, 2, ", ruled out as the best"),
        ({"may_be_best": True}, None, 2, ", not told from the best"),
        ({"may_be_best": False}, None, 2, ", ruled out as the best"),
    ],
)  # fmt: skip
def test_the_doubt_about_a_result(fields, ranks, n_members, said):
    found = None if n_members is None else SimpleNamespace(n_members=n_members, confidence_level=0.95)
    ranges = {1: SimpleNamespace(low=ranks[0], high=ranks[1])} if ranks else {}
    verdict = SimpleNamespace(shown=SimpleNamespace(set=found))
    of = SimpleNamespace(ranges=ranges, findings=SimpleNamespace(verdict=verdict))
    assert _doubt(strip(**fields), of) == said


def test_a_result_that_does_not_compete_has_no_sentence():
    assert result_sentence(strip(rank=None), None, None) == ""


def dated(pk: int, value: float, year: int) -> SimpleNamespace:
    return SimpleNamespace(id=pk, value=value, year=year)


def advice(kind: str, *, margin: float | None = 0.1, codes=(), n_results: int = 8, capped: bool = False) -> str:
    found = SimpleNamespace(margin=margin)
    verdict = SimpleNamespace(
        evidence=SimpleNamespace(kind=kind, is_capped=capped), shown=SimpleNamespace(set=found if margin else None),
        cautions=[SimpleNamespace(code=code) for code in codes], tries=SimpleNamespace(n_results=n_results),
    )  # fmt: skip
    return what_runs_would_add(SimpleNamespace(verdict=verdict, measure={"decimals": 4}))


def test_what_five_runs_would_do():
    surely = (
        "Five runs drawn at random from a pool of TREC runs told the variance of that pool within a factor of 1.5 in "
        "95 % of draws. Runs of one maker or toolkit are more alike, and tend to tell too small a "
        "variance."
    )
    assert " ".join(advice("none").split()) == (
        "Five runs of three makers or more, with scores by topic, would tell how much scores vary on this collection, "
        f"and so which results can’t be told from the best. {surely}"
    )
    predicted = " ".join(advice("predicted").split())
    assert predicted.startswith(
        "Five runs of three makers or more, with scores by topic, would put this collection’s own variance beside the "
        f"predicted one. {surely} What they would say"
    )
    assert what_runs_would_add(SimpleNamespace(verdict=None)) == ""
    assert [advice(kind) for kind in ("own-topics", "own-variance", "own-and-predicted")] == ["", "", ""]
    assert advice("predicted", margin=None) == ""
    assert advice("predicted").endswith("the margin would go from 0.1000 to 0.0707; if twice, to 0.1414.")
    assert advice("predicted-from-siblings", capped=True).endswith("from 0.1000 to 0.0707.")
    assert advice("none").startswith("Five runs of three makers or more, with scores by topic, would tell how much")
    assert advice("none", n_results=1) == advice("none", codes=["few-topics"]) == ""
    assert advice("none", codes=["x", "unknown-topics"]) == ""
    assert advice("none", codes=["other"], n_results=2) != ""


def test_the_state_of_a_suite():
    board, members = make_suite_board("first"), MembersState({1: "a"})
    obstacle = ""
    analysis = SimpleNamespace(obstacle=obstacle, version=members.version)
    assert _state(board, members, None).state == "queued"
    assert _state(board, members, analysis).state == "current"
    assert _state(board, members, analysis).message == "The analysis covers the standing verdict of every member."
    assert _state(board, MembersState({1: "b"}), analysis).state == "stale"
    why = "no_complete_system"
    analysis.obstacle = why
    assert (_state(board, members, analysis).state, _state(board, members, analysis).obstacle) == ("none", why)
    assert _state(board, members, None).message == "This suite has not been analysed yet; it is about to be."
    assert OF_MEANS.board == "suite"


def make_suite_board(*names: str) -> SimpleNamespace:
    """A suite of these collections under AP, which are numbered from 1 on."""
    members = [SimpleNamespace(collection=name, collection_id=place) for place, name in enumerate(names, 1)]
    return SimpleNamespace(measure="AP", members=members)


@pytest.mark.parametrize(
    ("missing", "whose"), [((2,), "second has"), ((1, 3), "2 of these, first first, have"), ((3,), "third has")]
)
def test_a_suite_names_the_member_that_it_waits_for(missing, whose):
    members = MembersState({place: None if place in missing else "a" for place in (1, 2, 3)})
    analysis = SimpleNamespace(obstacle="no_verdict_of_member", version=members.version)
    found = _state(make_suite_board("first", "second", "third"), members, analysis)
    assert (found.state, found.obstacle) == ("none", "no_verdict_of_member")
    assert found.message == (
        f"No analysis: a mean over 3 collections takes the verdict on each under AP, and {whose} none. It follows once"
        " comparable results are recorded there and analysed."
    )


def test_systems_of_a_suite_stand_by_their_mean_and_those_that_lack_scores_last():
    def system(pk: int, name: str) -> SimpleNamespace:
        return SimpleNamespace(
            id=pk, system=name, team="", scores=(0.5, None), results=(1, None), is_original=True,
            is_self_reported=False, lineage=(), training=("", ""), flags=(), training_on_members="not_listed",
            n_trained_on=0, view=None,
        )  # fmt: skip

    def question(*members: int) -> SimpleNamespace:
        return SimpleNamespace(
            set=SimpleNamespace(members=members), best_unflagged=None, distances=dict.fromkeys((1, 2, 3)),
            held_back=frozenset({3}), cautions=(SimpleNamespace(code="x", results=(2,)),),
            shown=SimpleNamespace(value=0.6),
        )  # fmt: skip

    inputs = SimpleNamespace(
        rows=[system(1, "A"), system(2, "B"), system(3, "C"), system(4, "z"), system(5, "Y"), system(6, "X")],
        members=[SimpleNamespace(collection="c1"), SimpleNamespace(collection="c2")],
        measure=SimpleNamespace(higher_is_better=True),
    )
    means = [SimpleNamespace(result=pk, value=value) for pk, value in ((2, 0.6), (1, 0.5), (3, 0.5))]
    incomplete = [SimpleNamespace(result=pk, missing=missing) for pk, missing in ((4, (0,)), (6, (0, 1)), (5, (1,)))]
    place = SimpleNamespace(result=2, low=1, high=2, low_on_new=1, high_on_new=3)
    found = SimpleNamespace(
        means=means, incomplete=incomplete, families=[SimpleNamespace(results=(2, 3)), SimpleNamespace(results=(1,))],
        other_collections=question(2), same_collections=question(1, 2),
        rules=SimpleNamespace(places=[place], guessed=[SimpleNamespace(result=4, place=2, within=1)]),
    )  # fmt: skip
    rows = suite_rows(inputs, found)
    assert [one.system for one in rows] == ["B", "A", "C", "Y", "z", "X"]
    assert [one.rank for one in rows] == [1, 2, 2, None, None, None]
    assert [one.behind for one in rows[:4]] == [0.0, pytest.approx(0.1), pytest.approx(0.1), None]
    first, second, third, *_ = rows
    assert (first.value, first.family, second.family, third.family, rows[3].family) == (0.6, 1, 2, 1, None)
    assert [one.can_be_best for one in rows[:4]] == [True, False, False, None]
    assert [one.can_be_best_here for one in rows[:4]] == [True, True, False, None]
    assert (first.cautions, second.cautions, third.is_held_back, first.is_held_back) == (("x",), (), True, False)
    assert (first.place_low, first.place_high, first.new_low, first.new_high) == (1, 2, 1, 3)
    assert (second.place_low, first.place_guessed, rows[4].place_guessed, rows[4].guessed_within) == (None, None, 2, 1)
    assert [one.missing for one in rows[3:]] == [("c2",), ("c1",), ("c1", "c2")]
    assert (first.printed, rows[3].printed, first.slug) == ("0.6000", "", "b")
    inputs.measure.higher_is_better, found.rules = False, None
    turned = suite_rows(inputs, found)
    assert turned[1].behind == pytest.approx(-0.1)
    assert (turned[0].place_low, turned[4].place_guessed) == (None, None)


def test_lines_of_the_calibration_are_named_by_what_they_are_of():
    context = calibration_context()
    equal = [one for one in calibration().rows if one.world == "equal"]
    assert context["n_lines"] == len(equal)
    assert context["lowest"].coverage == min(one.coverage for one in equal)
    assert context["below"] == []
    assert context["worst"].coverage_min == min(one.coverage_min for one in equal if one.family != "all")
    assert context["lowest_predicted"] == min(one.coverage_min for one in equal if one.variance_class)
    sections = {one.key: one for one in context["sections"]}
    assert [one.has_leaders for one in context["sections"]] == [one == "own-topics" for one in sections]
    assert [one.has_classes for one in context["sections"]] == [one.startswith("predicted") for one in sections]
    for section in context["sections"]:
        families = [group.family for group in section.groups]
        assert families == sorted(families, key=lambda one: (one != "all", one))
        for group in section.groups:
            assert group.is_all == (group.family == "all")
            assert group.name == ("all measures" if group.is_all else group.family)
            for line in group.lines:
                assert (line.equal.world, line.measured.world) == ("equal", "as-measured")
                assert line.equal.key == line.measured.key
    assert sum(len(group.lines) for section in context["sections"] for group in section.groups) == len(equal)
    assert context["n_beyond"] == sum(one.is_beyond for one, _ in context["audited"])
    assert context["n_tables"] == sum(not one.is_sparse for one in calibration().tables)
    assert context["n_collections"] == len({one.collection for one in calibration().tables})
    assert sum(len(one.lines) for one in context["suite_sections"]) * 2 == len(calibration().suites)
    assert (_range(3, 5), _range(3, None)) == ("3 to 5", "3 or more")
    classed = SimpleNamespace(variance_class="few")
    plain = SimpleNamespace(variance_class="", min_systems=5, max_systems=9, min_topics=25, max_topics=None)
    assert (Line(classed, classed).name, Line(plain, plain).name) == ("few", "5 to 9 rows, 25 or more topics")
