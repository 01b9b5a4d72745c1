"""Scores by topic in a pasted table: their mean is the result, and once it is published they stand behind it."""

import io

import pytest
from django.core.management import call_command
from django.test import Client

from registry.catalog.models import Topic
from registry.results.models import Result, TopicScores
from registry.submissions.models import Submission
from registry.submissions.services.drafting import submit
from registry.submissions.services.reviewing import publish_submission
from tests.registry.factory import make_user
from tests.registry.pages import read
from tests.registry.results.people import signed_in
from tests.registry.submissions.test_whose_rows import fields
from tests.registry.submissions.world import make_robust04

SCORES = {"301": 0.25, "302": 0.5, "303": 0.0, "304": 0.75, "305": 0.35, "306": 0.1}
#: Worked out by hand: 1.95 over 6.
MEAN = "0.3250"


@pytest.fixture
def collection():
    collection = make_robust04().collection
    # In another order than the table has them.
    for position, label in enumerate(reversed(SCORES)):
        Topic.objects.create(collection=collection, position=position, label=label)
    return collection


def pasted(scores: dict[str, float], mean: str = "", scale: float = 1.0, systems=("DenseX",)) -> Submission:
    """Paste a table with a row for each topic of each system, settled to be its author's; return the draft."""
    ada = signed_in(make_user("ada"))
    rows = [(system, topic, value) for system in systems for topic, value in scores.items()]
    lines = "".join(f"{system},{topic},{value * scale:.4f}\n" for system, topic, value in rows)
    last = f"DenseX,all,{mean}\n" if mean else ""
    form = {"text": f"system,qid,MAP\n{lines}{last}", "collection": "robust04", "paper": "Doe (SIGIR 2021)"}
    form |= {"role": "proposed", "step": "check"} | ({"unit": "percent"} if scale != 1 else {})
    assert ada.post("/submit/", form).status_code == 302
    return Submission.objects.get()


def published(draft: Submission) -> Result:
    draft = submit(submission=draft, version=draft.version, actor=draft.contributor)
    publish_submission(submission=draft, version=draft.version, actor=make_user(is_editor=True), reason="as in Table 2")
    return Result.objects.get()


@pytest.mark.usefixtures("collection")
@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_they_stand_behind_the_result_in_the_order_of_the_collection(scale):
    draft = pasted(SCORES, scale=scale)
    page = read(signed_in(draft.contributor), draft.get_absolute_url())
    assert "Scores of 6 topics came with it. Their mean is this score" in page.text
    result = published(draft)
    assert result.value == pytest.approx(float(MEAN))
    assert TopicScores.objects.get().scores == pytest.approx([0.1, 0.35, 0.75, 0.0, 0.5, 0.25])
    call_command("verify", stdout=io.StringIO())
    assert str(Submission.objects.get()) in read(Client(), "/log/").text


@pytest.mark.usefixtures("collection")
@pytest.mark.parametrize(
    ("scores", "mean", "message"),
    [
        (SCORES, "0.3350", "Their mean is another score"),
        ({f"9{topic}": value for topic, value in SCORES.items()}, "", "the collection has other topics, 6 of them"),
    ],
)
def test_those_of_another_mean_or_other_topics_are_told_and_left(scores, mean, message):
    draft = pasted(scores, mean)
    assert message in read(signed_in(draft.contributor), draft.get_absolute_url()).text
    published(draft)
    assert not TopicScores.objects.exists()


@pytest.mark.usefixtures("collection")
def test_those_of_a_system_that_was_left_out_come_back_with_it():
    draft = pasted(SCORES, systems=("DenseX", "DenseY"))
    ada, address = signed_in(draft.contributor), draft.get_absolute_url()
    before = list(draft.rows.values_list("line", "topics"))
    ada.post(f"{address}systems/", fields(ada.get(f"{address}systems/").content.decode()) | {"role-2": "out"})
    assert draft.rows.count() == 1
    ada.post(f"{address}rows/undo/", {"version": Submission.objects.get().version})
    assert list(draft.rows.values_list("line", "topics")) == before


def test_without_topics_on_record_they_are_left():
    make_robust04()
    draft = pasted(SCORES)
    assert "no topics of the collection are on record" in draft.rows.get().signals.get(code="topic_scores").message
    published(draft)
    assert not TopicScores.objects.exists()


OUTPUT = "".join(f"map\t{topic}\t{value:.4f}\n" for topic, value in SCORES.items()) + f"map\tall\t{MEAN}\n"


@pytest.mark.usefixtures("collection")
@pytest.mark.parametrize(
    ("output", "message"),
    [
        (OUTPUT, "They are those on record, topic by topic."),
        (OUTPUT.replace("301\t0.2500", "301\t0.2000").replace("302\t0.5000", "302\t0.5500"),
         "2 of them differ from those on record, by up to 0.0500."),
    ],
)  # fmt: skip
def test_what_trec_eval_prints_by_topic_agrees_with_the_record_or_contradicts_it(output, message):
    published(pasted(SCORES))
    bob = signed_in(make_user("bob"))
    form = {"text": output, "collection": "robust04", "system": "DenseX", "role": "baseline", "source": "a page"}
    draft = bob.post("/submit/", form | {"step": "check"})
    page = bob.get(draft["Location"]).content.decode()
    sent = fields(page) if "/systems/" in draft["Location"] else {}
    bob.post(draft["Location"], sent)
    page = read(bob, draft["Location"].removesuffix("systems/"))
    assert message in page.text
