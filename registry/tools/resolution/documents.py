"""The resolution of a collection, as one object for the page, its JSON and the API."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from django.urls import reverse

from analysis.boards import METHODS
from analysis.figures import Axis, Panel, Rule, Series, Style, series
from analysis.reliability import ClassRate, CollectionResolution, DesignRates, ErrorRate, smallest_resolvable_difference
from registry.catalog.documents import collection_page
from registry.catalog.models import Collection, Leaderboard
from registry.core.charts import Chart, draw
from registry.core.documents import document_of
from registry.leaderboards.stored import StoredBoard, read_stored
from registry.tools.resolution import queries
from registry.tools.resolution.queries import Source
from registry.tools.resolution.services import STUDY_COLLECTION

_WhereFrom = Annotated[
    str, "Where scores of runs without names are from, under which terms, and what to know of them; else blank."
]


@dataclass(frozen=True, slots=True)
class StudiedMatrix:
    """Scores of systems by topic under one measure, and what they say of the collection."""

    measure: Annotated[str, "Name of the measure."]
    decimals: Annotated[int, "Decimals to show of its scores."]
    kind: Annotated[
        Literal["results", "unnamed"],
        "Topic scores of results on record, or of runs without names, which stand behind no result.",
    ]
    runs: Annotated[str, "Whose scores they are."]
    source: _WhereFrom
    licence: _WhereFrom
    note: _WhereFrom
    n_systems: Annotated[int, "Size of the matrix."]
    n_topics: Annotated[int, "Size of the matrix."]
    digest: Annotated[str, "SHA-256 of scores, direction and methods: the same digest has the same findings."]
    state: Annotated[
        Literal["studied", "waiting", "impossible"],
        "Whether there are findings, a worker is still to find them, or there can be none.",
    ]
    why: Annotated[str, "Why there can be none; else blank."]
    findings: Annotated[CollectionResolution | None, "What was found."]
    detectable: Annotated[
        "Detectable | None",
        "What the leaderboard under this measure tells apart and finds; None where it can't be said.",
    ]


@dataclass(frozen=True, slots=True)
class Detectable:
    """The differences of an average pair that one planned comparison tells apart, and finds four times in five."""

    significant: Annotated[
        float,
        "The observed difference that one planned test of two means tells apart on all topics of the leaderboard: "
        "what lists of collections say that it resolves.",
    ]
    difference: Annotated[
        float,
        "The true difference that is found four times in five, by the variance that the verdict of the leaderboard "
        "takes, over its topics.",
    ]
    low: Annotated[float | None, "Where it lies in 9 of 10 cases, by how surely that variance is known."]
    high: Annotated[float | None, "Where it lies in 9 of 10 cases, by how surely that variance is known."]
    n_topics: Annotated[int, "Topics of the leaderboard; the matrix may have fewer."]


@dataclass(frozen=True, slots=True)
class ResolutionDocument:
    """How much a collection can resolve, by each matrix of topic scores that is on record."""

    collection: Annotated[str, "Its slug."]
    name: Annotated[str, "Its name."]
    url: Annotated[str, "Address of the page."]
    matrices: Annotated[tuple[StudiedMatrix, ...], "By measure; empty where no topic scores are on record."]


def resolution_document(collection: Collection) -> ResolutionDocument:
    sources = queries.read_sources(collection)
    detectable, findings = _read_detectable(collection, sources), queries.read_findings(sources)
    return ResolutionDocument(
        collection=collection.slug,
        name=collection.name,
        url=reverse("resolution:collection-resolution", args=[collection.slug]),
        matrices=tuple(
            _matrix(source, findings.get(source.digest), detectable.get(source.measure.pk)) for source in sources
        ),
    )


def _read_detectable(collection: Collection, sources: Sequence[Source]) -> dict[int, Detectable]:
    """Return by measure the number that checking a score on the leaderboard gives, too."""
    boards = dict(
        Leaderboard.objects.filter(collection=collection, measure__in={source.measure.pk for source in sources})
        .order_by()
        .values_list("pk", "measure")
    )
    return {boards[pk]: detectable for pk, stored in read_stored(boards).items() if (detectable := _detectable(stored))}


def _detectable(stored: StoredBoard) -> Detectable | None:
    evidence = stored.findings.verdict.evidence
    n_topics = stored.inputs.n_topics or stored.inputs.n_topics_at_least or 0
    if not evidence.residual_variance or n_topics < 2 or stored.pair_error is None:
        return None
    variance, df = evidence.residual_variance * evidence.of_groups, evidence.degrees_of_freedom
    smallest = smallest_resolvable_difference(variance, n_topics, 2, variance_degrees_of_freedom=df)
    low, high = smallest.detectable_range or (None, None)
    return Detectable(
        significant=stored.pair_error.margin(1 - METHODS.confidence_level),
        difference=smallest.detectable,
        low=low,
        high=high,
        n_topics=smallest.n_topics,
    )


def _matrix(source: Source, study: CollectionResolution | str | None, detectable: Detectable | None) -> StudiedMatrix:
    return document_of(
        StudiedMatrix,
        source,
        measure=source.measure.name,
        decimals=source.measure.decimals,
        state="waiting" if study is None else "impossible" if isinstance(study, str) else "studied",
        why=study if isinstance(study, str) else "",
        findings=None if isinstance(study, str) else study,
        detectable=detectable,
    )


#: A matrix on the page, with its charts and the rows of its tables.
Section = dict[str, Any]


def lead_of(sections: Sequence[Section]) -> Section | None:
    """Return the matrix of most scores, average precision among equals; a grid only for want of others."""

    def weight(matrix: StudiedMatrix) -> tuple[bool, int, bool]:
        n_scores = matrix.n_systems * matrix.n_topics
        return not queries.is_grid(matrix.runs), n_scores, queries.is_deep(matrix.measure)

    return max(sections, key=lambda section: weight(section["matrix"]), default=None)


def _section(number: int, matrix: StudiedMatrix, findings: CollectionResolution) -> Section:
    disjoint, replacement = findings.designs
    return {
        "anchor": f"matrix-{number}",
        "matrix": matrix,
        "disjoint": disjoint,
        "replacement": replacement,
        "sizes": draw_sizes(findings, f"sizes-{number}"),
        "differences": draw_differences(findings, f"differences-{number}"),
        "profiles": draw_profiles(findings, f"profiles-{number}"),
        "lowest": (min(disjoint.profile), min(replacement.profile)),
        "significant_pairs": [pair for pair in findings.significant_pairs if pair.n_pairs],
        "by_size": _by_size(disjoint, replacement),
        "by_difference": _seen(disjoint.by_difference, replacement.by_difference),
        "by_relative_difference": _seen(disjoint.by_relative_difference, replacement.by_relative_difference),
        "by_pvalue": list(zip(disjoint.by_pvalue, replacement.by_pvalue, strict=True)),
    }


def _by_size(disjoint: DesignRates, replacement: DesignRates) -> list[tuple[int, list[ErrorRate | None]]]:
    """Return by size the rates of all pairs and of significant ones, by design; None where nothing was compared."""
    curves = [
        {rate.n_topics: rate for rate in rates}
        for design in (disjoint, replacement)
        for rates in (design.every, design.significant)
    ]
    return [(size, [curve.get(size) for curve in curves]) for size in sorted(set().union(*curves))]


def _seen(disjoint: Sequence[ClassRate], replacement: Sequence[ClassRate]) -> list[tuple[ClassRate, ClassRate]]:
    """Return the classes in which anything was compared, by design."""
    return [pair for pair in zip(disjoint, replacement, strict=True) if sum(rates.n_compared for rates in pair)]


def draw_thresholds(matrix: StudiedMatrix, resolution: CollectionResolution, decimals: int) -> Chart:
    """Draw the rates by difference that the page begins with, and mark the differences that tests ask for."""
    detectable = matrix.detectable
    on = f", {matrix.n_topics:,} topics" if detectable and detectable.n_topics != matrix.n_topics else ""
    tests = ((resolution.significant, "one planned test"), (resolution.significant_in_family, "all pairs compared"))
    return draw_differences(resolution, "thresholds", [(at, f"{at:.{decimals}f} {test}{on}") for at, test in tests])


_DIFFERENCE = "difference of the means on the first set"
_NAMES = {"disjoint": "disjoint", "replacement": "replaced"}


def draw_sizes(resolution: CollectionResolution, name: str) -> Chart:
    """Draw rates by number of topics: of all pairs, and of significant ones."""
    lines = []
    for design in resolution.designs:
        every, significant = (
            [(rate.n_topics, rate.estimate) for rate in rates] for rates in (design.every, design.significant)
        )
        sets = _NAMES[design.design]
        lines += [_line(f"all, {sets}", every, design), _line(f"significant, {sets}", significant, design, "other")]
    return _draw(lines, "topics in a set", name, low=0.0)


def draw_differences(resolution: CollectionResolution, name: str, marks: Sequence[tuple[float, str]] = ()) -> Chart:
    """Draw rates by the difference on the first set, at the middles of classes; with marks at differences."""
    lines = [_line(_NAMES[design.design], _middles(design), design) for design in resolution.designs]
    return _draw(lines, _DIFFERENCE, name, low=0.0, marks=marks)


def draw_profiles(resolution: CollectionResolution, name: str) -> Chart:
    """Draw rates by how much a pair differed, among its own splits."""
    lines = [_line(_NAMES[design.design], enumerate(design.profile, start=1), design) for design in resolution.designs]
    return _draw(lines, "tenth of the trials, by the difference on the first set", name, low=1.0)


def _middles(design: DesignRates) -> list[tuple[float, float | None]]:
    return [
        ((middle.low + middle.high) / 2, middle.rate)
        for middle in design.by_difference
        if middle.high is not None and middle.n_compared >= queries.LEAST_COMPARED
    ]


def _line(
    name: str, points: Iterable[tuple[float, float | None]], design: DesignRates, style: Style = "measured"
) -> Series:
    known = [(x, 100 * y) for x, y in points if y is not None]
    return series(
        name, [x for x, _ in known], [y for _, y in known], mark="curve", style=style,
        is_highlighted=style == "measured", is_dashed=design.design == "replacement",
    )  # fmt: skip


def _draw(
    lines: Sequence[Series], across: str, name: str, *, low: float, marks: Sequence[tuple[float, str]] = ()
) -> Chart:
    shown = tuple(line for line in lines if line.x)
    xs = [*(x for line in shown for x in line.x), *(1.1 * at for at, _ in marks)]
    ys = [y for line in shown for y in line.y if y is not None]
    x = Axis(label=across, low=low, high=max(xs, default=1.0))
    y = Axis(label="reversed, %", low=0.0, high=max(5.0, 1.05 * max(ys, default=0.0)))
    rules = tuple(Rule(name=words, at=at, axis="x", is_dashed=False) for at, words in marks)
    return draw(Panel(data=across, series=shown, rules=rules), x, y, name=name, text=f"Reversed orders by {across}")


def _laid_out(collection: Collection, document: ResolutionDocument) -> dict[str, Any]:
    numbered = enumerate(document.matrices, start=1)
    sections = [_section(number, matrix, matrix.findings) for number, matrix in numbered if matrix.findings]
    lead = lead_of(sections)
    context: dict[str, Any] = {
        "collection": collection,
        "sections": sections,
        "lead": lead,
        "without": [matrix for matrix in document.matrices if matrix.findings is None],
    }
    if lead:
        # One decimal less than scores have: a threshold for planning is no score.
        decimals = max(1, lead["matrix"].decimals - 1)
        thresholds = draw_thresholds(lead["matrix"], lead["matrix"].findings, decimals)
        context |= {"told_decimals": decimals, "thresholds": thresholds}
    return context


def _awaited(collection: Collection, document: ResolutionDocument) -> list[tuple[str, dict[str, Any]]]:
    states = {matrix.state for matrix in document.matrices}
    return [(STUDY_COLLECTION, {"collection_id": collection.pk})] if "waiting" in states else []


RESOLUTION = collection_page(
    template="tools/resolution/collection_resolution.html",
    meaning="How much a collection can resolve: swap rates, resolvable differences, topics needed; by slug or alias.",
    document=ResolutionDocument,
    version=queries.resolution_version,
    describe=lambda collection, form: resolution_document(collection),
    lay_out=lambda collection, document, form: _laid_out(collection, document),
    awaits=_awaited,
)
