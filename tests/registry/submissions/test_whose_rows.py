"""The page of a draft that asks whose each row is and which system on record: prefilled, saved at once, undone."""

import html
import re
from typing import Any

import pytest

from registry.submissions.models import Submission
from tests.registry.factory import make_leaderboard, make_measure, make_result, make_system
from tests.registry.pages import read
from tests.registry.submissions.world import make_robust04, outcomes

PAPER = "Doe (SIGIR 2021)"
HEAD = "| Model | Robust04 MAP | Robust04 P@20 | Robust04 nDCG@20 |\n|---|---|---|---|\n"
TABLE = f"""{HEAD}| *Baselines* | | | |
| BM25 | .2531 | .3631 | .4240 |
| bge-large-en-v1.5 | .2801 | .3911 | .4422 |
| contriever-base | .2611 | .3702 | .4301 |
| SPLADE-v3 | .2999 | .4100 | .4600 |
| *Ours* | | | |
| DenseX | .3120 | .4200 | .4711 |
| Ours (large) | .3180 | .4280 | .4755 |
"""
ON_RECORD = {
    ("BM25", ""): (".2531", ".3631", ".4240"),
    ("BAAI/bge-large-en-v1.5", "BAAI"): (".2801", ".3911", ".4422"),
    ("facebook/contriever-msmarco", "Meta"): (".2611", ".3702", ".4301"),
    ("naver/splade-v3", "Naver"): (".2900", ".4100", ".4580"),
}


@pytest.fixture(autouse=True)
def record() -> None:
    board = make_robust04()
    boards = [board, *(make_leaderboard(board.collection, make_measure(name)) for name in ("P@20", "nDCG@20"))]
    for (name, team), scores in ON_RECORD.items():
        system = make_system(name, team)
        for each, score in zip(boards, scores, strict=True):
            make_result(each, system, score)


def begun(client: Any, table: str = TABLE) -> tuple[str, str]:
    """Paste a table; return the address of the page that follows, and what stands there."""
    answer = client.post("/submit/", {"text": table, "paper": PAPER, "step": "check"})
    assert answer.status_code == 302, answer.content.decode()
    assert answer["Location"].endswith("/systems/")
    return answer["Location"], client.get(answer["Location"]).content.decode()


def fields(page: str) -> dict[str, str]:
    """Return what the form of the page would send."""
    chosen = re.findall(r'<input type="radio" name="(role-\d+)" value="(\w+)"[^>]* checked>', page)
    typed = re.findall(r'<input type="text" name="(known-\d+)" value="([^"]*)"', page)
    version = re.findall(r'name="(version)" value="(\d+)"', page)
    return {name: html.unescape(text) for name, text in (*chosen, *typed, *version[:1])}


def systems(draft: Submission) -> dict[str, str]:
    """Return each system with its team, and its role."""
    cells = draft.rows.order_by("line").values_list("cells", flat=True)
    return {f"{row['system']}/{row.get('team', '')}": row.get("role", "") for row in cells}


def test_headings_names_and_scores_fill_the_page(ada):
    address, page = begun(ada)
    rows = {cells[0].split(".")[0]: cells for cells in read(ada, address).rows if len(cells) == 4}
    sent = fields(page)
    assert [sent[f"role-{n}"] for n in range(1, 7)] == ["baseline"] * 4 + ["proposed"] * 2
    assert [sent[f"known-{n}"] for n in range(1, 7)] == [
        "BM25",
        "BAAI/bge-large-en-v1.5",
        "facebook/contriever-msmarco",
        "naver/splade-v3",
        "DenseX",
        "",
    ]
    assert rows["contriever-base"][3] == "3 of 3 scores as on record"
    assert rows["SPLADE-v3"][3] == "2 of 3 differ from the record, by up to 0.010"
    assert rows["DenseX"][3] == "no such name on record"
    assert "4 of 6 systems look known" in page
    assert "Ours (large) names no system" in page


LATEX = r"""\begin{tabular}{lcc}
Model & Robust04 MAP & Robust04 P@20 \\ \midrule
BM25 & .2531 & .3631 \\
NewRank & .2600 & .3700 \\ \midrule
%s & .3120 & .4200 \\
DenseX-large & .3180 & .4280 \\
\end{tabular}"""


