"""Tables and forms in percent: proposed where scores look like it, asked once, and never taken for granted."""

import re
from typing import Any

import pytest

from analysis.readers.rejections import Rejection
from analysis.readers.scores import FRACTION
from analysis.readers.tables import Record
from registry.catalog.queries import CatalogNames
from registry.results.models import Result
from registry.submissions.models import Submission
from registry.submissions.pipeline.percentages import ask_units, with_units
from registry.submissions.services.drafting import take_in_percent
from registry.submissions.views.submissions import ROWS_PER_PAGE
from tests.analysis.readers import test_printed_tables as printed_tables
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_user
from tests.registry.pages import read
from tests.registry.results.people import signed_in
from tests.registry.submissions.test_submit_form import TYPED
from tests.registry.submissions.world import (
    make_published,
    make_robust04,
    make_submission,
    make_submitted,
    outcomes,
    row,
)

pytestmark = pytest.mark.django_db

FOR_ALL = {"role": "baseline", "paper": "arXiv:1904.09171"}
ANSWER = re.compile(r'name="(answer:unit-[0-9a-f]+)"')


@pytest.fixture
def ada():
    return signed_in(make_user("ada"))


@pytest.fixture
def beir():
    ndcg = make_measure("nDCG@10")
    for slug, name in (("trec-covid", "TREC-COVID"), ("nfcorpus", "NFCorpus"), ("scifact", "SciFact")):
        make_leaderboard(make_collection(f"beir-{slug}", aliases=[name], name=f"BEIR {name}"), ndcg)
    make_leaderboard(make_collection("beir-fiqa", aliases=["FiQA-2018"]), ndcg)
    make_leaderboard(make_collection("trec-2004-robust", aliases=["robust04"]), make_measure("AP", aliases=["MAP"]))


def send(client: Any, text: str, step: str = "check", **given: str) -> Any:
    return client.post("/submit/", {"text": text, **FOR_ALL, **given, "step": step})


def asked(response: Any) -> str:
    """What the page asks about percentages; the field for the answer is the only one of its kind."""
    page = response.content.decode()
    assert response.status_code == 200
    assert not Submission.objects.exists()
    return re.sub(r"<[^>]+>|\s+", " ", page.partition("<legend>")[2].partition("</fieldset>")[0])


def answer(response: Any, unit: str) -> dict[str, str]:
    (field,) = set(ANSWER.findall(response.content.decode()))
    return {field: unit}


def units() -> list[tuple[str, str]]:
    rows = Submission.objects.get().rows.order_by("line").values_list("cells", flat=True)
    return [(cells["value"], cells.get("unit", "")) for cells in rows]


def test_a_table_of_a_paper_in_percent_is_asked_about_once_and_taken_whole(ada, beir):
    (path,) = [path for path in printed_tables.FILES if path.stem == "latex-beir-groups"]
    text = printed_tables.expected(path).text.replace("Ours", "MyModel")
    response = send(ada, text, measure="nDCG@10")
    question = asked(response)
    assert (
        "All 16 scores of nDCG@10 (23.4 to 74.0) are above 1, where the measure ends. Are they in percent?" in question
    )
    assert "yes: 74.0 stands for 0.740" in question
    send(ada, text, measure="nDCG@10", **answer(response, "percent"))
    submission = Submission.objects.get()
    assert outcomes(submission) == ["new"] * 16
    assert units()[0] == ("65.1", "percent")


def test_what_is_published_of_it_keeps_its_print(ada, beir):
    rows = [row(measure="nDCG@10", collection="NFCorpus", value="34.6", unit="percent")]
    make_published(rows=rows)
    result = Result.objects.get()
    assert (result.printed, result.unit, result.value, str(result.score)) == ("34.6", "percent", 0.346, "34.6 %")


@pytest.mark.parametrize(("said", "outcome"), [("percent", "new"), ("fraction", "refused")])
def test_who_says_it_for_all_rows_is_not_asked(ada, beir, said, outcome):
    response = send(ada, "system\tnDCG@10\nBM25\t32.2\nMyModel\t33.9\n", collection="NFCorpus", unit=said)
    assert response.status_code == 302
    assert set(outcomes(Submission.objects.get())) == {outcome}


def test_no_is_an_answer_too(ada, beir):
    text = "system\tnDCG@10\nBM25\t32.2\nMyModel\t33.9\n"
    response = send(ada, text, collection="NFCorpus")
    send(ada, text, collection="NFCorpus", **answer(response, "fraction"))
    assert set(outcomes(Submission.objects.get())) == {"refused"}
    assert units() == [("32.2", "fraction"), ("33.9", "fraction")]


def test_a_low_score_among_percentages_is_one_as_well(ada, beir):
    text = "system\tnDCG@10\nBM25\t32.2\nMyModel\t33.9\nRandom\t0.9\n"
    response = send(ada, text, collection="NFCorpus")
    assert "2 of 3 scores of nDCG@10 (0.9 to 33.9) are above 1" in asked(response)
    send(ada, text, collection="NFCorpus", **answer(response, "percent"))
    assert [unit for _, unit in units()] == ["percent"] * 3


