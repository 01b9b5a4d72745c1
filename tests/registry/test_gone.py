"""Addresses that were lead to what took their place, or answer 410 with a sentence that says where to look."""

import html
import re

import pytest
from django.test import Client

from registry.gone import GONE, MOVED

_EXAMPLES = {
    "int": "7",
    "str": "some",
    "slug": "some",
    "path": "some/more",
    "uuid": "1c0e7a3e-0000-4000-8000-00000000000f",
}


def example(pattern: str) -> str:
    """Return an address that the pattern matches."""
    return "/" + re.sub(r"<(\w+):\w+>", lambda found: _EXAMPLES[found[1]], pattern)


@pytest.mark.parametrize(("pattern", "heir"), MOVED.items())
def test_what_moved_leads_there_for_good(client: Client, pattern: str, heir: str) -> None:
    converters = {name: _EXAMPLES[kind] for kind, name in re.findall(r"<(\w+):(\w+)>", pattern)}
    response = client.get(example(pattern))
    assert (response.status_code, response["Location"]) == (301, heir % converters)


@pytest.mark.parametrize(("pattern", "advice"), GONE.items())
def test_what_is_gone_says_what_to_use_instead(client: Client, pattern: str, advice: str) -> None:
    response = client.get(example(pattern))
    assert response.status_code == 410
    assert advice in html.unescape(response.content.decode())
