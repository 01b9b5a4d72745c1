"""``python -m analysis.boards verify SNAPSHOT.json [TOPIC_SCORES.csv]``: does every number of a snapshot come out?"""

import argparse
import sys
from pathlib import Path

from analysis.boards import METHODS, snapshot_id, verify_snapshot
from analysis.errors import ArgumentError
from analysis.scores import ScoreMatrix, parse_score_table


def main(arguments: list[str] | None = None) -> int:
    """0 where everything comes out, 1 where something differs, 2 where it can't be checked."""
    parser = argparse.ArgumentParser(prog="python -m analysis.boards", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    verify = commands.add_parser("verify", help="compute a snapshot again and say what differs")
    verify.add_argument("snapshot", type=Path, help="the JSON of a snapshot, as the site gives it")
    verify.add_argument("topic_scores", type=Path, nargs="?", help="CSV: topic, then a column for each result id")
    given = parser.parse_args(arguments)
    try:
        text = given.snapshot.read_text(encoding="utf-8").rstrip("\n")
        problems = verify_snapshot(text, _read_scores(given.topic_scores))
    except (OSError, UnicodeDecodeError, ArgumentError) as error:
        print(f"Cannot be checked: {error}", file=sys.stderr)
        return 2
    for problem in problems:
        print(problem)
    if problems:
        return 1
    print(f"{snapshot_id(text)}: every number comes out again (methods {METHODS.version}).")
    return 0


def _read_scores(path: Path | None) -> ScoreMatrix | None:
    if path is None:
        return None
    with path.open("rb") as file:
        return parse_score_table(file)


if __name__ == "__main__":
    sys.exit(main())
