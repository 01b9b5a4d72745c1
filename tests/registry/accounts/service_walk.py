"""Signing in through ORCID and GitHub, walked by a process in which both are switched on; they answer from memory.

Prints, as JSON, what became of each walk: nothing where it went well, else what went wrong.
"""

import json
import sys
import traceback
from pathlib import Path
from types import FunctionType
from typing import Any
from urllib.parse import parse_qs, urlsplit

import django
import requests
from django.conf import settings

settings.STORAGES = settings.STORAGES | {
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
Path(settings.STATIC_ROOT).mkdir(exist_ok=True)
django.setup()

from allauth.socialaccount.models import SocialAccount  # noqa: E402 - Django must be set up first
from django.core import mail  # noqa: E402
from django.db import transaction  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402

from registry.accounts.adapters import SocialAccountAdapter  # noqa: E402
from registry.accounts.models import User  # noqa: E402
from tests.registry.accounts.people import browser_of, is_signed_in, make_person, sign_in  # noqa: E402
from tests.registry.accounts.test_second_factor import set_up  # noqa: E402

ORCID = "0000-0002-1825-0097"
PERSON = {"name": {"given-names": {"value": "Ada"}, "family-name": {"value": "Lovelace"}}, "biography": "private"}
ANSWERS: dict[str, Any] = {
    "https://pub.orcid.org/oauth/token": {"access_token": "t", "orcid": ORCID},
    f"https://pub.orcid.org/v3.0/{ORCID}/record": {
        "orcid-identifier": {"path": ORCID, "uri": f"https://orcid.org/{ORCID}"},
        "person": PERSON,
    },
    "https://github.com/login/oauth/access_token": {"access_token": "t"},
    "https://api.github.com/user": {
        "id": 42,
        "login": "adal",
        "name": "Ada\u202eLovelace",
        "html_url": "https://github.com/adal",
        "bio": "private",
    },
    "https://api.github.com/user/emails": [{"email": "ada@example.org", "primary": True, "verified": True}],
}


class Services(requests.adapters.BaseAdapter):
    """Both services, without a network."""

    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:
        response = requests.Response()
        response.status_code = 200
        response.headers["content-type"] = "application/json"
        response._content = json.dumps(ANSWERS[str(request.url).partition("?")[0]]).encode()
        return response

    def close(self) -> None:
        pass


def session_with_services(adapter: SocialAccountAdapter) -> requests.Session:
    session = requests.Session()
    session.mount("https://", Services())
    return session


def go(client: Client, service: str, process: str = "login") -> dict[str, str]:
    """Go to the service; what it is told in the address."""
    response = client.post(f"/accounts/{service}/login/?process={process}")
    assert response.status_code == 302, response.content
    return {name: values[0] for name, values in parse_qs(urlsplit(response["Location"]).query).items()}


def come_back(client: Client, service: str, process: str = "login", **changes: str) -> HttpResponse:
    """Go to the service, and come back from it with its consent."""
    request = go(client, service, process)
    return client.get(f"/accounts/{service}/login/callback/", {"code": "c", "state": request["state"]} | changes)


def finish(client: Client, **fields: str) -> HttpResponse:
    return client.post("/accounts/3rdparty/signup/", {"username": "ada", "email": "ada@example.org"} | fields)


def the_buttons_are_there() -> None:
    response = Client().get("/accounts/login/")
    assert b"Continue with ORCID" in response.content
    assert b"Continue with GitHub" in response.content
    policy = response["Content-Security-Policy"]
    assert "form-action 'self' https://orcid.org https://github.com" in policy, policy


def looking_does_not_leave_the_site() -> None:
    assert Client().get("/accounts/orcid/login/").status_code == 200


def orcid_makes_an_account_with_its_id() -> None:
    client = Client()
    assert come_back(client, "orcid")["Location"] == "/accounts/3rdparty/signup/"
    assert finish(client)["Location"] == "/accounts/confirm-email/"
    assert not is_signed_in(client)
    ada = User.objects.get()
    assert (ada.orcid, ada.full_name, ada.has_usable_password()) == (ORCID, "Ada Lovelace", False)
    assert ada.orcid_verified_at is not None
    assert mail.outbox[-1].subject == "[Plumbline] Verify your email address"


def of_what_a_service_tells_the_rest_is_dropped() -> None:
    for service, names in {"orcid": {"orcid-identifier"}, "github": {"login", "html_url"}}.items():
        client = Client()
        come_back(client, service)
        finish(client, username=f"of-{service}", email=f"{service}@example.org")
        account = SocialAccount.objects.get(provider=service)
        assert set(account.extra_data) == names
        come_back(Client(), service)
        account.refresh_from_db()
        assert set(account.extra_data) == names


def github_vouches_for_its_address() -> None:
    client = Client()
    come_back(client, "github")
    assert client.get("/accounts/3rdparty/signup/").context["form"].initial["username"] == "adal"
    assert finish(client)["Location"] == "/"
    assert is_signed_in(client)
    assert User.objects.get().full_name == "", "names that mislead are left out"
    assert mail.outbox == []


def another_address_is_proven_by_mail() -> None:
    client = Client()
    come_back(client, "github")
    finish(client, email="lovelace@example.org")
    assert not is_signed_in(client)
    assert mail.outbox[-1].to == ["lovelace@example.org"]


def the_second_time_it_signs_in() -> None:
    client = Client()
    come_back(client, "github")
    finish(client)
    again = Client()
    assert come_back(again, "github")["Location"] == "/"
    assert is_signed_in(again)
    assert User.objects.count() == 1


def a_service_does_not_open_an_account_by_its_address() -> None:
    make_person("grace", email="ada@example.org")
    client = Client()
    come_back(client, "github")
    finish(client, username="adal")
    assert not is_signed_in(client)
    assert mail.outbox[-1].subject == "[Plumbline] You have an account"
    assert not SocialAccount.objects.exists()


def connecting_verifies_the_id_and_disconnecting_takes_it() -> None:
    ada = make_person()
    client = browser_of(ada)
    assert come_back(client, "orcid", "connect")["Location"] == "/accounts/3rdparty/"
    ada.refresh_from_db()
    assert ada.orcid == ORCID
    account = SocialAccount.objects.get()
    assert client.post("/accounts/3rdparty/", {"account": account.pk}).status_code == 302
    ada.refresh_from_db()
    assert (ada.orcid, ada.orcid_verified_at) == ("", None)


def an_id_belongs_to_one_account() -> None:
    come_back(browser_of(make_person()), "orcid", "connect")
    grace = make_person("grace")
    come_back(browser_of(grace), "orcid", "connect")
    grace.refresh_from_db()
    assert grace.orcid == ""
    assert SocialAccount.objects.get().user.username == "ada"


def the_only_way_in_cannot_be_taken_away() -> None:
    client = Client()
    come_back(client, "github")
    finish(client)
    client.post("/accounts/3rdparty/", {"account": SocialAccount.objects.get().pk})
    assert SocialAccount.objects.count() == 1


def somebody_elses_connection_is_not_there() -> None:
    come_back(browser_of(make_person()), "orcid", "connect")
    other = browser_of(make_person("grace"))
    other.post("/accounts/3rdparty/", {"account": SocialAccount.objects.get().pk})
    assert SocialAccount.objects.count() == 1


def the_second_factor_is_asked_for() -> None:
    ada = make_person()
    client = browser_of(ada)
    come_back(client, "github", "connect")
    set_up(client)
    again = Client()
    assert come_back(again, "github")["Location"] == "/accounts/2fa/authenticate/"
    assert not is_signed_in(again)


def a_forged_return_opens_nothing() -> None:
    for changes in ({"state": "forged"}, {"state": ""}):
        client = Client()
        response = come_back(client, "orcid", **changes)
        assert response.status_code in {302, 401}, response.status_code
        assert b"That did not work" in client.get("/accounts/3rdparty/login/error/").content
        assert client.get("/accounts/3rdparty/signup/")["Location"] == "/accounts/login/"
    other = Client()
    request = go(Client(), "orcid")
    other.get("/accounts/orcid/login/callback/", {"code": "c", "state": request["state"]})
    assert other.get("/accounts/3rdparty/signup/")["Location"] == "/accounts/login/"


def turning_back_is_no_error() -> None:
    client = Client()
    request = go(client, "orcid")
    refused = {"error": "access_denied", "state": request["state"]}
    response = client.get("/accounts/orcid/login/callback/", refused, follow=True)
    assert b"You are not signed in" in response.content


def a_service_that_does_not_answer_is_said() -> None:
    client = Client()
    request = go(client, "github")
    answer = ANSWERS.pop("https://github.com/login/oauth/access_token")
    ANSWERS["https://github.com/login/oauth/access_token"] = {"error": "bad_verification_code"}
    response = client.get("/accounts/github/login/callback/", {"code": "c", "state": request["state"]}, follow=True)
    ANSWERS["https://github.com/login/oauth/access_token"] = answer
    assert b"That did not work" in response.content


def a_suspended_account_stays_closed() -> None:
    ada = make_person()
    come_back(browser_of(ada), "github", "connect")
    User.objects.update(is_active=False)
    client = Client()
    assert come_back(client, "github")["Location"] == "/accounts/inactive/"
    assert not is_signed_in(client)


def the_names_of_others_are_taken_here_too() -> None:
    make_person()
    client = Client()
    come_back(client, "orcid")
    assert finish(client, username="ADA", email="x@example.org").context["form"].errors["username"]
    assert sign_in(Client()).status_code == 302


FUNCTIONS = [value for value in globals().values() if isinstance(value, FunctionType)]
WALKS = [one for one in FUNCTIONS if one.__module__ == __name__ and not one.__code__.co_argcount]


def main() -> None:
    setup_test_environment()
    SocialAccountAdapter.get_requests_session = session_with_services
    outcomes = {}
    for walk in WALKS:
        mail.outbox.clear()
        outcomes[walk.__name__] = ""
        with transaction.atomic():
            try:
                walk()
            except Exception:  # noqa: BLE001 - whatever goes wrong is this walk's outcome
                outcomes[walk.__name__] = traceback.format_exc()
            transaction.set_rollback(True)
    json.dump(outcomes, sys.stdout)


if __name__ == "__main__":
    main()
