"""Who may import whom: docs/architecture.md, enforced."""

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
APPS = (
    "core",
    "journal",
    "accounts",
    "catalog",
    "results",
    "curation",
    "leaderboards",
    "search",
    "submissions",
    "tools",
    "dumps",
    "runs",
    "api",
)
#: The parts of apps that have several, lowest first. What stands beside them in the app's own folder is below all, but
#: for the files in which Django looks for what an app has.
ABOVE_PARTS = {"models", "admin", "management", "templatetags", "urls", "apps"}
PARTS = {
    "curation": ("lineage", "suites"),
    "tools": (
        "resolution",
        "pairs",
        "check",
        "baselines",
        "standardization",
        "compare",
        "model_page",
        "reproduced",
        "review_table",
        "reproductions",
        "home",
        "cards",
    ),
}
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
#: What reads published results from text: beside the questions, of which it knows the scores alone.
READERS = ROOT / "analysis" / "readers"
#: Figures of papers: above all questions, which know nothing of them.
PAPERS = ROOT / "analysis" / "papers"
#: Reading and scoring runs, for site and command: above all questions, too.
RUNS = ROOT / "analysis" / "runs"
FILES = sorted([*(ROOT / "analysis").rglob("*.py"), *(ROOT / "registry").rglob("*.py")])


