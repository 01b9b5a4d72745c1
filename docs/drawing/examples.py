"""What the worked example of a method page computes, so that its picture shows the same numbers."""

import contextlib
import doctest
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docs.drawing.chart import Chart

ROOT = Path(__file__).resolve().parents[2]
METHODS = ROOT / "docs" / "methods"
IMAGES = ROOT / "docs" / "images" / "methods"
PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)

#: The names that the code of a page leaves behind.
Example = dict[str, Any]
Draw = Callable[[Example], Chart]

#: What draws the picture of a page, by the page's name.
PICTURES: dict[str, Draw] = {}


def picture(draw: Draw) -> Draw:
    """Let a function draw the picture of the page that it is named after."""
    PICTURES[draw.__name__.replace("_", "-")] = draw
    return draw


def run_example(name: str) -> Example:
    """Run the code of a page from the top of the repository, as its test does; what it prints is dropped."""
    code = "\n".join(PYTHON_BLOCK.findall((METHODS / f"{name}.md").read_text(encoding="utf-8")))
    names: Example = {"__name__": name}
    with contextlib.chdir(ROOT), contextlib.redirect_stdout(io.StringIO()):
        for example in doctest.DocTestParser().get_examples(code):
            exec(compile(example.source, f"{name}.md", "exec"), names)
    return names


def draw(name: str) -> str:
    """The picture of a page, as SVG."""
    return PICTURES[name](run_example(name)).svg()


#: What runs are called in a picture, longest part first.
_SHORT = {
    "rank_llm ": "",
    "SPLADE_P_P_ENSEMBLE_DISTIL": "SPLADE++",
    "D_BERT_KD_TASB": "TAS-B",
    "OPEN_AI_ADA2": "Ada-002",
    "REP_LLAMA": "RepLLaMA",
    "BM25_RM3": "BM25/RM3",
    "+RankVicuna7B": " + Vicuna",
}


def short(system: str) -> str:
    """The name of a run, without what all of them share."""
    for part, word in _SHORT.items():
        system = system.replace(part, word)
    return system
