"""The evidence for a verdict in words, and scores as texts say them."""

import math
from typing import get_args

from analysis._validation import check_instance
from analysis.boards._findings import Evidence, Findings, Verdict
from analysis.boards._inputs import BoardInputs
from analysis.boards._suite_inputs import SuiteFindings, SuiteInputs, SuiteQuestion
from analysis.errors import ArgumentError


def describe_evidence(
    inputs: BoardInputs | SuiteInputs, findings: Findings | SuiteFindings, question: SuiteQuestion | None = None
) -> str:
    """Return what the verdict rests on, in words, with how sure that is.

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
    return " ".join(filter(None, [_evidence_of_board(inputs, evidence), _of_groups(inputs, evidence)]))


def _of_groups(inputs: BoardInputs, evidence: Evidence) -> str:
    """Say what is made of topics that come in groups; blank where each is by itself, or nothing rests on them."""
    groups = inputs.topic_groups
    if groups is None or evidence.residual_variance is None:
        return ""
    if evidence.group_effect is not None:
        own, effect = evidence.residual_variance, evidence.group_effect
        both = "" if evidence.kind == "own-and-predicted" else f" ({own:.3g} for {own / effect:.3g})"
        return (
            f"Topics here are {groups.in_words}. Those of one count together; the variance of their scores is"
            f" {effect:.2f} times what it is with each by itself{both}."
        )
    if evidence.of_groups > 1.0:
        return (
            f"Topics here are {groups.in_words}, counted as topics; set and ± take {evidence.of_groups:.2g} times the"
            " variance for that."
        )
    return f"Topics here are {groups.in_words}; the number of needs counts, not that of wordings."


def _evidence_of_board(inputs: BoardInputs, evidence: Evidence) -> str:
    # On pages of the collection its slug says nothing.
    named = [source.removeprefix(f"{inputs.collection}: ") for source in evidence.sources]
    sources = "; ".join(named).replace(" runs x ", " runs × ")
    unknown = "No scores by topic are on record."
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
            return f"Judged by how much scores vary between topics here: {sources}."
        case "own-and-predicted":
            *own, predicted = named
            return (
                f"How much scores vary between topics is taken from few runs of this collection ({'; '.join(own)})"
                f" together with a prediction from {predicted}. This is off by {_off_by(evidence)}; the margin"
                " allows for that."
            )
    if evidence.log_sd is None:  # As methods up to 7 said it.
        how = "predicted from" if evidence.kind == "predicted" else "taken from other collections:"
        return f"{unknown} How much scores vary between topics is {how} {sources}, and the margin allows for that."
    times = "" if evidence.audited is None else f"{evidence.audited:.2g} times what is predicted"
    audit = times and f" On this collection, what was measured under such measures is {times}."
    return (
        f"{unknown} How much scores vary between topics is predicted from {sources}. Such predictions are off by"
        f" {_off_by(evidence)}; the margin allows for that.{audit}"
    )


def _off_by(evidence: Evidence) -> str:
    assert evidence.log_sd is not None
    return f"up to a factor of {math.exp(1.645 * evidence.log_sd):.1f} in 9 of 10 cases"


def _asked_of_suite(findings: object, question: object) -> tuple[Verdict, SuiteQuestion]:
    """Return the verdict on a suite that is asked for, and where its mean is to be the best."""
    of_suite = check_instance(findings, "findings", SuiteFindings)
    if question is None or question == "other-collections":
        return of_suite.other_collections, "other-collections"
    if question == "same-collections":
        return of_suite.same_collections, "same-collections"
    raise ArgumentError("question", question, f"must be one of {', '.join(get_args(SuiteQuestion))}")


def _evidence_of_suite(verdict: Verdict, question: SuiteQuestion) -> str:
    sources = "; ".join(verdict.evidence.sources)
    if verdict.evidence.kind == "none":
        return f"Not enough is known to say which could be the best: {verdict.why_no_set}."
    if question == "other-collections":
        effect = verdict.evidence.group_effect
        times = effect and f" Those of one task count together: {effect:.2g} times the variance of each by itself."
        return f"Judged by how far systems differ from collection to collection: {sources}.{times or ''}"
    is_measured = verdict.evidence.kind in ("own-topics", "own-variance")
    how = "measured on each" if is_measured else "predicted for some, and the margin allows for that"
    return f"Judged by how much scores vary between the topics of each collection, {how}: {sources}."


def score(value: float, inputs: BoardInputs) -> str:
    """Return a score with the digits of its measure."""
    return f"{value:.{inputs.measure.decimals}f}"
