"""``plumbline score mine.run --qrels my.qrels``: the commands that need neither a site nor an account."""

import argparse
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plumbline import paper_commands
from plumbline.errors import NotFoundError
from plumbline.site import Site


def site_of(options: argparse.Namespace) -> Site:
    return Site(options.url, on_wait=lambda message: print(message, file=sys.stderr))


def add_commands(commands: Any) -> None:
    """Add the commands that need neither a site nor an account."""
    score = commands.add_parser("score", help="score a run from files")
    compare = commands.add_parser("compare", help="test runs topic by topic")
    score.add_argument("run", type=Path, help="a run as the site takes it, plain, gzip or zstd, or a folder of runs")
    compare.add_argument(
        "runs", nargs="*", metavar="RUN", help="two or more; or systems with executions, as A=a1.run,a2.run B=b.run"
    )
    compare.add_argument("--correct", choices=("holm", "none"), default="holm", help="of several pairs")
    compare.add_argument("--scores", type=Path, help="a table of scores by topic, in place of runs; A=column,column")
    compare.add_argument("--margin", type=float, help="of systems with executions: are they as good, within this?")
    for command in (score, compare):
        needed = command is score
        command.add_argument("--qrels", required=needed, help="a file, or a collection whose judgements the site gives")
        command.add_argument("--measure", nargs="+", required=needed, help="as ir-measures spells them")
        command.add_argument("--format", choices=("text", "json", "latex"), default="text")
    score.add_argument("--by-topic", action="store_true", help="each topic, too")
    score.add_argument("--against", default="", help="a collection (of the site, or of --dump), or a snapshot's JSON")
    score.add_argument("--dump", type=Path, help="folder of a dump, in place of the site")
    luck = commands.add_parser("best-of", help="how good does luck make the best of many?")
    luck.add_argument("n", type=int)
    luck.add_argument("--topics", type=int, required=True)
    luck.add_argument("--variance", type=float, required=True, help="residual variance of scores by topic")
    luck.add_argument("--best", type=float, help="the best one's score")
    luck.add_argument("--format", choices=("text", "json", "latex"), default="text")
    paper_commands.add_review(commands)
    verify = commands.add_parser("verify", help="compute a snapshot again, or compare a dump with kept heads")
    verify.add_argument("snapshot", type=Path, help="its JSON, as the site gives it; or the folder of a dump")
    verify.add_argument(
        "--against", type=Path, help="of a dump: a file of heads kept from /log/heads/ (nothing is fetched)"
    )
    verify.add_argument("--id", default="", help="the id that was cited")
    verify.add_argument("--topic-scores", type=Path, help="the CSV of them that the snapshot's page has")
    verify.add_argument("--format", choices=("text", "json"), default="text")


def _score(options: argparse.Namespace) -> int:
    from plumbline import desk

    judgements, files = _judgements(options), desk.runs_of(options.run)
    runs = [(file, scored) for file in files for scored in _scored(options, file, judgements)]
    verdicts = [_verdict(options, scored) if options.against else {} for _, scored in runs]
    if options.format == "json":
        rows = [
            {"measure": scored.measure, "mean": scored.mean, "interval": scored.interval, "missing": scored.missing}
            | {"mean_of_answered": scored.mean_of_answered, "ties": scored.ties, "report": scored.report}
            | ({"run": file.name} if len(files) > 1 else {})
            | ({"topics": scored.by_topic} if options.by_topic else {})
            | ({"against": verdict} if verdict else {})
            for (file, scored), verdict in zip(runs, verdicts, strict=True)
        ]
        print(json.dumps(rows, indent=1))
    elif options.format == "latex":
        cells = [
            (
                f"{file.name}, {scored.measure}" if len(files) > 1 else scored.measure,
                f"{scored.mean:.4f}",
                f"{scored.interval[0]:.4f}--{scored.interval[1]:.4f}" if scored.interval else "",
            )
            for file, scored in runs
        ]
        print(desk.as_latex(("Measure", "Mean", "95 % interval, documents"), cells))
    else:
        for (file, scored), verdict in zip(runs, verdicts, strict=True):
            print("\n".join(_lines_of(scored, f"{file.name}\t" if len(files) > 1 else "", options.by_topic)))
            if verdict:
                print(f"  {verdict['sentence']}")
    for file, scored in dict(runs).items():
        _print_report(scored, f"{file.name}: " if len(files) > 1 else "")
    n_topics = len(runs[0][1].by_topic)
    if (there := verdicts[0].get("n_topics")) and there != n_topics:
        differ = f"These judgements have {n_topics:,} topics, and means there are over {there:,}"
        print(f"{differ}: they are not over the same topics.", file=sys.stderr)
    answers = [verdict["may_be_best"] for verdict in verdicts if verdict]
    return 1 if False in answers else 3 if None in answers else 0


