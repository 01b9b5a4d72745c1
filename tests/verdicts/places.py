"""What nine places say of one verdict, field by field: any two that differ contradict each other.

Headline, sentence, numbers, figure (page, file, card), table, feed, API, snapshot and citation are read as a reader
reads them: counts and names out of their words, dots out of what is drawn.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from html import unescape

import msgspec

from registry.core.templatetags.formatting import score
from registry.leaderboards.documents.suite_shapes import Analysed
from registry.leaderboards.documents.suites import any_snapshot_document
from registry.leaderboards.drawings.plumb_line import plumb_line
from registry.leaderboards.exports.citing import CITATIONS
from registry.leaderboards.exports.metadata import leaderboard_events, suite_events
from registry.leaderboards.exports.pictures import card_svg, figure_svg
from registry.leaderboards.models import Snapshot
from registry.leaderboards.wording import facts

_TIED = re.compile(r"(?:(\d+) of|\ball) (?:all )?(\d+) [^.;]*?(?:tie for first|are statistically tied|could lead)")
_ALONE = re.compile(
    r"(?:\), |, )(?P<leader>[^;]+?)(?:, a reference run,)? leads alone(?: \(\d+%\))? among (?:all )?(\d+)"
)
_EXCLUDED = re.compile(r"(-?[\d.]+), is excluded: needs evidence")
_LEADER = re.compile(
    r"(?P<leader>\S.*?) (?:has|shares) the best (?P<kind>[a-z -]+?), (?P<value>-?\d[\d.]*\d)"
    r"(?: \((?P<adjusted>[^()]+) adjusted for luck\)| \(adjusted for luck: (?P<between>[^()]+)\))?\.$"
)
_BEST_NOTE = re.compile(r"^Best [a-z, -]*?(-?\d[\d.]*)$")
_VALUE_NOTE = re.compile(r"^adjusted for luck (.+)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What one place says; None where it does not speak of it."""

    view: str | None = None
    members: int | None = None
    n: int | None = None
    leader: str | None = None
    value: str | None = None
    adjusted: str | None = None
    excluded: str | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """A field of which two places say different things."""

    field: str
    place: str
    printed: object
    other_place: str
    other_printed: object

    def __str__(self) -> str:
        return f"{self.field}: {self.place} {self.printed!r}, {self.other_place} {self.other_printed!r}"


def differences(document: Analysed, snapshot: Snapshot) -> list[Difference]:
    """Return where two of the nine places that show a verdict say different things of it; none where all agree."""
    by_place = dict(_places(document, snapshot))
    differences = []
    for field in fields(Said):
        known = [(place, getattr(what, field.name)) for place, what in by_place.items()]
        known = [(place, value) for place, value in known if value is not None]
        differences += [Difference(field.name, *known[0], *other) for other in known[1:] if other[1] != known[0][1]]
    return differences


def _places(document: Analysed, snapshot: Snapshot) -> Iterator[tuple[str, Said]]:
    verdict = document.verdict
    assert verdict is not None
    yield "headline", _read(verdict.headline)
    yield "sentence", _read(verdict.sentence)
    yield "numbers", _numbers(document)
    if chart := plumb_line(document, (), document.row):
        yield "figure on the page", _figure(chart.text, [word.text for word in chart.scenes[0].words], chart.plotly)
        for name, svg in (("figure as a file", figure_svg(document, document)), ("card", card_svg(document, document))):
            yield name, _figure("", _texts(svg), "")
            yield f"claim of the {name}", _read(" ".join(_texts(svg)))
    yield "table", _table(document)
    events = leaderboard_events if snapshot.leaderboard else suite_events
    yield (
        "feed",
        _read(
            next(event.title for event in events(snapshot.leaderboard or snapshot.suite) if snapshot.pk in event.path)
        ),
    )
    yield "API", _api(msgspec.to_builtins(document.verdict), document.measure["decimals"])
    yield "snapshot", _api(msgspec.to_builtins(any_snapshot_document(snapshot).verdict), document.measure["decimals"])
    yield "citation", _citation(document)


def _plain(text: str) -> str:
    return re.sub(r"[\u202f\u00a0]", "", text).replace("−", "-")


def _read(text: str, view: str | None = None) -> Said:
    """Return the fields of a claim in words."""
    text = _plain(text)
    if tied := _TIED.search(text):
        n = int(tied[2])
        reading = Said(members=int(tied[1] or n), n=n)
    elif alone := _ALONE.search(text):
        reading = Said(members=1, n=int(alone[2]))
    else:
        reading = Said()
    if excluded := _EXCLUDED.search(text):
        reading = replace(reading, excluded=excluded[1])
    return replace(reading, view=view or _view(text))


