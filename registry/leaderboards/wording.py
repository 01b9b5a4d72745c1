"""Findings in plain sentences, with their numbers: the same words on the page, in the API and in a citation."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.utils.text import capfirst

from registry.core.templatetags.formatting import percent, plural, pvalue, score, thousands

Document = dict[str, Any]

#: Page of docs/methods that explains each method of a finding.
METHOD_PAGES = {
    "gupta-means": "best-set-from-means",
    "max-t": "confidence-set-for-the-best-run",
    "james-stein": "winner-from-means",
    "James-Stein": "winner",
}

#: Page of docs/methods that explains each column of the table of results that has one, whatever the data.
COLUMN_PAGES = {"z": "standing-among-reference-means", "topic_z": "historical-standardization"}


def column_pages(document: Document) -> dict[str, str]:
    """The pages that explain columns of the table, by their keys."""
    by_topic = (document["best_set"] or {}).get("method") == "max-t"
    return COLUMN_PAGES | {"tier": "tie-tiers" if by_topic else "tie-tiers-from-means"}


def method_pages(document: Document) -> Document:
    """The pages that explain how the best set and the winner's score were found; None where nothing was."""
    return {part: METHOD_PAGES.get((document[part] or {}).get("method")) for part in ("best_set", "winner")}


@dataclass(frozen=True, slots=True)
class Fact:
    """One number that carries a page, with its name and what it means."""

    name: str
    value: str
    meaning: str


def finding(document: Document) -> str:
    """What was found about a leaderboard, for somebody who reads one sentence only; blank without an analysis."""
    if not document["scales"]:
        return ""
    best_set, winner = document["best_set"], document["winner"]
    decimals = document["measure"]["decimals"]
    opening = f"{_the_best(document)} is {score(document['scales']['published']['best'], decimals)}"
    if best_set["method"] is None:
        return f"{opening}; {_as_published(document)}"
    n_others = best_set["n_members"] - 1
    others = "one other result" if n_others == 1 else f"{thousands(n_others)} others"
    confidence = f"{percent(best_set['confidence_level'], 0)} confidence"
    sentence = f"{opening}, but {others} could just as well be the best ({confidence})"
    if not n_others:
        sentence = f"{opening}, and no other result can be the best instead ({confidence})"
    if winner["estimate"] is not None:
        sentence += f"; corrected for luck, its score is about {score(winner['estimate'], decimals)}"
    return sentence + "."


def _the_best(document: Document) -> str:
    """“The best of 328 independent results”; where the reader chose who may be best, of those."""
    n_results, n_contenders = document["n_results"], document["best_set"]["n_contenders"]
    if n_contenders == n_results:
        return f"The best of {thousands(n_results)} independent results"
    chosen = plural(n_contenders, "result,results")
    return f"The best of the {chosen} chosen, of {thousands(n_results)} that were tried,"


def _as_published(document: Document) -> str:
    bounds = document["scales"]["published"]
    decimals = document["measure"]["decimals"]
    return (
        f"{thousands(bounds['n_effective_results'])} systems with one and the same true mean of"
        f" {score(bounds['adjusted_mean'], decimals)} would have as good a best one time in five, and"
        f" {plural(bounds['n_plausible'], 'result lies,results lie')} in the range that these would cover."
    )


def published_finding(document: Document, bounds: Document | None) -> str:
    """Carterette's reading of the same leaderboard, for the bounds on one scale."""
    if not bounds:
        return ""
    decimals = document["measure"]["decimals"]
    side, other_side = ("above", "below") if bounds["higher_is_better"] else ("below", "above")
    inflation = "" if bounds["inflation"] is None else f" ({percent(bounds['inflation'])} {other_side} the best result)"
    return (
        f"{thousands(bounds['n_effective_results'])} systems with the same true mean of"
        f" {score(bounds['adjusted_mean'], decimals)}{inflation} would give a best result of"
        f" {score(bounds['best'], decimals)} or better one time in five;"
        f" {plural(bounds['n_plausible'], 'result lies,results lie')} at or {side} {score(far_end(bounds), decimals)},"
        " the far end of the range that such systems cover."
    )


def far_end(bounds: Document) -> float:
    """The end of the range of non-extreme values that lies away from the best result."""
    end: float = bounds["lower"] if bounds["higher_is_better"] else bounds["upper"]
    return end


def facts(document: Document, bounds: Document, *, is_by_set: bool) -> list[Fact]:
    """The whole finding in a few numbers, in the words of somebody who has not read the papers.

    ``is_by_set``: whether the best set is shown, and not the plausible results within the bounds.
    """
    decimals = document["measure"]["decimals"]
    return [
        _best_fact(document, bounds, decimals),
        _set_fact(document["best_set"]) if is_by_set else _range_fact(bounds, decimals),
        *_winner_facts(document, decimals),
        _luck_fact(bounds, decimals),
    ]


