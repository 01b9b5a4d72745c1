"""What the page of a leaderboard shows of its document: sentences, choices, columns. Templates only set it out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils.text import capfirst

from registry.core.templatetags.formatting import as_query
from registry.leaderboards import wording
from registry.leaderboards.documents import DESCENDING_SORTS
from registry.leaderboards.exports import MEDIA_TYPES
from registry.leaderboards.figures import distribution_figure
from registry.leaderboards.forms import Selection
from registry.results.models import Result

Document = dict[str, Any]

_SCALES = {
    "residual": "by variation between topics",
    "borrowed": "by variation between topics, borrowed",
    "published": "as published (Carterette 2015)",
}


#: Heading, whether it holds numbers, and what it can be sorted by (see forms.SORTS), of each column by its key.
_COLUMNS = {
    "rank": ("Rank", True, ""),
    "system": ("System", False, "system"),
    "score": ("Score", True, "rank"),
    "mark": ("May be best", False, ""),
    "pvalue": ("p", True, ""),
    "tier": ("Tier", True, ""),
    "year": ("Year", True, "year"),
    "topic_z": ("z by topic", True, "topic_z"),
    "z": ("z", True, "z"),
    "percentile": ("Per\u00adcentile", True, ""),
    "team": ("Team", False, "team"),
    "role": ("Role", False, "role"),
    "run_type": ("Run type", False, ""),
    "evidence": ("Evidence", False, "evidence"),
    "source": ("Source", False, ""),
}

_FORMAT_NAMES = {"json": "JSON", "csv": "CSV", "tex": "LaTeX", "md": "Markdown", "bib": "BibTeX"}


@dataclass(frozen=True, slots=True)
class Format:
    """A format that the leaderboard can be taken away in, under the reader's choices."""

    name: str
    media_type: str
    address: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One link: the value it asks for (None for what is shown without asking), its text, how many results it keeps."""

    value: str | None
    text: str
    is_chosen: bool
    n: int | None = None


@dataclass(frozen=True, slots=True)
class Choices:
    """Links of which one is chosen."""

    name: str
    label: str
    choices: tuple[Choice, ...]

    @property
    def chosen_text(self) -> str:
        return next(choice.text for choice in self.choices if choice.is_chosen)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table.

    ``sort`` is what a click on its heading asks for, blank where the table can't be sorted by it; ``order`` is the
    direction in which the table is sorted by it now; ``page`` is the page of docs/methods that explains it, or blank.
    """

    key: str
    label: str
    meaning: str
    is_number: bool = False
    sort: str = ""
    order: str = ""
    page: str = ""


def page_context(document: Document, selection: Selection, rows: Sequence[Document]) -> Document:
    """What the template of a leaderboard needs beside the document; ``rows`` are the results on this page of it."""
    recommended = document["recommended_scale"]
    shown_scale = selection.scale if selection.scale in document["scales"] else recommended
    bounds = document["scales"].get(shown_scale)
    is_by_set = _marks_the_best_set(document, selection)
    published = wording.published_finding(document, bounds)
    filters = contender_choices(document, selection)
    family = family_choices(document, selection)
    return {
        "bounds": bounds,
        "shown_scale": shown_scale,
        "lead": wording.finding(document) if is_by_set or recommended == "published" else published,
        "chosen": wording.choices_in_words(document, {one.name: one.chosen_text for one in [*filters, *family]}),
        "facts": wording.facts(document, bounds, is_by_set=is_by_set) if bounds else [],
        "figure": distribution_figure(document, bounds),
        "published_finding": published,
        "better_but_not_counted": wording.better_but_not_counted(document, bounds),
        "scale_choice": wording.scale_choice(document, shown_scale),
        "scales": scale_choices(document, shown_scale),
        "set_explanation": wording.set_explanation(document),
        "leader": wording.leader_finding(document["best_set"], _names(document["results"])),
        "leader_among": wording.leader_finding(
            (document["topic_scores"] or {}).get("best_set"), _names(document["results"])
        ),
        "winner_explanation": wording.winner_explanation(document),
        "method_pages": wording.method_pages(document),
        "topic_rows": topic_rows(document),
        "filters": filters,
        "family": family,
        "columns": columns(document, selection, is_by_set=is_by_set),
        "rows": marked_rows(document, rows, is_by_set=is_by_set),
        "formats": formats(document),
        "other_days": {name: value for name, value in selection.query.items() if name not in {"as_of", "published_by"}},
    }


def snapshot_context(document: Document) -> Document:
    """What the template of a snapshot needs beside its document."""
    members = set(document["best_set"]["members"])
    inputs = document["content"]["inputs"]["results"]
    return {
        "finding": wording.finding(document),
        "set_explanation": wording.set_explanation(document),
        "leader": wording.leader_finding(document["best_set"], _names(inputs)),
        "winner_explanation": wording.winner_explanation(document),
        "method_pages": wording.method_pages(document),
        "readings": [
            (capfirst(_SCALES[scale]), wording.published_finding(document, document["scales"][scale]))
            for scale in _in_order(document)
        ],
        "rows": [{**row, "is_marked": row["id"] in members} for row in inputs],
        "has_teams": any(row["team"] for row in inputs),
    }


def _names(rows: Iterable[Document]) -> dict[int, str]:
    return {row["id"]: row["system"] for row in rows}


