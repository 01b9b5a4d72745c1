"""Questions of readers beyond one leaderboard."""

from django.apps import AppConfig


class ToolsConfig(AppConfig):
    name = "registry.tools"

    def ready(self) -> None:
        from registry.core import loading
        from registry.core.jobs import Kind, Routine, register
        from registry.results.signals import topic_scores_changed
        from registry.tools.examples import register_examples
        from registry.tools.home import answer_examples
        from registry.tools.models import RedrawnFigures, Resolution, TopicStudy
        from registry.tools.pairs import services as pairs
        from registry.tools.reproductions import services as reproductions
        from registry.tools.resolution import services as resolution

        register(
            Kind(resolution.STUDY_COLLECTION, resolution.study_collection, Resolution.keep),
            Kind(pairs.STUDY_LEADERBOARD, pairs.study_leaderboard, TopicStudy.keep),
            Kind(
                reproductions.REDRAW_FIGURES, reproductions.redraw_figures, RedrawnFigures.keep, large=True, later=True
            ),
        )
        for name, part in (("resolution", resolution), ("pairs", pairs)):
            topic_scores_changed.connect(part.enqueue_changed, dispatch_uid=f"enqueue_{name}")
        for name, part in (("resolution", resolution), ("pairs", pairs), ("reproductions", reproductions)):
            loading.register_finish(part.enqueue_missing)
            # What a lost queue forgot.
            register(Routine(f"{name}.study_missing", part.enqueue_missing, every=3600, expires=3600))
        register(Routine("tools.answer_examples", answer_examples, every=60, expires=60))
        register_examples()
