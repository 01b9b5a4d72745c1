"""What is looked through for oddities, and how many wait."""

from collections import defaultdict

from django.db.models import BooleanField, Case, Count, Q, Value, When

from registry.curation.oddities.models import Oddity
from registry.curation.oddities.pipeline import BoardKey, ComparedResult, KnownPaper
from registry.curation.suites.models import SuiteMember
from registry.results.models import Paper, Result


def n_waiting_by_kind() -> list[tuple[str, int]]:
    """How many wait for a decision of each kind, in words, the most first."""
    counted = Oddity.objects.waiting().values_list("kind").annotate(n=Count("pk")).order_by("-n", "kind")
    return [(str(Oddity.Kind(kind).label), n) for kind, n in counted]


def read_rows() -> list[ComparedResult]:
    """The standing, comparable results, the oldest first."""
    results = Result.objects.standing().filter(comparability=Result.Comparability.STANDARD, replicate_of__isnull=True)
    fails = Q(leaderboard__measure__higher_is_better=True, leaderboard__measure__low=0)
    fails_at_zero = Case(When(fails, then=Value(True)), default=Value(False), output_field=BooleanField())
    columns = (
        "pk", "leaderboard_id", "leaderboard__collection_id", "leaderboard__measure_id", "system_id", "paper_id",
        "value", "role", "year", "leaderboard__collection__year", "paper__year", fails_at_zero,
    )  # fmt: skip
    return [ComparedResult(*values) for values in results.order_by("pk").values_list(*columns).iterator()]


def read_papers() -> list[KnownPaper]:
    """The papers on record that were merged into no other, those with the most results first."""
    papers = Paper.objects.filter(merged_into=None).annotate(n=Count("results")).order_by("-n", "pk")
    return [KnownPaper(*values) for values in papers.values_list("pk", "title", "doi", "arxiv_id", "year")]


def read_parts() -> dict[BoardKey, frozenset[BoardKey]]:
    """The leaderboards that are the mean of others, with those."""
    found: dict[BoardKey, set[BoardKey]] = defaultdict(set)
    columns = ("part_of__collection_id", "part_of__measure_id", "collection_id", "measure_id")
    for whole, its_measure, part, measure in SuiteMember.objects.exclude(part_of=None).values_list(*columns):
        found[whole, its_measure].add((part, measure))
    return {whole: frozenset(members) for whole, members in found.items()}
