"""What pages of accounts say and hold for their templates."""

import pytest
from allauth.socialaccount.models import SocialAccount
from django.contrib.messages import get_messages
from django.test import Client

from registry.accounts.models import User
from registry.accounts.services import set_role
from tests.registry.accounts.people import browser_of, make_administrator, make_person

pytestmark = pytest.mark.django_db


def test_signing_in_asks_for_an_address_and_whether_to_stay_signed_in():
    form = Client().get("/accounts/login/").context["form"]
    assert (form.fields["login"].label, form.fields["remember"].label) == ("E-mail address", "Keep me signed in")


def test_an_account_shows_its_services_where_the_site_has_any(settings):
    ada = make_person()
    mine = SocialAccount.objects.create(user=ada, provider="orcid", uid="0000-0002-1825-0097")
    SocialAccount.objects.create(user=make_person("eve"), provider="orcid", uid="0000-0001-5109-3700")
    client = browser_of(ada)
    shown = client.get("/accounts/").context
    assert (list(shown["services"]), shown["has_services"]) == ([], False)
    settings.LOGIN_SERVICES = ["orcid"]
    shown = client.get("/accounts/").context
    assert (list(shown["services"]), shown["has_services"]) == ([mine], True)


def test_an_account_counts_its_tokens_and_says_whether_a_second_factor_is_needed(settings):
    ada = make_person()
    client = browser_of(ada)
    shown = client.get("/accounts/").context
    assert (shown["n_tokens"], shown["has_second_factor"], shown["needs_second_factor"]) == (0, False, False)
    settings.PLUMBLINE_REQUIRE_SECOND_FACTOR = True
    assert client.get("/accounts/").context["needs_second_factor"] is False
    set_role(user=ada, role=User.Role.EDITOR, actor=make_administrator(), reason="knows the collections")
    assert client.get("/accounts/").context["needs_second_factor"] is True
    settings.PLUMBLINE_REQUIRE_SECOND_FACTOR = False
    assert client.get("/accounts/").context["needs_second_factor"] is False


def test_a_saved_profile_and_a_changed_account_are_told():
    ada, root = make_person(), make_administrator()
    answer = browser_of(ada).post("/accounts/", {"full_name": "Ada Lovelace"})
    assert [one.message for one in get_messages(answer.wsgi_request)] == ["Your profile is saved."]
    sent = {"role": "editor", "is_active": "on", "reason": "knows the collections"}
    answer = browser_of(root).post("/accounts/people/ada/", sent)
    assert [one.message for one in get_messages(answer.wsgi_request)] == ["The account of ada is changed."]
