"""What tests of the registry share; among it whole registries for tests of crashes and of simultaneous requests."""

import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.registry.core.lab import Lab, RedisServer, run_python
from tests.registry.keeping import forget_kept_answers


@pytest.fixture(autouse=True)
def no_kept_answers():
    """Rows of two tests have the same ids, so an answer kept by one would be taken for the other's."""
    forget_kept_answers()


@pytest.fixture
def embedded_lab(tmp_path: Path) -> Iterator[Lab]:
    if os.environ.get("DATABASE_URL"):
        pytest.skip("the embedded registry is tested without DATABASE_URL")
    lab = Lab(tmp_path)
    yield lab
    lab.close()


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisServer]:
    if shutil.which("redis-server") is None:
        pytest.skip("needs redis-server on the path, to have one that can be emptied")
    server = RedisServer(tmp_path)
    yield server
    server.kill()


@contextmanager
def new_database(template: str = "template1") -> Iterator[str]:
    """Where a PostgreSQL database is, made beside the one of DATABASE_URL as a copy of the template."""
    server = urlsplit(os.environ["DATABASE_URL"])
    name = f"plumbline_chaos_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server._replace(path="/postgres").geturl(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield server._replace(path=f"/{name}").geturl()
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def migrated_database() -> Iterator[str]:
    """The name of a PostgreSQL database with every migration and no rows, which is only copied."""
    with new_database() as url:
        run_python("manage.py", "migrate", "-v0", environment=os.environ | {"DATABASE_URL": url})
        yield urlsplit(url).path[1:]


@pytest.fixture
def database_url(migrated_database: str) -> Iterator[str]:
    """An empty registry in a PostgreSQL database of its own."""
    with new_database(migrated_database) as url:
        yield url


@pytest.fixture
def team_lab(tmp_path: Path, redis_server: RedisServer, database_url: str) -> Iterator[Lab]:
    lab = Lab(tmp_path, database_url, redis_server.url)
    yield lab
    lab.close()


@pytest.fixture(
    params=[
        pytest.param("embedded_lab", id="embedded"),
        pytest.param("team_lab", id="team", marks=[pytest.mark.postgres, pytest.mark.redis]),
    ]
)
def lab(request: pytest.FixtureRequest) -> Lab:
    found: Lab = request.getfixturevalue(request.param)
    return found
