"""Studies of what collections can tell apart, and the page that shows them."""

from django.apps import AppConfig


class ResolutionConfig(AppConfig):
    name = "registry.resolution"

    def ready(self) -> None:
        from registry.catalog.signals import leaderboards_changed
        from registry.core import shipping
        from registry.core.jobs import Kind, Routine, register
        from registry.resolution import services, studies
        from registry.resolution.live_examples import register_examples

        leaderboards_changed.connect(services.enqueue_changed, dispatch_uid="enqueue_resolution")
        shipping.register_finish(services.enqueue_after_loading)
        register(
            Kind(services.STUDY_COLLECTION, studies.study_collection, services.save_studies),
            # What a lost queue forgot.
            Routine("resolution.study_missing", services.enqueue_missing, every=3600, expires=3600),
        )
        register_examples()
