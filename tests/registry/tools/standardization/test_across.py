"""A system and a year across collections: pages, JSON and the API."""

from datetime import date

import pytest

from registry.leaderboards.models import ReferenceSet
from registry.results.services.merging import merge_systems
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_result,
    make_results,
    make_system,
)
from tests.registry.pages import read

pytestmark = pytest.mark.django_db

#: Mean 0.3, standard deviation sqrt(0.025) = 0.158.
MEANS = (0.1, 0.2, 0.3, 0.4, 0.5)
SD = 0.025**0.5


def make_scale(slug, measure, means=MEANS, sort="original shared-task runs", year=1999):
    """A leaderboard with original runs of these means, which are its frozen reference set."""
    board = make_leaderboard(make_collection(slug, year=year), measure)
    results = make_results(board, means, role="trec_run", year=year)
    frozen = ReferenceSet.objects.create(
        leaderboard=board, basis="published-means", name=f"{slug}: {len(means)} {sort}", n_systems=len(means),
        factors={"mean": 0.3, "sd": SD, "means": list(means)}, frozen_on=date(2020, 2, 3),
    )  # fmt: skip
    frozen.members.set(results)
    return board


def address(system, end="/"):
    return f"/systems/{system.slug}/standardized{end}"


@pytest.fixture
def followed():
    """A system with a result on three collections, on one of them two, and one without a scale."""
    measure, system = make_measure("AP"), make_system("Followed")
    for slug, printed in (("first", ["0.3000"]), ("second", ["0.4000", "0.2000"]), ("third", ["0.6000"])):
        board = make_scale(slug, measure)
        for text in printed:
            make_result(board, system, text, role="proposed", year=2010, source=text)
    few = make_scale("few", measure, MEANS[:4])
    make_result(few, system, "0.5000", role="proposed", year=2010)
    return system


def test_a_system_stands_on_the_scale_of_every_collection(client, followed):
    found = client.get(address(followed, ".json")).json()
    assert (found["n_results"], found["n_without"]) == (5, 1)
    (group,) = found["groups"]
    assert (group["measure"], group["references"], group["n_collections"]) == ("AP", "original shared-task runs", 3)
    assert [(one["collection"], round(one["z"] * SD, 10)) for one in group["results"]] == [
        ("third", 0.3), ("second", 0.1), ("first", 0.0), ("second", -0.1),
    ]  # fmt: skip
    assert [one["percentile"] for one in group["results"]] == [100.0, 70.0, 50.0, 30.0]
    # The second collection counts once, with 0: mean of 0, 0 and 0.3; t with two degrees of freedom is 4.3027.
    mean = group["mean"]
    assert mean["z"] * SD == pytest.approx(0.1)
    assert mean["sd"] * SD == pytest.approx(0.03**0.5)
    assert (mean["high"] - mean["z"]) * SD == pytest.approx(4.302653 * 0.1, rel=1e-6)
    assert client.get(f"/api/v1{address(followed)}").json() == found


def found_url(client, system):
    return client.get(address(system, ".json")).json()["url"]


def test_its_page_says_what_a_z_depends_on(client, followed):
    page = read(client, followed.get_absolute_url())
    assert page.row("third")[1:] == [
        "+1.90",
        "100",
        "1999",
        "0.6000",
        "2010",
        "–",
        "third: 5 original shared-task runs",
    ]
    assert "z = 1 among strong systems is more than z = 1 among weak ones" in page.text
    assert "1 of 5 are left out" in page.text
    assert "A collection with several results counts once" in page.text
    assert len(page.of("circle")) == 4
    assert client.get(address(followed))["Location"] == found_url(client, followed)
    assert found_url(client, followed) == f"{followed.get_absolute_url()}#across"


def test_lower_is_better_is_turned(client):
    system, measure = make_system(), make_measure(higher_is_better=False)
    make_result(make_scale("one", measure), system, "0.1000")
    ((group,),) = [client.get(address(system, ".json")).json()["groups"]]
    assert group["results"][0]["z"] == pytest.approx(0.2 / SD)
    assert group["mean"] is None
    assert "No mean is formed: that takes three collections" in read(client, system.get_absolute_url()).text


def test_sets_of_different_systems_are_kept_apart_and_members_named(client):
    measure, system = make_measure(), make_system()
    make_result(make_scale("runs", measure), system, "0.3500")
    board = make_scale("toolkits", measure, sort="reference implementations")
    result = make_result(board, system, "0.3500")
    ReferenceSet.objects.get(leaderboard=board).members.add(result)
    groups = client.get(address(system, ".json")).json()["groups"]
    assert [(one["references"], one["results"][0]["is_reference"]) for one in groups] == [
        ("original shared-task runs", False), ("reference implementations", True),
    ]  # fmt: skip
    assert read(client, system.get_absolute_url()).row("toolkits")[-1].endswith("it is one of them")