def _lines_of(scored: Any, run: str, by_topic: bool) -> Iterator[str]:
    """Yield the printed lines of a run under one measure; ``run`` names it, where there are several."""
    if by_topic:
        yield from (f"{run}{scored.measure}\t{topic}\t{value:.4f}" for topic, value in scored.by_topic.items())
    yield f"{run}{scored.measure}\tall\t{scored.mean:.4f}"
    if scored.mean_of_answered is not None:
        n_topics = len(scored.by_topic)
        answered = f"{n_topics - len(scored.missing):,} of {n_topics:,} judged topics"
        yield f"  {scored.mean_of_answered:.4f} over the {answered} that it answers"
    if scored.ties:
        yield f"  {scored.ties[0]:.4f} to {scored.ties[1]:.4f} by the order of equal scores"
    if scored.interval:
        yield f"  {scored.interval[0]:.4f} to {scored.interval[1]:.4f} on other documents of the kind, at 95 %"
    elif scored.why_no_interval:
        yield f"  no interval on other documents: {scored.why_no_interval}"


def _scored(options: argparse.Namespace, run: Path, judgements: bytes) -> list[Any]:
    from plumbline import desk

    return desk.score(desk.read(run), judgements, options.measure, names=(str(run), options.qrels))


def _print_report(scored: Any, run: str = "") -> None:
    for line in scored.report:
        print(f"{run}{line}", file=sys.stderr)


def _verdict(options: argparse.Namespace, scored: Any) -> dict[str, Any]:
    """Return the verdict on a score beside the published ones, with a sentence."""
    from plumbline import desk

    if not scored.is_complete:
        n_topics = len(scored.by_topic)
        answered = f"{n_topics - len(scored.missing):,} of {n_topics:,} judged topics are answered"
        sentence = f"{answered}: no rank, and nothing to cite. From 90 % on, a mean is compared with others."
        return {"may_be_best": None, "sentence": sentence}
    if not options.dump and not Path(options.against).is_file():
        site = _site_for(options, options.against)
        check = site.check(options.against, desk.with_its_grade(scored.measure), scored.mean)
        checked = check.checked
        may = checked.may_be_best if checked.may_be_best_unflagged is None else checked.may_be_best_unflagged
        return {
            "may_be_best": may,
            "sentence": check.sentence or check.headline,
            "margin": checked.margin,
            "behind": checked.behind,
            "n_topics": check.leaderboard.collection.n_topics,
        }
    if options.dump:
        from plumbline.record import snapshot_of_dump

        text = snapshot_of_dump(options.dump, options.against, scored.measure)
    else:
        text = desk.read_text(options.against)
    numbers = desk.against(text, scored)
    may = numbers["may_be_best"] if numbers["may_be_best_unflagged"] is None else numbers["may_be_best_unflagged"]
    words = {True: "ties for first", False: "is significantly below the best", None: "can’t be judged"}[may]
    sentence = f"{scored.mean:.4f} {words} on {numbers['collection']}, {numbers['measure']} ({numbers['best']:.4f})"
    if numbers["margin"] is not None:
        sentence += f"; a tie takes a distance of {numbers['margin']:.4f} or less"
    if ranks := numbers["ranks"]:
        n_ranked = numbers["n_of_view"] - numbers["n_held_back"] + 1
        sentence += f", its rank may be from {ranks['low']} to {ranks['high']} of {n_ranked}"
    return numbers | {"may_be_best": may, "sentence": f"{sentence}."}


