"""A real site for the browser: its own home, a part of the shipped data, analysed, served by Granian."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import PEOPLE
from tests.browser.stocked import environment_of, stocked
from tests.databases import ROOT, collect_static_files, loaded_sqlite
from tests.registry.core.lab import answers, free_port, until

# What a page shows in time on a quiet machine, it shows later where others work too.
expect.set_options(timeout=20_000)

#: Does what it is sent, a line each: starting Django costs more than most of that.
DOING = """
import contextlib, json, sys
import django
django.setup()
from django.db import connections
for line in sys.stdin:
    with contextlib.redirect_stdout(sys.stderr):
        exec(json.loads(line), {})
    connections.close_all()
    print("done", flush=True)
"""

PREPARATION = """
from django.core.management import call_command
origin = {"role": "trec_run", "year": "2019", "source": "CLEF-TAR/tar"}
leaderboard = {"collection": "clef-tar-2019-abs", "measure": "AP"}
call_command("load_topic_scores", "data/topic_scores/clef-tar-2019-abs__AP.csv", **leaderboard, **origin, verbosity=0)
call_command("recompute", "clef-tar-2019-abs", "AP", verbosity=0)
from registry.tools.models import TopicStudy
from registry.tools.pairs import queries, services
TopicStudy.keep(services.study_leaderboard(queries.scored_leaderboards().get().pk))
from tests.browser.people import make_people
make_people()
"""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what publishes after what reads, so that no count hangs on the order of tests."""
    items.sort(key=lambda item: item.get_closest_marker("publishes") is not None)


@pytest.fixture(autouse=True)
def closed(browser: Browser) -> Iterator[None]:
    """What a test opens is closed after it."""
    open_before = browser.contexts
    yield
    for context in browser.contexts:
        if context not in open_before:
            context.close()


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables of the site's processes."""
    return environment_of(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def do(environment: dict[str, str]) -> Iterator[Callable[[str], None]]:
    """Has a process of the site do what a text in Python says."""
    home = Path(environment["PLUMBLINE_HOME"])
    shutil.copyfile(loaded_sqlite(), home / "plumbline.sqlite3")
    collect_static_files(home)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", DOING], cwd=ROOT, env=environment, **pipes) as process:

        def do_it(text: str) -> None:
            print(json.dumps(text), file=process.stdin, flush=True)
            assert process.stdout.readline() == "done\n"

        yield do_it


@pytest.fixture(scope="session")
def site(environment: dict[str, str], do: Callable[[str], None]) -> Iterator[str]:
    """The address of the site, without a slash at its end."""
    do(PREPARATION)
    with served(environment) as address:
        yield address


@pytest.fixture(scope="session")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site with leaderboards of models, of papers and of runs with scores by topic."""
    with stocked(tmp_path_factory.mktemp("stock"), served) as address:
        yield address


@contextmanager
def served(environment: dict[str, str]) -> Iterator[str]:
    """Yield the address of the site of this home, for as long as it is needed."""
    port = free_port()
    application = ["--application", "tests.browser.serving:application"]
    command = [sys.executable, "-m", "registry.serving", "--port", str(port), *application]
    server = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        until(lambda: answers(port), 180, "the site answers")
        urlopen(f"http://127.0.0.1:{port}/", timeout=180).close()
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)


@pytest.fixture(scope="session")
def people(site: str, environment: dict[str, str]) -> dict[str, list[dict[str, str]]]:
    """Whom nobody has been yet, by role."""
    by_role: dict[str, list[dict[str, str]]] = json.loads(Path(environment["PLUMBLINE_HOME"], PEOPLE).read_text())
    return by_role


@pytest.fixture
def sign_in(site: str, people: dict[str, list[dict[str, str]]]) -> Callable[..., str]:
    """Makes a browser that of somebody new, who has signed in; the user name.

    How a newcomer makes an account is tested on the forms themselves; everybody else would wait for those.
    """

    def sign_in_as_somebody(page: Page, role: str = "") -> str:
        somebody = people[role].pop()
        page.context.add_cookies([{"name": "sessionid", "value": somebody["session"], "url": site}])
        return somebody["name"]

    return sign_in_as_somebody


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    """With a Chromium from the path where ./test has not chosen one."""
    chromium = os.environ.get("PLUMBLINE_CHROMIUM") or shutil.which("chromium")
    return browser_type_launch_args | ({"executable_path": chromium} if chromium else {})
