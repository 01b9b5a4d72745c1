"""The verdicts of a suite in sentences, made from the findings alone."""

from typing import get_args

from analysis.boards._findings import Verdict
from analysis.boards._inputs import MeasureFacts
from analysis.boards._suite_inputs import SuiteFindings, SuiteInputs, SuiteQuestion
from analysis.boards._wording import number, worth
from analysis.errors import ArgumentError

__all__ = ["describe_suite_evidence", "suite_headline"]

_WHERE = {
    "other-collections": "on other collections like these",
    "same-collections": "with other topics of these collections",
}


def suite_headline(inputs: SuiteInputs, findings: SuiteFindings, question: SuiteQuestion = "other-collections") -> str:
    """What was found about the best mean, in one sentence of at most 40 words.

    Parameters
    ----------
    inputs : SuiteInputs
    findings : SuiteFindings
        Of a study of these inputs.
    question : {"other-collections", "same-collections"}
        Where it is to be the best.

    Returns
    -------
    str

    Raises
    ------
    ArgumentError
        If an argument is of another type, or ``question`` is another.

    Examples
    --------
    >>> from analysis.boards import Evidence, SuiteMember, SuiteRow, study_suite
    >>> member = SuiteMember(collection="c", name="C", snapshot="", n_topics=100, evidence=Evidence(kind="none"))
    >>> row = SuiteRow(id=1, system="BM25", scores=(0.4, 0.5), results=(None, None))
    >>> inputs = SuiteInputs(
    ...     suite="s", name="S", measure=MeasureFacts(name="AP"), members=(member, member), rows=(row,)
    ... )
    >>> suite_headline(inputs, study_suite(inputs)).partition(";")[0]
    'The only system with all scores has a mean of 0.4500'
    """
    _check(inputs, findings, question)
    verdict = _verdict(findings, question)
    mean = _score(verdict.best.value, inputs.measure)
    if verdict.best_unflagged is not None:
        return _with_flag(inputs.measure, verdict, mean, _WHERE[question])
    if verdict.tries.n_results == 1:
        return (
            f"The only system with all scores has a mean of {mean}; with nothing to compare it with, nothing can be"
            " said about the best."
        )
    opening = f"{_the_best(verdict)} has a mean of {mean}{_if_rerun(verdict)}"
    if verdict.set is None:
        return f"{opening}; not enough is known to say which could be the best {_WHERE[question]}."
    told = _told(verdict.set.n_members, "the best")
    if verdict.corrected is None:
        return f"{opening}; {_WHERE[question]}, {told}."
    return f"{opening}; {_WHERE[question]} it is probably worth about {worth(verdict.corrected)}, and {told}."


def _verdict(findings: SuiteFindings, question: SuiteQuestion) -> Verdict:
    return findings.other_collections if question == "other-collections" else findings.same_collections


def _the_best(verdict: Verdict) -> str:
    tries = verdict.tries
    if tries.n_families == tries.n_results:
        return f"The best of {tries.n_results:,} systems"
    makers = "one team or paper" if tries.n_families == 1 else f"{tries.n_families:,} teams or papers"
    return f"The best of {tries.n_results:,} systems of {makers}"


def _if_rerun(verdict: Verdict) -> str:
    return "" if verdict.best.is_original else ", with toolkits’ runs in it"


def _told(n_members: int, whom: str) -> str:
    return "every other is ruled out" if n_members == 1 else f"{number(n_members)} can’t be told from {whom}"


def _with_flag(measure: MeasureFacts, verdict: Verdict, mean: str, where: str) -> str:
    """Both: the best mean, and the best without the systems that a caution is about."""
    other = verdict.best_unflagged
    assert other is not None
    side = "highest" if measure.higher_is_better else "lowest"
    if other.result != verdict.best.result:
        opening = f"The {side} of {verdict.tries.n_results:,} means is {mean}, with a caution; the best without one"
        opening += f" is {_score(other.value, measure)}"
    else:
        opening = (
            f"The best of {verdict.tries.n_results:,} means is {mean}; without those with a caution it stays the best"
        )
    said = []
    if other.corrected is not None:
        said.append(f"probably worth about {worth(other.corrected)} {where}")
    if other.set is not None:
        said.append(_told(other.set.n_members, "it"))
    return f"{', '.join([opening, *said[:1]])}{', and ' + said[1] if len(said) > 1 else ''}."


def describe_suite_evidence(
    inputs: SuiteInputs, findings: SuiteFindings, question: SuiteQuestion = "other-collections"
) -> str:
    """What a verdict on the suite rests on, in words, with how sure that is.

    Parameters
    ----------
    inputs : SuiteInputs
    findings : SuiteFindings
        Of a study of these inputs.
    question : {"other-collections", "same-collections"}

    Returns
    -------
    str

    Raises
    ------
    ArgumentError
        If an argument is of another type, or ``question`` is another.

    Examples
    --------
    >>> from analysis.boards import Evidence, SuiteMember, SuiteRow, study_suite
    >>> member = SuiteMember(collection="c", name="C", snapshot="", n_topics=100, evidence=Evidence(kind="none"))
    >>> row = SuiteRow(id=1, system="BM25", scores=(0.4, 0.5), results=(None, None))
    >>> inputs = SuiteInputs(
    ...     suite="s", name="S", measure=MeasureFacts(name="AP"), members=(member, member), rows=(row,)
    ... )
    >>> describe_suite_evidence(inputs, study_suite(inputs))
    'Not enough is known to say which could be the best: there is nothing to compare it with.'
    """
    _check(inputs, findings, question)
    verdict = _verdict(findings, question)
    sources = "; ".join(verdict.evidence.sources)
    if verdict.evidence.kind == "none":
        why = verdict.why_no_set
        return f"Not enough is known to say which could be the best: {why}."
    if question == "other-collections":
        return f"Judged by how far systems differ from collection to collection: {sources}."
    return f"Judged by how much scores vary between the topics of each collection: {sources}."


def _check(inputs: SuiteInputs, findings: SuiteFindings, question: SuiteQuestion) -> None:
    for argument, value, kind in (("inputs", inputs, SuiteInputs), ("findings", findings, SuiteFindings)):
        if not isinstance(value, kind):
            raise ArgumentError(argument, value, f"must be {kind.__name__}")
    if question not in get_args(SuiteQuestion):
        raise ArgumentError("question", question, f"must be one of {', '.join(get_args(SuiteQuestion))}")


def _score(value: float, measure: MeasureFacts) -> str:
    return f"{value:.{measure.decimals}f}"
