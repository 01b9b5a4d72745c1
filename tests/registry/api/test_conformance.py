"""Every address answers as the OpenAPI description says, whatever stands behind it."""

from urllib.parse import urlencode

import pytest

from registry.leaderboards.models import Snapshot
from registry.results.models import Model, Paper, Result, System
from registry.runs.services.judging import put_judgements
from registry.runs.services.own_collections import add_measure, begin
from registry.runs.services.uploading import hand_in_table
from registry.tools.found_once import TopicStudy
from registry.tools.pairs.services import study_leaderboard
from tests.registry.accounts.people import make_person
from tests.registry.api.shapes import assert_conforms, operations
from tests.registry.api.world import make_world
from tests.registry.factory import make_result, make_topic_scores
from tests.registry.leaderboards.boards import make_board
from tests.registry.leaderboards.suites import analyse_all, make_members
from tests.registry.runs.world import QRELS, run_of, work
from tests.registry.runs.world import score as score_run
from tests.registry.tools.baselines.test_collection_baselines import put as put_papers
from tests.registry.tools.resolution.test_collection_resolution import make_scored_board, scores_of, study
from tests.thoroughness import every

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]

LISTS = {
    "list_collections": ("", "?q=collection&page_size=3"),
    "list_measures": ("", "?page_size=2"),
    "list_suites": ("",),
    "list_leaderboards": ("", "?analysed=all", "?analysed=false", "?sort=n_results&page_size=2"),
}

FILTERS = (
    *("?role=trec_run&n_multiplier=10", "?scale=borrowed&counted_roles=trec_run", "?as_of=2001-01-01"),
    "?page_size=2&sort=year",
)


def addresses() -> list[tuple[str, str]]:
    """An operation and an address of it, for everything there is."""
    world = make_world()
    paths = {name: path for name, (path, _) in operations("get").items()}
    found = [(name, paths[name]) for name in ("get_index", "get_schema", "get_reproduced")]
    found += [(operation, paths[operation] + query) for operation, queries in LISTS.items() for query in queries]
    for place, board in enumerate(world.leaderboards):
        names = {"collection": board.collection.slug, "measure": board.measure.name}
        found += [(operation, paths[operation].format(**names)) for operation in ("get_collection", "get_measure")]
        here = paths["get_leaderboard"].format(**names)
        found.append(("get_leaderboard", here))
        found += [("get_leaderboard", here + query) for query in every(2, FILTERS, __file__, start=place)]
        score = f"{paths['get_check']}?{urlencode({**names, 'score': 0.3, 'baseline': 0.2, 'tried': 4})}"
        found += [("get_check", score)] * (board != world.nothing_comparable)
        asked = every(2, ("", "?format=csv"), __file__, start=place)
        found += [("get_leaderboard_results", f"{here}results/{query}") for query in asked]
    found.append(("get_best_of", f"{paths['get_best_of']}?n=103&topics=50&mean=0.2&best=0.303&sd=0.08&correlation=0.6"))
    judged = world.leaderboards[0].collection
    put_judgements(collection=judged, content=QRELS, source="the track")
    upload = score_run(run_of("good", "other"), judged)
    found.append(("get_run", paths["get_run"].format(key=upload.pk)))
    own = begin(owner=make_person(), name="seen by its address", visibility="public", topics=[])
    hand_in_table(
        name="t", measure=add_measure(collection=own, facts={"name": "AP"}), content=b"topic,a,b\nx,1,0\ny,0,0\n"
    )
    found.append(("get_own_collection", paths["get_own_collection"].format(key=own.pk)))
    found.append(("list_public_own_collections", paths["list_public_own_collections"]))
    work()
    work()
    several = list(System.objects.order_by("pk").values_list("pk", flat=True)[:3])
    found.append(("get_compare", f"{paths['get_compare']}?{urlencode({'system': several}, doseq=True)}"))
    scored = make_scored_board(scores_of())
    study(scored.collection)
    for collection in (scored.collection, world.nothing_comparable.collection):
        found.append(("get_collection_resolution", f"/api/v1/collections/{collection.slug}/resolution/"))
        found.append(("get_collection_standardized", f"/api/v1/collections/{collection.slug}/standardized/"))
    followed = make_board(year=2004)
    put_papers(followed, [(year, "0.20", f"0.{year - 1975}") for year in range(2005, 2017)])
    found.append(("get_collection_baselines", f"/api/v1/collections/{followed.collection.slug}/baselines/"))
    here = f"/api/v1{scored.get_absolute_url()}"
    first, second = scored.results.order_by("pk").values_list("pk", flat=True)[:2]
    TopicStudy.keep(study_leaderboard(scored.pk))
    found += [("get_pairs", f"{here}pairs/{query}") for query in ("", "?test=t&correction=none", "?test=max-t")]
    found += [("get_pair", f"{here}pairs/{first}/{second}/{query}") for query in ("", "?margin=0.02")]
    again = make_result(scored, replicate_of=scored.results.get(pk=first))
    make_topic_scores(again, [0.01 * place for place in range(scored.collection.topics.count())])
    asked = every(2, ("?margin=0.02", ""), __file__)
    found += [("get_pair", f"{here}pairs/{first}/{second}/{query}") for query in asked]
    found += [("get_topics", f"{here}topics/")]
    found.append(("list_found", paths["list_found"] + "?q=collection"))
    boards = make_members()
    analyse_all(boards)
    suite = {"suite": "beir", "measure": "nDCG@10"}
    found.append(("get_suite_record", paths["get_suite_record"].format(suite="beir")))
    found += [("get_suite", paths["get_suite"].format(**suite) + query) for query in ("", "?page_size=2")]
    of_model = Model.objects.create(slug="a-model", name="A model", name_key="a model")
    System.objects.filter(pk__in=several).update(model=of_model)
    found.append(("get_model", paths["get_model"].format(slug=of_model.slug)))
    for operation, model in (
        ("get_snapshot", Snapshot),
        ("get_system", System),
        ("get_paper", Paper),
        ("get_system_results", System),
        ("get_paper_results", Paper),
        ("get_result", Result),
    ):
        name = "slug" if "{slug}" in paths[operation] else "pk"
        keys = every(20, model.objects.order_by("pk").values_list(name, flat=True), __file__)
        found += [(operation, paths[operation].format(id=key, slug=key)) for key in keys]
    return found


def test_every_answer_is_as_described(client):
    found = addresses()
    for operation_id, address in found:
        response = client.get(address)
        assert response.status_code == 200, (address, response.content)
        assert b"NaN" not in response.content
        assert b"Infinity" not in response.content
        assert_conforms(response, operation_id)
    public = {name for name, (_, described) in operations("get").items() if not described.get("security")}
    assert {operation_id for operation_id, _ in found} == public


def test_an_empty_registry_answers_too(client):
    for operation_id in LISTS:
        response = client.get(operations()[operation_id][0])
        assert response.json()["results"] == []
        assert_conforms(response, operation_id)
