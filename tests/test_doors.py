"""Every statistic has a door: what ``analysis`` offers is used by a page or a job, or is said not to be.

Followed is what refers to what: from the names that files of ``registry`` take from ``analysis``, through the bodies of
what they name. So a function counts as soon as a path through the code leads to it; that pages take the path is for
their own tests to show.
"""

import ast
import importlib
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

Name = tuple[str, str]


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports_of(tree: ast.AST) -> dict[str, Name]:
    """What a file calls things that it takes from ``analysis``: the module and the name there."""
    return {
        name.asname or name.name: (node.module, name.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "analysis"
        for name in node.names
    }


def used_names(tree: ast.AST) -> Iterator[str]:
    return (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def bound_names(node: ast.stmt) -> list[str]:
    """What a statement at the top of a file defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]


@cache
def references() -> dict[Name, set[Name]]:
    """Everything that files of ``analysis`` define, with what it refers to."""
    found: dict[Name, set[Name]] = {}
    for path in (ROOT / "analysis").rglob("*.py"):
        module, tree = module_of(path), ast.parse(path.read_text(encoding="utf-8"))
        known = imports_of(tree)
        own = {name for node in tree.body for name in bound_names(node)}
        for node in tree.body:
            used = {known.get(name, (module, name)) for name in used_names(node) if name in own or name in known}
            for name in bound_names(node):
                found.setdefault((module, name), set()).update(used)
    return found


QUESTIONS = sorted({path.parent.name for path in (ROOT / "analysis").glob("*/__init__.py")} - {"readers"})


def offered() -> dict[str, Name]:
    """The public functions, as ``best.study``, with the file that each stands in."""
    return {
        f"{question}.{name}": (function.__module__, name)
        for question in QUESTIONS
        for name in importlib.import_module(f"analysis.{question}").__all__
        if inspect.isfunction(function := getattr(importlib.import_module(f"analysis.{question}"), name))
    }


@cache
def behind_a_door() -> set[Name]:
    """Everything that a path through the code leads to from the site, its commands left out."""
    places = {(f"analysis.{name.split('.')[0]}", place[1]): place for name, place in offered().items()}
    files = (path for path in (ROOT / "registry").rglob("*.py") if "management" not in path.parts)
    texts = [text for path in files if "analysis" in (text := path.read_text(encoding="utf-8"))]
    waiting = [one for text in texts for one in imports_of(ast.parse(text)).values()]
    seen: set[Name] = set()
    while waiting:
        name = waiting.pop()
        name = places.get(name, name)
        if name not in seen:
            seen.add(name)
            waiting.extend(references().get(name, ()))
    return seen


#: For whoever computes without the site, and why.
LIBRARY_ONLY = {
    "best.best_set_from_means": "for whoever has means and a variance; boards take errors of means, also over members",
    "boards.verify_snapshot": "for whoever doubts a snapshot, away from the site: python -m analysis.boards verify",
    "reliability.pool_sizes": "for whoever plans judgements and has rankings; those sent to the site are private",
    "scores.parse_topic_scores": "reads what evaluation programs print; the site scores runs itself, or takes tables",
}


def test_every_function_has_a_door_or_is_said_to_have_none():
    seen = behind_a_door()
    without = {name for name, place in offered().items() if place not in seen}
    assert without - LIBRARY_ONLY.keys() == set(), "offered, and used by no page or job"
    assert LIBRARY_ONLY.keys() - without == set(), "listed, and has a door or is gone: take it out"


def test_few_are_for_the_library_only():
    assert len(LIBRARY_ONLY) <= 10


def test_a_path_through_the_code_is_followed():
    seen = behind_a_door()
    assert offered()["boards.study"] in seen
    assert offered()["best.confidence_set_for_best"] in seen  # by study alone
