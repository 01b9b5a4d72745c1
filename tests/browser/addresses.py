"""A page of each kind that a reader may meet, on any site that has what the browser's own has."""

import re
from collections.abc import Callable

from playwright.sync_api import Page

BOARD = "/leaderboards/beir-scifact/nDCG@10/"


def follows(start: str, address: str) -> Callable[[Page, str], str]:
    """Return the first link on a page that leads to such an address."""

    def address_on_page(page: Page, site: str) -> str:
        page.goto(site + start)
        links = page.eval_on_selector_all("main a", "links => links.map(link => link.getAttribute('href'))")
        return next(link for link in links if link and re.fullmatch(address, link))

    return address_on_page


#: An address of each kind, or the way there.
ADDRESSES: dict[str, str | Callable[[Page, str], str]] = {
    "core/about_the_data.html": "/methods/calibration/",
    "core/document.html": "/docs/api/",
    "core/list.html": "/models/",
    "curation/lineage/lineage_detail.html": "/lineages/?key=team:baai",
    "dumps/dump_list.html": "/data/",
    "leaderboards/board.html": BOARD,
    "leaderboards/collection_detail.html": "/collections/beir-scifact/",
    "leaderboards/collection_list.html": "/collections/",
    "leaderboards/suite_list.html": "/benchmarks/",
    "leaderboards/suite_members.html": "/benchmarks/beir/",
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
    "tools/home/home.html": "/",
    "tools/pairs/topic_by_topic.html": "/leaderboards/clef-tar-2019-abs/AP/pairs/",
    "tools/model_page/model_detail.html": "/models/bge-m3/",
    "tools/reproductions/figure_detail.html": "/methods/papers/carterette-2015/figure-1/",
    "tools/review_table/review_table.html": "/review-table/",
}
#: Pages of what somebody sent: test_runs.py and test_kinds_of_pages.py make them and look at them.
SENT = {"runs/study.html", "runs/upload_detail.html", "tools/pairs/pasted.html"}
#: Pages of a kind that look otherwise than its first.
OTHERS = (
    "/collections/trec-2004-robust/baselines/",
    "/collections/trec-2004-robust/about/",
    "/collections/trec-2004-robust/judgements/",
    "/leaderboards/trec-2004-robust/AP/",
    "/benchmarks/beir-13/nDCG@10/",
    "/leaderboards/clef-tar-2019-abs/AP/topics/",
    "/methods/papers/carterette-2015/",
    "/methods/papers/",
    "/reproduced/",
    "/sources/",
    "/papers/",
    "/models/",
    "/measures/",
)
