"""A paper of six tables: reviewed against a dump, and submitted as drafts. On a site with the papers of Robust04.

An answer is what is asked at the terminal; which rows are whose is one page a draft. A call is one that docs/client.md
shows, of the site or of the command.
"""

import contextlib
import io
import os
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from plumbline.__main__ import main
from tests.benchmarks.table import BenchmarkRow
from tests.databases import ROOT, loaded_sqlite
from tests.registry.core.lab import Lab

MEASURES = ("MAP", "P@5", "P@10", "P@20", "nDCG@10", "nDCG@20")
_TOKEN = """
from registry.accounts.services import create_token
from tests.registry.accounts.people import make_person
print(create_token(user=make_person(), name="paper", scopes=["read", "submit"], days=1).secret)
"""
_CALL = re.compile(r"(?:plumbline|dump)\.(\w+)\(|^    plumbline (?:--\S+ \S+ )?([a-z-]+(?: [a-z-]+)?)", re.MULTILINE)


def rows() -> list[BenchmarkRow]:
    """Return three rows: the review, the drafts, the calls."""
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(Path(folder) / "site", template=loaded_sqlite())
        try:
            paper = _paper(Path(folder) / "paper")
            dump = lab.run("manage.py", "export_dump").partition(": ")[0]
            os.environ["PLUMBLINE_TOKEN"] = lab.run("manage.py", "shell", "-v0", "-c", _TOKEN).strip()
            site = f"http://127.0.0.1:{lab.start_web()}/"
            reviewed, remarks = _timed(lambda: main(["review", str(paper), "--dump", dump, "--format", "json"]))
            sent, drafts = _timed(lambda: main(["--url", site, "submit", str(paper), "--paper", "Doe (SIGIR 2026)"]))
        finally:
            lab.close()
    calls = {call or command for call, command in _CALL.findall((ROOT / "docs" / "client.md").read_text("utf-8"))}
    note = f"{remarks.count('contested')} contested, {remarks.count('unread')} unread"
    return [
        BenchmarkRow("a paper reviewed against a dump", "6 tables", reviewed, "aim", 3.0, note),
        BenchmarkRow("submitted from its folder", f"{drafts.count('say which rows')} drafts", sent, note="0 answers"),
        BenchmarkRow("calls of the client that are shown", f"{len(calls)} calls", 0.0),
    ]


def _paper(folder: Path) -> Path:
    """Write six tables of 20 systems in files of their own."""
    folder.mkdir()
    inputs = "".join(rf"\input{{table{n}}}" for n in range(len(MEASURES)))
    (folder / "main.tex").write_text(r"\newcommand{\ours}{DeepPlumb (ours)}" + inputs)
    for n, measure in enumerate(MEASURES):
        lines = [rf"System {row} & .{250 + 3 * row} \\" for row in range(19)]
        table = ["\\begin{tabular}{lc}", rf"Model & Robust04 {measure} \\ \midrule", *lines, r"\ours & .391 \\"]
        (folder / f"table{n}.tex").write_text("\n".join([*table, "\\end{tabular}"]))
    return folder


def _timed(act: Callable[[], object]) -> tuple[float, str]:
    output = io.StringIO()
    started = time.perf_counter()
    with contextlib.redirect_stdout(output):
        act()
    return time.perf_counter() - started, output.getvalue()
