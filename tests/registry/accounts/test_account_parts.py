"""People, tokens, addresses and limits, by the functions that keep them."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialLogin
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management import CommandError, call_command
from django.db.models import QuerySet
from django.http import Http404
from django.test import Client, RequestFactory
from django.utils import timezone
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.exceptions import PermissionDenied as ScopeDenied
from rest_framework.request import Request

from analysis.readers.rejections import Refused
from registry.accounts import access, keeping, limits
from registry.accounts.adapters import AccountAdapter, SecondFactorAdapter, SocialAccountAdapter
from registry.accounts.authentication import AnyToken, TokenAuthentication, TokenHasScope, require_scope
from registry.accounts.forms import DeletionForm, ProfileForm, RoleForm, TokenForm
from registry.accounts.models import ApiToken, User
from registry.accounts.services import (
    create_token,
    delete_account,
    end_sessions,
    note_use,
    prune,
    release_address,
    revoke_token,
    set_active,
    set_orcid,
    set_role,
    update_profile,
    verify_address,
)
from registry.accounts.templatetags.accounts import is_mail_kept, login_services, service_label
from registry.core.http import AT_HEADERS
from registry.core.limits import LIMITS, Limited, refund, spend
from registry.core.locking import Locked
from registry.journal.models import Entry
from tests.registry.accounts.people import make_administrator, make_person
from tests.registry.factory import make_collection, make_entry, make_user

pytestmark = pytest.mark.django_db

Role = User.Role
NOW = timezone.now()


@pytest.fixture
def ada():
    return make_person()


def sent(address="192.0.2.1", **options):
    return RequestFactory().post("/", REMOTE_ADDR=address, **options)


# --- limits


def room(take, *given) -> int:
    """How often something may be done."""
    for n in range(60):
        try:
            take(*given)
        except Limited:
            return n
    return 60


def test_wrong_passwords_count_for_the_network_the_address_and_all(monkeypatch):
    monkeypatch.setitem(LIMITS, "login: all", (25, 300))
    assert room(limits.take_login, sent(), "Ada@example.org") == 10
    assert room(limits.take_login, sent("192.0.2.2"), "aDA@EXAMPLE.org") == 0, "the address is used up in any case"
    limits.give_login_back(sent(), "ada@EXAMPLE.org")
    assert room(limits.take_login, sent(), "ada@example.org") == 1
    assert room(limits.take_login, sent("192.0.2.3"), "grace@example.org") == 10
    others = (sent(f"198.51.100.{number}") for number in range(60))
    assert room(lambda: limits.take_login(next(others), f"{make_user().pk}@example.org")) == 5
    with pytest.raises(Limited, match="Wrong passwords are tried very often here"):
        limits.take_login(sent("192.0.3.1"), "somebody@example.org")


def test_what_is_refused_for_a_network_costs_others_nothing():
    assert room(limits.take_login, sent(), "mallory@example.org") == 10
    for _ in range(20):
        with pytest.raises(Limited, match="Wrong passwords were tried too often from your network"):
            limits.take_login(sent(), "ada@example.org")
    assert room(limits.take_login, sent("192.0.2.2"), "ada@example.org") == 10


def test_each_limit_is_its_own(ada):
    grace = make_user("grace")
    assert room(spend, "second factor", ada.pk) == room(spend, "second factor", grace.pk) == 5
    refund("second factor", ada.pk)
    assert (room(spend, "second factor", ada.pk), room(spend, "second factor", grace.pk)) == (1, 0)
    assert room(spend, "token", ada.pk) == 20
    assert room(spend, "e-mail change", ada.pk) == room(spend, "e-mail change", grace.pk) == 5
    assert room(limits.take_mail, "sign-up", sent(), "a@example.org") == 5
    assert room(limits.take_mail, "sign-up", sent("192.0.2.9"), "A@example.ORG") == 0
    assert room(lambda: limits.take_mail("sign-up", sent(), f"{make_user().pk}@example.org")) == 20 - 6
    assert room(limits.take_mail, "password reset", sent(), "a@example.org") == 5
    assert room(limits.take_mail, "password reset", sent("192.0.2.9"), "A@example.ORG") == 0
    assert room(lambda: limits.take_mail("password reset", sent(), f"{make_user().pk}@example.org")) == 20 - 6


def test_an_account_is_new_for_a_week():
    week = timedelta(days=7)
    for age, fields, is_new in (
        (week - timedelta(minutes=1), {}, True),
        (week + timedelta(minutes=1), {}, False),
        (timedelta(0), {"is_editor": True}, False),
        (timedelta(0), {"is_superuser": True}, False),
    ):
        assert limits.is_new_account(make_user(date_joined=timezone.now() - age, **fields)) is is_new


# --- who is who


def test_people_are_asked_for_by_what_they_are(ada):
    EmailAddress.objects.create(user=ada, email="also@example.org", verified=True)
    gone, suspended, claimed = make_person("gone"), make_person("suspended", is_active=False), make_user("claimed")
    EmailAddress.objects.create(user=claimed, email="claimed@example.org", verified=False)
    delete_account(user=gone)
    root, former = make_administrator(), make_administrator("former", is_active=False)
    assert set(User.objects.existing()) == {ada, suspended, claimed, root, former}
    assert list(User.objects.public().order_by("pk")) == [ada, root]
    assert list(User.objects.administrators()) == [root]
    assert User.objects.named("ADA").get() == ada
    assert access.get_public_person("Ada") == ada
    assert access.get_existing_person("SUSPENDED") == suspended
    for name in ("suspended", "claimed", "nobody"):
        with pytest.raises(Http404, match="There is nobody of this name"):
            access.get_public_person(name)
    with pytest.raises(Http404, match="There is no account of this name"):
        access.get_existing_person(f"former-contributor-{gone.pk}")


def test_the_collections_of_somebody_are_read_with_them(ada, django_assert_num_queries):
    for _ in range(3):
        make_collection().curators.create(user=ada)
    with django_assert_num_queries(3):
        person = access.get_public_person("ada")
        assert len({one.collection.slug for one in person.curated.all()}) == 3


def test_sign_ups_that_came_to_nothing_are_told_from_all_others(ada):
    old = timezone.now() - timedelta(days=8)

    def signed_up(name, *, verified=False, **fields):
        person = make_user(name, **({"date_joined": old} | fields))
        EmailAddress.objects.create(user=person, email=f"{name}@example.org", verified=verified)
        return person

    forgotten = signed_up("forgotten")
    signed_up("young", date_joined=timezone.now() - timedelta(days=6))
    signed_up("verified", verified=True)
    signed_up("signed-in", last_login=timezone.now())
    signed_up("editor", is_editor=True)
    signed_up("staff", is_staff=True)
    make_entry(actor=signed_up("contributor"))
    make_user("without-address", date_joined=old)
    both = signed_up("both")
    EmailAddress.objects.create(user=both, email="both-verified@example.org", verified=True)
    assert list(User.objects.never_verified()) == [forgotten]
    for days in (-1, 1):
        store = SessionStore()
        store.create()
        Session.objects.filter(pk=store.session_key).update(expire_date=timezone.now() + timedelta(days=days))
    assert prune() == 1
    assert not User.objects.filter(username="forgotten").exists()
    assert Session.objects.get().expire_date > timezone.now()
    assert prune() == 0


def test_mail_reaches_the_address_that_somebody_proved(ada):
    assert ada.mail_address == "ada@example.org"
    other = make_user("other", email="other@example.org")
    EmailAddress.objects.create(user=other, email="a@example.org", verified=False, primary=True)
    EmailAddress.objects.create(user=other, email="b@example.org", verified=True, primary=False)
    assert other.mail_address == ""
    for change in ({"is_active": False}, {"deleted_at": timezone.now()}):
        changed = User.objects.get(pk=ada.pk)
        for name, value in change.items():
            setattr(changed, name, value)
        assert changed.mail_address == ""


def test_rights_over_others_work_need_a_second_factor_where_the_site_says_so(ada, settings):
    settings.PLUMBLINE_REQUIRE_SECOND_FACTOR = True
    root = make_administrator()
    Authenticator.objects.create(user=root, type=Authenticator.Type.RECOVERY_CODES, data={})
    Authenticator.objects.create(user=ada, type=Authenticator.Type.TOTP, data={})
    for check in (access.require_editor, access.require_administrator, access.require_second_factor):
        with pytest.raises(PermissionDenied, match="This needs a second factor"):
            check(root)
    assert access.has_second_factor(ada)
    assert not access.has_second_factor(root)
    assert access.is_editor(root)
    assert not access.is_editor(ada)
    assert not access.is_editor(AnonymousUser())
    Authenticator.objects.create(user=root, type=Authenticator.Type.TOTP, data={})
    assert access.require_editor(root) == access.require_administrator(root) == root


def test_people_and_tokens_are_called_by_what_they_are(ada):
    assert (str(ada), ada.get_full_name(), ada.get_short_name(), ada.orcid_url) == ("ada", "ada", "ada", "")
    ada.full_name, ada.orcid = "Ada Lovelace", "0000-0002-1825-0097"
    assert (ada.get_full_name(), ada.orcid_url) == ("Ada Lovelace", "https://orcid.org/0000-0002-1825-0097")
    assert [one.role for one in (ada, make_user(is_editor=True), make_administrator())] == list(Role)
    token = create_token(user=ada, name="nightly", scopes=["read"], days=1).token
    assert str(token) == f"{token.shown}… (nightly)"
    assert (token.allows("read"), token.allows("submit")) == (True, False)
    assert User.objects.normalize_email("Ada@Example.ORG") == "ada@example.org"
    assert update_profile(user=ada, full_name="Ada").full_name == User.objects.get(pk=ada.pk).full_name == "Ada"


# --- roles and ends


@pytest.fixture
def locked(monkeypatch):
    found = []
    lock = QuerySet.select_for_update

    def select_for_update(self, *args, **options):
        found.append(self.model.__name__)
        return lock(self, *args, **options)

    monkeypatch.setattr(QuerySet, "select_for_update", select_for_update)
    return found


def test_roles_are_changed_one_at_a_time_and_administrators_are_held_together(ada, locked):
    root, second = make_administrator(), make_administrator("second")
    set_role(user=ada, role=Role.EDITOR, actor=root, reason="test")
    assert locked == ["User"]
    set_active(user=second, is_active=False, actor=root, reason="test")
    assert locked == ["User"] * 3
    assert not User.objects.get(pk=second.pk).is_active
    set_active(user=ada, is_active=False, actor=root, reason="test")
    set_active(user=second, is_active=True, actor=root, reason="test")
    assert User.objects.get(pk=second.pk).is_active
    set_role(user=root, role=Role.EDITOR, actor=root, reason="test")
    for change in (
        lambda: set_role(user=second, role=Role.EDITOR, actor=second, reason="test"),
        lambda: set_active(user=second, is_active=False, actor=second, reason="test"),
        lambda: delete_account(user=second),
    ):
        with pytest.raises(Refused, match=r"Nobody else is administrator\. Make somebody one first\.") as refused:
            change()
        assert refused.value.code == "last_administrator"
    told = Entry.objects.order_by("pk").values_list("action", "subject_id", "before", "after")
    assert list(told) == [
        ("accounts.user.role_changed", str(ada.pk), {"role": "contributor"}, {"role": "editor"}),
        ("accounts.user.suspended", str(second.pk), None, None),
        ("accounts.user.suspended", str(ada.pk), None, None),
        ("accounts.user.reinstated", str(second.pk), None, None),
        ("accounts.user.role_changed", str(root.pk), {"role": "administrator"}, {"role": "editor"}),
    ]
    del locked[:]
    create_token(user=ada, name="x", scopes=["read"], days=1)
    assert locked == ["User"]


def test_nothing_is_left_of_who_deletes_the_account(ada):
    set_orcid(user=ada, orcid="0000-0002-1825-0097")
    assert User.objects.get(pk=ada.pk).orcid_verified_at is not None
    User.objects.filter(pk=ada.pk).update(is_editor=True, is_staff=True, full_name="Ada", last_login=NOW)
    browser = Client()
    browser.force_login(ada)
    deleted = delete_account(user=User.objects.get(pk=ada.pk))
    assert not Session.objects.filter(pk=browser.session.session_key).exists()
    kept = User.objects.get(pk=ada.pk)
    for person in (deleted, kept):
        flags = (person.is_active, person.is_editor, person.is_staff, person.is_superuser)
        assert flags == (False, False, False, False)
        assert (person.email, person.full_name, person.orcid, person.orcid_verified_at, person.last_login) == (
            "", "", "", None, None,
        )  # fmt: skip
        assert person.deleted_at is not None
        assert not person.has_usable_password()
    with pytest.raises(Refused, match="This account was deleted") as refused:
        set_role(user=ada, role=Role.EDITOR, actor=None, reason="test")
    assert refused.value.code == "deleted"
    set_orcid(user=ada, orcid="0000-0002-1825-0097")
    assert User.objects.get(pk=ada.pk).orcid == ""


def test_an_orcid_comes_and_goes_with_the_account_at_the_service(ada):
    orcid = SocialAccount.objects.create(user=ada, provider="orcid", uid="0000-0002-1825-0097")
    ada.refresh_from_db()
    first = ada.orcid_verified_at
    assert (ada.orcid, first is not None) == ("0000-0002-1825-0097", True)
    orcid.user = ada
    orcid.save()
    github = SocialAccount.objects.create(user=ada, provider="github", uid="7")
    github.delete()
    ada.refresh_from_db()
    assert (ada.orcid, ada.orcid_verified_at) == ("0000-0002-1825-0097", first)
    orcid.delete()
    ada.refresh_from_db()
    assert (ada.orcid, ada.orcid_verified_at) == ("", None)


def test_an_address_is_taken_from_those_who_only_claimed_it():
    owner = make_user("owner", email="Owner@example.org")
    claims = make_user("claims", email="shared@example.org")
    EmailAddress.objects.create(user=claims, email="Shared@example.org", verified=False)
    used = make_user("used", last_login=timezone.now())
    EmailAddress.objects.create(user=used, email="shared@EXAMPLE.org", verified=False)
    proved = make_person("proved", email="proved@example.org")
    release_address(email="PROVED@example.org", owner=owner)
    assert EmailAddress.objects.filter(user=proved).exists()
    assert User.objects.get(pk=proved.pk).email == "proved@example.org"
    release_address(email="shared@example.org", owner=owner)
    assert set(User.objects.values_list("username", flat=True)) == {"owner", "used", "proved"}
    assert list(EmailAddress.objects.values_list("email", flat=True)) == ["proved@example.org"]
    User.objects.filter(pk=used.pk).update(email="shared@example.org")
    release_address(email="Shared@example.org", owner=owner)
    assert User.objects.get(pk=used.pk).email == ""
    address = verify_address(user=owner)
    assert (address.email, address.verified, address.primary) == ("owner@example.org", True, True)
    assert EmailAddress.objects.get(pk=address.pk).verified
    assert verify_address(user=owner) == address
    User.objects.filter(pk=owner.pk).update(email="Owner@Example.ORG")
    assert verify_address(user=User.objects.get(pk=owner.pk)) == address
    assert EmailAddress.objects.filter(user=owner).count() == 1
    with pytest.raises(Refused, match="used has no e-mail address") as refused:
        verify_address(user=User.objects.get(pk=used.pk))
    assert refused.value.code == "no_address"


def test_sessions_of_one_person_are_ended(ada, client):
    grace = make_person("grace")
    for person in (ada, ada, grace):
        client = type(client)()
        client.force_login(person)
    SessionStore().create()
    end_sessions(user=ada)
    assert Session.objects.count() == 2


def test_commands_name_people_by_name_or_address(ada, capsys):
    call_command("set_role", "ADA@example.org", "editor", reason="knows the collections")
    assert capsys.readouterr().out == "ada is editor.\n"
    assert Entry.objects.get().reason == "knows the collections"
    delete_account(user=ada)
    with pytest.raises(CommandError, match="There is no account with the user name or e-mail address 'ada'"):
        call_command("set_role", "ada", "editor")


# --- tokens


def test_a_token_lasts_as_long_and_may_do_what_was_asked_for(ada):
    for days in (1, 365):
        new = create_token(user=ada, name="nightly", scopes=["submit", "read", "submit"], days=days)
        left = new.token.expires_at - timezone.now()
        assert timedelta(days=days) - timedelta(minutes=1) < left <= timedelta(days=days)
        assert (new.token.scopes, new.token.name, new.token.user) == (["read", "submit"], "nightly", ada)
        assert (new.token.shown, len(new.token.shown)) == (new.secret[:14], 14)
    for wrong, code, message in (
        ({"days": 0}, "days", "A token lasts 1 to 365 days"),
        ({"days": 366}, "days", "A token lasts 1 to 365 days"),
        ({"scopes": []}, "scopes", "A token needs scopes out of read, submit, review"),
        ({"scopes": ["read", "admin"]}, "scopes", "A token needs scopes out of"),
    ):
        with pytest.raises(Refused, match=message) as refused:
            create_token(user=ada, **({"name": "x", "scopes": ["read"], "days": 1} | wrong))
        assert refused.value.code == code


def test_twenty_live_tokens_are_the_most_and_what_ended_is_not_live(ada):
    made = [create_token(user=ada, name="x", scopes=["read"], days=3).token for _ in range(20)]
    with pytest.raises(Refused, match=r"You have 20 tokens\. Revoke one first\.") as refused:
        create_token(user=ada, name="x", scopes=["read"], days=3)
    assert refused.value.code == "too_many"
    assert create_token(user=make_user(), name="x", scopes=["read"], days=3)
    revoked = revoke_token(token=made[0])
    first = revoked.revoked_at
    assert revoke_token(token=ApiToken.objects.get(pk=revoked.pk)).revoked_at == first
    past = timezone.now() - timedelta(days=2)
    ApiToken.objects.filter(pk=made[1].pk).update(created_at=past, expires_at=past + timedelta(days=1))
    assert set(ada.api_tokens.live()) == set(made[2:])
    for _ in range(2):
        create_token(user=ada, name="x", scopes=["read"], days=3)
    with pytest.raises(Refused):
        create_token(user=ada, name="x", scopes=["read"], days=3)
    assert access.get_own_token(ada, made[3].pk) == made[3]
    with pytest.raises(Http404, match="There is no such token"):
        access.get_own_token(make_user(), made[3].pk)


def test_use_is_noted_after_ten_minutes(ada):
    token, other = (create_token(user=ada, name="x", scopes=["read"], days=3).token for _ in range(2))
    note_use(token=token)
    for minutes, is_noted in ((9, False), (11, True)):
        before = timezone.now() - timedelta(minutes=minutes)
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=before)
        note_use(token=ApiToken.objects.get(pk=token.pk))
        assert (ApiToken.objects.get(pk=token.pk).last_used_at != before) is is_noted
    assert ApiToken.objects.get(pk=other.pk).last_used_at is None
    # Of two that use it at the same moment the second finds it noted.
    stale, before = ApiToken.objects.get(pk=other.pk), timezone.now() - timedelta(minutes=1)
    ApiToken.objects.filter(pk=other.pk).update(last_used_at=before)
    note_use(token=stale)
    assert ApiToken.objects.get(pk=other.pk).last_used_at == before


def asked(secret: str = "", scheme: str = "Bearer", **meta) -> Request:
    header = {"authorization": f"{scheme} {secret}"} if secret else {}
    return Request(RequestFactory().get("/api/v1/", headers=header, **meta))


def test_a_program_is_known_by_its_token(ada):
    new = create_token(user=ada, name="x", scopes=["read"], days=3)
    of = TokenAuthentication().authenticate
    assert of(asked()) is None
    assert of(asked(new.secret, "Basic")) is None
    assert of(asked(f" {new.secret} ", "BEARER")) == (ada, new.token)
    assert ApiToken.objects.get().last_used_at is not None
    ApiToken.objects.update(last_used_at=None)
    assert of(asked(new.secret, **{AT_HEADERS: True})) == (ada, new.token)
    assert ApiToken.objects.get().last_used_at is None, "the body is still to come"
    with pytest.raises(AuthenticationFailed, match="There is no such token") as failed:
        of(asked("plumb_x"))
    assert failed.value.get_codes() == "unknown_token"
    assert AnyToken().authenticate(asked("plumb_x")) is None
    assert AnyToken().authenticate(asked(new.secret)) == (ada, new.token)
    past = timezone.now() - timedelta(days=2)
    ApiToken.objects.update(created_at=past, expires_at=past + timedelta(days=1))
    with pytest.raises(AuthenticationFailed, match="This token expired on") as failed:
        of(asked(new.secret))
    assert failed.value.get_codes() == "expired_token"
    revoke_token(token=new.token)
    with pytest.raises(AuthenticationFailed, match="This token was revoked") as failed:
        of(asked(new.secret))
    assert failed.value.get_codes() == "revoked_token"
    assert TokenAuthentication().authenticate_header(asked()) == 'Bearer realm="plumbline"'


def test_scopes_are_asked_of_tokens_alone(ada):
    class View:
        scope = "review"

    token = create_token(user=ada, name="x", scopes=["read", "submit"], days=3).token
    request = asked()
    request.auth = token
    allowed = TokenHasScope().has_permission
    assert allowed(request, View())
    request.method = "POST"
    assert allowed(request, object())
    with pytest.raises(ScopeDenied, match="a token with the scope “review”; this one has: read, submit") as denied:
        allowed(request, View())
    assert denied.value.get_codes() == "wrong_scope"
    request.auth = None
    assert allowed(request, View())
    require_scope(request, "review")


# --- what allauth asks


def test_keys_of_second_factors_are_encrypted_and_read_with_former_secrets(settings):
    adapter = SecondFactorAdapter()
    encrypted = adapter.encrypt("JBSWY3DPEHPK3PXP")
    assert "JBSWY3DPEHPK3PXP" not in encrypted
    assert adapter.decrypt(encrypted) == "JBSWY3DPEHPK3PXP"
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another secret"
    assert adapter.decrypt(encrypted) == "JBSWY3DPEHPK3PXP"
    renewed = adapter.encrypt("JBSWY3DPEHPK3PXP")
    settings.SECRET_KEY_FALLBACKS = []
    assert adapter.decrypt(renewed) == "JBSWY3DPEHPK3PXP"
    with pytest.raises(Locked, match="SECRET_KEY_FALLBACKS"):
        adapter.decrypt(encrypted)
    assert adapter.get_totp_label(User(username="ada")) == "ada"


@pytest.mark.parametrize(
    ("data", "full_name"),
    [
        ({"name": "Ada  Lovelace", "first_name": "A", "last_name": "B"}, "Ada Lovelace"),
        ({"first_name": "Ada", "last_name": "Lovelace"}, "Ada Lovelace"),
        ({"first_name": None, "last_name": "Lovelace"}, "Lovelace"),
        ({"first_name": "Ada", "last_name": None}, "Ada"),
        ({"name": "Ada\u202eLovelace"}, ""),
        ({"name": "a" * 151}, ""),
        ({"name": "a" * 150}, "a" * 150),
        ({}, ""),
    ],
)
def test_what_a_service_tells_is_taken_as_a_suggestion(data, full_name):
    told = {"login": "ada", "html_url": "https://github.com/ada", "bio": "private", "email": "x@example.org"}
    account = SocialAccount(provider="github", uid="7", extra_data=told)
    login = SocialLogin(user=User(), account=account)
    user = SocialAccountAdapter().populate_user(sent(), login, {"username": "a" * 60} | data)
    assert (user.full_name, user.username) == (full_name, "a" * 40)
    assert account.extra_data == {"login": "ada", "html_url": "https://github.com/ada"}


def test_an_address_has_at_most_254_characters(settings):
    adapter = AccountAdapter()
    assert adapter.clean_email("a" * 254) == "a" * 254
    with pytest.raises(ValidationError, match="at most 254 characters") as refused:
        adapter.clean_email("a" * 255)
    assert refused.value.code == "max_length"
    assert adapter.get_client_ip(sent("192.0.2.7")) == "192.0.2.7"
    settings.SITE_URL = "https://plumbline.example.org"
    assert adapter.get_reset_password_from_key_url("1a-set-key") == (
        "https://plumbline.example.org/accounts/password/reset/key/1a-set-key/"
    )
    assert adapter.get_password_change_redirect_url(sent()) == "/accounts/"


def test_the_mail_of_a_sign_up_is_none_that_is_sent_again(ada, mailoutbox):
    address = EmailAddress.objects.create(user=ada, email="new@example.org")
    adapter = AccountAdapter(sent())
    for _ in range(7):
        adapter.send_confirmation_mail(sent(), EmailConfirmationHMAC(address), signup=True)
    for _ in range(5):
        adapter.send_confirmation_mail(sent(), EmailConfirmationHMAC(address), signup=False)
    with pytest.raises(Limited, match="was sent too often"):
        adapter.send_confirmation_mail(sent(), EmailConfirmationHMAC(address), signup=False)
    assert [mail.to for mail in mailoutbox] == [["new@example.org"]] * 12


def test_services_are_offered_by_their_own_names(settings):
    settings.LOGIN_SERVICES = []
    assert login_services() == []
    assert [service_label(name) for name in ("orcid", "github", "gitlab")] == ["ORCID", "GitHub", "gitlab"]
    settings.EMAIL_BACKEND = "registry.core.mail.KeptMail"
    assert is_mail_kept()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    assert not is_mail_kept()


# --- forms


def test_forms_take_what_may_be(ada):
    assert ProfileForm({"full_name": "a" * 150}).is_valid()
    assert ProfileForm({}).is_valid()
    assert not ProfileForm({"full_name": "a" * 151}).is_valid()
    good = {"name": "a" * 100, "scopes": ["read"], "days": "365"}
    assert TokenForm(good).is_valid()
    for wrong in ({"name": "a" * 101}, {"scopes": ["x"]}, {"days": "366"}, {"days": "0"}, {"name": ""}):
        assert set(TokenForm(good | wrong).errors) == set(wrong)
    assert (TokenForm()["days"].value(), TokenForm()["scopes"].value()) == (90, ["read"])
    deletion = DeletionForm({"username": "ADA"}, user=ada)
    assert deletion.errors["username"] == ["This is not your user name."]
    assert DeletionForm({"username": "ada"}, user=ada).is_valid()
    role = {"role": "editor", "reason": "a" * 1000}
    assert RoleForm(role).is_valid()
    assert not RoleForm(role).fields["is_active"].required
    assert set(RoleForm({"role": "king", "reason": "a" * 1001}).errors) == {"role", "reason"}
    labels = {
        name: field.label for form in (ProfileForm, TokenForm, RoleForm) for name, field in form.base_fields.items()
    }
    assert labels == {
        "full_name": "Full name",
        "name": None,
        "scopes": "It may",
        "days": "Days until it expires",
        "role": None,
        "is_active": "May sign in",
        "reason": None,
    }


# --- forms that came from nobody


def visitor(path="/submit/?a=1", user=None, session=None, **fields):
    request = RequestFactory().post(path, fields)
    request.session, request.user = {} if session is None else session, user or AnonymousUser()
    return request


def test_what_was_typed_is_kept_under_its_path_for_who_signs_in(ada):
    request = visitor()
    given = {"system": "Model X", "step": "submit", "use": "x", "csrfmiddlewaretoken": "y", "notes": ""}
    response = keeping.keep_for_later(request, given)
    assert response.url == "/accounts/login/?next=%2Fsubmit%2F"
    assert keeping.read_kept(request) is None, "nobody is signed in yet"
    request.user = ada
    assert keeping.kept_fields(request, "/submit/") == [["system", "Model X"], ["notes", ""]]
    assert keeping.kept_fields(request, "/other/") == []
    assert keeping.read_kept(request).dict() == {"system": "Model X", "notes": ""}
    other = visitor("/other/", ada, request.session)
    assert keeping.read_kept(other) is None
    keeping.forget_kept(other)
    assert keeping.read_kept(request) is not None
    keeping.forget_kept(request)
    assert keeping.read_kept(request) is None


def test_what_is_too_much_is_not_kept(monkeypatch):
    monkeypatch.setattr(keeping, "MAX_KEPT", 10)
    request = visitor()
    assert keeping.keep_for_later(request, {"a": "x" * 11}) is None
    assert request.session == {}
    assert keeping.keep_for_later(request, {"a": "x" * 4, "b": "y" * 6}) is not None
    assert keeping.keep_for_later(visitor("/other/", session=request.session), {"a": "x"}) is None
    assert keeping.keep_for_later(visitor(session=request.session), {"a": "x" * 10}) is not None
