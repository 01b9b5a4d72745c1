"""The page of the library: its example prints what it says, in ten lines, by the names that the client offers."""

import subprocess
import sys
from pathlib import Path

import plumbline.statistics
from tests.analysis.test_method_pages import PYTHON_BLOCK, run_block
from tests.test_architecture import QUESTIONS

PAGE = Path(__file__).parents[2] / "docs" / "library.md"


def test_one_question_is_answered_in_ten_lines(monkeypatch):
    monkeypatch.chdir(PAGE.parents[1])
    (code,) = PYTHON_BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert len([line for line in code.splitlines() if line.startswith((">>> ", "... "))]) == 10
    run_block(code, {}, PAGE.name)


def test_the_client_offers_every_question():
    assert set(QUESTIONS) <= set(plumbline.statistics.__all__)


def test_the_client_itself_loads_no_statistics():
    code = "import sys, plumbline; sys.exit(any(name.split('.')[0] in ('analysis', 'numpy') for name in sys.modules))"
    path = str(PAGE.parents[1] / "clients" / "python" / "src")
    assert subprocess.run([sys.executable, "-c", code], cwd=path, check=False).returncode == 0
