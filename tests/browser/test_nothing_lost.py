"""What somebody typed stays, whatever becomes of the request: in a real browser, with scripts and without."""

import re
import uuid

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.browser.looking import faults
from tests.registry.accounts.people import PASSWORD

pytestmark = pytest.mark.browser

NOTES = "Read twice.\nTable 2, and the appendix."
TYPED = {
    "collection": "robust04",
    "measure": "MAP",
    "value": "0.3012",
    "paper": "10.1145/2766462.2767812",
    "year": "2015",
    "notes": NOTES,
}


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def scripts(request: pytest.FixtureRequest) -> bool:
    """Whether the browser runs scripts; without them it is the browser alone that keeps what was typed."""
    return bool(request.param)


@pytest.fixture
def page(scripts: bool, browser: Browser) -> Page:
    return browser.new_context(java_script_enabled=scripts, viewport={"width": 1280, "height": 900}).new_page()


def fill(page: Page, site: str, **typed: str) -> dict[str, str]:
    """Fill the form in as somebody does; what is in it then."""
    page.goto(f"{site}/submit/")
    texts = TYPED | {"system": f"Ranker {uuid.uuid4().hex[:8]}"} | typed
    page.get_by_text("More: team, year").click()
    for name, text in texts.items():
        page.fill(f"[name={name}]", text)
    page.select_option("[name=role]", "baseline")
    return texts


