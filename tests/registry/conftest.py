"""What tests of the registry share; among it whole registries for tests of crashes and of simultaneous requests."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.databases import new_postgresql
from tests.registry.core.at_once import Simultaneous
from tests.registry.core.lab import Lab, RedisServer
from tests.registry.keeping import forget_kept_answers

#: Where tests say themselves whether they use the database: many are about processes that have one of their own.
SAY_THEMSELVES = {"core", "serving"}


def pytest_itemcollected(item: pytest.Item) -> None:
    """Have each test of an app use the database, and leave it as it was, where the test does not ask for more."""
    app = item.path.relative_to(Path(__file__).parent).parts[0]
    if app not in SAY_THEMSELVES and not item.get_closest_marker("django_db"):
        item.add_marker("django_db")


@pytest.fixture(autouse=True)
def alone(settings):
    """Rows of two tests have the same ids, so an answer kept by one would be taken for the other's; so would a dump."""
    forget_kept_answers()
    settings.DUMPS = settings.HOME / "no-dumps"


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


@pytest.fixture
def database_url() -> Iterator[str]:
    """An empty registry in a PostgreSQL database of its own."""
    with new_postgresql() as url:
        yield url


@pytest.fixture
def team_lab(tmp_path: Path, redis_server: RedisServer, database_url: str) -> Iterator[Lab]:
    lab = Lab(tmp_path, database_url, redis_server.url)
    yield lab
    lab.close()


@pytest.fixture(
    params=[
        pytest.param("embedded_lab", id="embedded", marks=pytest.mark.sqlite),
        pytest.param("team_lab", id="team", marks=[pytest.mark.postgres, pytest.mark.redis]),
    ]
)
def lab(request: pytest.FixtureRequest) -> Lab:
    found: Lab = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="session")
def simultaneous(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Simultaneous]:
    """Runs programs on any database of the kind that the tests run on; nobody listens at its broker."""
    home = tmp_path_factory.mktemp("simultaneous")
    url = os.environ.get("DATABASE_URL", "")
    broker = RedisServer(home) if url else None
    programs = Simultaneous(Lab(home, url, broker.url if broker else "").environment)
    yield programs
    programs.close()
    if broker:
        broker.kill()


@pytest.fixture
def at_once(lab: Lab, simultaneous: Simultaneous) -> Callable[..., list[str]]:
    """What programs print that begin at once, each in a process of its own, on the database of the lab."""
    return lambda *programs: simultaneous.run(lab.database, list(programs))
