"""Static files that no folder has: the style sheet made of its components, and Plotly's script from its package.

And how all of them are packed when they are collected.
"""

import builtins
import os
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, overload

import brotli
from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import FileSystemStorage
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage


class OneFileFinder(BaseFinder):
    """Finds a single file, ``name``, in the folder of ``storage``."""

    name: str
    storage: FileSystemStorage

    def prepare(self) -> None:
        """Bring the file up to date, before it is read."""

    def check(self, **kwargs: Any) -> builtins.list[Any]:
        return []

    @overload
    def find(self, path: str, find_all: Literal[False] = ...) -> str | None: ...
    @overload
    def find(self, path: str, find_all: Literal[True]) -> builtins.list[str]: ...
    def find(self, path: str, find_all: bool = False) -> str | builtins.list[str] | None:
        if path != self.name:
            return [] if find_all else None
        self.prepare()
        file = self.storage.path(self.name)
        return [file] if find_all else file

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterable[tuple[str, FileSystemStorage]]:
        self.prepare()
        yield self.name, self.storage


class PlotlyFinder(OneFileFinder):
    """Finds ``plotly.min.js`` in the installed package, so that pages and figures have one version.

    The package is located, not imported: importing it takes a second that no web process should pay.
    """

    name = "plotly.min.js"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        spec = find_spec("plotly")
        if spec is None or spec.origin is None:
            raise ImproperlyConfigured("plotly is not installed: pip install -r requirements.txt")
        self.storage = FileSystemStorage(location=Path(spec.origin).parent / "package_data")
        super().__init__(*args, **kwargs)


class SheetFinder(OneFileFinder):
    """Makes ``css/site.css`` of the component sheets, so that pages ask for one file.

    It stands below the home of the site and is written only when a component changed.
    """

    name = "css/site.css"
    #: In the order of the cascade; plotly.css is none of them, because Plotly looks for it by its id.
    components = (
        *("tokens", "base", "layout", "table", "facts", "figure", "model-page", "forms", "stacked-form"),
        *("submissions", "account", "prose", "moderation", "print"),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.storage = FileSystemStorage(
            location=settings.HOME / "made", file_permissions_mode=0o600, directory_permissions_mode=0o700
        )
        super().__init__(*args, **kwargs)

    def prepare(self) -> None:
        folder = settings.BASE_DIR / "static" / "css"
        sheet = "\n".join((folder / f"{name}.css").read_text(encoding="utf-8") for name in self.components)
        file = Path(self.storage.path(self.name))
        if not file.exists() or file.read_text(encoding="utf-8") != sheet:
            for missing in (file.parents[1], file.parent):
                missing.mkdir(mode=0o700, exist_ok=True)
            written = file.with_suffix(f".{os.getpid()}")
            written.write_text(sheet, encoding="utf-8")
            written.replace(file)


class _Compressor(Compressor):
    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        return bytes(brotli.compress(data, quality=9))


class PackedStorage(CompressedManifestStaticFilesStorage):
    """Static files with gzip and Brotli beside what pages name: each file by the name that has its digest.

    Brotli stays short of its highest level, which is 20 times slower.
    """

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        yield from super().compress_files(set(paths) & set(self.hashed_files.values()))

    def create_compressor(self, **options: Any) -> Compressor:
        return _Compressor(**options)
