"""Runs, judgements and private studies."""

from django.apps import AppConfig


class RunsConfig(AppConfig):
    name = "registry.runs"

    def ready(self) -> None:
        from registry.accounts.personal import Section, register
        from registry.core import jobs, loading
        from registry.core.limits import declare
        from registry.core.pages import register_live_example
        from registry.journal import sealing
        from registry.runs import queries
        from registry.runs.models import Judgements
        from registry.runs.services import judging, scoring, studying, uploading

        declare(uploading.LIMITS)
        register(Section("own_collections", uploading.export_own_collections, uploading.erase_own_collections))
        register(Section("uploads", uploading.export_uploads, uploading.erase_uploads))
        loading.register(judging.load_shipped_judgements)
        jobs.register(
            jobs.Kind(queries.SCORE, scoring.score, scoring.save_score, awaited=True),
            jobs.Kind(queries.STUDY, studying.study, studying.save_study, awaited=True),
            jobs.Kind(queries.STUDY_DOCUMENTS, studying.study, studying.save_study, large=True, awaited=True),
            jobs.Kind(queries.SCORE_AGAIN, scoring.score_again, scoring.save_again, awaited=True),
            jobs.Routine("runs.prune_uploads", uploading.prune_uploads, every=600, expires=600),
        )
        register_live_example(queries.live_example, *queries.ON_RUNS)
        sealing.register(
            sealing.Kind("judgements", Judgements, rows=lambda: Judgements.objects.exclude(collection=None))
        )
