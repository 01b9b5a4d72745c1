"""A snapshot from the command line.

``python -m analysis.boards verify SNAPSHOT.json [TOPIC_SCORES.csv]``: does every number of a snapshot come out?
  Its id is compared with the one in the name of the file or of its folder, or with ``--id``.
"""

import argparse
import re
import sys
from pathlib import Path

from analysis.boards import METHODS, snapshot_id, verify_snapshot
from analysis.errors import ArgumentError
from analysis.scores import ScoreMatrix, parse_score_table


def main(arguments: list[str] | None = None) -> int:
    """Verify a snapshot; return 0 where everything comes out, 1 where something differs, 2 where it can't be done."""
    parser = argparse.ArgumentParser(prog="python -m analysis.boards", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    verify = commands.add_parser("verify", help="compute a snapshot again and say what differs")
    verify.add_argument("snapshot", type=Path, help="the JSON of a snapshot, as the site gives it")
    verify.add_argument("topic_scores", type=Path, nargs="?", help="CSV: topic, then a column for each result id")
    verify.add_argument("--id", help="the id that it was cited by; otherwise the one in the file's or folder's name")
    given = parser.parse_args(arguments)
    try:
        return _verify(given.snapshot, given.topic_scores, given.id)
    except (OSError, UnicodeDecodeError, ArgumentError) as error:
        print(f"Cannot be done: {error}", file=sys.stderr)
        return 2


def _verify(snapshot: Path, topic_scores: Path | None, cited: str | None) -> int:
    text = snapshot.read_text(encoding="utf-8").rstrip("\n")
    expected = cited or _id_in(snapshot.stem) or _id_in(snapshot.resolve().parent.name)
    problems = verify_snapshot(text, _read_scores(topic_scores), expected_id=expected)
    for problem in problems:
        print(problem)
    if problems:
        return 1
    if expected is None:
        print("No id was compared: give --id, or name the file by the id that it was cited by.")
    print(f"{snapshot_id(text)}: every number comes out again (methods {METHODS.version}).")
    return 0


def _id_in(name: str) -> str | None:
    match = re.search(rf"(?<![0-9a-f])[0-9a-f]{{{len(snapshot_id(''))}}}(?![0-9a-f])", name)
    return match[0] if match else None


def _read_scores(path: Path | None) -> ScoreMatrix | None:
    if path is None:
        return None
    with path.open("rb") as file:
        return parse_score_table(file)


if __name__ == "__main__":
    sys.exit(main())
