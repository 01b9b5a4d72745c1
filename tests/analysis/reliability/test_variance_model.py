"""A model of how much scores vary: worked examples, what it keeps quiet about, does a fit find what was put in?"""

import numpy as np
import pytest
from scipy.special import polygamma

from analysis.errors import ArgumentError
from analysis.reliability import VarianceModel, VarianceObservation, predict_variance
from analysis.reliability._variance_fit import fit_variances, left_out_error, rounded_model
from analysis.reliability._variance_model import relevant_counts
from tests.analysis.public_examples import MODEL


def test_relevant_documents_are_three_points_beside_those_of_one():
    assert [count for count, _ in relevant_counts(1.1404)] == pytest.approx([1.0, 2.0, 2.0, 4.2])
    assert [weight for _, weight in relevant_counts(1.1404)] == pytest.approx([0.8596, *[0.0468] * 3], abs=5e-5)
    assert relevant_counts(1.0) == relevant_counts(0.4872) == relevant_counts(5.0, 1.0) == ((1.0, 1.0),)
    assert relevant_counts(5.0) == relevant_counts(5.0, 0.0) == ((5.0, 1.0),)
    assert [count for count, _ in relevant_counts(4.928, 0.0)] == pytest.approx([2.0, 3.2032, 10.3488])
    assert sum(weight for _, weight in relevant_counts(493.5, 0.1)) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("measure", "known", "value", "confidence"),
    [
        ("AP", {"mean": 0.465103, "best": 0.5172, "relevant": 1.1404}, 0.074551, ("one", 1.0, 30.0)),
        ("nDCG@10", {"mean": 0.185355, "best": 0.35, "relevant": 4.928, "share_with_one": 0.0}, 0.023091,
         ("few", 1.2, 16.0)),
        ("P@10", {"mean": 0.06, "best": 0.09, "relevant": 1.0}, 0.001505, ("one", 1.0, 30.0)),
        ("RR@10", {"mean": 0.5, "best": 0.6}, 0.383 / 4, ("one", 1.0, 30.0)),
        ("Top-5 accuracy (answers)", {"mean": 0.5, "best": 0.6}, 0.641 / 4, ("one", 1.0, 30.0)),
        ("ERR@20", {"mean": 0.5, "best": 0.6}, 0.133 / 4, ("ERR", 1.0, 6.0)),
        # Where most topics succeed, it is known as surely as of few.
        ("RR@10", {"mean": 0.71, "best": 0.8}, 0.383 * 0.71 * 0.29, ("few", 1.2, 16.0)),
        ("Success@5", {"mean": 0.8, "best": 0.9}, 0.641 * 0.16, ("few", 1.2, 16.0)),
        ("ERR@20", {"mean": 0.8, "best": 0.9}, 0.133 * 0.16, ("ERR", 1.0, 6.0)),
    ],
)  # fmt: skip
def test_worked_examples(measure, known, value, confidence):
    prediction = predict_variance(MODEL, measure, **known)
    assert prediction.value == pytest.approx(value, abs=5.1e-7)
    assert (prediction.variance_class, prediction.widening, prediction.degrees_of_freedom) == confidence


@pytest.mark.parametrize(
    ("measure", "known", "value", "log_sd", "freedom"),
    [
        ("nDCG@10", {"mean": 0.333, "best": 0.48}, 0.047335, 0.626465, 6.0323),
        ("AP", {"mean": 0.2, "best": 0.35, "is_shared_task": True}, 0.024316, 0.636475, 5.8713),
        ("R@100", {"mean": 0.5, "best": 0.7}, 0.078600, 0.856926, 3.6102),
    ],
)
def test_worked_examples_without_the_number_of_relevant_documents(measure, known, value, log_sd, freedom):
    prediction = predict_variance(MODEL, measure, **known)
    assert prediction.value == pytest.approx(value, abs=5.1e-7)
    assert prediction.log_sd == pytest.approx(log_sd, abs=5.1e-7)
    assert prediction.degrees_of_freedom == pytest.approx(freedom, abs=5.1e-5)
    assert prediction.variance_class == "unknown"


