"""The command that makes faults makes those of people, in copies, and tells which are caught."""

import random
import subprocess
from pathlib import Path

import pytest

from tests.faults.__main__ import ROOT, try_room
from tests.faults.making import draw_faults, find_faults

CODE = '''"""A room of one file."""


@cached
def largest(values: list[int | None], floor=0, *, only=False):
    """The largest value above the floor."""
    found = [value for value in values if value]
    if only and floor < 1:
        raise ValueError("nothing")
    found.sort(key=abs)
    return max(found[-1], floor)
'''


def made_of(code: str) -> list[str]:
    path = Path("registry/room.py")
    return [fault.apply(code.encode()).decode() for fault in find_faults(path, code.encode())]


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("if only and floor < 1:", "if only and (floor <= 1):"),
        ("if only and floor < 1:", "if (only or floor < 1):"),
        ("if only and floor < 1:", "if (floor < 1):"),
        ("if only and floor < 1:", "if (not (only and floor < 1)):"),
        ("floor < 1", "floor < 2"),
        ('raise ValueError("nothing")', "pass"),
        ("found.sort(key=abs)", "pass"),
        ("found.sort(key=abs)", "found.sort()"),
        ("if value]", "if True]"),
        ("max(found[-1], floor)", "min(found[-1], floor)"),
        ("max(found[-1], floor)", "floor"),
        ("@cached", ""),
        ("only=False", "only=True"),
    ],
)
def test_it_makes_the_faults_of_people(given: str, made: str) -> None:
    assert CODE.replace(given, made, 1) in made_of(CODE)


def test_types_and_descriptions_are_left_alone() -> None:
    assert all("list[int | None]" in made and made.startswith('"""A room') for made in made_of(CODE))


def test_what_nobody_could_notice_is_no_fault() -> None:
    assert made_of("found = dict(zip(names, values, strict=True))\n") == []
    assert made_of("class Door(Protocol):\n    def open(self) -> None: ...\n") == []


def test_every_fault_is_python_that_can_be_read() -> None:
    rng = random.Random(0)
    rooms = [path.parent for path in (*ROOT.glob("registry/*/__init__.py"), *ROOT.glob("analysis/*/__init__.py"))]
    for room in rng.sample(rooms, 2):
        for fault in draw_faults(ROOT, room.relative_to(ROOT), 20, rng):
            made = fault.apply((ROOT / fault.path).read_bytes())
            compile(made, str(fault), "exec")
            assert made != (ROOT / fault.path).read_bytes()


@pytest.mark.slow
def test_a_fault_that_no_test_sees_survives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {
        "analysis/room/__init__.py": "",
        "analysis/room/adding.py": "def add(a, b):\n    return a + b\n\n\ndef forgotten(a, b):\n    return a + b\n",
        "tests/__init__.py": "",
        "tests/analysis/__init__.py": "",
        "tests/analysis/room/__init__.py": "",
        "tests/analysis/room/test_adding.py": "from analysis.room.adding import add\n\n\n"
        "def test_it_adds():\n    assert add(1, 2) == 3\n",
        "tests/analysis/room/test_in_order.py": "from analysis.room.adding import forgotten\n\nseen = []\n\n\n"
        "def test_first():\n    seen.append(1)\n\n\ndef test_second():\n    forgotten(1, 2)\n    assert seen\n",
        "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\nfilterwarnings = ["error"]\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    trials = try_room("analysis/room", n=20, seed=1, jobs=1, root=tmp_path)
    assert {trial.fault.line: trial.is_caught for trial in trials} == {2: True, 6: False}
    assert "SURVIVED" in capsys.readouterr().out
    assert {name: (tmp_path / name).read_text() for name in files} == files
    # What the tests run is known by now, but for a new file of tests and for code that moved.
    (tmp_path / "analysis/room/adding.py").write_text(f"# Sums.\n{files['analysis/room/adding.py']}")
    trials = try_room("analysis/room", n=20, seed=1, jobs=1, is_quick=True, root=tmp_path)
    assert {trial.fault.line: trial.is_caught for trial in trials if not trial.is_untried} == {3: True}
    (tmp_path / "tests/analysis/room/test_more.py").write_text(
        "from analysis.room.adding import forgotten\n\n\ndef test_it_adds():\n    assert forgotten(1, 2) == 3\n"
    )
    trials = try_room("analysis/room", n=20, seed=1, jobs=1, is_quick=True, root=tmp_path)
    assert {trial.fault.line: trial.is_caught for trial in trials} == {3: True, 7: True}
