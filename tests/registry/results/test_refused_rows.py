"""What a file of results may hold wrong: each fault is named by line and column, with what to do about it."""

import pytest

from registry.journal.models import Entry
from registry.results.models import Paper, Result, System
from tests.registry import factory
from tests.registry.results.loading import counts, line, load, only_refusal, refusals

BAD_CELLS = [
    ("value", "", "is no value; leave out results that have none"),
    ("value", "NaN", "is not a score"),
    ("value", "123.4%", "123.4 % is above 100 %, where AP ends"),
    ("value", "-0.1 %", "-0.1 % is below 0 %, where AP begins"),
    ("value", "23.4%%", "'23.4%' is a percentage"),
    ("unit", "permille", "'permille' is neither percent nor fraction; blank is the measure's own"),
    ("value", "-0.1", "-0.1 is below 0, where AP begins"),
    ("year", "20044", "did you mean 2004?"),
    ("collection", "Robst04", "no collection is called 'Robst04'; did you mean trec-2004-robust?"),
    ("collection", "", "names no collection"),
    ("measure", "MAPP", "no measure is called 'MAPP'; did you mean AP?"),
    ("system", "  ", "is blank"),
    ("system", "BM25\u200b", "U+200B (zero width space), which cannot be seen; delete it"),
    ("team", "\u202eteam", "U+202E (right-to-left override)"),
    ("paper", "A\x07B", "U+0007"),
    ("notes", "one\x00two", "NUL"),
    ("role", "", "is blank; write one of trec_run, leaderboard, proposed, baseline, reference_implementation"),
    (
        "role",
        "basline",
        "is none of trec_run, leaderboard, proposed, baseline, reference_implementation; did you mean baseline?",
    ),
    ("run_type", "automated", "is none of automatic, manual; did you mean automatic?"),
    ("provenance", "guessed", "is none of transcribed, double_checked, author_confirmed, topic_scores, recomputed"),
    ("comparability", "oracles", "did you mean oracle?"),
    ("paper_url", "ftp://example.org/a.pdf", "is not a web address"),
    ("n_topics", "0", "is not between 1 and"),
    ("n_topics", "10000001", "is not between 1 and"),
    ("locator", "x" * 201, "has 201 characters; the most is 200"),
    ("source", "x" * 501, "has 501 characters; the most is 500"),
    ("team", "x" * 301, "has 301 characters; the most is 300"),
    ("paper", "x" * 301, "has 301 characters; the most is 300"),
    ("system", "\ufdfa" * 100, "is too long once written in plain characters"),
    ("team", "\ufdfa" * 100, "is too long once written in plain characters"),
    ("self_reported", "perhaps", "is neither yes nor no"),
    ("date", "2999-01-01", "2999-01-01"),
    ("year", "2999", "is not a year between 1950 and"),
    ("n_topics", "49.0", "is not a whole number"),
    ("replicate_of", "bm25", "names the system itself"),
    ("replicate_of", "nothing", "the system of this name and team has no result on this leaderboard"),
]


@pytest.mark.parametrize(("column", "cell", "advice"), BAD_CELLS)
def test_a_bad_cell_is_named_with_advice(robust04, tmp_path, column, cell, advice):
    report = load(tmp_path, line(system="good"), line(**{column: cell}))
    at, named, message = only_refusal(report)
    assert at == 3
    assert named == (column if "\x00" not in cell else "")
    assert advice in message
    assert counts(report) == (0, 0, 0, 1)
    assert not Result.objects.exists()


def test_all_faults_of_all_rows_are_named_at_once(robust04, tmp_path):
    report = load(
        tmp_path, line(value="NaN", year="20044"), line(system="good"), line(role="?", collection="zzz", measure="qqq")
    )
    assert {(at, column) for at, column, _ in refusals(report)} == {
        (2, "value"),
        (2, "year"),
        (4, "role"),
        (4, "collection"),
        (4, "measure"),
    }
    assert report.refused == 2


def test_the_range_is_not_judged_where_the_measure_is_unknown(robust04, tmp_path):
    assert [column for _, column, _ in refusals(load(tmp_path, line(measure="zzz", value="23.4")))] == ["measure"]


def test_one_result_under_two_spellings_is_refused_with_both(robust04, tmp_path):
    report = load(
        tmp_path, line(system="BM25 + RM3"), line(collection="trec-2004-robust", measure="map", system="bm25  +  rm3")
    )
    assert only_refusal(report) == (
        3,
        "system",
        "is the same result as line 2 ('BM25 + RM3' there, 'bm25 + rm3' here); leave one out",
    )


def test_a_replicate_of_a_replicate_is_refused(robust04, tmp_path):
    rows = [line(system="a"), line(system="b", replicate_of="a"), line(system="c", replicate_of="b")]
    at, column, message = only_refusal(load(tmp_path, *rows))
    assert (at, column) == (4, "replicate_of")
    assert "is a replicate itself; name its first instance" in message


def test_nothing_of_a_refused_file_is_left_behind(robust04, tmp_path):
    factory.make_measure("nDCG@10")
    load(tmp_path, line(measure="nDCG@10", system="new", paper="New (2026)"), line(value="NaN"))
    assert not System.objects.exists()
    assert not Paper.objects.exists()
    assert not Entry.objects.exists()
    assert robust04.collection.leaderboards.count() == 1


def test_cells_may_be_as_long_as_that(robust04, tmp_path):
    cells = {"locator": "x" * 200, "source": "x" * 500, "team": "x" * 300, "paper": "x" * 300, "system": "x" * 300}
    assert counts(load(tmp_path, line(**cells, n_topics="10000000"))) == (1, 0, 0, 0)
    result = Result.objects.get()
    assert (len(result.locator), len(result.source), result.n_topics_here) == (200, 500, 10_000_000)
