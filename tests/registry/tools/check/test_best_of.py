"""GET /check/ with a summary, its old address, and GET /api/v1/check/best-of/"""

import numpy as np
import pytest
from scipy.stats import norm

from tests.registry.pages import read

pytestmark = pytest.mark.django_db

#: TREC-7 as Carterette (2015, section 3.1) prints it.
TREC_7 = {"n": "103", "topics": "50", "mean": "0.2", "best": "0.303", "sd": "0.08"}


def asked(client, **query):
    return client.get("/api/v1/check/best-of/", TREC_7 | query)


def test_the_numbers_of_the_paper(client):
    found = asked(client).json()
    analysis = found["analysis"]
    # By simulation, from the same rounded inputs, the paper has .2705, .2378, .2375 and .1625.
    assert analysis["adjusted_mean"] == pytest.approx(0.2705, abs=3e-4)
    assert analysis["lower"] == pytest.approx(0.2378, abs=7e-4)
    assert (analysis["chance_upper"], analysis["chance_lower"]) == pytest.approx((0.2375, 0.1625), abs=4e-4)
    # The joint probability of the range, (2 * .8 ** (1 / 103) - 1) ** 103.
    assert found["held"] == pytest.approx(0.6396900096, abs=1e-9)
    assert found["expected_best"] == pytest.approx(0.2 + 2.518141 * 0.08 / 50**0.5, abs=1e-6)
    assert found["expected_best"] + found["expected_worst"] == pytest.approx(0.4)
    assert found["headline"].startswith("Had all 103 one and the same true mean of 0.2707, the best of them would")


def test_correlated_results_count_as_fewer(client):
    alone, found = asked(client).json(), asked(client, correlation="0.6").json()
    assert found["effective"]["estimate"] == pytest.approx(19.7, abs=0.05)
    assert alone["effective"]["estimate"] == 103
    # The 80 % point of the largest of 103 normals correlated by .6.
    assert found["adjusted_mean_correlated"] == pytest.approx(0.303 - 2.28170 * 0.08 / 50**0.5, abs=1e-6)
    assert alone["adjusted_mean_correlated"] == pytest.approx(alone["analysis"]["adjusted_mean"])
    assert "like that of 19.7 uncorrelated ones" in " ".join(found["sentences"])
    assert "uncorrelated ones" not in " ".join(alone["sentences"])


def test_a_variance_takes_the_place_of_the_spread(client):
    found = asked(client, sd="", variance="0.0144").json()
    assert found["analysis"]["scale"] == "residual"
    assert found["analysis"]["standard_error"] == pytest.approx((0.0144 / 50) ** 0.5)
    assert "rests on the variance that was given" in found["sentences"][-1]


@pytest.mark.parametrize("best", ["0.23", "0.248", "0.2485", "0.303"])
def test_how_often_equal_systems_reach_it(client, best):
    share = -np.expm1(103 * norm.logcdf((float(best) - 0.2) / (0.08 / 50**0.5)))
    said = "less than 0.1" if share < 0.001 else f"{100 * share:.1f}"
    assert f"reach {best:0<6} in {said} % of cases" in " ".join(asked(client, best=best).json()["sentences"])


def test_the_best_may_be_as_good_as_the_mean_of_all(client):
    found = asked(client, best="0.2").json()
    assert found["analysis"]["best"] == 0.2
    assert "reach 0.2000 in more than 99.9 % of cases" in " ".join(found["sentences"])


@pytest.mark.parametrize(
    ("wrong", "fields"),
    [
        ({"sd": "x"}, ["sd"]),
        ({"sd": "", "variance": "-1"}, ["variance"]),
        ({"sd": "", "variance": ""}, ["sd"]),
        ({"mean": ""}, ["mean"]),
        ({"mean": "", "best": ""}, ["best", "mean"]),
        ({"sd": "-1", "variance": "0.01"}, ["sd"]),
    ],
)
def test_a_field_that_is_wrong_is_named_alone(client, wrong, fields):
    answer = asked(client, **wrong)
    assert answer.status_code == 400
    assert sorted(one["field"] for one in answer.json()["errors"]) == fields


