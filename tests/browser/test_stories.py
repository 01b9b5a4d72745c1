"""What people come for, each in three clicks from the first page at most."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.looking import open_page, tab_to

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CLICKS = 3


class Reader:
    """Somebody with a page, whose clicks are counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks = page, 0

    def click(self, role: str, name: str | re.Pattern[str]) -> None:
        self.page.get_by_role(role, name=name).first.click()
        self.clicks += 1

    def is_done(self) -> None:
        assert self.clicks <= CLICKS


def at_home(browser: Browser, site: str, *, width: int = 1280) -> Reader:
    page, _ = open_page(browser, site + "/", width=width)
    return Reader(page)


def type_of_search(page: Page, text: str) -> None:
    """Type into the large search of the first page, and wait for what is suggested."""
    page.get_by_role("main").get_by_role("combobox").fill(text)
    expect(page.get_by_role("option").first).to_be_visible()


def test_the_honest_best_of_scifact_and_how_to_cite_it(stock, browser):
    reader = at_home(browser, stock)
    type_of_search(reader.page, "SciFact nDCG@10")
    reader.click("option", re.compile("BEIR SciFact, nDCG@10"))
    expect(reader.page.locator("p.claim")).to_have_text(
        re.compile(r"^On BEIR SciFact, \d+ of \d+ zero-shot results tie for first")
    )
    expect(reader.page.locator(".chip[aria-current]")).to_contain_text("Zero-shot")
    reader.click("link", "Cite this")
    expect(reader.page.locator("main")).to_contain_text("@misc{plumbline-", use_inner_text=True)
    expect(reader.page.locator("main")).to_contain_text("zero-shot results are statistically tied", use_inner_text=True)
    reader.is_done()


def test_three_models_are_compared(stock, browser):
    reader = at_home(browser, stock)
    reader.click("link", "Compare")
    reader.page.locator("input[name=system]").first.fill("splade-v3")  # Two others stand there, as the example.
    reader.page.locator("main button").first.click()
    reader.clicks += 1
    leading = re.compile(r"^Zero-shot, .* (on|of) \d+ leaderboards\.$")
    expect(reader.page.locator("h1.claim")).to_have_text(leading)
    expect(reader.page.get_by_role("columnheader", name="Benchmark")).to_be_visible()
    assert reader.page.evaluate("document.documentElement.scrollHeight") <= 3 * 900
    reader.is_done()


def test_a_weak_baseline_is_found_out(stock, browser):
    reader = at_home(browser, stock)
    reader.click("link", "Check a score")
    for name, value in (("Collection", "SciFact"), ("Measure", "nDCG@10"), ("Score", ""), ("Baseline", "0.25")):
        reader.page.get_by_label(re.compile(f"^{name}")).first.fill(value)
    reader.click("button", "Check")
    expect(reader.page.locator("h1.claim")).to_contain_text("Weak baseline")
    reader.is_done()


def test_whether_robust04_added_up(stock, browser):
    reader = at_home(browser, stock)
    reader.click("link", re.compile("^What papers on TREC 2004 Robust compared with"))
    expect(reader.page.locator("h2.claim").first).to_contain_text("luck alone would give up to")
    expect(reader.page.locator("#gains + .claim")).to_contain_text("the gains claimed add up to")
    reader.is_done()


def test_who_leads_on_beir_and_who_could_elsewhere(stock, browser):
    reader = at_home(browser, stock)
    reader.click("link", "Benchmarks")
    reader.click("link", "BEIR (13 data sets)")
    claim = reader.page.locator("p.claim")
    expect(claim).to_have_text(re.compile("has the best (ranked )?mean, .*has the best zero-shot mean"))
    expect(reader.page.locator("main")).to_contain_text("Could lead elsewhere", use_inner_text=True)
    reader.click("link", re.compile("^Zero-shot"))
    expect(claim).to_have_text(re.compile(r"best zero-shot mean; \d+ of \d+ systems could lead on new"))
    leader, *others = reader.page.locator("table.cards").first.locator("tbody tr").all()
    expect(leader).to_contain_text("could lead")
    assert len(others) > 10
    reader.is_done()