def test_with_one_relevant_document_recall_of_ten_is_precision_times_ten():
    recall = predict_variance(MODEL, "R@10", mean=0.6, best=0.8, relevant=1.0)
    precision = predict_variance(MODEL, "P@10", mean=0.06, best=0.08, relevant=1.0)
    assert recall.value == pytest.approx(100 * precision.value)


@pytest.mark.parametrize(
    ("measure", "known"),
    [
        ("GMAP", {"mean": 0.2, "best": 0.3}),
        ("alpha_nDCG@10", {"mean": 0.4, "best": 0.5, "relevant": 9.0}),
        ("AP", {"mean": 0.01, "best": 0.3, "relevant": 9.0}),
        ("AP", {"mean": 0.99, "best": 1.0, "relevant": 9.0}),
        ("P@200", {"mean": 0.2, "best": 0.3}),
        ("Rprec", {"mean": 0.2, "best": 0.3}),
        ("Bpref", {"mean": 0.2, "best": 0.3}),
        ("P@10", {"mean": 0.0999, "best": 0.0999, "relevant": 1.0}),
    ],
)
def test_nothing_is_predicted_that_was_never_seen(measure, known):
    assert predict_variance(MODEL, measure, **known) is None


def seen(measure, variance, *, share=1.0, group="a", **facts):
    """Return one at a mean of .3 below a best score of .5, which is .3 of what is possible."""
    defaults = {"is_shared_task": False, "n_systems": 50, "mean": 0.3, "best": 0.5, "log_sd_topics": 0.1}
    defaults |= {"collection": group, "top_mean": 1.0, "top_square": 1.0}
    return VarianceObservation(
        group=group, measure=measure, variance=variance, top_square_inverse=share, **(defaults | facts)
    )


def every_family(group="a", factor=1.0):
    first = [seen(measure, 0.08 * factor, group=group) for measure in ("Success@5", "ERR@20", "AP", "nDCG@10", "P@1")]
    many = ("AP", "nDCG@10", "R@100", "P@100", "Rprec")
    return first + [seen(measure, 0.01 * factor, share=0.01, group=group) for measure in many]


def test_a_fit_finds_what_was_put_in():
    """What the model predicts of pools with one to many deciding documents, of other systems and of shared tasks."""
    rng, predictions = np.random.default_rng(1), []
    for group in range(30):
        for measure in ("RR", "Success@5", "ERR@20", "AP", "nDCG@10", "nDCG@100", "R@100", "P@10", "Rprec"):
            n_relevant, is_shared = float(np.exp(rng.uniform(0, 6))), group % 2 == 0
            relevant, weights = np.array(relevant_counts(n_relevant)).T
            deciding = np.minimum(relevant, float(measure.partition("@")[2] or np.inf))
            tops = {"R@100": deciding / relevant, "P@10": deciding / 10}.get(measure, np.ones(relevant.size))
            top = float(weights @ tops)
            facts = {"is_shared_task": is_shared, "mean": top * float(rng.uniform(0.2, 0.5)), "best": top * 0.6}
            value = predict_variance(MODEL, measure, relevant=n_relevant, **facts).value
            share, square = float(weights @ (tops**2 / deciding)), float(weights @ tops**2)
            facts |= {"top_mean": top, "top_square": square}
            predictions.append(seen(measure, value, share=share, group=f"g{group}", **facts))
    fit = fit_variances(predictions)
    for name in ("first", "of_one", "of_many"):
        assert getattr(fit, name) == pytest.approx(getattr(MODEL, name), rel=0.06)
    assert fit.cutoff_exponent == pytest.approx(0.188, abs=0.02)


