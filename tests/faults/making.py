"""Small faults as people make them: another comparison, a bound off by one, a step or an argument left out."""

import ast
import copy
import random
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
_OTHER_FUNCTIONS = {"max": "min", "min": "max", "any": "all", "all": "any", "ceil": "floor", "floor": "ceil"}
_OTHER_FUNCTIONS |= {"bisect_left": "bisect_right", "bisect_right": "bisect_left"}
_OTHER_FUNCTIONS |= {"sorted": "list", "abs": "float"}

#: Methods without which their object is still of the same kind.
_STEPS = {
    "filter",
    "exclude",
    "order_by",
    "distinct",
    "strip",
    "lower",
    "casefold",
    "copy",
    "reverse",
    "select_for_update",
}
_STEPS |= {"select_related", "prefetch_related"}

Node = TypeVar("Node", bound=ast.AST)


@dataclass(frozen=True)
class Fault:
    """A replacement in a file."""

    path: Path
    line: int
    start: int
    end: int
    given: str
    made: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {_short(self.given)} → {_short(self.made) or 'nothing'}"

    def apply(self, source: bytes) -> bytes:
        """The file with the fault."""
        return source[: self.start] + self.made.encode() + source[self.end :]


def draw_faults(root: Path, room: Path, n: int, rng: random.Random) -> list[Fault]:
    """Faults on ``n`` lines of a room, drawn from all lines on which one can be made, and one of those of each."""
    lines: dict[tuple[Path, int], list[Fault]] = {}
    for path in sorted((root / room).rglob("*.py")):
        if "migrations" not in path.parts:
            for fault in find_faults(path.relative_to(root), path.read_bytes()):
                lines.setdefault((fault.path, fault.line), []).append(fault)
    return [rng.choice(lines[line]) for line in rng.sample(sorted(lines), min(n, len(lines)))]


def find_faults(path: Path, source: bytes) -> list[Fault]:
    """Every fault that can be made in a file, in its order."""
    finder = _Finder(path, source)
    finder.visit(ast.parse(source))
    return sorted(finder.faults, key=lambda fault: (fault.start, fault.end, fault.made))


class _Finder(ast.NodeVisitor):
    def __init__(self, path: Path, source: bytes) -> None:
        self.path = path
        self.source = source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.faults: list[Fault] = []

    def replace(self, node: ast.expr | ast.stmt, made: str, *, before: str = "") -> None:
        """Note a fault in place of a node, and of the characters that stand before it."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self.starts[node.lineno - 1] + node.col_offset - len(before)
        end = self.starts[node.end_lineno - 1] + node.end_col_offset
        given = self.source[start:end].decode()
        if given.startswith(before):
            self.faults.append(Fault(self.path, node.lineno, start, end, given, made))

    def change(self, node: ast.expr, changed: ast.expr) -> None:
        """Note a fault in an expression, in parentheses, as it may stand in another one."""
        is_plain = isinstance(changed, (ast.Constant, ast.Name, ast.Call, ast.Attribute))
        text = ast.unparse(ast.fix_missing_locations(changed))
        self.replace(node, text if is_plain else f"({text})")

    def visit(self, node: ast.AST) -> None:
        # Types are checked by mypy, and what stands in a formatted string has no place of its own in Python 3.11.
        if isinstance(node, (ast.JoinedStr, ast.Import, ast.ImportFrom)) or _is_for_types(node):
            return
        super().visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        for name, value in ast.iter_fields(node):
            if name not in {"annotation", "returns"}:
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        self.visit(child)

    def visit_Compare(self, node: ast.Compare) -> None:
        for place, operator in enumerate(node.ops):
            changed = copy.deepcopy(node)
            changed.ops[place] = _other(operator)
            self.change(node, changed)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        is_text = any(isinstance(side, ast.JoinedStr) or _is_text(side) for side in (node.left, node.right))
        if type(node.op) in _SWAPPED and not is_text:
            changed = copy.deepcopy(node)
            changed.op = _other(node.op)
            self.change(node, changed)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        changed = copy.deepcopy(node)
        changed.op = _other(node.op)
        self.change(node, changed)
        for place in range(len(node.values)):
            left = copy.deepcopy(node)
            del left.values[place]
            self.change(node, left if len(left.values) > 1 else left.values[0])
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, (ast.Not, ast.USub)):
            self.change(node, node.operand)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.replace(node, str(not node.value))
        elif isinstance(node.value, int):
            self.replace(node, str(node.value + 1))
        elif isinstance(node.value, float):
            self.replace(node, str(node.value * 0.8 or 0.1))

    def visit_If(self, node: ast.If) -> None:
        self.change(node.test, ast.UnaryOp(ast.Not(), node.test))
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.change(node, node.body)
        self.change(node, node.orelse)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for condition in node.ifs:
            self.replace(condition, "True")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name == "dataclass":  # What it declares is checked by mypy.
            return
        for place, keyword in enumerate(node.keywords):
            if keyword.arg not in {None, "strict"}:
                changed = copy.deepcopy(node)
                del changed.keywords[place]
                self.change(node, changed)
        if name in _OTHER_FUNCTIONS:
            changed = copy.deepcopy(node)
            if isinstance(changed.func, ast.Attribute):
                changed.func.attr = _OTHER_FUNCTIONS[name]
            else:
                changed.func = ast.Name(_OTHER_FUNCTIONS[name])
            self.change(node, changed)
        if name in {"max", "min"} and len(node.args) > 1:
            for argument in node.args:
                if not isinstance(argument, ast.Starred):
                    self.change(node, argument)
        if isinstance(node.func, ast.Attribute) and name in _STEPS:
            self.change(node, node.func.value)
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg != "strict":  # ``zip(strict=True)`` is a check of ours on ourselves.
            self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        is_blank = isinstance(node.value, ast.Constant) and node.value.value is ...
        if not _is_text(node.value) and not is_blank:
            self.replace(node, "pass")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if all(isinstance(target, (ast.Attribute, ast.Subscript)) for target in node.targets):
            self.replace(node, "pass")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.replace(node, "pass")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self.replace(node, "pass")

    def visit_Continue(self, node: ast.Continue) -> None:
        self.replace(node, "break")

    def visit_Break(self, node: ast.Break) -> None:
        self.replace(node, "continue")

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        for decorator in node.decorator_list:
            self.replace(decorator, "", before="@")
        self.generic_visit(node)

    visit_ClassDef = visit_FunctionDef

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if isinstance(node.type, ast.Tuple) and len(node.type.elts) > 1:
            for place in range(len(node.type.elts)):
                changed = copy.deepcopy(node.type)
                del changed.elts[place]
                self.change(node.type, changed)
        for statement in node.body:
            self.visit(statement)


def _other(operator: Node) -> Node:
    other = _SWAPPED[type(operator)]()
    return other  # type: ignore[return-value]


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))


def _is_for_types(node: ast.AST) -> bool:
    is_guard = isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    names = [target.id for target in getattr(node, "targets", ()) if isinstance(target, ast.Name)]
    return is_guard or names == ["__all__"]


def _short(code: str) -> str:
    line = " ".join(code.split())
    return line if len(line) <= 100 else f"{line[:70]} … {line[-25:]}"
