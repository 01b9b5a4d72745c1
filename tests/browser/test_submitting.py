"""A newcomer with a paper in hand: from the front page to a submitted result, without reading help."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browser.test_accounts import PASSWORD, link_for, mails, sign_up

__all__ = ["mails"]

pytestmark = pytest.mark.browser

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
#: A practised typist takes 0.2 s a key; looking and clicking takes longer.
SECONDS_A_KEY, SECONDS_AN_ACTION = 0.3, 3.0
TABLE = "system,MAP,P@20\nBM25,0.2531,0.3631\nOurs,.312*,0.4120\nBroken,23.4,\n"


class Hands:
    """Acts on a page as a person does, and counts what it takes."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.n_actions = self.n_keys = 0

    def click(self, role: str, name: str) -> None:
        self.page.get_by_role(role, name=name, exact=True).first.click()
        self.n_actions += 1

    def type(self, label: str, text: str) -> None:
        field = self.page.get_by_role("textbox", name=label).or_(self.page.get_by_role("combobox", name=label)).first
        field.click()
        field.press_sequentially(text)
        self.n_actions += 1
        self.n_keys += len(text)

    def choose(self, text: str) -> None:
        """Click on a suggestion."""
        self.page.get_by_role("option", name=text).first.click()
        self.n_actions += 1

    @property
    def seconds(self) -> float:
        """How long a person needs for it."""
        return self.n_keys * SECONDS_A_KEY + self.n_actions * SECONDS_AN_ACTION


def barriers(page: Page) -> list[object]:
    return [(one["id"], one["nodes"][0]["target"]) for one in Axe().run(page, options=RULES).response["violations"]]


def test_a_newcomer_submits_a_result_from_a_paper_in_under_a_minute(site, mails, browser: Browser):
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    sign_up(page, site, mails)
    page.goto(f"{site}/")
    hands = Hands(page)
    hands.click("link", "Submit")
    hands.type("Collection", "robust04")
    hands.choose("TREC 2004 Robust")
    hands.type("Measure", "map")
    hands.choose("AP Average precision")
    hands.type("System", "MyRanker")
    hands.type("Score", "0.3012")
    page.get_by_text(re.compile(r"rank \d+ of \d+")).wait_for()
    hands.type("Paper", "10.1145/2766462.2767812")
    assert barriers(page) == []
    hands.click("button", "Submit for review")
    page.wait_for_url("**/submissions/*/")
    assert "waits for an editor" in page.inner_text("main")
    assert "MyRanker" in page.inner_text("main")
    assert hands.n_actions <= 9
    assert hands.seconds < 60
    assert complaints == []
    page.context.close()


def test_without_scripts_a_visitor_is_asked_to_sign_in_last_and_loses_nothing(site, mails, browser: Browser):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{site}/submit/")
    for name, text in (("collection", "Robst04"), ("measure", "MAP"), ("system", "MyRanker 2"), ("value", "0.3013")):
        page.fill(f"[name={name}]", text)
    page.fill("[name=paper]", "Doe (SIGIR 2021)")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="TREC 2004 Robust", exact=True).click()
    assert re.search(r"rank \d+ of \d+", page.inner_text("main"))
    page.get_by_role("button", name="Submit for review").first.click()
    assert "/accounts/login/" in page.url
    page.get_by_role("link", name="Make an account").click()
    sign_up_here(page, mails)
    assert page.url == f"{site}/submit/"
    assert "nothing you typed is lost" in page.inner_text("main")
    page.get_by_role("button", name="Submit for review").first.click()
    assert "waits for an editor" in page.inner_text("main")
    page.context.close()


def sign_up_here(page: Page, mails: Path) -> None:
    """Make an account where one stands, and come back signed in."""
    name = "newcomer-without-scripts"
    page.get_by_label("E-mail address").fill(f"{name}@example.org")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    page.goto(link_for(mails, name))
    page.get_by_role("button", name="Yes, verify it").click()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_a_table_is_read_checked_edited_and_submitted(site, mails, browser: Browser, width, scheme):
    page = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    sign_up(page, site, mails)
    page.goto(f"{site}/submit/table/")
    page.get_by_label("Table:").fill(TABLE.replace("Ours", f"Ours at {width}"))
    page.get_by_role("combobox", name="Collection").fill("robust04")
    page.get_by_label("Paper", exact=False).first.fill("arXiv:1904.09171")
    page.get_by_label("In the paper they are").select_option("baseline")
    page.get_by_role("button", name="Read the table").click()
    assert "5 results" in page.inner_text("main")
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Check it against the record").first.click()
    page.wait_for_url("**/submissions/*/")
    assert page.get_by_role("button", name="Submit without the 1 refused").is_visible()
    assert barriers(page) == []
    page.get_by_role("link", name="Edit row 5").click()
    field = page.get_by_role("textbox", name="Score")
    field.fill("0.2340")
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Save").first.click()
    page.get_by_role("button", name="Submit for review").click()
    assert "waits for an editor" in page.inner_text("main")
    page.goto(f"{site}/submissions/")
    assert "submitted" in page.inner_text("main")
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert complaints == []
    page.context.close()
