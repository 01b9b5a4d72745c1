"""GET /check/ with a summary, its old address, and GET /api/v1/check/best-of/"""

import pytest

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
    assert found["headline"] == "If all 103 were equally good at 0.2707, the best would reach 0.3030 one time in five."


def test_a_variance_takes_the_place_of_the_spread(client):
    found = asked(client, sd="", variance="0.0144").json()
    assert found["analysis"]["scale"] == "residual"
    assert found["analysis"]["standard_error"] == pytest.approx((0.0144 / 50) ** 0.5)
    assert "comes from the variance you gave" in found["sentences"][-1]


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


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"n": "1"}, "greater than or equal to 2"),
        ({"sd": ""}, "Enter the standard deviation of the results, or the variance."),
        ({"sd": "0"}, "greater than or equal to 0.000001."),
        ({"best": "0.1"}, "The best, 0.1, is below the mean, 0.2. Higher must be better."),
        ({"best": "0.00001234567"}, "The best, 0.00001234567, is below the mean, 0.2."),
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
