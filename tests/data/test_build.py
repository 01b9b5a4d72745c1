"""``data/build.py``, which needs a folder that does not ship, and what it makes of a few rows."""

import csv
import gzip
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


def test_without_what_was_gathered_it_says_what_is_lacking_and_writes_nothing(tmp_path: Path) -> None:
    gathered, output = tmp_path / "gathered", tmp_path / "output"
    (gathered / "more").mkdir(parents=True)
    command = [sys.executable, "data/build.py", "--shared", str(gathered), "--output", str(output)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert f"{gathered} lacks collections.csv, measures.csv, " in done.stderr
    assert "replicates, record, record4, more4; nothing was written" in done.stderr.replace("\n", " ")
    assert not output.exists()


def test_what_does_not_ship_of_mteb_becomes_a_folder_with_languages_and_files(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    for name in ("collections.csv", "measures.csv", "n_topics_overrides.csv", "duplicate_ids.csv", "published",
                 "per_topic", "replicates", "record", "record4", "more4"):  # fmt: skip
        (tmp_path / name).touch()
    task = {"name": "BelebeleRetrieval", "dataset_path": "mteb/belebele", "modalities": "text"}
    place = {"collection": "b", "task": task["name"], "subset": "hin_Latn-swh_Latn", "split": "test", "year": "",
             "type": "", "languages": "hin-Latn;swh-Latn", "n_topics": "", "n_documents": "", "n_topics_source": "",
             "reference": "", "in_shipped_collections": "no", "file": "mteb_more_rest.csv.gz"}  # fmt: skip
    result = {"collection": "b", "measure": "nDCG@10", "system": "intfloat/e5", "value": "0.65017", "team": "intfloat",
              "date": "2023-05-01", "year": "2023", "role": "leaderboard", "source": "embeddings-benchmark/results",
              "notes": "", "locator": "results/e5.json@f4cc6c8b36", "dataset_revision": "e87473c4832e"}  # fmt: skip
    for name, row in (
        ("mteb_more_collections.csv", place),
        ("mteb_tasks.csv", task),
        ("mteb_more_rest.csv.gz", result),
    ):
        text = f"{','.join(row)}\n{','.join(row.values())}\n".encode()
        (tmp_path / "more" / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    command = [sys.executable, "data/build.py", "--shared", str(tmp_path), "--rest", str(tmp_path / "rest")]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    paths = (tmp_path / "rest" / name for name in ("collections.csv", "results/mteb_rest.csv"))
    (collection,), (row,) = (csv.DictReader(path.read_text().splitlines()) for path in paths)
    assert collection["slug"] == row["collection"] == "mteb-belebele-hin-latn-swh-latn"
    assert collection["language"] == "Hindi (in Latin letters), Swahili"
    assert (row["locator"], row["dataset_revision"], row.get("date")) == ("results/e5.json", "e87473c483", None)


DBLP = {
    "title": "Overview of the TREC 2004 Robust Track", "authors": "Ellen M. Voorhees", "venue": "TREC 2004",
    "year": "2004", "booktitle": "Proceedings of TREC 2004", "series": "", "volume": "", "publisher": "", "pages": "",
    "url": "http://trec.nist.gov/pubs/trec13/papers/ROBUST.OVERVIEW.pdf", "dblp_key": "conf/trec/Voorhees04b",
    "dblp_url": "https://dblp.org/rec/conf/trec/Voorhees04b",
}  # fmt: skip


def on_a_collection(title: str, **fields: str) -> dict[str, str]:
    """Return a gathered record of a paper on Robust04."""
    names = ("volume", "pages", "doi", "arxiv", "acl_id", "dblp_key", "authors_complete")
    row = dict.fromkeys(names, "") | {"collection": "trec-2004-robust", "nth": "1", "role": "overview of the track"}
    return row | {"title": title, "authors": "Ellen Voorhees", "venue": "TREC", "year": "2004", "source": "x"} | fields


@pytest.mark.parametrize(
    "records",
    [
        [on_a_collection("Overview of the TREC 2004 Robust Track")],
        [
            on_a_collection(DBLP["title"], dblp_key=DBLP["dblp_key"]),
            on_a_collection("Overview of the TREC 2004 Robust Retrieval Track"),
            on_a_collection("TREC 2004 Robust Retrieval Track Overview", year="2005"),
        ],
    ],
    ids=["by its title", "under other titles"],
)
def test_the_overview_of_a_track_stands_once_with_its_address(
    monkeypatch: pytest.MonkeyPatch, records: list[dict[str, str]]
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "data"))
    papers, bibliography = (importlib.import_module(f"builder.{name}") for name in ("papers", "bibliography"))
    gathered = bibliography.Gathered([], [], records)
    known, _, links = papers.build_papers([], [DBLP], [], [], gathered)
    (row,) = [row for row in known if "Robust" in row["title"]]
    assert [row[name] for name in ("paper_url", "booktitle", "also")] == [
        DBLP[name] for name in ("url", "booktitle", "dblp_url")
    ]
    assert {link["paper_url"] for link in links} == {DBLP["url"]}
