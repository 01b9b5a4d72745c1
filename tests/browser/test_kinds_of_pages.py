"""Every kind of page that a reader may meet has no barrier, is not cut off and fits, in light and in dark."""

import pytest

from tests.browser.addresses import ADDRESSES, OTHERS, SENT
from tests.browser.looking import GUIDELINES, faults, open_page, violations
from tests.budgets import address_of, spent_on
from tests.kinds_of_pages import kinds_of_pages

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_each_kind_has_a_page_here():
    assert ADDRESSES.keys() | SENT == kinds_of_pages().keys()


@pytest.mark.parametrize("where", [*ADDRESSES.values(), *OTHERS], ids=[*ADDRESSES, *OTHERS])
def test_it_has_no_barrier_in_either_theme(stock, browser, where):
    page, complaints = open_page(browser, f"{stock}/contact/")
    address = address_of(where, page, stock)
    assert page.goto(stock + address).status == 200
    # What is folded is read as well.
    page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
    assert faults(page) == []
    assert violations(page, GUIDELINES) == [], "dark, on a phone"
    assert complaints == []
    page.context.close()


def test_pasted_scores_are_answered_without_a_barrier(stock, browser):
    page, complaints = open_page(browser, f"{stock}/leaderboards/clef-tar-2019-abs/AP/")
    results = page.eval_on_selector_all("main a[href^='/results/']", "links => links.map(link => link.pathname)")
    first, second = sorted({path.split("/")[2] for path in results})[:2]
    page.goto(f"{stock}/leaderboards/clef-tar-2019-abs/AP/pairs/{first}/{second}/")
    page.evaluate("for (const folded of document.querySelectorAll('main details')) folded.open = true")
    page.fill("[name=scores]", "".join(f"{topic},{0.3 + topic / 40},{0.25 + topic / 50}\n" for topic in range(1, 21)))
    page.click("button:has-text('Compare')")
    page.wait_for_selector("h1:has-text('Do these two systems differ?')")
    assert faults(page) == []
    assert complaints == []
    page.context.close()


#: What a page may cost a reader who has nothing of it, in kilobytes, and how far it may move what is seen already.
KILOBYTES, SHIFT = 60, 0


def test_pages_are_light_and_stay_where_they_are(stock, browser):
    def spent(where):
        return spent_on(browser, stock + address_of(where, page, stock), width=390)

    page = browser.new_page()
    seen = {where: spent(where) for where in ADDRESSES.values()}
    assert all(one.height > 300 and one.kilobytes > 10 for one in seen.values())
    # A machine that is busy may draw half of a page first; what is wrong with a page comes each time.
    wrong = [where for where, one in seen.items() if one.kilobytes > KILOBYTES or one.shift > SHIFT]
    again = {where: spent(where) for where in wrong}
    page.close()
    assert {where: one for where, one in again.items() if one.kilobytes > KILOBYTES or one.shift > SHIFT} == {}
