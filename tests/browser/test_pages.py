"""Every kind of page in a real browser: no error, no broken policy, fits a phone, no barrier."""

import json
import urllib.request

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

MEANS = "/leaderboards/trec-2004-robust/AP/"
TOPICS = "/leaderboards/clef-tar-2019-abs/AP/"
PAGES = (
    "/", "/collections/", "/collections/?q=robust", "/collections/trec-2004-robust/", MEANS, TOPICS,
    f"{MEANS}?scale=published", f"{MEANS}?role=proposed", "/leaderboards/trec-2004-robust/P@5/", "/methods/",
    "/methods/best-result/", "/docs/", "/docs/api/", "/log/", "/accounts/login/", "/accounts/signup/", "/results/1/",
    "/systems/1/", "/papers/1/",
)  # fmt: skip


def open_page(browser: Browser, address: str, *, width: int, scheme: str) -> tuple[Page, list[str]]:
    """The page, and what the browser complained of while it opened."""
    page = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
    complaints: list[str] = []
    page.on(
        "console", lambda message: complaints.append(message.text) if message.type in {"error", "warning"} else None
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    response = page.goto(address)
    assert response is not None
    assert response.status == 200
    page.wait_for_load_state("networkidle")
    return page, complaints


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
@pytest.mark.parametrize("path", PAGES)
def test_it_opens_without_complaint_or_barrier_and_fits(site, browser, path, width, scheme):
    page, complaints = open_page(browser, site + path, width=width, scheme=scheme)
    assert complaints == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
    assert [(one["id"], one["nodes"][0]["target"]) for one in found.response["violations"]] == []
    page.context.close()


def test_the_figure_is_drawn_and_follows_the_theme(site, browser):
    page, complaints = open_page(browser, site + MEANS, width=1280, scheme="light")
    page.wait_for_selector(".plot .main-svg .barlayer path")
    before = page.locator(".plot .barlayer path").first.evaluate("bar => getComputedStyle(bar).fill")
    page.emulate_media(color_scheme="dark")
    for _ in range(100):
        if page.locator(".plot .barlayer path").first.evaluate("bar => getComputedStyle(bar).fill") != before:
            break
        page.wait_for_timeout(100)
    assert page.locator(".plot .barlayer path").first.evaluate("bar => getComputedStyle(bar).fill") != before
    assert complaints == []


def test_it_is_read_and_filtered_without_scripts(site, browser):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(site + MEANS)
    assert "may be the best" in page.inner_text("main") or "could just as well be the best" in page.inner_text("main")
    page.get_by_role("link", name="baseline", exact=True).first.click()
    assert "role=baseline" in page.url
    assert page.locator("tbody tr").count() > 100


def test_search_leads_to_a_leaderboard(site, browser):
    page, _ = open_page(browser, f"{site}/", width=1280, scheme="light")
    page.get_by_role("searchbox").last.fill("robust04")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="TREC 2004 Robust", exact=True).click()
    page.get_by_role("link", name="AP", exact=True).first.click()
    assert page.url == site + MEANS


def test_the_json_twin_says_what_the_page_says(site, browser):
    with urllib.request.urlopen(f"{site}{MEANS.rstrip('/')}.json") as answer:
        document = json.load(answer)
    page, _ = open_page(browser, site + MEANS, width=1280, scheme="light")
    text = page.inner_text("main")
    assert f"The best of {document['n_results']} independent results is {document['max']:.4f}" in text
    assert page.locator("tr.is-marked").count() == document["best_set"]["n_members"]
    assert f"{document['winner']['estimate']:.4f}" in text
