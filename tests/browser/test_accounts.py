"""A newcomer in a real browser: from the form to an account, without a mail server and without scripts."""

import re
import sqlite3
import uuid
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.looking import faults, listen
from tests.registry.accounts.people import PASSWORD
from tests.registry.accounts.test_second_factor import code_for

pytestmark = pytest.mark.browser

OWN = ("", "email/", "password/change/", "2fa/", "3rdparty/", "tokens/", "people/", "logout/")


@pytest.fixture
def mails(environment: dict[str, str]) -> Path:
    """The folder of the mails that the site did not send."""
    return Path(environment["PLUMBLINE_HOME"]) / "mail"


def link_for(mails: Path, name: str) -> str:
    """Return the link in the mail for somebody."""
    (text,) = (text for text in map(Path.read_text, mails.iterdir()) if f"To: {name}@" in text)
    return re.search(r"^http\S+/confirm-email/\S+$", text, flags=re.MULTILINE)[0]


def forget_the_others(home: Path) -> None:
    """Forget other newcomers: all of these tests come from one address, which may make few accounts an hour."""
    with closing(sqlite3.connect(home / "plumbline.sqlite3", timeout=30)) as database, database:
        database.execute("DELETE FROM core_bucket WHERE name LIKE 'sign-up: address:%'")


def sign_up(page: Page, site: str, mails: Path) -> str:
    """Make an account as a newcomer does; its user name."""
    forget_the_others(mails.parent)
    name = f"ada-{uuid.uuid4().hex[:8]}"
    page.goto(f"{site}/")
    page.get_by_role("link", name="Sign in").click()
    page.get_by_role("link", name="Make an account").click()
    page.get_by_label("Email address").fill(f"{name}@example.org")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    expect(page.locator("main")).to_contain_text("This site sends no mail", use_inner_text=True)
    page.goto(link_for(mails, name))
    page.get_by_role("button", name="Yes, verify it").click()
    expect(page.get_by_role("link", name=name)).to_be_visible()
    return name


def test_a_newcomer_signs_up_without_scripts(site, mails, browser: Browser):
    page = browser.new_context(java_script_enabled=False).new_page()
    name = sign_up(page, site, mails)
    page.get_by_role("link", name=name).click()
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("Email address").fill(f"{name}@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name=name)).to_be_visible()


def test_a_second_factor_and_a_token_without_scripts(site, mails, browser: Browser):
    page = browser.new_context(java_script_enabled=False).new_page()
    sign_up(page, site, mails)
    page.goto(f"{site}/accounts/2fa/totp/activate/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Authenticator code").fill(code_for(page.inner_text(".secret")))
    page.get_by_role("button", name="Set it up").click()
    assert page.locator(".codes li").count() == 10
    page.goto(f"{site}/accounts/tokens/")
    page.get_by_label("Name").fill("nightly evaluation")
    page.get_by_role("button", name="Make the token").click()
    assert page.inner_text(".secret").startswith("plumb_")


def test_pages_of_ones_own_have_no_barriers(site, sign_in, browser: Browser):
    page = browser.new_context().new_page()
    complaints = listen(page)
    name = sign_in(page, "administrator")
    for address in [*(f"/accounts/{part}" for part in OWN), f"/accounts/people/{name}/", f"/people/{name}/"]:
        page.goto(site + address)
        assert (address, faults(page)) == (address, [])
    assert complaints == []
