"""Every kind of page that a reader may meet has no barrier, is not cut off and fits, in light and in dark."""

import re

import pytest

from tests.browser.addresses import ADDRESSES, BOARD, OTHERS, SENT
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


#: What a page may cost a reader who has nothing of it, in kilobytes, and how far it may move what is seen already.
KILOBYTES, SHIFT = 60, 0


def test_pages_are_light_and_stay_where_they_are(stock, browser):
    def spent(where):
        return spent_on(browser, stock + address_of(where, page, stock), width=390)

    page = browser.new_page()
    seen = {where: spent(where) for where in ADDRESSES.values()}
    assert all(cost.height > 300 and cost.kilobytes > 10 for cost in seen.values())
    # A machine that is busy may draw half of a page first; what is wrong with a page comes each time.
    wrong = [where for where, cost in seen.items() if cost.kilobytes > KILOBYTES or cost.shift > SHIFT]
    again = {where: spent(where) for where in wrong}
    page.close()
    assert {where: cost for where, cost in again.items() if cost.kilobytes > KILOBYTES or cost.shift > SHIFT} == {}


#: Dots as they look, each with what may be behind it: the paper of the page, and bands of its drawing.
_DOTS = """() => {
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const over = ([red, green, blue, alpha = 1], back, by) =>
    back.map((one, at) => one + ([red, green, blue][at] - one) * alpha * by);
  const paper = parts(getComputedStyle(document.body).backgroundColor);
  const dots = document.querySelectorAll("svg.chart :is(.dot, .dots), svg.strip :is(.one, .may, .out)");
  return [...dots].flatMap((dot) => {
    const looks = getComputedStyle(dot), svg = dot.closest("svg.chart, svg.strip"), kind = dot.getAttribute("class");
    const ink = looks.fill === "none" || dot.matches(".hollow") ? looks.stroke : looks.fill;
    const bands = [...svg.querySelectorAll("path:is(.across, .band, .filled)")];
    const behind = bands.map((one) => over(parts(getComputedStyle(one).fill), paper, getComputedStyle(one).opacity));
    return [paper, ...behind].map((back) => [kind, over(parts(ink), back, looks.opacity), back]);
  });
}"""
#: Pixels of a picture, enlarged to so many across.
_PIXELS = """async ([address, width, places]) => {
  const image = Object.assign(new Image(), { src: address });
  await image.decode();
  const pen = new OffscreenCanvas(width, width).getContext("2d");
  pen.drawImage(image, 0, 0, width, (width * image.naturalHeight) / image.naturalWidth);
  return places.map(([x, y]) => [...pen.getImageData(x, y, 1, 1).data].slice(0, 3));
}"""


def contrast(colour: list[float], other: list[float]) -> float:
    """Return how much one colour stands out from another: 1 where they are the same, 21 between black and white."""

    def light(colour: list[float]) -> float:
        parts = [
            part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in (c / 255 for c in colour)
        ]
        return 0.05 + sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))

    low, high = sorted((light(colour), light(other)))
    return high / low


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_dot_of_a_page_stands_out(stock, browser, scheme):
    page, seen = browser.new_context(color_scheme=scheme).new_page(), []
    for path in (
        "/",
        BOARD,
        "/leaderboards/trec-2004-robust/AP/",
        "/leaderboards/",
        ADDRESSES["tools/check/check.html"],
    ):
        page.goto(stock + path)
        seen += [(path, kind, contrast(dot, back)) for kind, dot, back in page.evaluate(_DOTS)]
    assert len({kind for _, kind, _ in seen}) >= 8
    assert sorted({dot for dot in seen if dot[2] < 3}) == []


@pytest.mark.parametrize("picture", ["figure.svg", "figure.png"])
def test_every_dot_of_a_picture_stands_out(stock, browser, picture):
    page, _ = open_page(browser, stock + BOARD)
    drawn = page.evaluate("address => fetch(address).then(answer => answer.text())", f"{BOARD}figure.svg")
    (top,) = re.findall(r'<g transform="translate\(20 (\d+)\)">', drawn)
    dots = re.findall(r'<path class="dot ([^"]*)"[^>]* d="([^"]*)"', drawn)
    # A ring is seen at its left end, others in their middle.
    places = [(2 * (20 + float(x) + ("hollow" not in kind) * 4), 2 * (int(top) + float(y)))
              for kind, path in dots for x, y in re.findall(r"M([\d.]+) ([\d.]+)", path)]  # fmt: skip
    width = 2 * int(re.search(r'width="(\d+)"', drawn)[1])
    paper, *seen = page.evaluate(_PIXELS, [BOARD + picture, width, [(4, 4), *places]])
    assert len(seen) > 200
    assert [place for place, dot in zip(places, seen, strict=True) if contrast(dot, paper) < 3] == []
