"""Runs that answer some of the judged topics: what is said of them, and where they have no rank."""

import pytest
from django.test import Client

from registry.runs.documents import upload_document
from registry.runs.services.judging import put_judgements
from tests.registry.factory import make_collection, make_leaderboard
from tests.registry.pages import page_of
from tests.registry.runs.world import TOPICS, make_judged, make_ranked, run_of, score, signed_in


def shown(upload) -> str:
    return page_of(Client().get(upload.get_absolute_url())).text


def test_under_nine_tenths_there_is_no_rank_and_nothing_to_cite_and_both_means_are_there():
    upload = score(run_of("bad", "good", topics=TOPICS[:10]))
    text = shown(upload)
    assert "10 of 12 topics are answered: no rank, and no score to compare." in text
    assert "Missing: t11, t12" in text
    assert "Cite this" not in text
    assert "Over the 10 answered" in text
    document = upload_document(upload)
    assert (document.means_of_answered["P@2"], document.means["P@2"]) == pytest.approx((0.5, 0.5 * 10 / 12))
    assert not document.is_complete
    assert document.report[0].policy == "That is under 90% of 12: no rank, and nothing to cite."
    page = signed_in(upload.owner).get(upload.get_absolute_url())
    assert "among the results of the leaderboard" not in page_of(page).text
    asked = signed_in(upload.owner).post(f"{upload.get_absolute_url()}studies/", {"measure": "AP", "alone": "no"})
    assert asked.status_code == 400


def test_from_nine_tenths_on_the_share_stands_in_headline_and_sentence():
    upload = score(run_of("bad", "good", topics=TOPICS[:11]), make_ranked().collection)
    page = page_of(Client().get(upload.get_absolute_url()))
    share = "11 of 12 topics are answered; the others count as 0."
    assert sum(share in text for _, text in page.headings) == 1
    assert "over all 12 judged topics;" in page.text
    assert page.text.count(share) == 2


def test_it_is_asked_whether_it_is_a_run_on_another_collection():
    other = make_collection(n_topics=6)
    make_leaderboard(other, make_judged().leaderboards.get(measure__name="AP").measure)
    lines = "".join(f"{topic} 0 near 1\n{topic} 0 far 0\n" for topic in TOPICS[:6])
    put_judgements(collection=other, content=lines.encode(), source="the track")
    upload = score(run_of("near", "far", topics=TOPICS[:6]))
    (suggestion,) = upload_document(upload).elsewhere
    assert (suggestion.slug, suggestion.n_topics, suggestion.n_shared) == (other.slug, 6, 6)
    page = page_of(Client().get(upload.get_absolute_url()))
    assert f"Did you mean {other.name}?" in page.text
    assert page.link(f"Score it on {other.name}") == f"/runs/?collection={other.slug}"
    put_judgements(collection=upload.collection, content=b"x1 0 a 1\nx2 0 a 1\n", source="of other topics")
    refused = score(run_of("near", topics=TOPICS[:6]), upload.collection).work.refusal
    assert f"fit {other.name}: name that collection" in refused


def test_the_page_says_how_far_ties_and_the_own_names_of_topics_move_means():
    tied = "".join(f"{topic} Q0 {name} 1 1 x\n" for topic in TOPICS for name in ("good", "other", "zero")).encode()
    upload = score(tied)
    # By name, descending: zero, other, good.
    document = upload_document(upload)
    assert document.means["RR@2"] == 0.0
    assert document.ties["RR@2"] == (0.0, 1.0)
    assert "0.0000 to 1.0000" in shown(upload)
    itself = upload_document(score(b"".join(run_of(topic, "good", topics=[topic]) for topic in TOPICS)))
    (line,) = (line for line in itself.report if line.name.startswith("Topics with their own name"))
    assert "BEIR’s evaluator leaves them out: AP 0.5000, P@2 0.5000, RR@2 1.0000, and so on" in line.policy