@cache
def imports_at_work(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Return what a file imports, at the top or inside a function, but for what only a type checker reads."""
    return tuple(node for node in nodes_at_work(path) if isinstance(node, ast.Import | ast.ImportFrom))


def nodes_at_work(path: Path) -> Iterator[ast.AST]:
    """The statements of a file, however deep, without what stands behind ``if TYPE_CHECKING``."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        yield node
        is_for_types = isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        below = node.orelse if is_for_types else ast.iter_child_nodes(node)
        waiting.extend(one for one in below if isinstance(one, ast.stmt | ast.excepthandler | ast.match_case))


def imported_modules(path: Path) -> Iterator[str]:
    """Every module that a file imports."""
    for node in imports_at_work(path):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        else:
            assert node.level == 0, f"{path} has a relative import"
            yield node.module or ""


def app_of(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if parts[0] == "registry" and len(parts) > 1 and parts[1] in APPS else None


def wrong_imports(path: Path) -> Iterator[str]:
    """Yield what a file should not import, and why."""
    here = app_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
    for module in imported_modules(path):
        top = module.split(".")[0]
        if path.is_relative_to(ROOT / "analysis"):
            if top in {"django", "registry", "rest_framework", "celery"}:
                yield f"{path}: the statistics import {module}"
            continue
        there = app_of(module)
        if here and there and APPS.index(there) > APPS.index(here):
            yield f"{path}: {here} imports {module} from above"
        if top == "plotly":
            yield f"{path} imports plotly"


def part_of(module: str) -> str | None:
    """The part of an app that a module belongs to; None in apps without, and for what parts share."""
    parts = [*module.split("."), ""]
    return parts[2] if parts[2] in PARTS.get(parts[1], ()) else None


def test_imports_point_down():
    assert [wrong for path in FILES for wrong in wrong_imports(path)] == []


def builds_on() -> dict[str, set[str]]:
    """The apps and the two packages beside them that each imports itself."""
    found: dict[str, set[str]] = {}
    for path in FILES:
        here = room_of(module_of(path))
        there = {room_of(module) for module in imported_modules(path)} - {None, here}
        if here:
            found.setdefault(here, set()).update(name for name in there if name)
    return found


def room_of(module: str) -> str | None:
    if module.split(".")[0] == "analysis":
        return "analysis.readers" if module.startswith("analysis.readers") else "analysis"
    return app_of(module)


def all_below(name: str, arrows: dict[str, set[str]]) -> set[str]:
    return set().union(*({below} | all_below(below, arrows) for below in arrows.get(name, ())))


def test_the_picture_shows_who_builds_on_whom():
    """Drawn is the least that leads everywhere: no arrow says what others say together."""
    picture = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("```mermaid\n")[1].split("```")[0]
    drawn: dict[str, set[str]] = {}
    for line in picture.splitlines()[1:]:
        steps = [step.strip().split(" & ") for step in line.split("-->")]
        for above, below in pairwise(steps):
            for name in above:
                drawn.setdefault(name, set()).update(below)
    imported = builds_on()
    assert {name: all_below(name, drawn) for name in imported} == {name: all_below(name, imported) for name in imported}
    for name, below in drawn.items():
        for one in below:
            assert not any(one in all_below(other, drawn) for other in below - {one}), f"{name} --> {one} is said twice"


def test_parts_of_an_app_build_on_lower_ones_only():
    for app, parts in PARTS.items():
        for path in (ROOT / "registry" / app).rglob("*.py"):
            here = part_of(module_of(path))
            for module in imported_modules(path):
                there = part_of(module) if app_of(module) == app else None
                is_above = path.relative_to(ROOT / "registry" / app).with_suffix("").parts[0] in ABOVE_PARTS
                assert not (there and here is None and not is_above), f"{path} is below all parts and imports {module}"
                if here and there:
                    assert parts.index(there) <= parts.index(here), f"{here} imports {module} from above"


def module_of(path: Path) -> str:
    """The name by which a file is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def question_of(module: str) -> str | None:
    """The package of the statistics that a module belongs to; None for what they share."""
    parts = module.split(".")
    return parts[1] if parts[0] == "analysis" and len(parts) > 1 and parts[1] in QUESTIONS else None


def imported_names(path: Path) -> Iterator[tuple[str, str]]:
    """(module, name) of everything that a file imports by name."""
    for node in imports_at_work(path):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", name.name) for name in node.names)


STATISTICS = sorted(
    path
    for path in (ROOT / "analysis").rglob("*.py")
    if not any(path.is_relative_to(folder) for folder in (READERS, PAPERS, RUNS))
)


def test_questions_build_on_lower_ones_only():
    for path in STATISTICS:
        here = question_of(module_of(path))
        for module in imported_modules(path):
            assert not module.startswith(("analysis.papers", "analysis.runs")), f"{path} imports {module} from above"
            there = question_of(module)
            assert not (there and here is None), f"{path} is below all questions and imports {module}"
            if here and there:
                assert QUESTIONS.index(there) <= QUESTIONS.index(here), f"{here} imports {module} from above"


#: The folders of the readers, each on those before it; "" are the files beside them, but for the way in.
READING = ("", "latex", "bibliography", "pasted", "exchange", "upstream")
WAY_IN = "recognizing.py"


def test_readers_know_the_scores_and_nothing_else_of_the_statistics():
    for path in READERS.rglob("*.py"):
        for module in imported_modules(path):
            if module.split(".")[0] == "analysis":
                assert module == "analysis.scores" or module.startswith("analysis.readers."), f"{path} imports {module}"
    for path in STATISTICS:
        assert not any(module.startswith("analysis.readers") for module in imported_modules(path)), path


def test_readers_build_on_lower_folders_only():
    for path in READERS.rglob("*.py"):
        if path.name == WAY_IN:
            continue
        here = path.parent.name if path.parent != READERS else ""
        for module in imported_modules(path):
            if module.startswith("analysis.readers."):
                parts = module.split(".")
                there = parts[2] if len(parts) > 3 else ""
                assert READING.index(there) <= READING.index(here), f"{path} imports {module} from above"
                assert f"{parts[-1]}.py" != WAY_IN, f"{path} imports {module} from above"


def test_readers_are_read_without_django():
    """By a program that has the package alone, with Django out of reach."""
    modules = sorted(module_of(path) for path in READERS.rglob("*.py"))
    code = "\n".join(
        [
            "import importlib, sys",
            "for name in ('django', 'registry', 'celery', 'rest_framework'): sys.modules[name] = None",
            f"for name in {modules!r}: importlib.import_module(name)",
            "from analysis.readers.columns import NoNames",
            "from analysis.readers.recognizing import read_text",
            "(row,) = read_text('| System | nDCG@10 |\\n|---|---|\\n| BM25 | 0.48 |', NoNames()).records",
            "print(row.cells['system'], row.cells['measure'], row.cells['value'])",
        ]
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("BM25 nDCG@10 0.48\n", "")


def uses_within(files: Iterable[Path]) -> dict[str, set[str]]:
    """Return which of these files each of them imports, all by their modules' names."""
    paths = {module_of(path): path for path in files}
    uses = {}
    for module, path in paths.items():
        named = {f"{package}.{name}" for package, name in imported_names(path)}
        found = {one for one in named | set(imported_modules(path)) if one in paths and one != module}
        # A package stands for itself only where none of its files is what is taken from it.
        uses[module] = {one for one in found if not any(other.startswith(f"{one}.") for other in found)}
    return uses


def test_no_circle_within_the_statistics_and_the_readers():
    for files in (STATISTICS, READERS.rglob("*.py")):
        TopologicalSorter(uses_within(files)).prepare()  # raises CycleError, which names the circle


#: What the files of an app may be called, lowest first; those of other names stand where their imports let them.
KINDS_OF_FILES = (
    {"querysets"},
    {"models", "signals"},
    {"pipeline"},
    {"queries"},
    {"access"},
    {"services"},
    {"forms", "filters", "documents"},
    {"views", "admin", "management", "templatetags"},
    {"urls", "apps"},
)


def level_of(module: str) -> int | None:
    """Return which place the kind of a file has in the order; None where the order does not name it."""
    kind = [*module.split("."), "", "", ""][3 if part_of(module) else 2]
    return next((level for level, kinds in enumerate(KINDS_OF_FILES) if kind in kinds), None)


@pytest.mark.parametrize(
    "app", [*sorted(set(APPS) - PARTS.keys()), *(f"{app}/{part}" for app in PARTS for part in PARTS[app])]
)
def test_files_of_an_app_build_on_lower_ones_only(app):
    """Directly, or through files of other names; a part has files of all kinds, as an app."""
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
    found = {path.parent for path in (ROOT / "analysis").glob("*/__init__.py")}
    assert found - {READERS, PAPERS, RUNS} == {ROOT / "analysis" / question for question in QUESTIONS}
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for order, question in enumerate(QUESTIONS, start=1):
        assert f"| {order} | `{question}` |" in text


def public_names() -> dict[str, set[str]]:
    """Return what each package of the statistics offers."""
    return {question: set(importlib.import_module(f"analysis.{question}").__all__) for question in QUESTIONS}


def test_everything_that_a_package_offers_is_there():
    for question, names in public_names().items():
        package = importlib.import_module(f"analysis.{question}")
        assert names == {name for name in names if hasattr(package, name)}
        assert not {name for name in names if name.startswith("_")}


def test_a_public_name_has_one_path():
    """Files of other packages, too, take what is public from the package, and only the rest from the file."""
    public = public_names()
    for path in STATISTICS:
        here = question_of(module_of(path))
        for module, name in imported_names(path):
            there = question_of(module)
            if there and there != here:
                is_public = name in public[there]
                assert is_public == (module == f"analysis.{there}"), f"{path} imports {name} from {module}"


OPEN_TO_ALL = ("analysis.readers.", "analysis.papers", "analysis.runs.")
#: It tries out the very parts that verdicts are put together from, and writes the tables that they read.
CALIBRATION = ROOT / "tools" / "calibration"


@pytest.mark.parametrize("folder", ["registry", "docs", "data", "tools", "tests/registry", "tests/benchmarks"])
def test_private_parts_of_the_statistics_stay_private(folder):
    public = {"analysis", "analysis.errors", "analysis.figures", "analysis.heads", "analysis.results"} | {
        f"analysis.{question}" for question in QUESTIONS
    }
    for path in (ROOT / folder).rglob("*.py"):
        if CALIBRATION in path.parents or "analysis" not in path.read_text(encoding="utf-8"):
            continue  # Parsing is most of the work.
        used = {
            module
            for module in imported_modules(path)
            if module.split(".")[0] == "analysis" and not module.startswith(OPEN_TO_ALL)
        }
        assert used <= public, f"{path} imports {used - public}"


def test_the_table_of_apps_names_every_app():
    table = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    folders = {path.parent.relative_to(ROOT / "registry").parts for path in (ROOT / "registry").rglob("apps.py")}
    assert {folder[0] for folder in folders} == set(APPS)
    assert {len(folder) for folder in folders} == {1}
    for app, parts in PARTS.items():
        folders = {path.parent.name for path in (ROOT / "registry" / app).glob("*/__init__.py")}
        files = {path.stem for path in (ROOT / "registry" / app).glob("*.py")}
        assert folders - ABOVE_PARTS - {"migrations"} | files & set(parts) == set(parts)
    for order, app in enumerate(APPS, start=1):
        (row,) = (line for line in table.splitlines() if line.startswith(f"| {order} | `{app}` |"))
        names = [row.find(f"`{part}`") for part in PARTS.get(app, ())]
        assert names == sorted(names)
        assert -1 not in names


def test_no_file_reaches_outside_of_the_packages():
    """Nothing below analysis/ or registry/ imports from the tests or the data builder."""
    for path in FILES:
        for module in imported_modules(path):
            assert module.split(".")[0] not in {"tests", "data"}, f"{path} imports {module}"
