"""Results in the formats of exchange: what is taken away can be submitted again, and is what stands."""

import io
import json
import zipfile
from collections import Counter
from datetime import date
from itertools import product
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from analysis.readers.exchange.formats import FORMATS
from registry.curation.lineage.models import SystemFacts
from registry.results.models import Result
from registry.results.services.endings import withdraw_result
from registry.submissions.models import Submission
from registry.submissions.pipeline.checking import check_rows
from registry.submissions.services.drafting import read_given
from tests.registry.api.programs import LIST, Program
from tests.registry.factory import make_leaderboard, make_measure, make_paper, make_result, make_system
from tests.registry.submissions.world import make_robust04, row
from tests.thoroughness import every

PUBLIC = ("leaderboard", "system", "paper")


@pytest.fixture
def board():
    """A leaderboard with a result that says everything, a replicate of it, and one that is withdrawn."""
    board = make_robust04()
    paper = make_paper("", url="https://doi.org/10.1145/1000000.2000000", identity="doi:10.1145/1000000.2000000")
    system = make_system("=SUM(A1)", team="@team")
    first = make_result(
        board,
        system,
        "0.3010",
        paper=paper,
        year=2005,
        date=date(2005, 11, 3),
        role=Result.Role.PROPOSED,
        run_type="automatic",
        source="a “source”, with a comma",
        locator="Table 2",
        notes="-1 and\nanother line",
        n_topics_here=99,
    )
    make_result(board, make_system("again", team="@team"), "0.2990", replicate_of=first, paper=paper, source="there")
    make_result(
        make_leaderboard(board.collection, make_measure("X", low=None, high=None)), system, "-3.10", paper=paper
    )
    withdraw_result(result=make_result(board, system, "0.9", source="wrong"), actor=None, reason="not what it says")
    return board


def addresses(board):
    first = Result.objects.get(printed="0.3010")
    return {
        "leaderboard": f"/api/v1{board.get_absolute_url()}results/",
        "system": f"/api/v1/systems/{first.system.slug}/results/",
        "paper": f"/api/v1/papers/{first.paper.slug}/results/",
    }


def texts_of(response) -> list[str]:
    """Return the file, or the files of the archive."""
    assert response.status_code == 200, response.content
    if response["Content-Type"] != "application/zip":
        return [response.content.decode()]
    archive = zipfile.ZipFile(io.BytesIO(response.content))
    return [archive.read(name).decode() for name in archive.namelist()]


@pytest.mark.parametrize(("name", "what"), every(2, product(FORMATS, PUBLIC), __file__))
def test_what_is_taken_away_is_the_same_when_it_is_handed_in(client, board, what, name):
    response = client.get(f"{addresses(board)[what]}?format={name}")
    program, results = Program(), []
    for text in texts_of(response):
        query, media_type = f"?dry_run=true&format={name}", FORMATS[name].media_type
        checked = program.ask("create_submission", LIST + query, text, content_type=media_type)
        results += checked.json()["results"]
    if name in {"csv", "json", "every_eval_ever"} or what != "leaderboard":
        assert {row["outcome"] for row in results} == {"same"}, results
    else:
        # A replicate names its first instance, which stands in another file: it is on the record all the same.
        assert [row["outcome"] for row in results].count("same") >= 1
    assert len(results) == 2 + (what == "paper")


def test_a_csv_file_is_loaded_as_it_is(client, board, tmp_path: Path):
    (tmp_path / "results.csv").write_bytes(client.get(f"{addresses(board)['leaderboard']}?format=csv").content)
    before = list(Result.objects.order_by("pk").values())
    call_command("load_results", tmp_path / "results.csv", verbosity=0)
    assert list(Result.objects.order_by("pk").values()) == before


def test_what_several_have_read_is_the_same_when_it_is_read_again(client, board):
    Result.objects.filter(printed="0.3010").update(provenance="author_confirmed")
    text = client.get(addresses(board)["leaderboard"]).content.decode()
    checked = Program().ask("create_submission", f"{LIST}?dry_run=true", text).json()
    assert checked["counts"]["same"] == 2


def test_a_model_has_one_log_a_source_with_its_revision_and_without_its_release(client):
    model = make_system("BAAI/bge-m3", "BAAI")
    for _ in range(3):
        make_result(make_leaderboard(), model, "0.25", source="mteb", date=date(2024, 6, 28))
    SystemFacts.objects.create(
        system=model, model="BAAI/bge-m3", revision="5617a9f6", source="mteb", recorded_at=timezone.now()
    )
    (text,) = texts_of(client.get(f"/api/v1/systems/{model.slug}/results/?format=every_eval_ever"))
    log = json.loads(text)
    assert len(log["evaluation_results"]) == 3
    assert (log["model_info"]["id"], log["model_info"]["additional_details"]["revision"]) == ("BAAI/bge-m3", "5617a9f6")
    assert "evaluation_timestamp" not in text


@pytest.mark.slow
@pytest.mark.parametrize("name", ["json", "csv", "run_card"])
def test_what_ships_is_the_same_when_it_is_handed_in(client, tmp_path: Path, name):
    data = settings.BASE_DIR / "data"
    call_command("load_catalog", data, verbosity=0)
    for path in sorted((data / "results").glob("*.csv")):
        header, *lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        chosen = [line for line in lines if line.startswith("trec-7-adhoc,")]
        if chosen:
            (tmp_path / path.name).write_text("".join([header, *chosen]), encoding="utf-8")
            call_command("load_results", tmp_path / path.name, verbosity=0)
    text = client.get(f"/api/v1/leaderboards/trec-7-adhoc/AP/results/?format={name}")
    outcomes = Counter()
    for part in texts_of(text)[:100]:
        rows = read_given(FORMATS[name].read(part))
        check_rows(rows)
        outcomes.update(row.outcome for row in rows)
    assert set(outcomes) == {"same"}
    assert outcomes["same"] >= 100


# --- submissions


@pytest.mark.parametrize("name", FORMATS)
def test_a_submission_can_be_taken_away_and_handed_in_again(board, name):
    program = Program()
    rows = [row(value="0.3012"), row(measure="P@10", value="0.40")]
    make_measure("P@10")
    draft = program.create(rows).json()
    address = f"{LIST}{draft['id']}/results/?format={name}"
    (text,) = texts_of(program.client.get(address, headers=program.headers))
    Submission.objects.all().delete()
    response = program.ask("create_submission", f"{LIST}?format={name}", text, content_type=FORMATS[name].media_type)
    assert [row["cells"] for row in response.json()["results"]] == rows
