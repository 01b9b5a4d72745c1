"""Cautions to know before a verdict is used, as data: a code, a sentence, the rows that it is about.

A caution says what was seen and what would settle it. It accuses nobody: a score that stands apart may come from
training on the topics, from another protocol, from an error, or from a better system.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from analysis.boards._competitors import Competitors, family_of
from analysis.boards._evidence import MIN_MAKERS_OWN, MIN_TOPICS_FOR_MEANS
from analysis.boards._findings import Caution, Evidence, Family
from analysis.boards._inputs import BoardInputs, BoardRow, FlaggedElsewhere
from analysis.boards._linked_rows import find_contradictions, find_other_judgements
from analysis.boards._screens import Z_NOTE, Z_NOTE_FLAGGED, ElsewhereScreen, GapScreen, screen_elsewhere, screen_gap
from analysis.boards._wording import score
from analysis.scores import MeasureKind
from analysis.scores._text import number_of

#: Every code with what it means, in the order in which cautions are given.
CAUTION_CODES = {
    "stands-apart": "the best scores lie further from the rest than the tail of the others would let them",
    "outlier-elsewhere": "a score is far above what the same system's scores on other data sets predict",
    "unusual-elsewhere": "a score is above what the same system's scores on other data sets predict",
    "follows-flag": "a score is above what its system's other scores predict, and one of these is flagged",
    "declared-training": "a source says that it was trained on this collection; given by methods up to 8",
    "flagged-on-member": "a system's score on a data set of the benchmark is excluded there",
    "contradicts-linked": "a score conflicts with the same system's score on a board that shares topics or documents",
    "self-reported": "nobody but the maker ran it",
    "holds-test": "its maker holds the test, which is private",
    "failed-runs": "scores of exactly 0",
    "constant-runs": "runs with the same score, other than 0, on every topic",
    "few-topics": "too few topics for the stated confidence, or for any set",
    "unknown-topics": "the number of topics behind these means is not known",
    "not-a-topic-mean": "the measure is not a mean over topics",
    "other-pool": "the best result was not among the runs whose documents were judged",
    "unjudged": "nobody judged many of the documents that rows return first",
    "judged-again": "its topics were judged again elsewhere, where systems may stand in another order",
    "one-team-variance": "the runs that tell how much scores vary are of one or two makers",
}

#: So many rows that report the share of unjudged documents, and so large a median, make a note.
MIN_UNJUDGED_ROWS, MIN_UNJUDGED = 20, 0.10
#: Where precision and share add up to the same but for so much, all that was judged is relevant.
_SAME_SUM = 0.005

_SETTLES = "Test topics in training, another protocol, an error or a better system would look alike"


def find_cautions(
    inputs: BoardInputs, competitors: Competitors, families: Sequence[Family], evidence: Evidence
) -> tuple[Caution, ...]:
    """Return every caution that applies, those that hold back a certificate first."""
    cautions = [
        *stands_apart(inputs, competitors, families, evidence),
        *_elsewhere(inputs, competitors),
        *flagged_on_members([(row.id, row.system, row.flagged_on) for row in competitors.rows]),
        *find_contradictions(inputs, competitors, families),
        *_self_reported(competitors),
        *_holds_test(inputs, competitors),
        *_left_out(inputs, competitors),
        *_topics(inputs, evidence),
        *_other_pool(inputs, competitors),
        *_unjudged(inputs, competitors),
        *find_other_judgements(inputs, competitors),
        *_one_team_variance(competitors, families, evidence),
    ]
    order = list(CAUTION_CODES)
    return tuple(
        sorted(_uncleared(cautions, inputs), key=lambda caution: (not caution.is_flag, order.index(caution.code)))
    )


def _uncleared(cautions: Sequence[Caution], inputs: BoardInputs) -> Iterator[Caution]:
    """Yield what is left of cautions without the rows for which a curator cleared them."""
    cleared = {(clearance.code, clearance.result) for clearance in inputs.cleared}
    for caution in cautions:
        results = tuple(result for result in caution.results if (caution.code, result) not in cleared)
        if results or not caution.results:
            yield replace(caution, results=results)


def stands_apart(
    inputs: BoardInputs, competitors: Competitors, families: Sequence[Family], evidence: Evidence
) -> list[Caution]:
    """Return whether the first families stand apart from the rest of the board."""
    screen = screen_families(inputs, competitors, families, evidence)
    if screen is None or screen.threshold is None:
        return []
    sign = 1.0 if inputs.measure.higher_is_better else -1.0
    apart = tuple(row.id for row in competitors.rows if sign * row.value >= sign * screen.threshold)
    best = competitors.rows[0]
    who = "The best score" if screen.n_apart == 1 else f"The best scores of the first {screen.n_apart} groups"
    stand = "stands" if screen.n_apart == 1 else "stand"
    p = "p < 0.001" if screen.pvalue < 0.001 else f"p = {screen.pvalue:.3f}"
    message = (
        f"{who}, {score(best.value, inputs)} at the top, {stand} apart from all others ({p}). {_SETTLES}. Scores by"
        " topic, or a run by another team, would help."
    )
    return [Caution(code="stands-apart", message=message, results=apart, is_flag=True)]


def screen_families(
    inputs: BoardInputs, competitors: Competitors, families: Sequence[Family], evidence: Evidence
) -> GapScreen | None:
    """Return the gap screen on the best score of each family; None where it can't be had."""
    values = {row.id: row.value for row in competitors.rows}
    if not families:
        return None
    return screen_gap(
        [values[family.results[0]] for family in families],
        n_topics=inputs.n_topics,
        residual_variance=evidence.residual_variance,
        higher_is_better=inputs.measure.higher_is_better,
    )


