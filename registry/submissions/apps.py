"""Submissions."""

from django.apps import AppConfig


class SubmissionsConfig(AppConfig):
    name = "registry.submissions"

    def ready(self) -> None:
        from registry.accounts.personal import Section, register
        from registry.submissions import personal

        register(Section("submissions", personal.export_submissions, personal.erase_submissions))
        register(Section("submission_comments", personal.export_comments, personal.erase_comments))
        register(Section("idempotency_keys", personal.export_keys, personal.erase_keys))
        register(Section("large_requests", personal.export_errands, personal.erase_errands))
