"""People of the site for the browser, made while it is prepared: one for each test that needs somebody."""

import json
import time
from pathlib import Path

#: Where their names and sessions are, in the home of the site.
PEOPLE = "people.json"
_HOW_MANY = {"": 30, "editor": 6, "administrator": 1}


def make_people() -> None:
    """Make people with verified addresses, one password and a session each, and write them to the home of the site."""
    from allauth.account.models import EmailAddress
    from django.conf import settings
    from django.contrib.auth.hashers import make_password
    from django.test import Client

    from registry.accounts.models import User
    from registry.accounts.services import set_role
    from tests.registry.accounts.people import PASSWORD

    password = make_password(PASSWORD)
    by_role: dict[str, list[dict[str, str]]] = {}
    for role, n in _HOW_MANY.items():
        for number in range(n):
            name = f"{role or 'reader'}-{number}"
            email = f"{name}@example.org"
            user = User.objects.create(username=name, email=email, password=password)
            if role:
                set_role(user=user, role=User.Role(role), actor=None, reason="for the tests")
            EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
            client = Client()
            client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[0])
            session = client.session
            session["account_authentication_methods"] = [{"method": "password", "at": time.time(), "email": email}]
            session.save()
            by_role.setdefault(role, []).append({"name": name, "session": session.session_key})
    Path(settings.HOME, PEOPLE).write_text(json.dumps(by_role))
