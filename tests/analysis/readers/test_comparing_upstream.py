"""What a repository prints otherwise than the rows on record say, of a repository of plain lists."""

from collections.abc import Iterator
from dataclasses import replace

from analysis.readers.upstream.comparing import Changed, Comparison, Row, compare
from analysis.readers.upstream.scores import Score, Upstream, base_name


class States:
    """A repository of lists, by commit and path."""

    def __init__(self, **states: dict[str, str]) -> None:
        self.states = states

    def commit(self, name: str) -> str:
        return next(commit for commit in self.states if commit.startswith(name))

    def newest(self, commits: list[str]) -> str:
        return max(commits, key=list(self.states).index)

    def files(self, commit: str) -> dict[str, str]:
        return self.states[commit]

    def texts(self, commit: str, paths: list[str]) -> Iterator[tuple[str, str]]:
        return ((path, self.states[commit][path]) for path in paths)


def scores_in(path: str, text: str) -> Iterator[Score]:
    """Yield system, place, measure and number, perhaps several in a line; what makers say of theirs ends in a star."""
    for line, text_of_line in enumerate(text.splitlines(), 1):
        for entry in text_of_line.split(";"):
            system, place, measure, printed = entry.split()
            yield Score(
                key=(base_name(path), system, place, measure),
                places=(place, place.partition("/")[0]),
                system=system,
                measure=measure,
                printed=printed.strip("*"),
                line=line,
                is_self_reported=printed.endswith("*"),
            )


LISTS = Upstream(source="lists", files=r"lists/\w+\.txt", read=scores_in)
FIRST_STATE, SECOND_STATE = "a" * 12, "b" * 12


def compared(rows: list[Row], before: dict[str, str], now: dict[str, str]) -> Comparison:
    states = States(**{FIRST_STATE: before, SECOND_STATE: now})
    return compare(LISTS, states, rows=rows, state=FIRST_STATE[:4], commit=SECOND_STATE[:3])


def row(collection: str, system: str, value: str, locator: str, **cells: str) -> Row:
    cells = {"role": "reference_implementation", "date": "2020-01-02", "team": ""} | cells
    facts = {"collection": f"fruit-{collection}", "measure": "AP", "system": system, "value": value}
    return facts | {"locator": locator, "source": "lists"} | cells


def test_everything_that_a_repository_prints_otherwise():
    changed = row("pears", "bm25", "0.50", f"lists/a.txt#L2 at {FIRST_STATE[:5]}", year="2020")
    doe = {"paper": "Doe (SIGIR 2021)", "year": "2021", "role": "proposed", "team": "The Lab"}
    moved = row("apples", "lab/dense", "0.40", "lists/a.txt#L3-L4", **doe)
    gone = row("apples", "rm3", "0.35", "lists/a.txt#L4", year="2020")
    rows = [
        row("apples", "bm25", "0.30", "lists/a.txt#L1", year="2020"),
        changed,
        moved,
        gone,
        row("pears", "rm3", "0.55", "lists/b.txt#L1", year="2020"),
    ]
    before = {
        "lists/a.txt": "bm25 apples AP 0.30\nbm25 pears AP 0.50\nlab/dense apples AP 0.40\nrm3 apples AP 0.35\n"
        "old plums AP 0.1",
        "lists/b.txt": "rm3 pears AP 0.55",
        "README.md": "Fruit",
    }
    now = {
        "lists/a.txt": "bm25 apples AP 0.300\nbm25 pears AP 0.51\nnew apples AP 0.20*\nlab/only pears AP 0.10*\n"
        "bm25 figs AP 0.1\nbm25 plums AP 0.1\nnew plums AP 0.1\nnew apples R 0.9",
        "lists/b.txt": before["lists/b.txt"],
        "lists/c.txt": "lab/dense apples AP 0.41\nnew apples AP 0.25\nbm25 apples AP 0.33\nlab/dense pears AP 0.6",
        "lists/d.txt": "no list",
        "README.md": "Fruit and more",
    }
    changes = compared(rows, before, now)
    assert changes.changed == [
        Changed(row=changed, before="0.50", now={"value": "0.51", "locator": "lists/a.txt#L2 at bbbbbbbbbb"}),
        # In place of the one that is gone from the other list.
        Changed(row=moved, before="0.40", now={"value": "0.41", "locator": "lists/c.txt#L1 at bbbbbbbbbb"}),
    ]
    assert (changes.gone, changes.n_same, changes.n_left_out, changes.n_unlocated) == ([gone], 2, 1, 0)
    assert changes.unplaced == {"plums": 2}
    read = "proposed from lists, lists/a.txt at bbbbbbbbbb; its topics, documents and judgements are to be said"
    proposal = {"slug": "figs", "aliases": "figs", "url": "https://github.com/lists", "name": "figs", "notes": read}
    assert changes.proposed == [proposal]
    assert changes.unread == {"lists/d.txt": "ValueError: not enough values to unpack (expected 4, got 2)"}
    of_all = {"measure": "AP", "date": "2020-01-02", "source": "lists"}
    assert [{name: text for name, text in cells.items() if text} for cells in changes.new] == [
        of_all
        # What somebody else ran comes before what its maker says.
        | {"collection": "fruit-apples", "system": "new", "value": "0.25", "role": "reference_implementation"}
        | {"locator": "lists/c.txt#L2 at bbbbbbbbbb"},
        of_all
        | {"collection": "fruit-pears", "system": "lab/dense", "value": "0.6", "role": "proposed", "year": "2021"}
        | {"team": "The Lab", "paper": "Doe (SIGIR 2021)", "locator": "lists/c.txt#L4 at bbbbbbbbbb"},
        of_all
        | {"collection": "fruit-pears", "system": "lab/only", "value": "0.10", "role": "reference_implementation"}
        | {"team": "lab", "locator": "lists/a.txt#L4 at bbbbbbbbbb", "self_reported": "yes"},
        of_all
        | {"collection": "figs", "system": "bm25", "value": "0.1", "role": "reference_implementation", "year": "2020"}
        | {"locator": "lists/a.txt#L5 at bbbbbbbbbb"},
    ]


