"""A newcomer with a paper in hand: from the front page to a submitted result, without reading help."""

import io
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from plumbline.__main__ import main
from tests.browser.looking import GUIDELINES, SIZES, listen, violations
from tests.thoroughness import every

pytestmark = pytest.mark.browser

#: A practised typist takes 0.2 s a key; looking and clicking takes longer.
SECONDS_A_KEY, SECONDS_AN_ACTION = 0.3, 3.0
TABLE = "system,nDCG@20,P@20\nBM25,0.2531,0.3631\nMyModel,.312*,0.4120\nBroken,23.4,\n"


class Hands:
    """Acts on a page as a person does, and counts what it takes."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.n_actions = self.n_keys = 0

    def click(self, role: str, name: str) -> None:
        self.page.get_by_role(role, name=name, exact=True).first.click()
        self.n_actions += 1

    def type(self, label: str, text: str) -> None:
        main = self.page.get_by_role("main")
        field = main.get_by_role("textbox", name=label).or_(main.get_by_role("combobox", name=label)).first
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
        """Return how long a person needs for it."""
        return self.n_keys * SECONDS_A_KEY + self.n_actions * SECONDS_AN_ACTION


def barriers(page: Page) -> list[str]:
    return violations(page, GUIDELINES)


def test_a_newcomer_submits_a_result_from_a_paper_in_under_a_minute(site, sign_in, browser: Browser):
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    complaints = listen(page)
    sign_in(page)
    page.goto(f"{site}/")
    hands = Hands(page)
    hands.click("link", "Submit results")
    hands.type("Collection", "robust")
    hands.choose("TREC 2004 Robust")
    hands.type("Measure", "map")
    hands.type("System", "MyRanker")
    hands.type("Score", "0.3012")
    hands.type("Source", "10.1145/2766462.2767812")
    page.get_by_label("In the source it is").select_option("proposed")
    hands.n_actions += 1
    assert barriers(page) == []
    hands.click("button", "Check and continue")
    page.wait_for_url("**/submissions/*/")
    expect(page.locator("main")).to_contain_text(re.compile(r"expected rank \d+ of \d+"), use_inner_text=True)
    hands.click("button", "Submit for review")
    expect(page.locator("main")).to_contain_text("waits for a curator", use_inner_text=True)
    expect(page.locator("main")).to_contain_text("MyRanker", use_inner_text=True)
    assert hands.n_actions <= 11
    assert hands.seconds < 60
    assert complaints == []


def open_lists(page: Page) -> list[str]:
    """Return the fields whose suggestions are to be seen."""
    return page.evaluate(
        "[...document.querySelectorAll('.suggestions')].filter(list => !list.hidden)"
        ".map(list => list.id.replace(/^id_|-suggestions$/g, ''))"
    )


def answered(page: Page, keys: str) -> None:
    """Type into the field with the focus, and wait for what is suggested then."""
    with page.expect_response("**/submit/suggestions.json?*"):
        page.keyboard.type(keys)
    page.wait_for_timeout(50)


def wait_for_list(page: Page) -> None:
    """Wait for the list: it is shown once the browser has had a core to itself."""
    expect(page.locator("main .suggestions:not([hidden])").first).to_be_visible()


def test_suggestions_are_gone_once_there_is_nothing_left_to_choose(site, browser: Browser):
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.goto(f"{site}/submit/")
    field, measure = page.locator("[name=collection]"), page.locator("[name=measure]")
    field.focus()
    page.wait_for_timeout(400)
    assert open_lists(page) == [], "who comes by the Tab key sees the next fields"
    answered(page, "robus")
    wait_for_list(page)
    assert open_lists(page) == ["collection"]
    # Before the next answer is there, somebody takes what the last one offered.
    page.keyboard.type("t")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert field.input_value() == "trec-2004-robust"
    page.wait_for_timeout(600)
    assert open_lists(page) == [], "what is on its way does not open the list again"
    field.fill("")
    answered(page, "Robust04")
    assert open_lists(page) == [], "that is a name"
    measure.click()
    assert page.evaluate("document.activeElement.name") == "measure"
    assert field.input_value() == "Robust04", "and nothing hid the next field"
    field.fill("")
    field.focus()
    answered(page, "DL19")
    wait_for_list(page)
    assert open_lists(page) == ["collection"], "it has to be told which"
    assert page.get_by_role("option").first.inner_text().startswith("TREC 2019 Deep Learning passage ranking")
    page.mouse.click(1000, 700)
    assert open_lists(page) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_suggestions_hang_from_their_field_on_every_page(site, browser: Browser, width):
    page = browser.new_context(viewport={"width": width, "height": 900}).new_page()
    for path in ("/submit/", "/review-table/"):
        page.goto(f"{site}{path}")
        page.locator("details:has([name=collection])").evaluate_all("folds => folds.forEach(fold => fold.open = true)")
        page.locator("[name=collection]").focus()
        answered(page, "robus")
        wait_for_list(page)
        field, suggestions = (
            page.locator("[name=collection]").bounding_box(),
            page.locator("main .suggestions").first.bounding_box(),
        )
        assert field
        assert suggestions
        assert (suggestions["x"], suggestions["width"]) == (field["x"], field["width"])
        assert 0 <= suggestions["y"] - (field["y"] + field["height"]) < 8
        page.keyboard.press("Escape")
        assert open_lists(page) == []
        page.keyboard.press("ArrowDown")
        page.locator("main .suggestions").first.wait_for()


PRINTED = r"""\begin{tabular}{lrcccc}
\toprule
 & \#Params & TREC-COVID & NFCorpus & DL19 nDCG@10 & Avg. \\
