"""What every test shares: a throw-away home for the registry, plain static files, no network but this machine."""

import atexit
import gc
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django
import hypothesis
import pytest
from django.conf import settings
from django.db import connection

from tests.databases import create_test_database, drop_migrated_postgresql
from tests.thoroughness import examples_of, runs_here, runs_slow_tests

# Before NumPy is loaded: threads that wait for each other take many times the processor time of small matrices.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Before the settings are read for the first time.
if "PLUMBLINE_TEST_HOME" not in os.environ:
    os.environ["PLUMBLINE_TEST_HOME"] = tempfile.mkdtemp(prefix="plumbline-tests-")
    atexit.register(shutil.rmtree, os.environ["PLUMBLINE_TEST_HOME"], ignore_errors=True)
home = Path(os.environ["PLUMBLINE_TEST_HOME"], "home")
home.mkdir(exist_ok=True)
os.environ["PLUMBLINE_HOME"] = str(home)
os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
os.environ.setdefault("SECRET_KEY", "only-for-tests-only-for-tests-only-for-tests-only-for-tests")

# Without the manifest that collectstatic makes, and with a hasher that does not take a quarter of a second.
settings.STORAGES = settings.STORAGES | {
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}
settings.HOME = home
# As the test client calls the site.
settings.SITE_URL = "http://testserver"
# pytest-django knows that only of Django's own engine.
if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    settings.DATABASES["default"].setdefault("TEST", {})["NAME"] = ":memory:"
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
Path(settings.STATIC_ROOT).mkdir(exist_ok=True)
django.setup()
# The clock says nothing about code on a machine that does other work too.
hypothesis.settings.register_profile("plain", max_examples=25, deadline=None)
hypothesis.settings.register_profile("usual", max_examples=100, deadline=None)
hypothesis.settings.register_profile("thorough", max_examples=1000, deadline=None)


# What is collected stays to the end: it need not be looked through for what is no longer used.
gc.disable()

#: Marks of tests that another part of ``./test`` runs.
ELSEWHERE = {"sqlite", "postgres", "redis"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--approve", action="store_true", help="write what answers of the small world say now")


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_modify_db_settings: None, django_db_blocker: Any
) -> Iterator[None]:
    """The test database, copied from one that was migrated once: migrating costs six seconds a process."""
    name = connection.settings_dict["NAME"]
    with django_db_blocker.unblock():
        create_test_database(connection)
    yield
    with django_db_blocker.unblock():
        connection.creation.destroy_test_db(name, verbosity=0)


def pytest_unconfigure() -> None:
    """Leave no database behind."""
    drop_migrated_postgresql()


#: What Chromium does without: what Playwright switches off by the same option, of which the last one holds, and the
#: pages below the bar for addresses, which every window would open and which cost more than the page of a test.
SWITCHED_OFF = (
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,"
    "HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,"
    "AvoidCorsURLLoaderRestartOnRedirect,TcpPortRandomizationWin,OptimizationHints,NetworkTimeServiceQuerying,"
    "AimEnabled,PreconnectToSearch,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup"
)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    """Playwright's launch options, with the Chromium of this machine where ./test found one."""
    chromium = os.environ.get("PLUMBLINE_CHROMIUM")
    options: dict[str, object] = {"args": ["--no-sandbox", f"--disable-features={SWITCHED_OFF}"]}
    return browser_type_launch_args | options | ({"executable_path": chromium} if chromium else {})


def has_latex() -> bool:
    """Return whether LaTeX is here, and what the exported tables need of it."""
    if not (shutil.which("pdflatex") and shutil.which("kpsewhich")):
        return False
    return subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True).returncode == 0


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Few generated examples where a file is not thorough, and many where it is; settings hold as a module is read."""
    if isinstance(collector, pytest.Module):
        hypothesis.settings.load_profile(examples_of(collector.path))


def pytest_collection_finish() -> None:
    """Look for what is no longer used among that which tests make, and more seldom than Python does by itself."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    gc.enable()


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out files that ``./test`` runs on SQLite only."""
    return None if runs_here(collection_path) else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out slow tests where ``./test`` is not thorough; skip, saying so, what needs a server that is not there.

    Within ``./test`` what needs the other database has a part of its own, whose absence its summary tells, and what
    does not stays out of that.
    """
    slow = [item for item in items if item.get_closest_marker("slow") and not runs_slow_tests(item.path)]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in set(slow)]
    needed = {
        "sqlite": (connection.vendor == "sqlite", "needs SQLite: unset DATABASE_URL"),
        "postgres": ("postgresql" in settings.DATABASES["default"]["ENGINE"], "needs PostgreSQL: set DATABASE_URL"),
        "redis": (bool(settings.REDIS_URL), "needs Redis: set REDIS_URL"),
        "tex": (has_latex(), "needs pdflatex with booktabs: apt install texlive-latex-recommended"),
    }
    elsewhere = {item for item in items if not runs_here(item.path, getattr(item, "originalname", item.name))}
    for item in items:
        for mark, (is_there, reason) in needed.items():
            if not is_there and item.get_closest_marker(mark):
                item.add_marker(pytest.mark.skip(reason=reason))
                if mark in ELSEWHERE and os.environ.get("PLUMBLINE_THOROUGH"):
                    elsewhere.add(item)
    if elsewhere:
        config.hook.pytest_deselected(items=list(elsewhere))
        items[:] = [item for item in items if item not in elsewhere]