def test_only_the_measures_that_look_like_it_are_asked_about(ada, beir):
    text = "system\tMAP\tnDCG@10\nBM25\t0.2531\t42.2\nMyModel\t0.2903\t43.9\n"
    response = send(ada, text, collection="robust04")
    assert "All 2 scores of nDCG@10" in asked(response)
    send(ada, text, collection="robust04", **answer(response, "percent"))
    assert units() == [("0.2531", ""), ("42.2", "percent"), ("0.2903", ""), ("43.9", "percent")]


@pytest.mark.parametrize(
    "text",
    [
        "system\tMAP\nBM25\t0.2531\nMyModel\t0.2903\n",
        "system\tMAP\nBM25\t0.2531\nMyModel\t0.2903\nTheirs\t29\n",  # one is wrong, whichever
        "system\tMAP\nBM25\t25.31%\nMyModel\t29.03%\n",  # each says it
        "system\tMAP\nBM25\t2531\nMyModel\t2903\n",  # no percentages either
        "system\tMAP (%)\nBM25\t25.31\nMyModel\t29.03\n",  # the head says it
        "system,MAP [in %] ↑\nBM25,25.31\nMyModel,29.03\n",
        "system,measure,value,unit\nBM25,MAP,25.31,percent\nMyModel,MAP,29.03,%\n",
    ],
)
def test_nothing_is_asked_where_there_is_nothing_to_ask(ada, beir, text):
    assert send(ada, text, collection="robust04").status_code == 302


def scored(*values: str, measure: str = "P@5", unit: str = "", start: int = 1) -> list[Record]:
    """Scores of one measure, on lines of their own."""
    return [
        Record(line, {"measure": measure, "value": value, "unit": unit}) for line, value in enumerate(values, start)
    ]


def asked_of(*records: Record, **answers: str) -> list[tuple[str, set[int]]]:
    found = ask_units([Rejection("ragged", "has 3 cells", 99), *records], CatalogNames(), answers)
    return [(one.question.text, set(one.lines)) for one in found]


def test_five_measures_are_named_and_the_others_counted(db):
    names = [f"P@{cut}" for cut in range(1, 8)]
    for name in names:
        make_measure(name)
    records = [one for line, name in enumerate(names, 1) for one in scored("45.1", measure=name, start=line)]
    listed = ", ".join(f"{name} (45.1)" for name in names[:5])
    ((text, lines),) = asked_of(*records)
    assert text == (
        f"All 7 scores of {listed} and 2 more measures are above 1, where the measures end. Are they in percent?"
    )
    assert lines == set(range(1, 8))
    assert f"scores of {listed} are above 1" in asked_of(*records[:5])[0][0]


def test_what_counts_as_percent_is_above_1_and_at_most_100(db):
    make_measure("P@5")
    make_measure("Gain", high=None)
    make_measure("Share", high=100)
    assert asked_of(*scored("1", "1.0", "0.9")) == asked_of(*scored("100.1", "250")) == asked_of() == []
    assert asked_of(*scored("0.5", "45")) == [], "half of them are not most"
    assert asked_of(*scored("45", "high")) == [
        ("The score of P@5 (45) is above 1, where the measure ends. Is it in percent?", {1})
    ]
    assert asked_of(*scored("1.1", "100", "0.5"))[0][0].startswith("2 of 3 scores of P@5 (0.5 to 100) are above 1")
    for measure in ("Gain", "Share", "nobody's"):
        assert asked_of(*scored("45", "46", measure=measure)) == []


def test_percentages_that_are_none_are_doubted_with_an_example(db):
    make_measure("P@5")
    records = scored("0.3", "1", "0.5", unit="%")
    (found,) = ask_units(records, CatalogNames(), {})
    assert found.question.text == (
        "The table says percent of P@5 (0.3 to 1), and none of its scores is above 1. Is that so?"
    )
    assert found.question.choices == (
        ("percent", "yes: 1 stands for 0.01"),
        (FRACTION, "no: 1 stands for itself"),
    )
    assert with_units(records, [found]) == records
    (said,) = ask_units(records, CatalogNames(), {found.question.key: FRACTION})
    others = scored("0.2", start=9)
    assert [one.cells["unit"] for one in with_units([*records, *others], [said])] == [FRACTION] * 3 + [""]
    assert ask_units(scored("0.3", "1.1", unit="percent"), CatalogNames(), {}) == []


def test_a_head_says_it_of_its_column_alone(ada, beir):
    text = "| Model | MAP (%) | nDCG@10 |\n| --- | --- | --- |\n| BM25 | 25.31 | 0.4224 |\n| MyModel | 0.9 | 0.4391 |\n"
    send(ada, text, collection="robust04")
    assert units() == [("25.31", "percent"), ("0.4224", ""), ("0.9", "percent"), ("0.4391", "")]
    assert set(outcomes(Submission.objects.get())) == {"new"}


