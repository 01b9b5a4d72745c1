"""A system and a year across collections: pages, JSON and the API."""

from datetime import date

import pytest
from django.utils import timezone

from registry.leaderboards.models import ReferenceSet
from registry.results.models import Result
from registry.results.services.merging import merge_systems
from registry.tools.standardization.across import across_version, system_across, year_across, years_on_record
from registry.tools.standardization.scales import read_topic_z
from tests.registry.factory import (
    make_collection,
    make_entry,
    make_leaderboard,
    make_measure,
    make_result,
    make_results,
    make_system,
    make_topic_scores,
    make_topics,
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


def test_more_results_take_no_more_queries(followed, django_assert_max_num_queries):
    with django_assert_max_num_queries(6):
        assert len(system_across(followed).groups[0].results) == 4


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
        "third: 5 original shared-task runs",
    ]
    assert "z = 1 among strong systems is more than z = 1 among weak ones" in page.text
    assert "1 of 5 is left out: its leaderboard has no set of five systems or more so far." in page.text
    assert "z by topic" not in page.text
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
    assert read(client, system.get_absolute_url()).row("toolkits")[-1].endswith("; it is one of them")


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
    make_result(make_leaderboard(measure=measure), printed="0.3", role="proposed", year=2010)
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
    assert " 1 is left out: its leaderboard has no set of five systems or more so far." in page.text
    assert page.row("third")[1:] == ["3", "+0.32", "+0.63", "+0.95", "+1.26", "third: 5 original shared-task runs"]


@pytest.mark.parametrize("n", [5, 7])
def test_a_year_shows_five_measures_and_folds_the_others(client, n):
    for number in range(n):
        measure = make_measure(f"P@{number + 1}")
        make_results(make_scale(f"collection-{number}", measure), [0.1, 0.2, 0.3], role="proposed", year=2010)
    text = read(client, "/years/2010/").text
    assert text.count("Proposed systems of papers, P@") == n
    assert ("2 more, by role and measure" in text) == (n == 7)


def test_runs_that_make_the_scale_say_nothing_of_their_year(client):
    measure = make_measure("AP")
    for slug in ("first", "second", "third"):
        make_scale(slug, measure)
    (group,) = client.get("/years/1999.json").json()["groups"]
    assert (group["n_own_scale"], group["mean"]) == (3, None)
    page = read(client, "/years/1999/")
    assert "On 3 of 3 collections they are at least half of the reference systems themselves." in page.text
    assert page.row("first")[-1].endswith("; 5 of the results are in it")


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


#: Topics a and b on which the reference systems have means of 0.4 and 0.6, and deviations of 0.1 and 0.2.
BY_TOPIC = {"topics": ["a", "b"], "means": [0.4, 0.6], "sds": [0.1, 0.2], "n_systems": 5}


def make_topic_scale(board, labels=("a", "b"), **factors):
    make_topics(board.collection, labels)
    return ReferenceSet.objects.create(
        leaderboard=board, basis="topic-scores", name="by topic", n_systems=5, frozen_on=date(2020, 1, 1),
        factors=BY_TOPIC | factors,
    )  # fmt: skip


def put_topic_scores(board, scores, system=None):
    result = make_result(board, system or make_system(), "0.5")
    make_topic_scores(result, scores)
    return result


def test_z_by_topic_is_the_mean_over_topics_where_scale_and_scores_are_whole(client):
    measure = make_measure("AP")
    board = make_scale("whole", measure)
    make_topic_scale(board)
    one = put_topic_scores(board, [0.6, 0.5])
    other = put_topic_scores(board, [0.4, 0.8])
    part = put_topic_scores(board, [0.4, None])
    few = make_scale("few", measure)
    make_topic_scale(few, n_systems=4)
    alien = make_scale("alien", measure)
    make_topic_scale(alien, labels=("a", "c"))
    bare = make_scale("bare", measure)
    make_topics(bare.collection, ("a", "b"))
    others = [put_topic_scores(of, [0.6, 0.5]) for of in (few, alien, bare)]
    # (0.6 - 0.4) / 0.1 = 2 and (0.5 - 0.6) / 0.2 = -0.5; 0 and 1.
    expected = {one.pk: pytest.approx(0.75), other.pk: pytest.approx(0.5)}
    assert read_topic_z([one, other, part, *others]) == expected
    assert system_across(one.system).groups[0].results[0].topic_z == pytest.approx(0.75)
    assert read(client, one.system.get_absolute_url()).row("whole")[-2] == "+0.75"
    lower = make_scale("lower", make_measure("cost", higher_is_better=False))
    make_topic_scale(lower)
    assert list(read_topic_z([put_topic_scores(lower, [0.6, 0.5])]).values()) == [pytest.approx(-0.75)]


