"""Where mail reaches somebody."""

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from registry.accounts.models import User
from registry.accounts.queries import mail_address
from tests.registry.accounts.people import make_person
from tests.registry.factory import make_user

pytestmark = pytest.mark.django_db


def test_it_is_the_address_that_they_proved_theirs():
    ada = make_person()
    EmailAddress.objects.create(user=ada, email="later@example.org", verified=False, primary=False)
    EmailAddress.objects.create(user=ada, email="old@example.org", verified=True, primary=False)
    make_person("grace")
    assert mail_address(ada) == "ada@example.org"


def test_who_proved_none_has_left_or_is_suspended_gets_none():
    assert mail_address(make_user("new", email="new@example.org")) == ""
    claimed = make_person("claimed")
    EmailAddress.objects.filter(user=claimed).update(verified=False)
    assert mail_address(claimed) == ""
    other = make_person("other")
    EmailAddress.objects.filter(user=other).update(primary=False)
    assert mail_address(other) == ""
    assert mail_address(make_person("suspended", is_active=False)) == ""
    gone = make_person("gone")
    assert mail_address(User(pk=gone.pk, username="gone", is_active=True, deleted_at=timezone.now())) == ""
