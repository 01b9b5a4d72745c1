"""``plumbline score mine.run --qrels my.qrels``, ``plumbline submit results.csv --dry-run``: at the desk, and with a
site."""

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

from plumbline import own_commands
from plumbline.errors import NotFoundError, PlumblineError
from plumbline.site import ADDRESS_VARIABLE, TOKEN_VARIABLE, Site


def main(arguments: list[str] | None = None) -> int:
    """0 where all went well, 1 where the answer is no, 2 where nothing could be done, 3 where it can't be said.

    No is: rows are refused; a score is ruled out as the best; two runs are not told apart; a snapshot differs.
    """
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
    own_commands.add_commands(commands)
    _at_the_desk(commands)
    options = parser.parse_args(arguments)
    try:
        if options.command in _DESK:
            return _DESK[options.command](options)
        return _do(_site(options), options)
    except ModuleNotFoundError as error:
        needed = "pip install . './clients/python[statistics]'"
        print(f"{options.command} needs {error.name}, which is not installed: {needed} in a checkout.", file=sys.stderr)
        return 2
    except (PlumblineError, ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2


def _site(options: argparse.Namespace) -> Site:
    return Site(options.url, on_wait=lambda message: print(message, file=sys.stderr))


def _at_the_desk(commands: Any) -> None:
    """What needs neither a site nor an account."""
    score = commands.add_parser("score", help="score a run from files")
    compare = commands.add_parser("compare", help="test two runs topic by topic")
    score.add_argument("run", type=Path, help="in TREC format, plain or gzip")
    compare.add_argument("runs", type=Path, nargs="*", metavar="RUN", help="two, with --qrels and --measure")
    compare.add_argument("--scores", type=Path, help="a table of scores by topic of two systems, in place of runs")
    for one in (score, compare):
        needed = one is score
        one.add_argument("--qrels", required=needed, help="a file, or a collection whose judgements the site gives")
        one.add_argument("--measure", nargs="+", required=needed, help="as ir-measures spells them")
        one.add_argument("--format", choices=("text", "json", "latex"), default="text")
    score.add_argument("--by-topic", action="store_true", help="each topic, too")
    score.add_argument("--against", default="", help="a collection (of the site, or of --dump), or a snapshot's JSON")
    score.add_argument("--dump", type=Path, help="folder of a dump, in place of the site")
    luck = commands.add_parser("best-of", help="how good does luck make the best of many?")
    luck.add_argument("n", type=int)
    luck.add_argument("--topics", type=int, required=True)
    luck.add_argument("--variance", type=float, required=True, help="residual variance of scores by topic")
    luck.add_argument("--best", type=float, help="the best one's score")
    luck.add_argument("--format", choices=("text", "json", "latex"), default="text")
    verify = commands.add_parser("verify", help="compute a snapshot again, and say what differs")
    verify.add_argument("snapshot", type=Path, help="its JSON, as the site gives it")
    verify.add_argument("--id", default="", help="the id that was cited")
    verify.add_argument("--format", choices=("text", "json"), default="text")


def _score(options: argparse.Namespace) -> int:
    from plumbline import desk

    found = _scored(options, options.run, _judgements(options))
    told = [_told_of(options, one) for one in found] if options.against else [{} for _ in found]
    if options.format == "json":
        rows = [
            {"measure": one.measure, "mean": one.mean, "interval": one.interval, "missing": one.missing}
            | ({"topics": one.by_topic} if options.by_topic else {})
            | ({"against": said} if said else {})
            for one, said in zip(found, told, strict=True)
        ]
        print(json.dumps(rows, indent=1))
    elif options.format == "latex":
        limits = [f"{one.interval[0]:.4f}--{one.interval[1]:.4f}" if one.interval else "" for one in found]
        rows_of = [(one.measure, f"{one.mean:.4f}", text) for one, text in zip(found, limits, strict=True)]
        print(desk.as_latex(("Measure", "Mean", "95 % interval, documents"), rows_of))
    else:
        for one, said in zip(found, told, strict=True):
            if options.by_topic:
                print(
                    "".join(f"{one.measure}\t{topic}\t{value:.4f}\n" for topic, value in one.by_topic.items()), end=""
                )
            print(f"{one.measure}\tall\t{one.mean:.4f}")
            if one.interval:
                print(f"  {one.interval[0]:.4f} to {one.interval[1]:.4f} on other documents of the kind, at 95 %")
            if said:
                print(f"  {said['sentence']}")
    _say_missing(found[0].missing)
    n_topics = len(found[0].by_topic)
    if (there := told[0].get("n_topics")) and there != n_topics:
        differ = f"These judgements have {n_topics:,} topics, and means there are over {there:,}"
        print(f"{differ}: they are not over the same topics.", file=sys.stderr)
    answers = [said["may_be_best"] for said in told if said]
    return 1 if False in answers else 3 if None in answers else 0


def _scored(options: argparse.Namespace, run: Path, judgements: bytes) -> list[Any]:
    from plumbline import desk

    return desk.score(desk.read(run), judgements, options.measure, names=(str(run), options.qrels))


def _say_missing(missing: tuple[str, ...], of: str = "") -> None:
    if missing:
        told = f"{len(missing)} judged topics have no answer and count as 0: {', '.join(missing[:10])}"
        print(f"{of}{told}", file=sys.stderr)


def _told_of(options: argparse.Namespace, scored: Any) -> dict[str, Any]:
    """What is said of a score beside the published ones, with a sentence."""
    from plumbline import desk

    if not options.dump and not Path(options.against).is_file():
        found = _site_for(options, options.against).check(
            options.against, desk.with_its_grade(scored.measure), scored.mean
        )
        checked = found.checked
        may = checked.may_be_best if checked.may_be_best_unflagged is None else checked.may_be_best_unflagged
        return {
            "may_be_best": may,
            "sentence": found.sentence or found.headline,
            "margin": checked.margin,
            "behind": checked.behind,
            "n_topics": found.leaderboard.collection.n_topics,
        }
    if options.dump:
        text = desk.snapshot_of_dump(options.dump, options.against, scored.measure)
    else:
        text = desk.read_text(options.against)
    said = desk.against(text, scored)
    may = said["may_be_best"] if said["may_be_best_unflagged"] is None else said["may_be_best_unflagged"]
    words = {True: "can’t be told from the best", False: "is ruled out as the best", None: "can’t be judged"}[may]
    sentence = f"{scored.mean:.4f} {words} on {said['collection']}, {said['measure']} ({said['best']:.4f})"
    if said["margin"] is not None:
        sentence += f"; the margin is {said['margin']:.4f}"
    if said["ranks"]:
        sentence += f", its rank truly from {said['ranks']['low']} to {said['ranks']['high']} of {said['n_results']}"
    return said | {"may_be_best": may, "sentence": f"{sentence}."}


def _judgements(options: argparse.Namespace) -> bytes:
    from plumbline import desk

    if Path(options.qrels).is_file():
        return desk.read(options.qrels)
    try:
        return _site_for(options, options.qrels).judgements(options.qrels)
    except NotFoundError as error:
        raise NotFoundError(f"There is no file {options.qrels}, and as a collection: {error}") from error


def _site_for(options: argparse.Namespace, name: str) -> Site:
    """The site that may have a collection of the name of what is no file."""
    try:
        return _site(options)
    except ValueError as error:
        raise ValueError(f"There is no file {name}, and to look for a collection: {error}") from error


def _compare(options: argparse.Namespace) -> int:
    from plumbline import desk

    if options.scores:
        if options.runs or options.qrels or options.measure:
            raise ValueError("Give two runs with --qrels and --measure, or --scores alone.")
        names, scored = desk.read_scores(desk.read_text(options.scores))
        first, second = ([one] for one in scored)
    elif len(options.runs) != 2 or not options.qrels or not options.measure:
        raise ValueError("Give two runs with --qrels and --measure, or --scores with a table of two systems.")
    else:
        judgements = _judgements(options)
        first, second = (_scored(options, run, judgements) for run in options.runs)
        names = str(options.runs[0]), str(options.runs[1])
    found = [desk.compare(one, other) for one, other in zip(first, second, strict=True)]
    if options.format == "json":
        print(json.dumps(found, indent=1))
    elif options.format == "latex":
        rows = [(one["measure"], *(f"{mean:.4f}" for mean in one["means"]), f"{one['difference']:+.4f}",
                 next((f"{test['pvalue']:.4g}" for test in one["tests"] if test["test"] == "t"), "")) for one in found
                ]  # fmt: skip
        print(desk.as_latex(("Measure", *(Path(name).name for name in names), "Difference", "p (t)"), rows))
    else:
        for one in found:
            told = "; ".join(f"{test['test']} p = {test['pvalue']:.4g}" for test in one["tests"])
            said = told or "the same on every topic"
            print(f"{one['measure']}\t{one['means'][0]:.4f}\t{one['means'][1]:.4f}\t{one['difference']:+.4f}\t{said}")
    for name, of_one in zip(names, (first, second), strict=True):
        _say_missing(of_one[0].missing, f"{name}: ")
    return 0 if all(one["is_told_apart"] for one in found) else 1


def _best_of(options: argparse.Namespace) -> int:
    from plumbline import desk

    if options.n < 1 or options.topics < 1 or not 0 < options.variance < math.inf:
        raise ValueError("N and the number of topics are 1 or more, and the variance is a number above 0.")
    if options.best is not None and not math.isfinite(options.best):
        raise ValueError(f"The best one's score is a number; this is {options.best}.")
    found = desk.best_of(options.n, n_topics=options.topics, variance=options.variance, printed=options.best)
    if options.format == "json":
        print(json.dumps(found))
        return 0
    if options.format == "latex":
        print(desk.as_latex(tuple(found), [tuple(f"{value:g}" for value in found.values())]))
        return 0
    systems = "system" if options.n == 1 else "systems"
    print(f"The best of {options.n:,} equally good {systems} is expected {found['luck']:.4f} above what it is worth.")
    if options.best is not None:
        print(f"Of {options.best:.4f}, {found['worth']:.4f} is left.")
    return 0


def _verify(options: argparse.Namespace) -> int:
    from plumbline import desk

    problems = desk.verify(desk.read_text(options.snapshot), expected=options.id)
    if options.format == "json":
        print(json.dumps({"problems": problems}))
    else:
        print("\n".join(problems) or "Every number comes out again.")
    return 1 if problems else 0


_DESK = {"score": _score, "compare": _compare, "best-of": _best_of, "verify": _verify}


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
    if options.command == "own":
        return own_commands.do(site, options)
    if options.command == "score-run":
        return _score_run(site, options)
    if options.command == "runs":
        for run in site.runs():
            print("\t".join([run.name, run.collection, run.state, run.forgotten, f"{site.url.rstrip('/')}{run.url}"]))
        return 0
    if options.command == "delete-run":
        site.delete_run(options.address)
        return 0
    submission = site.submit(options.file, dry_run=options.dry_run, note=options.note)
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
