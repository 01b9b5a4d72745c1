"""A table reviewed in a real browser: whose rows are whose, a page to print, a link that holds the table itself."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.looking import GUIDELINES, SIZES, violations
from tests.thoroughness import every

pytestmark = pytest.mark.browser

TABLE = "System,Robust04 MAP\nBase,0.2300\nOurs,0.2350\n"
HEADLINE = re.compile("^Ours has no significant gain over the best baseline on TREC 2004 Robust")


@pytest.mark.parametrize(("width", "scheme"), every(2, SIZES, __file__, start=1))
def test_a_table_is_reviewed_printed_and_sent_as_a_link(site, browser: Browser, width, scheme):
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, permissions=["clipboard-read", "clipboard-write"]
    )
    page = context.new_page()
    page.goto(f"{site}/")
    page.goto(f"{site}/review-table/")
    page.get_by_label(re.compile("^Table")).fill(TABLE)
    page.get_by_role("button", name="Review", exact=True).click()
    expect(page.get_by_role("group", name="Your rows").get_by_label("Ours")).to_be_checked()
    page.get_by_role("group", name=re.compile("^Baselines")).get_by_label("Base").check()
    page.get_by_role("button", name="Review", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(HEADLINE)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page, GUIDELINES) == []

    page.get_by_role("button", name="Copy a link that holds the table").click()
    expect(page.get_by_role("button", name=re.compile("^Copied"))).to_be_visible()
    address = page.evaluate("navigator.clipboard.readText()")
    asked = []
    other = context.new_page()
    other.on("request", lambda request: asked.append(request.url))
    other.goto(address)
    expect(other.get_by_role("heading", level=1)).to_have_text(HEADLINE)
    assert "#table=" in address
    assert not [url for url in asked if "table=" in url], "what follows the # is sent to nobody"

    # The claims have all of the page's width, and paper has nothing to answer or to send.
    main, claims = (page.locator(selector).bounding_box() for selector in ("main", ".table-frame:has(.claims)"))
    assert claims["width"] > 0.9 * main["width"]
    bar = page.locator(".chart.strip").first.bounding_box()
    assert bar["x"] + bar["width"] <= width
    page.emulate_media(media="print")
    expect(page.get_by_text("Nothing of the table is stored")).to_be_hidden()
    expect(page.get_by_text(re.compile(r"^Reviewed by Plumbline on \d+ \w+ \d{4}"))).to_be_visible()
    assert len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(format="A4"))) == 1
    other.goto(f"{site}/")
    other.goto(address[:-20])
    expect(other.get_by_role("alert")).to_contain_text("The link holds no whole table")
