"""How many queries an answer takes, and that more rows take no more."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.results.services.endings import supersede_result
from tests.registry.factory import make_paper, make_result, make_system
from tests.registry.keeping import forget_kept_answers
from tests.registry.leaderboards.boards import analyse, analyse_again, make_board, make_run, mark_changed

#: At most so many; three of them find out whether anything changed.
MOST = {
    "/api/v1/": 3,
    "/api/v1/collections/": 6,
    "/api/v1/measures/": 6,
    "/api/v1/leaderboards/": 5,
    "/api/v1/leaderboards/?collection={slug}&analysed=all": 6,
    "/api/v1/collections/{slug}/": 7,
    "/api/v1/collections/{slug}/baselines/": 8,
    "/api/v1/collections/{slug}/resolution/": 8,
    "/api/v1/leaderboards/{slug}/{measure}/": 16,
    "/api/v1/systems/{system}/": 7,
    "/api/v1/papers/{paper}/": 6,
    "/api/v1/results/{result}/": 7,
    "/api/v1/snapshots/{snapshot}/": 4,
}


def grow(board, system, paper) -> None:
    """Add more of everything."""
    for number in range(3):
        analyse(make_board())
        result = make_result(board, system, f"0.2{number}", paper=paper, source=f"source {number}")
        supersede_result(result=result, changes={"printed": "0.3"}, actor=None, reason="erratum")
        make_run(board, f"0.1{number}")
    analyse_again(board)


def count(client, path: str) -> int:
    forget_kept_answers()
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return len(captured)


def test_the_number_of_queries_is_constant(client, subtests):
    board, system, paper = make_board(), make_system(), make_paper()
    result = make_result(board, system, paper=paper)
    mark_changed(board)
    names = {
        "slug": board.collection.slug,
        "measure": board.measure.name,
        "system": system.slug,
        "paper": paper.slug,
        "result": result.pk,
        "snapshot": analyse(board).snapshot_id,
    }
    paths = {template: template.format(**names) for template in MOST}
    client.get(paths["/api/v1/"])  # The description of the API is made once.
    few = {template: count(client, path) for template, path in paths.items()}
    grow(board, system, paper)
    for template, most in MOST.items():
        with subtests.test(template):
            assert count(client, paths[template]) == few[template] <= most, template
