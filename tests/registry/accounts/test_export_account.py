"""Taking along everything that the registry keeps about oneself."""

import json

import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount

from registry.accounts.services import create_token, set_orcid, set_role
from registry.catalog.services import appoint_curator
from tests.registry import factory
from tests.registry.accounts.people import PASSWORD, browser_of, make_administrator, make_person
from tests.registry.accounts.test_second_factor import set_up

PAGE = "/accounts/export/"


@pytest.fixture
def ada():
    return make_person(full_name="Ada Lovelace")


def export(client):
    response = client.get(PAGE)
    assert response["Content-Disposition"] == 'attachment; filename="plumbline-ada.json"'
    assert response["Content-Type"] == "application/json"
    assert response["Cache-Control"] == "no-store"
    return json.loads(response.content)


def test_it_has_everything_of_ones_own(ada):
    set_orcid(user=ada, orcid="0000-0002-1825-0097")
    client = browser_of(ada)
    set_up(client)
    create_token(user=ada, name="nightly", scopes=["read"], days=3)
    collection = factory.make_collection("robust04")
    appoint_curator(collection=collection, user=ada, actor=None, reason="")
    factory.make_entry("results.file.loaded", actor=ada, reason="from the paper")
    document = export(client)
    assert (
        document["account"].items()
        >= {
            "username": "ada",
            "email": "ada@example.org",
            "full_name": "Ada Lovelace",
            "orcid": "0000-0002-1825-0097",
            "role": "contributor",
        }.items()
    )
    assert document["email_addresses"] == [{"email": "ada@example.org", "verified": True, "primary": True}]
    assert {factor["type"] for factor in document["second_factors"]} == {"totp", "recovery_codes"}
    assert [(token["name"], token["scopes"]) for token in document["tokens"]] == [("nightly", ["read"])]
    assert [(entry["action"], entry["reason"]) for entry in document["journal"]] == [
        ("results.file.loaded", "from the paper")
    ]
    assert [role["collection"] for role in document["curated"]] == ["robust04"]


def test_it_has_no_secrets(ada):
    client = browser_of(ada)
    key, codes = set_up(client)
    secret = create_token(user=ada, name="nightly", scopes=["read"], days=3).secret
    text = json.dumps(export(client))
    for secret_text in (ada.password, PASSWORD, key, codes[0], secret, ada.api_tokens.get().digest):
        assert secret_text not in text


def test_it_has_nothing_of_others(ada):
    root = make_administrator()
    grace = make_person("grace")
    set_role(user=grace, role=grace.Role.EDITOR, actor=root, reason="of others")
    create_token(user=grace, name="of others", scopes=["read"], days=3)
    SocialAccount.objects.create(user=grace, provider="github", uid="of others")
    Authenticator.objects.create(user=grace, type=Authenticator.Type.TOTP, data={})
    document = export(browser_of(ada))
    assert document["second_factors"] == document["journal"] == []
    text = json.dumps(document)
    assert "grace" not in text
    assert "of others" not in text
