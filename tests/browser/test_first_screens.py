"""The leaderboards with most before their figure: it is on the first screen of each, behind five links at most.

``first_screens.txt`` has the first 60 that ``python -m tests.first_screens`` names on a site with all that ships.
"""

import csv
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import served
from tests.browser.stocked import environment_of
from tests.databases import ROOT, collect_static_files, loaded_sqlite

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LONGEST = Path(__file__).with_name("first_screens.txt").read_text().split()

#: Where the drawing begins that is seen, and how many links stand before its figure.
_BEFORE = """() => {
  const figure = document.querySelector("main figure.plumb-figure");
  const drawing = [...figure.querySelectorAll("svg.chart")].find(one => one.getBoundingClientRect().width);
  const links = [...document.querySelectorAll("main a")].filter(
    link => link.checkVisibility() && link.compareDocumentPosition(figure) & Node.DOCUMENT_POSITION_FOLLOWING);
  return [drawing.getBoundingClientRect().top, links.length];
}"""

LOADING = """
import sys
import django
django.setup()
from django.core.management import call_command
call_command("load_results", sys.argv[1], verbosity=0)
call_command("recompute", processes=1, verbosity=0)
"""


@pytest.fixture(scope="module")
def longest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site with these leaderboards."""
    home = tmp_path_factory.mktemp("longest")
    environment = environment_of(home)
    shutil.copyfile(loaded_sqlite(), home / "plumbline.sqlite3")
    collect_static_files(home)
    wanted = {tuple(address.split("/")[2:4]) for address in LONGEST}
    with (home / "longest.csv").open("w", newline="") as file:
        rows = []
        for path in sorted((ROOT / "data/results").glob("*.csv")):
            with path.open(newline="") as source:
                rows += [row for row in csv.DictReader(source) if (row["collection"], row["measure"]) in wanted]
        writer = csv.DictWriter(file, dict.fromkeys(name for row in rows for name in row))
        writer.writeheader()
        writer.writerows(rows)
    command = [sys.executable, "-c", LOADING, str(home / "longest.csv")]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    with served(environment) as address:
        yield address


@pytest.mark.parametrize(("width", "height", "limit"), [(1280, 900, 600), (390, 844, 700)])
def test_the_figure_of_every_leaderboard_is_on_the_first_screen(
    longest: str, browser: Browser, width: int, height: int, limit: int
) -> None:
    page = browser.new_context(viewport={"width": width, "height": height}).new_page()
    low = []
    for address in LONGEST:
        page.goto(longest + address)
        top, n_links = page.evaluate(_BEFORE)
        if top > limit or n_links > 11:
            low.append((address, top, n_links))
    assert len(LONGEST) == 60
    assert low == []
