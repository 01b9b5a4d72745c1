"""GET /check/ with a summary, its old address, and GET /api/v1/check/best-of/"""

import pytest

#: TREC-7 as Carterette (2015, section 3.1) prints it.
TREC_7 = {"n": "103", "topics": "50", "mean": "0.2", "best": "0.303", "sd": "0.08"}


def asked(client, **query):
    return client.get("/api/v1/check/best-of/", TREC_7 | query)


def test_the_numbers_of_the_paper(client):
    answer = asked(client).json()
    analysis = answer["analysis"]
    # By simulation, from the same rounded inputs, the paper has .2705, .2378, .2375 and .1625.
    assert analysis["adjusted_mean"] == pytest.approx(0.2705, abs=3e-4)
    assert analysis["lower"] == pytest.approx(0.2378, abs=7e-4)
    assert (analysis["chance_upper"], analysis["chance_lower"]) == pytest.approx((0.2375, 0.1625), abs=4e-4)
    # The joint probability of the range, (2 * .8 ** (1 / 103) - 1) ** 103.
    assert answer["held"] == pytest.approx(0.6396900096, abs=1e-9)
    assert answer["expected_best"] == pytest.approx(0.2 + 2.518141 * 0.08 / 50**0.5, abs=1e-6)
    assert answer["expected_best"] + answer["expected_worst"] == pytest.approx(0.4)
    assert answer["headline"] == "If all 103 were equally good at 0.2707, the best would reach 0.3030 one time in five."


def test_a_variance_takes_the_place_of_the_spread(client):
    answer = asked(client, sd="", variance="0.0144").json()
    assert answer["analysis"]["scale"] == "residual"
    assert answer["analysis"]["standard_error"] == pytest.approx((0.0144 / 50) ** 0.5)
    assert "comes from the variance you gave" in answer["sentences"][-1]
