"""The verdict in a sentence: the same on page, API, export and citation, made from the findings alone."""

import math

from analysis._validation import check_instance
from analysis.boards._competitors import find_competitors
from analysis.boards._findings import Corrected, Evidence, Findings, MayBeBest, Verdict
from analysis.boards._inputs import BoardInputs, BoardRow, MeasureFacts, Question
from analysis.boards._suite_inputs import SuiteFindings, SuiteInputs, SuiteQuestion, board_of
from analysis.boards._views import Seen, Terms, noted, tied, view_sentence, why_held_back, worth
from analysis.errors import ArgumentError

_WHERE: dict[SuiteQuestion, str] = {
    "other-collections": "on other collections like these",
    "same-collections": "with other topics of these collections",
}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def headline(
    inputs: BoardInputs | SuiteInputs,
    findings: Findings | SuiteFindings,
    question: Question | SuiteQuestion | None = None,
) -> str:
    """What was found, in one sentence of at most 40 words.

    Parameters
    ----------
    inputs : BoardInputs or SuiteInputs
    findings : Findings or SuiteFindings
        Of a study of these inputs.
    question : Question or {"other-collections", "same-collections"}, optional
        The one that was asked; of a suite, where its mean is to be the best. Default: the default question;
        "other-collections".

    Returns
    -------
    str

    Raises
    ------
    ArgumentError
        If an argument is of another type.

    Examples
    --------
    >>> from analysis.boards import BoardRow, MeasureFacts, study
    >>> row = BoardRow(id=1, system="BM25", printed="0.2531", value=0.2531)
    >>> inputs = BoardInputs(collection="robust04", measure=MeasureFacts(name="AP"), rows=(row,), n_topics=249)
    >>> headline(inputs, study(inputs))
    'The only comparable result prints 0.2531; with nothing to compare it with, nothing can be said about the best.'
    """
    if isinstance(inputs, SuiteInputs):
        return _of_suite(inputs, *_asked_of_suite(findings, question))
    check_instance(inputs, "inputs", BoardInputs)
    asked = None if question is None else check_instance(question, "question", Question)
    return _of_board(inputs, check_instance(findings, "findings", Findings), asked)


def _of_board(inputs: BoardInputs, findings: Findings, question: Question | None) -> str:
    verdict = findings.verdict
    if verdict.views:
        return view_sentence(_terms_of_board(inputs, findings), verdict)
    printed = score(verdict.best.value, inputs)
    if verdict.best_unflagged is not None:
        chosen = question is not None and question.has_filters
        return _with_flag(inputs, verdict, printed, "those chosen, of " if chosen else "")
    opening = f"{_the_best(inputs, findings, question)} prints {printed}{_if_rerun(verdict)}"
    opening += tied(verdict.best.n_tied) + noted(verdict.cautions, verdict.best.result)
    if verdict.set is None:
        if verdict.tries.n_results == 1:
            return f"{opening}; with nothing to compare it with, nothing can be said about the best."
        return f"{opening}; not enough is known to say which could be the best."
    worth_about = _worth_about(verdict.corrected)
    return f"{opening}{worth_about}{_reach(verdict, verdict.set)}."


def _the_best(inputs: BoardInputs, findings: Findings, question: Question | None) -> str:
    """“The best of 335 results of 124 families”; where the reader chose who may be best, of those in the view."""
    verdict = findings.verdict
    tries = verdict.tries
    if tries.n_results == 1:
        return "The only comparable result"
    results = f"{tries.n_results:,} results"
    if question is not None and question.has_filters:
        n_chosen = verdict.shown.set.n_rows if verdict.shown.set else 0
        return f"The best of those chosen, {f'{n_chosen:,} ' if n_chosen else ''}of {results} that were tried,"
    if tries.n_families == tries.n_results:
        return f"The best of {results}"
    return f"The best of {results} of {tries.makers}"


def _or_the_same(text: str, highest: str) -> str:
    """A score beside a higher one, which may have the same digits."""
    return "the same" if text == highest else text


def _if_rerun(verdict: Verdict) -> str:
    return "" if verdict.best.is_original else " (a toolkit’s run)"


def _worth_about(corrected: Corrected | None) -> str:
    if corrected is None:
        return ""
    return f"; {worth(corrected)}"


def _reach(verdict: Verdict, found: MayBeBest) -> str:
    """How many can't be told from the best, the leader among them."""
    if not found.is_telling:
        return f", and {_undecided(found, found.n_rows or verdict.tries.n_results)}"
    if found.n_members > 1:
        return f", and {number(found.n_members)} can’t be told from the best"
    if verdict.leader_verified:
        return ", and its lead is verified: its topic scores rule out every other result"
    return ", and every other result is ruled out"


