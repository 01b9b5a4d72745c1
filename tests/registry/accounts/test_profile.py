"""What others see of somebody, and where one changes it."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.utils import timezone

from registry.accounts.models import User
from registry.accounts.services import set_orcid
from tests.registry import factory
from tests.registry.accounts.people import browser_of, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    return make_person()


def test_the_full_name_is_changed(ada):
    client = browser_of(ada)
    assert client.post("/accounts/", {"full_name": "  Ada   Lovelace "})["Location"] == "/accounts/"
    assert b"Your profile is saved." in client.get("/accounts/").content
    assert b"<h1>Ada Lovelace</h1>" in client.get("/people/ada/").content


@pytest.mark.parametrize("name", ["a" * 151, "Ada\u202eLovelace", "Ada\u200b"])
def test_names_that_mislead_are_refused(ada, name):
    response = browser_of(ada).post("/accounts/", {"full_name": name})
    assert response.context["form"].errors["full_name"]
    ada.refresh_from_db()
    assert ada.full_name == ""


def test_markup_in_a_name_is_text(ada, client):
    browser_of(ada).post("/accounts/", {"full_name": "<script>alert(1)</script>"})
    page = client.get("/people/ada/").content
    assert b"<script>alert" not in page
    assert b"&lt;script&gt;" in page


def test_the_public_page_tells_no_more_than_it_must(ada, client):
    page = client.get("/people/ada/").content.decode()
    assert "<h1>ada</h1>" in page
    assert "contributor" in page
    assert "ada@example.org" not in page
    assert "ORCID" not in page


def test_a_verified_orcid_is_shown(ada, client):
    set_orcid(user=ada, orcid="0000-0002-1825-0097")
    page = client.get("/people/ada/").content.decode()
    assert "https://orcid.org/0000-0002-1825-0097" in page
    assert "by signing in at ORCID" in page


def test_an_orcid_cannot_be_typed(ada):
    browser_of(ada).post("/accounts/", {"full_name": "Ada", "orcid": "0000-0002-1825-0097"})
    ada.refresh_from_db()
    assert ada.orcid == ""


@pytest.mark.parametrize(
    "fields",
    [
        {"orcid": "0000-0002-1825-0097"},
        {"orcid_verified_at": timezone.now()},
        {"deleted_at": timezone.now()},
        {"username": "GRACE"},
        {"email": "Grace@Example.org"},
    ],
)
def test_the_database_refuses_what_cannot_be(ada, fields):
    factory.make_user("grace", email="grace@example.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=ada.pk).update(**fields)


def test_an_orcid_belongs_to_one_account(ada):
    set_orcid(user=ada, orcid="0000-0002-1825-0097")
    with pytest.raises(IntegrityError), transaction.atomic():
        set_orcid(user=make_person("grace"), orcid="0000-0002-1825-0097")


def test_accounts_without_address_may_be_many():
    factory.make_user("one")
    factory.make_user("two")
    assert User.objects.filter(email="").count() == 2


def test_other_spellings_lead_to_the_name(ada, client):
    response = client.get("/people/ADA/")
    assert (response.status_code, response["Location"]) == (301, "/people/ada/")


@pytest.mark.parametrize("name", ["nobody", "unverified", "x" * 500, "a%00b", "former-contributor-1"])
def test_who_is_not_public_is_not_there(client, name):
    factory.make_user("unverified", email="unverified@example.org")
    assert client.get(f"/people/{name}/").status_code == 404


def test_strangers_are_sent_to_sign_in(client):
    assert client.get("/accounts/")["Location"] == "/accounts/login/?next=/accounts/"


def test_a_visitor_is_offered_to_sign_in(client):
    assert b'<a href="/accounts/login/?next=/people/nobody/">Sign in</a>' in client.get("/people/nobody/").content
    assert not AnonymousUser().is_authenticated
