"""Signed heads of a log, for whoever does not trust it: RFC 9162's tree of hashes, and a line for each day.

A line has the day, how many leaves the tree has, its root, the key's public half, and the Ed25519 signature of these.
Whoever keeps one can ask later whether the log still begins with the same leaves.
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from analysis.errors import ArgumentError, FormatError

_PURPOSE = "plumbline head 1"
_LINE = re.compile(r"(\d{4}-\d\d-\d\d) ([1-9]\d{0,17}) ([0-9a-f]{64}) ([\w+/]{43}=) ([\w+/]{86}==)", re.ASCII)


def leaf_of(content: str) -> bytes:
    """Return the hash of a leaf with this content (RFC 9162, 2.1.1)."""
    return hashlib.sha256(b"\0" + content.encode()).digest()


def root_of(leaves: Iterable[bytes]) -> bytes:
    """Return the root of the tree of these hashes of leaves; of none, the hash of nothing (RFC 9162, 2.1.1)."""
    # Roots of whole trees with their sizes, from the largest to the smallest.
    whole: list[tuple[int, bytes]] = []
    for leaf in leaves:
        whole.append((1, leaf))
        while len(whole) > 1 and whole[-1][0] == whole[-2][0]:
            (size, right), (_, left) = whole.pop(), whole.pop()
            whole.append((2 * size, _inner(left, right)))
    if not whole:
        return hashlib.sha256().digest()
    root = whole.pop()[1]
    while whole:
        root = _inner(whole.pop()[1], root)
    return root


def inclusion_proof(place: int, leaves: Sequence[bytes]) -> list[bytes]:
    """Return the hashes that lead from the leaf at a place, from 0, to the root (RFC 9162, 2.1.3.1)."""
    if not 0 <= place < len(leaves):
        raise ArgumentError("place", place, f"must be one of the {len(leaves)} leaves, from 0")
    if len(leaves) == 1:
        return []
    half = 1 << (len(leaves) - 1).bit_length() - 1
    if place < half:
        return [*inclusion_proof(place, leaves[:half]), root_of(leaves[half:])]
    return [*inclusion_proof(place - half, leaves[half:]), root_of(leaves[:half])]


def root_by_proof(leaf: bytes, place: int, size: int, proof: Sequence[bytes]) -> bytes:
    """Return the root of a tree of ``size`` leaves to which a proof leads from one (RFC 9162, 2.1.3.2)."""
    if not 0 <= place < size:
        raise ArgumentError("place", place, f"must be below the size of the tree, {size}")
    root, last = leaf, size - 1
    for sibling in proof:
        if last == 0:
            raise ArgumentError("proof", len(proof), f"has more hashes than a tree of {size} leaves is high")
        if place & 1 or place == last:
            root = _inner(sibling, root)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            root = _inner(root, sibling)
        place, last = place >> 1, last >> 1
    if last:
        raise ArgumentError("proof", len(proof), f"has fewer hashes than a tree of {size} leaves is high")
    return root


@dataclass(frozen=True, slots=True)
class Head:
    """A head that a log told: the root of the tree of its first ``size`` leaves."""

    day: date
    size: int
    root: bytes
    key: bytes
    signature: bytes

    @property
    def line(self) -> str:
        """Write it."""
        return f"{_signed(self.day, self.size, self.root)} {_text(self.key)} {_text(self.signature)}"

    def is_signed(self) -> bool:
        """Return whether the signature is that of the key; needs the package ``cryptography``."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(self.key).verify(
                self.signature, _message(self.day, self.size, self.root)
            )
        except InvalidSignature:
            return False
        return True


def sign_head(day: date, size: int, root: bytes, secret: bytes) -> Head:
    """Return the head, signed with a secret key of 32 bytes (RFC 8032); needs the package ``cryptography``."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.from_private_bytes(secret)
    return Head(day, size, root, key.public_key().public_bytes_raw(), key.sign(_message(day, size, root)))


def read_heads(text: str) -> list[Head]:
    """Return the heads of a file, a line each; blank lines and comments (#) are passed over.

    Raises
    ------
    FormatError
        If a line is no head.
    """
    return [_head(number, line) for number, line in enumerate(text.splitlines(), 1) if line and line[0] != "#"]


def check_heads(heads: Sequence[Head], leaves: Sequence[bytes], *, checks_signatures: bool = True) -> Iterator[str]:
    """Yield what is wrong, in words, where a log with these leaves is not the one that told the heads."""
    for head in heads:
        if checks_signatures and not head.is_signed():
            yield f"head of {head.day}: its signature is not that of its key"
        elif head.size > len(leaves):
            yield f"head of {head.day}: it is of {head.size:,} seals, and there are {len(leaves):,}"
        elif root_of(leaves[: head.size]) != head.root:
            yield f"head of {head.day}: the first {head.size:,} seals are not those that it was told of"


def _head(number: int, line: str) -> Head:
    match = _LINE.fullmatch(line)
    try:
        if match:
            day, size, root, key, signature = match.groups()
            return Head(
                date.fromisoformat(day),
                int(size),
                bytes.fromhex(root),
                base64.b64decode(key),
                base64.b64decode(signature),
            )
    except ValueError:  # Of a day that is none.
        pass
    raise FormatError("is no head; fetch the file again. A head is: day size root key signature", line=number)


def _inner(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def _signed(day: date, size: int, root: bytes) -> str:
    return f"{day} {size} {root.hex()}"


def _message(day: date, size: int, root: bytes) -> bytes:
    return f"{_PURPOSE}\n{_signed(day, size, root)}".encode()


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()
