"""The search of every page, from the keyboard and without scripts."""

import pytest
from playwright.sync_api import expect

from tests.browser.looking import GUIDELINES, faults, open_page, violations

pytestmark = pytest.mark.browser


def test_a_slash_leads_to_the_search_and_suggestions_to_the_find(site, browser):
    page, complaints = open_page(browser, site + "/methods/")
    page.keyboard.press("/")
    search = page.get_by_role("combobox", name="Search")
    expect(search).to_be_focused()
    page.keyboard.type("robust04")
    first = page.get_by_role("option").first
    expect(first).to_contain_text("TREC 2004 Robust")
    page.keyboard.press("ArrowDown")
    expect(first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    page.wait_for_url("**/collections/trec-2004-robust/")
    assert complaints == []


def test_on_a_phone_a_link_leads_to_the_search_and_a_menu_to_all_else(site, browser):
    page, complaints = open_page(browser, site + "/methods/")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("#site-search")).to_be_hidden()
    pages = page.get_by_role("navigation", name="Site")
    expect(pages).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    expect(pages.get_by_role("link")).to_have_count(10)
    assert violations(page, GUIDELINES) == []
    page.keyboard.press("Escape")
    expect(pages).to_be_hidden()
    page.get_by_role("banner").get_by_role("link", name="Search").click()
    page.locator("#q").fill("robust04")
    expect(page.get_by_role("option").first).to_contain_text("TREC 2004 Robust")
    assert faults(page) == []
    assert complaints == []


def test_escape_closes_the_suggestions_and_enter_searches(site, browser):
    page, complaints = open_page(browser, site + "/")
    page.keyboard.press("/")
    page.keyboard.type("robust")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("option")).to_have_count(0)
    page.keyboard.press("Enter")
    page.wait_for_url("**/search/?q=robust")
    expect(page.get_by_role("link", name="TREC 2004 Robust", exact=True)).to_be_visible()
    assert complaints == []


def test_it_works_without_scripts(site, browser):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(site + "/")
    page.locator("#site-search").fill("cormack")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Papers")).to_be_visible()
