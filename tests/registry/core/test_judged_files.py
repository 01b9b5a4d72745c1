"""Judgements and runs that ship come out of their packed files as they were sent somewhere, or not at all."""

import hashlib
import lzma
from pathlib import Path

import pytest

from registry.core.judged_files import FileChanged, ShippedRun, list_runs, read_judgements, read_run

QRELS = "1 0 d1 2\n1 0 d2 2\n1 0 d3 0\n"
RUN = "1 Q0 d1 1 9.5 my_bm25\n1 Q0 d2 2 9.25 my_bm25\n2 Q0 d1 1 3 my_bm25\n"
HEAD = "file,collection,system,kind,cut_at,n_lines,sha256,source,licence,terms,note\n"


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that ships, with judgements and a run."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "qrels.xz").write_bytes(lzma.compress(b"1 2 d1 d2\n1 0 d3\n"))
    (tmp_path / "runs" / "robust__bm25.xz").write_bytes(lzma.compress(b"1\td1 d2\t9.5 9.25\n2\td1\t3\n"))
    row = f"robust__bm25.xz,robust,my bm25,system,1000,3,{sha256(RUN)},github.com/a/b@c:runs/x,MIT,,"
    (tmp_path / "runs" / "manifest.csv").write_text(HEAD + row + "\n")
    return tmp_path


def test_judgements_are_a_line_a_document(folder: Path) -> None:
    assert read_judgements(folder / "qrels.xz", sha256(QRELS)) == QRELS.encode()


def test_a_run_is_read_from_what_its_manifest_says(folder: Path) -> None:
    (run,) = list_runs(folder)
    assert (run.cut_at, run.n_lines, run.licence) == (1000, 3, "MIT")
    assert (run.name, run.repository, run.tag) == ("bm25", "github.com/a/b@c", "my_bm25")
    assert read_run(folder, run) == RUN.encode()


def test_a_folder_without_a_manifest_has_no_runs(tmp_path: Path) -> None:
    assert list_runs(tmp_path) == []


def test_a_file_that_is_gone_broken_or_another_is_not_read(folder: Path) -> None:
    (run,) = list_runs(folder)
    with pytest.raises(FileChanged, match=r"is not the file that was loaded.*load_shipped_data"):
        read_judgements(folder / "qrels.xz", sha256(RUN))
    (folder / "qrels.xz").write_bytes(b"no archive")
    with pytest.raises(FileChanged, match=r"qrels\.xz can't be read"):
        read_judgements(folder / "qrels.xz", sha256(QRELS))
    packed = folder / "runs" / run.file
    packed.write_bytes(lzma.compress(b"1\td1 d3\t9.5 9.25\n2\td1\t3\n"))
    with pytest.raises(FileChanged, match="is not the file that was loaded"):
        read_run(folder, run)
    packed.unlink()
    with pytest.raises(FileChanged, match="can't be read"):
        read_run(folder, run)


def test_a_run_has_as_many_scores_as_documents(folder: Path) -> None:
    run = ShippedRun("a__b.xz", "a", "b", "system", 1000, 1, "", "s", "", "", "")
    (folder / "runs" / "a__b.xz").write_bytes(lzma.compress(b"1\td1 d2\t9.5\n"))
    with pytest.raises(ValueError, match="shorter"):
        read_run(folder, run)