def _best_fact(document: Document, bounds: Document, decimals: int) -> Fact:
    side = "highest" if bounds["higher_is_better"] else "lowest"
    n_results, n_contenders = document["n_results"], document["best_set"]["n_contenders"]
    mean, sd = score(document["mean"], decimals), score(document["sd"], decimals)
    if n_contenders == n_results:
        who = f"{plural(n_results, 'independent result,independent results')}; their mean is {mean}"
    else:
        who = f"{plural(n_contenders, 'result,results')} chosen; the mean of all {thousands(n_results)} tried is {mean}"
    return Fact(
        "Best score printed", score(bounds["best"], decimals), f"the {side} of {who}, the standard deviation {sd}"
    )


def _set_fact(best_set: Document) -> Fact:
    basis = "per-topic scores" if best_set["basis"] == "topic-scores" else "published means"
    confidence = percent(best_set["confidence_level"], 0)
    meaning = f"can’t be told from the best at {confidence} confidence, judged by {basis}"
    return Fact("May be the best", plural(best_set["n_members"], "result,results"), meaning)


def _range_fact(bounds: Document, decimals: int) -> Fact:
    where = f"at or beyond {score(far_end(bounds), decimals)}, the far end of the range that equal systems would cover"
    return Fact("In reach of luck", plural(bounds["n_plausible"], "result,results"), f"lie {where}")


def _winner_facts(document: Document, decimals: int) -> list[Fact]:
    winner = document["winner"]
    if winner["estimate"] is None:
        return []
    interval = winner["interval"]
    if interval:
        low, high = score(interval["low"], decimals), score(interval["high"], decimals)
        sure = f"{percent(interval['confidence_level'], 0)} interval {low} to {high}"
    else:
        sure = "no interval can be trusted here"
    meaning = f"what is left of it once the luck of coming first is taken off; {sure}"
    return [Fact("Best, corrected for luck", score(winner["estimate"], decimals), meaning)]


def _luck_fact(bounds: Document, decimals: int) -> Fact:
    n, mean = thousands(bounds["n_effective_results"]), score(bounds["adjusted_mean"], decimals)
    equal = f"if all {n} were equally good, a true mean of {mean} would give so good a best one time in five"
    if bounds["inflation"] is None:
        return Fact("If all were equally good", mean, equal)
    return Fact("Inflation", percent(bounds["inflation"]), f"of the best score may be luck: {equal}")


def scale_choice(document: Document, shown_scale: str) -> str:
    """Which extreme-value analysis is shown, and why, in one sentence; blank without an analysis."""
    recommended, variance = document["recommended_scale"], document["residual_variance"]
    if recommended is None:
        return ""
    if shown_scale == "published" != recommended:
        return (
            "Shown, at your choice, is the analysis as published, whose standard error is the spread of the results"
            " divided by the square root of the number of topics; it takes real differences between systems for error."
        )
    if shown_scale == "published":
        return (
            "Shown is the analysis as published, because no per-topic scores under"
            f" {document['measure']['name']} are known that would tell how much scores vary from topic to topic."
        )
    why = "because it rests on how much scores vary from topic to topic, and not on how much systems differ"
    return f"Shown is the analysis with the residual standard error, {why}: {_variance_source(variance)}."


def _variance_source(variance: Document) -> str:
    value = score(variance["value"], 5)
    if variance["scale"] == "residual":
        return f"the variance {value} was seen in {variance['source']}"
    return f"the variance {value} is borrowed from elsewhere ({variance['source']})"


def set_explanation(document: Document) -> str:
    """How the results that may be the best were told from the others; blank without an analysis."""
    best_set = document["best_set"]
    if not best_set:
        return ""
    if best_set["method"] is None:
        return f"It can’t be said at a stated confidence which results may be the best: {best_set['why_none']}."
    n, confidence = plural(best_set["n_contenders"], "result,results"), percent(best_set["confidence_level"], 0)
    if best_set["basis"] == "topic-scores":
        return (
            f"All {n} have per-topic scores, so each was compared with every other over the same topics. Those that"
            f" are not significantly worse than any other at {confidence} confidence may be the best."
        )
    beyond = "at or above" if document["measure"]["higher_is_better"] else "at or below"
    threshold = score(best_set["threshold"], document["measure"]["decimals"])
    source = capfirst(_variance_source(best_set["residual_variance"]))
    return (
        f"Of {n}, those {beyond} {threshold} may be the best: at {confidence} confidence, their distance from the top"
        f" is no more than topics would make between equals. {source}."
    )