def test_groups_weigh_the_same_less_what_few_systems_or_topics_tell():
    """Of reciprocal rank: one of a group, two of another, one that few systems tell and one that few topics tell."""
    of_rr = [
        seen("RR", 0.06, group="one"),
        seen("RR", 0.09, group="two"),
        seen("RR@10", 0.12, group="two"),
        seen("RR", 0.18, group="few systems", n_systems=2),
        seen("RR", 0.24, group="few topics", log_sd_topics=0.5),
    ]
    ends = [seen("RR", 9.0, mean=0.02), seen("RR", 9.0, mean=0.98), seen("RR", 9.0, mean=0.01)]
    each = np.array([1, 0.5, 0.5, 1, 1])
    errors = np.array([0.22 / 50 + 0.01] * 3 + [0.22 / 2 + 0.01, 0.22 / 50 + 0.25])
    weights = each * 0.05 / (0.05 + errors / 2)
    expected = np.exp(weights @ np.log([0.06, 0.09, 0.12, 0.18, 0.24]) / weights.sum()) / 0.21
    fit = fit_variances([*every_family(), *of_rr, *ends])
    assert fit.first["RR"] == pytest.approx(expected, rel=1e-5)
    assert fit.first["Success"] == pytest.approx(0.08 / 0.21, rel=1e-5)
    # No shared tasks are among them: their ratios are what they are drawn to.
    assert list(fit.shared_task.values()) == pytest.approx([np.exp(0.4)] * 3, rel=1e-6)


def test_what_is_possible_is_the_top_or_a_little_more_than_the_best():
    for facts, rho in (({"best": 1.0}, 0.3 / 1.02), ({"top_mean": 0.5, "best": 0.4}, 0.3 / 0.5)):
        fit = fit_variances([*every_family(), seen("RR", 0.06, **facts)])
        assert fit.first["RR"] == pytest.approx(0.06 / (rho * (1 - rho)), rel=1e-5)


def test_a_group_that_is_left_out_is_predicted_by_the_others():
    low, high = ([*every_family(name, factor), seen("RR", 0.08 * factor, group=name)]
                 for name, factor in (("low", np.exp(-0.1)), ("high", np.exp(0.1))))  # fmt: skip
    assert left_out_error([*low, *high], "low") == pytest.approx([-0.2] * len(low), abs=1e-5)
    assert left_out_error([*low, *high], "high") == pytest.approx([0.2] * len(high), abs=1e-5)


def test_coefficients_are_rounded_to_what_is_known_of_them():
    long = VarianceModel(
        first={"RR": 0.38345}, of_one={"AP": 0.32298, "nDCG": 0.34481, "hits": 0.62722},
        of_many={"AP": 0.03994, "nDCG": 0.06882, "R": 0.03253, "P": 0.03816, "Rprec": 0.01093},
        shared_task={"AP": 1.5392}, cutoff_exponent=0.18834,
    )  # fmt: skip
    short = rounded_model(long, 3, 4, 2)
    assert short.first == {"RR": 0.383}
    assert short.of_one == {"AP": 0.323, "nDCG": 0.345, "hits": 0.627}
    assert short.of_many == {"AP": 0.04, "nDCG": 0.069, "R": 0.0325, "P": 0.0382, "Rprec": 0.0109}
    assert (short.shared_task, short.cutoff_exponent) == ({"AP": 1.54}, 0.188)


@pytest.mark.parametrize(
    "observation", [seen("Bpref", 0.01), seen("GMAP", 0.01), seen("RR", 0.0), seen("RR", 0.01, mean=1.0), "RR"]
)
def test_what_no_model_is_fitted_on_is_refused(observation):
    with pytest.raises(ArgumentError, match="observations"):
        fit_variances([*every_family(), seen("RR", 0.08), observation])


@pytest.mark.parametrize(
    ("measure", "variance_class", "widening", "log_sd"),
    [("R@100", "many", 1.5, 0.45), ("Rprec", "many", 1.5, 0.45), ("AP", "many", 1.3, 0.5),
     ("R@5", "cut-short", 1.0, 0.65), ("AP@5", "cut-short", 1.0, 0.65), ("nDCG@5", "few", 1.2, 0.35),
     ("P@5", "few", 1.2, 0.35)],
)  # fmt: skip
def test_lists_that_are_shorter_than_what_is_relevant_are_a_class_of_their_own(
    measure, variance_class, widening, log_sd
):
    prediction = predict_variance(MODEL, measure, mean=0.05, best=0.07, relevant=30.0, share_with_one=0.0)
    assert (prediction.variance_class, prediction.widening, prediction.log_sd) == (variance_class, widening, log_sd)


