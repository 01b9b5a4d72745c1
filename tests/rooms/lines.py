"""``python -m tests.rooms.lines`` prints how many lines of Python each app and each package has, migrations apart."""

from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]

for folder in ("registry", "analysis"):
    lines: Counter[str] = Counter()
    for file in (ROOT / folder).rglob("*.py"):
        if "migrations" not in file.parts:
            lines[file.relative_to(ROOT / folder).parts[0]] += len(file.read_text(encoding="utf-8").splitlines())
    print(f"{folder}: {lines.total():,}")
    for room, n in lines.most_common():
        print(f"  {room}: {n:,}")