def leader_finding(best_set: Document | None, names: dict[int, str]) -> str:
    """Whether the best result is verified; ``names`` are those of results. Blank where that can't be said."""
    leader = best_set and best_set["leader"]
    if not leader or best_set["why_no_badge"] or not {leader["result"], leader["rival"]} <= names.keys():
        return ""
    first, rival = names[leader["result"]], names[leader["rival"]]
    p = pvalue(leader["pvalue"])
    p = f"p {p}" if p.startswith("<") else f"p = {p}"
    if not leader["is_verified"]:
        return f"No verified leader: {first} is not clearly better than {rival} ({p})."
    confidence = percent(best_set["confidence_level"], 0)
    sentence = (
        f"Verified leader: {first} is better than every other at {confidence} confidence; closest is {rival} ({p})."
    )
    if best_set["n_members"] > 1:
        # Both hold at their confidence; without a word on it they read like a contradiction.
        sentence += (
            " That is another test than the one above: it asks of the result that came first alone, and the set asks of"
            " every result whether it may be the best, so the set may hold others still."
        )
    return sentence


def winner_explanation(document: Document) -> str:
    """How the best result's score was corrected, and how sure that is; blank without an analysis."""
    winner, decimals = document["winner"], document["measure"]["decimals"]
    if not winner:
        return ""
    if winner["estimate"] is None:
        return f"The best score can’t be corrected for luck: {winner['why_no_interval']}."
    sentence = (
        f"The best result was picked for its score, so its {score(winner['raw'], decimals)} is on average a little too"
        f" good. Pulled back towards the others it is {score(winner['estimate'], decimals)}"
    )
    interval = winner["interval"]
    if interval:
        low, high = score(interval["low"], decimals), score(interval["high"], decimals)
        return f"{sentence}, {percent(interval['confidence_level'], 0)} interval {low} to {high}."
    return f"{sentence}. There is no interval: {winner['why_no_interval']}."


def choices_in_words(document: Document, labels: dict[str, str]) -> list[str]:
    """What the reader's choices do to the analysis, one sentence each; ``labels`` has the text of each chosen value."""
    chosen = document["selection"]
    contenders = ", ".join(labels[name] for name in ("role", "run_type", "evidence") if name in chosen)
    sentences = []
    if contenders:
        sentences.append(f"Only these may be the best: {contenders}. The others were tried and still count.")
    if "family" in chosen:
        sentences.append(f"Only these count as tried: {labels['family']}.")
    if chosen.get("scale") and document["scales"] and chosen["scale"] not in document["scales"]:
        sentences.append(f"No {chosen['scale']} standard error is known here; the recommended one is shown.")
    if "n_multiplier" in chosen:
        sentences.append(f"Each result stands for {chosen['n_multiplier']} attempts, published or not.")
    return sentences


def better_but_not_counted(document: Document, bounds: Document | None) -> str:
    """Which results in the table score higher than the best one that counts, and why they don't; blank for none."""
    if not bounds:
        return ""
    sign = 1 if bounds["higher_is_better"] else -1
    above = [
        row["why_not_counted"]
        for row in document["results"]
        if row["why_not_counted"] and sign * row["value"] > sign * bounds["best"]
    ]
    if not above:
        return ""
    reasons = ", ".join(f"{reason} ({thousands(n)})" for reason, n in Counter(above).most_common())
    are = plural(len(above), "result in the table is,results in the table are")
    return f"{are} even better, but not counted and not ranked: {reasons}."


def column_meanings(reference_set: Document | None, *, is_by_set: bool) -> dict[str, str]:
    """What the columns of the table of results mean, by their keys; those that speak for themselves are left out."""
    reference = reference_set or {}
    by_topic = reference.get("topic_scores") or {}
    in_set = "can’t be told from the best at the stated confidence"
    in_range = "lies in the range that equally good systems would cover"
    return {
        "rank": "Equal scores share a rank. A result without one does not count towards the number of systems tried.",
        "score": "As printed; where a program printed every digit it had, the digits of the measure.",
        "mark": f"Shaded as well: {in_set if is_by_set else in_range}.",
        "pvalue": "How surprising the scores would be if this result were truly the best.",
        "tier": (
            "Tier 1 can’t be told from the best, tier 2 not from the best of the rest, and so on. All tiers hold at"
            " once, which takes larger differences: tier 1 is mostly wider than what may be the best."
        ),
        "topic_z": f"Standardized topic by topic against {by_topic.get('name')}, then averaged.",
        "z": f"Distance of the score from the mean of {reference.get('name')}, in their standard deviations.",
        "percentile": "The share of the same reference systems that are worse, of equal ones half.",
        "evidence": (
            "How the score came to be recorded: transcribed from the source, double-checked, confirmed by its author,"
            " recomputed from per-topic scores or from a run."
        ),
    }
