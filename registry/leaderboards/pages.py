"""Contexts of the pages of leaderboards and benchmarks: choices, drawings, files and cautions beside the document."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from django.urls import reverse

from analysis.boards import Caution
from registry.core.http import site_address
from registry.core.messages import say
from registry.core.templatetags.formatting import as_query, day, query_with, score
from registry.leaderboards import wording
from registry.leaderboards.documents.shapes import BoardDocument, VerdictDocument
from registry.leaderboards.documents.suite_shapes import RULES, Analysed, SuiteDocument, SuiteRuleDocument
from registry.leaderboards.drawings.pages import DESCRIBED, draw_plumb_line, page_drawings
from registry.leaderboards.drawings.plumb_line import Mark, plumb_line
from registry.leaderboards.exports.citing import citable_address, citation_key, made_on, quoted, snippet
from registry.leaderboards.exports.files import board_linked_data, drawings, file_address, formats
from registry.leaderboards.forms import N_TRIES, Selection
from registry.leaderboards.models import Analysis
from registry.leaderboards.traits import SIZES, WEIGHTS
from registry.results.models import Result

Context = dict[str, Any]

#: What the standard errors of the analysis of equal systems are called.
SCALES = {
    "published": "as published (Carterette 2015)",
    "residual": "by variation between topics",
    "borrowed": "by variation between topics elsewhere",
}

#: How far tries of one result differ, by the share of the variance.
TRIES_IN_WORDS = {"0.05": "hardly (0.05)", "0.2": "somewhat (0.2)", "0.5": "much (0.5)"}

#: Which cautions are about results that somebody can speak for. Others are about boards, or follow from the scores.
DISPUTABLE_CAUTIONS = frozenset({
    "stands-apart", "outlier-elsewhere", "unusual-elsewhere", "follows-flag", "contradicts-linked", "self-reported",
    "other-pool",
})  # fmt: skip
#: What is said of the training of models alone.
_OF_MODELS = {"declares", "declares_none", "not_listed"}
#: How many rows the table for papers has that a page offers beside the whole one.
TOP = 10

_BETWEEN_SENTENCES = re.compile(r"(?<=\.) (?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Choice:
    """One link: the value it asks for (None for what is shown without asking), its text, how many results it keeps."""

    value: str | None
    text: str
    is_chosen: bool
    n: int | None = None


@dataclass(frozen=True, slots=True)
class Choices:
    """Links of which one is chosen, with a sentence on what that choice shows where it takes one."""

    name: str
    label: str
    choices: tuple[Choice, ...]
    sentence: str = ""

    @classmethod
    def of(
        cls,
        name: str,
        label: str,
        texts: Mapping[str, str],
        chosen: str,
        default: str = "",
        counts: Mapping[str, int] | None = None,
        sentence: str = "",
    ) -> Self:
        """Return choices of these values, each with its text, of which the default is shown without asking."""
        choices = (
            Choice(None if value == default else value, text, value == chosen, counts.get(value) if counts else None)
            for value, text in texts.items()
        )
        return cls(name, label, tuple(choices), sentence)


def page_context(document: BoardDocument, selection: Selection) -> Context:
    """Return what the template of a leaderboard needs beside the document and the table."""
    scale = selection.scale if selection.scale in document.scales else "published"
    bounds = document.scales.get(scale)
    scales = {name: SCALES[name] for name in document.scales}
    has_margin = bool(document.verdict and document.verdict.set and document.verdict.set.margin is not None)
    looks = {"": "now and then", "weekly": "every week"}
    variance = score(document.verdict.evidence.residual_variance if document.verdict else None, 5)
    filters = contender_choices(document, selection)
    counted = counted_choices(document, selection)
    chosen = {group.name: choice.text for group in [*filters, *counted] for choice in group.choices if choice.is_chosen}
    years = sorted({row.year for row in document.results if row.year is not None})
    return {
        # Answers are for what stands: another choice may find other cautions.
        **_shown(document, has_links=selection.is_default),
        "chosen": wording.choices_in_words(document, chosen, selection.traits),
        "evaluations": wording.evaluations_in_words(document.facets),
        "five_runs": wording.what_runs_would_add(document),
        "drawn": page_drawings(document, bounds),
        "chips": chips(document),
        "bounds": bounds,
        "equal_means_finding": wording.equal_means_finding(document, bounds),
        # Where the standard error of the analysis of equal systems is from.
        "scale_choice": say("scale-published") if scale == "published" else say("scale-residual", variance=variance),
        "scales": [Choices.of("scale", "Standard error", scales, scale, "published")] if len(scales) > 1 else [],
        "tries": tries_choices(selection) if document.verdict and document.verdict.shown.corrected else [],
        # How often somebody looks at it matters where its set is from means.
        "looks": [Choices.of("looks", "You look", looks, selection.question.looks)] if has_margin else [],
        "filters": filters,
        # Where models are on the board of which weights, size, maker and year are said.
        "has_traits": bool(selection.traits) or any(row.training in _OF_MODELS for row in document.results),
        "trait_choices": {"weights": WEIGHTS, "size": {size: f"at most {size}" for size in SIZES}},
        "counted": counted,
        "sources": file_address(document, "sources.bib") if any(row.paper_slug for row in document.results) else "",
        # Those in which results were published, but for the last, each with its last day; none of an earlier day.
        "years": [] if selection.is_past else [(year, f"{year}-12-31") for year in years[:-1]],
        "other_days": {name: text for name, text in selection.address.items() if name not in {"as_of", "published_by"}},
    }


def suite_context(document: SuiteDocument, rule: str = "") -> Context:
    """Return what the template of a suite needs beside its document; members are drawn as the study took them.

    ``rule`` is one of ``RULES``, whose winner the figure marks; blank for the mean.
    """
    rules = document.rules.rules if document.rules else ()
    chosen = next((candidate for candidate in rules if candidate.rule == rule), None)
    winner = next((row for row in document.results if chosen and row.id == chosen.winner), None)
    mark = [Mark(winner.value, f"by {chosen.name}: {winner.system}")] if chosen and winner and winner.value else []
    slugs = [member.collection for member in document.members]
    n_tasks = len({member.task or member.collection for member in document.members})
    of_measure = Analysis.objects.filter(leaderboard__measure__name=document.measure["name"])
    analyses = of_measure.filter(leaderboard__collection__slug__in=slugs).select_related("leaderboard__collection")
    by_collection = {analysis.leaderboard.collection.slug: analysis for analysis in analyses}
    return {
        **_shown(document, has_links=False),
        "drawn": {
            "plumb_line": draw_plumb_line(
                document, document.row, mark, f"{document.url}{DESCRIBED}{as_query(document.selection)}"
            )
        },
        "rules": _rule_choices(document, chosen),
        "chips": chips(document),
        "members": [(member, by_collection.get(member.collection)) for member in document.members],
        "n_tasks": n_tasks if n_tasks < len(slugs) else 0,
    }


def _rule_choices(document: SuiteDocument, chosen: SuiteRuleDocument | None) -> Choices | None:
    """Return the rules that may name the winner; None where nothing says who wins by them."""
    if document.rules is None:
        return None
    texts: dict[str, str] = {rule.rule: RULES[rule.rule] for rule in document.rules.rules}
    shown, sentence = (chosen.rule, chosen.sentence) if chosen else ("mean", "")
    return Choices.of("rule", "Who leads by", texts, shown, default="mean", sentence=sentence)


def _shown(document: BoardDocument | SuiteDocument, *, has_links: bool) -> Context:
    """Return what every board has: its verdicts, what is to be known of them, its files, and what others show of it."""
    files, query = formats(document), as_query(document.selection)
    return {
        "rows_of_verdict": document.results,
        **cite_context(document),
        **caution_context(document.verdict, document.results, has_links=has_links),
        "bib": file_address(document, "bib"),
        "csv": file_address(document, "csv"),
        "formats": files,
        "linked_data": board_linked_data(document, files),
        "top_table": file_address(document, "tex", {"top": str(TOP)}) if document.n_listed > TOP else "",
        "drawings": drawings(document.url, query),
        "card": site_address(f"{document.url}card.png{query}"),
        "badge": snippet(document, site_address(), document.url) if document.verdict and not query else None,
    }


def cite_context(document: Analysed, sentence: str = "") -> Context:
    """Return what the card of a citation shows and copies: the sentence, else the verdict, and nothing without one."""
    sentence = sentence or quoted(document)
    created, _ = made_on(document)
    snapshot = document.snapshot.id[:8] if document.snapshot else "none"
    where = {"snapshot": snapshot, "address": site_address(citable_address(document))}
    return {
        "quote": sentence,
        "cite_text": say("cite-text", quote=sentence, day=day(created), **where),
        "cite_key": rf"\cite{{{citation_key(document)}}}",
    }


#: The chip of a row by what is said of its training; of all others its maker says that there was none on it.
_BY_TRAINING = {"declares": "trained-here", "says_nothing": "undisclosed"}
#: The roles that have a chip, in their order.
_ROLES = ("proposed", "baseline", "trec_run", "reference_implementation", "leaderboard")


def chips(document: BoardDocument | SuiteDocument) -> list[Context]:
    """Return the views of training; where there are none, the roles of results, of which one may be chosen: what rows
    are called, how many, and where these are ranked."""
    verdict = document.verdict
    if verdict is None or (verdict.shown.too_few and not verdict.views and not document.selection):
        return []
    order: list[str]
    shown: str = verdict.view
    if verdict.views:
        name, addresses = "training", {"undisclosed": "#results" if shown == "all" else "#not-ranked"}
        counts = Counter(_BY_TRAINING.get(row.training, "declared-none") for row in document.results if row.rank)
        counts["all"] = counts.total()
        offered = {"undisclosed", *(view.view for view in verdict.views)}
        order = [
            view for view in ("declared-none", "trained-here", "undisclosed", "all") if view in offered and counts[view]
        ]
    elif isinstance(document, BoardDocument):
        name, addresses, shown = "role", {"all": document.url}, document.selection.get("role", "all")
        counts = Counter(document.facets["ranked_role"])
        if len(counts) < 2 and shown == "all":
            return []
        order = ["all", *(role for role in _ROLES if role in counts)]
        counts["all"] = counts.total()
    else:
        return []
    return [
        {
            "text": say("view", view=choice, rows=document.row),
            "n": counts[choice],
            "address": addresses.get(choice) or document.url + query_with(document.selection, name, choice),
            "is_chosen": choice == shown,
        }
        for choice in order
    ]


def example_context(document: BoardDocument) -> Context:
    """Return what a page needs to show a leaderboard by its figure and its finding."""
    return {"example": document, "plumb_line": plumb_line(document)}


def caution_context(verdict: VerdictDocument | None, rows: Iterable[Any], *, has_links: bool) -> Context:
    """Return the cautions of a verdict on these rows, with the pages on which each is disputed, by the name of the
    system; each message is without what one before it says. Rows lead to the first of a code."""
    if verdict is None or not verdict.cautions:
        return {"cautions": []}
    names = {row.id: row.system for row in rows}
    sentences: set[str] = set()
    codes: set[str] = set()
    shown = []
    for caution in verdict.cautions:
        new = [sentence for sentence in _BETWEEN_SENTENCES.split(caution.message) if sentence not in sentences]
        links = _disputes(caution, names) if has_links else ()
        is_first = caution.code not in codes
        shown.append({"caution": caution, "message": " ".join(new), "links": links, "is_first": is_first})
        sentences.update(new)
        codes.add(caution.code)
    return {"cautions": shown}


def _disputes(caution: Caution, names: dict[int, str]) -> tuple[tuple[str, str], ...]:
    """Return the forms on which a caution is disputed, each with the name of the system."""
    if caution.code not in DISPUTABLE_CAUTIONS:
        return ()
    query = as_query({"kind": "dispute", "caution": caution.code})
    return tuple(
        (names[result], reverse("results:result-correct", args=[result]) + query)
        for result in caution.results
        if result in names
    )


def contender_choices(document: BoardDocument, selection: Selection) -> list[Choices]:
    """Return the filters that would change something."""
    question = selection.question
    filters = (
        ("role", "Role", dict(Result.Role.choices), question.role),
        ("run_type", "Run type", dict(Result.RunType.choices), question.run_type),
        ("provenance", "Provenance", dict(Result.Provenance.choices), question.provenance),
    )
    choices = []
    for name, label, texts, chosen in filters:
        counts = document.facets[name] | ({chosen: 0} if chosen and chosen not in document.facets[name] else {})
        if chosen or len(counts) > 1:
            offered = {"": "all", **{value: str(texts[value]) for value in counts}}
            choices.append(Choices.of(name, label, offered, chosen, counts=counts))
    return choices


def counted_choices(document: BoardDocument, selection: Selection) -> list[Choices]:
    """Return whose results the analysis of equal systems counts, where there are several roles."""
    roles = [role for role in document.facets["role"] if role in Result.COUNTED_ROLES]
    chosen = ",".join(selection.question.counted_roles)
    if not chosen and len(roles) < 2:
        return []
    offered = filter(None, [*roles, chosen])
    texts = {value: ", ".join(str(Result.Role(role).label) for role in value.split(",")) for value in offered}
    return [Choices.of("counted_roles", "Count", {"": "all original results", **texts}, chosen)]


def tries_choices(selection: Selection) -> list[Choices]:
    """Return how many tries nobody listed, and how far these differ."""
    question = selection.question
    choices = [Choices.of("tries", "Tries a result", {str(n): str(n) for n in N_TRIES}, str(question.n_tries), "1")]
    if question.n_tries > 1:
        choices.append(Choices.of("tries_differ", "They differ", TRIES_IN_WORDS, f"{question.tries_share:g}", "0.2"))
    return choices
