"""Answers that were approved lie in files below ``approved/``, words and numbers apart; here they are compared."""

import difflib
import re
from pathlib import Path

APPROVED = Path(__file__).with_name("approved")
_KINDS = ("words", "numbers")
_MOST_LINES = 60


class Approvals:
    """What was approved, and what of it was asked for; with ``rewrites`` what differs is written anew."""

    def __init__(self, *, rewrites: bool) -> None:
        self.rewrites = rewrites

    def check(self, name: str, texts: tuple[str, str]) -> str:
        """Return the differences of an answer from what was approved, as a diff; blank where there are none."""
        differences = []
        for kind, text in zip(_KINDS, texts, strict=True):
            path = APPROVED / f"{name}.{kind}.txt"
            approved = path.read_text(encoding="utf-8") if path.exists() else ""
            if approved == text:
                continue
            if self.rewrites:
                _write(path, text)
                continue
            lines = difflib.unified_diff(approved.splitlines(), text.splitlines(), str(path), "now", lineterm="", n=1)
            differences += [*lines][:_MOST_LINES]
        return "\n".join(differences)

    def unused(self, names: set[str]) -> list[Path]:
        """Return files of answers that nobody asks for any more; remove them where approvals are written anew."""
        files = [path for path in sorted(APPROVED.rglob("*.txt")) if _name_of(path) not in names]
        for path in files if self.rewrites else []:
            path.unlink()
        return [] if self.rewrites else files


def name_of(address: str, person: str) -> str:
    """Return where the approved answer to an address lies, as somebody sees it."""
    path = re.sub(r"[{}]", "", address).strip("/").replace("?", "~") or "home"
    return f"{person}/{path.replace('&', '~').replace('/', '.')}"


def _name_of(path: Path) -> str:
    return re.sub(r"\.(words|numbers)\.txt$", "", path.relative_to(APPROVED).as_posix())


def _write(path: Path, text: str) -> None:
    if not text:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
