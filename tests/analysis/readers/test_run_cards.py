"""ranxhub's run cards."""

import pytest

from analysis.readers.exchange.run_cards import read_run_card, write_run_card
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.structured import read_yaml
from tests.analysis.readers.examples import filled_cells

CARD = """\
ranxhub-id: demo/test/uni/model-x
run:
  name: Model X
  version: 1.0
  description: A demonstration.
  code: https://example.org/uni/model-x
  authors:
  - name: Jane Doe
    orcid: ''
  team:
  - name: uni
    url: https://example.org/uni
  results:
    NDCG@10: 0.6745099354378765
    MAP@1000: 0.4430
    Recall@1000: 0.8430300560787803
  tags: [Retrieval]
  date: {day: 3, month: February, year: 2023}
benchmark:
  name: MSMARCO
  dataset: Passage
  split: TREC DL 2020
  version: 1.0
  ir-datasets-id: msmarco-passage/trec-dl-2020/judged
paper:
  title: A study of X
  authors:
  - name: Jane Doe
  - name: Richard Roe
  date: {day: 17, month: October, year: 2022}
  doi: 10.1145/1.2
  dblp: ''
model:
  name: X
"""


def cells(text: str) -> list[dict[str, str]]:
    return filled_cells(read_run_card(text))


def test_a_row_for_each_measure():
    rows = cells(CARD)
    assert [(row["measure"], row["value"]) for row in rows] == [
        ("NDCG@10", "0.6745099354378765"),
        ("MAP@1000", "0.4430"),
        ("Recall@1000", "0.8430300560787803"),
    ]
    assert {name: text for name, text in rows[0].items() if name not in {"measure", "value"}} == {
        "collection": "msmarco-passage/trec-dl-2020/judged",
        "system": "Model X",
        "team": "uni",
        "date": "2023-02-03",
        "year": "2023",
        "paper": "Doe and Roe (2022)",
        "paper_url": "https://doi.org/10.1145/1.2",
        "source": "https://example.org/uni/model-x",
        "notes": "A demonstration.",
    }


@pytest.mark.parametrize(
    ("change", "column", "text"),
    [
        (("msmarco-passage/trec-dl-2020/judged", "N/A"), "collection", "MSMARCO Passage TREC DL 2020"),
        (("  - name: uni\n    url: https://example.org/uni\n", "  - name:\n    url:\n"), "team", "Jane Doe"),
        (("month: February", "month: Feb"), "date", "2023-02-03"),
        (("month: February", "month: Nonember"), "date", ""),
        (("day: 3, ", ""), "date", ""),
        (("doi: 10.1145/1.2", "doi:"), "paper_url", ""),
        (("doi: 10.1145/1.2", "doi: 110.1145/1"), "paper_url", "110.1145/1"),
        (
            ("doi: 10.1145/1.2\n  dblp: ''", "dblp: https://dblp.org/rec/conf/x/Doe22.html?view=bibtex"),
            "paper_url",
            "https://dblp.org/rec/conf/x/Doe22.html",
        ),
        (("  - name: Richard Roe\n", "  - name: Richard Roe\n  - name: Ann Poe\n"), "paper", "Doe et al. (2022)"),
        (("  - name: Jane Doe\n  - name: Richard Roe\n", ""), "paper", "A study of X"),
        (("  date: {day: 17, month: October, year: 2022}\n", ""), "paper", "Doe and Roe"),
        (("  - name: uni\n", "  - name: uni\n  - name: None\n  - name: lab\n"), "team", "uni, lab"),
        (("  - name: uni\n    url: https://example.org/uni\n", "    name: uni\n"), "team", "uni"),
        (("  date: {day: 3, month: February, year: 2023}\n", ""), "year", "2022"),
        (("day: 3, month: February", "day: 30, month: December"), "date", "2023-12-30"),
        (("day: 3, month: February", "day: 3, month: ''"), "date", ""),
    ],
)
def test_where_the_cells_come_from(change, column, text):
    assert cells(CARD.replace(*change))[0].get(column, "") == text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "shape"),
        ("run: BM25", "shape"),
        ("run: {name: BM25}", "empty"),
        ("run: {name: BM25, results: {}}", "empty"),
        ("run: {name: BM25, results: [1]}", "empty"),
        ("run: &a {results: *a}", "alias"),
        ("run: {results: {MAP: 1, MAP: 2}}", "duplicate_key"),
    ],
)
def test_cards_that_are_refused(text, code):
    (rejection,) = read_run_card(text)
    assert isinstance(rejection, Rejection)
    assert (rejection.code, rejection.fatal) == (code, True)
    assert rejection.line
    assert rejection.column


def test_one_run_is_written():
    rows = [
        {"collection": "robust04", "measure": "AP", "system": "None", "value": "0.30", "role": "proposed", "team": "u"},
        {"collection": "robust04", "measure": "MAP", "system": "None", "value": ".4", "role": "proposed", "team": "u"},
    ]
    text = write_run_card(rows)
    card = read_yaml(text)
    assert card["run"] == {"name": "None", "team": [{"name": "u"}], "results": {"AP": "0.30", "MAP": ".4"}}
    assert card["benchmark"] == {"name": "robust04"}
    assert "paper" not in card
    assert "printed" not in card["plumbline"]
    assert cells(text) == rows


def test_several_runs_and_measures_given_twice_are_refused():
    with pytest.raises(Refused, match="these rows are of 2"):
        write_run_card([{"system": "a"}, {"system": "b"}])
    with pytest.raises(Refused, match="gives each measure once"):
        write_run_card(
            [{"system": "a", "measure": "AP", "value": "0.1"}, {"system": "a", "measure": "AP", "value": "0.2"}]
        )


def test_a_card_names_its_paper_and_team_where_they_are_known():
    card = read_yaml(write_run_card([{"system": "a", "measure": "AP", "value": "0.1", "paper": "Doe (2020)"}]))
    assert card["paper"] == {"title": "Doe (2020)"}
    assert card["run"] == {"name": "a", "results": {"AP": "0.1"}}
    assert card["benchmark"] == {"name": ""}
