"""Scores of one system on the same topics that cannot stand beside each other, by the names of their measures."""

import re
from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise

#: Both may be rounded to three digits.
_ROUNDING = 0.003
_AT_DEPTH = re.compile(r"(ndcg|map|ap|mrr|rr|recall|r|precision|p)(?:_at_|_cut_|@|_)(\d+)", re.IGNORECASE)
_CALLED = {"ndcg": "nDCG", "map": "AP", "mrr": "RR", "recall": "R", "precision": "P"}


def doubt(scores: Mapping[str, float], *, of: str = "file") -> dict[str, str]:
    """Return the cells that say in a row what is wrong with the scores of its system; none where nothing is.

    Where they are impossible, none of them may compete; RR@1 that is not P@1 is only noted. ``of`` is what they stand
    in.

    >>> doubt({"P@1": 0.21, "ndcg_at_1": 0.27})
    {'comparability': 'doubtful', 'notes': 'impossible in its file: nDCG@1 (0.27) is above P@1 (0.21)'}
    >>> doubt({"P@1": 0.21, "mrr_at_1": 0.27}, of="table")
    {'notes': 'RR@1 (0.27) is not P@1 (0.21) in its table'}
    """
    at = _by_depth(scores)
    if wrong := _impossible(at):
        return {"comparability": "doubtful", "notes": f"impossible in its {of}: {', '.join(wrong)}"}
    first, hits = at["RR"].get(1), at["P"].get(1)
    if first is None or hits is None or abs(first - hits) <= _ROUNDING:
        return {}
    return {"notes": f"RR@1 ({first}) is not P@1 ({hits}) in its {of}"}


def _by_depth(scores: Mapping[str, float]) -> Mapping[str, dict[int, float]]:
    """Return scores by measure and depth; measures without a depth are passed over."""
    at: dict[str, dict[int, float]] = defaultdict(dict)
    for name, score in scores.items():
        if match := _AT_DEPTH.fullmatch(name):
            kind = match[1].lower()
            at[_CALLED.get(kind, kind.upper())][int(match[2])] = score
    return at


def _impossible(at: Mapping[str, dict[int, float]]) -> list[str]:
    """Return what is impossible in scores between 0 and 1."""
    above = [(name, at[name].get(1), 1, "P", at["P"].get(1)) for name in ("nDCG", "AP", "R")]
    above += [("AP", score, depth, "R", at["R"].get(depth)) for depth, score in at["AP"].items()]
    faults = [
        f"{name}@{depth} ({score}) is above {other}@{depth} ({limit})"
        for name, score, depth, other, limit in above
        if score is not None and limit is not None and score > limit + _ROUNDING
    ]
    for name in ("R", "AP", "RR", "P"):
        for low, high in pairwise(sorted(at[name])):
            # So many relevant documents more cannot be so many fewer.
            before, after = (at[name][depth] * (depth if name == "P" else 1) for depth in (low, high))
            if after < before - _ROUNDING * (high if name == "P" else 1):
                faults.append(f"{name}@{high} ({at[name][high]}) is too low beside {name}@{low} ({at[name][low]})")
    return faults
