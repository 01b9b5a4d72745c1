"""What the standing analyses say of results, of each snapshot no more than that: cheap for hundreds of leaderboards."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import msgspec

from analysis.boards import FORMAT
from registry.leaderboards.models import Analysis


class _Set(msgspec.Struct):
    members: tuple[int, ...] = ()


class _Best(msgspec.Struct):
    set: _Set | None = None


class _Caution(msgspec.Struct):
    code: str
    results: tuple[int, ...] = ()
    is_flag: bool = False


class _Verdict(_Best):
    best_unflagged: _Best | None = None
    cautions: tuple[_Caution, ...] = ()


class _Findings(msgspec.Struct):
    verdict: _Verdict


class _Kept(msgspec.Struct):
    format: str
    findings: msgspec.Raw


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedResults:
    """What the standing analysis of a leaderboard says of results: which can be the best (None without a set), as pages
    say it, which stand apart from all others, and which do not go with their system's score on a linked leaderboard."""

    best: frozenset[int] | None
    contradicted: frozenset[int]
    apart: frozenset[int] = frozenset()


def read_named_results(leaderboards: Iterable[int]) -> dict[int, NamedResults]:
    """Return what was found on each of these leaderboards that carry an analysis.

    One query, and of each snapshot nothing else is read: for pages about hundreds of leaderboards.
    """
    analyses = Analysis.objects.filter(leaderboard__in=set(leaderboards), snapshot__isnull=False)
    found = {}
    for board, content in analyses.values_list("leaderboard_id", "snapshot__content").iterator():
        # Keys are in their order: those behind the format are most of it.
        head, cut, _ = content.partition(',"inputs":')
        kept = msgspec.json.decode(f"{head}}}" if cut else content, type=_Kept)
        if kept.format == FORMAT:
            verdict = msgspec.json.decode(kept.findings, type=_Findings).verdict
            best = verdict.best_unflagged.set if verdict.best_unflagged else verdict.set
            apart, contradicted = (
                frozenset(chain(*(caution.results for caution in verdict.cautions if caution.code == code)))
                for code in ("stands-apart", "contradicts-linked")
            )
            members = frozenset(best.members) if best else None
            found[board] = NamedResults(best=members, apart=apart, contradicted=contradicted)
    return found


def flags_on(leaderboards: Iterable[int]) -> Iterator[tuple[int, str]]:
    """Yield what the standing analyses of these flag, whatever systems score elsewhere: results, each under a code."""
    for named in read_named_results(leaderboards).values():
        yield from ((result, "contradicts-linked") for result in named.contradicted)
        yield from ((result, "stands-apart") for result in named.apart)


class _Row(msgspec.Struct):
    id: int


class _Rows(msgspec.Struct):
    rows: tuple[_Row, ...]


class _KeptWithRows(msgspec.Struct):
    findings: _Findings
    inputs: _Rows


@dataclass(frozen=True, slots=True)
class Cautioned:
    """The codes of what is said of a result, and whether any of it holds it back."""

    codes: tuple[str, ...] = ()
    is_held_back: bool = False


def read_cautions() -> dict[int, Cautioned]:
    """Return what is said of a result, for every result that a standing analysis is of."""
    found: dict[int, Cautioned] = {}
    analyses = Analysis.objects.filter(snapshot__isnull=False)
    for content in analyses.values_list("snapshot__content", flat=True).iterator():
        if msgspec.json.decode(content, type=_Marked).format == FORMAT:
            kept = msgspec.json.decode(content, type=_KeptWithRows)
            found |= {row.id: Cautioned() for row in kept.inputs.rows}
            for caution in kept.findings.verdict.cautions:
                for result in caution.results:
                    so_far = found.get(result, Cautioned())
                    is_held_back = so_far.is_held_back or caution.is_flag
                    found[result] = Cautioned((*so_far.codes, caution.code), is_held_back)
    return found


class _Marked(msgspec.Struct):
    format: str = ""