def _elsewhere(inputs: BoardInputs, competitors: Competitors) -> list[Caution]:
    compared = screen_rows(inputs, competitors.rows)
    cleared = {(clearance.code, clearance.result) for clearance in inputs.cleared}
    suite = inputs.elsewhere.name if inputs.elsewhere else ""
    by_code: dict[str, list[tuple[BoardRow, ElsewhereScreen]]] = {}
    for row, screen in compared:
        if screen.is_flag:
            code = "outlier-elsewhere"
        elif row.flagged_elsewhere and screen.z >= Z_NOTE_FLAGGED:
            code = "follows-flag"
        elif screen.z >= Z_NOTE:
            code = "unusual-elsewhere"
        else:
            continue
        if (code, row.id) not in cleared:
            by_code.setdefault(code, []).append((row, screen))
    everywhere = [screened for rows in by_code.values() for screened in rows]
    return [_unusual(inputs, code, rows, suite, _of_one_model(rows, everywhere)) for code, rows in by_code.items()]


#: Rows with how far they lie from what their systems' other scores predict.
_Screened = Sequence[tuple[BoardRow, ElsewhereScreen]]


def _of_one_model(rows: _Screened, everywhere: _Screened) -> str:
    """Return which of all that stand out are sizes or versions of one model, some of ``rows`` among them."""
    groups: dict[str, dict[str, float]] = {}
    for row, screen in everywhere:
        for key in row.lineage:
            if key.startswith("model:"):
                groups.setdefault(key, {})[row.system] = screen.z
    sentences = ""
    for group in groups.values():
        *others, last = (f"{system} ({z:.1f})" for system, z in group.items())
        if others and any(row.system in group for row, _ in rows):
            sentences += f" {', '.join(others)} and {last} are sizes or versions of one model."
    return sentences


def _unusual(inputs: BoardInputs, code: str, rows: _Screened, suite: str, of_one_model: str) -> Caution:
    row, screen = rows[0]
    also = f" The same holds for {number_of(len(rows) - 1, 'other row', 'other rows')}." if len(rows) > 1 else ""
    message = (
        f"{row.system} scores {score(row.value, inputs)}; its other scores in {suite} predict about"
        f" {screen.predicted:.2f}, {screen.z:.1f} prediction errors less.{also} {_SETTLES}. A list of its training"
        f" data, or a run by another team, would help.{of_one_model}"
    )
    if code == "follows-flag":
        message += _flag(inputs, row.flagged_elsewhere[0])
    return Caution(
        code=code,
        message=message,
        results=tuple(row.id for row, _ in rows),
        is_flag=code == "outlier-elsewhere",
        withholds=code == "follows-flag",
    )


