"""Addresses of the baselines of a collection."""

from registry.tools.baselines.views import BASELINES

app_name = "baselines"

urlpatterns = BASELINES.paths("collections/<str:collection>/baselines", "collection-baselines")