def assert_filled(page: Page, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        expect(page.locator(f"form#table [name={name}]")).to_have_value(text)


def send(page: Page) -> None:
    page.get_by_role("button", name="Check and continue").first.click()


def assert_drafted(page: Page, texts: dict[str, str]) -> None:
    expect(page.locator("main")).to_contain_text(re.compile(r"expected rank \d+ of \d+"))
    expect(page.locator("main")).to_contain_text(texts["system"])


def go_back(page: Page) -> None:
    """Go back from a page that has come: Chromium refuses while it still puts another in its place."""
    page.wait_for_load_state()
    page.go_back()


def submit(page: Page) -> None:
    """Submit what stands in the form, by its draft."""
    send(page)
    page.get_by_role("button", name="Submit for review").first.click()


#: What somebody did elsewhere is taken from what there is room for.
TAKEN = """
from registry.accounts.models import User
from registry.core.limits import take
take({!r}, User.objects.get(username={!r}).pk, {}, {}, n={})
"""


#: What somebody submitted a moment ago.
HANDED_IN = """
from django.utils import timezone
from registry.accounts.models import User
from registry.submissions.models import Submission
given = dict(contributor=User.objects.get(username={!r}), way="table", state="submitted")
Submission.objects.bulk_create(Submission(**given, submitted_at=timezone.now()) for _ in range(4))
"""


def test_the_sixth_form_of_an_hour(site, sign_in, do, page: Page):
    do(HANDED_IN.format(sign_in(page)))
    fill(page, site)
    submit(page)
    expect(page.locator("main")).to_contain_text("waits for a curator")
    texts = fill(page, site)
    submit(page)
    expect(page.locator("main")).to_contain_text("A new account may submit")
    go_back(page)
    assert_drafted(page, texts)
    go_back(page)
    assert_filled(page, texts)


def test_a_form_too_many_comes_back_filled_and_so_does_the_one_before(site, sign_in, do, scripts, page: Page):
    do(TAKEN.format("check: account", sign_in(page), 8, 72, 7))
    texts = fill(page, site)
    for _ in range(60):
        with page.expect_navigation() as navigation:
            page.get_by_role("button", name="Check and continue").click()
        if navigation.value.status == 429:
            break
        go_back(page)
    expect(page.get_by_role("alert").first).to_contain_text(re.compile(r"Try again in \d seconds?\."))
    assert_filled(page, texts)
    assert not scripts or faults(page) == []
    go_back(page)
    assert_filled(page, texts)


def test_a_table_that_is_too_large_is_not_even_sent(site, browser: Browser):
    page = browser.new_context().new_page()
    page.goto(f"{site}/submit/")
    table = "system,MAP\n" + "".join(f"{'Ranker' * 150} {number},0.2500\n" for number in range(2_500))
    # Typed by a hand, so much would take its time.
    page.eval_on_selector("[name=text]", "(field, text) => { field.value = text; }", table)
    page.fill("[name=collection]", "robust04")
    page.get_by_role("button", name="Check and continue").click()
    expect(page.get_by_role("alert")).to_contain_text("larger than 2 MB, the most that fits at once")
    expect(page.locator("[name=collection]")).to_have_value("robust04")
    assert page.input_value("[name=text]") == table


def test_a_file_that_is_too_large(site, sign_in, scripts, page: Page, tmp_path):
    sign_in(page)
    page.goto(f"{site}/submit/")
    file = tmp_path / "results.csv"
    file.write_text("system,MAP\n" + "Ranker,0.2500\n" * 1_000_000)
    page.fill("[name=collection]", "robust04")
    page.set_input_files("[name=file]", file)
    page.get_by_role("button", name="Check and continue").click()
    if not scripts:
        expect(page.locator("h1")).to_have_text("Too large")
        assert "Sign in" not in page.inner_text("header")
        go_back(page)
    else:
        expect(page.get_by_role("alert")).to_contain_text("The file results.csv is larger than 2 MB")
    expect(page.locator("[name=collection]")).to_have_value("robust04")


def sign_in_from(page: Page, name: str) -> None:
    """Sign in by the link of the page that asks for it, beside that page where the link says so."""
    link = page.locator("main").get_by_role("link", name="Sign in", exact=False).first
    beside = page
    if link.get_attribute("target"):
        with page.context.expect_page() as opened:
            link.click()
        beside = opened.value
    else:
        link.click()
    beside.get_by_label("Email address").fill(f"{name}@example.org")
    beside.get_by_label("Password").fill(PASSWORD)
    beside.get_by_role("button", name="Sign in").click()
    beside.wait_for_load_state()


def test_signed_out_meanwhile(site, sign_in, scripts, page: Page):
    name = sign_in(page)
    texts = fill(page, site)
    page.context.clear_cookies(name="sessionid")
    send(page)
    assert_filled(page, texts)
    sign_in_from(page, name)
    assert_filled(page, texts)
    send(page)
    if not scripts:
        # Signing in beside it gave the forms of this browser another token.
        assert_filled(page, texts)
        send(page)
    assert_drafted(page, texts)


def test_an_old_page_after_signing_in_elsewhere(site, sign_in, page: Page):
    sign_in(page)
    texts = fill(page, site)
    page.context.clear_cookies(name="csrftoken")
    page.context.new_page().goto(f"{site}/submit/")
    send(page)
    expect(page.get_by_role("alert").first).to_contain_text("You signed in or out since this form was opened")
    assert_filled(page, texts)
    send(page)
    assert_drafted(page, texts)


def test_a_comment_signed_out_meanwhile(site, sign_in, scripts, page: Page):
    name = sign_in(page)
    fill(page, site)
    submit(page)
    page.fill("#history ~ form [name=text]", NOTES)
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Comment").click()
    expect(page.get_by_role("button", name="Send it again")).to_be_visible()
    expect(page.locator("textarea")).to_have_value(NOTES)
    assert not scripts or faults(page) == []
    sign_in_from(page, name)
    page.get_by_role("button", name="Send it again").click()
    # Signing in gave the forms of this browser another token.
    page.get_by_role("button", name="Send it again").click()
    expect(page.locator(".history")).to_contain_text("and the appendix.")


def test_offline(site, sign_in, scripts, page: Page):
    sign_in(page)
    texts = fill(page, site)
    page.context.set_offline(True)
    if scripts:
        send(page)
        expect(page.get_by_role("alert")).to_contain_text("You are offline, so it was not sent.")
        page.context.set_offline(False)
        expect(page.get_by_role("alert")).to_contain_text("You are online again.")
        assert_filled(page, texts)
        send(page)
    else:
        with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"), page.expect_navigation():
            send(page)
        page.context.set_offline(False)
        # What the browser's own page advises sends the form once more.
        page.reload()
    assert_drafted(page, texts)


def test_a_site_that_does_not_answer(site, sign_in, scripts, page: Page):
    sign_in(page)
    texts = fill(page, site)
    page.route("**/*", lambda route: route.abort("connectionrefused"))
    if scripts:
        send(page)
        expect(page.get_by_role("alert")).to_contain_text("The site does not answer just now, so it was not sent.")
        page.unroute_all()
        assert_filled(page, texts)
        send(page)
    else:
        with pytest.raises(Error, match="ERR_CONNECTION_REFUSED"), page.expect_navigation():
            send(page)
        page.unroute_all()
        page.reload()
    assert_drafted(page, texts)
    go_back(page)
    if scripts:
        assert_filled(page, texts)
        expect(page.get_by_role("alert")).to_contain_text(
            re.compile(r"You sent this at .* what you typed is still here")
        )


def test_leaving_the_form_and_coming_back(site, sign_in, page: Page):
    sign_in(page)
    texts = fill(page, site)
    page.get_by_role("link", name="Methods").first.click()
    go_back(page)
    assert_filled(page, texts)
    page.get_by_role("link", name="Methods").first.click()
    page.get_by_role("link", name="Submit results", exact=True).click()
    expect(page.locator("[name=system]")).to_have_value("")


def test_a_row_that_is_edited_where_it_stands(site, sign_in, browser: Browser):
    """What the page's script put there is there again."""
    page = browser.new_context().new_page()
    sign_in(page)
    page.goto(f"{site}/submit/")
    page.fill("[name=text]", "system,MAP\nRanker,0.2500\nOther,0.2600\n")
    page.fill("[name=collection]", "robust04")
    page.fill("[name=paper]", "arXiv:1904.09171")
    page.select_option("[name=role]", "baseline")
    page.get_by_role("button", name="Check and continue").click()
    page.get_by_role("button", name="Check and continue").first.click()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Edit row 2").click()
    page.locator("tr.editing [name=value]").fill("0.2555")
    page.get_by_role("link", name="Methods").first.click()
    go_back(page)
    expect(page.locator("tr.editing [name=value]")).to_have_value("0.2555")
