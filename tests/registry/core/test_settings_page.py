"""docs/settings.md names every variable that the project reads, with its default, and no other."""

import ast
import re
from pathlib import Path

import pytest
import yaml

READERS = {"env_int", "env_bool", "env_choice", "env_hosts", "env_list", "env_origins", "env_redis", "env_text"}
#: Whose default follows from another setting, or is put in words.
ELSEWHERE = {"PLUMBLINE_HOME", "DATABASE_URL", "PLUMBLINE_MAIL_FROM", "PLUMBLINE_REQUIRE_SECOND_FACTOR"}
ROOT = Path(__file__).parents[3]
SOURCES = [
    ROOT / "registry" / "settings.py",
    ROOT / "tests" / "thoroughness.py",
    *(ROOT / "tools").glob("*.py"),
    ROOT / "tools" / "find-python",
]
PAGE = (ROOT / "docs" / "settings.md").read_text()
DEFAULTS = dict(re.findall(r"^\| `([A-Z_]+)` \| (.*?) \|", PAGE, flags=re.MULTILINE))


def read_variables() -> set[str]:
    text = "\n".join(path.read_text() for path in SOURCES)
    helpers = re.findall(r'env_\w+\(\s*"([A-Z_]+)"', text)
    direct = re.findall(r'os\.environ(?:\.get\(|\[)"([A-Z_]+)"', text)
    return {*helpers, *direct, *re.findall(r"\$\{([A-Z_]+):-", text)}


def test_every_variable_that_is_read_is_documented_and_no_other() -> None:
    assert read_variables() == set(DEFAULTS)


def test_what_a_team_writes_into_its_file_reaches_every_process() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    ours = [services[name] for name in ("web", "worker", "beat")]
    assert [service["env_file"] for service in ours] == [".env"] * 3
    # These follow from what the file says; everything else in it is taken as it stands.
    derived = {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "PLUMBLINE_ALLOWED_HOSTS", "POSTGRES_PASSWORD"}
    assert [set(service["environment"]) for service in ours] == [derived] * 3


def defaults_in_settings() -> dict[str, str]:
    """Return what those that read a setting are told to take where there is none, as the page writes it."""
    defaults = {}
    for call in ast.walk(ast.parse((ROOT / "registry" / "settings.py").read_text())):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in READERS:
            name, *default = (node.value if isinstance(node, ast.Constant) else ast.unparse(node) for node in call.args)
            if not default:
                written = "none"
            elif call.func.id in ("env_hosts", "env_list"):
                written = f"`{','.join(ast.literal_eval(default[0]))}`"
            else:
                written = f"`{str(default[0]).lower() if isinstance(default[0], bool) else default[0]}`"
            defaults[name] = written
    return defaults


def test_the_page_says_the_defaults_that_hold() -> None:
    held = defaults_in_settings()
    assert len(held) > 20
    assert {name: DEFAULTS[name] for name in held if name not in ELSEWHERE} == {
        name: written for name, written in held.items() if name not in ELSEWHERE
    }


@pytest.mark.parametrize("name", ["docs/settings.md", ".env.example", "compose.yaml"])
def test_no_page_names_an_unknown_variable(name: str) -> None:
    text = (ROOT / name).read_text()
    assert set(re.findall(r"\bPLUMBLINE_[A-Z_]+", text)) - read_variables() == set()
