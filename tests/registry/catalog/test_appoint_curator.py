"""Curators of collections: appointed and dismissed by editors, with a reason, in the journal."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.test import Client

from registry.catalog.access import can_edit_collection, get_editable_collection, is_curator
from registry.catalog.models import Collection
from registry.catalog.services import appoint_curator
from registry.journal.models import Entry
from tests.registry import factory
from tests.registry.accounts.people import browser_of, make_administrator, make_person

PAGE = "/collections/robust04/curators/"


@pytest.fixture
def collection():
    return factory.make_collection("robust04", name="Robust 2004", aliases=["robust"])


@pytest.fixture
def ada():
    return make_person()


@pytest.fixture
def editor():
    return make_person("grace", is_editor=True)


def appoint(client, username="ada", reason="made the judgements"):
    return client.post(PAGE, {"username": username, "reason": reason})


def dismiss(client, curator, reason="asked for it"):
    return client.post(f"{PAGE}{curator.pk}/dismiss/", {"reason": reason})


def test_an_editor_appoints_and_dismisses(collection, ada, editor):
    client = browser_of(editor)
    assert appoint(client)["Location"] == PAGE
    assert b"ada looks after Robust 2004 from now on." in client.get(PAGE).content
    curator = collection.curators.get()
    assert curator.user == ada
    assert dismiss(client, curator)["Location"] == PAGE
    assert b"ada looks after Robust 2004 no longer." in client.get(PAGE).content
    assert not collection.curators.exists()
    entries = list(Entry.objects.order_by("pk").values_list("action", "subject_id", "reason", "after", "actor"))
    assert entries == [
        ("catalog.curator.appointed", "robust04", "made the judgements", {"user": ada.pk}, editor.pk),
        ("catalog.curator.dismissed", "robust04", "asked for it", {"user": ada.pk}, editor.pk),
    ]


@pytest.mark.parametrize(("username", "reason"), [("nobody", "x"), ("", "x"), ("ada", ""), ("ada", "a\u202eb")])
def test_what_is_wrong_is_said_and_what_was_typed_stays(collection, ada, editor, username, reason):
    response = appoint(browser_of(editor), username, reason)
    assert response.status_code == 200
    assert response.context["form"].errors
    assert f'value="{username}"' in response.content.decode() or not username
    assert not collection.curators.exists()


def test_dismissing_takes_a_reason(collection, ada, editor):
    curator = appoint_curator(collection=collection, user=ada, actor=editor, reason="x")
    client = browser_of(editor)
    dismiss(client, curator, reason="")
    assert collection.curators.exists()
    assert b"Say why." in client.get(PAGE).content


def test_others_may_not(collection, ada):
    curator = appoint_curator(collection=collection, user=ada, actor=None, reason="x")
    assert Client().get(PAGE)["Location"] == f"/accounts/login/?next={PAGE}"
    client = browser_of(ada)
    assert client.get(PAGE).status_code == 403
    assert appoint(client).status_code == 403
    assert dismiss(client, curator).status_code == 403
    assert collection.curators.exists()


def test_curators_edit_their_collections_and_editors_all(collection, ada, editor):
    other = factory.make_collection()
    appoint_curator(collection=collection, user=ada, actor=editor, reason="x")
    assert get_editable_collection(ada, "robust") == collection
    assert list(Collection.objects.curated_by(ada)) == [collection]
    assert is_curator(ada)
    assert not is_curator(editor)
    assert not can_edit_collection(ada, other)
    for user in (editor, make_administrator()):
        assert can_edit_collection(user, collection)
        assert can_edit_collection(user, other)
    with pytest.raises(PermissionDenied, match="Only editors and the curators of"):
        get_editable_collection(ada, other.slug)
    with pytest.raises(Http404):
        get_editable_collection(ada, "none")


def test_strangers_and_suspended_curators_edit_nothing(collection, ada, editor):
    appoint_curator(collection=collection, user=ada, actor=editor, reason="x")
    ada.is_active = False
    for user in (ada, AnonymousUser()):
        assert not can_edit_collection(user, collection)
        with pytest.raises(PermissionDenied):
            get_editable_collection(user, "robust04")


def test_curators_need_a_second_factor_where_the_site_says_so(collection, ada, editor, settings):
    settings.PLUMBLINE_REQUIRE_SECOND_FACTOR = True
    appoint_curator(collection=collection, user=ada, actor=editor, reason="x")
    with pytest.raises(PermissionDenied, match="second factor"):
        get_editable_collection(ada, "robust04")
