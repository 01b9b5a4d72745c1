"""Which runs or columns are executions of one system, by their names."""

import re
from collections.abc import Iterable

#: What an execution may be called behind the name of its system: A.1, A_seed3, A-run2, A (4).
_EXECUTION = re.compile(r"(?P<system>.+?)[\s.,_-]*(?:seed|run|exec|execution|fold|sample)?[\s._-]*\(?[0-9]+\)?", re.I)


def proposed_systems(names: Iterable[str]) -> dict[str, list[str]]:
    """Return the names by the system whose executions they seem to be; one that seems alone stands for itself.

    >>> proposed_systems(["A.1", "A.2", "B_seed1", "B_seed2", "BM25"])
    {'A': ['A.1', 'A.2'], 'B': ['B_seed1', 'B_seed2'], 'BM25': ['BM25']}
    """
    alike: dict[str, list[str]] = {}
    for name in names:
        match = _EXECUTION.fullmatch(name)
        alike.setdefault(match["system"] if match else name, []).append(name)
    return {(system if len(found) > 1 else found[0]): found for system, found in alike.items()}