def _flag(inputs: BoardInputs, other: FlaggedElsewhere) -> str:
    if other.z is not None and other.predicted is not None:
        why = f"where about {other.predicted:.2f} is predicted ({other.z:.1f} prediction errors less)"
    elif other.code == "stands-apart":
        why = "apart from all others"
    else:
        why = "which conflicts with its score on a linked board"
    return f" Another score of the same system has a note: {score(other.score, inputs)} on {other.dataset}, {why}."


def screen_rows(inputs: BoardInputs, rows: Sequence[BoardRow]) -> list[tuple[BoardRow, ElsewhereScreen]]:
    """Return the rows whose score can be predicted from others of their system, with how far off it is."""
    if inputs.elsewhere is None:
        return []
    predictable = [row for row in rows if row.elsewhere]
    if not predictable:
        return []
    elsewhere = [[np.nan if value is None else value for value in row.elsewhere] for row in predictable]
    screens = screen_elsewhere([row.value for row in predictable], elsewhere)
    return [(row, screen) for row, screen in zip(predictable, screens, strict=True) if screen is not None]


def flagged_on_members(rows: Sequence[tuple[int, str, Sequence[str]]]) -> list[Caution]:
    """Return the rows of means with a score that a caution excludes on a data set; each with its id, its system and
    where."""
    held = [row for row in rows if row[2]]
    if not held:
        return []
    _, system, places = held[0]
    where = " and ".join(filter(None, (", ".join(places[:-1]), places[-1])))
    also = "" if len(held) == 1 else f", and scores of {number_of(len(held) - 1, 'other system', 'other systems')},"
    is_one = len(places) == 1 and not also
    scores, are, they = ("score", "is", "It still counts") if is_one else ("scores", "are", "They still count")
    message = (
        f"The {scores} of {system} on {where}{also} {are} excluded there: the leaderboard says why. {they} in the mean."
    )
    results = tuple(result for result, _, _ in held)
    return [Caution(code="flagged-on-member", message=message, results=results, is_flag=True)]


def _self_reported(competitors: Competitors) -> list[Caution]:
    best = competitors.contending[0]
    if not best.is_self_reported:
        return []
    message = f"Only its maker is known to have run {best.system} here. A run by another team would confirm it."
    return [Caution(code="self-reported", message=message, results=(best.id,))]


def _holds_test(inputs: BoardInputs, competitors: Competitors) -> list[Caution]:
    """Return the rows whose maker has a test that nobody else can see."""
    held = [row for row in competitors.rows if set(inputs.holders).intersection(row.lineage)]
    if not held:
        return []
    others = f" and of {number_of(len(held) - 1, 'other row', 'other rows')}" if len(held) > 1 else ""
    message = f"The maker of {held[0].system}{others} holds this test; others can't run it themselves."
    return [Caution(code="holds-test", message=message, results=tuple(row.id for row in held))]


def _left_out(inputs: BoardInputs, competitors: Competitors) -> list[Caution]:
    """Return runs that are shown and enter nothing: those of exactly 0, and those with one score on every topic."""
    cautions, constant = [], competitors.constant
    failed = tuple(result for result in competitors.failed if result not in constant)
    if failed:
        taken = "is taken for a failed run" if len(failed) == 1 else "are taken for failed runs"
        number = number_of(len(failed), "score", "scores")
        message = f"{number} of exactly 0 {taken}: shown, but left out of every analysis."
        cautions.append(Caution(code="failed-runs", message=message, results=failed))
    if constant:
        printed = ", ".join(sorted({score(row.value, inputs) for row in inputs.rows if row.id in constant}))
        which, are = ("run has", "it is") if len(constant) == 1 else ("runs have", "they are")
        message = (
            f"{len(constant)} {which} the same score on every topic ({printed}). Nothing tells how far chance moves it,"
            f" so {are} shown, but left out of every analysis."
        )
        cautions.append(Caution(code="constant-runs", message=message, results=constant))
    return cautions