def test_runs_of_a_shared_task_vary_more_where_many_documents_decide():
    known = {"mean": 0.3, "best": 0.5, "relevant": 10.0, "share_with_one": 0.0}
    alone, shared = (predict_variance(MODEL, "AP", is_shared_task=is_task, **known) for is_task in (False, True))
    assert alone.value < shared.value < 1.54 * alone.value
    assert predict_variance(MODEL, "R@100", is_shared_task=True, **(known | {"relevant": 80.0})).widening == 1.3


def predicted(measure, **known):
    return predict_variance(MODEL, measure, **({"mean": 0.3, "best": 0.5} | known))


def test_means_near_the_ends_of_what_is_possible_are_kept_quiet_about():
    for mean, is_told in ((0.0199, False), (0.02, True), (0.98, True), (0.9801, False)):
        assert (predicted("RR", mean=mean, best=0.99) is not None) is is_told
    # Of P@10 with one relevant document .1 is possible.
    for mean, is_told in ((0.097, True), (0.0981, False)):
        assert (predicted("P@10", mean=mean, best=0.09, relevant=1.0) is not None) is is_told
    # A best score of .09804 says that a little more is.
    assert predicted("P@10", mean=0.0981, best=0.0999, relevant=1.0) is not None
    assert predicted("RR", mean=0.0, best=0.0) is None
    assert predicted("RR", mean=1.0, best=1.0) is None


@pytest.mark.parametrize(
    ("measure", "relevant", "q"),
    [
        # With 5 relevant documents on every topic: by what one of them is worth, and what is left with very many.
        ("AP", 5.0, 0.323 / 5 + 0.04 * (1 - 1 / 5)),
        ("AP@1000", 5.0, 0.323 / 5 + 0.04 * (1 - 1 / 5)),
        ("Bpref", 5.0, 1.35 * (0.323 / 5 + 0.04 * (1 - 1 / 5))),
        ("Rprec", 5.0, 0.627 / 5 + 0.0109 * (1 - 1 / 5)),
        ("nDCG@10", 5.0, 0.345 / 5 + 0.069 * (1 - 1 / 5)),
        ("nDCG@3", 5.0, (0.345 / 3 + 0.069 * (1 - 1 / 3)) * 0.3**-0.188),
        ("nDCG", 5.0, (0.345 / 5 + 0.069 * (1 - 1 / 5)) * 100**-0.188),
        ("R@10", 5.0, 0.627 / 5 + 0.0325 * (1 - 1 / 5)),
        ("P@4", 5.0, 0.627 / 4 + 0.0382 * (1 - 1 / 4)),
        # Half of a list of ten is possible.
        ("P@10", 5.0, 0.627 * 0.25 / 5 + 0.0382 * (0.25 - 0.25 / 5)),
    ],
)
def test_the_factor_is_made_of_what_one_and_very_many_documents_are_worth(measure, relevant, q):
    top = 0.5 if measure == "P@10" else 1.0
    prediction = predicted(measure, mean=0.3 * top, best=0.4 * top, relevant=relevant)
    assert prediction.value == pytest.approx(q * 0.3 * 0.7)


def test_runs_of_a_shared_task_multiply_what_very_many_are_worth():
    for measure, one_document, many_documents in (
        ("AP", 0.323, 0.04 * 1.54), ("nDCG@10", 0.345, 0.069 * 1.62), ("R@10", 0.627, 0.0325 * 2.27),
        ("P@5", 0.627, 0.0382 * 2.27), ("Rprec", 0.627, 0.0109 * 2.27),
    ):  # fmt: skip
        prediction = predicted(measure, relevant=5.0, is_shared_task=True)
        assert prediction.value == pytest.approx((one_document / 5 + many_documents * 0.8) * 0.21)
    assert predicted("RR", is_shared_task=True).value == predicted("RR").value


