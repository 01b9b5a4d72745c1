"""Finding collections by words, suite and language, on the page of all collections."""

import pytest

from registry.accounts.documents import account_document
from registry.catalog.models import Collection, Curator
from tests.registry import factory
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


@pytest.fixture
def collections():
    """Four with results, and one without."""
    made = [
        factory.make_collection(
            "trec-robust", name="Robust 2004", suite="TREC", language="en", aliases=["disks 4 & 5"]
        ),
        factory.make_collection("trec-news", name="News 2019", suite="TREC", language="en", documents="articles"),
        factory.make_collection(
            "clef-de", name="Ad hoc German", suite="CLEF", language="de", ir_datasets_id="clef/de/01"
        ),
        factory.make_collection("own", name="A zoo", language="de"),
    ]
    for one in made:
        factory.make_leaderboard(one, results_version=1)
    lonely = factory.make_collection("lonely", name="Lonely", suite="TREC", language="fr")
    factory.make_leaderboard(lonely)
    return [*made, lonely]


def listed(client, query: str = "") -> list[str]:
    page = read(client, f"/collections/{query}")
    return [row[0] for row in page.rows[1:] if len(row) > 1]


def test_those_with_results_stand_by_suite_and_name_and_those_of_no_suite_last(client, collections):
    assert listed(client) == ["Ad hoc German", "News 2019", "Robust 2004", "A zoo"]
    assert listed(client, "?results=none") == ["Lonely"]


def test_each_is_listed_once_with_the_number_of_its_leaderboards_that_have_results(client, collections):
    factory.make_leaderboard(collections[0], results_version=3)
    factory.make_leaderboard(collections[0])
    assert listed(client).count("Robust 2004") == 1
    assert read(client, "/collections/").row("Robust 2004")[4] == "2"
    assert listed(client, "?results=none") == ["Lonely"], "a leaderboard without results is none"


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("robust", ["Robust 2004"]),
        ("ROBUST 2004", ["Robust 2004"]),
        ("robust 2019", []),
        ("trec-news", ["News 2019"]),
        ("trec", ["News 2019", "Robust 2004"]),
        ("clef/de", ["Ad hoc German"]),
        ("article", ["News 2019"]),
        ("disks", ["Robust 2004"]),
        ("disks robust", ["Robust 2004"]),
        ("Disks 4 & 5", ["Robust 2004"]),
        ("de", ["Ad hoc German"]),
    ],
)
def test_every_word_occurs_in_one_of_the_names(client, collections, words, found):
    assert listed(client, f"?q={words.replace(' ', '+').replace('&', '%26')}") == found


def test_what_goes_by_the_name_as_a_whole_comes_first(client, collections):
    other = factory.make_collection("a-robust04", name="Another", suite="AAA")
    factory.make_leaderboard(other, results_version=1)
    collections[0].aliases.create(alias="robust04")
    assert listed(client, "?q=robust04") == ["Robust 2004", "Another"]
    assert listed(client, "?q=Robust-04") == ["Robust 2004"], "however it is spelled"


def test_of_an_ambiguous_name_the_choices_come_first_in_their_order(client, collections):
    robust, news, german, _, _ = collections
    for number, one in enumerate((german, news, robust)):
        one.aliases.create(alias=f"DL19 no. {number}")
    factory.make_question("Which?", ["DL19"], [robust, german])
    assert listed(client, "?q=DL19") == ["Robust 2004", "Ad hoc German", "News 2019"]


def test_suite_and_language_are_chosen_in_upper_or_lower_case(client, collections):
    assert listed(client, "?suite=trec") == ["News 2019", "Robust 2004"]
    assert listed(client, "?language=DE") == ["Ad hoc German", "A zoo"]
    assert listed(client, "?suite=CLEF&language=de") == ["Ad hoc German"]
    assert listed(client, "?suite=CLEF&language=en") == []


def test_a_suite_or_language_of_none_is_refused_with_the_nearest(client, collections):
    page = read(client, "/collections/?suite=TRECK", status=400)
    assert "No collection has “TRECK” as its suite; did you mean TREC?" in page.text
    assert "No collection has “zz” as its language" in read(client, "/collections/?language=zz", status=400).text


def test_each_choice_says_how_many_it_would_keep_beside_the_others(client, collections):
    page = read(client, "/collections/?language=de")
    assert "All suites CLEF (1) Language" in page.text, "those of no suite are no choice"
    assert "All languages de (2) en (2)" in page.text
    both = read(client, "/collections/?suite=TREC&q=robust")
    assert "All suites TREC (1) Language All languages en (1)" in both.text


def test_somebody_takes_away_what_they_look_after(collections):
    ada = factory.make_user("ada")
    Curator.objects.create(user=factory.make_user("bob"), collection=collections[1])
    curated = Curator.objects.create(user=ada, collection=collections[0])
    assert list(Collection.objects.curated_by(ada)) == [collections[0]]
    assert account_document(ada)["curated"] == [
        {"collection": "trec-robust", "appointed": curated.appointed_at.isoformat(timespec="seconds")}
    ]
