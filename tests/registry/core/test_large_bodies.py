"""What is too large is refused by its length, before any of it is read."""

import pytest

pytestmark = pytest.mark.django_db


def announce(client, path, length):
    return client.generic("POST", path, b"x=1", content_type="multipart/form-data; boundary=b", CONTENT_LENGTH=length)


@pytest.mark.parametrize("length", ["6000001", "1073741824", "9" * 30, "-1", "many"])
def test_people_get_a_page(client, length):
    response = announce(client, "/submit/table/", length)
    assert response.status_code == 413
    assert "Send it in parts" in response.content.decode()


def test_programs_get_json(client):
    response = announce(client, "/api/v1/submissions/", "6000001")
    assert (response.status_code, response.json()["status"]) == (413, 413)


def test_what_is_small_is_read(client):
    assert client.post("/submit/table/", {"text": "system,MAP"}).status_code == 200
