"""``plumbline score mine.run --qrels my.qrels``, ``plumbline submit results.csv --dry-run``: at the desk, and with a
site."""

import argparse
import sys
from pathlib import Path

from plumbline import __version__, desk_commands, own_commands, paper_commands
from plumbline.errors import PlumblineError
from plumbline.site import ADDRESS_VARIABLE, TOKEN_VARIABLE, Site


def main(arguments: list[str] | None = None) -> int:
    """Return 0 where all went well, 1 where the answer is no, 2 where nothing could be done, 3 where it can't be said.

    No is: rows are refused; a score is significantly below the best; two runs don't differ; a snapshot does.
    """
    parser = argparse.ArgumentParser(prog="plumbline", description="Ask a Plumbline, and submit results.")
    parser.add_argument("--url", default="", help=f"where it is (default: ${ADDRESS_VARIABLE})")
    parser.add_argument("--version", action="version", version=f"plumbline {__version__}")
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
    paper_commands.add_submit(commands)
    run = commands.add_parser("score-run", help=f"have a TREC run scored, for your own eyes (token: ${TOKEN_VARIABLE})")
    run.add_argument("file", type=Path)
    run.add_argument("--collection", required=True)
    run.add_argument("--name", default="", help="what the system is called (default: as the file)")
    run.add_argument("--until", default="", help="the day until which it is kept (default: an hour)")
    run.add_argument("--result", type=int, help="the number of the result that it is the run of")
    scale = commands.add_parser("standardize", help=f"z of a run against fixed systems (token: ${TOKEN_VARIABLE})")
    scale.add_argument("file", type=Path)
    scale.add_argument("--reference", required=True, help="the collection that the run and these systems are on")
    scale.add_argument("--by-topic", action="store_true", help="each topic, too")
    commands.add_parser("runs", help=f"your own runs that are still kept (token: ${TOKEN_VARIABLE})")
    gone = commands.add_parser("delete-run", help=f"delete one of your own runs (token: ${TOKEN_VARIABLE})")
    gone.add_argument("address", help="of its page, as runs lists it")
    own_commands.add_commands(commands)
    desk_commands.add_commands(commands)
    options = parser.parse_args(arguments)
    try:
        if options.command in desk_commands.DESK:
            return desk_commands.DESK[options.command](options)
        return _do(desk_commands.site_of(options), options)
    except ModuleNotFoundError as error:
        needed = "pip install . './clients/python[statistics]'"
        print(f"{options.command} needs {error.name}, which is not installed: {needed} in a checkout.", file=sys.stderr)
        return 2
    except (PlumblineError, ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2


def _do(site: Site, options: argparse.Namespace) -> int:
    if options.command == "leaderboard":
        board = site.leaderboard(options.collection, options.measure)
        print(board.verdict.sentence if board.verdict else board.analysis.message)
        return 0
    if options.command == "check":
        check = site.check(
            options.collection, options.measure, options.score, baseline=options.baseline, tried=options.tried
        )
        print("\n".join([check.headline, *check.of_score, *check.of_baseline, *check.of_gain]))
        return 0
    if options.command == "own":
        return own_commands.do(site, options)
    if options.command == "score-run":
        return _score_run(site, options)
    if options.command == "standardize":
        return _standardize(site, options)
    if options.command == "runs":
        for run in site.runs():
            print("\t".join([run.name, run.collection, run.state, run.forgotten, f"{site.url.rstrip('/')}{run.url}"]))
        return 0
    if options.command == "delete-run":
        site.delete_run(options.address)
        return 0
    return paper_commands.submit(site, options)


def _standardize(site: Site, options: argparse.Namespace) -> int:
    run = site.score_run(options.file, collection=options.reference)
    for scale in run.standardized:
        if options.by_topic:
            print("".join(f"{scale.measure}\t{topic}\t{z:+.4f}\n" for topic, z in scale.topics.items()), end="")
        interval = f"{scale.low:+.4f} to {scale.high:+.4f} (95%)"
        print(f"{scale.measure}\tz {scale.z:+.4f}\t{interval}\t{scale.n_systems} {scale.reference}")
        print(f"  {scale.n_better} of these {scale.n_systems} have a better mean")
        if scale.told_apart:
            print("  topic by topic better than {}, worse than {} (t test, Holm)".format(*scale.told_apart))
    if not run.standardized:
        why = "it answers too few topics" if not run.is_complete else "no fixed systems have scores on its topics"
        print(f"No z on {options.reference}: {why}.", file=sys.stderr)
    return 0 if run.standardized else 3


def _score_run(site: Site, options: argparse.Namespace) -> int:
    run = site.score_run(
        options.file, collection=options.collection, name=options.name, until=options.until, result=options.result
    )
    for measure, mean in run.means.items():
        print(f"{measure}\t{mean:.4f}")
        if measure in run.means_of_answered:
            print(f"  {run.means_of_answered[measure]:.4f} over the answered topics")
        if measure in run.ties:
            print("  {:.4f} to {:.4f} by the order of equal scores".format(*run.ties[measure]))
    for line in run.report:
        print(f"{line.name}: {line.count:,}. {line.policy} {line.where}", file=sys.stderr)
    if run.agreement and not run.agreement.is_same:
        agreement = run.agreement
        printed = f"printed is {agreement.printed} under {agreement.measure}"
        print(f"{printed}, and the mean is {agreement.mean:.4f}", file=sys.stderr)
    print(f"until {run.forgotten} at {site.url.rstrip('/')}{run.url}")
    return 1 if run.agreement and not run.agreement.is_same else 0


if __name__ == "__main__":
    sys.exit(main())
