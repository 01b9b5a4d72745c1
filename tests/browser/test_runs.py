"""A newcomer scores the example: within three clicks and ten seconds, without an account, with scripts and without."""

import subprocess
import sys

import pytest
from playwright.sync_api import Browser, Page, expect

from analysis.papers.shipped import list_runs, read_run
from registry.core.loading import SHIPPED
from tests.browser.looking import GUIDELINES, faults, open_page, violations
from tests.databases import ROOT

pytestmark = pytest.mark.browser

#: What ships of DL 2019: a part of the results, of which one leaderboard is analysed, and the judgements.
LOADING = """
from pathlib import Path
from django.core.management import call_command
from registry.runs.services.judging import load_judgements
call_command("load_results", *{paths!r}, verbosity=0)
call_command("recompute", "trec-dl-2019-passage", "nDCG@10", verbosity=0)
assert not load_judgements(path=Path("data/judgements/manifest.csv")).refused
"""


@pytest.fixture(scope="module")
def working(site, environment, do, tmp_path_factory):
    """The site with the judgements of DL 2019, and a worker."""
    folder = tmp_path_factory.mktemp("dl-2019")
    paths = []
    for name in ("rank_llm.csv", "trec_adhoc.csv"):
        lines = (ROOT / "data/results" / name).read_text().splitlines(keepends=True)
        of_collection = [line for line in lines if line.startswith("trec-dl-2019-passage,")]
        (folder / name).write_text("".join([lines[0], *of_collection]))
        paths.append(str(folder / name))
    do(LOADING.format(paths=paths))
    worker = subprocess.Popen([sys.executable, "manage.py", "work"], cwd=ROOT, env=environment)
    yield site
    worker.terminate()
    # It ends what it has begun.
    worker.wait(60)


def drop(page: Page, name: str) -> None:
    """Drop a run that ships, with blank lines after it: a file of another name is another one."""
    run = read_run(SHIPPED, next(shipped for shipped in list_runs(SHIPPED) if shipped.name == "RepLLaMA"))
    file = {"name": name, "mimeType": "text/plain", "buffer": run + b"\n" * len(name)}
    page.get_by_label("Drop a file or choose one").set_input_files(file)


def ready(page: Page) -> None:
    """See that its verdict stands there. How long it takes is what `python -m tests.benchmarks waiting` prints."""
    expect(page.get_by_role("heading", name="Cite this")).to_be_visible(timeout=120_000)
    expect(page.get_by_text("On TREC 2019 Deep Learning passage ranking (nDCG@10), 0.7384 is")).to_be_visible()


def test_the_example_gives_its_verdict_in_two_clicks(working, browser: Browser):
    page, complaints = open_page(browser, working + "/")
    page.get_by_role("navigation", name="Site").get_by_role("link", name="Score a run").click()
    assert violations(page, GUIDELINES) == []
    page.get_by_role("button", name="Try the example").click()
    ready(page)
    expect(page.get_by_text("rank range").first).to_be_visible()
    assert violations(page, GUIDELINES) == []
    assert faults(page) == []
    page.get_by_role("button", name="Delete now").click()
    expect(page.get_by_role("heading", name="Drop a run file")).to_be_visible()
    assert complaints == []


def test_a_file_that_is_dropped_is_recognized(working, browser: Browser):
    page, complaints = open_page(browser, working + "/runs/")
    drop(page, "my.run")
    ready(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("my on TREC 2019 Deep Learning passage ranking")
    assert complaints == []


def test_without_scripts_a_button_sends_it_and_the_page_asks_again(working, browser: Browser):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(working + "/runs/")
    drop(page, "plain.run")
    page.get_by_role("button", name="Score it").click()
    ready(page)


def looked_at(page: Page) -> None:
    """See that it has no barrier in either theme, what is folded included."""
    page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
    assert faults(page) == []
    page.set_viewport_size({"width": 1280, "height": 900})


@pytest.mark.slow
def test_what_is_studied_of_a_run_has_no_barrier(working, browser: Browser, sign_in):
    page, complaints = open_page(browser, working + "/runs/")
    sign_in(page)
    page.reload()
    drop(page, "studied.run")
    ready(page)
    address = page.url
    page.get_by_role("button", name="Study it").click()
    expect(page.get_by_text("How sure is this?")).to_be_visible(timeout=60_000)
    looked_at(page)
    page.goto(address)
    page.get_by_role("button", name="Resample the documents").click()
    expect(page.get_by_role("heading", name="Means")).to_be_visible(timeout=180_000)
    looked_at(page)
    assert complaints == []


@pytest.mark.slow
def test_a_board_of_ones_own_on_a_phone_has_its_last_columns_on_the_screen(working, browser: Browser, sign_in):
    page, complaints = open_page(browser, working + "/runs/", width=390)
    sign_in(page)
    page.goto(working + "/runs/own/")
    page.fill("[name=name]", "Claims")
    page.fill("[name=measures]", "nDCG@10")
    page.get_by_role("button", name="Create").click()
    address = page.url
    names = [f"a-system-with-a-name-of-some-length-{number}" for number in range(4)]
    lines = [",".join(["topic", *names]), *(f"t{n},{n % 7 / 9},{n % 5 / 9},{n % 3 / 9},{n % 4 / 9}" for n in range(20))]
    table = {"name": "t.csv", "mimeType": "text/csv", "buffer": "\n".join(lines).encode()}
    page.locator("[action$='/tables/'] [name=file]").set_input_files(table)
    page.get_by_role("button", name="Send it").click()
    verdict = page.get_by_role("link", name="The verdict")
    while not verdict.count():  # Until the test's own time is up.
        page.wait_for_timeout(500)
        page.goto(address)
    verdict.click()
    expect(page.get_by_text("How sure is this?")).to_be_visible()
    board = page.url
    for path in (address, board, f"{board}?first={names[0]}&margin=.1", f"{board}?first={names[0]}&second={names[1]}"):
        page.goto(path)
        page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
        assert page.locator("table").count() > 0, path
        cells = [cell.bounding_box() for cell in page.locator("tbody :is(th, td)").all() if cell.is_visible()]
        assert max(cell["x"] + cell["width"] for cell in cells) <= 390, path
        assert faults(page) == [], path
        page.set_viewport_size({"width": 390, "height": 844})
    assert complaints == []