def test_on_a_phone(stock, browser):
    reader = at_home(browser, stock, width=390)
    type_of_search(reader.page, "Robust04 AP")
    reader.click("option", re.compile("TREC 2004 Robust, AP"))
    drawing = reader.page.locator(".plumb-figure svg.chart.narrow-drawing")
    expect(drawing).to_be_visible()
    assert drawing.bounding_box()["y"] < 700
    years = reader.page.locator("#over-years details[data-fold]")
    expect(years).not_to_have_attribute("open", "")
    reader.page.get_by_role("heading", name=re.compile("^Over the years: papers claim")).click()
    expect(reader.page.locator("#years svg.narrow-drawing")).to_be_visible()
    reader.is_done()


def test_from_the_keyboard(stock, browser):
    reader = at_home(browser, stock)
    page = reader.page
    page.keyboard.press("/")
    page.keyboard.type("SciFact nDCG@10")
    expect(page.get_by_role("option").first).to_contain_text("BEIR SciFact, nDCG@10")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/leaderboards/beir-scifact/nDCG@10/")
    tab_to(page, "All 311")
    page.keyboard.press("Enter")
    page.wait_for_url("**training=all*")
    expect(page.locator("p.claim")).to_have_text(re.compile(r"\d+ of (all )?3\d\d \w+ tie for first"))
    tab_to(page, "BibTeX")
    reader.is_done()


def test_without_scripts(stock, browser):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(stock + "/")
    reader = Reader(page)
    page.get_by_role("main").get_by_role("searchbox").fill("SciFact nDCG@10")
    page.keyboard.press("Enter")
    reader.click("link", re.compile("BEIR SciFact, nDCG@10"))
    expect(page.locator("p.claim")).to_contain_text("zero-shot results tie for first")
    expect(page.locator("#years svg").first).to_be_visible()
    page.get_by_text("Filter by").click()
    reader.click("link", "baseline")
    expect(page.locator("main")).to_contain_text("Ranked: baseline", use_inner_text=True)
    reader.is_done()


def pages_of(page: Page) -> int:
    """Return how many sheets of A4 it prints on."""
    return len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(format="A4")))


def test_a_leaderboard_prints_on_two_pages_and_its_snapshot_on_one(stock, browser):
    page, _ = open_page(browser, stock + "/leaderboards/beir-scifact/nDCG@10/")
    assert pages_of(page) <= 2
    page.get_by_role("link", name="Cite this", exact=True).click()
    page.wait_for_url("**/snapshots/*/")
    assert pages_of(page) == 1


#: Pixels that a page is long at most, by the width of the screen.
LONGEST = {
    "/leaderboards/beir-scifact/nDCG@10/": {1280: 2850, 390: 3500},
    "/leaderboards/trec-2004-robust/AP/": {1280: 2850, 390: 3500},
    "/benchmarks/beir-13/nDCG@10/": {1280: 2850, 390: 3900},
}


@pytest.mark.parametrize("path", LONGEST)
def test_leaderboards_and_benchmarks_are_no_longer_than_they_may_be(stock, browser, path):
    for width, longest in LONGEST[path].items():
        page, _ = open_page(browser, stock + path, width=width)
        assert page.evaluate("document.documentElement.scrollHeight") <= longest, width


@pytest.mark.parametrize("width", [1280, 1000, 800, 720, 390])
def test_words_in_figures_are_never_smaller_than_eleven_pixels(stock, browser, width):
    page, _ = open_page(browser, stock + "/leaderboards/trec-2004-robust/AP/", width=width)
    page.evaluate("for (const one of document.querySelectorAll('#over-years details')) one.open = true")
    sizes = page.evaluate(
        """() => [...document.querySelectorAll("svg.chart text")].flatMap(text => {
          const frame = text.ownerSVGElement, wide = frame.getBoundingClientRect().width;
          return wide ? [parseFloat(getComputedStyle(text).fontSize) * wide / frame.viewBox.baseVal.width] : [];
        })"""
    )
    assert len(sizes) > 20
    assert min(sizes) >= 11
