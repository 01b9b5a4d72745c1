"""On PostgreSQL, which numbers transactions, an entry explains what was written with it and nothing else."""

import pytest

pytestmark = [pytest.mark.postgres]

#: One writes without an entry, another one beside it with one; the first is committed before a third seals.
PROGRAM = """
from concurrent.futures import ThreadPoolExecutor
from django.db import transaction
from registry.journal.chain import check_seals
from registry.journal.services import record
from registry.journal.verifying import Share
from registry.results.models import Source

def write(name):
    with transaction.atomic():
        Source.objects.create(name=name, what="A test", address="https://example.org/", licence="MIT")
        record(action="results.test.made", subject=("source", name))

def named():
    return [problem.split(":")[0] for problem in check_seals(Share()).problems]

with ThreadPoolExecutor(1) as other:
    with transaction.atomic():
        made = Source.objects.create(name="by hand", what="A test", address="https://example.org/", licence="MIT")
        other.submit(write, "first").result()
        meanwhile = other.submit(named).result()
    unsealed = other.submit(named).result()
    other.submit(write, "second").result()
    after = other.submit(named).result()
print(meanwhile, unsealed, after == [f"source {made.pk}"])
"""


def test_what_was_written_beside_an_entry_is_not_explained_by_it(lab, at_once):
    assert at_once(PROGRAM) == ["[] [] True\n"]
