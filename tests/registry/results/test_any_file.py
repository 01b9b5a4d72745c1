"""Whatever bytes a file holds: no crash, every line accounted for, every refusal in its place."""

import io
import math
from datetime import date
from decimal import Decimal
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.readers.columns import OPTIONAL_COLUMNS, REQUIRED_COLUMNS
from analysis.readers.numbers import parse_number, parse_printed
from analysis.readers.rejections import Refused
from analysis.readers.tables import read_table
from analysis.readers.text import clean_name, comparison_key
from registry.catalog.queries import CatalogNames
from registry.results.pipeline.rows import ResultRow, parse_results
from tests.registry.results.loading import COLUMNS, line
from tests.thoroughness import is_thorough

#: As many as a parser deserves where time is no matter, and the same ones every time.
_SHARE = 1 if is_thorough(Path(__file__)) else 10
some = settings(
    max_examples=300 // _SHARE,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
many = settings(some, max_examples=800 // _SHARE)
_PIECES = [b",", b'"', b"\n", b"\r\n", b"\r", b"\x00", b"\xff", b"\xed\xa0\x80", "٣".encode(), b"NaN", b"1e400", b"0.5"]
_PIECES += [b"AP", b"robust04", b"baseline", b"\xe2\x80\xae", b" ", b"20044", b"https://a:b@c", b"x" * 400]
GOOD = "\n".join([",".join(COLUMNS), line(), line(system="two", notes='a "quoted"\ntext')]).encode() + b"\n"


def check(content: bytes, names: CatalogNames) -> None:
    n_lines = content.count(b"\n") + content.count(b"\r") + 1
    records = read_table(io.BytesIO(content), required=REQUIRED_COLUMNS, optional=OPTIONAL_COLUMNS)
    for row in parse_results(records, names, today=date(2026, 11, 21)):
        if isinstance(row, ResultRow):
            assert math.isfinite(float(row.printed))
            assert 0 <= float(row.printed) <= 1
            assert row.name_key == comparison_key(row.system) != ""
        else:
            assert row
            for rejection in row:
                assert rejection.message
                assert rejection.line is None or 1 <= rejection.line <= n_lines


@some
@given(edits=st.lists(st.tuples(st.integers(0, len(GOOD)), st.integers(0, 5), st.sampled_from(_PIECES)), max_size=6))
def test_a_damaged_file(robust04, edits):
    content = GOOD
    for position, n_removed, piece in edits:
        content = content[:position] + piece + content[position + n_removed :]
    check(content, CatalogNames())


@some
@given(content=st.binary(max_size=300) | st.lists(st.sampled_from(_PIECES), max_size=60).map(b"".join))
def test_any_bytes_behind_a_good_header(robust04, content):
    check(",".join(COLUMNS).encode() + b"\n" + content, CatalogNames())
    check(content, CatalogNames())


@many
@given(text=st.text(max_size=12) | st.from_regex(r"[-+]?[0-9.,eE_%]{0,10}", fullmatch=True))
def test_a_number_that_is_taken_is_that_number(text):
    try:
        printed = parse_printed(text)
    except Refused:
        return
    assert Decimal(printed) == Decimal(text.strip())
    assert printed.isascii()
    assert parse_number(text) == float(printed)


@many
@given(text=st.text(max_size=40))
def test_a_name_that_is_taken_is_clean_and_stays_so(text):
    try:
        name = clean_name(text)
    except Refused:
        return
    assert clean_name(name) == name
    assert name == "" or name.isprintable()
    assert comparison_key(comparison_key(name)) == comparison_key(name)
