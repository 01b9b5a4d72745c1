"""Take a picture of every page type of a running site: ``tools/take_screenshots.py http://127.0.0.1:8000 [PATH …]``.

At 1280, 800 and 390 pixels, light and dark, and as printed, into ``var/screenshots/``. Needs Playwright
(requirements-test.txt) and a Chromium: that of the path, else Playwright's own.
"""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

FOLDER = Path(__file__).resolve().parent.parent / "var" / "screenshots"
WIDTHS = (1280, 800, 390)

#: One address of every page type that anybody may see.
PAGES = (
    *("/", "/collections/", "/collections/trec-2004-robust/", "/collections/trec-2004-robust/resolution/"),
    *(
        "/collections/trec-2004-robust/baselines/",
        "/collections/trec-7-adhoc/standardized/",
        "/collections/?results=none",
        "/leaderboards/",
    ),
    *("/leaderboards/trec-2004-robust/AP/", "/leaderboards/beir-scidocs/nDCG@10/", "/leaderboards/trec-7-adhoc/AP/"),
    *(f"/leaderboards/trec-dl-2019-passage/nDCG@10/{page}" for page in ("", "pairs/", "topics/")),
    *("/benchmarks/", "/benchmarks/beir/"),
    *("/systems/", "/systems/1/", "/papers/", "/papers/1/", "/measures/", "/measures/AP/", "/results/1/"),
    *("/search/?q=robust04", "/check/", "/compare/", "/review-table/", "/submit/", "/runs/"),
    *("/sources/", "/log/", "/corrections/", "/methods/", "/methods/calibration/", "/docs/", "/docs/api/"),
    *("/data/", "/contact/", "/docs/terms/", "/docs/privacy/"),
    *("/accounts/login/", "/accounts/signup/", "/nothing-is-here/"),
)


def take(browser: Browser, site: str, path: str) -> None:
    """Take every picture of one page; a long one is cut at 6,000 pixels."""
    name = path.strip("/").replace("/", "_").replace("?", "_") or "home"
    page = browser.new_page()
    page.goto(site + path, wait_until="networkidle")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            high = min(6000, page.evaluate("document.documentElement.scrollHeight"))
            page.screenshot(
                path=FOLDER / f"{name}-{width}-{scheme}.png",
                clip={"x": 0, "y": 0, "width": width, "height": high},
                full_page=True,
            )
    page.emulate_media(color_scheme="light", media="print")
    page.pdf(path=FOLDER / f"{name}-print.pdf", format="A4", print_background=True)
    page.close()


def main() -> None:
    site, *paths = sys.argv[1:] or ["http://127.0.0.1:8000"]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        for path in paths or PAGES:
            take(browser, site.rstrip("/"), path)
            print(path)
        browser.close()
    print(f"The pictures are in {FOLDER}.")


if __name__ == "__main__":
    main()
