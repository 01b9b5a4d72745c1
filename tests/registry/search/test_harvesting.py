"""GET /oai/: the six verbs of OAI-PMH over snapshots and papers, pages of lists, and errors by code."""

import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from typing import Any

import pytest

from registry.journal.services import record
from registry.leaderboards.models import Snapshot
from tests.registry.factory import make_paper, make_result, make_system
from tests.registry.leaderboards.boards import analyse, make_board

_OAI = "{http://www.openarchives.org/OAI/2.0/}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_RECORDS = {"verb": "ListRecords", "metadataPrefix": "oai_dc"}


@pytest.fixture
def ask(client: Any) -> Any:
    """Return what asks for a verb: the answer's XML, the texts of one of its elements, or the code of its error."""

    def asked(element: str = "", /, **arguments: str) -> Any:
        response = client.get("/oai/", arguments)
        assert (response.status_code, response["Content-Type"]) == (200, "text/xml; charset=utf-8")
        root = ET.fromstring(response.content)
        if (error := root.find(f"{_OAI}error")) is not None:
            return error.get("code")
        return [tag.text for tag in root.iter(element)] if element else root

    return asked


@pytest.fixture
def board() -> Any:
    board = make_board()
    make_result(board, make_system(), paper=make_paper("Doe (2020)", title="Ranking & all", authors="Jane Doe; Li Wei"))
    analyse(board)
    return board


def test_the_site_says_what_it_is_and_has(ask, board):
    about = {tag.tag.removeprefix(_OAI): tag.text for tag in ask(verb="Identify").find(f"{_OAI}Identify")}
    assert (about["baseURL"], "@" in about["adminEmail"]) == ("http://testserver/oai/", True)
    assert about["earliestDatestamp"] == min(ask(f"{_OAI}datestamp", **_RECORDS))
    assert ask(f"{_OAI}metadataPrefix", verb="ListMetadataFormats") == ["oai_dc"]
    assert ask(f"{_OAI}setSpec", verb="ListSets") == ["papers", "snapshots"]


def test_papers_and_snapshots_are_records_of_dublin_core(ask, board, client):
    paper, identifier = ask(f"{_OAI}identifier", **_RECORDS | {"verb": "ListIdentifiers"})
    assert identifier == f"oai:testserver:snapshots/{Snapshot.objects.get().pk}"
    of_paper = ask(verb="GetRecord", metadataPrefix="oai_dc", identifier=paper)
    fields = [(tag.tag.removeprefix(_DC), tag.text) for tag in of_paper.iter() if tag.tag.startswith(_DC)]
    assert fields[1:4] == [("title", "Ranking & all"), ("creator", "Jane Doe"), ("creator", "Li Wei")]
    assert client.get(dict(fields)["identifier"].removeprefix("http://testserver")).status_code == 200
    (title,) = ask(f"{_DC}title", **_RECORDS, set="snapshots")
    assert title.startswith(f"{board.collection.name}, {board.measure.name}: what was found on 20")
    assert client.post("/oai/", _RECORDS).content.count(b"<record>") == 2


def test_a_long_list_comes_in_pages_that_hold_each_record_once(ask, board):
    for number in range(105):
        make_result(board, make_system(), paper=make_paper(f"Roe {number} (2021)"))
    first = ask(**_RECORDS, set="papers")
    token = first.find(f".//{_OAI}resumptionToken")
    second = ask(verb="ListRecords", resumptionToken=token.text)
    identifiers = [tag.text for page in (first, second) for tag in page.iter(f"{_OAI}identifier")]
    assert len(identifiers) == len({*identifiers}) == int(token.get("completeListSize")) == 106
    last = second.find(f".//{_OAI}resumptionToken")
    assert (last.get("cursor"), last.text) == ("100", None)


def test_each_record_is_asked_for_alone_as_the_list_has_it(ask, board):
    make_result(board, make_system(), paper=make_paper("Roe (2021)"))
    record(action="results.file.loaded", subject=("file", "more.csv"), actor=None)
    make_result(board, make_system(), paper=make_paper("Poe (2022)"), recorded_at=datetime(2031, 5, 4, 12, tzinfo=UTC))
    records = list(ask(**_RECORDS).iter(f"{_OAI}record"))
    for listed in records:
        (alone,) = ask(**_RECORDS | {"verb": "GetRecord", "identifier": listed[0][0].text}).iter(f"{_OAI}record")
        assert ET.tostring(alone) == ET.tostring(listed)
    assert records[-1][0][1].text == "2031-05-04"
    assert len(records) == 4


def test_a_change_of_a_paper_is_found_from_its_time_on(ask, board):
    paper = make_paper("Poe (2022)")
    make_result(board, make_system(), paper=paper, recorded_at=datetime(2031, 5, 4, 12, tzinfo=UTC))
    of_papers, days = _RECORDS | {"set": "papers"}, {"from": "2031-05-04", "until": "2031-05-04"}
    assert ask(f"{_OAI}identifier", **of_papers, **days) == [f"oai:testserver:papers/{paper.slug}"]
    assert len(ask(f"{_OAI}identifier", **of_papers, until="2031-05-03")) == 1
    assert ask(**of_papers, **{"from": "2031-05-05"}) == "noRecordsMatch"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"verb": "Delete"}, "badVerb"),
        (_RECORDS | {"set": ["papers", "papers"]}, "badArgument"),
        (_RECORDS | {"from": "2026-01-02", "until": "2026-01-01"}, "badArgument"),
        (_RECORDS | {"until": "2026-01-02T00:00:00Z"}, "badArgument"),
        ({"verb": "ListRecords", "resumptionToken": "x"}, "badResumptionToken"),
        ({"verb": "ListRecords", "metadataPrefix": "marc21"}, "cannotDisseminateFormat"),
        (_RECORDS | {"verb": "GetRecord", "identifier": "oai:testserver:papers/nobody"}, "idDoesNotExist"),
        (_RECORDS | {"verb": "GetRecord", "identifier": "oai:testserver:papers/"}, "idDoesNotExist"),
        (_RECORDS | {"verb": "GetRecord", "identifier": "https://example.org/"}, "idDoesNotExist"),
    ],
)
def test_what_cannot_be_answered_says_so_by_a_code(ask, board, arguments, code):
    assert ask(**arguments) == code
