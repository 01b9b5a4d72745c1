"""Hearing of what changes."""

from django.apps import AppConfig


class FollowingConfig(AppConfig):
    name = "registry.following"

    def ready(self) -> None:
        from django.utils import timezone

        from registry.accounts import personal
        from registry.core import jobs
        from registry.following import digests, documents, services

        personal.register(personal.Section("following", documents.export_followings, services.forget_follower))
        jobs.register(
            jobs.Kind(digests.SEND_DIGEST, digests.send_digest, digests.close_digest),
            jobs.Routine(
                "following.compose_digests",
                lambda: digests.compose_digests(now=timezone.now()),
                every=900,
                expires=900,
            ),
            jobs.Routine("following.look_after_digests", digests.look_after_digests, every=900, expires=900),
        )