def _judgements(options: argparse.Namespace) -> bytes:
    from plumbline import desk

    if Path(options.qrels).is_file():
        return desk.read(options.qrels)
    try:
        return _site_for(options, options.qrels).judgements(options.qrels)
    except NotFoundError as error:
        raise NotFoundError(f"There is no file {options.qrels}, and as a collection: {error}") from error


def _site_for(options: argparse.Namespace, name: str) -> Site:
    """Return the site, which may have a collection of the name of what is no file."""
    try:
        return site_of(options)
    except ValueError as error:
        raise ValueError(f"There is no file {name}, and to look for a collection: {error}") from error


def _compare(options: argparse.Namespace) -> int:
    from plumbline import desk

    if options.scores and (options.qrels or options.measure):
        raise ValueError("Give runs with --qrels and --measure, or --scores alone.")
    if not options.scores and not (options.qrels and options.measure):
        raise ValueError("Give runs with --qrels and --measure, or --scores with a table.")
    if options.runs and all("=" in run for run in options.runs):
        return _compare_systems(options)
    if options.scores:
        table = desk.read_scores(desk.read_text(options.scores))
        if unknown := set(options.runs) - table.keys():
            raise ValueError(f"The table has no column {min(unknown)}; it has {', '.join(table)}.")
        scored = [(name, [column]) for name, column in table.items() if not options.runs or name in options.runs]
    else:
        judgements = _judgements(options)
        scored = [(run, _scored(options, Path(run), judgements)) for run in options.runs]
    if len(scored) < 2:
        raise ValueError("Give two runs or more, or systems with their executions, as A=a1.run,a2.run B=b.run.")
    pairs = [
        pair
        for place in range(len(scored[0][1]))
        for pair in desk.compare_all([(name, measures[place]) for name, measures in scored], options.correct)
    ]
    corrected = " (Holm)" if options.correct == "holm" and len(scored) > 2 else ""
    if options.format == "json":
        print(json.dumps(pairs, indent=1))
    elif options.format == "latex":
        rows = [
            (pair["measure"], _name_of(pair), *_difference_of(pair), f"{pair['pvalue_adjusted']:.4g}") for pair in pairs
        ]
        print(desk.as_latex(("Measure", "Pair", "Difference", "95 % interval", f"p{corrected}"), rows))
    else:
        for pair in pairs:
            tests = "; ".join(f"{test['test']} p = {test['pvalue']:.4g}" for test in pair["tests"])
            means = [f"{mean:.4f}" for mean in pair["means"]]
            pvalues = [tests or "the same on every topic"]
            if corrected:
                pvalues.append(f"p = {pair['pvalue_adjusted']:.4g}{corrected}")
            named = [_name_of(pair)] if len(scored) > 2 else []
            print("\t".join([pair["measure"], *named, *means, *_difference_of(pair), *pvalues]))
    for name, measures in scored:
        if measures:
            _print_report(measures[0], f"{Path(name).name}: ")
    return 0 if all(pair["is_told_apart"] for pair in pairs) else 1


def _name_of(pair: dict[str, Any]) -> str:
    return " minus ".join(Path(name).name for name in pair["systems"])


def _difference_of(pair: dict[str, Any]) -> tuple[str, str]:
    """Return a difference and its interval, as tables have them; blank where there is none."""
    ends = pair["interval"]
    interval = f"{ends['low']:+.4f} to {ends['high']:+.4f}" if ends else ""
    return f"{pair['difference']:+.4f}", interval