def _with_flag(inputs: BoardInputs, verdict: Verdict, printed: str, chosen: str) -> str:
    """Both: the best score printed, and the best without the rows that are held back."""
    of = f"{chosen}{verdict.tries.n_results:,} results{' that were tried,' if chosen else ''}"
    other = verdict.best_unflagged
    assert other is not None
    is_best_flagged = other.result != verdict.best.result
    side = "highest" if inputs.measure.higher_is_better else "lowest"
    if is_best_flagged:
        why = why_held_back(verdict.cautions, verdict.best.result)
        opening = f"The {side} of {of} prints {printed} and is held back{why}"
        without = _or_the_same(score(other.value, inputs), printed)
        opening += f"; the best that is not prints {without}{tied(other.n_tied)}{noted(verdict.cautions, other.result)}"
    else:
        opening = (
            f"The best of {of} prints {printed}{tied(verdict.best.n_tied)}"
            f"{noted(verdict.cautions, other.result)}; without"
        )
        opening += " those held back it"
    stays = "" if is_best_flagged else " stays the best"
    value = stays if other.corrected is None else f" is {worth(other.corrected)}"
    if is_best_flagged and value:
        value = "," + value
    if other.set is None:
        return f"{opening}{value}; not enough is known to say which could be the best."
    if not other.set.is_telling:
        n_rows = other.set.n_rows or verdict.tries.n_results - other.n_left_out
        return f"{opening}{value}, and {_undecided(other.set, n_rows)}."
    if other.set.n_members == 1:
        return f"{opening}{value} and rules out every other."
    return f"{opening}{value}, and {number(other.set.n_members)} can’t be told from it."


def _terms_of_board(inputs: BoardInputs, findings: Findings) -> Terms:
    competing = {row for family in findings.families for row in family.results}
    on = inputs.name or "this collection"
    return Terms(
        rows=[_seen(row) for row in find_competitors(inputs, Question(), None).rows if row.id in competing],
        on=on,
        it="it",
        nothing="nothing",
        leads="leads with",
        where="",
        decimals=inputs.measure.decimals,
        higher_is_better=inputs.measure.higher_is_better,
        each_is_a_system=False,
    )


def _terms_of_suite(inputs: SuiteInputs, question: SuiteQuestion) -> Terms:
    return Terms(
        rows=[_seen(row) for row in board_of(inputs).rows],
        on="any member",
        it="some",
        nothing="nothing of some",
        leads="leads with a mean of",
        where="on other collections " if question == "other-collections" else "with other topics ",
        decimals=inputs.measure.decimals,
        higher_is_better=inputs.measure.higher_is_better,
        each_is_a_system=True,
    )


def _seen(row: BoardRow) -> Seen:
    return Seen(
        id=row.id,
        system=row.system,
        value=row.value,
        view=row.view,
        has_nothing_to_train=row.training == "nothing_to_train",
    )


def _undecided(found: MayBeBest, n_rows: int) -> str:
    """Said in place of how many can't be told from the best, where nearly all of the rows may be."""
    return f"which is the best cannot be told: {number(found.n_members)} of {number(n_rows)} may be"


def describe_evidence(
    inputs: BoardInputs | SuiteInputs, findings: Findings | SuiteFindings, question: SuiteQuestion | None = None
) -> str:
    """What the verdict rests on, in words, with how sure that is.

    Parameters
    ----------
    inputs : BoardInputs or SuiteInputs
    findings : Findings or SuiteFindings
        Of a study of these inputs.
    question : {"other-collections", "same-collections"}, optional
        Which verdict on a suite. Default: "other-collections".

    Returns
    -------
    str

    Raises
    ------
    ArgumentError
        If an argument is of another type.

    Examples
    --------
    >>> from analysis.boards import BoardRow, MeasureFacts, study
    >>> row = BoardRow(id=1, system="BM25", printed="0.2531", value=0.2531)
    >>> inputs = BoardInputs(collection="robust04", measure=MeasureFacts(name="GMAP"), rows=(row,), n_topics=249)
    >>> describe_evidence(inputs, study(inputs))
    'Not enough is known to say which could be the best.'
    """
    if isinstance(inputs, SuiteInputs):
        return _evidence_of_suite(*_asked_of_suite(findings, question))
    check_instance(inputs, "inputs", BoardInputs)
    if question is not None:
        raise ArgumentError("question", question, "must be None for a board")
    evidence = check_instance(findings, "findings", Findings).verdict.evidence
    return _evidence_of_board(inputs, evidence)


def _evidence_of_board(inputs: BoardInputs, evidence: Evidence) -> str:
    # On pages of the collection its slug says nothing.
    named = [source.removeprefix(f"{inputs.collection}: ") for source in evidence.sources]
    sources = "; ".join(named).replace(" runs x ", " runs × ")
    unknown = "No topic scores of this leaderboard are known."
    if evidence.kind == "none":
        return "Not enough is known to say which could be the best."
    if inputs.members is not None and evidence.kind != "own-topics":
        return (
            f"A score here is the mean over {len(inputs.members)} collections. It is judged by how much scores vary"
            f" between the topics of each: {sources}."
        )
    match evidence.kind:
        case "own-topics":
            return f"Judged by the board’s own topics: {sources}."
        case "own-variance":
            return f"Judged by how much scores vary between the topics of this collection: {sources}."
        case "own-and-predicted":
            *own, predicted = named
            return (
                f"How much scores vary between topics is taken from few runs of this collection ({'; '.join(own)})"
                f" together with a prediction from {predicted}. This is off by {_off_by(evidence)}; the set is widened"
                " for that."
            )
    if evidence.log_sd is None:  # As methods up to 7 said it.
        how = "predicted from" if evidence.kind == "predicted" else "taken from other collections:"
        return f"{unknown} How much scores vary between topics is {how} {sources}, and the set is widened for that."
    told = "" if evidence.audited is None else f" On this collection, {_audited(evidence.audited)}."
    return (
        f"{unknown} How much scores vary between topics is predicted from {sources}. Such predictions are off by"
        f" {_off_by(evidence)}; the set is widened for that.{told}"
    )


