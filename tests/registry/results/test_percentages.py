"""Scores in percent: the print is kept, the value is on the scale of the measure, its precision follows."""

import pytest
from django.core.management import call_command

from registry.journal.models import Entry
from registry.results.models import Confirmation, Result
from registry.results.services.corrections import confirm_result
from registry.results.services.endings import supersede_result
from tests.registry.factory import make_leaderboard, make_result, make_topic_scores, make_topics, make_user
from tests.registry.pages import read
from tests.registry.results.loading import counts, line, load, only_refusal, write


def recorded() -> list[tuple[str, str, float]]:
    return list(Result.objects.standing().order_by("pk").values_list("printed", "unit", "value"))


@pytest.mark.parametrize(
    ("cells", "digits"),
    [
        ({"value": "75.59", "unit": "percent"}, "0.7559"),
        ({"value": "75.590", "unit": "Percent"}, "0.75590"),
        ({"value": "75.6", "unit": "%"}, "0.756"),
        ({"value": "75.59%"}, "0.7559"),
        ({"value": "75.59 %", "unit": "percent"}, "0.7559"),
        ({"value": "0.9", "unit": "percent"}, "0.009"),
        ({"value": "100", "unit": "percent"}, "1.00"),
        ({"value": "90.68600000000001", "unit": "percent"}, "0.90686"),
    ],
)
def test_the_print_is_kept_and_counts_as_a_share_of_1(robust04, tmp_path, cells, digits):
    assert counts(load(tmp_path, line(**cells))) == (1, 0, 0, 0)
    printed = cells["value"].rstrip(" %")
    assert recorded() == [(printed, "percent", float(digits))]
    assert Result.objects.get().score.digits == digits
    assert counts(load(tmp_path, line(**cells))) == (0, 1, 0, 0)


@pytest.mark.parametrize(
    ("cells", "column", "message"),
    [
        ({"value": "75.59%", "unit": "fraction"}, "value", "has the sign for percent, and the unit says fraction"),
        ({"value": "75.59", "unit": "fraction"}, "value", "75.59 is above 1, where AP ends; if it is in percent"),
    ],
)
def test_what_cannot_be_is_refused(robust04, tmp_path, cells, column, message):
    _, named, explanation = only_refusal(load(tmp_path, line(**cells)))
    assert named == column
    assert message in explanation


def test_a_file_says_it_once_on_the_command_line(robust04, tmp_path, capsys):
    rows = [
        line(system="a", value="75.59"),
        line(system="b", value="0.7", unit="fraction"),
        line(system="c", value="8%"),
    ]
    path = write(tmp_path, *rows)
    call_command("load_results", path, unit="percent")
    assert recorded() == [("75.59", "percent", 0.7559), ("0.7", "", 0.7), ("8", "percent", 0.08)]
    call_command("load_results", path, unit="percent")
    assert "0 added, 3 unchanged" in capsys.readouterr().out


def test_a_correction_says_what_the_paper_prints(client):
    result = make_result(printed="0.7595")
    client.force_login(make_user(is_editor=True))
    asked = {"kind": "correct", "proposed_printed": "75.59", "proposed_unit": "percent", "reason": "Table 2"}
    client.post(f"/results/{result.pk}/correct/", asked)
    entry = Entry.objects.get(action="results.correction.requested")
    assert entry.after["proposed"] == "75.59 %"
    request = result.correction_requests.get()
    page = client.get(request.get_absolute_url()).content.decode()
    assert "75.59 % in place of 0.7595" in page
    assert '<option value="percent" selected>' in page
    decision = {"decision": "correct", "printed": "75.59", "unit": "percent", "reason": "so it is"}
    assert client.post(request.get_absolute_url(), decision).status_code == 302
    assert recorded() == [("75.59", "percent", 0.7559)]
    change = Entry.objects.get(action="results.result.superseded")
    assert (change.before, change.after) == ({"printed": "0.7595", "unit": ""}, {"printed": "75.59", "unit": "percent"})
    new = Result.objects.standing().get()
    history = client.get(f"/api/v1/results/{new.pk}/").json()["history"]
    assert [(version["printed"], version["unit"]) for version in history] == [("0.7595", ""), ("75.59", "percent")]
    scores = [row[1] for row in read(client, new.get_absolute_url()).rows if row[2:3] == ["transcribed"]]
    assert scores == ["0.7595", "0.7559 reported 75.59 %"]


@pytest.mark.parametrize(
    "typed", [{"printed": "75.59", "unit": "percent"}, {"printed": "75.59 %"}, {"printed": ".7559"}]
)
def test_who_reads_the_same_score_confirms_it_in_whatever_unit(typed):
    result = confirm_result(
        result=make_result(printed="0.7559"), user=make_user(), kind="second_transcription", **typed
    )
    assert result.provenance == "double_checked"
    assert str(Confirmation.objects.get().printed) == typed["printed"].rstrip(" %")


def test_the_same_score_in_percent_keeps_what_was_earned():
    board = make_leaderboard()
    make_topics(board.collection, ["1", "2"])
    result = make_result(board, printed="0.7559", provenance="double_checked")
    make_topic_scores(result, [0.7, 0.8118])
    same = supersede_result(result=result, changes={"printed": "75.59", "unit": "percent"}, actor=None, reason="print")
    assert (same.provenance, same.value, same.topic_scores.count()) == ("double_checked", 0.7559, 1)
    other = supersede_result(result=same, changes={"printed": "75.6"}, actor=None, reason="print")
    assert (other.provenance, other.value, other.topic_scores.count()) == ("transcribed", 0.756, 0)
