"""Which functions of the project are entered, by room: an app of the site, or a package of the statistics."""

import importlib
import pkgutil
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

ROOT = Path(__file__).parents[2]
#: Of these every file is a room with those beside it; what stands in the folder itself is shared by all of them.
HOUSES = ("registry", "analysis")

Rooms = dict[str, set[tuple[str, str]]]


def room_of(file: str) -> str:
    """The room of a file, as ``results`` or ``analysis.best``; blank outside of the project, and for what all share."""
    path = Path(file)
    if not path.is_relative_to(ROOT):
        return ""
    house, *inside = path.relative_to(ROOT).parts
    if house not in HOUSES or len(inside) < 2:
        return ""
    return inside[0] if house == "registry" else f"{house}.{inside[0]}"


def import_everything() -> None:
    """What is run while files are read for the first time belongs to no walk."""
    for house in HOUSES:
        for found in pkgutil.walk_packages([str(ROOT / house)], f"{house}."):
            if not {"__main__", "migrations"} & set(found.name.split(".")) and found.name != "registry.rsgi":
                importlib.import_module(found.name)


@contextmanager
def entered() -> Iterator[Rooms]:
    """Meanwhile, the functions that are entered: their files and names, by room."""
    rooms: Rooms = defaultdict(set)
    known: dict[CodeType, str] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code not in known:
            known[code] = room_of(code.co_filename)
            if known[code] and not code.co_name.startswith("<"):
                rooms[known[code]].add((code.co_filename, code.co_qualname))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield rooms
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
