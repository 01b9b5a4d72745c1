"""What declared training goes with, as pages of suites say it."""

from dataclasses import replace

from django.template.loader import render_to_string

from analysis.boards import study_suite
from registry.leaderboards.documents.suites import describe_uplift
from tests.analysis.boards.test_suite_uplift import BEIR, study_of


def test_sentences_tell_the_uplift_of_each_member_and_where_it_cannot_be_told():
    inputs, _ = study_of(BEIR)
    uplift = study_suite(inputs).uplift
    described = describe_uplift(inputs, uplift)
    assert described.sentence == (
        "Systems trained on a collection score about 0.073 higher there than their other scores predict"
        " (standard error 0.015; 174 systems of 54 groups)."
    )
    values = [member.value for member in described.members]
    assert values == sorted(values, reverse=True)
    first, last = described.members[0], described.members[-1]
    assert first.sentence == (
        f"On {first.name}, systems trained on it score about 0.15 higher than their other scores predict"
        " (90%: 0.09 to 0.20)."
    )
    assert "score about as their other scores predict" in last.sentence
    lower = describe_uplift(inputs, replace(uplift, estimate=-0.0126, members=()))
    assert lower.sentence.startswith(
        "Systems trained on a collection score about 0.013 lower there than their other scores predict"
    )
    page = render_to_string("leaderboards/_suite_uplift.html", {"document": described})
    assert all(member.sentence in page for member in described.members)
    assert "It changes no score here" in page
