"""``python -m tests.budgets SITE [ADDRESS …]`` prints what pages of a served site cost a reader on a slow line.

SITE is its address without a slash at the end. Without addresses, a page of each kind is opened, by itself and with
nothing kept from before: wide, and on a phone.
"""

import os
import shutil
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

#: Bytes a second, and milliseconds until an answer begins.
SLOW_LINE = {"offline": False, "downloadThroughput": 1_600_000 // 8, "uploadThroughput": 750_000 // 8, "latency": 150}
SCREENS = {1280: 900, 390: 844}

_WATCH = """
window.spent = {shift: 0, painted: 0};
new PerformanceObserver(list => { for (const one of list.getEntries()) spent.painted = one.startTime; })
  .observe({type: "largest-contentful-paint", buffered: true});
new PerformanceObserver(list => { for (const one of list.getEntries()) spent.shift += one.value; })
  .observe({type: "layout-shift", buffered: true});
"""
_SEEN = """({...spent, height: document.documentElement.scrollHeight,
  answered: performance.getEntriesByType("navigation")[0].responseStart})"""


class Spent(NamedTuple):
    """What it took to open a page."""

    #: Kilobytes that came over the line, with styles, scripts and pictures.
    kilobytes: float
    #: How far what was seen already was moved, as browsers score it; 0 where nothing was.
    shift: float
    #: Seconds until the largest of the first screen was there, and of these, until the site had begun to answer.
    painted: float
    answered: float
    #: Pixels from top to bottom.
    height: int


def spent_on(browser: Browser, address: str, *, width: int, line: dict[str, Any] | None = None) -> Spent:
    """Return what opening this address takes on a screen of this width in pixels, over this line."""
    page = browser.new_context(viewport={"width": width, "height": SCREENS[width]}).new_page()
    page.add_init_script(_WATCH)
    network, sizes = page.context.new_cdp_session(page), []
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    if line:
        network.send("Network.emulateNetworkConditions", line)
    page.goto(address, wait_until="networkidle")
    seen = page.evaluate(_SEEN)
    page.context.close()
    return Spent(sum(sizes) / 1000, seen["shift"], seen["painted"] / 1000, seen["answered"] / 1000, seen["height"])


def address_of(where: str | Callable[[Page, str], str], page: Page, site: str) -> str:
    """The address on a site of what is an address already, or a way there."""
    return where if isinstance(where, str) else where(page, site)


def chromium_path() -> str | None:
    """The Chromium of this machine; None where Playwright brings its own."""
    return os.environ.get("PLUMBLINE_CHROMIUM") or shutil.which("chromium")


def main(site: str, *chosen: str) -> None:
    """Print a line for each page."""
    from tests.browser.addresses import ADDRESSES, OTHERS

    print("| page | kB | LCP, first byte in s | CLS | px | on a phone: LCP, first byte | CLS | px |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        page = browser.new_page()
        for where in chosen or (*ADDRESSES.values(), *OTHERS):
            address = address_of(where, page, site)
            found = [spent_on(browser, site + address, width=width, line=SLOW_LINE) for width in SCREENS]
            cells = [f"{one.painted:.2f}, {one.answered:.2f} | {one.shift:.2g} | {one.height:,}" for one in found]
            print(f"| `{address}` | {found[0].kilobytes:.0f} | {' | '.join(cells)} |", flush=True)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
