"""What others see of somebody, and where one changes it."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from registry.accounts.models import User
from registry.accounts.services import set_orcid
from tests.registry import factory
from tests.registry.accounts.people import browser_of, make_person


@pytest.mark.parametrize("name", ["a" * 151, "Ada\u202eLovelace", "Ada\u200b"])
def test_names_that_mislead_are_refused(ada, name):
    response = browser_of(ada).post("/accounts/", {"full_name": name})
    assert response.context["form"].errors["full_name"]
    ada.refresh_from_db()
    assert ada.full_name == ""


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
