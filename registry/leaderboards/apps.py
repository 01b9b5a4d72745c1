"""Analyses of leaderboards and the pages that show them."""

from django.apps import AppConfig


class LeaderboardsConfig(AppConfig):
    name = "registry.leaderboards"
