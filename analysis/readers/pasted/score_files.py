"""Reading the files in which programs keep scores: JSON of BEIR and MTEB, and the YAML of models on Hugging Face."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.readers.columns import find_measure
from analysis.readers.grids import Aside, Flaw, Grid, numbered_lines
from analysis.readers.names import Names
from analysis.readers.structured import Number, block_of, read_json, read_yaml, text_of
from analysis.readers.text import shorten

JSON = "JSON of tools"
YAML = "YAML of Hugging Face"

_JSON = re.compile(r"""\s*(?:\(\s*)?[\[{]\s*["'{\[]|\s*\{[A-Za-z][^{}"':]*:\s*[0-9.]""")
#: Keys as ir_measures prints those of its dictionaries.
_BARE_KEY = re.compile(r"([{,]\s*)([A-Za-z][^{}\[\]\"':]{0,80}?)\s*:(?=\s*[0-9.])")
#: Python takes one behind the last member.
_LAST_COMMA = re.compile(r",(?=\s*[}\]]\s*(?:[,}\])]|$))")
_OF_MODELS = re.compile(r"^(?:-[ ]+dataset[ ]*:|model-index[ ]*:)", re.MULTILINE)
_FRONT_MATTER = re.compile(r"\s*---[ \t]*\n(.*?)^---[ \t]*$", re.DOTALL | re.MULTILINE)
_MTEB_NAMES = ("task_name", "mteb_dataset_name")
_DEFAULT = frozenset({"", "default"})
_TEST = "test"
#: In an object for each; of more they are topics.
_MOST_SYSTEMS = 40
_HEADER = ("system", "collection", "measure", "value", "date", "paper_url", "source", "notes")

Cells = dict[str, str]


def is_json(text: str) -> bool:
    """Say whether the text begins as JSON does."""
    return bool(_JSON.match(text))


def is_yaml_of_scores(text: str) -> bool:
    """Say whether it is YAML with the scores of a model: ``.eval_results``, or the head of a model card.

    >>> is_yaml_of_scores("- dataset:\\n    id: BeIR/scifact\\n  value: 0.74\\n"), is_yaml_of_scores("| MAP |")
    (True, False)
    """
    return bool(_OF_MODELS.search(text))


def read_json_scores(text: str, names: Names) -> Grid:
    """Return what BEIR or ir_measures returns (scores by measure, or several such), also as Python prints it; what MTEB
    writes of a task; a saved report of ranx; a table of Papers with Code.

    Raises a Flaw where it is neither.
    """
    document = read_json(_as_json(text))
    grid = Grid(JSON)
    if isinstance(document, dict) and "model_names" in document:
        return _filled(grid, _of_report(grid, document, names))
    if isinstance(document, list) and all("datasets" in mapping for mapping in _mappings(document)) and document:
        return _filled(grid, _of_papers_with_code(document, names))
    if isinstance(document, dict) and any(key in document for key in _MTEB_NAMES):
        return _filled(grid, _of_task(grid, document, names))
    if isinstance(document, dict) and document and all(_holds_scores(part, names) for part in document.values()):
        return _of_each(grid, document, names)
    parts = document if isinstance(document, list) else [document]
    if not parts or not all(_holds_scores(part, names) for part in parts):
        message = (
            "is JSON of another shape. Read are scores by measure, as BEIR returns them, the files of MTEB, ranx and "
            'Papers with Code, and results of this registry: {"results": [{"collection": …}, …]}'
        )
        raise Flaw("shape", message, 1, fatal=True)
    return _filled(grid, (cells for part in parts for cells in _by_measure(grid, part, names)))


def _as_json(text: str) -> str:
    """Return what Python prints of dictionaries as JSON; lines stay where they are."""
    bare = text.strip()
    text = f"[{bare[1:-1]}]" if bare.startswith("(") and bare.endswith(")") else text
    text = _LAST_COMMA.sub("", text if '"' in text else text.replace("'", '"'))
    return _BARE_KEY.sub(r'\1"\2":', text)


def read_yaml_scores(text: str, names: Names) -> Grid:
    """Return the entries of a file in ``.eval_results``, or of ``model-index`` at the head of a model card.

    Raises a Flaw where it is neither.
    """
    head = _FRONT_MATTER.match(text)
    document = read_yaml(head[1] if head else text)
    grid = Grid(YAML)
    below = text[head.end() :].strip() if head else ""
    if head and below:
        line = text.count("\n", 0, head.end()) + 2
        grid.asides.append(Aside(line, 0, shorten(below), "below the head of the card; paste its tables by themselves"))
    if isinstance(document, list):
        begun = [line for line, content in numbered_lines(text) if content.startswith("- ")]
        return _filled(grid, _of_entries(grid, document, names), begun)
    if isinstance(document, dict) and isinstance(document.get("model-index"), list):
        return _filled(grid, _of_card(document["model-index"], names))
    raise Flaw("shape", "is YAML of another shape: neither a list of results nor a model-index", 1, fatal=True)


def _filled(grid: Grid, rows: Iterator[Cells], begun: Sequence[int] = ()) -> Grid:
    """Return the grid with these rows, in the columns that any of them fills; ``begun`` are their lines."""
    entries = list(rows)
    if not entries:
        raise Flaw("empty", "there are no scores in it", 1, fatal=True)
    columns = [name for name in _HEADER if name in ("measure", "value") or any(cells.get(name) for cells in entries)]
    grid.add(1, columns)
    for place, cells in enumerate(entries):
        line = begun[place] if len(begun) == len(entries) else place + 1
        grid.add(line, [cells.get(name, "") for name in columns])
    return grid


def _holds_scores(part: Any, names: Names) -> bool:
    numbers = [key for key, value in part.items() if isinstance(value, Number)] if isinstance(part, dict) else []
    return len(numbers) == len(part) and any(find_measure(key, names) for key in numbers)


def _of_each(grid: Grid, document: Mapping[str, Mapping[str, str]], names: Names) -> Grid:
    """Return the grid with a row for each topic, as pytrec_eval returns them, or each collection, or system."""
    measures = list(dict.fromkeys(key for part in document.values() for key in part))
    known = [key for key in measures if find_measure(key, names)]
    are_topics = len(document) > _MOST_SYSTEMS or all(map(str.isdigit, document))
    head = "collection" if any(map(names.has_collection, document)) else "topic" if are_topics else "system"
    grid.add(1, [head, *known])
    for line, (key, part) in enumerate(document.items(), 2):
        grid.add(line, [key, *(part.get(measure, "") for measure in known)])
    if others := [shorten(key, 40) for key in measures if key not in known]:
        grid.asides.append(Aside(1, 0, ", ".join(others), "names that are no measure known here"))
    return grid


def _by_measure(grid: Grid, part: Mapping[str, Any], names: Names) -> Iterator[Cells]:
    """Yield a row for each measure; numbers under other names are put aside."""
    others = []
    for key, value in part.items():
        if isinstance(value, Number) and find_measure(key, names):
            yield {"measure": key, "value": value}
        elif isinstance(value, Number):
            others.append(f"{shorten(key, 40)} {value}")
    if others:
        grid.asides.append(Aside(1, 0, ", ".join(others), "names that are no measure known here"))


def _of_report(grid: Grid, document: Mapping[str, Any], names: Names) -> Iterator[Cells]:
    """Yield the scores of each model in a report; what tells them apart is none."""
    models = document["model_names"] if isinstance(document["model_names"], list) else []
    for model in filter(None, map(text_of, models)):
        for cells in _by_measure(grid, block_of(block_of(document, model), "scores"), names):
            yield cells | {"system": model}


def _of_papers_with_code(tasks: Sequence[Any], names: Names) -> Iterator[Cells]:
    for dataset in (entry for task in _mappings(tasks) for entry in _mappings(task.get("datasets"))):
        for row in _mappings(block_of(dataset, "sota").get("rows")):
            cells = {
                "system": text_of(row.get("model_name")),
                "date": text_of(row.get("paper_date"))[:10],
                "paper_url": text_of(row.get("paper_url")),
                "collection": _known([text_of(dataset.get("dataset"))], names),
            }
            for measure, value in block_of(row, "metrics").items():
                yield cells | {"measure": measure, "value": text_of(value)}


def _of_task(grid: Grid, document: Mapping[str, Any], names: Names) -> Iterator[Cells]:
    """Yield the scores of an MTEB task: of its split test if there is such a split, else of each."""
    task = next(text_of(document.get(key)) for key in _MTEB_NAMES if key in document)
    scores = block_of(document, "scores") or document
    splits = {key: part for key, part in scores.items() if isinstance(part, dict | list)}
    for split, part in splits.items():
        if split != _TEST and _TEST in splits:
            grid.asides.append(Aside(1, 0, split, "another split than test"))
            continue
        for block in part if isinstance(part, list) else [part]:
            if isinstance(block, dict):
                subset = text_of(block.get("hf_subset"))
                collection = _known([task if subset in _DEFAULT else f"{task} {subset}"], names)
                note = "" if split == _TEST else f"split {split}"
                for cells in _by_measure(grid, block, names):
                    yield cells | {"collection": collection, "notes": note}


def _of_entries(grid: Grid, entries: Sequence[Any], names: Names) -> Iterator[Cells]:
    """Yield the entries of ``.eval_results``: neither the model nor the measure stands in them."""
    for number, entry in enumerate(entries, 1):
        dataset, source = (block_of(entry, name) for name in ("dataset", "source"))
        if not text_of(dataset.get("id")) or not text_of(entry.get("value")):
            raise Flaw("shape", f"entry {number} has no dataset with an id, or no value", 1, fatal=True)
        task = text_of(dataset.get("task_id"))
        notes = [text_of(entry.get("notes")), f"task {task}" if task not in _DEFAULT | {_TEST} else ""]
        yield {
            "collection": _known([text_of(dataset["id"])], names),
            "value": text_of(entry["value"]),
            "date": text_of(entry.get("date"))[:10],
            "source": ", ".join(filter(None, [text_of(source.get("name")), text_of(source.get("url"))])),
            "notes": "; ".join(filter(None, notes)),
        }
        if "verifyToken" in entry:
            grid.asides.append(Aside(1, 0, f"verifyToken of entry {number}", "not checked here"))


def _of_card(models: Sequence[Any], names: Names) -> Iterator[Cells]:
    for model in _mappings(models):
        for result in _mappings(model.get("results")):
            dataset = block_of(result, "dataset")
            collection = _known([text_of(dataset.get("name")), text_of(dataset.get("type"))], names)
            for metric in _mappings(result.get("metrics")):
                called = [text_of(metric.get(key)) for key in ("type", "name")]
                if measure := next((text for text in called if find_measure(text, names)), ""):
                    cells = {"system": text_of(model.get("name")), "collection": collection, "measure": measure}
                    yield cells | {"value": text_of(metric.get("value"))}


def _known(candidates: Sequence[str], names: Names) -> str:
    """Return the first that is the name of a collection, else the first."""
    texts = [text for text in candidates if text]
    return next((text for text in texts if names.has_collection(text)), texts[0] if texts else "")


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    return [mapping for mapping in value if isinstance(mapping, dict)] if isinstance(value, list) else []
