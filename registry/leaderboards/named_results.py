"""What the standing analyses say of results, of each snapshot no more than that: cheap for hundreds of leaderboards."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import msgspec

from analysis.boards import FORMAT
from registry.leaderboards.models import Analysis


class _Set(msgspec.Struct):
    members: frozenset[int] = frozenset()


class _Best(msgspec.Struct):
    set: _Set | None = None


class _Caution(msgspec.Struct):
    code: str
    results: tuple[int, ...] = ()
    is_flag: bool = False


class _Verdict(_Best):
    best_unflagged: _Best | None = None
    cautions: tuple[_Caution, ...] = ()

    def about(self, code: str) -> frozenset[int]:
        """Return the results that cautions of this code are about."""
        return frozenset(result for one in self.cautions if one.code == code for result in one.results)


class _Findings(msgspec.Struct):
    verdict: _Verdict


class _Row(msgspec.Struct):
    id: int


class _Inputs(msgspec.Struct):
    rows: tuple[_Row, ...] = ()


class _Kept(msgspec.Struct):
    """What is read of a snapshot of any format; the rest once it is known to be of this one."""

    format: str
    findings: msgspec.Raw
    inputs: msgspec.Raw = msgspec.Raw(b"{}")


def _read_verdicts(analyses: Iterable[tuple[int, str]]) -> Iterator[tuple[int, _Verdict, msgspec.Raw]]:
    """Yield the verdicts of leaderboards, each with the inputs of its snapshot where these are in the text."""
    for board, content in analyses:
        kept = msgspec.json.decode(content, type=_Kept)
        if kept.format == FORMAT:
            yield board, msgspec.json.decode(kept.findings, type=_Findings).verdict, kept.inputs


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
    for board, verdict, _ in _read_verdicts(analyses.values_list("leaderboard_id", "snapshot__content").iterator()):
        best = verdict.best_unflagged.set if verdict.best_unflagged else verdict.set
        found[board] = NamedResults(
            best=best.members if best else None,
            apart=verdict.about("stands-apart"),
            contradicted=verdict.about("contradicts-linked"),
        )
    return found


def flags_on(leaderboards: Iterable[int]) -> Iterator[tuple[int, str]]:
    """Yield what the standing analyses of these flag, whatever systems score elsewhere: results, each under a code."""
    for named in read_named_results(leaderboards).values():
        yield from ((result, "contradicts-linked") for result in named.contradicted)
        yield from ((result, "stands-apart") for result in named.apart)


def read_cautions() -> dict[int, tuple[tuple[str, ...], bool]]:
    """Return the codes of what is said of a result, and whether any of it holds it back, for every result that a
    standing analysis is of."""
    found: dict[int, tuple[tuple[str, ...], bool]] = {}
    analyses = Analysis.objects.filter(snapshot__isnull=False).values_list("leaderboard_id", "snapshot__content")
    for _, verdict, inputs in _read_verdicts(analyses.iterator()):
        found |= {row.id: ((), False) for row in msgspec.json.decode(inputs, type=_Inputs).rows}
        for caution in verdict.cautions:
            for result in caution.results:
                codes, is_held_back = found.get(result, ((), False))
                found[result] = (*codes, caution.code), is_held_back or caution.is_flag
    return found
