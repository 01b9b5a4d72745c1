"""Labelled scores of instances: what is refused, how cells are placed, parts of them."""

import numpy as np
import pytest

from analysis.errors import ArgumentError
from analysis.scores import InstanceScores, ScoreMatrix

TABLE = np.array([[[0.1, 0.2, 0.3], [0.2, 0.3, 0.4]], [[0.5, 0.6, 0.7], [0.5, 0.5, 0.9]]])

LONG = {
    "algorithm": ["A", "A", "A", "A", "B", "B", "B"],
    "instance": ["1", "1", "2", "2", "1", "1", "2"],
    "topic": ["301", "302", "301", "302", "301", "302", "302"],
    "score": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7],
}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"topic": ["301", "301", "301", "302", "301", "302", "302"]}, r"must be given once.*\('A', '1', '301'\)"),
        ({"instance": list("1122122"), "topic": list("1212122")}, r"must be given once.*\('B', '2', '2'\)"),
        ({"instance": ["1", "1", "2", "2", "1", "1", "1"], "topic": list("1212123")}, "must have at least two inst"),
        ({"deterministic": ["A"]}, "deterministic must name algorithms whose instances all have the same scores"),
    ],
)
def test_what_can_not_be_treated_is_refused(changed, message):
    with pytest.raises(ArgumentError, match=message):
        InstanceScores(**(LONG | changed))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scores": TABLE[:, :1]}, "algorithm must have at least two instances"),
        ({"scores": TABLE[:, :, :1]}, "scores must hold at least two topics"),
        ({"scores": TABLE * np.nan}, "scores must hold finite numbers only"),
    ],
)
def test_arrays_that_can_not_be_treated_are_refused(options, message):
    with pytest.raises(ArgumentError, match=message):
        InstanceScores.from_array(**options)


def test_long_scores_are_placed_by_their_labels():
    scores = InstanceScores(**LONG)
    assert scores.instances == (("A", "1"), ("A", "2"), ("B", "1"), ("B", "2"))
    assert scores.scores.tolist() == [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6], [0.0, 0.7]]
    assert scores.present.tolist() == [[True, True], [True, True], [True, True], [False, True]]
    assert scores.n_absent == 1


def test_the_three_ways_in_agree():
    array = InstanceScores.from_array(TABLE, topics=["301", "302", "303"])
    matrices = InstanceScores.from_matrices(
        {name: ScoreMatrix(["1", "2"], ["301", "302", "303"], TABLE[row]) for row, name in enumerate("AB")}
    )
    cells = [(a, i, t) for a in range(2) for i in range(2) for t in range(3)]
    long = InstanceScores(
        ["AB"[a] for a, _, _ in cells],
        [str(i + 1) for _, i, _ in cells],
        [str(301 + t) for _, _, t in cells],
        [TABLE[cell] for cell in cells],
    )
    for other in (matrices, long):
        assert other.instances == array.instances
        assert other.topics == array.topics
        assert (other.scores == array.scores).all()


def test_matrices_are_aligned_by_topic_label():
    turned = ScoreMatrix(["1", "2"], ["303", "302", "301"], TABLE[1][:, ::-1])
    scores = InstanceScores.from_matrices({"A": ScoreMatrix(["1", "2"], ["301", "302", "303"], TABLE[0]), "B": turned})
    assert (scores.scores == TABLE.reshape(4, 3)).all()


def test_copies_of_a_deterministic_algorithm_count_once():
    copied = TABLE.copy()
    copied[1, 1] = copied[1, 0]
    scores = InstanceScores.from_array(copied, deterministic=["B"])
    assert scores.n_instances_of("B") == 1
    assert scores.n_instances_of("A") == 2


def test_copies_stand_for_what_any_of_them_has():
    copies = InstanceScores(
        list("AABBBB"), list("111122"), list("121231"), [0.1, 0.2, 0.5, 0.6, 0.7, 0.5], deterministic=["A", "B"]
    )
    assert copies.instances == (("A", "1"), ("B", "1"))
    assert copies.scores.tolist() == [[0.1, 0.2, 0.0], [0.5, 0.6, 0.7]]
    assert copies.present.tolist() == [[True, True, False], [True, True, True]]


def test_one_matrix_of_a_deterministic_algorithm_is_enough():
    deterministic = ScoreMatrix(["1"], ["301", "302", "303"], TABLE[1, :1])
    two = ScoreMatrix(["1", "2"], ["301", "302", "303"], TABLE[0])
    scores = InstanceScores.from_matrices({"A": two, "B": deterministic}, deterministic=["B"])
    assert scores.deterministic == ("B",)
    assert scores.n_instances_of("B") == 1


def test_complete_topics_leaves_out_those_that_some_instance_lacks():
    scores = InstanceScores(
        list("AAAAAABBBBB"), list("11122211122"), list("12312312323"), np.arange(11) / 10
    ).complete_topics()
    assert scores.topics == ("2", "3")
    assert scores.n_absent == 0


def test_fewer_than_two_complete_topics_are_refused():
    with pytest.raises(ArgumentError, match="must have at least two topics that every instance has"):
        InstanceScores(**LONG).complete_topics()


def test_select_keeps_what_is_known_of_the_named_algorithms():
    scores = InstanceScores.from_array(np.vstack([TABLE, TABLE[:1]]), deterministic=[])
    part = scores.select(["C", "A"])
    assert part.algorithms == ("C", "A")
    assert (part.scores == TABLE[[0, 0]].reshape(4, 3)).all()


def test_parts_keep_the_topics_that_one_of_them_has_and_what_is_deterministic():
    scores = InstanceScores(
        list("AAAABBC"), list("1122121"), list("1212223"), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], deterministic=["C"]
    )
    part = scores.select(["B", "A"])
    assert (part.algorithms, part.topics, part.deterministic) == (("B", "A"), ("1", "2"), ())
    assert part.scores.tolist() == [[0.0, 0.5], [0.0, 0.6], [0.1, 0.2], [0.3, 0.4]]
    assert part.n_absent == 2
    assert scores.select(["C", "A"]).deterministic == ("C",)


def test_with_scores_fills_the_same_cells_and_no_others():
    scores = InstanceScores(**LONG)
    other = scores.with_scores(np.array([[1, 2], [3, 4], [5, 6], [np.nan, 8]]))
    assert other.scores.tolist() == [[1, 2], [3, 4], [5, 6], [0, 8]]
    assert (other.present == scores.present).all()
    assert (other.instances, other.topics, other.algorithms) == (scores.instances, scores.topics, scores.algorithms)
