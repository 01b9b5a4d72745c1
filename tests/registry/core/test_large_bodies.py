"""What is too large is refused by its length, before any of it is read; what was typed is not lost by that."""

import pytest

from tests.registry.factory import make_user
from tests.thoroughness import every

pytestmark = pytest.mark.django_db


def announce(client, path, length):
    return client.generic("POST", path, b"x=1", content_type="multipart/form-data; boundary=b", CONTENT_LENGTH=length)


@pytest.mark.parametrize("length", ["6000001", "1073741824", "9" * 30, "-1", "many"])
def test_people_get_a_page(client, length):
    response = announce(client, "/submit/", length)
    text = response.content.decode()
    assert response.status_code == 413
    assert "larger than 2 MB, the most that fits at once. Send it in parts" in text
    assert "the API takes 5 MB at once" in text
    assert "your browser still has what you typed" in text


def test_who_is_signed_in_is_not_asked_to_sign_in(client):
    client.force_login(make_user("ada"))
    text = announce(client, "/submit/", "6000001").content.decode()
    assert "Sign in" not in text


def test_programs_get_json(client):
    response = announce(client, "/api/v1/submissions/", "6000001")
    assert (response.status_code, response.json()["status"]) == (413, 413)
    assert "larger than 5 MB, the most" in response.json()["error"]
    assert "larger than 6 MB, the most" in announce(client, "/runs/", "6000001").content.decode()


@pytest.mark.parametrize("length", every(2, [2_000_001, 2_900_000], __file__))
def test_a_table_that_is_too_long_comes_back_whole(client, length):
    """Below what is too large to be read at all: here the form itself says so."""
    text = "ü" * (length - 4) + "\nend"
    response = client.post("/submit/", {"text": text, "year": "2004"})
    page = response.content.decode()
    assert "This is larger than 2 MB. Send it in parts" in page
    assert "\nend</textarea>" in page
    assert 'value="2004"' in page
