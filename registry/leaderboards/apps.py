"""Analyses of leaderboards and the pages that show them."""

from django.apps import AppConfig


class LeaderboardsConfig(AppConfig):
    name = "registry.leaderboards"

    def ready(self) -> None:
        from django.conf import settings

        from registry.catalog.services import ANALYSE_LEADERBOARD
        from registry.core.jobs import Kind, Routine, register
        from registry.core.kept import register_version
        from registry.curation.suites.services import register_flags
        from registry.journal import verifying
        from registry.leaderboards import services, studies, verification
        from registry.leaderboards.live_examples import register_examples
        from registry.leaderboards.stored import flags_on
        from registry.leaderboards.versions import registry_version

        # The analyses that a lost queue forgot; looking for them takes a tenth of a second.
        period = 6 * settings.PLUMBLINE_SWEEP_SECONDS
        register(
            Kind(ANALYSE_LEADERBOARD, studies.analyse_leaderboard, services.save_finding),
            Kind(services.ANALYSE_SUITE, studies.analyse_suite, services.save_suite_finding),
            Routine("leaderboards.recompute_stale", services.enqueue_stale, every=period, expires=period),
        )
        register_examples()
        register_version(registry_version)
        register_flags(flags_on)
        verifying.register(
            verifying.Check(
                "snapshot, with the headline made of it",
                "snapshots, with headlines made of them",
                verification.check_snapshots,
            )
        )
