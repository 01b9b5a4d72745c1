"""Hearing of what changes."""

from django.apps import AppConfig


class FollowingConfig(AppConfig):
    name = "registry.following"

    def ready(self) -> None:
        from registry.accounts import personal
        from registry.following import documents, services

        personal.register(personal.Section("following", documents.export_followings, services.forget_follower))
