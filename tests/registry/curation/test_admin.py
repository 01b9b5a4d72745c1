"""What administrators see of what was decided, and that they change nothing of it there."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.urls import reverse

from tests.registry.factory import make_user

pytestmark = pytest.mark.django_db


def test_everything_that_was_decided_can_be_looked_at_and_not_changed(client):
    client.force_login(make_user("root", is_staff=True, is_superuser=True))
    models = apps.get_app_config("curation").get_models()
    shown = {model.__name__ for model in models if admin.site.is_registered(model)}
    decided = {"LineageDecision", "TrainingDeclaration", "Oddity", "OddityDecision", "CautionAnswer", "CautionDecision"}
    assert {"Lineage", "Suite", "SuiteMember"} | decided <= shown
    for name in sorted(shown):
        assert client.get(reverse(f"admin:curation_{name.lower()}_changelist")).status_code == 200
        assert client.get(reverse(f"admin:curation_{name.lower()}_add")).status_code == 403