@pytest.mark.parametrize(
    ("name", "own", "group"),
    [
        (r"\textbf{DenseX}", ["DenseX"], "bold in the table"),
        ("DenseX", ["DenseX", "DenseX-large"], "last group of rows"),
    ],
)
def test_bold_names_or_the_last_group_are_proposed_as_own_and_said_to_be(ada, name, own, group):
    address, page = begun(ada, LATEX % name)
    sent = fields(page)
    rows = [cells for cells in read(ada, address).rows if len(cells) == 4][1:]
    assert [cells[0].split(".")[0] for n, cells in enumerate(rows, 1) if sent[f"role-{n}"] == "proposed"] == own
    assert page.count(f"Proposed as yours: {'' if 'bold' in group else 'in the '}{group}.") == len(own)


def test_one_save_settles_every_row_and_one_click_undoes_it(ada):
    address, page = begun(ada)
    draft = Submission.objects.get()
    before = systems(draft)
    assert set(outcomes(draft)) == {"refused"}
    answer = ada.post(address, fields(page))
    assert answer.status_code == 200
    assert "Say which system this is" in answer.content.decode()
    sent = fields(page) | {"known-6": "DenseX-large", "role-4": "out"}
    assert ada.post(address, sent).status_code == 302
    assert systems(draft) == {
        "BM25/": "baseline",
        "BAAI/bge-large-en-v1.5/BAAI": "baseline",
        "facebook/contriever-msmarco/Meta": "baseline",
        "DenseX/": "proposed",
        "DenseX-large/": "proposed",
    }
    assert set(outcomes(draft)) == {"new"}
    shown = ada.get(draft.get_absolute_url()).content.decode()
    version = re.findall(r'name="version" value="(\d+)"', shown)[0]
    assert "Undo what you said there" in shown
    ada.post(f"{draft.get_absolute_url()}rows/undo/", {"version": version})
    assert systems(draft) == before
    assert "Undo what you said there" not in ada.get(draft.get_absolute_url()).content.decode()


def test_all_are_set_at_once(ada):
    address, page = begun(ada)
    page = ada.post(address, fields(page) | {"all": "baseline"}).content.decode()
    assert {text for name, text in fields(page).items() if name.startswith("role")} == {"baseline"}


@pytest.mark.parametrize(
    ("typed", "system", "team"),
    [
        ("bge-large-en-v1.5 (another system)", "bge-large-en-v1.5", "–"),
        ("BAAI/bge-large-en-v1.5 (BAAI)", "BAAI/bge-large-en-v1.5", "BAAI"),
        ("naver/splade-v3", "naver/splade-v3", "Naver"),
    ],
)
def test_a_typed_name_is_one_on_record_or_another(ada, typed, system, team):
    address, page = begun(ada, f"{HEAD}| bge-large-en-v1.5 | .1 | .2 | .3 |\n")
    assert ada.post(address, fields(page) | {"known-1": typed}).status_code == 302
    assert {(row["system"], row["team"]) for row in Submission.objects.get().rows.values_list("cells", flat=True)} == {
        (system, team)
    }


def test_a_name_that_several_have_is_asked(ada):
    for team in ("A", "B"):
        make_result(make_leaderboard(), make_system("Twice", team), "0.2")
    address, page = begun(ada, f"{HEAD}| Mine | .1 | .2 | .3 |\n")
    answer = html.unescape(ada.post(address, fields(page) | {"known-1": "Twice"}).content.decode())
    assert "On record: Twice (A), Twice (B)" in answer
    assert ada.post(address, fields(page) | {"known-1": "Twice (B)"}).status_code == 302
    assert next(iter(systems(Submission.objects.get()))) == "Twice/B"


def test_the_second_of_two_saves_is_told(ada):
    address, page = begun(ada)
    sent = fields(page) | {"known-6": "DenseX-large"}
    ada.post(address, sent)
    answer = ada.post(address, sent, follow=True).content.decode()
    assert "Changed in the meantime" in answer


def test_a_visitor_sees_what_would_become_of_the_rows(client):
    page = client.post("/submit/", {"text": TABLE, "paper": PAPER, "step": "check"}).content.decode()
    assert "facebook/contriever-msmarco" in page
    assert page.count('<span class="is-new">new</span>') == 15
    assert not Submission.objects.exists()
