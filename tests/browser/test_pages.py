"""Every kind of page in a real browser: no error, no broken policy, fits a phone, no barrier, works without scripts."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.looking import SIZES, faults, listen, open_page, tab_to
from tests.thoroughness import every

pytestmark = pytest.mark.browser

MEANS = "/leaderboards/trec-2004-robust/AP/"
TOPICS = "/leaderboards/clef-tar-2019-abs/AP/"
PAGES = (
    "/",
    "/collections/",
    "/collections/?q=robust",
    "/collections/?q=no+such+thing",
    "/collections/trec-2004-robust/",
    MEANS,
    TOPICS,
    f"{TOPICS}pairs/",
    f"{TOPICS}pairs/?test=tukey",
    f"{TOPICS}topics/",
    f"{MEANS}?scale=published&n_multiplier=3",
    f"{MEANS}?role=proposed&published_by=2009-12-31",
    f"{MEANS}?as_of=2001-01-01",
    f"{MEANS}?q=cormack&columns=rank,team,role,z&rows=300",
    "/leaderboards/trec-2004-robust/P@5/",
    "/search/",
    "/check/",
    "/check/?n=103&topics=50&mean=0.2&best=0.303&sd=0.08&correlation=0.6",
    "/check/?collection=robust04&measure=map&score=0.305&baseline=0.251&tried=20",
    "/collections/trec-2004-robust/baselines/",
    "/collections/trec-2004-robust/standardized/",
    "/compare/",
    "/compare/?system=1&system=2",
    "/review-table/",
    "/search/?q=robust04",
    "/search/?q=cormack&kind=paper",
    "/search/?q=no+such+thing",
    "/measures/AP/",
    "/measures/",
    "/leaderboards/",
    "/systems/?q=cormack",
    "/papers/",
    "/systems/1/",
    "/papers/1/",
    "/results/1/",
    "/log/",
    "/log/1/",
    "/collections/trec-2004-robust/log/",
    "/methods/",
    "/methods/best-result/",
    "/methods/papers/",
    "/methods/papers/carterette-2015/",
    "/docs/",
    "/docs/api/",
    "/docs/sources/",
    "/docs/terms/",
    "/docs/privacy/",
    "/contact/",
    "/data/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
)


@pytest.fixture
def unscripted(browser: Browser) -> Page:
    """A page of a browser that runs no scripts."""
    return browser.new_context(java_script_enabled=False).new_page()


@pytest.fixture(scope="module")
def reader(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """One page for what is only looked at, as a reader goes from page to page, and what the browser complains of."""
    with browser.new_context() as context:
        page = context.new_page()
        yield page, listen(page)


@pytest.mark.parametrize("path", every(3, PAGES, __file__))
def test_it_opens_without_complaint_or_barrier_and_fits(site, reader, path):
    page, complaints = reader
    page.goto("about:blank")
    sizes = every(2, SIZES, __file__, start=PAGES.index(path))
    width, scheme = sizes[0]
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    complaints.clear()
    assert page.goto(site + path).status == 200
    assert faults(page, sizes) == []
    assert complaints == []


def test_a_figure_that_is_explored_is_drawn_and_follows_the_theme(site, browser):
    page, complaints = open_page(browser, site + MEANS)
    page.locator("#equal-means > summary").click()
    for kind, begins in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with page.expect_download() as saved:
            page.locator("#equal-means").get_by_role("button", name=kind).click()
        assert saved.value.suggested_filename == f"leaderboards-trec-2004-robust-AP-figure.{kind.lower()}"
        drawn = saved.value.path().read_bytes()
        assert drawn.startswith(begins)
        assert len(drawn) > 5000
    page.locator("[data-explore=figure]").click()
    bar = page.locator("#figure .barlayer path").first
    bar.wait_for()
    assert page.locator("#figure > .chart").count() == 0
    before = bar.evaluate("bar => getComputedStyle(bar).fill")
    page.emulate_media(color_scheme="dark")
    for _ in range(100):
        if bar.evaluate("bar => getComputedStyle(bar).fill") != before:
            break
        page.wait_for_timeout(100)
    assert bar.evaluate("bar => getComputedStyle(bar).fill") != before
    assert complaints == []


def test_dots_are_named_by_the_keyboard(site, browser):
    page, complaints = open_page(browser, site + MEANS)
    page.locator(".plumb-figure svg.wide-drawing").focus()
    page.keyboard.press("End")
    tip = page.get_by_role("status").filter(has_text="0.")
    best = tip.inner_text()
    page.keyboard.press("Home")
    expect(tip).not_to_have_text(best)
    assert complaints == []


def test_names_that_do_not_come_are_asked_for_once_and_missed_in_words(site, browser):
    page, asked = open_page(browser, site + MEANS)[0], []
    page.route("**/figure.json*", lambda route: asked.append(route.request.url) or route.abort())
    for place in (200, 300, 400):
        page.locator(".plumb-figure svg.wide-drawing").hover(position={"x": place, "y": 100})
    page.get_by_text("The names did not come. Load the page again.").wait_for()
    assert len(asked) == 1


@pytest.mark.parametrize("is_blocked", [True, False], ids=["plotly-away", "without-scripts"])
def test_the_figure_is_there_before_and_without_plotly(site, browser, is_blocked):
    page = browser.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=is_blocked).new_page()
    page.route("**/plotly.min*.js", lambda route: route.abort())
    page.goto(site + MEANS)
    page.locator("#equal-means > summary").click()
    if is_blocked:
        page.locator("[data-explore=figure]").click()
        page.get_by_role("button", name="try again").wait_for()
    figure = page.locator("#figure > .chart")
    bars = figure.locator("path.boxes").bounding_box()
    assert bars["width"] > 100
    assert bars["x"] + bars["width"] <= 390
    assert figure.locator("path.rule.ink").bounding_box()["height"] > 200
    for label in figure.locator("text").all():
        box = label.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["height"] >= 10


def test_plotly_comes_where_somebody_explores_a_figure_and_is_kept(site, browser):
    page = browser.new_context().new_page()
    answers = []
    page.on("response", lambda answer: answers.append(answer))
    for path in ("/", "/collections/trec-2004-robust/", "/systems/1/", "/methods/best-result/", MEANS):
        board = page.goto(site + path, wait_until="networkidle")
    assert not [answer.url for answer in answers if "plotly.min" in answer.url]
    answers.clear()
    page.goto(site + MEANS)
    page.locator("#equal-means > summary").click()
    page.locator("[data-explore=figure]").click()
    page.locator("#figure .barlayer path").first.wait_for()
    (plotly,) = [answer for answer in answers if "plotly.min" in answer.url]
    static = [answer for answer in answers if "/static/" in answer.url and not answer.from_service_worker]
    assert all("immutable" in (answer.header_value("cache-control") or "") for answer in static)
    assert plotly.header_value("content-encoding") == "br"
    assert board.header_value("content-encoding") == "zstd"


@pytest.mark.parametrize("path", ["/collections/", "/leaderboards/"])
def test_a_list_on_a_phone_has_all_of_a_row_within_the_screen(site, browser, path):
    page, _ = open_page(browser, site + path, width=390)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    row = page.locator("table tbody tr").first
    cells = [cell.bounding_box() for cell in row.locator("th, td").all() if cell.is_visible()]
    assert cells
    assert max(cell["x"] + cell["width"] for cell in cells) <= 390


def test_a_wide_table_on_a_phone_has_its_first_columns_on_the_screen_and_shows_that_it_scrolls(site, browser):
    page, _ = open_page(browser, f"{site}{TOPICS}pairs/", width=390)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    frame = page.locator(".table-frame").first
    second = frame.locator("thead th").nth(1).bounding_box()
    edges = frame.bounding_box()
    assert second["x"] + second["width"] <= edges["x"] + edges["width"]
    assert "gradient" in frame.evaluate("frame => getComputedStyle(frame).backgroundImage")


def test_a_result_is_a_card_on_a_phone_with_the_finding_second(site, browser):
    page, _ = open_page(browser, f"{site}{MEANS}", width=390)
    for row in page.locator("table.results tbody tr").all()[:10]:
        name, score, finding = (
            row.locator(of).bounding_box() for of in (".name > a >> nth=0", ".points", ".mark-cell")
        )
        assert name["y"] == pytest.approx(score["y"], abs=2)
        assert finding["y"] == pytest.approx(name["y"] + name["height"], abs=4)
        assert score["x"] + score["width"] <= 390
        assert row.bounding_box()["height"] <= 56
    assert page.evaluate("document.documentElement.scrollHeight") <= 3_400


def test_two_results_are_ticked_and_compared(site, browser):
    page, complaints = open_page(browser, f"{site}{TOPICS}")
    for box in page.locator(".tick input").all()[:2]:
        box.check()
    page.get_by_role("button", name="Compare the ticked").click()
    assert "Significant?" in page.inner_text("main")
    assert complaints == []


def test_what_matters_is_reached_from_the_keyboard(site, browser):
    page, _ = open_page(browser, site + MEANS)
    tab_to(page, "Skip to content", at_most=1)
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    tab_to(page, "Cite this")
    tab_to(page, "Filter by role; find a system; columns")
    page.keyboard.press("Enter")
    for name in ("baseline", "System"):
        tab_to(page, name)
    for name in ("Carterette’s test (2015)", "Download files; earlier versions; a badge"):
        tab_to(page, name, at_most=400)
    page.reload()
    tab_to(page, "System", at_most=100)
    page.keyboard.press("Enter")
    page.wait_for_url("**?sort=system*")


def test_it_is_read_filtered_and_cited_without_scripts(site, unscripted):
    unscripted.goto(site + MEANS)
    expect(unscripted.locator("main")).to_contain_text("10 of 218 results tie for first", use_inner_text=True)
    unscripted.get_by_text("Filter by role").click()
    unscripted.get_by_role("link", name="baseline", exact=True).first.click()
    assert "role=baseline" in unscripted.url
    assert unscripted.locator("table.results tbody tr:not(.cut-note)").count() == 20
    assert unscripted.get_by_role("link", name="BibTeX").count() == 1
    unscripted.get_by_role("link", name="Show it without these choices").click()
    unscripted.get_by_role("link", name="Cite this", exact=True).click()
    unscripted.get_by_text("Two sentences for a paper").click()
    shown = unscripted.inner_text("main")
    assert "@misc{plumbline-" in shown
    assert "~\\cite{plumbline-" in shown
    assert unscripted.get_by_role("button", name="Copy").count() == 0


def test_two_clicks_put_the_citation_into_the_clipboard(site, browser):
    page, complaints = open_page(browser, site + MEANS)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy text").click()
    page.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("On TREC 2004 Robust (AP), 10 of 218 results are statistically tied for first")
    page.get_by_role("link", name="Cite this", exact=True).click()
    page.get_by_role("button", name="Copy", exact=True).first.click()
    page.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("@misc{plumbline-")
    assert copied.rstrip().endswith("}")
    assert complaints == []
