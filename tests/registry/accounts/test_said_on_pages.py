"""What pages of accounts say and hold for their templates."""

import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.messages import get_messages
from django.forms import CheckboxSelectMultiple, RadioSelect
from django.test import Client

from registry.accounts.forms import DeletionForm, ProfileForm, RoleForm, TokenForm
from registry.accounts.models import User
from registry.accounts.services import create_token, set_role
from tests.registry.accounts.people import browser_of, make_administrator, make_person
from tests.registry.factory import make_user
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def test_signing_in_asks_for_an_address_and_whether_to_stay_signed_in():
    form = Client().get("/accounts/login/").context["form"]
    assert (form.fields["login"].label, form.fields["remember"].label) == ("E-mail address", "Keep me signed in")


@pytest.mark.parametrize("page", ["login", "signup", "password/reset"])
def test_what_a_field_asks_for_is_said_once(page):
    form = Client().get(f"/accounts/{page}/").content.decode().partition("<main")[2]
    assert "<input" in form
    assert "placeholder" not in form
    assert "signed in:" not in form


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


def said(answer) -> list[str]:
    return [str(one.message) for one in get_messages(answer.wsgi_request)]


def test_fields_of_accounts_are_called_and_explained():
    fields = Client().get("/accounts/signup/").context["form"].fields
    assert (fields["username"].label, fields["email"].label) == ("User name", "E-mail address")
    assert fields["username"].help_text == (
        "Public, and cannot be changed later: it stands beside what you contribute."
    )
    assert fields["email"].help_text == "Not shown to anybody. You sign in with it."
    token, role, profile = TokenForm(), RoleForm(), ProfileForm()
    assert {name: field.label for name, field in token.fields.items()} == {
        "name": None, "scopes": "It may", "days": "Days until it expires",
    }  # fmt: skip
    assert (token.fields["scopes"].initial, token.fields["days"].initial) == (["read"], 90)
    assert token.fields["scopes"].widget.__class__ is CheckboxSelectMultiple
    assert token.fields["name"].help_text == "What it is for, so that you know it again."
    assert role.fields["is_active"].label == "May sign in"
    assert role.fields["is_active"].help_text == "Without it the account is suspended."
    assert role.fields["reason"].help_text == "Enters the public journal."
    assert (role.fields["role"].widget.__class__, role.fields["reason"].widget.attrs["rows"]) == (RadioSelect, 3)
    assert (profile.fields["full_name"].label, profile.fields["full_name"].required) == ("Full name", False)
    assert profile.fields["full_name"].help_text == "As in your papers. Public, and may stay blank."
    own = DeletionForm(user=make_person()).fields["username"]
    assert (own.label, own.widget.attrs["autocomplete"]) == ("Your user name, to confirm", "off")


def test_a_token_is_shown_once_and_revoked_with_a_word():
    ada = make_person()
    client = browser_of(ada)
    made = client.post("/accounts/tokens/", {"name": "nightly", "scopes": ["read"], "days": "3"})
    token = ada.api_tokens.get()
    assert (made.context["new"].token, made.context["form"].is_bound) == (token, False)
    mine = create_token(user=ada, name="second", scopes=["read"], days=3).token
    create_token(user=make_person("eve"), name="hers", scopes=["read"], days=3)
    listed = client.get("/accounts/tokens/").context
    assert (listed["new"], list(listed["tokens"])) == (None, [mine, token])
    assert said(client.post(f"/accounts/tokens/{token.pk}/revoke/")) == [f"The token {token} is revoked."]
    assert ada.api_tokens.live().get() == mine
    assert client.get("/accounts/tokens/1/revoke/").status_code == 405


