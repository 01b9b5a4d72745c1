"""Comparisons of systems topic by topic, and the pages that show them."""

from django.apps import AppConfig


class ComparisonsConfig(AppConfig):
    name = "registry.pairs"

    def ready(self) -> None:
        from registry.catalog.signals import leaderboards_changed
        from registry.core import shipping
        from registry.core.jobs import Kind, Routine, register
        from registry.pairs import services, studies
        from registry.pairs.live_examples import register_examples

        leaderboards_changed.connect(services.enqueue_changed, dispatch_uid="enqueue_comparisons")
        shipping.register_finish(services.enqueue_after_loading)
        register(
            Kind(services.STUDY_LEADERBOARD, studies.study_leaderboard, services.save_study),
            # What a lost queue forgot.
            Routine("pairs.study_missing", services.enqueue_missing, every=3600, expires=3600),
        )
        register_examples()
