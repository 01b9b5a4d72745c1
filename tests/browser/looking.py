"""Looking at pages as a reader with a screen, a keyboard or a screen reader does."""

from collections.abc import Sequence

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

#: The guidelines that every page keeps.
GUIDELINES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

#: What of them depends on colours and on the width of the screen.
LOOKS = ["color-contrast", "scrollable-region-focusable", "target-size", "link-in-text-block"]

#: The rows of a long table are alike: the first ten stand for the others.
ALIKE = {"exclude": [["table.results tbody tr:nth-child(n+11)"]]}

#: A desk and a telephone, with the colours of a page there. Without thorough tests a walk is seen on one of them.
SIZES = ((1280, "light"), (390, "dark"))


def open_page(browser: Browser, address: str, *, width: int = 1280, status: int = 200) -> tuple[Page, list[str]]:
    """Open the page, which answers with this status; return it with what the browser complained of meanwhile."""
    page = browser.new_context(viewport={"width": width, "height": 900}, color_scheme="light").new_page()
    complaints = listen(page)
    response = page.goto(address)
    assert response is not None
    assert response.status == status
    return page, complaints


def listen(page: Page) -> list[str]:
    """Return what the browser complains of from now on: errors, and what the page's policy forbids."""
    complaints: list[str] = []

    def hear(kind: str, text: str) -> None:
        # A page that says by its status that something is wrong is meant to.
        if kind in {"error", "warning"} and "the server responded with a status of 4" not in text:
            complaints.append(text)

    page.on("console", lambda message: hear(message.type, message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return complaints


_AXE = Axe()

#: Texts of drawings that reach out of them.
CUT_OFF = """() => [...document.querySelectorAll("svg.chart text")].filter(text => {
  const frame = text.ownerSVGElement.getBoundingClientRect(), box = text.getBoundingClientRect();
  return frame.width && (box.left < frame.left - 0.5 || box.right > frame.right + 0.5);
}).map(text => text.textContent)"""


def faults(page: Page, sizes: Sequence[tuple[int, str]] = SIZES) -> list[str]:
    """Return what keeps somebody from reading the page on these screens, of which it is left on the last."""
    barriers = []
    for number, (width, scheme) in enumerate(sizes):
        rules = LOOKS if number else GUIDELINES
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        barriers += [f"{scheme}, {width}: {violation}" for violation in violations(page, rules)]
        across = page.evaluate("document.documentElement.scrollWidth")
        barriers += [f"{across} pixels wide on {width}"] if across > width else []
        barriers += [f"{width}: the drawing cuts off “{text}”" for text in page.evaluate(CUT_OFF)]
    return barriers


def violations(page: Page, rules: list[str]) -> list[str]:
    """Return which of these rules of accessibility a page breaks, and where first."""
    # What passes is most of the answer, and is not asked for.
    options = {"runOnly": rules, "resultTypes": ["violations"]}
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE.axe_script)
    answer = page.evaluate("([context, options]) => axe.run(context, options)", [ALIKE, options])
    return [f"{violation['id']}: {violation['nodes'][0]['target']}" for violation in answer["violations"]]


def tab_to(page: Page, name: str, *, at_most: int = 60) -> None:
    """Press Tab until the element of this name is in focus, which must then be seen."""
    for _ in range(at_most):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText") == name:
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none", name
            return
    raise AssertionError(f"{name} is not reached from the keyboard")
