"""Analyses keep what lists show of them; those on record get it from their snapshots."""

from typing import Any

import msgspec
from django.db import migrations, models


def fill(apps: Any, schema_editor: Any) -> None:
    from analysis.boards import Snapshot, SuiteSnapshot, read_snapshot
    from analysis.errors import ArgumentError
    from registry.leaderboards.studies import benchmark_standings, standings_of

    results = apps.get_model("results", "Result").objects.all()

    def of_board(one: Any) -> object:
        kept = read_snapshot(one.snapshot.content, Snapshot)
        systems = results.filter(leaderboard=one.leaderboard_id).values_list("pk", "system_id")
        return standings_of(kept.inputs, kept.findings, dict(systems))

    def of_benchmark(one: Any) -> object:
        kept = read_snapshot(one.snapshot.content, SuiteSnapshot)
        return benchmark_standings(kept.inputs, kept.findings)

    for name, find in (("Analysis", of_board), ("SuiteAnalysis", of_benchmark)):
        analyses = apps.get_model("leaderboards", name).objects.filter(snapshot__isnull=False)
        for one in analyses.select_related("snapshot").iterator(100):
            try:
                found = find(one)
            except ArgumentError:
                continue  # Of an earlier format: it is analysed again.
            analyses.filter(pk=one.pk).update(standings=msgspec.to_builtins(found))


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0002_doubtful_leaderboards"), ("results", "0001_initial")]

    operations = [
        *(
            migrations.AddField(
                name, "standings", models.JSONField(default=dict, help_text="Leader, strip and ties, as lists show them.")
            )
            for name in ("analysis", "suiteanalysis")
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
