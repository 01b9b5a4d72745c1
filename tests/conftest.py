"""What every test shares: a throw-away home for the registry, plain static files, no network but this machine."""

import atexit
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import django
import pytest
from django.conf import settings

# Before the settings are read for the first time. Processes that share a test run (xdist) get a folder each in it.
if "PLUMBLINE_TEST_HOME" not in os.environ:
    os.environ["PLUMBLINE_TEST_HOME"] = tempfile.mkdtemp(prefix="plumbline-tests-")
    atexit.register(shutil.rmtree, os.environ["PLUMBLINE_TEST_HOME"], ignore_errors=True)
home = Path(os.environ["PLUMBLINE_TEST_HOME"], os.environ.get("PYTEST_XDIST_WORKER", "main"))
home.mkdir(exist_ok=True)
os.environ["PLUMBLINE_HOME"] = str(home)
os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
os.environ.setdefault("SECRET_KEY", "only-for-tests-only-for-tests-only-for-tests-only-for-tests")

# Without the manifest that collectstatic makes, and with a hasher that does not take a quarter of a second.
settings.STORAGES = settings.STORAGES | {
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
Path(settings.STATIC_ROOT).mkdir(exist_ok=True)
django.setup()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    """Playwright's launch options, with the Chromium of this machine where ./test found one."""
    chromium = os.environ.get("PLUMBLINE_CHROMIUM")
    options = {"args": ["--no-sandbox"]} | ({"executable_path": chromium} if chromium else {})
    return browser_type_launch_args | options


def has_latex() -> bool:
    """Whether LaTeX is here, and what the exported tables need of it."""
    if not (shutil.which("pdflatex") and shutil.which("kpsewhich")):
        return False
    return subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True).returncode == 0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip, saying so, what needs a server that is not there."""
    needed = {
        "postgres": ("postgresql" in settings.DATABASES["default"]["ENGINE"], "needs PostgreSQL: set DATABASE_URL"),
        "redis": (bool(settings.REDIS_URL), "needs Redis: set REDIS_URL"),
        "tex": (has_latex(), "needs pdflatex with booktabs: apt install texlive-latex-recommended"),
    }
    for item in items:
        for mark, (is_there, reason) in needed.items():
            if not is_there and item.get_closest_marker(mark):
                item.add_marker(pytest.mark.skip(reason=reason))
