"""Real data that lies beside the checkout and is not part of it; tests that need it skip where it is absent."""

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared" / "data"


def shared_file(relative: str) -> Path:
    """Path of a file of the shared data, for example ``published/robust04_papers.csv``; skips where it is absent."""
    path = SHARED / relative
    if not path.is_file():
        pytest.skip(f"needs the shared data file {relative}")
    return path
