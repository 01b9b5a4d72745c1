"""What is installed to run the site is what the site uses, and what that brings along: nothing more, nothing less."""

import platform
import re
import tomllib
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, metadata, packages_distributions, requires, version

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.test_architecture import FILES, ROOT, imported_modules

#: Needed without an import of ours.
USED_OTHERWISE = {
    "psycopg": "Django's driver for PostgreSQL",
    "argon2-cffi": "Django's hasher of passwords",
    "cryptography": "allauth encrypts keys of second factors",
    "fido2": "allauth's second factors import it",
    "qrcode": "allauth draws the key of a second factor",
    "requests": "allauth asks ORCID and GitHub with it",
    "granian": "./run starts it",
    "plotly": "its plotly.min.js draws the figures in browsers, and its objects check them in the tests",
    "ir-measures": "names the measures; runs will be scored with it",
    "redis": "Django's cache and Celery's broker",
}


def lowest_python() -> str:
    """Return the first release of the lowest Python that the README names."""
    found = re.search(r"need Python (\d\.\d+) or newer", (ROOT / "README.md").read_text())
    assert found
    return f"{found[1]}.0"


def newest_python() -> str:
    """Return the first release of the newest Python that ./run looks for."""
    minors = re.findall(r"python3\.(\d+)", (ROOT / "tools/find-python").read_text())
    return f"3.{max(map(int, minors))}.0"


def pinned(file: str) -> tuple[list[Requirement], list[Requirement]]:
    """Return what was chosen, and what that brings along."""
    chosen, brought = (
        [Requirement(line) for line in part.splitlines() if line[0] not in "#-"]
        for part in (ROOT / file).read_text().split("\n\n")
    )
    return chosen, brought


def names_of(requirements: Iterable[Requirement]) -> set[str]:
    """Return their names, as package indexes spell them."""
    return {canonicalize_name(requirement.name) for requirement in requirements}


def holds(requirement: Requirement, python: str, extra: str = "") -> bool:
    """Return whether it is asked for on this release of Python."""
    release = {"python_version": python.rpartition(".")[0], "python_full_version": python}
    return requirement.marker is None or requirement.marker.evaluate({**release, "extra": extra})


def everything_below(chosen: list[Requirement], python: str) -> set[str]:
    """Return the names of all packages that these need on this release of Python."""
    needed_names: set[str] = set()
    waiting = [(requirement, extra) for requirement in chosen for extra in (*requirement.extras, "")]
    while waiting:
        package, extra = waiting.pop()
        for text in needs_of(package.name):
            needed = Requirement(text)
            name = canonicalize_name(needed.name)
            if holds(needed, python, extra) and name not in needed_names:
                needed_names.add(name)
                waiting += [(needed, one) for one in (*needed.extras, "")]
    return needed_names - names_of(chosen)


def needs_of(name: str) -> list[str]:
    """Return what a package asks for; nothing where only another Python needs it, and it is not installed here."""
    try:
        return requires(name) or []
    except PackageNotFoundError:
        return []


def test_what_is_chosen_is_used_and_what_is_used_is_chosen() -> None:
    chosen, _ = pinned("requirements.txt")
    names = names_of(chosen)
    packages = packages_distributions()
    modules = {module.split(".")[0] for path in FILES for module in imported_modules(path)}
    used = {canonicalize_name(name) for module in modules for name in packages.get(module, [])}
    assert used - names == set(), "imported, and not pinned in the first part of requirements.txt"
    assert names - used - USED_OTHERWISE.keys() == set(), "pinned for the site, which does not use it"


@pytest.mark.parametrize("file", ["requirements.txt", "requirements-test.txt"])
@pytest.mark.parametrize("python", [lowest_python(), newest_python()])
def test_what_is_chosen_brings_the_rest_along(python: str, file: str) -> None:
    chosen, brought = pinned("requirements.txt")
    if file == "requirements-test.txt":
        more, brought_more = pinned(file)
        chosen, brought = chosen + more, brought + brought_more
    assert names_of(one for one in brought if holds(one, python)) == everything_below(chosen, python)


@pytest.mark.parametrize("file", ["requirements.txt", "requirements-test.txt"])
def test_what_is_installed_is_what_is_pinned_held_against_its_digests(file: str) -> None:
    files = {file, "requirements.txt"}
    pins = {canonicalize_name(pin.name): pin.specifier for one in files for part in pinned(one) for pin in part}
    blocks = re.split(r"\n(?=\S)", (ROOT / file).with_suffix(".lock").read_text().strip())
    locked = {canonicalize_name((pin := Requirement(one.split(" \\\n")[0])).name): pin for one in blocks}
    # Some others are needed on systems that are not ours.
    elsewhere = {name for name, pin in locked.items() if pin.marker and not pin.marker.evaluate()} - pins.keys()
    assert {name: pin.specifier for name, pin in locked.items() if name not in elsewhere} == pins, (
        f"Lock them anew as CONTRIBUTING.md says: uv pip compile {file} …"
    )
    assert [one for one in blocks if not re.fullmatch(r"[^\n]+( \\\n    --hash=sha256:[0-9a-f]{64})+", one)] == []


def test_what_others_need_is_still_there_to_be_needed() -> None:
    chosen, _ = pinned("requirements.txt")
    assert USED_OTHERWISE.keys() <= names_of(chosen)


def test_the_statistics_need_little_beside_numpy_and_scipy_files_add_yaml_and_runs_what_scores_them() -> None:
    packages = packages_distributions()
    needed: dict[str, set[str]] = {}
    for path in FILES:
        if path.is_relative_to(ROOT / "analysis"):
            part = {"readers": "files", "papers": "files", "runs": "runs"}.get(path.parts[len(ROOT.parts) + 1], "")
            found = {module.split(".")[0] for module in imported_modules(path)} & packages.keys()
            needed.setdefault(part, set()).update(found)
    # Where heads are signed or their signatures checked, and nowhere else.
    needed[""].discard("cryptography")
    assert needed[""] == {"lazy_loader", "msgspec", "numpy", "scipy"}
    assert needed["files"] - needed[""] == {"yaml"}
    assert needed["runs"] - needed[""] == {"backports", "ir_measures", "pyarrow"}


def test_every_pin_works_on_the_lowest_python_that_the_readme_names() -> None:
    files = ["requirements.txt", "requirements-test.txt"]
    here = platform.python_version()
    pins = [pin for file in files for part in pinned(file) for pin in part if holds(pin, here)]
    assert {pin.name: version(pin.name) for pin in pins if not pin.specifier.contains(version(pin.name))} == {}
    needed = {f"{pin}": metadata(pin.name).get("Requires-Python", "") for pin in pins}
    assert {pin: python for pin, python in needed.items() if not SpecifierSet(python).contains(lowest_python())} == {}


def test_the_packages_ask_for_the_same_python() -> None:
    for project in (ROOT, ROOT / "clients/python"):
        asked = tomllib.loads((project / "pyproject.toml").read_text())["project"]["requires-python"]
        assert f"{asked}.0" == f">={lowest_python()}"