def _audited(ratio: float) -> str:
    """What matrices of other measures of the family say of a prediction: “what was measured is 0.31 times as large”."""
    return f"what was measured under such measures is {ratio:.2g} times what is predicted"


def _off_by(evidence: Evidence) -> str:
    assert evidence.log_sd is not None
    return f"up to a factor of {math.exp(1.645 * evidence.log_sd):.1f} in 9 of 10 cases"


def _asked_of_suite(findings: object, question: object) -> tuple[Verdict, SuiteQuestion]:
    """The verdict on a suite that is asked for, and where its mean is to be the best."""
    found = check_instance(findings, "findings", SuiteFindings)
    if question is None or question == "other-collections":
        return found.other_collections, "other-collections"
    if question == "same-collections":
        return found.same_collections, "same-collections"
    raise ArgumentError("question", question, f"must be one of {', '.join(_WHERE)}")


def _of_suite(inputs: SuiteInputs, verdict: Verdict, question: SuiteQuestion) -> str:
    if verdict.views:
        return view_sentence(_terms_of_suite(inputs, question), verdict)
    mean = _mean(verdict.best.value, inputs.measure)
    if verdict.best_unflagged is not None:
        return _suite_with_flag(inputs.measure, verdict, mean, _WHERE[question])
    if verdict.tries.n_results == 1:
        return (
            f"The only system with all scores has a mean of {mean}; with nothing to compare it with, nothing can be"
            " said about the best."
        )
    with_reruns = "" if verdict.best.is_original else ", with toolkits’ runs in it"
    opening = f"{_best_of_systems(verdict)} has a mean of {mean}{tied(verdict.best.n_tied)}{with_reruns}"
    if verdict.set is None:
        return f"{opening}; not enough is known to say which could be the best {_WHERE[question]}."
    told = _told(verdict.set, "the best")
    if verdict.corrected is None:
        return f"{opening}; {_WHERE[question]}, {told}."
    return f"{opening}; {_WHERE[question]} {worth(verdict.corrected)}, and {told}."


def _best_of_systems(verdict: Verdict) -> str:
    tries = verdict.tries
    if tries.n_families == tries.n_results:
        return f"The best of {tries.n_results:,} systems"
    return f"The best of {tries.n_results:,} systems of {tries.makers}"


def _told(found: MayBeBest, whom: str) -> str:
    if not found.is_telling:
        return "which is the best cannot be told"
    if found.n_members == 1:
        return "every other is ruled out"
    return f"{number(found.n_members)} can’t be told from {whom}"


def _suite_with_flag(measure: MeasureFacts, verdict: Verdict, mean: str, where: str) -> str:
    """Both: the best mean, and the best without the systems that are held back."""
    other = verdict.best_unflagged
    assert other is not None
    side = "highest" if measure.higher_is_better else "lowest"
    if other.result != verdict.best.result:
        why = why_held_back(verdict.cautions, verdict.best.result)
        opening = f"The {side} of {verdict.tries.n_results:,} means is {mean} and is held back{why}; the best that is"
        opening += f" not is {_or_the_same(_mean(other.value, measure), mean)}"
    else:
        opening = f"The best of {verdict.tries.n_results:,} means is {mean}; without those held back it stays the best"
    said = []
    if other.corrected is not None:
        said.append(f"{worth(other.corrected)} {where}")
    if other.set is not None:
        said.append(_told(other.set, "it"))
    return f"{', '.join([opening, *said[:1]])}{', and ' + said[1] if len(said) > 1 else ''}."


def _evidence_of_suite(verdict: Verdict, question: SuiteQuestion) -> str:
    sources = "; ".join(verdict.evidence.sources)
    if verdict.evidence.kind == "none":
        return f"Not enough is known to say which could be the best: {verdict.why_no_set}."
    if question == "other-collections":
        return f"Judged by how far systems differ from collection to collection: {sources}."
    is_measured = verdict.evidence.kind in ("own-topics", "own-variance")
    how = "measured on each" if is_measured else "predicted for some, and the set is widened for that"
    return f"Judged by how much scores vary between the topics of each collection, {how}: {sources}."


def _mean(value: float, measure: MeasureFacts) -> str:
    return f"{value:.{measure.decimals}f}"


def score(value: float, inputs: BoardInputs) -> str:
    """A score with the digits of its measure."""
    return f"{value:.{inputs.measure.decimals}f}"


def number(n: int) -> str:
    """A count as texts write it: in words up to twelve."""
    return _NUMBERS[n] if n < len(_NUMBERS) else f"{n:,}"
