"""Which system a name means, in every way in: a known one is proposed, and what names none is refused."""

import html
import re

import pytest

from registry.submissions.models import Submission
from tests.registry.api.programs import Program
from tests.registry.factory import make_result, make_system, make_user
from tests.registry.results.people import signed_in
from tests.registry.submissions.world import make_robust04, row
from tests.thoroughness import every

PAPER = "Doe (SIGIR 2021)"


@pytest.fixture(autouse=True)
def board():
    """AP on Robust04, with a model of a hub and a run of TREC."""
    board = make_robust04()
    make_result(board, make_system("BAAI/bge-large-en-v1.5", "BAAI"), "0.28013")
    make_result(board, make_system("pircRB04t3", "queens"), "0.333")
    return board


def checked(**cells: str) -> dict:
    """Return what is said to a program that submits the row."""
    return Program().create([row(**cells)]).json()["results"][0]


def refusal(**cells: str) -> tuple[str, str, list[dict]]:
    """Return code, message and candidates of why the system is refused."""
    result = checked(**cells)
    assert result["outcome"] == "refused"
    (rejection,) = [rejection for rejection in result["rejections"] if rejection["field"] == "system"]
    return rejection["code"], rejection["message"], rejection.get("candidates", [])


@pytest.mark.parametrize(
    "name", every(2, ["BGE-large-EN-v1.5", "bge-large-en-v1.5", "BAAI/bge-large-en-v1.5"], __file__)
)
def test_a_known_name_without_a_team_proposes_the_known_system(name):
    code, message, (known, other) = refusal(system=name)
    assert code == "ambiguous"
    assert "BAAI/bge-large-en-v1.5 (by BAAI, 1 result)" in message
    assert (known["value"], known["fills"]) == ("BAAI/bge-large-en-v1.5", {"team": "BAAI"})
    for chosen in (known, other):
        assert checked(system=chosen["value"], **chosen["fills"])["outcome"] == "new"
    assert checked(system=name, team="A laboratory")["outcome"] == "new"


@pytest.mark.parametrize(
    "name", ["Ours", "Our method", "This work", "Proposed", "Baseline", "Model", "Oracle@100", "ours (large)"]
)
def test_a_name_that_every_paper_has_is_refused_with_what_to_write(name):
    code, message, _ = refusal(system=name, paper=PAPER)
    assert code == "generic_name"
    assert "Write what the paper calls it" in message


def pressed(page: str) -> dict[str, str]:
    """Return what the buttons beside the system's field send, by what they say."""
    pattern = r'name="use" value="(system:[^"]+)"><bdi>[^<]+</bdi></button>\s*<span class="why">([^<]+)'
    return {html.unescape(label): html.unescape(value) for value, label in re.findall(pattern, page)}


def test_the_form_proposes_the_known_system_and_a_click_takes_it_with_its_team():
    client = signed_in(make_user())
    filled = row(system="bge-large-en-v1.5", measure="AP")
    page = client.post("/submit/", filled | {"step": "check"}).content.decode()
    assert not Submission.objects.exists()
    buttons = pressed(page)
    assert list(buttons) == ["by BAAI, 1 result", "another system, of which no team is known"]
    page = client.post("/submit/", filled | {"use": buttons["by BAAI, 1 result"]}).content.decode()
    assert 'value="BAAI/bge-large-en-v1.5"' in page
    assert 'name="team" value="BAAI"' in page
    assert not pressed(page)
    client.post("/submit/", filled | {"use": buttons["another system, of which no team is known"], "step": "check"})
    assert Submission.objects.get().rows.get().outcome == "new"


# --- what is added to a row above

BESIDE = {"collection": "robust04", "role": "baseline", "paper": PAPER}


def read_names(text: str) -> tuple[list[str], list[str]]:
    """Return the names of the systems in a table's results, and what is asked about additions."""
    form = {"text": text, **BESIDE, "step": "read"}
    page = signed_in(make_user()).post("/submit/", form).content.decode()
    questions = re.findall(r"<legend>([^<]+ stands below [^<]+)</legend>", page)
    return re.findall(r'<td class="name"><bdi>([^<]+)</bdi></td><td class="number">', page), questions


@pytest.mark.parametrize(
    "text",
    [
        "Method,AP\nBM25,0.25\n+ RM3,0.29\nQL,0.24\n",
        "| Method | AP |\n|---|---|\n| BM25 | 0.25 |\n| +RM3 | 0.29 |\n| QL | 0.24 |\n",
        "\\begin{tabular}{lc}\nMethod & AP \\\\ \\midrule\nBM25 & 0.25 \\\\\n\\quad + RM3 & 0.29 \\\\\nQL & 0.24 \\\\\n"
        "\\end{tabular}",
    ],
)
def test_what_is_added_joins_the_row_above(text):
    assert read_names(text) == (["BM25", "BM25 + RM3", "QL"], [])
