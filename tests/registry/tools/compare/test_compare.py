"""GET /compare/, /compare.json and /api/v1/compare/"""

import pytest
from scipy import stats

from registry.leaderboards.stored import read_stored
from registry.search.services import index_registry
from tests.registry.curation.suites.world import make_suite
from tests.registry.factory import make_measure, make_model, make_result, make_system, make_topic_scores, make_topics
from tests.registry.leaderboards.boards import analyse_again, make_board
from tests.registry.leaderboards.suites import declare
from tests.registry.pages import read

FIRST = [0.1 + 0.011 * n for n in range(30)]


SECOND = [score - 0.05 - 0.002 * (n % 5) for n, score in enumerate(FIRST)]


@pytest.fixture
def pair():
    return make_system("ColBERT", "Stanford"), make_system("BM25")


def compared(client, *systems, status=200):
    answer = client.get("/api/v1/compare/", {"system": [system.pk for system in systems]})
    assert answer.status_code == status
    return answer.json()


def test_by_means_student_s_t_of_an_average_pair_tells(client, pair):
    board = make_board([f"{0.10 + 0.007 * number:.3f}" for number in range(30)])
    for system, printed in zip(pair, ("0.290", "0.150"), strict=True):
        make_result(board, system, printed)
    analyse_again(board)
    stored = read_stored([board.pk])[board.pk]
    # 0.0144 over 50 topics, with the ten degrees of freedom of a variance from elsewhere: t is 2.228.
    margin = pytest.approx(2.2281 * (2 * 0.0144 / 50) ** 0.5, rel=1e-4)
    assert stored.margin > 1.4 * margin.expected, "the verdict's is for all 32 results"
    comparison = compared(client, *pair)
    (shared,) = comparison["boards"]
    (difference,) = shared["differences"]
    assert (difference["better"], difference["basis"]) == (pair[0].pk, "means")
    assert difference["difference"] == pytest.approx(0.14)
    assert (difference["margin"], difference["told_apart"]) == (margin, True)
    assert (comparison["n_comparisons"], comparison["n_told_apart"], comparison["n_unknown"]) == (1, 1, 0)
    assert [score["rank"] for score in shared["scores"]] == [3, 24]
    (record,) = comparison["pairs"]
    assert (record["n_wins"], record["n_ties"], record["n_losses"], record["n_unknown"]) == (1, 0, 0, 0)
    assert [suite["n_boards"] for suite in comparison["suites"]] == [comparison["n_shared_by_all"]] == [1]
    page = read(client, f"/compare/?system={pair[0].pk}&system={pair[1].pk}")
    assert page.headings[0] == (1, "ColBERT wins on 1 of 1 leaderboard, BM25 on 0; 0 are ties.")
    assert comparison["sentence"] in page.text
    assert "Yes 0.140 better; 0.053 needed" in page.text


def test_pairs_by_means_count_with_the_others_on_the_leaderboard(client, pair):
    board = make_board([f"{0.10 + 0.007 * number:.3f}" for number in range(30)])
    for system, printed in zip(pair, ("0.250", "0.190"), strict=True):
        make_result(board, system, printed)
    analyse_again(board)
    third = board.results.get(printed="0.191").system
    (alone,) = compared(client, *pair)["boards"][0]["differences"]
    (among, *_) = compared(client, *pair, third)["boards"][0]["differences"]
    assert (alone["difference"], among["difference"]) == (pytest.approx(0.06), pytest.approx(0.06))
    assert (alone["told_apart"], among["told_apart"]) == (True, False)
    assert among["pvalue"] == pytest.approx(3 * alone["pvalue"])


def test_of_three_the_pair_that_differs_by_the_same_on_every_topic_alone_is_left_to_means(client, pair):
    board = make_board([f"{0.10 + 0.007 * number:.3f}" for number in range(30)])
    make_topics(board.collection, [str(300 + n) for n in range(30)])
    higher = [score + 0.01 for score in FIRST]
    third = make_system("a constant lead")
    for system, scores in zip((*pair, third), (FIRST, SECOND, higher), strict=True):
        make_topic_scores(make_result(board, system, f"{sum(scores) / 30:.4f}"), scores)
    analyse_again(board)
    (shared,) = compared(client, *pair, third)["boards"]
    bases = {frozenset((each["better"], each["other"])): each for each in shared["differences"]}
    assert bases[frozenset((pair[0].pk, third.pk))]["basis"] == "means"
    tested = [bases[frozenset((pair[1].pk, other))] for other in (pair[0].pk, third.pk)]
    assert [each["basis"] for each in tested] == ["topic-scores"] * 2
    # Holm over the three pairs of the leaderboard: three times the smaller, twice the larger.
    by_itself = sorted(stats.ttest_rel(scores, SECOND).pvalue for scores in (FIRST, higher))
    assert sorted(each["pvalue"] for each in tested) == pytest.approx([3 * by_itself[0], 2 * by_itself[1]])


