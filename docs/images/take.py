"""Take the picture of the README from a running site: ``python docs/images/take.py http://127.0.0.1:8000``."""

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

TARGET = Path(__file__).with_name("leaderboard.png")


def take(address: str) -> None:
    """Save the upper part of the TREC-7 leaderboard as a reader with a light theme sees it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("PLUMBLINE_CHROMIUM") or shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 850}, color_scheme="light")
        page.goto(f"{address}/leaderboards/trec-7-adhoc/AP/")
        page.wait_for_selector(".plumb-figure svg")
        page.screenshot(path=TARGET)
        browser.close()


if __name__ == "__main__":
    take(sys.argv[1])