def test_a_system_without_a_scale_says_nothing_and_a_merged_one_leads_on(client):
    system, other = make_system(), make_system()
    make_result(make_leaderboard(), system, "0.5")
    assert "Across collections" not in read(client, system.get_absolute_url()).text
    found = client.get(address(system, ".json")).json()
    assert (found["n_results"], found["n_without"]) == (1, 1)
    merge_systems(source=system, target=other, actor=None, reason="one system")
    assert client.get(address(system, ".json"))["Location"] == address(other, ".json")
    assert client.get(f"/api/v1{address(system)}")["Location"] == f"/api/v1{address(other)}"


def test_a_year_stands_on_the_scales_of_its_collections(client):
    measure = make_measure("AP")
    for slug, shift in (("first", 0.0), ("second", 0.1), ("third", 0.2)):
        make_results(make_scale(slug, measure), [0.1 + shift, 0.2 + shift, 0.3 + shift], role="proposed", year=2010)
    found = client.get("/years/2010.json").json()
    (group,) = found["groups"]
    assert (group["role"], group["n_results"], group["n_own_scale"]) == ("proposed", 9, 0)
    third = group["collections"][0]
    assert third["collection"] == "third"
    quartiles = [third[name] * SD for name in ("lower_quartile", "median", "upper_quartile", "best")]
    assert quartiles == pytest.approx([0.05, 0.1, 0.15, 0.2])
    assert group["mean"]["z"] == pytest.approx(0.0, abs=1e-12)
    assert client.get("/api/v1/years/2010/").json() == found
    page = read(client, "/years/2010/")
    assert page.row("third")[1:] == ["3", "+0.32", "+0.63", "+0.95", "+1.26", "third: 5 original shared-task runs"]


@pytest.mark.parametrize("n", [5, 7])
def test_a_year_shows_five_measures_and_folds_the_others(client, n):
    for number in range(n):
        measure = make_measure(f"P@{number + 1}")
        make_results(make_scale(f"collection-{number}", measure), [0.1, 0.2, 0.3], role="proposed", year=2010)
    text = read(client, "/years/2010/").text
    assert text.count("Proposed systems of papers, P@") == n
    assert ("2 more, of fewer collections" in text) == (n == 7)


def test_runs_that_make_the_scale_say_nothing_of_their_year(client):
    measure = make_measure("AP")
    for slug in ("first", "second", "third"):
        make_scale(slug, measure)
    (group,) = client.get("/years/1999.json").json()["groups"]
    assert (group["n_own_scale"], group["mean"]) == (3, None)
    page = read(client, "/years/1999/")
    assert "On 3 of 3 collections they are at least half of the reference systems themselves." in page.text
    assert page.row("first")[-1].endswith("5 of the results are in it")


def test_years_lead_to_each_other_and_are_listed_in_files(client):
    make_scale("first", make_measure(), year=1999)
    make_scale("second", make_measure(), year=2001)
    assert client.get("/years/")["Location"] == "/years/2001/"
    assert read(client, "/years/2001/").link("1999") == "/years/1999/"
    lines = client.get("/years.csv").content.decode().splitlines()
    assert lines == ["year,url,n_results,n_collections", "2001,/years/2001/,5,1", "1999,/years/1999/,5,1"]
    assert client.get("/years/", headers={"accept": "application/json"})["Location"] == "/years.json"


@pytest.mark.parametrize(
    "path", ["/years/1066/", "/years/1066.json", "/api/v1/years/1066/", "/years/", "/systems/0/standardized/"]
)
def test_what_is_not_there_is_not_found(client, path):
    assert client.get(path).status_code == 404


def test_choices_that_are_not_known_are_refused(client):
    assert client.get("/years/?x=1").status_code == 400


def test_the_latest_set_of_published_means_is_the_scale(client):
    system, measure = make_system(), make_measure("AP")
    board = make_scale("one", measure)
    ReferenceSet.objects.update(version=2)
    earlier = {"mean": 0.5, "sd": SD, "means": [0.3, 0.4, 0.5, 0.6, 0.7]}
    for version, basis, factors in ((1, "published-means", earlier), (3, "topic-scores", {})):
        ReferenceSet.objects.create(
            leaderboard=board, basis=basis, name="another", n_systems=5, factors=factors, version=version,
            frozen_on=date(2019, 1, 1),
        )  # fmt: skip
    make_result(board, system, "0.4000")
    (group,) = client.get(address(system, ".json")).json()["groups"]
    (found,) = group["results"]
    assert (found["z"], found["reference"]) == (pytest.approx(0.1 / SD), "one: 5 original shared-task runs")
    assert (found["frozen"], found["n_reference"], found["topic_z"]) == ("2020-02-03", 5, None)
