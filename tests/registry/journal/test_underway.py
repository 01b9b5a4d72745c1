"""On PostgreSQL, what is committed in another order than it was begun changes versions, and explains itself alone."""

import pytest

pytestmark = [pytest.mark.postgres]

#: One change is begun, another one is made meanwhile, and a reader sees the record before and after the first ends.
CHANGES = """
from concurrent.futures import ThreadPoolExecutor
from django.db import transaction
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.journal.queries import journal_version
from registry.journal.services import record
from registry.leaderboards.versions import read_board_version, registry_version

collection = Collection.objects.create(slug="c", name="C")
measure = Measure.objects.create(name="AP")
Leaderboard.objects.create(collection=collection, measure=measure)

def rename():
    with transaction.atomic():
        record(action="results.system.renamed", subject=("system", 1))

def look():
    return journal_version(), registry_version(), read_board_version("c", "AP")

with ThreadPoolExecutor(1) as other:
    with transaction.atomic():
        record(action="results.system.renamed", subject=("system", 2))
        other.submit(rename).result()
        meanwhile = other.submit(look).result()
        still = other.submit(look).result()
    after = other.submit(look).result()
print(meanwhile == still, *(one == two for one, two in zip(meanwhile, after)))
"""


def test_a_change_that_is_committed_after_a_later_one_changes_every_version(lab, at_once):
    assert at_once(CHANGES) == ["True False False False\n"]


#: One writes without an entry, another one beside it with one; the first is committed before a third seals.
WRITES = """
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
    assert at_once(WRITES) == ["[] [] True\n"]
