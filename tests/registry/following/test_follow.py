"""Following a collection, a leaderboard, a system, a paper or a model, and choosing how often to hear of it."""

from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.http import Http404
from django.test import Client

from analysis.readers.rejections import Refused
from registry.following import services
from registry.following.access import get_followable
from registry.following.forms import FollowForm, FollowingListForm
from registry.following.models import Following
from registry.results.services.merging import merge_systems
from tests.registry.accounts.people import browser_of, make_person, sign_in
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_model,
    make_paper,
    make_system,
    make_user,
)
from tests.registry.following.world import SITE, make_following
from tests.registry.pages import page_of, read
from tests.registry.results.people import signed_in

pytestmark = pytest.mark.django_db

LIST = "/accounts/following/"


@pytest.fixture(params=["collection", "leaderboard", "system", "paper", "model"])
def thing(request):
    makers = {
        "collection": make_collection,
        "leaderboard": make_leaderboard,
        "system": make_system,
        "paper": make_paper,
        "model": make_model,
    }
    return makers[request.param]()


def address(thing) -> str:
    return f"/following/{thing._meta.model_name}/{thing.pk}/"


def test_the_button_of_the_page_follows_weekly(thing):
    user = make_user()
    browser = signed_in(user)
    page = read(browser, thing.get_absolute_url())
    (form,) = [one for one in page.of("form") if one.get("action") == address(thing)]
    assert form["method"] == "post"
    fields = {one["name"]: one["value"] for one in page.of("input") if one["type"] == "hidden"}
    response = browser.post(form["action"], fields, follow=True)
    assert response.redirect_chain[0][0] == thing.get_absolute_url()
    assert f"You follow {thing}: weekly." in page_of(response).text
    following = Following.objects.get(user=user)
    assert (following.thing, following.every, following.site) == (thing, "week", SITE)
    assert "You follow this: weekly" in read(browser, thing.get_absolute_url()).text
    feed = "of its log." if thing._meta.model_name == "collection" else "of the page."
    assert f"Without an account, take the Atom feed {feed}" in read(browser, address(thing)).text


def test_a_page_that_is_not_kept_says_how_its_reader_follows_too():
    collection, user = make_collection(), make_user()
    log = f"{collection.get_absolute_url()}log/"
    assert "You follow this" not in read(signed_in(user), log).text
    make_following(collection, user, every="day")
    assert "You follow this: daily" in read(signed_in(user), log).text
    assert "You follow this" not in read(signed_in(), log).text


def test_who_has_to_sign_in_first_comes_back(client, thing):
    make_person()
    page = read(client, thing.get_absolute_url())
    assert page.link("Follow") == address(thing)
    to_login = client.get(page.link("Follow"))["Location"]
    assert to_login == f"/accounts/login/?next={address(thing)}"
    response = sign_in(client, next=address(thing))
    assert response.status_code == 302
    assert not Following.objects.exists()
    assert client.post(address(thing), {"every": "day"})["Location"] == thing.get_absolute_url()
    assert Following.objects.get().every == "day"


def test_a_page_for_everybody_carries_nobodys_token(client, thing):
    assert "csrfmiddlewaretoken" not in read(client, thing.get_absolute_url()).source


def test_twice_does_no_harm_and_the_last_word_counts(thing):
    user = make_user()
    make_following(thing, user)
    make_following(thing, user, every="never")
    assert Following.objects.get(user=user).every == "never"


def test_strangers_cannot_follow_by_post(client, thing):
    assert client.post(address(thing), {"every": "day"})["Location"].startswith("/accounts/login/")
    assert not Following.objects.exists()


def test_a_form_of_another_site_is_refused(thing):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(make_user())
    assert browser.post(address(thing), {"every": "day"}).status_code == 403


@pytest.mark.parametrize(
    "path",
    ["/following/leaderboard/999/", "/following/model/999/", "/following/collection/1/"],
)
def test_what_is_not_there_is_404(path):
    assert signed_in().get(path).status_code == 404


def test_nobody_can_follow_what_has_no_changes():
    with pytest.raises(Http404, match=r"^Nobody can follow a measure\.$"):
        get_followable("measure", make_measure().pk)


