"""From a form to the leaderboard: submitted, returned, corrected, published, in a real browser."""

import re
import time
import uuid

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.looking import GUIDELINES, SIZES, violations
from tests.thoroughness import every

pytestmark = pytest.mark.browser


def person(browser: Browser, sign_in, role: str = "", **options) -> Page:
    """Return a browser of somebody new, with this role."""
    page = browser.new_context(**options).new_page()
    sign_in(page, role)
    return page


def fill(page: Page, label: str, text: str) -> None:
    page.get_by_label(re.compile(f"^{label}:?$")).fill(text)


def require_no_barriers(page: Page) -> None:
    width = page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url
    assert violations(page, GUIDELINES) == [], page.url


@pytest.mark.publishes
@pytest.mark.parametrize(("width", "scheme"), every(2, SIZES, __file__))
def test_a_result_is_handed_in_returned_corrected_and_published(site, sign_in, browser: Browser, width, scheme):
    looks = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    contributor = person(browser, sign_in, **looks)
    editor = person(browser, sign_in, "editor", **looks)
    system = f"Model {uuid.uuid4().hex[:8]}"

    contributor.goto(f"{site}/submit/?collection=trec-2004-robust&measure=nDCG@20")
    fill(contributor, "System", system)
    fill(contributor, "Score", "0.4321")
    fill(contributor, "Source", "Doe (SIGIR 2021)")
    contributor.get_by_label("In the source it is").select_option("proposed")
    contributor.get_by_role("button", name="Check and continue").click()
    contributor.get_by_role("button", name="Submit for review").click()
    contributor.wait_for_url("**/submissions/*/")
    submission = re.search(r"/submissions/([0-9a-f-]{36})/", contributor.url)[1]
    expect(contributor.locator("main")).to_contain_text("It waits for a curator", use_inner_text=True)

    editor.goto(f"{site}/")
    editor.get_by_role("link", name=re.compile("^Moderation")).click()
    require_no_barriers(editor)
    box = editor.locator(f"[name=chosen][value^='{submission}']")
    expect(box).to_be_checked()
    for _ in range(editor.locator("[data-item]").count()):
        editor.keyboard.press("j")
        if box.evaluate("one => one === document.activeElement"):
            break
    editor.keyboard.press("x")
    expect(box).not_to_be_checked()
    editor.keyboard.press("r")
    expect(editor.locator("#queue [name=reason]")).to_be_focused()
    editor.keyboard.press("Enter")
    expect(editor.locator("#queue [name=reason]")).to_have_value("\n")
    editor.locator(f"a[href='/moderation/{submission}/']").click()
    editor.get_by_role("button", name="Start the review").click()
    require_no_barriers(editor)
    editor.get_by_label("Return it for changes").check()
    fill(editor, "Reason", "Table 2 prints 0.4312")
    editor.get_by_role("button", name="Decide").click()
    expect(editor.locator("main")).to_contain_text("Returned to its contributor.", use_inner_text=True)

    contributor.goto(f"{site}/submissions/{submission}/")
    expect(contributor.locator("main")).to_contain_text("Table 2 prints 0.4312", use_inner_text=True)
    require_no_barriers(contributor)
    contributor.get_by_role("link", name="Edit row 1").click()
    fill(contributor, "Score", "0.4312")
    contributor.get_by_role("button", name="Save").click()
    contributor.get_by_role("button", name="Submit for review").click()
    expect(contributor.locator("main")).to_contain_text("It waits for a curator", use_inner_text=True)

    editor.goto(f"{site}/moderation/{submission}/")
    editor.get_by_role("button", name="Start the review").click()
    editor.get_by_label("Publish the row").check()
    editor.get_by_role("button", name="Decide").click()
    expect(editor.locator("main")).to_contain_text("It is published.", use_inner_text=True)

    contributor.goto(f"{site}/leaderboards/trec-2004-robust/nDCG@20/?rows=300")
    row = contributor.locator("tr", has_text=system)
    assert "0.4312" in row.inner_text()
    row.get_by_role("link", name="0.4312").click()
    expect(contributor.locator("main")).to_contain_text("Submitted by", use_inner_text=True)
    contributor.get_by_role("link", name=re.compile("^submission of")).click()
    assert contributor.url.endswith(f"/submissions/{submission}/")


#: Four papers with 50 drafts each; of one in ten the score contradicts the record, so it is no proposal.
MANY_DRAFTS = """
from registry.accounts.models import User
from registry.submissions.pipeline.checking import check_rows
from registry.submissions.services.drafting import create_submission, read_given
from registry.submissions.services.drafting import submit
ada = User.objects.get(username="reader-0")
cells = {"collection": "trec-2004-robust", "measure": "nDCG@20", "role": "proposed", "locator": "Table 1"}
values = {n: f"{(9999 if n % 10 == 9 else 4200 + n) / 10000}" for n in range(200)}
sources = {n: {"paper": f"Doe (SIGIR 20{10 + n // 50})"} for n in values}
rows = read_given([cells | sources[n] | {"system": f"Draft {n}", "value": values[n]} for n in values])
check_rows(rows)
for row in rows:
    draft = create_submission(contributor=ada, way="api", rows=[row])
    submit(submission=draft, version=draft.version, actor=ada)
"""
MOST_ACTIONS = 40


@pytest.mark.publishes
def test_two_hundred_drafts_of_four_papers_are_decided_in_forty_actions(site, sign_in, do, browser: Browser):
    do(MANY_DRAFTS)
    page = person(browser, sign_in, "editor")
    page.goto(f"{site}/moderation/?way=api&rule=clear")
    begun, n_actions = time.monotonic(), 1
    for rule, button, reason in (("clear", "Accept", ""), ("warned", "Ask for changes", "Which table is it from?")):
        page.goto(f"{site}/moderation/?way=api&rule={rule}")
        n_actions += 1
        while (boxes := page.locator("[name=chosen]")).count():
            for number in range(boxes.count() if rule != "clear" else 0):
                boxes.nth(number).check()
                n_actions += 1
            if reason:
                page.locator("#queue [name=reason]").fill(reason)
                n_actions += 1
            with page.expect_navigation(timeout=180_000):
                page.get_by_role("button", name=button).click(timeout=180_000)
            n_actions += 1
    print(f"200 drafts: {n_actions} actions, {time.monotonic() - begun:.1f} s")
    page.goto(f"{site}/moderation/?way=api")
    expect(page.locator("main")).to_contain_text("0 submissions wait", use_inner_text=True)
    assert n_actions <= MOST_ACTIONS
