"""Review the tables of a paper against the record: which claimed gains are beyond luck."""

import json
import re
import tarfile
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from analysis.boards import BoardInputs, PairError, Snapshot, check_score, error_of_pair, planned_pairs, read_snapshot
from analysis.readers.latex.papers import Alone, inputs_of, read_alone
from analysis.readers.names import is_own, system_key
from analysis.readers.numbers import PERCENT, PrintedScore, is_number, mark_of
from analysis.readers.pasted.tables import PastedTable, guess_form, read_each
from analysis.readers.rejections import Rejection
from plumbline import desk
from plumbline.errors import AmbiguousNameError, NotFoundError, PlumblineError
from plumbline.record import Pair, Record

SUFFIXES = (".tex", ".md", ".html", ".htm", ".csv", ".tsv")
#: Kinds of findings, and how grave each is in the words of SARIF.
LEVELS = {"beyond": "note", "tied": "warning", "trails": "note", "weak": "warning", "contested": "warning",
          "excluded": "warning", "average": "note", "recorded": "note", "unknown": "note", "unread": "note",
          "open": "note"}  # fmt: skip
_ORACLE = re.compile(r"\boracles?\b", re.IGNORECASE)
#: Percent of original runs that a baseline leaves behind, below which it is weak.
_WEAK = 50

