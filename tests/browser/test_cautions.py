"""A caution from both sides, in a real browser: answered by who knows more, cleared by an editor."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.looking import SIZES
from tests.browser.test_reviewing import fill, person, require_no_barriers
from tests.thoroughness import every

pytestmark = pytest.mark.browser

BOARD = "/leaderboards/vaswani/AP/"


#: What the site is told to do: load a file, and analyse the leaderboard.
LOAD = "from django.core.management import call_command; call_command('load_results', {!r}, verbosity=0)"
ANALYSE = "from django.core.management import call_command; call_command('recompute', 'vaswani', 'AP', verbosity=0)"


@pytest.fixture(scope="module")
def apart(site: str, do: Callable[[str], None], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a leaderboard on which one score stands apart from those of 30 other teams."""
    rows = [f"vaswani,AP,run {n},team {n},0.{200 + n}" for n in range(30)] + ["vaswani,AP,apart,another,0.900"]
    lines = ["collection,measure,system,team,value,role,source,year"]
    path = Path(tmp_path_factory.mktemp("results"), "vaswani.csv")
    path.write_text("\n".join([*lines, *(f"{row},leaderboard,a test,2020" for row in rows), ""]))
    do(LOAD.format(str(path)))
    do(ANALYSE)
    return site + BOARD


@pytest.mark.parametrize(("width", "scheme"), every(2, SIZES, __file__, start=1))
def test_a_caution_is_answered_and_cleared(site, sign_in, do, apart, browser: Browser, width, scheme):
    looks = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    somebody = person(browser, sign_in, **looks)
    editor = person(browser, sign_in, "editor", **looks)

    somebody.goto(apart)
    caution = somebody.locator("#caution-stands-apart")
    expect(caution).to_contain_text("stands apart from all others")
    require_no_barriers(somebody)
    caution.get_by_role("link", name="Say what you know about this").click()
    somebody.get_by_role("link", name="Say what you know about this").click()
    fill(somebody, "Answer", "It was run by two groups.")
    fill(somebody, "Link", "https://example.org/runs")
    require_no_barriers(somebody)
    somebody.get_by_role("button", name="Say what you know about this").click()
    expect(somebody.locator("main")).to_contain_text("Your answer stands beside it.")
    somebody.goto(apart)
    expect(caution).to_contain_text("It was run by two groups.")
    expect(caution.get_by_role("link", name="example.org/runs")).to_be_visible()

    editor.goto(apart)
    editor.locator("#caution-stands-apart").get_by_role("link", name="Say what you know about this").click()
    editor.get_by_role("link", name="Decide on it").click()
    editor.get_by_label(re.compile("Clear it")).check()
    fill(editor, "Reason", "Two groups ran it.")
    require_no_barriers(editor)
    editor.get_by_role("button", name="Decide on it").click()
    expect(editor.locator("main")).to_contain_text("It is decided.")
    do(ANALYSE)
    somebody.goto(apart)
    expect(caution).to_have_count(0)
    expect(somebody.locator("#cleared-stands-apart")).to_contain_text("Two groups ran it.")
    assert "held back" not in somebody.locator("main .claim").inner_text()
    require_no_barriers(somebody)

    editor.locator("main").get_by_role("link", name="Decide on it").click()
    editor.get_by_label(re.compile("Keep it")).check()
    fill(editor, "Reason", "One of them was the maker.")
    editor.get_by_role("button", name="Decide on it").click()
    expect(editor.locator("main")).to_contain_text("It is decided.")
    do(ANALYSE)
    somebody.goto(apart)
    expect(caution).to_contain_text("One of them was the maker.")
    caution.get_by_role("link", name="Say what you know about this").click()
    somebody.get_by_role("link", name="Take back").click()
    fill(somebody, "Reason", "It was one group.")
    somebody.get_by_role("button", name="Take an answer back").click()
    expect(somebody.locator("main")).to_contain_text("It is taken back.")
    somebody.goto(apart)
    expect(caution).not_to_contain_text("It was run by two groups.")
    for page in (somebody, editor):
        page.context.close()
