"""docs/security.md goes through the whole standard, and what it names is there."""

import re
from collections import Counter

import yaml

from tests.databases import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROWS = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if re.match(r"\| \d+\.\d+\.\d+[, ]", line)]
#: The items of levels 1 and 2, by section. OWASP ASVS 5.0.0, its CSV file.
ITEMS = """
1.1.1-2 1.2.1-9 1.3.1-11 1.4.1-3 1.5.1-2 2.1.1-3 2.2.1-3 2.3.1-4 2.4.1-1 3.2.1-2 3.3.1-4 3.4.1-6 3.5.1-5 3.7.1-2 4.1.1-3
4.2.1-1 4.3.1-2 4.4.1-4 5.1.1-1 5.2.1-3 5.3.1-2 5.4.1-3 6.1.1-3 6.2.1-12 6.3.1-4 6.4.1-4 6.5.1-5 6.6.1-3 6.8.1-4 7.1.1-3
7.2.1-4 7.3.1-2 7.4.1-5 7.5.1-2 7.6.1-2 8.1.1-2 8.2.1-3 8.3.1-1 8.4.1-1 9.1.1-3 9.2.1-4 10.1.1-2 10.2.1-2 10.3.1-4
10.4.1-11 10.5.1-5 10.6.1-2 10.7.1-3 11.1.1-2 11.2.1-3 11.3.1-3 11.4.1-4 11.5.1-1 11.6.1-1 12.1.1-3 12.2.1-2 12.3.1-4
13.1.1-1 13.2.1-5 13.3.1-2 13.4.1-5 14.1.1-2 14.2.1-4 14.3.1-3 15.1.1-3 15.2.1-3 15.3.1-7 16.1.1-1 16.2.1-5 16.3.1-4
16.4.1-3 16.5.1-3 17.1.1-1 17.2.1-4 17.3.1-2
"""


def test_every_item_of_level_2_is_answered_once() -> None:
    asked = [
        f"{section}.{number}"
        for section, first, last in re.findall(r"(\d+\.\d+)\.(\d+)-(\d+)", ITEMS)
        for number in range(int(first), int(last) + 1)
    ]
    answered = Counter(item for items, *_ in ROWS for item in items.split(", "))
    assert answered == Counter(asked)
    assert f"The {len(asked)} items" in PAGE
    assert {row[1] for row in ROWS} == {"holds", "part", "no", "none"}


def test_every_test_and_setting_that_it_names_is_there() -> None:
    named = {name for row in ROWS for name in re.findall(r"`([a-z]+/[a-z_/]+(?:\.py)?)`", row[2])} - {"var/static"}
    files = {name: ROOT / (name if name.endswith(".py") else re.sub(r"^(.*/)", r"tests/registry/\1test_", name) + ".py")
             for name in named}  # fmt: skip
    assert len(files) > 40
    assert [name for name, path in files.items() if not path.exists()] == []
    settings = (ROOT / "registry" / "settings.py").read_text(encoding="utf-8")
    said = {name for row in ROWS for name in re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", row[2])}
    assert [name for name in said if not re.search(rf"\b{name}\b", settings)] == []
    assert len(PAGE.encode()) <= 20_000


def test_the_audit_asks_of_all_that_is_installed_and_stops_at_what_is_known() -> None:
    steps = yaml.safe_load((ROOT / ".github" / "workflows" / "audit.yml").read_text())["jobs"]["packages"]["steps"]
    assert steps[-1]["run"] == "pip-audit --require-hashes --disable-pip --strict -r requirements-test.lock"
    site, everything = ((ROOT / name).read_text() for name in ("requirements.lock", "requirements-test.lock"))
    assert set(re.findall(r"^\S+==\S+", site, flags=re.MULTILINE)) <= set(
        re.findall(r"^\S+==\S+", everything, flags=re.MULTILINE)
    )