def formats(document: Document) -> list[Format]:
    """The formats that there are: a leaderboard without a snapshot can't be cited."""
    names = [document["collection"]["slug"], document["measure"]["name"]]
    query = as_query(document["selection"])
    return [
        Format(name, MEDIA_TYPES[suffix], reverse("leaderboards:leaderboard-format", args=[*names, suffix]) + query)
        for suffix, name in _FORMAT_NAMES.items()
        if suffix != "bib" or document["snapshot"]
    ]


def _marks_the_best_set(document: Document, selection: Selection) -> bool:
    """Whether the table marks the best set, and not the plausible results: unless there is none, or by choice."""
    best_set = document["best_set"]
    is_published_by_choice = selection.scale == "published" != document["recommended_scale"]
    return bool(best_set and best_set["method"]) and not is_published_by_choice


def contender_choices(document: Document, selection: Selection) -> list[Choices]:
    """The filters that would change something."""
    question = selection.question
    known = (
        ("role", "Role", dict(Result.Role.choices), question.role),
        ("run_type", "Run type", dict(Result.RunType.choices), question.run_type),
        ("evidence", "Evidence", dict(Result.Evidence.choices), question.evidence),
    )
    found = []
    for name, label, texts, chosen in known:
        counts = document["facets"][name] | ({chosen: 0} if chosen and chosen not in document["facets"][name] else {})
        if chosen or len(counts) > 1:
            every = Choice(None, "all", not chosen)
            choices = (Choice(value, str(texts[value]), value == chosen, n) for value, n in counts.items())
            found.append(Choices(name, label, (every, *choices)))
    return found


def family_choices(document: Document, selection: Selection) -> list[Choices]:
    """Which roles may count as tried, where there are several."""
    roles = [role for role in document["facets"]["role"] if role in Result.COUNTED_ROLES]
    chosen = ",".join(selection.question.family)
    if not chosen and len(roles) < 2:
        return []
    offered = dict.fromkeys([*roles, *filter(None, [chosen])])
    choices = (Choice(value, _role_texts(value), value == chosen) for value in offered)
    return [Choices("family", "Count as tried", (Choice(None, "all", not chosen), *choices))]


def _role_texts(family: str) -> str:
    return ", ".join(str(Result.Role(role).label) for role in family.split(","))


def scale_choices(document: Document, shown_scale: str) -> list[Choices]:
    """The standard errors to choose from, where there are several."""
    recommended = document["recommended_scale"]
    if len(document["scales"]) < 2:
        return []
    choices = (
        Choice(None if scale == recommended else scale, _SCALES[scale], scale == shown_scale)
        for scale in _in_order(document)
    )
    return [Choices("scale", "Analysis", tuple(choices))]


def _in_order(document: Document) -> list[str]:
    """The scales that there are, the recommended one first."""
    return sorted(document["scales"], key=lambda scale: scale != document["recommended_scale"])


def topic_rows(document: Document) -> list[Document]:
    """The results with per-topic scores, where only some have them: name, score, p-value, whether it may be best."""
    among = document["topic_scores"]
    if not among:
        return []
    pvalues, members = among["best_set"]["pvalues"], set(among["best_set"]["members"])
    by_id = {row["id"]: row for row in document["results"]}
    shown = [(by_id[int(key)], pvalue) for key, pvalue in pvalues.items() if int(key) in by_id]
    shown.sort(key=lambda pair: -pair[1])
    return [{**row, "pvalue": pvalue, "is_marked": row["id"] in members} for row, pvalue in shown]


def marked_rows(document: Document, rows: Sequence[Document], *, is_by_set: bool) -> list[Document]:
    """The rows with their p-value, where there is one, and whether they are marked."""
    pvalues = (document["best_set"] or {}).get("pvalues") or {}
    mark = "in_best_set" if is_by_set else "plausible"
    return [{**row, "pvalue": pvalues.get(str(row["id"])), "is_marked": row[mark]} for row in rows]


def columns(document: Document, selection: Selection, *, is_by_set: bool) -> dict[str, Column]:
    """The columns of the table by key, in their order; those that would be empty in every row are left out."""
    rows = document["results"]

    def has(name: str) -> bool:
        return any(row[name] not in (None, "") for row in rows)

    is_shown = {
        "mark": bool(document["scales"]),
        "pvalue": bool((document["best_set"] or {}).get("pvalues")),
        "run_type": len({row["run_type"] for row in rows} - {""}) > 1,
        # Tiers begin with the best of all that count, which filters may have taken away.
        "tier": has("tier") and not selection.question.has_filters,
    } | {name: has(name) for name in ("year", "topic_z", "z", "percentile", "team")}
    meanings = wording.column_meanings(document["reference_set"], is_by_set=is_by_set)
    pages = wording.column_pages(document)
    better = document["measure"]["higher_is_better"]
    known = _COLUMNS if is_by_set else _COLUMNS | {"mark": ("In range", False, "")}
    return {
        key: replace(
            _column(key, label, meanings.get(key, ""), is_number, sort, selection.sort, higher_is_better=better),
            page=pages.get(key, ""),
        )
        for key, (label, is_number, sort) in known.items()
        if is_shown.get(key, True)
    }


def _column(
    key: str, label: str, meaning: str, is_number: bool, sort: str, now: str, *, higher_is_better: bool
) -> Column:
    if not sort or now.removeprefix("-") != sort:
        return Column(key, label, meaning, is_number, sort)
    descends = higher_is_better if sort == "rank" else sort in DESCENDING_SORTS
    is_reversed = now.startswith("-")
    order = "descending" if descends != is_reversed else "ascending"
    return Column(key, label, meaning, is_number, sort if is_reversed else f"-{sort}", order)
