"""GET /compare/beside/: a model, or the best of a leaderboard, beside the best open one of at most 1B parameters."""

from django.utils import timezone

from registry.curation.lineage.models import SystemFacts
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_model, make_result, make_system

#: Whether its weights are open, its parameters, its scores on two leaderboards.
MODELS = {
    "giant": (False, 7 * 10**10, "0.9", "0.8"),
    "large-open": (True, 7 * 10**9, "0.8", "0.7"),
    "small-open": (True, 10**8, "0.6", "0.5"),
    "tiny-open": (True, 10**7, "0.5", "0.4"),
    "small-closed": (False, 10**8, "0.7", "0.6"),
}


def test_a_model_is_set_beside_the_small_open_one_that_leads_on_most_of_its_leaderboards(client):
    measure = make_measure("AP")
    boards = [make_leaderboard(make_collection(name), measure) for name in ("first", "second")]
    for name, (is_open, size, *values) in MODELS.items():
        system = make_system(name, model=make_model(name, name))
        for board, value in zip(boards, values, strict=True):
            make_result(board, system, value, role="leaderboard")
        SystemFacts.objects.create(
            system=system,
            source="test",
            recorded_at=timezone.now(),
            has_open_weights=is_open,
            n_parameters=size,
            model=name,
        )
    assert client.get("/compare/beside/?model=giant")["Location"] == "/compare/?model=giant&model=small-open"
    assert client.get("/compare/beside/?model=small-open")["Location"] == "/compare/?model=small-open&model=tiny-open"
