"""``python -m tests.rooms.lines`` prints how many lines of Python each app and each package has, migrations apart.

Of how many of them something is done, without blank lines, comments, docstrings and imports; and how many lines the
functions have, half of them at most and nineteen of twenty at most.
"""

import ast
import statistics
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
_NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def code_lines(file: Path) -> set[int]:
    """The lines of a file on which something is done."""
    with file.open("rb") as source:
        tokens = [token for token in tokenize.tokenize(source.readline) if token.type not in _NO_CODE]
    lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1) if token.string}
    return lines - {line for one in _no_code(ast.parse(file.read_bytes())) for line in _lines(one)}


def _no_code(tree: ast.AST) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and (is_docstring or isinstance(node, (ast.Import, ast.ImportFrom))):
            yield node


def _lines(node: ast.stmt) -> range:
    assert node.end_lineno is not None
    return range(node.lineno, node.end_lineno + 1)


def main() -> None:
    """Print the lines of the site and of the statistics."""
    for folder in ("registry", "analysis"):
        lines: Counter[str] = Counter()
        n_code, functions = 0, []
        for file in (ROOT / folder).rglob("*.py"):
            if "migrations" not in file.parts:
                lines[file.relative_to(ROOT / folder).parts[0]] += len(file.read_text(encoding="utf-8").splitlines())
                code = code_lines(file)
                n_code += len(code)
                nodes = ast.walk(ast.parse(file.read_bytes()))
                functions += [len(code & {*_lines(node)}) for node in nodes if isinstance(node, _FUNCTIONS)]
        half, most = (statistics.quantiles(functions, n=20)[place] for place in (9, 18))
        print(f"{folder}: {lines.total():,} lines, {n_code:,} of them code")
        print(f"  {len(functions):,} functions; lines of code in half of them: ≤ {half:.0f}, in 19 of 20: ≤ {most:.0f}")
        for room, n in lines.most_common():
            print(f"  {room}: {n:,}")


if __name__ == "__main__":
    main()
