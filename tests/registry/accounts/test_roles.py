"""Roles: granted and taken with a reason, in the journal, and never by those who may not."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.test import Client

from analysis.readers.rejections import Refused
from registry.accounts import access
from registry.accounts.models import User
from registry.accounts.services import set_role
from registry.journal.models import Entry
from tests.registry.accounts.people import browser_of, is_signed_in, make_administrator, make_person, sign_in
from tests.registry.accounts.test_second_factor import set_up

Role = User.Role


@pytest.fixture
def root():
    return make_administrator()


def change(client, username="ada", **fields):
    form = {"role": "editor", "is_active": "on", "reason": "knows the collections"} | fields
    return client.post(f"/accounts/people/{username}/", {name: value for name, value in form.items() if value})


def test_an_administrator_makes_an_editor(root, ada):
    assert change(browser_of(root))["Location"] == "/accounts/people/"
    ada.refresh_from_db()
    assert ada.role == Role.EDITOR
    entry = Entry.objects.get()
    assert (entry.action, entry.subject_type, entry.subject_id) == ("accounts.user.role_changed", "user", str(ada.pk))
    assert (entry.actor, entry.reason) == (root, "knows the collections")
    assert (entry.before, entry.after) == ({"role": "contributor"}, {"role": "editor"})


def test_an_administrator_suspends_and_reinstates(root, ada):
    signed_in = browser_of(ada)
    change(browser_of(root), role="contributor", is_active="", reason="spam")
    assert not is_signed_in(signed_in)
    assert sign_in(Client())["Location"] == "/accounts/inactive/"
    assert Client().get("/people/ada/").status_code == 404
    change(browser_of(root), role="contributor", reason="a mistake")
    assert is_signed_in(signed_in)
    actions = list(Entry.objects.order_by("pk").values_list("action", "reason"))
    assert actions == [("accounts.user.suspended", "spam"), ("accounts.user.reinstated", "a mistake")]


@pytest.mark.parametrize("fields", [{"reason": ""}, {"role": "king"}, {"role": ""}, {"reason": "a\u200bb"}])
def test_it_takes_a_reason_and_a_role(root, ada, fields):
    response = change(browser_of(root), **fields)
    assert set(response.context["form"].errors) == set(fields)
    ada.refresh_from_db()
    assert ada.role == Role.CONTRIBUTOR


def test_the_last_administrator_stays(root):
    client = browser_of(root)
    for fields in ({"role": "contributor"}, {"role": "administrator", "is_active": ""}):
        assert b"There is no other administrator." in change(client, "root", **fields).content
    root.refresh_from_db()
    assert (root.role, root.is_active) == (Role.ADMINISTRATOR, True)
    make_administrator("second")
    assert change(client, "root", role="editor").status_code == 302


def test_a_suspended_administrator_is_none(root):
    make_administrator("second", is_active=False)
    with pytest.raises(Refused, match="There is no other administrator"):
        set_role(user=root, role=Role.EDITOR, actor=root, reason="test")


@pytest.mark.parametrize("path", ["/accounts/people/", "/accounts/people/root/"])
def test_others_may_not(root, path):
    contributor, editor = make_person(), make_person("grace", is_editor=True)
    assert Client().get(path)["Location"] == f"/accounts/login/?next={path}"
    for user in (contributor, editor):
        assert browser_of(user).get(path).status_code == 403
    assert change(browser_of(editor), "grace", role="administrator").status_code == 403
    assert not Entry.objects.exists()


def test_access_by_role(root, ada):
    editor = make_person("grace", is_editor=True)
    assert access.require_contributor(ada) == ada
    assert access.require_editor(editor) == editor
    assert access.require_editor(root) == root
    assert access.require_administrator(root) == root
    for check, users in {
        access.require_contributor: [AnonymousUser()],
        access.require_editor: [AnonymousUser(), ada],
        access.require_administrator: [AnonymousUser(), ada, editor],
    }.items():
        for user in users:
            with pytest.raises(PermissionDenied):
                check(user)


def test_where_the_site_says_so_rights_need_a_second_factor(root, settings):
    settings.PLUMBLINE_REQUIRE_SECOND_FACTOR = True
    client = browser_of(root)
    response = client.get("/accounts/people/")
    assert response.status_code == 403
    assert b"This needs a second factor." in response.content
    assert client.get("/admin/").status_code == 302
    assert b"Your role needs a second factor" in client.get("/accounts/").content
    set_up(client)
    assert client.get("/accounts/people/").status_code == 200
    assert client.get("/admin/").status_code == 200
    assert b"Your role needs a second factor" not in client.get("/accounts/").content


def test_who_lost_a_second_factor_has_it_taken_away_under_people_and_roles_with_a_reason(root, ada):
    Authenticator.objects.create(user=ada, type=Authenticator.Type.TOTP, data={})
    change(browser_of(root), role="contributor")
    assert Authenticator.objects.exists()
    change(browser_of(root), role="contributor", has_lost_factor="on", reason="lost the phone")
    assert not Authenticator.objects.exists()
    entry = Entry.objects.get(action="accounts.user.second_factor_removed")
    assert (entry.subject_type, entry.subject_id, entry.actor) == ("user", str(ada.pk), root)
    assert entry.reason == "lost the phone"


def test_who_lost_a_second_factor_has_it_taken_away_in_the_admin_and_the_journal_says_by_whom(root, ada):
    factor = Authenticator.objects.create(user=ada, type=Authenticator.Type.TOTP, data={})
    client = browser_of(root)
    assert client.get(f"/admin/mfa/authenticator/{factor.pk}/change/").status_code == 200
    response = client.post(f"/admin/mfa/authenticator/{factor.pk}/delete/", {"post": "yes"})
    assert response.status_code == 302
    assert not Authenticator.objects.exists()
    entry = Entry.objects.get(action="accounts.user.second_factor_removed")
    assert (entry.subject_type, entry.subject_id, entry.actor) == ("user", str(ada.pk), root)