def test_a_wrong_name_deletes_nothing_and_the_right_one_is_confirmed_by_mail(mailoutbox):
    client = browser_of(make_person())
    mailoutbox.clear()
    kept = client.post("/accounts/delete/", {"username": "eve"})
    assert kept.context["form"].errors["username"] == ["This is not your user name."]
    assert (mailoutbox, User.objects.existing().count()) == ([], 1)
    gone = client.post("/accounts/delete/", {"username": "ada"})
    assert gone.status_code == 200
    assert [mail.to for mail in mailoutbox] == [["ada@example.org"]]
    assert User.objects.existing().count() == 0
    assert client.get("/accounts/").status_code == 302


def test_people_have_one_address_in_the_spelling_of_their_name():
    make_person("Ada")
    answer = Client().get("/people/aDA/")
    assert (answer.status_code, answer["Location"]) == (301, "/people/Ada/")
    assert Client().get("/people/Ada/").context["person"].username == "Ada"


def test_the_list_of_people_has_fifty_on_a_page_and_takes_any_words():
    root = make_administrator()
    for number in range(50):
        make_user(f"p{number:02}")
    client = browser_of(root)
    first = client.get("/accounts/people/").context["page"]
    assert (len(first), first.paginator.num_pages, first[0].username, first[1].username) == (50, 2, "root", "p00")
    assert [one.username for one in client.get("/accounts/people/?page=2").context["page"]] == ["p49"]
    assert len(client.get("/accounts/people/?page=none").context["page"]) == 50
    long = client.get("/accounts/people/", {"q": " p4" + "x" * 300}).context
    assert (len(long["query"]["q"]), list(long["page"])) == (200, [])
    assert client.get("/accounts/people/", {"q": " p49 "}).context["query"] == {"q": "p49"}


def test_the_next_page_of_people_is_of_the_same_words():
    client = browser_of(make_administrator())
    for number in range(51):
        make_user(f"p{number:02}")
    page = read(client, "/accounts/people/?q=p")
    assert page.link("Next") == "?q=p&page=2"
    assert read(client, f"/accounts/people/{page.link('Next')}").rows[-1][0] == "p50"


def test_the_admin_shows_people_and_changes_none():
    root, ada = make_administrator(), make_person()
    factor = Authenticator.objects.create(user=ada, type=Authenticator.Type.TOTP, data={"secret": "abc-secret"})
    client = browser_of(root)
    listed = client.get("/admin/accounts/user/", {"q": "ada@exam"})
    assert [one.username for one in listed.context["cl"].result_list] == ["ada"]
    shown = client.get(f"/admin/accounts/user/{ada.pk}/change/")
    assert shown.status_code == 200
    names = {name for _, given in shown.context["adminform"].fieldsets for name in given["fields"]}
    assert not names & {"password", "last_login", "groups", "user_permissions"}
    assert client.get("/admin/accounts/user/add/").status_code == 403
    assert client.post(f"/admin/accounts/user/{ada.pk}/delete/", {"post": "yes"}).status_code == 403
    for model in ("account/emailaddress", "socialaccount/socialaccount", "auth/group"):
        assert client.get(f"/admin/{model}/").status_code == 404
    factors = client.get("/admin/mfa/authenticator/", {"q": "ada"})
    assert list(factors.context["cl"].result_list) == [factor]
    assert factors.context["cl"].list_display == ["user", "type", "created_at"]
    assert b"abc-secret" not in client.get(f"/admin/mfa/authenticator/{factor.pk}/change/").content
    assert b"abc-secret" not in factors.content


def test_a_form_begins_with_what_somebody_is():
    root = make_administrator()
    make_person("zoe", is_editor=True)
    make_person("bob", full_name="Bob")
    client = browser_of(root)
    assert client.get("/accounts/people/zoe/").context["form"].initial == {"role": "editor", "is_active": True}
    User.objects.filter(username="bob").update(is_active=False)
    shown = client.get("/accounts/people/bob/").context
    assert (shown["form"].initial, shown["person"].username) == ({"role": "contributor", "is_active": False}, "bob")
    root.full_name = "Root"
    root.save()
    assert client.get("/accounts/").context["form"].initial == {"full_name": "Root"}
