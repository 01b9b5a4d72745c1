"""What readers ask beyond one leaderboard."""

from django.apps import AppConfig


class ToolsConfig(AppConfig):
    name = "registry.tools"

    def ready(self) -> None:
        from registry.catalog.signals import leaderboards_changed
        from registry.core import shipping
        from registry.core.jobs import Kind, Routine, register
        from registry.tools.live_examples import register_examples
        from registry.tools.pairs import services as pairs
        from registry.tools.pairs.models import TopicStudy
        from registry.tools.pairs.studies import study_leaderboard
        from registry.tools.reproductions import services as reproductions
        from registry.tools.reproductions.models import RedrawnFigures
        from registry.tools.reproductions.studies import redraw_figures
        from registry.tools.resolution import services as resolution
        from registry.tools.resolution.models import Resolution
        from registry.tools.resolution.studies import study_collection

        register(
            Kind(resolution.STUDY_COLLECTION, study_collection, Resolution.keep),
            Kind(pairs.STUDY_LEADERBOARD, study_leaderboard, TopicStudy.keep),
            Kind(reproductions.REDRAW_FIGURES, redraw_figures, RedrawnFigures.keep, large=True, later=True),
        )
        for name, part in (("resolution", resolution), ("pairs", pairs)):
            leaderboards_changed.connect(part.enqueue_changed, dispatch_uid=f"enqueue_{name}")
        for name, part in (("resolution", resolution), ("pairs", pairs), ("reproductions", reproductions)):
            shipping.register_finish(part.enqueue_missing)
            # What a lost queue forgot.
            register(Routine(f"{name}.study_missing", part.enqueue_missing, every=3600, expires=3600))
        register_examples()
