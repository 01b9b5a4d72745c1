"""What is committed in another order than it was begun changes versions all the same."""

import pytest

pytestmark = [pytest.mark.postgres]

#: One change is begun, another one is made meanwhile, and a reader sees the record before and after the first ends.
PROGRAM = """
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
    assert at_once(PROGRAM) == ["True False False False\n"]
