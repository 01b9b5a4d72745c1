"""Finding systems that stand under several names, and keeping what was found."""

from django.db import transaction
from django.utils import timezone

from registry.accounts.models import User
from registry.catalog.services import mark_leaderboards_changed
from registry.curation.lineage.models import KEY_LENGTH, Lineage
from registry.curation.lineage.pipeline.twins import Twin, find_twins, group_twins
from registry.curation.lineage.queries import boards_of_systems
from registry.journal.services import record
from registry.results.models import Result, System

TWINS_FOUND = "results.lineage.twins_found"


@transaction.atomic
def record_twins(*, actor: User | None = None, reason: str = "") -> list[Twin]:
    """The pairs of systems with the same scores, each pair kept as one lineage with its evidence.

    What was found earlier and is not true any more ends. Editors take a system out as out of any other lineage, and
    it stays out, however often this is run.
    """
    results = Result.objects.standing().filter(comparability=Result.Comparability.STANDARD, replicate_of__isnull=True)
    twins = find_twins(results.order_by("pk").values_list("system_id", "leaderboard_id", "value"))
    names = System.objects.in_bulk({system for twin in twins for system in (twin.first, twin.second)})
    wanted: dict[tuple[int, str], str] = {}
    for group in group_twins(twins):
        first = min((names[pk] for pk in group), key=lambda system: (system.name_key, system.team_key))
        key = f"twin:{first.name_key}"[:KEY_LENGTH]
        wanted |= {(pk, key): _evidence(pk, twins, names) for pk in group}
    standing = Lineage.objects.standing().filter(origin=Lineage.Origin.FOUND)
    columns = standing.values_list("system_id", "key", "pk", "source")
    known = {(system, key): (pk, source) for system, key, pk, source in columns}
    gone = [known[place][0] for place in known if wanted.get(place) != known[place][1]]
    new = {place: source for place, source in wanted.items() if place not in known or known[place][1] != source}
    if not (gone or new):
        return twins
    moment = timezone.now()
    standing.filter(pk__in=gone).update(ended_at=moment)
    Lineage.objects.bulk_create(
        Lineage(system_id=pk, key=key, origin=Lineage.Origin.FOUND, source=source, recorded_at=moment)
        for (pk, key), source in new.items()
    )
    counts = {"pairs": len(twins), "systems": len(wanted), "added": len(new), "ended": len(gone)}
    record(action=TWINS_FOUND, subject=("registry", "twins"), actor=actor, reason=reason, after=counts)
    changed = {pk for pk, _ in known.keys() ^ wanted.keys()}
    mark_leaderboards_changed(leaderboard_ids=boards_of_systems(changed))
    return twins


def _evidence(pk: int, twins: list[Twin], names: dict[int, System]) -> str:
    """With which systems this one agrees, and on how many leaderboards."""
    pairs = [twin for twin in twins if pk in (twin.first, twin.second)]
    pairs.sort(key=lambda twin: (-twin.n_same, names[twin.first].name_key, names[twin.second].name_key))
    shown = [
        f"{names[twin.second if twin.first == pk else twin.first].name} on {twin.n_same} of {twin.n_common}"
        for twin in pairs[:3]
    ]
    more = f" and {len(pairs) - 3} more" if len(pairs) > 3 else ""
    return f"the same scores as {', '.join(shown)} common leaderboards{more}"[:500]
