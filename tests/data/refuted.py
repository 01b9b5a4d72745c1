"""What a referee would refute on the page of a leaderboard, and in what is taken away from it, rule by rule."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import Any

#: What no page says: words that claim too much, and sentences that nobody followed.
NOT_SAID = {
    "teams or papers": re.compile(r"(?<!system, )\b(?:teams or papers|team or paper)\b"),
    "independent": re.compile(r"\bindependent\b", re.IGNORECASE),
    "what nobody followed": re.compile(
        r"A choice here asks|Answer it\b|more lie below|how many were tried stays", re.IGNORECASE
    ),
}
#: A model by its repository.
_OWNER = re.compile(r"[\w.-]+/[\w.-]+")
#: What the page says that a verdict rests on.
_RESTS_ON = {
    "own-topics": "Judged by scores on every topic here",
    "own-variance": "Variance between topics measured here",
    "own-and-predicted": "Variance between topics measured on few runs here, and predicted",
    "predicted": "Variance between topics predicted, not measured here",
    "predicted-from-siblings": "Variance between topics predicted, by relevant documents of other years",
    "predicted-without-density": "Variance between topics predicted, relevant documents unknown",
    "none": "No verdict: nothing here says how much scores vary between topics",
}
#: From this margin on, five decimals tell nothing.
_COARSE = 0.01
#: The winner of a suite is sure from this share of draws of the members on.
_SURE = 0.8
_FINE = re.compile(r"(?<![\d.])\d\.\d{5,}")


def of_the_wording(page: str, named: Iterable[str | None]) -> Iterator[str]:
    """Check that no page has certain words, but for those in names."""
    names = [name for name in named if name]
    for rule, words in NOT_SAID.items():
        for match in words.finditer(page):
            around = page[max(0, match.start() - 200) : match.end() + 200]
            if not any(match.group() in name and name in around for name in names):
                yield f"the page says {rule}: {around[140:240]}"


def of_the_numbers(shown: dict[str, Any], page: str) -> Iterator[str]:
    """Check for digits beyond the margin."""
    best_set = (shown["verdict"]["best_unflagged"] or shown["verdict"])["set"]
    if best_set and best_set["margin"] and best_set["margin"] >= _COARSE:
        table = page.partition("What the columns mean")[2].partition("Submit a result")[0]
        yield from (f"{score} stands beside a margin of {best_set['margin']:.3f}" for score in _FINE.findall(table)[:1])


def of_the_evidence(evidence: dict[str, Any], page: str) -> Iterator[str]:
    """Check that what the verdict rests on is told."""
    if _RESTS_ON[evidence["kind"]] not in page:
        yield f"the page does not say {_RESTS_ON[evidence['kind']]}"


def of_the_rules(suite: dict[str, Any], page: str) -> Iterator[str]:
    """Check that a suite says when its winner depends on the rule, or on the draw of members; the mean stands first."""
    rules = suite["rules"]
    if rules is None:
        if len({member["task"] or member["collection"] for member in suite["members"]}) > 1:
            yield "nothing is said of other rules"
        return
    mean, sentence = rules["rules"][0], rules["sentence"]
    if mean["rule"] != "mean" or len(rules["rules"]) < 5:
        yield "the mean is not the first of several rules"
    if sentence not in page:
        yield "the page has another sentence on rules"
    winners = {rule["system"] for rule in rules["rules"]}
    if not all(winner.rpartition("/")[2] in page for winner in winners):
        yield f"the page does not name {winners}"
    if (len(winners) > 1 or mean["wins"] < _SURE) and f"in {100 * mean['wins']:.0f}% of" not in sentence:
        yield "the sentence is silent on how often the mean names the same winner"


def of_the_quotes(sentence: str, collection: str, files: dict[str, str]) -> Iterator[str]:
    """Check that no text for a paper names the owner of a repository."""
    owners = {owner for owner in _OWNER.findall(sentence) if owner not in collection}
    for suffix in ("tex", "bib", "md"):
        text = files.get(suffix, "")
        quoted = text if suffix == "bib" else text.partition("\\toprule" if suffix == "tex" else "\n| Rank")[0]
        plain = quoted.replace("\\allowbreak{}", "").replace("\\", "")
        yield from (f"the {suffix} file names {owner}" for owner in owners if owner in plain)


def of_the_marks(twin: dict[str, Any], files: dict[str, str]) -> Iterator[str]:
    """Check that rows are bold where they are in the set of the view, and marked where held back, aside or noted."""
    view, verdict = twin["verdict"]["view"], twin["verdict"]
    best_set = verdict["set"] if verdict["best_unflagged"] is None else verdict["best_unflagged"]["set"]
    is_telling = bool(best_set and best_set["is_telling"])
    lines = [line for line in files["md"].splitlines() if line.startswith("| ")][2:]
    tex = [line for line in files["tex"].splitlines() if line.rstrip().endswith("\\\\") and " & " in line]
    bodies = tex[-len(twin["results"]) :]
    rows = list(csv.DictReader(io.StringIO(files["csv"])))
    for row, line, body, cells in zip(twin["results"], lines, bodies, rows, strict=True):
        may = row["can_be_best"] if row["can_be_best_unflagged"] is None else row["can_be_best_unflagged"]
        is_aside = view != "all" and row["rank"] is not None and may is None and not row["is_held_back"]
        is_noted = bool(row["cautions"]) and not row["is_held_back"]
        expected = (bool(may) and is_telling, row["is_held_back"], is_noted)
        md = ("**" in line, "excluded" in line.split(" | ")[1], "noted)" in line.split(" | ")[1])
        marks = re.search(r"\\textsuperscript\{([a-z,]*)\}", body)
        letters = marks[1].split(",") if marks else []
        if md != expected:
            yield f"the Markdown file marks {row['system']} as {md}, not {expected}"
        if ("\\textbf{" in body, "e" in letters, "n" in letters) != expected:
            yield f"the LaTeX file marks {row['system']} as {letters}, not {expected}"
        if is_aside != bool({"t", "u", "z"} & set(letters)) or is_aside != bool(
            re.search(r"trained on|undisclosed|zero-shot", line)
        ):
            yield f"a file is silent on the training of {row['system']}"
        if cells["is_held_back"] != str(row["is_held_back"]).lower() or cells["cautions"] != ";".join(row["cautions"]):
            yield f"the CSV file marks {row['system']} otherwise"
