"""The statistics of boards from the command line.

``python -m analysis.boards verify SNAPSHOT.json [TOPIC_SCORES.csv]``: does every number of a snapshot come out?
  Its id is compared with the one in the name of the file or of its folder, or with ``--id``.
``python -m analysis.boards fit data/variance_observations.csv``: how do scores vary where nobody has seen it?
``python -m analysis.boards calibrate data``: how often do verdicts hold where the truth is known?
  With ``--family R`` only predictions for that family of measures are measured again.
``python -m analysis.boards audit data``: how far are predicted variances off where matrices are at hand?
"""

import argparse
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

from analysis.boards import METHODS, snapshot_id, verify_snapshot
from analysis.boards._audit import FILE as AUDIT_FILE
from analysis.boards._audit import audit_text
from analysis.boards._calibrate import audit_variances, calibrate, calibrate_again, fit
from analysis.boards._calibration_table import FILE, calibration_text, parse_calibration
from analysis.boards._prediction import FILE as MODEL_FILE
from analysis.boards._prediction import model_text
from analysis.errors import ArgumentError
from analysis.scores import ScoreMatrix, parse_score_table


def main(arguments: list[str] | None = None) -> int:
    """0 where everything comes out, 1 where something differs, 2 where it can't be done."""
    parser = argparse.ArgumentParser(prog="python -m analysis.boards", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    verify = commands.add_parser("verify", help="compute a snapshot again and say what differs")
    verify.add_argument("snapshot", type=Path, help="the JSON of a snapshot, as the site gives it")
    verify.add_argument("topic_scores", type=Path, nargs="?", help="CSV: topic, then a column for each result id")
    verify.add_argument("--id", help="the id that it was cited by; otherwise the one in the file's or folder's name")
    fitted = commands.add_parser("fit", help="fit the model of variances, and write its coefficients")
    fitted.add_argument("sample", type=Path, help="CSV of residual variances that were seen, with what predicts them")
    fitted.add_argument("--output", type=Path, default=Path(__file__).with_name(MODEL_FILE))
    measure = commands.add_parser("calibrate", help="measure how often verdicts hold, and write the table")
    measure.add_argument("data", type=Path, help="the folder of the shipped data")
    measure.add_argument("--output", type=Path, default=Path(__file__).with_name(FILE))
    measure.add_argument("--trials", type=int, default=400, help="draws of topics for each board")
    measure.add_argument("--seed", type=int, default=2015)
    measure.add_argument("--processes", type=int, default=1)
    measure.add_argument("--family", help="measure predictions for this family of measures again, and keep the rest")
    audited = commands.add_parser("audit", help="compare predicted variances with matrices at hand, and write both")
    audited.add_argument("data", type=Path, help="the folder of the shipped data")
    audited.add_argument("--output", type=Path, default=Path(__file__).with_name(AUDIT_FILE))
    given = parser.parse_args(arguments)
    try:
        if given.command == "verify":
            return _verify(given.snapshot, given.topic_scores, given.id)
        if given.command == "fit":
            return _fit(given.sample, given.output)
        if given.command == "audit":
            return _audit(given.data, given.output)
        today = datetime.now(UTC).date().isoformat()
        if given.family:
            stood = parse_calibration(given.output.read_text(encoding="utf-8"))
            found = calibrate_again(given.data, stood, given.family, measured_on=today)
        else:
            found = calibrate(
                given.data,
                measured_on=today,
                seed=given.seed,
                n_trials=given.trials,
                n_processes=given.processes,
            )
        given.output.write_text(calibration_text(found), encoding="utf-8")
        n_rows = (
            f"{len(found.rows)} rows from {len(found.tables)} tables of topic scores, {len(found.suites)} of suites"
        )
        print(f"{given.output}: {n_rows}.")
    except (OSError, UnicodeDecodeError, ArgumentError) as error:
        print(f"Cannot be done: {error}", file=sys.stderr)
        return 2
    return 0


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


def _audit(data: Path, output: Path) -> int:
    rows = audit_variances(data)
    output.write_text(audit_text(rows), encoding="utf-8")
    for row in rows:
        marked = "  beyond 2" if row.is_beyond else ""
        print(f"{row.collection:<28}{row.family:<8}{row.variance_class:<10}{row.ratio:6.2f}{marked}")
    n_beyond = sum(row.is_beyond for row in rows)
    print(f"{output}: {len(rows)} collections and families of measures, {n_beyond} off by more than a factor of 2.")
    return 0


def _id_in(name: str) -> str | None:
    found = re.search(rf"(?<![0-9a-f])[0-9a-f]{{{len(snapshot_id(''))}}}(?![0-9a-f])", name)
    return found[0] if found else None


def _fit(sample: Path, output: Path) -> int:
    found = fit(sample)
    output.write_text(model_text(found), encoding="utf-8")
    print(f"{output}: {found.n_observations} variances of {found.n_groups} groups of collections.")
    print(f"With its group left out, one is off by {found.left_out_log_error} (rms of the logarithm).")
    return 0


def _read_scores(path: Path | None) -> ScoreMatrix | None:
    if path is None:
        return None
    with path.open("rb") as file:
        return parse_score_table(file)


if __name__ == "__main__":
    sys.exit(main())
