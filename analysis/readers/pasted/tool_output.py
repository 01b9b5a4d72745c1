"""Reading what trec_eval and ir_measures print: a measure a line, over all topics or for one of them."""

import re
from dataclasses import dataclass, field

from analysis.readers.columns import find_measure
from analysis.readers.grids import Aside, Flaw, Grid, numbered_lines
from analysis.readers.names import Names, measure_name
from analysis.readers.numbers import is_number
from analysis.readers.pasted.averages import aside_of_topics

FORM = "trec_eval or ir_measures"
#: The word in the place of a topic that stands for all of them.
_ALL = "all"
_RUN = "runid"
_N_TOPICS = "num_q"
#: What the script of MS MARCO calls that, the blank in what it calls a measure, MRR @10, and the sign of ColBERT.
_RANKED, _TORN, _EQUALS = "QueriesRanked:", re.compile(r" @(?=[0-9])"), re.compile(r"\s+=\s+(?=[0-9.]+$)")
#: Date, level and name of a line in a log, or what ColBERT puts there; a line that is drawn.
_LOGGED = re.compile(
    r"^\s*(?:\[[^\[\]]*\]\s*)*#>\s*(?:\[[^\[\]]*\]\s*)?"
    r"|^\s*[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:.,]+\s*(?:-\s*)?(?:\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|CRITICAL)\]?\s*)?"
    r"(?:[\w.]+:\s+|-\s*)?"
)
_DRAWN = re.compile(r"[#=\-*`\s]+")
#: Lines that show what a text is.
_SAMPLE = 200


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the output: a measure, the topic that it is of, and what is printed for it."""

    line: int
    measure: str
    topic: str
    printed: str


@dataclass
class _Run:
    """The scores that are printed of one run."""

    name: str = ""
    n_topics: str = ""
    scores: dict[str, _Line] = field(default_factory=dict)


def is_tool_output(text: str) -> bool:
    """Say whether the lines are those of trec_eval or ir_measures, with or without the line that names the run.

    What says that it is over all topics may stand below other text; a measure and a number may be a row of any table.

    >>> is_tool_output("[Dec 01, 10:23:31] #> MRR@10 = 0.36\\n[Dec 01, 10:23:31] #> Recall@50 = 0.83\\n")
    True
    >>> is_tool_output("map \\tall\\t0.2031\\n"), is_tool_output("AP\\t0.2031\\nnDCG@10\\t0.41\\n")
    (True, True)
    """
    lines = [content for _, content in numbered_lines(text[:50_000]) if content and not _DRAWN.fullmatch(content)]
    # Other lines of a log hold no score.
    lines = [content for content in lines if not _LOGGED.match(content) or _read_line(0, content)][:_SAMPLE]
    outputs = [output for content in lines if (output := _read_line(0, content))]
    is_over_all = any(output.topic == _ALL and measure_name(output.measure) for output in outputs)
    n_above = next((place for place, content in enumerate(lines) if _read_line(0, content)), 0)
    is_explicit = all(len(content.split()) == 3 for content in lines[n_above:])
    return is_over_all and (len(outputs) == len(lines) or (is_explicit and len(outputs) == len(lines) - n_above))


def read_tool_output(text: str, names: Names) -> Grid:
    """Return a row for each measure over all topics; other lines are put aside.

    Raises a Flaw where the scores of several runs stand in it and nothing says whose they are.
    """
    grid = Grid(FORM)
    runs: list[_Run] = [_Run()]
    singles: list[_Line] = []
    #: By measure, scores by topic of the run whose score over all of them comes next.
    topics: dict[str, dict[str, float]] = {}
    for line, content in numbered_lines(text):
        output = _read_line(line, content)
        if output is None:
            if content.strip() and not _DRAWN.fullmatch(content):
                grid.asides.append(Aside(line, 0, content.strip(), "no line of scores"))
        elif output.topic != _ALL:
            singles.append(output)
            if is_number(output.printed):
                topics.setdefault(output.measure, {})[output.topic] = float(output.printed)
        else:
            _take(runs, output)
            grid.topics[line] = topics.pop(output.measure, {})
    runs = [run for run in runs if run.scores]
    if len(runs) > 1 and not all(run.name for run in runs):
        message = "the scores of several runs begin here, and no line runid says whose they are; paste them one by one"
        raise Flaw("several_runs", message, min(score.line for score in runs[1].scores.values()), fatal=True)
    if singles:
        grid.asides.append(aside_of_topics(singles[0].line, [single.topic for single in singles]))
    if not runs:
        line = singles[0].line if singles else 1
        raise Flaw("no_means", "there are scores of single topics and none over all of them", line, fatal=True)
    grid.add(1, ("system", "measure", "value", "n_topics"))
    for run in runs:
        _append(grid, run, names)
    return grid


def _read_line(line: int, content: str) -> _Line | None:
    """Return what the line says, if it is one of the output; without what a log puts before it."""
    words = _EQUALS.sub(" ", _TORN.sub("@", _LOGGED.sub("", content))).split()
    if len(words) == 2 and words[0] == _RANKED and words[1].isdigit():
        return _Line(line, _N_TOPICS, _ALL, words[1])
    if len(words) == 2 and measure_name(words[0].rstrip(":")) and is_number(words[1]):
        return _Line(line, words[0].rstrip(":"), _ALL, words[1])
    if len(words) != 3:
        return None
    first, second, printed = words
    if first == _RUN:
        return _Line(line, first, second, printed)
    if not is_number(printed) or (is_number(first) and is_number(second)):
        return None
    # trec_eval prints the measure before the topic, ir_measures behind it.
    is_behind = first == _ALL or bool(measure_name(second) and not measure_name(first))
    return _Line(line, second, first, printed) if is_behind else _Line(line, first, second, printed)


def _take(runs: list[_Run], output: _Line) -> None:
    """Keep a line over all topics; a measure or name that the run has already begins another run."""
    if output.measure in runs[-1].scores or (output.measure == _RUN and (runs[-1].name or runs[-1].scores)):
        runs.append(_Run())
    if output.measure == _RUN:
        runs[-1].name = "" if is_number(output.printed) else output.printed
    elif output.measure == _N_TOPICS:
        runs[-1].n_topics = output.printed
    else:
        runs[-1].scores[output.measure] = output


def _append(grid: Grid, run: _Run, names: Names) -> None:
    unknown = []
    for output in run.scores.values():
        if find_measure(output.measure, names):
            grid.add(output.line, (run.name, output.measure, output.printed, run.n_topics))
        else:
            unknown.append(output)
    if unknown:
        listed = ", ".join(f"{output.measure} {output.printed}" for output in unknown)
        grid.asides.append(Aside(unknown[0].line, 0, listed, "counts, and measures that are not known here"))