def _view(text: str) -> str:
    mean = re.search(r"has the best (?:ranked )?(zero-shot )?mean(?: trained on some)?", text)
    if mean:
        return "declared-none" if mean[1] else "trained-here" if "trained on some" in mean[0] else "all"
    if re.search(r" zero-shot (?:systems?|results?)\b", text):
        return "declared-none"
    return "trained-here" if re.search(r"\d (?:systems?|results?) trained on it", text) else "all"


def _numbers(document: Analysed) -> Said:
    assert document.verdict is not None
    best, value, tied = facts(document, document.verdict, document.results)
    has_set, has_value = document.verdict.shown.set is not None, document.verdict.shown.corrected is not None
    name, leader = best.name.lower(), document.verdict.leader
    return Said(
        view="declared-none" if "zero-shot" in name else "trained-here" if "trained" in name else "all",
        members=int(_plain(tied.value)) if has_set else None,
        n=int(_plain(tied.beside).split()[-1]) if has_set else None,
        leader=leader if re.match(rf"{re.escape(leader)}(?:$|, | and | \(with)", best.meaning) else best.meaning,
        value=_plain(best.value),
        adjusted=_plain(f"{value.value} {value.beside}".strip()) if has_value else None,
    )


def _texts(svg: str) -> list[str]:
    return [unescape(text) for text in re.findall(r"<(?:text|tspan)[^>]*>([^<]+)<", svg)]


def _figure(text: str, words: Iterable[str], plotly: str) -> Said:
    reading = _read(text) if text else Said()
    for word in map(_plain, words):
        if best := _BEST_NOTE.match(word):
            reading = replace(reading, value=best[1])
        if value := _VALUE_NOTE.match(word):
            reading = replace(reading, adjusted=re.sub(r"(?<=\d)±", " ± ", value[1]))
    if plotly and reading.members is not None:
        traces = [
            trace
            for trace in json.loads(plotly)["data"]
            if "is-highlighted" in str(trace.get("meta")) and trace.get("text")
        ]
        reading = replace(reading, members=sum(len(trace["x"]) for trace in traces))
    return reading


def _table(document: Analysed) -> Said:
    assert document.verdict is not None
    leader = next(row for row in document.results if row.id == document.verdict.shown.result)
    judged = [row for row in document.results if row.may_be_best is not None and not row.is_held_back]
    value = getattr(leader, "mean", None)
    return Said(
        members=sum(bool(row.may_be_best) for row in judged) if judged else None,
        n=len(judged) if judged else None,
        leader=re.sub(r"^[\w.-]+/(?=[\w.-]+(?: ?\([^)]*\))?$)", "", leader.system),
        value=_plain(score(leader.value if value is None else value, document.measure["decimals"])),
    )


def _api(verdict: dict, decimals: int) -> Said:
    shown = verdict["best_unflagged"] or verdict
    corrected, best_set = shown["corrected"], shown["set"]
    is_beside = verdict["best_unflagged"] and verdict["best_unflagged"]["result"] != verdict["best"]["result"]
    best = verdict["best_unflagged"] or verdict["best"]
    return Said(
        view=verdict["view"],
        members=best_set["n_members"] if best_set else None,
        n=verdict["n_ranked"] if best_set else None,
        leader=verdict["leader"],
        value=f"{best['value']:.{decimals}f}",
        adjusted=_adjusted(corrected) if corrected else None,
        excluded=f"{verdict['best']['value']:.{decimals}f}" if is_beside else None,
    )


def _adjusted(corrected: dict) -> str:
    digits = corrected["decimals"]
    if corrected["value"] is None:
        return f"between {corrected['low']:.{digits}f} and {corrected['high']:.{digits}f}"
    return f"{corrected['value']:.{digits}f} ± {corrected['half_width']:.{digits}f}"


def _citation(document: Analysed) -> Said:
    """Return what the entry for reference managers notes: the sentence, then who leads."""
    assert document.verdict is not None
    note = CITATIONS["ris"].write(document, "https://example.org").partition("\nN1")[2].partition("\n")[0]
    _, sentence, leader = note.partition(document.verdict.sentence)
    reading = _read(sentence, view=_view(leader) if " mean" in leader else None)
    if match := _LEADER.search(_plain(leader.strip())):
        adjusted = match["adjusted"] or match["between"]
        reading = replace(reading, leader=match["leader"], value=match["value"], adjusted=adjusted)
    return reading