@pytest.mark.parametrize(("said", "unit"), [("percent", "percent"), ("fraction", "fraction")])
def test_a_head_that_says_percent_over_shares_of_1_is_doubted(ada, beir, said, unit):
    text = "| Model | MAP (%) |\n| --- | --- |\n| BM25 | 0.2531 |\n| MyModel | 0.2903 |\n"
    response = send(ada, text, collection="robust04")
    question = asked(response)
    assert "The table says percent of AP (0.2531 to 0.2903), and none of its scores is above 1. Is that so?" in question
    assert "yes: 0.2903 stands for 0.002903" in question
    send(ada, text, collection="robust04", **answer(response, said))
    assert units() == [("0.2531", unit), ("0.2903", unit)]


def test_a_draft_that_was_refused_for_it_is_mended_at_once(ada, beir):
    rows = [
        row(value="30.12"),
        row(system="B", value="29"),
        row(system="C", value="0.3"),
        row(system="D", value="n/a"),
        row(system="E", value="31", unit="fraction"),
    ]
    submission = make_submission(signed_in_user(ada), rows=rows)
    assert outcomes(submission) == ["refused", "refused", "new", "refused", "refused"]
    page = read(ada, submission.get_absolute_url())
    assert "2 rows are refused because the score is above 1" in page.text
    response = ada.post(f"{submission.get_absolute_url()}rows/percent/", {"version": submission.version}, follow=True)
    assert "2 rows are taken in percent." in response.content.decode()
    assert outcomes(submission) == ["new", "new", "new", "refused", "refused"]
    assert submission.rows.get(line=1).cells["unit"] == "percent"
    assert "Does the source print percent?" not in response.content.decode()


def test_a_page_does_not_read_every_refused_row_to_count_them(ada, beir, django_assert_max_num_queries):
    many = make_submission(
        signed_in_user(ada), rows=[row(system=f"M{n}", value="30.12") for n in range(2 * ROWS_PER_PAGE)]
    )
    with django_assert_max_num_queries(50) as captured:
        page = read(ada, many.get_absolute_url())
    assert "200 rows are refused because the score is above 1" in page.text
    reading = [one["sql"] for one in captured if '"rejections"' in one["sql"].partition(" FROM ")[0]]
    assert reading
    assert all("COUNT(" in sql or f"LIMIT {ROWS_PER_PAGE}" in sql for sql in reading)


def signed_in_user(client: Any) -> Any:
    return client.get("/submissions/").wsgi_request.user


def test_only_who_may_change_it_can_mend_it(ada, beir, client):
    submission = make_submission(rows=[row(value="30.12")])
    address = f"{submission.get_absolute_url()}rows/percent/"
    for stranger, status in ((client, 403), (ada, 404)):
        assert stranger.post(address, {"version": submission.version}).status_code == status
    assert ada.get(address).status_code == 405
    assert outcomes(submission) == ["refused"]


def test_nothing_to_mend_is_said(beir):
    submission = make_submission(rows=[row()])
    with pytest.raises(Exception, match="there are no such rows any more"):
        take_in_percent(submission=submission, version=submission.version, actor=submission.contributor)


def test_reviewers_see_the_unit(beir):
    submission = make_submitted(rows=[row(value="30.12", unit="percent")])
    editor = signed_in(make_user("editor", is_editor=True))
    page = read(editor, f"/moderation/{submission.pk}/")
    assert "Model X: 30.12 percent" in page.text


# --- one result


def test_the_form_offers_percent_where_a_score_is_too_high(client):
    make_robust04()
    page = client.post("/submit/", TYPED | {"value": "30.12", "step": "check"}).content.decode()
    assert (
        "30.12 is above 1, where AP ends; if it is in percent, say so by the unit percent, or by writing 30.12%."
        in page
    )
    assert '<button class="button-quiet" name="use" value="unit:percent"><bdi>in percent</bdi></button>' in page
    page = client.post("/submit/", TYPED | {"value": "30.12", "use": "unit:percent"}).content.decode()
    assert '<option value="percent" selected>' in page


@pytest.mark.parametrize(
    "typed", [{"value": "30.12", "unit": "percent"}, {"value": "30.12%"}, {"value": r"30.12\%$^{\dagger}$"}]
)
def test_one_result_in_percent_is_taken(ada, typed):
    make_robust04()
    ada.post("/submit/", TYPED | typed | {"step": "check"})
    assert outcomes(Submission.objects.get()) == ["new"]


def test_a_row_is_edited_with_its_unit(ada, beir):
    submission = make_submission(signed_in_user(ada), rows=[row(value="30.12", unit="%")])
    address = f"{submission.get_absolute_url()}rows/1/"
    assert '<option value="percent" selected>' in ada.get(address).content.decode()
    cells = row(value="30.15", unit="percent") | {"version": submission.version}
    assert ada.post(address, cells).status_code == 302
    assert (outcomes(submission), submission.rows.get().cells["unit"]) == (["new"], "percent")