def test_results_of_a_system_are_parted_by_measure_and_scale_those_over_most_collections_first():
    system = make_system("Followed", "a team")
    for slug, measure, sort in (
        ("one", "P@5", "original shared-task runs"), ("two", "P@5", "original shared-task runs"),
        ("three", "AP", "reference implementations"), ("four", "AP", "original shared-task runs"),
        ("five", "RR", "something else"),
    ):  # fmt: skip
        known = Result.objects.filter(leaderboard__measure__name=measure).first()
        board = make_scale(slug, known.leaderboard.measure if known else make_measure(measure), sort=sort)
        make_result(board, system, "0.5000", year=2010)
    make_result(board, system, "0.5000", source="again", comparability="doubtful")
    make_result(board, system, "0.5000", source="gone", ended_at=timezone.now(), ended_by=make_entry(),
                ending="withdrawn")  # fmt: skip
    found = system_across(system)
    assert (found.system, found.name, found.team, found.n_results, found.n_without) == (
        system.pk, "Followed", "a team", 5, 0,
    )  # fmt: skip
    assert [(one.measure, one.references, one.n_collections) for one in found.groups] == [
        ("P@5", "original shared-task runs", 2),
        ("AP", "original shared-task runs", 1),
        ("AP", "reference implementations", 1),
        ("RR", "other systems", 1),
    ]
    assert [one.collection for one in found.groups[0].results] == ["one", "two"]
    one = found.groups[0].results[0]
    assert (one.year, one.collection_year, one.is_reference, one.unit) == (2010, 1999, False, "")
    assert (one.board, one.url) == ("/leaderboards/one/P@5/", Result.objects.get(pk=one.result).get_absolute_url())


def test_of_the_same_z_everywhere_no_interval_can_be_given():
    measure, system = make_measure(), make_system()
    for slug in ("one", "two", "three"):
        make_result(make_scale(slug, measure), system, "0.4000")
    (group,) = system_across(system).groups
    assert (group.n_collections, group.mean) == (3, None)


def test_a_year_has_what_was_handed_in_or_published_by_role_then_by_how_many_collections():
    ap, rr = make_measure("AP"), make_measure("RR")
    boards = [make_scale("one", ap), make_scale("two", ap), make_scale("three", rr)]
    for board in boards:
        make_results(board, [0.4, 0.5], role="proposed", year=2010)
    make_results(boards[0], [0.3], role="baseline", year=2010)
    make_results(boards[2], [0.3], role="leaderboard", year=2010)
    make_results(boards[2], [0.2], role="trec_run", year=2010)
    few = make_scale("few", ap, MEANS[:4])
    make_results(few, [0.3, 0.4, 0.5], role="proposed", year=2010)
    for fields in (
        {"role": "reference_implementation"}, {"year": 2011}, {"year": None}, {"comparability": "doubtful"},
        {"replicate_of": boards[0].results.first()},
        {"ended_at": timezone.now(), "ended_by": make_entry(), "ending": "withdrawn"},
    ):  # fmt: skip
        make_results(boards[0], [0.9], **({"role": "proposed", "year": 2010} | fields))
    found = year_across(2010)
    assert (found.year, found.url, found.n_results, found.n_without) == (2010, "/years/2010/", 12, 3)
    assert [(one.role, one.measure, one.n_results, len(one.collections)) for one in found.groups] == [
        ("trec_run", "RR", 1, 1), ("leaderboard", "RR", 1, 1), ("proposed", "AP", 4, 2), ("proposed", "RR", 2, 1),
        ("baseline", "AP", 1, 1),
    ]  # fmt: skip
    assert [one.collection for one in found.groups[2].collections] == ["one", "two"]
    assert years_on_record() == [
        (2011, "/years/2011/", 1, 1), (2010, "/years/2010/", 12, 4), (1999, "/years/1999/", 19, 4),
    ]  # fmt: skip


def test_a_year_makes_its_scale_where_its_results_are_half_of_it():
    measure = make_measure("AP")
    for slug, n in (("one", 2), ("two", 3), ("three", 0), ("four", 1), ("five", 2)):
        board = make_scale(slug, measure)
        results = board.results.order_by("pk")[:n]
        Result.objects.filter(pk__in=[one.pk for one in results]).update(role="proposed", year=2010)
        make_results(board, [0.3, 0.45], role="proposed", year=2010)
    (group,) = year_across(2010).groups
    rows = {one.collection: (one.n_results, one.n_reference_results, one.is_own_scale) for one in group.collections}
    assert rows == {
        "one": (4, 2, False), "two": (5, 3, True), "three": (2, 0, False), "four": (3, 1, False), "five": (4, 2, False),
    }  # fmt: skip
    medians = [one.median for one in group.collections if one.collection != "two"]
    assert (group.n_own_scale, group.n_results) == (1, 18)
    assert group.mean.z == pytest.approx(sum(medians) / 4)


def test_scales_and_topic_scores_that_come_go_or_are_replaced_make_another_version():
    board = make_scale("one", make_measure())
    make_topics(board.collection, ["a"])
    seen = [across_version()]

    def make_set(version):
        return ReferenceSet.objects.create(
            leaderboard=board, basis="published-means", name="n", n_systems=5, factors={}, frozen_on=date(2020, 2, 3),
            version=version,
        )  # fmt: skip

    def make_scores(version):
        return make_topic_scores(make_result(board, printed=f"0.{version}"), [0.5])

    for make in (make_set, make_scores):
        older, newer = make(2), make(3)
        seen.append(across_version())
        older.delete()
        seen.append(across_version())
        newer.delete()
        make(4)
        seen.append(across_version())
    assert len(set(seen)) == len(seen) == 7
