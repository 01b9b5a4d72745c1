"""A real site that the client asks: a part of the shipped data, analysed, with a worker, served as ./run serves it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from plumbline import Site
from tests.databases import loaded_sqlite
from tests.registry.core.lab import Lab

_PERSON = """
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from registry.accounts.services import create_token
person = get_user_model().objects.create_user("ada")
EmailAddress.objects.create(user=person, email="ada@example.org", verified=True, primary=True)
print(create_token(user=person, name="client", scopes=["read", "submit"], days=1).secret)
"""
_JUDGEMENTS = """
from registry.catalog.models import Collection
from registry.runs.services.judging import put_judgements
robust04 = Collection.objects.get(slug="trec-2004-robust")
put_judgements(collection=robust04, content=b"301 0 good 1\\n301 0 bad 0\\n302 0 good 1\\n", source="a test")
"""


@dataclass(frozen=True)
class Served:
    """Where a site is, and the token of somebody there."""

    url: str
    token: str
    lab: Lab

    def dump(self) -> Path:
        """Export a dump, and return its folder."""
        return Path(self.lab.run("manage.py", "export_dump").partition(": ")[0])


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    lab = Lab(tmp_path_factory.mktemp("site"), template=loaded_sqlite())
    lab.environment.pop("LAB_JOB_LEASE_SECONDS")
    token = lab.run("manage.py", "shell", "-v0", "-c", _PERSON + _JUDGEMENTS).strip()
    port = lab.start_web()
    lab.start_worker("registry")
    yield Served(f"http://127.0.0.1:{port}/", token, lab)
    lab.close()


@pytest.fixture
def site(served: Served) -> Site:
    return Site(served.url, token=served.token)
