"""A repository of results is read again: what is new, changed and gone, told and written into the files of results."""

import csv
import subprocess
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

FILE = "pyserini/2cr/toys.yaml"


def listed(*conditions: tuple[str, dict[str, dict[str, str]]]) -> str:
    """Return a list as Pyserini keeps it: conditions, the data sets of each, their scores."""
    lines = ["conditions:"]
    for name, datasets in conditions:
        lines += [f"  - name: {name}", "    command: python -m search", "    datasets:"]
        for dataset, scores in datasets.items():
            lines += [f"      - dataset: {dataset}", "        scores:"]
            for at, (measure, score) in enumerate(scores.items()):
                lines.append(f"          {'-' if at == 0 else ' '} {measure}: {score}")
    return "\n".join(lines) + "\n"


class Repository:
    """A git repository of our own, in the layout of Pyserini."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._git("init", "-q")

    def commit(self, text: str) -> str:
        """Return the commit of this list."""
        path = self.folder / FILE
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self._git("add", "-A")
        self._git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", "Scores")
        return self._git("rev-parse", "HEAD").strip()

    def _git(self, *arguments: str) -> str:
        command = ["git", "-C", str(self.folder), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


FIRST = listed(
    ("bm25", {"apples": {"nDCG@10": "0.3000", "R@100": "0.8000"}, "pears": {"nDCG@10": "0.5000"}}),
    ("dense", {"apples": {"nDCG@10": "0.4000"}}),
)
SECOND = listed(
    ("rrf", {"pears": {"nDCG@10": "0.7000", "R@1": "0.9", "P@1": "0.4"}, "plums": {"nDCG@10": "0.1000"}}),
    # Five places and the same number; another number.
    ("bm25", {"apples": {"nDCG@10": "0.30000", "R@100": "0.8100"}, "pears": {"nDCG@10": "0.5000"}}),
)
HEAD = "collection,measure,system,value,role,team,source,locator,comparability,notes"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    (tmp_path / "checkout").mkdir()
    return Repository(tmp_path / "checkout")


@pytest.fixture
def data(tmp_path: Path, repository: Repository) -> Path:
    """Return a folder like ``data/``, which says what the repository prints at its first commit."""
    first = repository.commit(FIRST)
    folder = tmp_path / "data"
    (folder / "results").mkdir(parents=True)
    (folder / "sources.csv").write_text(f"source,what,state\ncastorini/pyserini,Scores,{first[:10]}\n")
    (folder / "measures.csv").write_text("name,higher_is_better\nnDCG@10,true\nR@100,true\n")
    (folder / "collections.csv").write_text("slug,name,aliases,url,notes\nfruit-apples,Apples,,,\n")
    lines = [HEAD]
    for slug, measure, system, line in (
        ("fruit-apples", "nDCG@10", "bm25", 7), ("fruit-apples", "R@100", "bm25", 8),
        ("fruit-pears", "nDCG@10", "bm25", 11), ("fruit-apples", "nDCG@10", "dense", 17),
    ):  # fmt: skip
        value = FIRST.splitlines()[line - 1].rpartition(" ")[2]
        lines.append(f"{slug},{measure},Pyserini {system},{value},reference_implementation,castorini,"
                     f"castorini/pyserini,{FILE}#L{line},standard,")  # fmt: skip
    (folder / "results" / "pyserini.csv").write_text("\n".join(lines) + "\n")
    (folder / "results" / "others.csv").write_text(
        f"{HEAD}\nfruit-pears,nDCG@10,Oracle,0.6,baseline,,a paper,p. 4,standard,\n"
    )
    return folder


def run(data: Path, repository: Repository, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    call_command("import_upstream", "pyserini", "--from", str(repository.folder), "--data", str(data), *options)
    return capsys.readouterr().out


def files(data: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (data / "results").iterdir()}


def rows(data: Path) -> dict[tuple[str, str, str], dict[str, str]]:
    with (data / "results" / "pyserini.csv").open(newline="") as file:
        return {(row["system"], row["collection"], row["measure"]): row for row in csv.DictReader(file)}


def test_a_difference_is_told_and_where_it_is_wanted_written_and_the_rest_stays_to_the_byte(data, repository, capsys):
    before, commit = files(data), repository.commit(SECOND)[:10]
    output = run(data, repository, capsys, "--diff")
    assert "2 new, 1 changed, 1 gone, 2 as they were" in output
    read = f"proposed from castorini/pyserini, {FILE} at {commit}"
    assert f"proposed collections:\n  toys/plums (toys-plums): {read}; its topics, documents" in output
    assert "fruit-apples, nDCG@10: Pyserini dense 0.4000 -> Pyserini bm25 0.3000" in output
    assert "impossible, so not competing:\n  fruit-pears, nDCG@10: Pyserini rrf 0.7000" in output
    assert "changed:\n  fruit-apples, R@100: Pyserini bm25 0.8100, was 0.8000" in output
    assert "gone:\n  fruit-apples, nDCG@10: Pyserini dense 0.4000" in output
    assert "new:\n  fruit-pears, nDCG@10: Pyserini rrf 0.7000" in output
    assert files(data) == before
    output = run(data, repository, capsys, "--write")
    assert f"{data / 'results' / 'pyserini.csv'} is changed." in output
    assert "others.csv" not in output
    assert files(data)["others.csv"] == before["others.csv"]
    by_key = rows(data)
    assert {key: row["value"] for key, row in by_key.items()} == {
        ("Pyserini bm25", "fruit-apples", "nDCG@10"): "0.3000",
        ("Pyserini bm25", "fruit-apples", "R@100"): "0.8100",
        ("Pyserini bm25", "fruit-pears", "nDCG@10"): "0.5000",
        ("Pyserini rrf", "fruit-pears", "nDCG@10"): "0.7000",
        ("Pyserini rrf", "toys-plums", "nDCG@10"): "0.1000",
    }
    _, proposed = csv.DictReader((data / "collections.csv").read_text().splitlines())
    assert (proposed["slug"], proposed["name"], proposed["aliases"]) == ("toys-plums", "toys/plums", "toys/plums")
    line = SECOND.splitlines().index("          - nDCG@10: 0.7000") + 1
    new = by_key["Pyserini rrf", "fruit-pears", "nDCG@10"]
    assert (new["locator"], new["role"], new["team"]) == (
        f"{FILE}#L{line} at {commit}", "reference_implementation", "castorini",
    )  # fmt: skip
    assert (new["comparability"], new["notes"]) == ("doubtful", "impossible in its file: R@1 (0.9) is above P@1 (0.4)")
    unchanged = set(before["pyserini.csv"].splitlines()) & set(files(data)["pyserini.csv"].splitlines())
    assert len(unchanged) == 3
    assert "0 new, 0 changed, 0 gone, 5 as they were" in run(data, repository, capsys, "--diff")


def test_what_is_known_by_another_name_or_was_there_before_is_no_new_collection(data, repository, capsys):
    (data / "collections.csv").write_text("slug,name,aliases,url,notes\ntoys-plums,Plums,,,\n")
    repository.commit(FIRST.replace("pears", "plums"))
    assert "systems on what is no collection here:\n  1 on toys/plums" in run(data, repository, capsys, "--diff")
    repository.commit(FIRST.replace("pears", "plums").replace("bm25", "bm26"))
    output = run(data, repository, capsys, "--diff")
    assert "proposed" not in output


def test_a_block_that_was_put_right_is_in_doubt_no_longer(data, repository, capsys):
    for rr, p, comparability, notes in (
        ("0.4", "0.3", "doubtful", "impossible in its file: nDCG@1 (0.4) is above P@1 (0.3)"),
        ("0.2", "0.3", "standard", "RR@1 (0.2) is not P@1 (0.3) in its file"),
        ("0.5", "0.5", "standard", ""),
    ):
        scores = {"nDCG@10": rr, "P@1": p, "MRR@1": rr, "nDCG@1": rr}
        repository.commit(listed(("bm25", {"apples": scores})))
        run(data, repository, capsys, "--write")
        row = rows(data)["Pyserini bm25", "fruit-apples", "nDCG@10"]
        assert (row["value"], row["comparability"], row["notes"]) == (rr, comparability, notes)


def test_results_of_files_that_are_not_read_are_counted_and_stay(data, repository, capsys):
    path = data / "results" / "pyserini.csv"
    path.write_text(path.read_text().replace(f"{FILE}#L17", "docs/toys.md#L17"))
    repository.commit(SECOND)
    output = run(data, repository, capsys, "--diff")
    assert "2 new, 1 changed, 0 gone, 2 as they were" in output
    assert "1 result not compared: without a line of a file that is read" in output


def test_no_repository_no_history_and_no_results_say_what_to_do(data, repository, capsys, tmp_path):
    with pytest.raises(CommandError, match="no git repository"):
        call_command("import_upstream", "pyserini", "--from", str(tmp_path / "none"), "--data", str(data), "--diff")
    (data / "sources.csv").write_text("source,what,state\ncastorini/pyserini,Scores,0000000000\n")
    with pytest.raises(CommandError, match="fetch its whole history"):
        run(data, repository, capsys, "--diff")
    (data / "sources.csv").write_text("source,what,state\n")
    with pytest.raises(CommandError, match="has no results of castorini/pyserini with the commit"):
        run(data, repository, capsys, "--diff")
