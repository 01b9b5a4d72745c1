"""Addresses of the first page."""

from django.urls import path

from registry.tools.home import views

app_name = "home"

urlpatterns = [
    path("", views.home, name="home"),
    path("moves.atom", views.moves_feed, name="moves-feed"),
    path("card.png", views.home_card, name="home-card"),
]
