"""What is approved, and what is not.

``addresses.txt`` has a line for each answer: who asks, and the address, with a name in braces for what is found in the
world. ``exempt.txt`` has a line for each address without an approval: how the URL conf begins it, and the reason.
"""

from pathlib import Path

HERE = Path(__file__).parent


def _lines(name: str) -> list[str]:
    return HERE.joinpath(name).read_text(encoding="utf-8").splitlines()


#: Who asks, and for what.
ADDRESSES = [(person, address) for person, _, address in (line.partition(" ") for line in _lines("addresses.txt"))]
#: The beginning of a route, and why none below it is approved.
EXEMPT = {start: reason for start, _, reason in (line.partition(" | ") for line in _lines("exempt.txt"))}
#: The reason of what is about to go, which may be gone already.
GIVEN_UP = "is given up"