\midrule
\multicolumn{6}{c}{\textit{Rerankers}} \\
monoT5~\cite{x} & 220M & 71.5$_{\pm 0.4}$ & 32.1 & 71.5 & 58.4 \\
monoT5 & 3B & 72.1 & 33.0 & -- & 52.6 \\
\bottomrule
\end{tabular}"""


@pytest.mark.parametrize("width", [1280, 390])
def test_a_printed_table_is_asked_about_and_read(site, browser: Browser, width):
    page = browser.new_context(java_script_enabled=False, viewport={"width": width, "height": 900}).new_page()
    page.goto(f"{site}/submit/")
    page.fill("[name=text]", PRINTED)
    page.get_by_role("button", name="Check and continue").click()
    asked = page.get_by_role("group", name=re.compile("TREC-COVID and NFCorpus may each be several collections"))
    asked.get_by_label(re.compile("Yes: BEIR TREC-COVID and BEIR NFCorpus")).check()
    page.get_by_role("group", name=re.compile("DL19")).get_by_label(re.compile("passage ranking")).check()
    page.get_by_role("button", name="Continue", exact=True).click()
    text = page.inner_text("main")
    assert "monoT5 (220M)" in text
    assert "an average; left out" in text
    assert "No row says" in text
    assert page.get_by_label(re.compile("Yes: BEIR")).is_checked()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.get_by_label("Measure", exact=False).first.is_visible()


@pytest.mark.parametrize(("width", "scheme"), every(2, SIZES, __file__, start=1))
def test_a_table_is_read_checked_edited_and_submitted(site, sign_in, browser: Browser, width, scheme):
    page = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
    complaints = listen(page)
    sign_in(page)
    page.goto(f"{site}/submit/")
    page.get_by_label("Table:").fill(TABLE.replace("MyModel", f"MyModel at {width}"))
    page.get_by_role("combobox", name="Collection").fill("robust04")
    page.fill("[name=paper]", "arXiv:1904.09171")
    page.get_by_label("In the source it is").select_option("baseline")
    page.get_by_role("button", name="Check and continue").click()
    page.get_by_text("5 results").first.wait_for()
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Check and continue").first.click()
    page.wait_for_url("**/systems/")
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Save").click()
    page.wait_for_url(re.compile(r"/submissions/[0-9a-f-]+/$"))
    assert page.get_by_role("button", name="Submit without the 1 refused").is_visible()
    assert barriers(page) == []
    page.get_by_role("link", name="Edit row 5").click()
    field = page.get_by_role("textbox", name="Score")
    field.fill("0.2340")
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Save").first.click()
    page.get_by_role("button", name="Submit for review").click()
    expect(page.locator("main")).to_contain_text("waits for a curator", use_inner_text=True)
    page.goto(f"{site}/submissions/")
    expect(page.locator("main")).to_contain_text("submitted", use_inner_text=True)
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert complaints == []


#: A paper of several files: macros in the first, rows of baselines in a file of their own, and a table without results.
PAPER = {
    "main.tex": r"""\documentclass{article}