def _compare_systems(options: argparse.Namespace) -> int:
    """Compare systems with their executions: ``A=a1.run,a2.run``, or columns of the table."""
    from plumbline import desk, executions

    named = {name: parts.split(",") for name, _, parts in (run.partition("=") for run in options.runs)}
    if options.scores:
        table = desk.read_scores(desk.read_text(options.scores), is_sparse=True)
        if unknown := {column for columns in named.values() for column in columns} - table.keys():
            raise ValueError(f"The table has no column {min(unknown)}; it has {', '.join(table)}.")
        scored = {name: [[table[column]] for column in columns] for name, columns in named.items()}
    else:
        judgements = _judgements(options)
        scored = {name: [_scored(options, Path(file), judgements) for file in files] for name, files in named.items()}
    n_measures = len(next(iter(scored.values()))[0])
    pairs = []
    for place in range(n_measures):
        systems = {name: [measures[place] for measures in of_system] for name, of_system in scored.items()}
        measure = next(iter(systems.values()))[0].measure
        pairs += [{"measure": measure} | pair for pair in executions.compare_systems(systems, options.margin)]
    if options.format == "json":
        print(json.dumps(pairs, indent=1))
    elif options.format == "latex":
        rows = [(*_cells_of(pair), f"{pair['pvalue_holm']:.4g}") for pair in pairs]
        print(desk.as_latex(("Systems", "Difference", "95 % interval", "p (Holm)"), rows))
    else:
        for pair in pairs:
            print("\t".join([*_cells_of(pair), f"p = {pair['pvalue_holm']:.4g} (Holm)"]))
            for number, model in pair["models"].items():
                low, high = model["interval"]
                between = f"{model['difference']:+.4f}, {low:+.4f} to {high:+.4f}"
                print(f"  model {number}: {between}, p = {model['pvalue']:.4g}")
            if pair["n_absent"]:
                print(f"  {pair['n_absent']} scores are absent: fitted by REML, and no topic is dropped")
            if pair["is_equivalent"] is not None:
                shown = "shown" if pair["is_equivalent"] else "not shown"
                print(f"  as good, within {options.margin:g}: {shown}, p = {pair['pvalue_equivalent']:.4g}")
            needed = [f"{topics or 'over 1,000'} topics with {n}" for n, topics in pair["needed"].items()]
            if needed:
                print(f"  needed four times in five: {'; '.join(needed)} executions")
    return 0 if all(pair["is_told_apart"] for pair in pairs) else 1


def _cells_of(pair: dict[str, Any]) -> tuple[str, str, str]:
    low, high = pair["interval"]
    name = f"{pair['measure']}, {' minus '.join(pair['systems'])}"
    return name, f"{pair['difference']:+.4f}", f"{low:+.4f} to {high:+.4f}"


def _best_of(options: argparse.Namespace) -> int:
    from plumbline import desk

    if options.n < 1 or options.topics < 1 or not 0 < options.variance < math.inf:
        raise ValueError("N and the number of topics are 1 or more, and the variance is a number above 0.")
    if options.best is not None and not math.isfinite(options.best):
        raise ValueError(f"The best one's score is a number; this is {options.best}.")
    chance = desk.best_of(options.n, n_topics=options.topics, variance=options.variance, printed=options.best)
    if options.format == "json":
        print(json.dumps(chance))
        return 0
    if options.format == "latex":
        print(desk.as_latex(tuple(chance), [tuple(f"{value:g}" for value in chance.values())]))
        return 0
    systems = "system" if options.n == 1 else "systems"
    print(f"The best of {options.n:,} equally good {systems} is expected {chance['luck']:.4f} above what it is worth.")
    if options.best is not None:
        print(f"Of {options.best:.4f}, {chance['worth']:.4f} is left.")
    return 0


def _verify(options: argparse.Namespace) -> int:
    from plumbline import desk

    fine = "Every number comes out again."
    if options.against:
        fine = "It has all that the heads tell."
        problems = desk.verify_heads(options.snapshot, desk.read_text(options.against))
    else:
        vectors = desk.read_text(options.topic_scores) if options.topic_scores else ""
        problems = desk.verify(desk.read_text(options.snapshot), expected=options.id, topic_scores=vectors)
    if options.format == "json":
        print(json.dumps({"problems": problems}))
    else:
        print("\n".join(problems) or fine)
    return 1 if problems else 0


DESK = {"score": _score, "compare": _compare, "best-of": _best_of, "review": paper_commands.review, "verify": _verify}