def _topics(inputs: BoardInputs, evidence: Evidence) -> list[Caution]:
    measure, n = inputs.measure.name, inputs.n_topics
    cautions = []
    if inputs.measure.nature.kind is MeasureKind.NOT_A_MEAN and evidence.kind != "own-topics":
        message = f"{measure} is not a mean over topics, so nothing follows from its reported values alone."
        cautions.append(Caution(code="not-a-topic-mean", message=message))
    if inputs.members is not None:
        return cautions
    if n is None:
        bound = f"at least {inputs.n_topics_at_least}" if inputs.n_topics_at_least else "unknown"
        message = f"The number of topics behind these means is {bound}. The fewer, the more results may tie for first."
        cautions.append(Caution(code="unknown-topics", message=message))
    elif n < MIN_TOPICS_FOR_MEANS:
        message = (
            f"Only {n} topics: systems differ less than topics do. Sets of those tied for first hold the best less"
            " often than stated."
        )
        cautions.append(Caution(code="few-topics", message=message))
    return cautions


def _other_pool(inputs: BoardInputs, competitors: Competitors) -> list[Caution]:
    best = competitors.contending[0]
    if best.role == "trec_run" or not any(row.role == "trec_run" for row in inputs.rows):
        return []
    message = (
        f"{best.system} was not among the shared task's runs, whose documents were judged. Documents that nobody judged"
        " count as not relevant, so its score may be too low beside theirs."
    )
    return [Caution(code="other-pool", message=message, results=(best.id,))]


def _unjudged(inputs: BoardInputs, competitors: Competitors) -> list[Caution]:
    """Return the share of unjudged documents where rows report it, and who could lead if all were relevant."""
    shares = {row.id: row.unjudged for row in competitors.rows if row.unjudged is not None}
    if len(shares) < MIN_UNJUDGED_ROWS:
        return []
    middle, best = float(np.median([*shares.values()])), competitors.contending[0]
    most = _at_most(inputs, competitors.rows, shares)
    could = [result for result, value in most.items() if value >= best.value - 1e-9 and result != best.id]
    if middle < MIN_UNJUDGED and not could:
        return []
    leads = f"; of {best.system} {100 * shares[best.id]:.0f}%" if best.id in shares else ""
    message = (
        f"{100 * middle:.0f}% of the first ten documents of a topic have no judgement, in the median of the"
        f" {len(shares)} rows that report it{leads}. They count as not relevant."
    )
    if most and np.ptp([*most.values()]) <= _SAME_SUM:
        message += " No document among them was judged not relevant, so the share only repeats the score."
    elif could:
        rows = number_of(len(could), "other row", "other rows")
        message += (
            f" If all were relevant, {rows} could lead: a true {inputs.measure.name} lies between what a row reports"
            " and that plus its share."
        )
    return [Caution(code="unjudged", message=message)]


def _at_most(inputs: BoardInputs, rows: Sequence[BoardRow], unjudged: Mapping[int, float]) -> dict[int, float]:
    """Return what rows would score if all that nobody judged were relevant: of precision at ten, the sum of the two."""
    if (inputs.measure.nature.family, inputs.measure.nature.cutoff) != ("P", 10):
        return {}
    return {row.id: row.value + unjudged[row.id] for row in rows if row.id in unjudged}


def _one_team_variance(competitors: Competitors, families: Sequence[Family], evidence: Evidence) -> list[Caution]:
    if evidence.kind not in ("own-topics", "own-variance") or competitors.matrix is None:
        return []
    numbers = family_of(families)
    n_makers = len({numbers[int(system)] for system in competitors.matrix.systems})
    if n_makers >= MIN_MAKERS_OWN:
        return []
    message = (
        f"The topic scores are of {number_of(n_makers, 'maker', 'makers')}. Runs of one maker vary less than those of"
        " many, so more results may tie for first than are named."
    )
    return [Caution(code="one-team-variance", message=message)]