def test_pages_of_what_has_a_feed_lead_to_it_beside_the_button(client):
    for thing in (make_system(), make_paper(), make_model()):
        page = read(client, thing.get_absolute_url())
        assert ("Atom", f"{thing.get_absolute_url().removesuffix('/')}.atom") in [(text, to) for to, text in page.links]
    for thing in (make_collection(), make_leaderboard()):
        head = read(client, thing.get_absolute_url()).source.partition("<h1")[0].partition("<main")[2]
        assert "Follow" in head
        assert ".atom" not in head


def test_the_one_that_is_named_is_followed_and_no_other():
    browser = signed_in(user := make_user())
    for make in (make_collection, make_leaderboard, make_system, make_paper):
        _, second = make(), make()
        assert browser.post(address(second), {"every": "day"}).status_code == 302
        assert Following.objects.latest("pk").thing == second
    for model in (make_model(), make_model("Other", "other")):
        assert browser.post(address(model), {"every": "day"})["Location"] == model.get_absolute_url()
        assert Following.objects.latest("pk").thing == model
    assert Following.objects.filter(user=user).count() == 6
    for path in (LIST, address(second)):
        assert browser.put(path).status_code == 405


def test_a_frequency_that_is_none_is_refused(thing):
    browser = signed_in()
    response = browser.post(address(thing), {"every": "hourly"})
    assert response.status_code == 200
    assert b"hourly is not one of the available choices" in response.content
    assert not Following.objects.exists()


def test_the_page_of_what_is_followed_ends_it(thing):
    browser = signed_in(user := make_user())
    assert browser.post(address(thing), {"every": "stop"}).status_code == 200, "nothing to stop yet"
    make_following(thing, user)
    assert browser.post(address(thing), {"every": "stop"})["Location"] == thing.get_absolute_url()
    assert not Following.objects.exists()


def test_a_merged_system_is_followed_under_its_name_of_today():
    old, new = make_system(), make_system()
    merge_systems(source=old, target=new, actor=None, reason="one and the same")
    signed_in(user := make_user()).post(address(old), {"every": "day"})
    assert Following.objects.get(user=user).system == new


def test_there_is_a_limit(monkeypatch):
    monkeypatch.setattr(services, "MAX_FOLLOWED", 2)
    user = make_user()
    for _ in range(2):
        make_following(make_system(), user)
    with pytest.raises(Refused, match="You follow 2 things, which is the most"):
        make_following(make_system(), user)
    response = signed_in(user).post(address(make_system()), {"every": "day"})
    assert b"Stop following one first" in response.content
    assert Following.objects.count() == 2


def test_the_database_takes_one_thing_a_row():
    following = make_following(make_system())
    with pytest.raises(IntegrityError):
        Following.objects.filter(pk=following.pk).update(paper=make_paper())


def test_the_list_has_ones_own_with_a_choice_each():
    user = make_user()
    mine = make_following(make_system("mine"), user, every="week")
    make_following(make_system("of somebody else"), make_user())
    browser = signed_in(user)
    page = read(browser, LIST)
    assert page.link("mine") == mine.thing.get_absolute_url()
    assert "of somebody else" not in page.text
    answer = browser.post(LIST, {f"every-{mine.pk}": "day"}, follow=True)
    assert "Your choices are saved." in page_of(answer).text
    mine.refresh_from_db()
    assert mine.every == "day"


def test_what_was_followed_since_the_list_was_shown_stays_as_it_is():
    user = make_user()
    shown, later = (make_following(make_system(), user, every="week") for _ in range(2))
    answer = signed_in(user).post(LIST, {f"every-{shown.pk}": "day"}, follow=True)
    assert "Your choices are saved." in page_of(answer).text
    assert [Following.objects.get(pk=one.pk).every for one in (shown, later)] == ["day", "week"]


def test_the_list_is_in_the_order_in_which_it_began():
    user = make_user()
    second, first = make_following(make_system(), user), make_following(make_paper(), user)
    Following.objects.filter(pk=first.pk).update(since=first.since - timedelta(days=1))
    assert list(Following.objects.of(user)) == [first, second]


