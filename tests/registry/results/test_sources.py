"""Where figures were taken from: /sources/, and from every result to the file that prints it."""

from pathlib import Path

import pytest
from django.test import Client

from registry.core.loading import LoadReport
from registry.results.models import Result, Source
from registry.results.services.fact_files import load_sources_file
from tests.registry.factory import make_paper, make_result
from tests.registry.pages import read
from tests.registry.results.loading import counts, refusals

REPOSITORY = "https://github.com/castorini/rank_llm"
ADDRESSES = f"{REPOSITORY}/tree/1b3cabbc35,{REPOSITORY}/blob/{{state}}/{{path}}"
ROW = f"castorini/rank_llm,Scores of rerankers,1b3cabbc35,{ADDRESSES},MIT,"


def load(folder: Path, *lines: str) -> LoadReport:
    path = folder / "sources.csv"
    path.write_text(
        "\n".join(["source,what,state,address,file_address,licence,terms", *lines]) + "\n", encoding="utf-8"
    )
    return load_sources_file(path=path)


@pytest.mark.parametrize(
    ("locator", "opened"),
    [
        ("src/a b.jsonl", f"{REPOSITORY}/blob/1b3cabbc35/src/a%20b.jsonl"),
        ("runs/at.txt at 87e65ef478", f"{REPOSITORY}/blob/87e65ef478/runs/at.txt"),
        ("", f"{REPOSITORY}/tree/1b3cabbc35"),
        ("runs/x.txt#L12", f"{REPOSITORY}/blob/1b3cabbc35/runs/x.txt#L12"),
        ("runs/x.txt#L12-L15 at 87e65ef478", f"{REPOSITORY}/blob/87e65ef478/runs/x.txt#L12-L15"),
        ("docs/results.md#L7", f"{REPOSITORY}/blob/1b3cabbc35/docs/results.md?plain=1#L7"),
        ("notes #L0", f"{REPOSITORY}/blob/1b3cabbc35/notes%20%23L0"),
    ],
)
def test_a_result_opens_the_file_in_the_state_that_was_read(client: Client, tmp_path, locator, opened):
    load(tmp_path, ROW)
    result = make_result(source="castorini/rank_llm", locator=locator)
    links = read(client, result.get_absolute_url()).links
    assert ("/sources/castorini/rank_llm/", "castorini/rank_llm") in links
    assert opened in [address for address, _ in links]
    assert client.get(f"/api/v1/results/{result.pk}/").json()["source_url"] == opened
    assert "/sources/castorini/rank_llm/" in [
        address for address, _ in read(client, result.system.get_absolute_url()).links
    ]


def test_a_file_is_taken_as_a_whole_and_says_what_to_mend(tmp_path):
    assert counts(load(tmp_path, ROW)) == (1, 0, 0, 0)
    assert counts(load(tmp_path, ROW)) == (0, 1, 0, 0)
    assert counts(load(tmp_path, ROW.replace("MIT", "CC0-1.0"))) == (0, 0, 1, 0)
    report = load(
        tmp_path, ROW, ROW, ",x,,https://example.org/,,,", "b,x,,https://example.org/,https://example.org/file,,"
    )
    assert [(number, message) for number, _, message in refusals(report)] == [
        (3, "names a source that stands in the file already; leave one out"),
        (4, "names no source, or not where it is; fill in source and address"),
        (5, "file_address says nowhere where the path goes; write {path} there"),
    ]
    assert Source.objects.get().licence == "CC0-1.0"


def test_a_result_opens_the_address_of_its_source_or_its_paper_by_whatever_identifier():
    make_result(printed="0.3", source="http://example.org/table")
    make_result(printed="0.2", source="Doe (2019)", paper=make_paper("Doe (2019)", arxiv_id="1904.09171"))
    opened = [result.opened for result in Result.objects.for_listing().order_by("pk")]
    assert opened == ["http://example.org/table", "https://arxiv.org/abs/1904.09171"]