\newcommand{\ours}[1][]{\textsc{DeepPlumb}#1}
\newcommand{\rob}{Robust04} % as in the track
\begin{document}
\section{Results}
\input{tables/main}
\input{tables/data}
\end{document}""",
    "tables/main.tex": r"""\begin{table}
\caption{Effectiveness on \rob{} and on the Deep Learning track.}
\begin{tabular}{lcccc}
\toprule
& \multicolumn{3}{c}{\rob} & DL19 \\
\cmidrule(lr){2-4}
Model & MAP & P@20 & nDCG@20 & nDCG@10 \\
\midrule
\input{tables/rows/baselines}
\midrule
\ours{} (ours) & -- & \textbf{.402} & .457$^\dagger$ & \textbf{.712} \\
\bottomrule
\end{tabular}
\end{table}""",
    "tables/rows/baselines.tex": r"""% as printed there
DRMM~\cite{guo2016} & .279 & .382 & .431 & -- \\
PlumbQL & -- & .355 & .411 & .506 \\
""",
    "tables/data.tex": r"""\begin{table}\caption{The collections.}\begin{tabular}{lrr}
Collection & Topics & Documents \\ \midrule
\rob & 249 & 528,155 \\ DL19 & 43 & 8,841,823 \\
\end{tabular}\end{table}""",
}
MAKE_TOKEN = """
from pathlib import Path
from registry.accounts.models import User
from registry.accounts.services import create_token
person = User.objects.get(username={name!r})
Path({file!r}).write_text(create_token(user=person, name="paper", scopes=["read", "submit"], days=1).secret)
"""


@pytest.mark.publishes
def test_a_folder_of_latex_becomes_a_published_draft_with_three_answers(
    site, sign_in, do, browser: Browser, tmp_path, monkeypatch, capsys
):
    author, editor = (browser.new_context().new_page() for _ in range(2))
    name, _ = sign_in(author), sign_in(editor, "editor")
    do(MAKE_TOKEN.format(name=name, file=str(tmp_path / "token")))
    for file, text in PAPER.items():
        (tmp_path / "paper" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "paper" / file).write_text(text)
    monkeypatch.setenv("PLUMBLINE_TOKEN", (tmp_path / "token").read_text())
    # Which board: the passages of the Deep Learning track.
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    command = ["--url", site, "submit", str(tmp_path / "paper"), "--ask", "--paper", "Doe (SIGIR 2026)"]
    main(command)
    output = capsys.readouterr()
    assert output.err.count("Enter to leave it open") == 1
    (address,) = re.findall(r"say which rows are yours: (\S+)", output.out)
    author.goto(address)
    # Which rows are yours, and which known model: as proposed.
    expect(author.locator("input:checked[value=proposed]")).to_have_count(1)
    expect(author.get_by_label("Known system for DRMM")).to_have_value("Guo et al. (CIKM 2016) [proposed]")
    author.get_by_role("button", name="Save").click()
    author.get_by_role("button", name="Submit for review").click()
    editor.goto(f"{site}/moderation/?way=api")
    editor.get_by_role("button", name="Accept").click()
    author.goto(f"{site}/leaderboards/trec-dl-2019-passage/nDCG@10/")
    expect(author.locator("main")).to_contain_text("DeepPlumb", use_inner_text=True)