def test_textbooks_are_set_right(client):
    found = asked(client).json()
    assert dict(found["gumbel"]["quantile_errors"])[0.95] == pytest.approx(0.156 * 0.08 / 50**0.5, abs=1e-5)
    assert "95 % point around 0.2000 at 0.2390, not at 0.2372" in " ".join(found["sentences"])


def test_the_spread_is_given_once(client):
    refused = asked(client, variance="0.0064")
    assert refused.status_code == 400
    assert "standard deviation of the results or the variance, not both" in refused.json()["errors"][0]["message"]


def test_the_page_says_what_programs_get(client):
    page = read(client, "/check/?n=103&topics=50&mean=0.2&best=0.303&sd=0.08&correlation=0.6")
    found = asked(client, correlation="0.6").json()
    assert found["headline"] in page.text
    for sentence in found["sentences"]:
        assert sentence in page.text


def test_without_numbers_there_is_a_form(client):
    page = read(client, "/check/")
    assert "how good does chance make the best of many?" in page.text
    assert "required" not in page.text
    assert "one time in five" not in page.text


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"n": "1"}, "greater than or equal to 2"),
        ({"sd": ""}, "Give the standard deviation of the results, or the variance."),
        ({"sd": "0"}, "greater than or equal to 0.000001."),
        ({"best": "0.1"}, "The best, 0.1, can’t be below the mean, 0.2."),
        ({"best": "0.00001234567"}, "The best, 0.00001234567, can’t be below the mean, 0.2."),
        ({"best": "1e7"}, "less than or equal to 1000000."),
        ({"correlation": "1"}, "less than or equal to 0.99"),
        ({"mean": "nan"}, "Enter a number."),
        ({"systems": "3"}, "There is no parameter “systems”"),
    ],
)
def test_what_is_wrong_is_said(client, wrong, said):
    response = client.get("/check/", TREC_7 | wrong)
    assert response.status_code == 400
    assert said in response.content.decode()
    assert asked(client, **wrong).status_code == 400


def test_its_old_address_leads_on_with_what_it_asks(client):
    assert client.get("/check/best-of/?n=103&topics=50")["Location"] == "/check/?n=103&topics=50"


def test_all_sentences_of_the_numbers_of_the_paper(client):
    found = asked(client, correlation="0.6").json()
    error = 0.08 / 50**0.5
    # Of 103 normal variables: the mean of the largest, its 80 % and its 95 % point.
    largest, tail, upper = 2.518141, norm.ppf(0.8 ** (1 / 103)), norm.ppf(0.95 ** (1 / 103))
    mean = 0.303 - tail * error
    assert found["headline"] == (
        f"Had all 103 one and the same true mean of {mean:.4f}, the best of them would reach 0.3030 one time in five."
    )
    assert found["sentences"] == [
        f"The best of 103 equally good systems around 0.2000 is expected at {0.2 + largest * error:.4f} and stays below"
        f" {0.2 + upper * error:.4f} in 95 % of cases; the worst is expected at {0.2 - largest * error:.4f} and stays"
        f" above {0.2 - upper * error:.4f} in as many.",
        "Their best would reach 0.3030 in less than 0.1 % of cases.",
        f"Of 103 such systems around {mean:.4f}, all lie between {mean - tail * error:.4f} and 0.3030 with a"
        " probability of 64 %.",
        "Where the errors of every two are correlated by 0.6, the best of 103 is like that of 19.7 uncorrelated ones,"
        " as far as its 80 % point goes; the true mean of all that explains 0.3030 is then"
        f" {0.303 - 2.2817 * error:.4f}.",
        "The Gumbel distribution that textbooks have for the best would put its 95 % point around 0.2000 at 0.2390, not"
        f" at {0.2 + upper * error:.4f}.",
        "The standard error, 0.0113, is the spread of the results divided by the square root of the number of topics,"
        " as published; it takes real differences between systems for error.",
    ]
    below = asked(client, mean="-0.2", best="-0.1").json()["headline"]
    assert "true mean of −0.1323, the best of them would reach −0.1000" in below
