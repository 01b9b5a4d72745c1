"""Heads: the tree of RFC 9162 by vectors of Certificate Transparency, proofs by both its ways, lines and signatures."""

import re
from datetime import date

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from analysis.errors import ArgumentError, FormatError
from analysis.heads import check_heads, inclusion_proof, leaf_of, read_heads, root_by_proof, root_of, sign_head

#: Leaves and roots of the tests of Certificate Transparency (google/certificate-transparency, merkletree), of those
#: leaves that are text.
LEAVES = [leaf_of(bytes.fromhex(digits).decode("latin-1")) for digits in ("", "00", "10", "2021", "3031", "40414243")]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
]
SECRET = bytes(range(32))


def test_roots_are_those_of_certificate_transparency():
    assert [root_of(LEAVES[:n]).hex() for n in range(1, 7)] == ROOTS
    assert root_of([]).hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_proof_leads_to_the_root_and_from_no_other_leaf_place_or_size():
    leaves = [leaf_of(str(number)) for number in range(21)]
    for size in range(1, 22):
        root = root_of(leaves[:size])
        for place in range(size):
            proof = inclusion_proof(place, leaves[:size])
            assert root_by_proof(leaves[place], place, size, proof) == root
            assert root_by_proof(leaf_of("forged"), place, size, proof) != root
            assert (
                size == 1
                or root_by_proof(leaves[place], place, size, [*proof[1:], proof[0]]) != root
                or (len(proof) == 1)
            )


def test_what_is_no_proof_is_refused():
    proof = inclusion_proof(2, LEAVES)
    for place, size, path in ((2, 6, proof[:-1]), (2, 6, [*proof, proof[0]]), (6, 6, proof)):
        with pytest.raises(ArgumentError, match=r"place|proof"):
            root_by_proof(LEAVES[2], place, size, path)
    with pytest.raises(ArgumentError, match="place"):
        inclusion_proof(6, LEAVES)


def test_a_line_says_all_that_was_signed_and_whoever_has_the_key_can_check_it():
    head = sign_head(date(2026, 3, 4), 6, root_of(LEAVES), SECRET)
    assert head.line.startswith(f"2026-03-04 6 {ROOTS[-1]} ")
    assert read_heads(f"# told\n\n{head.line}\n") == [head]
    line = f"plumbline head 1\n2026-03-04 6 {ROOTS[-1]}".encode()
    Ed25519PublicKey.from_public_bytes(head.key).verify(head.signature, line)
    with pytest.raises(FormatError, match=re.escape("line 2")):
        read_heads(f"{head.line}\n{head.line[:-1]}")
    with pytest.raises(FormatError, match="is no head"):
        read_heads(head.line.replace("03-04", "02-31"))


def test_a_log_that_was_made_anew_cut_off_or_signed_by_others_is_named():
    heads = [sign_head(date(2026, 3, n), n, root_of(LEAVES[:n]), SECRET) for n in (2, 5)]
    assert list(check_heads(heads, LEAVES)) == []
    anew = [*LEAVES[:3], leaf_of("forged"), *LEAVES[4:]]
    assert list(check_heads(heads, anew)) == ["head of 2026-03-05: the first 5 seals are not those that it was told of"]
    assert list(check_heads(heads, LEAVES[:4])) == ["head of 2026-03-05: it is of 5 seals, and there are 4"]
    (forged,) = read_heads(heads[0].line.replace("2026-03-02", "2026-03-01"))
    assert list(check_heads([forged], LEAVES)) == ["head of 2026-03-01: its signature is not that of its key"]
