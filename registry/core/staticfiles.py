"""Serving Plotly's browser script from the pinned Python package that it comes with."""

import builtins
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, overload

from django.contrib.staticfiles.finders import BaseFinder
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import FileSystemStorage


class PlotlyFinder(BaseFinder):
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

    def check(self, **kwargs: Any) -> builtins.list[Any]:
        return []

    @overload
    def find(self, path: str, find_all: Literal[False] = ...) -> str | None: ...
    @overload
    def find(self, path: str, find_all: Literal[True]) -> builtins.list[str]: ...
    def find(self, path: str, find_all: bool = False) -> str | builtins.list[str] | None:
        found = self.storage.path(self.name) if path == self.name else None
        return ([found] if found else []) if find_all else found

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterable[tuple[str, FileSystemStorage]]:
        yield self.name, self.storage