def test_a_list_that_is_cut_short_is_judged_by_how_much_of_the_possible_the_best_has():
    """Of 20 relevant documents a list of ten has half at most: a best score above .65 of that says that more count."""
    low, high = (predicted("R@10", mean=0.2, best=best, relevant=20.0, share_with_one=0.0) for best in (0.3, 0.34))
    counts = relevant_counts(20.0, 0.0)
    tops = [min(r, 10) / r for r, _ in counts]
    mean_top, square = np.mean(tops), np.mean(np.square(tops))
    inverse = np.mean([top**2 / min(r, 10) for top, (r, _) in zip(tops, counts, strict=True)])
    assert 0.65 * mean_top > 0.3
    rho = 0.2 / mean_top
    assert low.value == pytest.approx((0.627 * inverse + 0.0325 * (square - inverse)) * rho * (1 - rho))
    beyond = predicted("R@10", mean=0.2, best=0.9, relevant=20.0, share_with_one=0.0)
    inverse = np.mean([1 / min(r, 10) for r, _ in counts])
    assert beyond.value == pytest.approx((0.627 * inverse + 0.0325 * (1 - inverse)) * 0.2 * 0.8)
    assert {prediction.variance_class for prediction in (low, high, beyond)} == {"cut-short"}
    # A list as long as what is relevant is not cut.
    assert predicted("R@5", relevant=5.0).variance_class == "few"
    assert predicted("R@4", relevant=5.0).variance_class == "cut-short"
    assert predicted("nDCG@4", relevant=5.0).variance_class == "few"


@pytest.mark.parametrize(
    ("measure", "relevant", "worth"),
    [
        ("AP", 1.0, ("one", 0.25, 1.0, 30.0)),
        ("R@10", 1.0, ("one", 0.25, 1.1, 30.0)),
        ("Rprec", 1.0, ("one", 0.25, 1.1, 30.0)),
        ("AP", 2.0, ("few", 0.35, 1.2, 16.0)),
        ("AP", 6.0, ("few", 0.35, 1.2, 16.0)),
        ("R@10", 6.0, ("few", 0.35, 1.2, 16.0)),
        ("AP", 7.0, ("many", 0.5, 1.3, 10.0)),
        ("R@10", 7.0, ("many", 0.45, 1.5, 10.0)),
        ("Bpref", 7.0, ("Bpref", 0.5, 1.3, 8.0)),
        ("Bpref", 1.0, ("Bpref", 0.5, 1.0, 8.0)),
    ],
)
def test_what_a_prediction_is_worth_goes_by_how_many_documents_decide(measure, relevant, worth):
    prediction = predicted(measure, relevant=relevant)
    assert (prediction.variance_class, prediction.log_sd, prediction.widening, prediction.degrees_of_freedom) == worth


def test_recall_of_shared_tasks_is_widened_as_others_are_where_many_decide():
    for relevant, widening in ((1.0, 1.1), (6.0, 1.2), (7.0, 1.3)):
        for measure in ("R@10", "Rprec"):
            assert predicted(measure, relevant=relevant, is_shared_task=True).widening == widening
    assert predicted("AP", relevant=7.0, is_shared_task=True).widening == 1.3


def test_relevant_documents_by_their_mean():
    assert relevant_counts(2.00004) == ((2.0, 1.0),)
    assert relevant_counts(10.0) == ((10.0, 1.0),)
    assert relevant_counts(11.0) == tuple((pytest.approx(r), pytest.approx(1 / 3)) for r in (2.75, 7.15, 23.1))
    assert relevant_counts(1.0, 0.0) == tuple((pytest.approx(r), pytest.approx(1 / 3)) for r in (2.0, 2.0, 4.2))
    (once, *several) = relevant_counts(4.0, 0.1)
    assert once == (1.0, 0.1)
    assert several == [(pytest.approx(max(2, factor * 3.9 / 0.9)), pytest.approx(0.3)) for factor in (0.25, 0.65, 2.1)]
    assert relevant_counts(3.99)[0] == (1.0, pytest.approx(3.99**-1.3))
    assert len(relevant_counts(4.01)) == 3
    assert relevant_counts(1.05)[0] == (1.0, pytest.approx(0.95))
    assert relevant_counts(1.6)[0] == (1.0, pytest.approx(1.6**-1.3))