def test_the_list_ends_following():
    user = make_user()
    kept, gone = make_following(make_system(), user), make_following(make_paper(), user)
    signed_in(user).post(LIST, {f"every-{kept.pk}": "day", f"every-{gone.pk}": "stop"})
    assert list(Following.objects.all()) == [kept]


def test_the_choice_of_somebody_else_is_out_of_reach():
    of_other = make_following(make_system(), make_user())
    user = make_user()
    mine = make_following(make_system(), user)
    signed_in(user).post(LIST, {f"every-{mine.pk}": "day", f"every-{of_other.pk}": "stop"})
    assert Following.objects.filter(pk=of_other.pk).exists()


def test_one_choice_holds_for_all():
    user = make_user()
    for thing in (make_system(), make_paper()):
        make_following(thing, user)
    answer = signed_in(user).post(LIST, {"everything": "never"}, follow=True)
    assert answer.redirect_chain == [(LIST, 302)]
    assert "Your choice holds for everything that you follow." in page_of(answer).text
    assert set(Following.objects.values_list("every", flat=True)) == {"never"}


def test_what_is_as_wished_already_is_left_alone(django_assert_num_queries):
    user = make_user()
    for _ in range(5):
        make_following(make_system(), user, every="day")
    # The question alone, and what begins and ends a transaction.
    with django_assert_num_queries(3):
        services.set_every_for_all(user=user, every="day")


def test_a_wrong_choice_changes_nothing():
    user = make_user()
    mine = make_following(make_system(), user, every="week")
    browser = signed_in(user)
    for data in ({f"every-{mine.pk}": "hourly"}, {"everything": "hourly"}):
        answer = browser.post(LIST, data)
        assert answer.status_code == 200
        assert "hourly is not one of the available choices." in page_of(answer).text
    mine.refresh_from_db()
    assert mine.every == "week"


def test_the_list_is_for_who_signs_in(client):
    assert client.get(LIST)["Location"] == f"/accounts/login/?next={LIST}"


def test_every_row_of_the_list_says_how_often_and_offers_to_stop():
    user = make_user()
    mine, other = make_following(make_system("mine"), user, every="week"), make_following(make_paper(), user)
    page = read(signed_in(user), LIST)
    (field,) = [one for one in page.of("select") if one["name"] == f"every-{mine.pk}"]
    assert "How often about mine" in page.source
    form = FollowingListForm({f"every-{mine.pk}": "week", f"every-{other.pk}": "stop"}, [mine, other])
    assert [name for name, _ in form.fields[field["name"]].choices] == ["day", "week", "never", "stop"]
    assert [(one, bound.initial) for one, bound in form.rows()] == [(mine, "week"), (other, "day")]
    assert form.is_valid()
    assert form.changes() == [(other, "stop")]
    begun, known = FollowForm(None, None), FollowForm(None, other)
    assert [(form["every"].initial, [name for name, _ in form["every"].field.choices]) for form in (begun, known)] == [
        ("week", ["day", "week", "never"]), ("day", ["day", "week", "never", "stop"]),
    ]  # fmt: skip


def test_an_empty_list_says_how_to_begin():
    assert "Nothing yet." in read(signed_in(), LIST).text


def test_the_queries_of_the_list_do_not_grow(django_assert_max_num_queries):
    user = make_user()
    browser = signed_in(user)
    make_following(make_leaderboard(), user)
    with django_assert_max_num_queries(8) as few:
        read(browser, LIST)
    for make in (make_leaderboard, make_system, make_paper, make_system):
        make_following(make(), user)
    with django_assert_max_num_queries(len(few)):
        read(browser, LIST)


def test_the_export_has_it_and_deletion_forgets_it():
    user = make_person()
    system = make_system("BM25")
    make_following(system, user)
    browser = browser_of(user)
    (found,) = browser.get("/accounts/export/").json()["following"]
    assert found.items() >= {"kind": "system", "name": "BM25", "url": system.get_absolute_url(), "every": "day"}.items()
    browser.post("/accounts/delete/", {"username": user.username})
    assert not Following.objects.exists()
