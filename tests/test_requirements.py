"""What is installed to run the site is what the site uses, and what that brings along: nothing more, nothing less."""

import re
import tomllib
from importlib.metadata import metadata, packages_distributions, requires, version

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


def pinned(file: str) -> tuple[list[Requirement], set[str]]:
    """What was chosen, and the names of what that brings along."""
    chosen, brought = (ROOT / file).read_text().split("\n\n")
    names = {canonicalize_name(Requirement(line).name) for line in brought.split()}
    return [Requirement(line) for line in chosen.splitlines() if line[0] not in "#-"], names


def everything_below(chosen: list[Requirement]) -> set[str]:
    """The names of all packages that these need, on this Python."""
    found: set[str] = set()
    waiting = [(requirement, extra) for requirement in chosen for extra in (*requirement.extras, "")]
    while waiting:
        package, extra = waiting.pop()
        for text in requires(package.name) or []:
            needed = Requirement(text)
            if needed.marker and not needed.marker.evaluate({"extra": extra}):
                continue
            name = canonicalize_name(needed.name)
            if name not in found:
                found.add(name)
                waiting += [(needed, one) for one in (*needed.extras, "")]
    return found - {canonicalize_name(requirement.name) for requirement in chosen}


def test_what_is_chosen_is_used_and_what_is_used_is_chosen() -> None:
    chosen, _ = pinned("requirements.txt")
    names = {canonicalize_name(requirement.name) for requirement in chosen}
    packages = packages_distributions()
    modules = {module.split(".")[0] for path in FILES for module in imported_modules(path)}
    used = {canonicalize_name(name) for module in modules for name in packages.get(module, [])}
    assert used - names == set(), "imported, and not pinned in the first part of requirements.txt"
    assert names - used - USED_OTHERWISE.keys() == set(), "pinned for the site, which does not use it"


def test_what_is_chosen_brings_the_rest_along() -> None:
    chosen, brought = pinned("requirements.txt")
    assert brought == everything_below(chosen)


def test_what_others_need_is_still_there_to_be_needed() -> None:
    chosen, _ = pinned("requirements.txt")
    assert USED_OTHERWISE.keys() <= {canonicalize_name(requirement.name) for requirement in chosen}


def test_the_statistics_need_little_beside_numpy_and_scipy_and_reading_adds_yaml() -> None:
    packages = packages_distributions()
    readers, statistics = set[str](), set[str]()
    for path in FILES:
        if path.is_relative_to(ROOT / "analysis"):
            found = readers if path.is_relative_to(ROOT / "analysis" / "readers") else statistics
            found |= {module.split(".")[0] for module in imported_modules(path)} & packages.keys()
    assert statistics == {"lazy_loader", "msgspec", "numpy", "scipy"}
    assert readers - statistics == {"yaml"}


def lowest_python() -> str:
    """The first release of the lowest Python that the README names."""
    found = re.search(r"need Python (\d\.\d+) or newer", (ROOT / "README.md").read_text())
    assert found
    return f"{found[1]}.0"


def test_every_pin_works_on_the_lowest_python_that_the_readme_names() -> None:
    files = [ROOT / "requirements.txt", ROOT / "requirements-test.txt"]
    lines = [line for file in files for line in file.read_text().splitlines()]
    pins = [Requirement(line) for line in lines if line and line[0] not in "#-"]
    assert {pin.name: version(pin.name) for pin in pins if not pin.specifier.contains(version(pin.name))} == {}
    needed = {f"{pin}": metadata(pin.name).get("Requires-Python", "") for pin in pins}
    assert {pin: python for pin, python in needed.items() if not SpecifierSet(python).contains(lowest_python())} == {}


def test_the_packages_ask_for_the_same_python() -> None:
    for project in (ROOT, ROOT / "clients/python"):
        asked = tomllib.loads((project / "pyproject.toml").read_text())["project"]["requires-python"]
        assert f"{asked}.0" == f">={lowest_python()}"
