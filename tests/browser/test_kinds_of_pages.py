"""Every kind of page that a reader may meet has no barrier, is not cut off and fits, in light and in dark."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.looking import GUIDELINES, faults, open_page, violations
from tests.kinds_of_pages import kinds_of_pages

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BOARD = "/leaderboards/beir-scifact/nDCG@10/"


def follows(start: str, address: str) -> Callable[[Page, str], str]:
    """The first link on a page that leads to such an address."""

    def found(page: Page, site: str) -> str:
        page.goto(site + start)
        links = page.eval_on_selector_all("main a", "links => links.map(link => link.getAttribute('href'))")
        return next(link for link in links if link and re.fullmatch(address, link))

    return found


#: An address of each kind, or the way there.
ADDRESSES: dict[str, str | Callable[[Page, str], str]] = {
    "core/about_the_data.html": "/methods/calibration/",
    "core/document.html": "/docs/api/",
    "curation/cautions/caution_detail.html": follows(BOARD, r"/results/\d+/cautions/[a-z-]+/"),
    "curation/lineage/lineage_detail.html": "/lineages/?key=team:baai",
    "dumps/dump_list.html": "/data/",
    "leaderboards/board.html": BOARD,
    "leaderboards/collection_detail.html": "/collections/beir-scifact/",
    "leaderboards/collection_list.html": "/collections/",
    "leaderboards/suite_list.html": "/suites/",
    "leaderboards/suite_members.html": "/suites/beir/",
    "results/log_list.html": "/log/",
    "results/paper_detail.html": "/papers/1/",
    "results/result_detail.html": "/results/1/",
    "results/source_detail.html": follows("/sources/", r"/sources/[^?#]+/"),
    "results/system_detail.html": "/systems/1/",
    "runs/upload_list.html": "/runs/",
    "search/_list.html": "/leaderboards/",
    "search/measure_detail.html": "/measures/AP/",
    "search/search.html": "/search/?q=robust04",
    "tools/check/check.html": "/check/?collection=beir-scifact&measure=nDCG@10&score=0.85&baseline=0.6",
    "tools/compare/compare.html": "/compare/?model=bge-m3&model=e5-mistral-7b-instruct&model=splade-v3",
    "tools/compare/topics.html": "/compare/topics/",
    "tools/home/home.html": "/",
    "tools/pairs/topic_by_topic.html": "/leaderboards/clef-tar-2019-abs/AP/pairs/",
    "tools/passports/model_detail.html": "/models/bge-m3/",
    "tools/reproductions/figure_detail.html": "/methods/papers/carterette-2015/figure-1/",
    "tools/review_table/review_table.html": "/review-table/",
    "tools/standardization/year_detail.html": "/years/2004/",
}
#: Pages of what somebody sent, which test_runs.py makes and looks at.
SENT = {"runs/study.html", "runs/upload_detail.html"}
#: Pages of a kind that look otherwise than its first.
OTHERS = (
    "/collections/trec-2004-robust/baselines/",
    "/collections/trec-2004-robust/about/",
    "/collections/trec-2004-robust/judgements/",
    "/leaderboards/trec-2004-robust/AP/",
    "/suites/beir-13/nDCG@10/",
    "/leaderboards/clef-tar-2019-abs/AP/topics/",
    "/leaderboards/clef-tar-2019-abs/AP/executions/",
    "/methods/scoreboard/",
    "/methods/papers/carterette-2015/",
    "/methods/papers/",
    "/reproduced/",
    "/sources/",
    "/papers/",
    "/models/",
    "/measures/",
)


def test_each_kind_has_a_page_here():
    assert ADDRESSES.keys() | SENT == kinds_of_pages().keys()


@pytest.mark.parametrize("where", [*ADDRESSES.values(), *OTHERS], ids=[*ADDRESSES, *OTHERS])
def test_it_has_no_barrier_in_either_theme(stock, browser, where):
    page, complaints = open_page(browser, f"{stock}/contact/")
    address = where if isinstance(where, str) else where(page, stock)
    assert page.goto(stock + address).status == 200
    # What is folded is read as well.
    page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
    assert faults(page) == []
    assert violations(page, GUIDELINES) == [], "dark, on a phone"
    assert complaints == []
    page.context.close()
