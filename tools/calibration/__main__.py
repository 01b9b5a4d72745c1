"""Writes the tables that ``analysis.boards`` reads. Whoever does counts up the version of the methods.

``python -m tools.calibration calibrate data``: how often do verdicts hold where the truth is known?
  With ``--predictions`` only what rests on predictions about one leaderboard is measured again.
``python -m tools.calibration fit data/variance_observations.csv``: how do scores vary where nobody has seen it?
``python -m tools.calibration audit data``: how far are predicted variances off where matrices are at hand?
``python -m tools.calibration grow``: how often is the best left out on some day of a leaderboard that grows? (prints)
``python -m tools.calibration worth data``: how far is the value off, how often does its interval hold? (prints)
"""

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from analysis import boards
from analysis.boards._calibration_table import FILE, calibration_text, parse_calibration
from analysis.boards._prediction import AUDIT_FILE, MODEL_FILE, audit_text, model_text
from analysis.errors import ArgumentError
from tools.calibration.calibrating import audit_variances, calibrate, calibrate_predictions, fit, read_tables
from tools.calibration.worth import left_out_while_growing, worth_lines

_TABLES = Path(boards.__file__).parent


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return 0 where its table is written, 2 where it can't be."""
    parser = argparse.ArgumentParser(prog="python -m tools.calibration", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    fitted = commands.add_parser("fit", help="fit the model of variances, and write its coefficients")
    fitted.add_argument("sample", type=Path, help="CSV of residual variances that were seen, with what predicts them")
    fitted.add_argument("--output", type=Path, default=_TABLES / MODEL_FILE)
    measure = commands.add_parser("calibrate", help="measure how often verdicts hold, and write the table")
    measure.add_argument("data", type=Path, help="the folder of the shipped data")
    measure.add_argument("--output", type=Path, default=_TABLES / FILE)
    measure.add_argument("--trials", type=int, default=400, help="draws of topics for each board")
    measure.add_argument("--seed", type=int, default=2015)
    measure.add_argument("--processes", type=int, default=1)
    measure.add_argument("--predictions", action="store_true", help="measure these again, and keep the rest")
    audited = commands.add_parser("audit", help="compare predicted variances with matrices at hand, and write both")
    audited.add_argument("data", type=Path, help="the folder of the shipped data")
    audited.add_argument("--output", type=Path, default=_TABLES / AUDIT_FILE)
    growing = commands.add_parser("grow", help="simulate leaderboards that grow, and print how often the best is out")
    growing.add_argument("--boards", type=int, default=20_000, help="leaderboards that are simulated")
    worth = commands.add_parser("worth", help="print how far values of the best are off where the truth is known")
    worth.add_argument("data", type=Path, help="the folder of the shipped data")
    worth.add_argument("--trials", type=int, default=150, help="draws of topics for each matrix")
    options = parser.parse_args(arguments)
    run = {"fit": _fit, "calibrate": _calibrate, "audit": _audit, "grow": _grow, "worth": _worth}[options.command]
    try:
        run(options)
    except (OSError, UnicodeDecodeError, ArgumentError) as error:
        print(f"Cannot be done: {error}", file=sys.stderr)
        return 2
    return 0


def _calibrate(options: argparse.Namespace) -> None:
    today = datetime.now(UTC).date().isoformat()
    if options.predictions:
        stood = parse_calibration(options.output.read_text(encoding="utf-8"))
        measured = calibrate_predictions(options.data, stood, measured_on=today, n_processes=options.processes)
    else:
        measured = calibrate(
            options.data, measured_on=today, seed=options.seed, n_trials=options.trials, n_processes=options.processes
        )
    options.output.write_text(calibration_text(measured), encoding="utf-8")
    tables = f"{len(measured.tables)} tables of topic scores, {len(measured.suites)} of suites"
    print(f"{options.output}: {len(measured.rows)} rows from {tables}.")


def _audit(options: argparse.Namespace) -> None:
    rows = audit_variances(options.data)
    options.output.write_text(audit_text(rows), encoding="utf-8")
    for row in rows:
        marked = "  beyond 2" if row.is_beyond else ""
        print(f"{row.collection:<28}{row.family:<8}{row.variance_class:<10}{row.ratio:6.2f}{marked}")
    n_beyond = sum(row.is_beyond for row in rows)
    counts = f"{len(rows)} collections and families of measures, {n_beyond} off by more than a factor of 2"
    print(f"{options.output}: {counts}.")


def _grow(options: argparse.Namespace) -> None:
    print("constant of so many times the results; left out on some day; if it was there from the start")
    for times in (1, 2):
        shares = left_out_while_growing(60.0, times, n_boards=options.boards)
        print(f"{times} {shares.on_some_day:.3f} {shares.from_the_start:.3f}")


def _fit(options: argparse.Namespace) -> None:
    fitted = fit(options.sample)
    options.output.write_text(model_text(fitted), encoding="utf-8")
    print(f"{options.output}: {fitted.n_observations} variances of {fitted.n_groups} groups of collections.")
    print(f"With its group left out, one is off by {fitted.left_out_log_error} (rms of the logarithm).")


def _worth(options: argparse.Namespace) -> None:
    matrices = [table.matrix for table in read_tables(options.data) if not table.is_sparse]
    for line in worth_lines(matrices, n_trials=options.trials):
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