def test_standardized_scores_are_those_of_the_leaderboard_and_their_mean_is_of_what_all_share(client, pair):
    third = make_system("third")
    for values in (["0.10", "0.20", "0.30", "0.40"], ["0.40", "0.50", "0.60", "0.70"]):
        board = make_board(values)
        make_result(board, pair[0], values[3])
        make_result(board, pair[1], values[0])
        analyse_again(board)
    make_result(board, third, "0.55")
    comparison = compared(client, *pair)
    z = [score["z"] for shared in comparison["boards"] for score in shared["scores"]]
    assert z == pytest.approx([1.1619, -1.1619] * 2, abs=1e-3)
    assert [system["mean_z"] for system in comparison["systems"]] == pytest.approx([1.1619, -1.1619], abs=1e-3)
    three = compared(client, *pair, third)
    assert [len(shared["scores"]) for shared in three["boards"]] == [3, 2]
    assert all(system["mean_z"] is None for system in three["systems"])  # The third entered after the analysis.
    assert [system["n_z"] for system in comparison["systems"]] == [2, 2]
    of_third = [entry for entry in three["boards"][0]["differences"] if third.pk in (entry["better"], entry["other"])]
    assert {(entry["basis"], entry["why_unknown"]) for entry in of_third} == {
        ("none", "one is not ranked there, or came after the last analysis")
    }
    assert (three["n_shared_by_all"], three["n_comparisons"]) == (1, 4)


def test_of_several_executions_the_first_is_compared_which_competes(client, pair):
    board = make_board([f"{0.10 + 0.007 * number:.3f}" for number in range(30)])
    first = make_result(board, pair[0], "0.290")
    make_result(board, pair[0], "0.295", replicate_of=first, source="again")
    make_result(board, pair[1], "0.150")
    analyse_again(board)
    (shared,) = compared(client, *pair)["boards"]
    (difference,) = shared["differences"]
    assert [(score["printed"], score["n_recorded"]) for score in shared["scores"]] == [("0.290", 1), ("0.150", 1)]
    assert shared["scores"][0]["rank"] == 3
    assert (difference["basis"], difference["told_apart"], difference["why_unknown"]) == ("means", True, "")
    again = make_result(board, make_system("ColBERT, execution 2"), "0.280", replicate_of=first)
    analyse_again(board)
    (shared,) = compared(client, again.system, pair[1])["boards"]
    assert [score["printed"] for score in shared["scores"]] == ["0.280", "0.150"]
    assert shared["differences"][0]["why_unknown"] == (
        "one is another execution of a system, and only the mean of all competes"
    )
    assert len(compared(client, pair[0], again.system)["boards"]) == 1
    # Of a first one that is not compared, the others compete by themselves.
    board.results.filter(pk=first.pk).update(comparability="doubtful")
    (shared,) = compared(client, *pair)["boards"]
    assert shared["scores"][0]["printed"] == "0.295"


def test_where_lower_is_better_the_lower_one_is(client, pair):
    board = make_board(measure=make_measure("risk", higher_is_better=False))
    make_result(board, pair[0], "0.40")
    make_result(board, pair[1], "0.10")
    (shared,) = compared(client, *pair)["boards"]
    assert shared["differences"][0]["better"] == pair[1].pk
    assert shared["differences"][0]["difference"] == pytest.approx(0.3)


def test_names_do_as_well_as_numbers_and_what_was_merged_is_found(client, pair):
    old = make_system("ColBERT v1", merged_into=pair[0])
    board = make_board()
    make_result(board, pair[0], "0.3")
    make_result(board, pair[1], "0.2")
    names = {"system": ["bm25", "ColBERT v1"]}
    assert [system["id"] for system in client.get("/compare.json", names).json()["systems"]] == [pair[1].pk, pair[0].pk]
    assert compared(client, old, pair[0], status=400)["errors"][0]["code"] == "too_few"


def test_a_name_of_several_is_asked_about(client):
    systems = [make_system("BM25", team) for team in ("here", "there")]
    text = read(client, "/compare/?system=BM25&system=1", status=400).text
    assert all(f"{system.pk} ({system.team})" in text for system in systems)
    more = [make_system("bm25", team) for team in ("", "c", "d")]
    choices = [f"{system.pk} ({system.team or 'no team'})" for system in (*systems, *more)]
    error = client.get("/compare.json?system=BM25&system=1").json()["errors"][0]["message"]
    assert error == f"“BM25” is several systems. Give the number: {', '.join(choices)}."
    make_system("BM25", "e")
    error = client.get("/compare.json?system=BM25&system=1").json()["errors"][0]["message"]
    assert error == f"“BM25” is several systems. Give the number: {', '.join(choices)} or 1 more."