#: Takes a question, and the answers with the meaning of each; returns one of them.
Ask = Callable[[str, Sequence[tuple[str, str]]], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that the record says of a table: where, of which score, of what kind (of ``LEVELS``), in words."""

    file: str
    line: int
    table: int
    system: str = ""
    board: str = ""
    says: str
    text: str


@dataclass(slots=True)
class Author:
    """The author's word on the tables: answers to questions, own systems, cells of rows that leave them blank.

    ``own`` are systems of the author; those that call themselves so where it is empty. ``defaults`` has ``collection``,
    ``measure`` and ``unit``. ``ask`` is called for open questions, and its answers are kept here.
    """

    answers: dict[str, str] = field(default_factory=dict)
    own: list[str] = field(default_factory=list)
    defaults: Mapping[str, str] = field(default_factory=dict)
    ask: Ask | None = None

    def owns(self, system: str) -> bool:
        named = system in self.own or (is_own(system) and any(system.startswith(f"{name} (") for name in self.own))
        return named if self.own else is_own(system)


@dataclass(frozen=True, slots=True)
class _Score:
    line: int
    system: str
    score: PrintedScore
    mark: str


@dataclass(frozen=True, slots=True)
class _Table:
    """A table as it was read: findings before the record is asked, and its scores by leaderboard."""

    file: str
    number: int
    lines: range
    findings: tuple[Finding, ...]
    columns: Mapping[Pair, Sequence[_Score]]
    suggestions: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def say(self, score: _Score, pair: Pair, says: str, text: str) -> Finding:
        board = ", ".join(filter(None, pair))
        return Finding(
            file=self.file, line=score.line, table=self.number, system=score.system, board=board, says=says, text=text
        )


def texts_of(paths: Iterable[Path]) -> dict[str, Alone]:
    """Return the text of each file with tables, by name: of files, of folders and of tarballs of a paper.

    Files in LaTeX know each other's macros, and rows that a table inputs stand in it. Files that they input come with
    them.
    """
    texts: dict[str, str] = {}
    packed: dict[str, Alone] = {}
    left, folders = [], []
    for path in paths:
        if path.is_dir():
            left += sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
            folders.append(str(path))
        elif path.is_file() and tarfile.is_tarfile(path):
            packed |= {f"{path}:{name}": alone for name, alone in read_alone(_unpacked(path)).items()}
        else:
            left.append(path)
            folders.append(str(path.parent))
    for file in left:
        if str(file) not in texts:
            texts[str(file)] = desk.read_text(file)
            named = inputs_of(str(file), texts[str(file)], folders) if file.suffix == ".tex" else []
            left += [Path(name) for name in named if Path(name).is_file()]
    return read_alone(texts, folders) | packed


def has_table(file: str, text: str) -> bool:
    """Say whether a text is worth reading: of LaTeX, one that may have a table."""
    return bool(text.strip()) and not (file.endswith(".tex") and guess_form(text) != "LaTeX")


def _unpacked(path: Path) -> dict[str, str]:
    with tarfile.open(path) as packed:
        members = sorted((member for member in packed.getmembers() if member.isfile()), key=lambda member: member.name)
        texts = ((member.name, packed.extractfile(member)) for member in members if member.name.endswith(SUFFIXES))
        return {name: stream.read().decode("utf-8", "replace") for name, stream in texts if stream}


def review(
    paths: Iterable[Path],
    record: Record,
    author: Author | None = None,
    *,
    changed: Mapping[str, Sequence[range]] | None = None,
) -> list[Finding]:
    """Return what the record says of every table of these files.

    Parameters
    ----------
    paths : iterable of Path
        Files (LaTeX, Markdown, HTML, CSV), folders of them, tarballs of a paper.
    record : Record
        Of a dump, then nothing is fetched, or of a site.
    author : Author, optional
        The author's word on the tables. Default: nothing.
    changed : mapping, optional
        Lines by the absolute path of each file; tables with none of them are passed over. Default: every table.

    Raises
    ------
    PlumblineError
        If a file can't be read, or a site does not answer.
    """
    author = author or Author()
    texts = texts_of(paths).items()
    tables = [table for file, alone in texts for table in _tables_of(file, alone, record, author, changed)]
    pairs = dict.fromkeys(pair for table in tables for pair in table.columns if all(pair))
    snapshots = {
        pair: content if isinstance(content, PlumblineError) else read_snapshot(content)
        for pair, content in record.snapshots(pairs).items()
    }
    return [finding for table in tables for finding in (*table.findings, *_of_columns(table, snapshots, author))]


def _tables_of(
    file: str, alone: Alone, record: Record, author: Author, changed: Mapping[str, Sequence[range]] | None
) -> Iterator[_Table]:
    text = alone.text
    is_whole = changed is None or any(str(Path(name).resolve()) in changed for name in alone.put_in)
    lines = None if is_whole else (changed or {}).get(str(Path(file).resolve()), ())
    if lines == () or not has_table(file, text):
        return
    for number, table in enumerate(_read(text, record, author), 1):
        checked = _table(file, number, table, author)
        if lines is None or any(checked.lines.start < part.stop and part.start < checked.lines.stop for part in lines):
            yield checked


def _read(text: str, record: Record, author: Author) -> list[PastedTable | list[Rejection]]:
    """Return the tables of a text; their open questions are asked, as long as there is somebody to ask."""
    asked: set[str] = set()
    while True:
        tables = read_each(text, record, author.answers)
        questions = [question for table in tables if not isinstance(table, list) for question in table.questions]
        unasked = [question for question in questions if question.is_open and question.key not in asked]
        if not unasked or author.ask is None:
            return tables
        asked.add(unasked[0].key)
        if answer := author.ask(unasked[0].text, unasked[0].choices):
            author.answers[unasked[0].key] = answer


def _table(file: str, number: int, table: PastedTable | list[Rejection], author: Author) -> _Table:
    if isinstance(table, list):
        line = table[0].line or 1
        unread = Finding(file=file, line=line, table=number, says="unread", text=f"Not read: {table[0].message}.")
        return _Table(file, number, range(line, line + 1), (unread,), {})
    lines = [row.line for row in table.rows] or [aside.line for aside in table.asides] or [1]
    findings = []
    for question in table.questions:
        if question.is_open:
            choices = ", ".join(value for value, _ in question.choices)
            text = f"{question.text} Answer with --answer {question.key}=… ({choices})."
            findings.append(Finding(file=file, line=min(lines), table=number, says="open", text=text))
    for mean in table.unequal:
        text = f"{mean.head} is {mean.printed}; the mean of its {mean.n} scores here is {mean.mean}."
        findings.append(Finding(file=file, line=mean.line, table=number, system=mean.system, says="average", text=text))
    columns: dict[Pair, list[_Score]] = defaultdict(list)
    for row in table.rows:
        cells = row.cells | {name: text for name, text in author.defaults.items() if not row.cells.get(name)}
        printed = cells["value"].removesuffix("%")
        unit = PERCENT if cells["value"].endswith("%") else cells["unit"]
        cells["collection"] = author.answers.get(cells["collection"], cells["collection"])
        if is_number(printed) and cells["system"]:
            score = PrintedScore(printed, "" if unit == "fraction" else unit)
            columns[cells["collection"], cells["measure"]].append(
                _Score(row.line, cells["system"], score, mark_of(cells.get("notes", "")))
            )
    systems = list(dict.fromkeys(score.system for scores in columns.values() for score in scores))
    if author.ask and len(systems) > 1 and not any(map(author.owns, systems)):
        answer = author.ask("Which system is yours?", [(system, "") for system in systems])
        author.own += [answer] if answer else []
    suggestions = {question.about: question.suggestions for question in table.questions}
    return _Table(file, number, range(min(lines), max(lines) + 1), tuple(findings), columns, suggestions)


def _of_columns(
    table: _Table, snapshots: Mapping[Pair, Snapshot | PlumblineError], author: Author
) -> Iterator[Finding]:
    gains: list[tuple[_Score, _Score, float, PairError, Pair]] = []
    n_together = n_recorded = 0
    every = [score for scores in table.columns.values() for score in scores]
    has_own = any(author.owns(score.system) for score in every)
    in_percent = set()
    if missing := {("collection", "measure")[pair.index("")] for pair in table.columns if not all(pair)}:
        for name in sorted(missing):
            named = " or ".join(table.suggestions.get(name, ())) or "…"
            text = f"No row says the {name}; name it with --{name} {named}."
            yield table.say(replace(every[0], system=""), ("", ""), "open", text)
    for pair, scores in table.columns.items():
        if not all(pair):
            continue
        snapshot = snapshots[pair]
        if isinstance(snapshot, PlumblineError):
            says = "unknown" if type(snapshot) is NotFoundError else "open"
            is_asked = isinstance(snapshot, AmbiguousNameError)
            text = f"{snapshot} Answer with --answer {pair[0]!r}=…." if is_asked else str(snapshot)
            yield table.say(replace(scores[0], system=""), pair, says, text)
            continue
        high = snapshot.inputs.measure.high
        if high is not None and any(row.score.value > high for row in scores):
            if high not in in_percent:
                text = f"Scores above {high:g}; if they are in percent, say --unit percent."
                yield table.say(replace(scores[0], system=""), ("", ""), "open", text)
            in_percent.add(high)
            continue
        mine = [row for row in scores if author.owns(row.system)]
        sign = 1.0 if snapshot.inputs.measure.higher_is_better else -1.0
        rivals = [row for row in scores if row not in mine and not _ORACLE.search(row.system)]
        rivals.sort(key=lambda row: -sign * row.score.value)
        for row in scores:
            listed = _recorded(row, snapshot.inputs)
            n_recorded += listed == ""
            if listed:
                yield table.say(row, pair, "contested", f"Contested: {row.score.digits} here, {listed} on record.")
        chance = error_of_pair(snapshot.inputs, snapshot.findings)
        for row in mine if rivals else ():
            best = rivals[0]
            checked = check_score(snapshot.inputs, row.score.value, baseline=best.score.value)
            runs = checked.baseline.runs if checked.baseline else None
            if runs and runs.percentile < _WEAK:
                text = f"Baseline weak: {runs.n_better} of {runs.n} original runs are better."
                yield table.say(best, pair, "weak", text)
            if "stands-apart" in checked.cautions:
                text = "Excluded: beyond everything on record by so much that it needs evidence."
                yield table.say(row, pair, "excluded", text)
            gain = sign * (row.score.value - best.score.value)
            if chance is None:
                text = f"{gain:+.4f} to {best.system}: how far chance moves it is not known."
                yield table.say(row, pair, "unknown", text)
            else:
                gains.append((row, best, gain, chance, pair))
                n_together += len(rivals)
    judged = planned_pairs([gain[2] for gain in gains], [gain[3] for gain in gains], n_together or None)
    for (row, best, gain, _, pair), test in zip(gains, judged, strict=True):
        says = "tied" if not test.is_told_apart else "beyond" if gain > 0 else "trails"
        words = {"tied": "not significantly different from", "beyond": "significantly better than",
                 "trails": "significantly worse than"}[says]  # fmt: skip
        text = f"{gain:+.4f}, {words} {best.system} (needed: {test.margin:.4f})."
        yield table.say(row, pair, says, f"{text} The paper marks it {row.mark}." if row.mark else text)
    if n_recorded:
        text = f"{n_recorded} of {len(every)} scores are on record with the same number."
        yield table.say(replace(every[0], system=""), ("", ""), "recorded", text)
    if every and not has_own:
        text = "No system calls itself Ours: no gain is judged. Name yours with --own."
        yield table.say(replace(every[0], system=""), ("", ""), "open", text)


def _recorded(score: _Score, inputs: BoardInputs) -> str | None:
    """Return the scores on record of a system of this name, where none is the printed one.

    Blank where one is, None where there is no such system.
    """
    rows = [row for row in inputs.rows if system_key(row.system) == system_key(score.system)]
    unit = 10.0**-score.score.decimals
    if any(abs(row.value - score.score.value) <= unit for row in rows):
        return ""
    return ", ".join(dict.fromkeys(f"{row.value:.4f}" for row in rows[:3])) or None


def written(findings: Sequence[Finding], form: str, errors: Collection[str] = ()) -> str:
    """Return the findings as text, markdown, json, sarif or latex; in SARIF kinds of ``errors`` are errors."""
    if form == "json":
        return json.dumps([asdict(finding) for finding in findings], indent=1)
    if form == "sarif":
        return json.dumps(_sarif(findings, errors), indent=1)
    if not findings and form in ("text", "markdown"):
        return "There is nothing to say of these tables."
    cells = [
        (f"{finding.file}:{finding.line}", finding.system, finding.board, finding.says, finding.text)
        for finding in findings
    ]
    heads = ("Place", "System", "Leaderboard", "Says", "In words")
    if form == "latex":
        return desk.as_latex(heads, cells)
    if form == "markdown":
        lines = [" | ".join(text.replace("|", "\\|") for text in row) for row in cells]
        return "\n".join(f"| {line} |" for line in [" | ".join(heads), " | ".join(["---"] * len(heads)), *lines])
    return "\n".join("\t".join(filter(None, row)) for row in cells)


def _sarif(findings: Sequence[Finding], errors: Collection[str]) -> dict[str, object]:
    """Return the findings as SARIF 2.1.0 (OASIS, 2020)."""
    results = [
        {
            "ruleId": finding.says,
            "level": "error" if finding.says in errors else LEVELS[finding.says],
            "message": {"text": ": ".join(filter(None, [finding.system, finding.board, finding.text]))},
            "locations": [{"physicalLocation": _place(finding)}],
        }
        for finding in findings
    ]
    rules = [{"id": says} for says in LEVELS]
    run = {"tool": {"driver": {"name": "plumbline", "rules": rules}}, "results": results}
    return {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}


def _place(finding: Finding) -> dict[str, object]:
    return {"artifactLocation": {"uri": finding.file}, "region": {"startLine": finding.line}}


def code_of(findings: Sequence[Finding], errors: Collection[str] | None = None) -> int:
    """Return the exit code: 1 where something needs a look, 3 where that can't be said of a score, else 0.

    With ``errors`` these kinds alone are 1, and all else is 0.
    """
    says = {finding.says for finding in findings}
    if errors is not None:
        return int(not says.isdisjoint(errors))
    return 1 if any(LEVELS[kind] == "warning" for kind in says) else 3 if says & {"open", "unknown"} or not says else 0
