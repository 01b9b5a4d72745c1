"""What readers ask beyond one leaderboard."""

from django.apps import AppConfig


class ToolsConfig(AppConfig):
    name = "registry.tools"

    def ready(self) -> None:
        from registry.catalog.signals import leaderboards_changed
        from registry.core import shipping
        from registry.core.jobs import Kind, Routine, register
        from registry.tools.baselines import live_examples as of_baselines
        from registry.tools.pairs import live_examples as of_pairs
        from registry.tools.pairs import services as pairs
        from registry.tools.pairs.studies import study_leaderboard
        from registry.tools.resolution import live_examples as of_resolution
        from registry.tools.resolution import services as resolution
        from registry.tools.resolution.studies import study_collection
        from registry.tools.standardization import live_examples as of_standardization

        leaderboards_changed.connect(resolution.enqueue_changed, dispatch_uid="enqueue_resolution")
        leaderboards_changed.connect(pairs.enqueue_changed, dispatch_uid="enqueue_comparisons")
        shipping.register_finish(resolution.enqueue_after_loading)
        shipping.register_finish(pairs.enqueue_after_loading)
        register(
            Kind(resolution.STUDY_COLLECTION, study_collection, resolution.save_studies),
            Kind(pairs.STUDY_LEADERBOARD, study_leaderboard, pairs.save_study),
            # What a lost queue forgot.
            Routine("resolution.study_missing", resolution.enqueue_missing, every=3600, expires=3600),
            Routine("pairs.study_missing", pairs.enqueue_missing, every=3600, expires=3600),
        )
        for examples in (of_resolution, of_pairs, of_baselines, of_standardization):
            examples.register_examples()
