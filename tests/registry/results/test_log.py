"""The public log: all changes of the record, and nothing that is not public."""

import pytest

from tests.registry.factory import make_entry, make_result


def shown(client, path: str = "/log/") -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize(
    "action", ["submissions.row.changed", "submissions.submission.refused", "accounts.user.deleted"]
)
def test_what_is_not_public_is_not_there(client, action):
    entry = make_entry(action, subject_type="submission", reason="between us")
    for path in ("/log/", "/log.atom"):
        assert "between us" not in shown(client, path)
    assert client.get(f"/log/{entry.pk}/").status_code == 404


def test_a_collection_has_what_was_said_of_itself_in_its_log(client):
    collection = make_result().leaderboard.collection
    for slug, reason in ((collection.slug, "about this one"), (f"{collection.slug}-2", "about another")):
        make_entry("catalog.collection.changed", subject_type="collection", subject_id=slug, reason=reason)
    make_entry("results.file.changed", subject_type="file", subject_id=collection.slug, reason="about a file")
    page = shown(client, f"/collections/{collection.slug}/log/")
    assert "about this one" in page
    assert "about another" not in page
    assert "about a file" not in page
