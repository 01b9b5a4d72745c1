"""The cast of tests about who may do what."""

from typing import Any

from django.test import Client

from registry.accounts.models import User
from registry.results.models import Result
from tests.registry.factory import make_entry, make_result, make_user
from tests.registry.submissions.world import make_published, make_robust04


def signed_in(user: User | None = None, **fields: Any) -> Client:
    """Return a browser in which this person is signed in."""
    client = Client()
    client.force_login(user or make_user(**fields))
    return client


def editor() -> User:
    return make_user(is_editor=True)


def make_handed_in(contributor: User, **fields: Any) -> Result:
    """Make a result that was published from this contributor's submission."""
    make_robust04()
    return make_published(contributor, **fields).rows.get().result


def make_batch(n: int, **fields: Any) -> tuple[Any, list[Result]]:
    """Make a journal entry, and as many results that it recorded."""
    entry = make_entry()
    return entry, [make_result(recorded_by=entry, **fields) for _ in range(n)]
