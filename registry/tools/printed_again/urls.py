"""The address of prints that were run again."""

from registry.tools.printed_again.views import REPRODUCED

app_name = "printed_again"

urlpatterns = REPRODUCED.paths("reproduced", "reproduced")