def mixed(points, weights):
    """Return value, log sd and variance of a mixture of these values with errors of the classes one, few and many."""
    weights = np.array(weights) / np.sum(weights)
    logs, errors = np.log(points), np.array([0.25, 0.35, 0.45])[-len(points) :]
    middle = weights @ logs
    return np.exp(middle), np.sqrt(weights @ (errors**2 + (logs - middle) ** 2))


def test_without_the_number_of_relevant_documents_it_is_a_mixture_over_what_it_may_be():
    def of_ap(share, shared=1.0):
        return (0.323 * share + 0.04 * shared * (1 - share)) * 0.21

    value, log_sd = mixed([of_ap(share) for share in (1, 0.4, 0.1)], [0.5, 0.25, 0.25])
    prediction = predicted("AP")
    assert (prediction.value, prediction.log_sd) == (pytest.approx(value), pytest.approx(log_sd))
    assert (prediction.widening, prediction.variance_class) == (1.0, "unknown")
    assert polygamma(1, prediction.degrees_of_freedom / 2) == pytest.approx(log_sd**2)
    value, log_sd = mixed([of_ap(share, 1.54) for share in (1, 0.4, 0.1)], [0.25, 0.35, 0.4])
    assert predicted("AP", is_shared_task=True).value == pytest.approx(value)
    # In a list of five no share is below a fifth.
    value, _ = mixed(
        [(0.345 * share + 0.069 * (1 - share)) * 0.5**-0.188 * 0.21 for share in (1, 0.4, 0.2)], [0.5, 0.25, 0.25]
    )
    assert predicted("nDCG@5").value == pytest.approx(value)


def test_precision_hangs_on_how_full_its_list_can_be():
    """Of P@10 a tenth, three tenths or all are possible; what the best exceeds is not what is possible."""

    def of_p(top, share, mean, best):
        rho = mean / min(1.0, max(top, 1.02 * best))
        return (0.627 * top**2 * share + 0.0382 * top**2 * (1 - share)) * rho * (1 - rho)

    tops = ((0.1, 1.0), (0.3, 0.4), (1.0, 0.1))
    value, _ = mixed([of_p(top, share, 0.05, 0.09) for top, share in tops], [0.5, 0.25, 0.25])
    assert predicted("P@10", mean=0.05, best=0.09).value == pytest.approx(value)
    value, _ = mixed([of_p(top, share, 0.05, 0.1) for top, share in tops[1:]], [0.25, 0.25])
    assert predicted("P@10", mean=0.05, best=0.1).value == pytest.approx(value)
    prediction = predicted("P@10")
    assert (prediction.value, prediction.log_sd) == (pytest.approx(of_p(1.0, 0.1, 0.3, 0.5)), pytest.approx(0.45))
    prediction = predicted("P@2", best=0.99)
    assert prediction.value == pytest.approx(of_p(1.0, 0.5, 0.3, 0.99))
    assert prediction.log_sd == pytest.approx(np.sqrt((0.35**2 + 0.45**2) / 2))
    assert predicted("P@1", best=1.0) is None, "nothing more is possible than the best has"
    assert predicted("P@100", mean=0.3) is not None
    assert predicted("P@101", mean=0.3) is None


def test_a_fit_takes_what_is_seen_of_shared_tasks_for_their_ratio():
    """Three times those of others; the ratio that is expected, and documents that count alone, hold it back."""
    ordinary = [*every_family(), seen("RR", 0.08)]
    shared = [
        seen(measure, 0.03, share=0.01, group=f"shared {number}", is_shared_task=True)
        for measure in ("AP", "nDCG@10", "R@100")
        for number in range(20)
    ]
    fit = fit_variances([*ordinary, *shared])
    assert list(fit.shared_task.values()) == pytest.approx([2.2855] * 3, rel=1e-3)
    assert [fit.of_many[name] for name in ("P", "Rprec")] == pytest.approx([0.04429] * 2, rel=1e-3)
    assert fit.of_one["AP"] == pytest.approx(0.37727, rel=1e-3)
    assert fit.first["RR"] == pytest.approx(0.08 / 0.21, rel=1e-4)
    with pytest.raises(ArgumentError, match="must have some of Rprec"):
        fit_variances([observation for observation in ordinary if observation.measure != "Rprec"])
