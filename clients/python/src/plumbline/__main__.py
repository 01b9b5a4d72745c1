"""``plumbline submit results.csv --dry-run``: results of a file, handed in or tried, as in the CI of a repository."""

import argparse
import csv
import sys
from pathlib import Path

from plumbline.errors import PlumblineError
from plumbline.site import ADDRESS_VARIABLE, TOKEN_VARIABLE, Site


def main(arguments: list[str] | None = None) -> int:
    """0 where all went well, 1 where rows are refused, 2 where nothing could be done."""
    parser = argparse.ArgumentParser(prog="plumbline", description="Ask a Plumbline, and hand results in.")
    parser.add_argument("--url", default="", help=f"where it is (default: ${ADDRESS_VARIABLE})")
    commands = parser.add_subparsers(dest="command", required=True)
    board = commands.add_parser("leaderboard", help="the verdict of a leaderboard")
    board.add_argument("collection")
    board.add_argument("measure")
    score = commands.add_parser("check", help="what a leaderboard says of a score")
    score.add_argument("collection")
    score.add_argument("measure")
    score.add_argument("score", type=float)
    score.add_argument("--baseline", type=float)
    score.add_argument("--tried", type=int, default=1, help="how many were tried (default: 1)")
    hand_in = commands.add_parser("submit", help=f"hand the rows of a CSV file in (token: ${TOKEN_VARIABLE})")
    hand_in.add_argument("file", type=Path)
    hand_in.add_argument("--dry-run", action="store_true", help="only say what would become of them")
    hand_in.add_argument("--note", default="", help="for reviewers")
    run = commands.add_parser("score-run", help=f"have a TREC run scored, for your own eyes (token: ${TOKEN_VARIABLE})")
    run.add_argument("file", type=Path)
    run.add_argument("--collection", required=True)
    run.add_argument("--name", default="", help="what the system is called (default: as the file)")
    run.add_argument("--until", default="", help="the day until which it is kept (default: an hour)")
    run.add_argument("--result", type=int, help="the number of the result that it is the run of")
    commands.add_parser("runs", help=f"your own runs that are still kept (token: ${TOKEN_VARIABLE})")
    gone = commands.add_parser("delete-run", help=f"delete one of your own runs (token: ${TOKEN_VARIABLE})")
    gone.add_argument("address", help="of its page, as runs lists it")
    options = parser.parse_args(arguments)
    try:
        return _do(Site(options.url), options)
    except (PlumblineError, ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2


def _do(site: Site, options: argparse.Namespace) -> int:
    if options.command == "leaderboard":
        board = site.leaderboard(options.collection, options.measure)
        print(board.verdict.sentence if board.verdict else board.analysis.message)
        return 0
    if options.command == "check":
        found = site.check(
            options.collection, options.measure, options.score, baseline=options.baseline, tried=options.tried
        )
        print("\n".join([found.headline, *found.of_score, *found.of_baseline]))
        return 0
    if options.command == "score-run":
        return _score_run(site, options)
    if options.command == "runs":
        for run in site.runs():
            print("\t".join([run.name, run.collection, run.state, run.forgotten, f"{site.url.rstrip('/')}{run.url}"]))
        return 0
    if options.command == "delete-run":
        site.delete_run(options.address)
        return 0
    with options.file.open(encoding="utf-8-sig", newline="") as stream:
        rows = [{name: cell for name, cell in row.items() if name and cell} for row in csv.DictReader(stream)]
    submission = site.submit(rows, dry_run=options.dry_run, note=options.note)
    print(", ".join(f"{n} {name}" for name, n in submission.counts.items()))
    for row in submission.refused:
        print(f"row {row.line}: {'; '.join(one.message for one in row.rejections)}", file=sys.stderr)
    if submission.url:
        print(f"draft: {site.url.rstrip('/')}{submission.url}")
    return 1 if submission.refused else 0


def _score_run(site: Site, options: argparse.Namespace) -> int:
    run = site.score_run(
        options.file, collection=options.collection, name=options.name, until=options.until, result=options.result
    )
    print("\n".join(f"{measure}\t{mean:.4f}" for measure, mean in run.means.items()))
    for line in run.report:
        print(f"{line.name}: {line.count:,}. {line.policy} {line.where}", file=sys.stderr)
    if run.agreement and not run.agreement.is_same:
        told = run.agreement
        print(f"printed is {told.printed} under {told.measure}, and the mean is {told.mean:.4f}", file=sys.stderr)
    print(f"until {run.forgotten} at {site.url.rstrip('/')}{run.url}")
    return 1 if run.agreement and not run.agreement.is_same else 0


if __name__ == "__main__":
    sys.exit(main())
