"""The verified leader: alone in the set of runs that may be the best."""

import pytest

from analysis.best import confidence_set_for_best
from analysis.errors import ArgumentError
from analysis.ranks import WhyNotVerified, verified_leader
from tests.analysis.matrices import distinct_matrix
from tests.analysis.simulated import mirrored, noisy_matrix

FAR, CLOSE = [0.2, 0.3, 0.5], [0.2, 0.49, 0.5]


def of_matrix(matrix, rng=1, *, higher_is_better=True, **options):
    best_set = confidence_set_for_best(matrix, rng, higher_is_better=higher_is_better)
    return verified_leader(best_set.members, n_topics=best_set.n_topics, **options)


def verdict(means, *, n_topics=50, **options):
    return of_matrix(noisy_matrix(means, n_topics=n_topics), **options)


def test_it_is_verified_if_and_only_if_it_is_alone_in_the_set():
    answer = verdict(FAR)
    assert (answer.leader, answer.is_verified, answer.verified_family, answer.why_not) == ("s2", True, "s2", None)
    beside = verdict(CLOSE)
    assert (beside.is_verified, beside.verified_family, beside.why_not) == (False, None, WhyNotVerified.NOT_ALONE)


def test_several_of_one_family_verify_the_family_and_not_the_run():
    answer = verdict(CLOSE, families={"s1": "X", "s2": "X", "s0": "Y"})
    assert (answer.is_verified, answer.verified_family, answer.why_not) == (False, "X", WhyNotVerified.NOT_ALONE)
    assert verdict(CLOSE, families={"s1": "X", "s2": "Z"}).verified_family is None


def test_few_topics_verify_nothing():
    answer = verdict([0.1, 0.2, 0.9], n_topics=24)
    assert (answer.leader, answer.is_verified, answer.verified_family) == ("s2", False, None)
    assert answer.why_not is WhyNotVerified.TOO_FEW_TOPICS
    assert verdict([0.1, 0.2, 0.9], n_topics=25).is_verified


def test_a_flagged_one_verifies_nothing():
    answer = verdict(FAR, flagged=["s2"])
    assert (answer.is_verified, answer.verified_family, answer.why_not) == (False, None, WhyNotVerified.FLAGGED)
    assert verdict(FAR, flagged=["s0"]).is_verified, "others' flags are not its own"
    family = verdict(CLOSE, families={"s1": "X", "s2": "X"}, flagged=["s1"])
    assert (family.verified_family, family.why_not) == (None, WhyNotVerified.FLAGGED)


def test_the_leader_of_tar_2019_is_verified_and_its_variant_is_not_in_the_set():
    answer = of_matrix(distinct_matrix("clef-tar-2019-abs__AP"), 2015)
    assert (answer.leader, answer.is_verified) == ("abs-hh-ratio-ilps@uva", True)


def test_direction_and_json():
    answer = of_matrix(mirrored(noisy_matrix(FAR)), higher_is_better=False)
    assert answer.to_dict() == {"leader": "s2", "is_verified": True, "verified_family": "s2", "why_not": None}


def test_it_refuses_a_number_of_topics_that_is_none_without_a_set_too():
    with pytest.raises(ArgumentError, match="n_topics must be"):
        verified_leader([], n_topics=-1)
