"""What browsers are told of every answer besides what stands in it."""

import pytest

from tests.registry.leaderboards.boards import make_board

pytestmark = pytest.mark.django_db


def test_no_page_asks_for_devices_and_other_sites_show_badges_alone(client):
    board = make_board().get_absolute_url()
    of_pages = {client.get(path)["Cross-Origin-Resource-Policy"] for path in (board, "/accounts/login/", "/nothing/")}
    badge, document = client.get(f"{board}badge.svg"), client.get(f"/api/v1{board}")
    assert of_pages == {"same-origin"}
    assert {one["Cross-Origin-Resource-Policy"] for one in (badge, document)} == {"cross-origin"}
    for response in (client.get(board), badge, document):
        assert "camera=(), " in response["Permissions-Policy"]
        assert "geolocation=(), " in response["Permissions-Policy"]
