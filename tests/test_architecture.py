"""Who may import whom: docs/architecture.md, enforced."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
APPS = ("core", "journal", "accounts", "catalog", "results", "leaderboards", "following", "submissions", "api")
ALLOWED_BESIDES_APPS = {"registry.settings", "registry.celery", "registry.urls", "registry.wsgi"}
FILES = sorted([*(ROOT / "analysis").rglob("*.py"), *(ROOT / "registry").rglob("*.py")])


def imported_modules(path: Path) -> Iterator[str]:
    """Every module that a file imports, at the top or inside a function."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            yield node.module or ""


def app_of(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if parts[0] == "registry" and len(parts) > 1 and parts[1] in APPS else None


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path):
    here = app_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
    for module in imported_modules(path):
        top = module.split(".")[0]
        if path.is_relative_to(ROOT / "analysis"):
            assert top not in {"django", "registry", "rest_framework", "celery"}, f"analysis imports {module}"
            continue
        there = app_of(module)
        if here and there:
            assert APPS.index(there) <= APPS.index(here), f"{here} imports {module} from above"
        if top == "plotly":
            assert path == ROOT / "registry" / "leaderboards" / "figures.py", f"{path} imports plotly"


@pytest.mark.parametrize("folder", ["registry", "docs", "data", "tools"])
def test_private_parts_of_the_statistics_stay_private(folder):
    for path in (ROOT / folder).rglob("*.py"):
        private = [module for module in imported_modules(path) if module.startswith("analysis._")]
        assert not private, f"{path} imports {private}"


def test_the_table_of_apps_names_every_app():
    table = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    apps = {path.parent.name for path in (ROOT / "registry").glob("*/apps.py")}
    assert apps == set(APPS)
    for order, app in enumerate(APPS, start=1):
        assert f"| {order} | `{app}` |" in table


def test_no_file_reaches_outside_of_the_packages():
    """Nothing below analysis/ or registry/ imports from the tests or the data builder."""
    for path in FILES:
        for module in imported_modules(path):
            assert module.split(".")[0] not in {"tests", "data"}, f"{path} imports {module}"