def test_more_leaderboards_take_no_more_queries(client, pair, django_assert_max_num_queries):
    def one_more():
        board = make_board()
        make_result(board, pair[0], "0.3")
        make_result(board, pair[1], "0.2")
        analyse_again(board)

    one_more()
    with django_assert_max_num_queries(9) as few:
        compared(client, *pair)
    one_more()
    one_more()
    with django_assert_max_num_queries(len(few)):
        compared(client, *pair)


def test_of_a_model_the_best_result_of_its_systems_counts(client, pair):
    model = make_model()
    onnx, toolkit = (make_system(name, model=model) for name in ("splade-v3.onnx", "Pyserini splade-v3"))
    board = make_board()
    make_result(board, onnx, "0.21")
    make_result(board, toolkit, "0.23")
    make_result(board, pair[1], "0.20")
    comparison = client.get("/api/v1/compare/", {"model": "splade-v3", "system": pair[1].pk}).json()
    assert [(side["id"], side["name"], side["model"]) for side in comparison["systems"]] == [
        (onnx.pk, "SPLADE-v3", "splade-v3"),
        (pair[1].pk, "BM25", ""),
    ]
    (shared,) = comparison["boards"]
    scores = [(score["system"], score["printed"], score["n_recorded"], score["named"]) for score in shared["scores"]]
    assert scores == [(onnx.pk, "0.23", 2, "Pyserini splade-v3"), (pair[1].pk, "0.20", 1, "BM25")]
    assert shared["differences"][0]["better"] == onnx.pk
    page = read(client, f"/compare/?model=splade-v3&system={pair[1].pk}")
    assert page.headings[0][1].startswith("SPLADE-v3 wins on")
    assert "best of 2" in page.text
    assert "favours a model with more of them" in page.text
    assert "favours" not in read(client, f"/compare/?system={toolkit.pk}&system={pair[1].pk}").text
    typed = client.get("/compare.json", {"system": ["SPLADE-v3", str(pair[1].pk)]}).json()
    assert typed["systems"][0]["model"] == "splade-v3"


def test_leaderboards_that_one_side_was_trained_on_are_counted_apart(client, pair):
    for answers in (("no", "no"), ("yes", "no"), ("yes", "yes"), ("", "no")):
        board = make_board([f"{0.10 + 0.007 * number:.3f}" for number in range(30)])
        make_suite(f"suite {board.pk}", [board], is_zero_shot=True)
        for system, printed, answer in zip(pair, ("0.290", "0.150"), answers, strict=True):
            make_result(board, system, printed)
            if answer:
                declare(system, board.collection, answer)
        analyse_again(board)
    comparison = compared(client, *pair)
    assert {training["n_boards"] for training in comparison["by_training"]} == {1}
    first, second = (side.pk for side in pair)
    assert [(training["training"], training["trained"]) for training in comparison["by_training"]] == [
        ("zero-shot", []), ("trained", [first]), ("trained", [first, second]), ("undisclosed", []),
    ]  # fmt: skip
    assert (comparison["n_shared_by_all"], comparison["n_zero_shot"]) == (4, 1)
    assert comparison["sentence"] == "Zero-shot, ColBERT wins on 1 of 1 leaderboard, BM25 on 0; 0 are ties."
    page = read(client, f"/compare/?system={first}&system={second}")
    assert page.row("Only ColBERT trained on it")[1:] == ["1", "1 · 0 · 0"]


def test_part_of_a_name_is_enough_or_the_nearest_are_offered(client, pair):
    board = make_board()
    model = make_model()
    for number, system in enumerate((*pair, make_system("splade-v3.onnx", model=model), make_system("ColBERTv2"))):
        make_result(board, system, f"0.{20 + number}")
    index_registry()
    query = f"system={pair[1].pk}"
    systems = client.get(f"/api/v1/compare/?{query}&system=splade").json()["systems"]
    assert [system["name"] for system in systems] == ["BM25", "SPLADE-v3"]
    page = read(client, f"/compare/?{query}&system=colb", status=400)
    assert "Did you mean: ColBERT, ColBERTv2?" in page.text
    assert read(client, page.link("ColBERTv2").replace("?", "/compare/?")).headings[0][0] == 1
