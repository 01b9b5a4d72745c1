"""The files of dumps, or 404."""

from pathlib import Path

from django.conf import settings
from django.http import Http404

from registry.core.http import must_exist
from registry.dumps.descriptions import CROISSANT, DATA_PACKAGE
from registry.dumps.manifest import CHECKSUMS, HEADS, MANIFEST, Manifest
from registry.dumps.queries import find_dump, latest_dump

#: What stands beside the tables.
_ABOUT = (MANIFEST, CROISSANT, DATA_PACKAGE, CHECKSUMS, HEADS)


def get_latest_dump() -> Manifest:
    """The newest dump."""
    return must_exist(latest_dump(), "There is no dump yet.")


def get_dump_file(name: str, file: str) -> Path:
    """Return where a file of a dump is."""
    manifest = must_exist(find_dump(name), f"There is no dump {name}, or no longer.")
    if file not in _ABOUT and file not in manifest.by_name:
        raise Http404(f"The dump {name} has no file {file}.")
    path: Path = settings.DUMPS / name / file
    return path
