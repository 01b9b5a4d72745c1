"""LaTeX itself, for tests of what is written for it."""

import re
import subprocess
from pathlib import Path

_PACKAGE = re.compile(r"\\usepackage(?:\[[^]]*\])?\{[A-Za-z0-9]+\}")
_PAGES = re.compile(r"Output written on \S+ \((\d+) pages?")


def packages_of(table: str) -> list[str]:
    """The packages that the first line of an exported table says that it needs."""
    return _PACKAGE.findall(table.splitlines()[0])


def complaints_of_biber(folder: Path, bibliography: str, *options: str) -> list[str]:
    """Return what biber warns of in it."""
    file = folder / "sources.bib"
    file.write_text(bibliography)
    command = ["biber", "--tool", *options, "--output-file", "out.bib", file.name]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert f"Found BibTeX data source '{file.name}'" in done.stdout, done.stdout[-2000:]
    return re.findall(r"^(?:WARN|ERROR).*", done.stdout, re.MULTILINE)


def typeset(
    folder: Path, body: str, packages: list[str], *, bibliography: str = "", n_runs: int | None = None
) -> tuple[int, str]:
    """Return how many pages pdflatex makes of it, with these packages alone, and its log; AssertionError where it
    stops.

    Run until all is there: a list of tables from the second time on, what is cited from the third.
    """
    n_runs = n_runs or (3 if bibliography else 2)
    preamble = ["\\documentclass{article}", *packages, "\\begin{document}", "\\listoftables"]
    end = ["\\bibliographystyle{plain}\\bibliography{sources}"] if bibliography else []
    (folder / "sources.bib").write_text(bibliography)
    (folder / "paper.tex").write_text("\n".join([*preamble, body, *end, "\\end{document}", ""]))
    latex = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    for command in (latex, *([["bibtex", "paper"]] if bibliography else []), *[latex] * (n_runs - 1)):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
        assert done.returncode == 0, done.stdout[-2000:]
    pages = _PAGES.search(done.stdout.replace("\n", ""))
    return int(pages[1]) if pages else 0, (folder / "paper.log").read_text(errors="replace")
