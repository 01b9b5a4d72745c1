"""Pages of results, systems and papers as they were known on an earlier day."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.http import Http404
from django.utils import timezone

from registry.journal.models import Entry
from registry.results.access import get_version_at
from registry.results.models import CorrectionRequest, Result
from registry.results.queries import as_known, disputed_at, names_at, what_it_is
from registry.results.services.corrections import request_correction
from registry.results.services.endings import supersede_result, withdraw_result
from registry.results.services.merging import merge_papers, merge_systems, rename_system
from tests.registry.factory import make_collection, make_leaderboard, make_paper, make_result, make_system, make_user
from tests.registry.pages import read
from tests.registry.results.people import editor, signed_in

DAY = datetime(2026, 3, 1, 12, tzinfo=UTC)
AS_OF = "?as_of=2026-03-01"


def make_old(printed: str = "0.2500", **fields) -> Result:
    """Make a result that was recorded before the day; what tests do to it happens today."""
    return make_result(printed=printed, recorded_at=DAY - timedelta(days=3), **fields)


@pytest.mark.parametrize("of", ["system", "paper"])
def test_what_ended_later_stood_then(client, of):
    result = make_old("0.41", paper=make_paper())
    withdraw_result(result=result, actor=None, reason="the run was withdrawn")
    path = getattr(result, of).get_absolute_url()
    then, now = read(client, path + AS_OF), read(client, path)
    assert "<s>0.41</s>" in now.source
    assert "<s>0.41</s>" not in then.source
    assert "the run was withdrawn" not in then.text
    assert "As the registry knew it at the end of 1 March 2026" in then.text
    assert then.link("See it as it is known today") == path


def test_what_had_ended_by_then_is_struck_through_then_with_the_reason_on_its_page(client):
    result = make_old("0.41")
    withdraw_result(result=result, actor=None, reason="an erratum")
    Result.objects.update(ended_at=DAY - timedelta(days=1))
    assert "<s>0.41</s>" in read(client, result.system.get_absolute_url() + AS_OF).source
    assert "an erratum" in read(client, result.get_absolute_url() + AS_OF).text


def test_a_system_has_the_name_and_team_of_the_day(client):
    system = make_old(system=make_system("bm25", "UWaterloo")).system
    rename_system(system=system, name="BM25", team="uwaterloo", actor=None, reason="as it writes itself")
    then, now = (read(client, system.get_absolute_url() + query) for query in (AS_OF, ""))
    assert (then.headings[0], now.headings[0]) == ((1, "bm25"), (1, "BM25"))
    (known,) = as_known(Result.objects.select_related("system"), DAY)
    assert (known.system.name, known.system.team) == ("bm25", "UWaterloo")


def test_a_name_that_was_respelled_twice_is_the_first_before_and_the_second_between():
    system = make_system("bm25")
    for name in ("Bm25", "BM25"):
        rename_system(system=system, name=name, team="", actor=None, reason="as its authors write it")
    first, second = Entry.objects.filter(action="results.system.renamed").order_by("pk")
    names = [names_at(moment) for moment in (DAY, first.recorded_at, second.recorded_at)]
    assert [known.get(system.pk, {}).get("system") for known in names] == ["bm25", "Bm25", None]


def test_what_was_disputed_on_a_day_is_the_version_of_that_day():
    first, other = make_old("0.41"), make_old("0.42")
    asked = [
        request_correction(result=result, requester=make_user(), kind=kind, reason="not there", proposed_printed="0.5")
        for result, kind in ((first, "dispute"), (other, "correct"))
    ]
    for locator in ("Table 1", "Table 2"):
        (standing,) = Result.objects.standing().exclude(pk=other.pk)
        supersede_result(result=standing, changes={"locator": locator}, actor=None, reason="found it")
    (today,) = Result.objects.standing().exclude(pk=other.pk)
    disputes = CorrectionRequest.objects.filter(pk__in=[request.pk for request in asked])
    disputes.update(shown_at=DAY)
    assert disputed_at(DAY) == {first.pk}
    assert disputed_at(DAY - timedelta(microseconds=1)) == set()
    assert disputed_at(today.recorded_at) == {today.pk}
    disputes.update(state="declined", decided_by=make_user(), decided_at=DAY + timedelta(days=1))
    assert disputed_at(DAY) == {first.pk}
    assert disputed_at(DAY + timedelta(days=1)) == set()


@pytest.mark.parametrize(
    ("make", "merge", "field"), [(make_system, merge_systems, "system"), (make_paper, merge_papers, "paper")]
)
def test_what_was_merged_later_was_its_own_then(client, make, merge, field):
    source, target = make(), make()
    make_old("0.41", **{field: source})
    merge(source=source, target=target, actor=None, reason="one and the same")
    path = source.get_absolute_url()
    assert client.get(path)["Location"] == target.get_absolute_url()
    then = read(client, path + AS_OF)
    assert then.headings[0] == (1, str(source))
    assert "1 result" in then.text
    today = Entry.objects.latest("pk").recorded_at.date()
    assert client.get(f"{path}?as_of={today}")["Location"] == f"{target.get_absolute_url()}?as_of={today}"


def test_a_result_leads_to_the_version_of_the_day(client):
    old = make_old("0.41")
    new = supersede_result(result=old, changes={"printed": "0.43"}, actor=None, reason="typing error")
    assert client.get(new.get_absolute_url() + AS_OF)["Location"] == old.get_absolute_url() + AS_OF
    then = read(client, old.get_absolute_url() + AS_OF)
    assert "typing error" not in then.text
    assert "0.43" not in then.text
    assert "This result was superseded" not in then.text
    today = Entry.objects.latest("pk").recorded_at.date()
    to_today = client.get(f"{old.get_absolute_url()}?as_of={today}")["Location"]
    assert to_today == f"{new.get_absolute_url()}?as_of={today}"


def test_of_three_versions_each_has_its_days():
    first = make_old("0.41")
    second = supersede_result(result=first, changes={"printed": "0.42"}, actor=None, reason="a slip")
    third = supersede_result(result=second, changes={"printed": "0.43"}, actor=None, reason="another")
    days = [DAY + timedelta(days=number) for number in range(3)]
    for result, day, end in zip((first, second, third), days, [*days[1:], None], strict=True):
        Result.objects.filter(pk=result.pk).update(recorded_at=day, ended_at=end)
    versions = list(Result.objects.versions_of(third))
    assert versions == [first, second, third]
    for asked in versions:
        for day, known in zip(days, versions, strict=True):
            assert get_version_at(asked, versions, day) == known
            assert get_version_at(asked, versions, day + timedelta(hours=23)) == known
        with pytest.raises(Http404, match=f"it was recorded on {DAY:%Y-%m-%d}"):
            get_version_at(asked, versions, DAY - timedelta(microseconds=1))


def test_what_was_recorded_again_after_it_was_withdrawn_is_known_by_its_last_version():
    first = make_old("0.41")
    withdraw_result(result=first, actor=None, reason="a slip")
    second = make_result(first.leaderboard, first.system, "0.42", recorded_at=DAY)
    third = supersede_result(result=second, changes={"printed": "0.43"}, actor=None, reason="another")
    Result.objects.filter(pk=first.pk).update(ended_at=DAY - timedelta(days=1))
    versions = list(Result.objects.versions_of(third))
    assert versions == [first, second, third]
    days = (DAY - timedelta(days=2), DAY - timedelta(hours=1), DAY, third.recorded_at)
    assert [get_version_at(third, versions, day) for day in days] == [first, first, second, third]


def test_what_was_joined_with_a_result_since_is_not_what_it_was_then():
    board, source, target = make_leaderboard(), make_system(), make_system()
    older = make_old("0.41", leaderboard=board, system=target)
    joined = make_old("0.41", leaderboard=board, system=source)
    Result.objects.filter(pk=joined.pk).update(recorded_at=DAY - timedelta(days=1))
    merge_systems(source=source, target=target, actor=None, reason="one system")
    today = supersede_result(result=older, changes={"locator": "Table 1"}, actor=None, reason="found it")
    assert get_version_at(today, list(Result.objects.versions_of(today)), DAY) == older


def test_a_result_that_was_not_recorded_yet_says_since_when_it_is(client):
    result = make_result()
    page = read(client, result.get_absolute_url() + AS_OF, status=404)
    assert (
        f"Result {result.pk} was not on the record then; it was recorded on {result.recorded_at:%Y-%m-%d}." in page.text
    )


def test_of_two_results_that_became_one_each_is_itself_before(client):
    first, second = make_old("0.41"), make_old("0.41")
    second = make_result(first.leaderboard, printed="0.41", recorded_at=DAY - timedelta(days=1))
    merge_systems(source=first.system, target=second.system, actor=None, reason="one and the same")
    first.refresh_from_db()
    assert first.superseded_by == second
    for result in (first, second):
        assert "This result was" not in read(client, result.get_absolute_url() + AS_OF).text


def test_the_past_is_not_edited(client):
    result = make_old(paper=make_paper())
    browser = signed_in(editor())
    for thing in (result, result.system, result.paper):
        page = read(browser, thing.get_absolute_url() + AS_OF)
        assert not {"Withdraw", "Correct", "Rename", "Merge into another system", "Follow"} & {
            text for _, text in page.links
        }
        assert [form for form in page.of("form") if form.get("method") == "post"] == []


def test_queries_of_a_past_day_do_not_grow(client, django_assert_max_num_queries):
    system = make_system()
    path = system.get_absolute_url() + AS_OF
    make_old(system=system, paper=make_paper())
    with django_assert_max_num_queries(15) as few:
        read(client, path)
    for _ in range(8):
        make_old(system=system, paper=make_paper())
    with django_assert_max_num_queries(len(few)):
        read(client, path)


def test_what_the_world_could_read_by_a_day():
    board = make_leaderboard(make_collection(year=2010))
    rows = {
        "to the day": make_result(board, date=date(2012, 5, 6), year=2012),
        "to the day alone": make_result(board, date=date(2012, 5, 6)),
        "the year": make_result(board, year=2012),
        "before the collection": make_result(board, date=date(2004, 1, 1), year=2004),
        "unknown": make_result(board),
    }
    names = {row.pk: name for name, row in rows.items()}

    def known_by(*day: int) -> set[str]:
        return {names[pk] for pk in Result.objects.published_by(date(*day)).values_list("pk", flat=True)}

    assert known_by(2010, 12, 30) == set()
    assert known_by(2010, 12, 31) == {"before the collection"}
    assert known_by(2012, 5, 5) == {"before the collection"}
    assert known_by(2012, 5, 6) == {"before the collection", "to the day", "to the day alone"}
    assert known_by(2012, 12, 31) == set(rows) - {"unknown"}
    assert {names[result.pk] for result in Result.objects.dated()} == set(rows) - {"unknown"}
    last = Result.objects.all().last_published
    assert [last(date(*day)) for day in ((2010, 1, 1), (2011, 1, 1), (2012, 6, 1), (2013, 1, 1))] == [
        None,
        date(2010, 12, 31),
        date(2012, 5, 6),
        date(2012, 12, 31),
    ]


def test_a_list_of_a_day_has_what_was_recorded_and_had_ended_by_its_last_moment():
    board = make_leaderboard()
    standing, ended = (make_result(board, printed=printed, recorded_at=DAY) for printed in ("0.1", "0.9"))
    withdraw_result(result=ended, actor=None, reason="an erratum")
    Result.objects.filter(pk=ended.pk).update(ended_at=DAY)
    before = DAY - timedelta(microseconds=1)
    assert list(Result.objects.for_listing(DAY)) == [standing, ended]
    assert list(Result.objects.for_listing(before)) == []
    Result.objects.filter(pk=ended.pk).update(ended_at=DAY + timedelta(microseconds=1))
    assert list(Result.objects.for_listing(DAY)) == [ended, standing]


def test_what_was_respelled_before_a_day_and_merged_after_it_led_nowhere_then():
    system = make_system("bm25")
    rename_system(system=system, name="BM25", team="", actor=None, reason="as its authors write it")
    respelled = timezone.now()
    merge_systems(source=system, target=make_system("other"), actor=None, reason="one system")
    system.refresh_from_db()
    assert what_it_is(system, respelled) is None
    assert what_it_is(system, Entry.objects.get(action="results.system.merged").recorded_at) == system.merged_into
