"""Who may import whom: docs/architecture.md, enforced."""

import ast
import importlib
from collections.abc import Iterable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
APPS = (
    "core",
    "journal",
    "accounts",
    "catalog",
    "results",
    "lineage",
    "suites",
    "cautions",
    "oddities",
    "leaderboards",
    "resolution",
    "pairs",
    "search",
    "dumps",
    "check",
    "baselines",
    "standardization",
    "compare",
    "following",
    "submissions",
    "review_table",
    "runs",
    "reproductions",
    "api",
)
#: The packages of the statistics, lowest first. ``errors``, ``results`` and the shared private files stand below them.
QUESTIONS = (
    "scores",
    "comparisons",
    "instances",
    "reliability",
    "best",
    "ranks",
    "documents",
    "scales",
    "trends",
    "boards",
)
ALLOWED_BESIDES_APPS = {"registry.settings", "registry.celery", "registry.urls", "registry.wsgi"}
FILES = sorted([*(ROOT / "analysis").rglob("*.py"), *(ROOT / "registry").rglob("*.py")])


def nodes_at_work(path: Path) -> Iterator[ast.AST]:
    """The syntax tree of a file without what stands behind ``if TYPE_CHECKING``."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        yield node
        is_for_types = isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        waiting.extend(node.orelse if is_for_types else ast.iter_child_nodes(node))


def imported_modules(path: Path) -> Iterator[str]:
    """Every module that a file imports, at the top or inside a function, but for what only a type checker reads."""
    for node in nodes_at_work(path):
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


def module_of(path: Path) -> str:
    """The name by which a file is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def question_of(module: str) -> str | None:
    """The package of the statistics that a module belongs to; None for what they share."""
    parts = module.split(".")
    return parts[1] if parts[0] == "analysis" and len(parts) > 1 and parts[1] in QUESTIONS else None


def imported_names(path: Path) -> Iterator[tuple[str, str]]:
    """(module, name) of everything that a file imports by name."""
    for node in nodes_at_work(path):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", name.name) for name in node.names)


STATISTICS = sorted((ROOT / "analysis").rglob("*.py"))


@pytest.mark.parametrize("path", STATISTICS, ids=lambda path: str(path.relative_to(ROOT)))
def test_questions_build_on_lower_ones_only(path):
    here = question_of(module_of(path))
    for module in imported_modules(path):
        there = question_of(module)
        assert not (there and here is None), f"{path} is below all questions and imports {module}"
        if here and there:
            assert QUESTIONS.index(there) <= QUESTIONS.index(here), f"{here} imports {module} from above"


def uses_within(files: Iterable[Path]) -> dict[str, set[str]]:
    """Which of these files each of them imports, all by their modules' names."""
    paths = {module_of(path): path for path in files}
    uses = {}
    for module, path in paths.items():
        named = {f"{package}.{name}" for package, name in imported_names(path)}
        found = {one for one in named | set(imported_modules(path)) if one in paths and one != module}
        # A package stands for itself only where none of its files is what is taken from it.
        uses[module] = {one for one in found if not any(other.startswith(f"{one}.") for other in found)}
    return uses


def test_no_circle_within_the_statistics():
    TopologicalSorter(uses_within(STATISTICS)).prepare()  # raises CycleError, which names the circle


#: What the files of an app may be called, lowest first; those of other names stand where their imports let them.
KINDS_OF_FILES = (
    {"querysets"},
    {"models", "signals"},
    {"pipeline"},
    {"queries"},
    {"access"},
    {"services"},
    {"forms", "filters", "documents", "serializers"},
    {"views", "admin", "management", "templatetags"},
    {"urls", "apps"},
)


def level_of(module: str) -> int | None:
    """Which place the kind of a file has in the order; None where the order does not name it."""
    kind = [*module.split("."), "", ""][2]
    return next((level for level, kinds in enumerate(KINDS_OF_FILES) if kind in kinds), None)


@pytest.mark.parametrize("app", APPS)
def test_files_of_an_app_build_on_lower_ones_only(app):
    """Directly, or through files of other names."""
    uses = uses_within(path for path in (ROOT / "registry" / app).rglob("*.py") if "migrations" not in path.parts)
    reached: dict[str, set[str]] = {}
    for module in TopologicalSorter(uses).static_order():  # raises CycleError, which names the circle
        reached[module] = uses[module].union(*(reached[one] for one in uses[module]))
        here = level_of(module)
        levels = {one: level_of(one) for one in reached[module]}
        above = [one for one, level in levels.items() if here is not None and level is not None and level > here]
        assert not above, f"{module} reaches {above}"


def test_the_order_of_files_is_that_of_the_docs():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    (line,) = (line for line in text.splitlines() if line.startswith("    querysets < "))
    assert tuple(set(level.split(", ")) for level in line.strip().split(" < ")) == KINDS_OF_FILES


def test_the_packages_of_the_statistics_are_those_of_the_order_and_of_the_docs():
    assert {path.parent.name for path in (ROOT / "analysis").glob("*/__init__.py")} == set(QUESTIONS)
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for order, question in enumerate(QUESTIONS, start=1):
        assert f"| {order} | `{question}` |" in text


def public_names() -> dict[str, set[str]]:
    """What each package of the statistics offers."""
    return {question: set(importlib.import_module(f"analysis.{question}").__all__) for question in QUESTIONS}


def test_everything_that_a_package_offers_is_there():
    for question, names in public_names().items():
        package = importlib.import_module(f"analysis.{question}")
        assert names == {name for name in names if hasattr(package, name)}
        assert not {name for name in names if name.startswith("_")}


@pytest.mark.parametrize("path", STATISTICS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_public_name_has_one_path(path):
    """Files of other packages, too, take what is public from the package, and only the rest from the file."""
    public, here = public_names(), question_of(module_of(path))
    for module, name in imported_names(path):
        there = question_of(module)
        if there and there != here:
            is_public = name in public[there]
            assert is_public == (module == f"analysis.{there}"), f"{path} imports {name} from {module}"


@pytest.mark.parametrize("folder", ["registry", "docs", "data", "tools", "tests/registry", "tests/benchmarks"])
def test_private_parts_of_the_statistics_stay_private(folder):
    public = {"analysis", "analysis.errors", "analysis.results"} | {f"analysis.{question}" for question in QUESTIONS}
    for path in (ROOT / folder).rglob("*.py"):
        used = {module for module in imported_modules(path) if module.split(".")[0] == "analysis"}
        assert used <= public, f"{path} imports {used - public}"


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
