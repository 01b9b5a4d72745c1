"""Submissions."""

from django.apps import AppConfig


class SubmissionsConfig(AppConfig):
    name = "registry.submissions"

    def ready(self) -> None:
        from registry.accounts.personal import Section, register
        from registry.core import jobs
        from registry.core.limits import declare
        from registry.results.signals import results_ended
        from registry.submissions import access, personal
        from registry.submissions.services import changing, telling

        results_ended.connect(telling.tell_undone_later, dispatch_uid="tell_undone")
        declare(access.LIMITS_OF_SUBMISSIONS)
        register(Section("submissions", personal.export_submissions, personal.erase_submissions))
        register(Section("submission_comments", personal.export_comments, personal.erase_comments))
        register(Section("idempotency_keys", personal.export_keys, personal.erase_keys))
        jobs.register(
            # Sent outside of the transaction that marks the job done: a slow mail server keeps nobody from writing.
            jobs.Kind(telling.TELL_CONTRIBUTOR, telling.tell_contributor, save=_nothing),
            jobs.Kind(telling.TELL_UNDONE, telling.tell_undone, save=_nothing),
            jobs.Kind(telling.TELL_EDITOR, telling.tell_editor, save=_nothing),
            jobs.Routine("submissions.tell_editors", telling.tell_editors_later, every=86_400, expires=3600),
            jobs.Routine("submissions.prune_keys", changing.prune_keys, every=3600, expires=3600),
        )


def _nothing(_: object) -> None:
    """Save nothing: the job has done all."""
