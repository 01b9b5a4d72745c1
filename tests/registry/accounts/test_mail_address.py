"""Where mail reaches somebody."""

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from registry.accounts.models import User
from tests.registry.accounts.people import make_person
from tests.registry.factory import make_user

pytestmark = pytest.mark.django_db


def test_it_is_the_address_that_they_proved_theirs():
    ada = make_person()
    EmailAddress.objects.create(user=ada, email="later@example.org", verified=False, primary=False)
    EmailAddress.objects.create(user=ada, email="old@example.org", verified=True, primary=False)
    make_person("grace")
    assert ada.mail_address == "ada@example.org"


def test_who_proved_none_has_left_or_is_suspended_gets_none():
    assert make_user("new", email="new@example.org").mail_address == ""
    claimed = make_person("claimed")
    EmailAddress.objects.filter(user=claimed).update(verified=False)
    assert claimed.mail_address == ""
    other = make_person("other")
    EmailAddress.objects.filter(user=other).update(primary=False)
    assert other.mail_address == ""
    assert make_person("suspended", is_active=False).mail_address == ""
    gone = make_person("gone")
    assert User(pk=gone.pk, username="gone", is_active=True, deleted_at=timezone.now()).mail_address == ""