def test_what_stands_in_one_line_is_told_by_name_and_number_and_places_by_what_they_share():
    here = "lists/a.txt#L1"
    changed = row("apples", "rm3", "0.20", here)
    rows = [
        row("apples", "bm25", "0.1", here),
        changed,
        row("pears", "bm25", "0.3", here),
        row("apples", "twice", "0.4", here),
        row("pears", "twice", "0.4", here),
        *(
            row("apples", f"s{n}", "0.6", place)
            for n, place in enumerate(["lists/a.txt#L9", "docs/a.txt#L1", "Table 2"])
        ),
    ]
    line = "bm25 x/1 AP 0.1;rm3 x/1 AP {};bm25 x/2 AP 0.3;twice x/1 AP 0.4;twice x/2 AP 0.4"
    now = line.format("0.25") + ";new x/3 AP 0.9;new x/2 AP 0.7"
    changes = compared(rows, {"lists/a.txt": line.format("0.20")}, {"lists/a.txt": now})
    assert [(change.row, change.now["value"]) for change in changes.changed] == [(changed, "0.25")]
    # Which of two equal ones a line means stays open.
    assert (changes.n_same, changes.gone, changes.n_unlocated) == (2, [], 5)
    assert [(cells["collection"], cells["value"]) for cells in changes.new] == [("fruit-pears", "0.7")]
    assert changes.unplaced == {"x/3": 1}, "a name of two collections tells neither"
    apart = compared(rows, {"lists/a.txt": line.format("0.20")}, {"lists/b.txt": "new x/2 AP 0.7"})
    assert [cells["system"] for cells in apart.new] == ["new"], "without a list of its name, all lists tell the places"
    assert len(apart.gone) == 3


def test_a_file_that_only_moved_keeps_its_systems():
    """Systems are called after their files here, as some toolkits do."""

    def named_by_file(path: str, text: str) -> Iterator[Score]:
        for score in scores_in(path, text):
            yield replace(score, system=f"{base_name(path)} {score.system}")

    upstream = replace(LISTS, read=named_by_file)
    before = {"lists/a.txt": "bm25 apples AP 0.30\nrm3 apples AP 0.31", "lists/b.txt": "bm25 pears AP 0.50"}
    rows = [
        row("apples", "a bm25", "0.30", "lists/a.txt#L1"),
        row("apples", "a rm3", "0.31", "lists/a.txt#L2"),
        row("pears", "b bm25", "0.50", "lists/b.txt#L1"),
    ]
    now = {"lists/moved.txt": before["lists/a.txt"], "lists/c.txt": "bm25 pears AP 0.51"}
    states = States(**{FIRST_STATE: before, SECOND_STATE: now})
    changes = compare(upstream, states, rows=rows, state=FIRST_STATE, commit=SECOND_STATE)
    assert (changes.n_same, changes.gone) == (2, [rows[2]])
    assert [cells["system"] for cells in changes.new] == ["c bm25"]
