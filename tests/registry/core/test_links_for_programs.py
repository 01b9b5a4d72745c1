"""What pages and files tell programs: typed links, feeds, licences, tables as data sets."""

import xml.etree.ElementTree as ET
from datetime import UTC, datetime

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from registry.core.croissant import CONTEXT, describe_dataset, describe_file, describe_table
from registry.core.days import end_of
from registry.core.feeds import FeedEntry, atom_response
from registry.core.linked_data import licence_address
from registry.core.live_examples import FINDERS, LiveExample, live_examples, register_live_example
from registry.core.signposts import link_header, set_collection, set_signposts

ATOM = "{http://www.w3.org/2005/Atom}"


def test_a_link_of_this_site_is_absolute_and_others_stay_as_they_are():
    assert link_header([("/a/", "item", "text/csv"), ("https://example.org/b", "license", "")]) == (
        '<http://testserver/a/>; rel="item"; type="text/csv", <https://example.org/b>; rel="license"'
    )


def test_a_page_says_where_it_stays_what_it_is_and_by_whom():
    response = set_signposts(
        HttpResponse(), cite_as="/p/", kind="Dataset", described_by={"/p.json": "application/json"},
        items={f"/{number}.csv": "text/csv" for number in range(30)}, authors=("https://orcid.org/1", "/"),
    )  # fmt: skip
    links = response["Link"].split(", ")
    assert links[:3] == [
        '<http://testserver/p/>; rel="cite-as"',
        '<https://orcid.org/1>; rel="author"',
        '<http://testserver/>; rel="author"',
    ]
    assert '<https://schema.org/Dataset>; rel="type"' in links
    assert '<https://schema.org/AboutPage>; rel="type"' in links
    assert '<http://testserver/sources/>; rel="license"' in links
    assert sum('rel="item"' in link for link in links) == 20, "headers are bounded"
    assert links[-1] == '<http://testserver/p.json>; rel="describedby"; type="application/json"'


@pytest.mark.parametrize(("licence", "said"), [("", False), ("https://example.org/l", True)])
def test_a_page_has_the_licence_that_is_given_or_none(licence, said):
    response = set_signposts(HttpResponse(), cite_as="/", kind="Dataset", described_by={}, licence=licence)
    assert ('rel="license"' in response["Link"]) is said
    assert ("<https://example.org/l>" in response["Link"]) is said


def test_a_file_leads_to_its_page():
    assert set_collection(HttpResponse(), "/p/", "/p/2/")["Link"] == (
        '<http://testserver/p/2/>; rel="cite-as", <http://testserver/p/>; rel="collection"; type="text/html"'
    )


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("MIT", "https://spdx.org/licenses/MIT.html"),
        ("CC0", "https://spdx.org/licenses/CC0-1.0.html"),
        ("CC BY 4.0", "https://spdx.org/licenses/CC-BY-4.0.html"),
        ("CC BY-SA 4.0", "https://spdx.org/licenses/CC-BY-SA-4.0.html"),
        ("as the track says", "as the track says"),
    ],
)
def test_a_licence_with_a_name_of_spdx_has_an_address(name, address):
    assert licence_address(name) == address


def test_a_feed_has_its_entries_as_text():
    entry = FeedEntry(
        title="a & b\x00", path="/results/1/#ended", at=datetime(2026, 5, 6, 7, tzinfo=UTC), author="Ada",
        text="1 < 2\x0b",
    )  # fmt: skip
    request = RequestFactory().get("/feed.atom?kind=x")
    response = atom_response(request, title="Changes\x08", page="/log/", entries=[entry])
    assert response["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ET.fromstring(response.content)
    assert feed.findtext(f"{ATOM}title") == "Changes\ufffd"
    assert feed.get("{http://www.w3.org/XML/1998/namespace}lang") == "en"
    links = {one.get("rel"): one.get("href") for one in feed.findall(f"{ATOM}link")}
    assert links == {"alternate": "http://testserver/log/", "self": "http://testserver/feed.atom?kind=x"}
    (item,) = feed.findall(f"{ATOM}entry")
    assert item.findtext(f"{ATOM}title") == "a & b\ufffd"
    assert item.findtext(f"{ATOM}id") == "http://testserver/results/1/#ended"
    assert item.find(f"{ATOM}link").get("href") == "http://testserver/results/1/#ended"
    assert item.findtext(f"{ATOM}summary") == "1 &lt; 2\ufffd", "read as HTML"
    assert item.findtext(f"{ATOM}author/{ATOM}name") == "Ada"
    assert item.findtext(f"{ATOM}published") == item.findtext(f"{ATOM}updated") == "2026-05-06T07:00:00+00:00"


def test_a_table_is_described_as_croissant_has_it():
    table = describe_table(
        "scores", "scores.csv", [("value", "sc:Float", "The score"), ("note", "sc:Text", "")], key="x"
    )
    assert (table["@type"], table["@id"], table["key"]) == ("cr:RecordSet", "scores", "x")
    value, note = table["field"]
    assert value == {
        "@type": "cr:Field",
        "@id": "scores/value",
        "name": "scores/value",
        "description": "The score",
        "dataType": "sc:Float",
        "source": {"fileObject": {"@id": "scores.csv"}, "extract": {"column": "value"}},
    }
    assert "description" not in note
    file = describe_file("scores.csv", "https://example.org/s", "text/csv", sha256="0")
    assert (file["@type"], file["contentUrl"], file["encodingFormat"], file["sha256"]) == (
        "cr:FileObject",
        "https://example.org/s",
        "text/csv",
        "0",
    )
    dataset = describe_dataset(name="All", recordSet=[table])
    assert (dataset["@context"], dataset["@type"], dataset["name"]) == (CONTEXT, "sc:Dataset", "All")
    assert dataset["conformsTo"] == "http://mlcommons.org/croissant/1.1"


def test_a_day_ends_with_its_last_microsecond():
    assert end_of(datetime(2026, 5, 6, tzinfo=UTC).date()) == datetime(2026, 5, 6, 23, 59, 59, 999_999, tzinfo=UTC)


def test_a_method_leads_to_the_pages_on_which_it_is_at_work_today(monkeypatch):
    monkeypatch.setattr("registry.core.live_examples.FINDERS", FINDERS.copy())
    found = LiveExample("Robust04", "/leaderboards/", "It holds.")

    def find() -> LiveExample:
        return found

    for _ in range(2):
        register_live_example(find, "made-up-method", "another-method")
    register_live_example(lambda: None, "made-up-method")
    assert live_examples("made-up-method") == live_examples("another-method") == [found]
    assert live_examples("of-nobody") == []
