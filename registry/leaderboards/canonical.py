"""The one text that stands for what was found, and the id that is made of it."""

import hashlib
import json
from typing import Any

import numpy as np


def rounded(value: Any) -> Any:
    """The same with every float at ten significant digits, so that another processor's last bit makes no new result."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(item) for item in value]
    if isinstance(value, (float, np.floating)):
        return float(f"{float(value):.10g}")
    if isinstance(value, np.integer):
        return int(value)
    return value


def canonical(content: dict[str, Any]) -> str:
    """Canonical JSON: sorted keys, no blanks, no NaN."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def snapshot_id(text: str) -> str:
    """The id of a snapshot with this canonical content."""
    return hashlib.sha256(text.encode()).hexdigest()[:20]
