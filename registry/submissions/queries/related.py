"""What stands beside rows, for those who have to judge what the signals say."""

from collections.abc import Iterable

from registry.catalog.queries import CatalogNames
from registry.results.models import Result
from registry.submissions.models import Signal, SubmittedRow
from registry.submissions.pipeline.checking import what_they_say
from registry.submissions.pipeline.signals import Surroundings

_ABOUT_OTHERS = {Signal.Code.DUPLICATE, Signal.Code.NEAR_DUPLICATE, Signal.Code.CONTESTED}
_MAX_SHOWN = 12


def read_related(rows: Iterable[SubmittedRow]) -> dict[int, list[Result]]:
    """The results that the signals of each row compare it with, by its line, those of its own leaderboard alone.

    For rows with their signals at hand; what a row would take the place of is not among them.
    """
    wanted = {row.line: row for row in rows if any(one.code in _ABOUT_OTHERS for one in row.signals.all())}
    if not wanted:
        return {}
    said = what_they_say(list(wanted.values()))
    surroundings = Surroundings(CatalogNames())
    surroundings.read(list(said.values()))
    ids = {line: surroundings.related(one, wanted[line].existing_id)[:_MAX_SHOWN] for line, one in said.items()}
    results = Result.objects.for_listing().in_bulk({pk for some in ids.values() for pk in some})
    return {line: [results[pk] for pk in some] for line, some in ids.items()}
