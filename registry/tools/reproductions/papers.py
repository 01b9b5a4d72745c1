"""Papers computed again, each kept in a file that ships, which ``manage.py reproduce_papers`` writes."""

from functools import cache
from pathlib import Path

import msgspec

from analysis.papers.paper import SLUGS, Reproduction

_FOUND = Path(__file__).with_name("found")


@cache
def reproductions() -> dict[str, Reproduction]:
    """Return what was found of each paper, by its name in the address."""
    files = {slug: _FOUND / f"{slug}.json" for slug in SLUGS}
    return {
        slug: msgspec.json.decode(path.read_bytes(), type=Reproduction) for slug, path in files.items() if path.exists()
    }


def write_reproduction(found: Reproduction) -> None:
    """Keep what was found in the file that ships."""
    (_FOUND / f"{found.slug}.json").write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
