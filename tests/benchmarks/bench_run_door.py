"""The door for runs, as somebody comes in who has none yet: from the first page to the verdict on the example.

On a site with all that ships, analysed (the one that ``PLUMBLINE_BENCHMARK_SITE`` names, or made anew), with one
worker. A click is a link or a button that is followed; nothing is typed.
"""

import re
import tempfile
import time
from pathlib import Path

from tests.benchmarks.bench_waiting import Browser, site_at
from tests.benchmarks.table import BenchmarkRow
from tests.registry.core.lab import until


def rows() -> list[BenchmarkRow]:
    """Measure the way to the verdict: how long it takes from the last click, and how many clicks it is."""
    with tempfile.TemporaryDirectory() as folder:
        lab = site_at(Path(folder) / "site", is_stale=False)
        try:
            port = lab.start_web()
            lab.start_worker()
            browser, clicks = Browser(port), 0
            for start, link in (("/", r'href="(/runs/)"'), ("/runs/", r'action="(/runs/example/)"')):
                door = re.search(link, browser.get(start).decode())
                assert door, f"{start} leads nowhere near"
                clicks += 1
            started = time.monotonic()
            where = browser.post(door[1], {})
            until(lambda: b'"done": true' in browser.get(f"{where}progress/"), 120, "the example is scored")
            verdict = re.search(r'<h2 class="claim">(.*?)</h2>', browser.get(where).decode(), re.DOTALL)
            seconds = time.monotonic() - started
            assert verdict, "its page has no verdict"
            text = re.sub(r"<[^>]+>", "", verdict[1]).strip()
            return [BenchmarkRow("the example run, to its verdict", f"{clicks} clicks", seconds, note=text[:90])]
        finally:
            lab.close()
