"""Places that figures were taken from."""

import re
from urllib.parse import quote

from django.db import models
from django.urls import reverse

#: How a locator names a line of a file, or the first and the last of several.
_LINES = re.compile(r"#L[1-9]\d*(?:-L[1-9]\d*)?$", re.ASCII)


class Source(models.Model):
    """A place that figures were taken from, in the state that was read, and the terms under which they stand."""

    name = models.CharField(max_length=200, unique=True, help_text="As results name it.")
    what = models.CharField(max_length=300, help_text="What is there, in a few words.")
    state = models.CharField(max_length=100, blank=True, help_text="The commit or version that was read.")
    address = models.URLField(max_length=500, help_text="Where it is, in that state.")
    file_address = models.CharField(
        max_length=500, blank=True, help_text="Where one of its files is: an address with {path}, perhaps {state}."
    )
    licence = models.CharField(max_length=100, blank=True)
    terms = models.TextField(blank=True, help_text="What else holds for those who take it further.")

    #: Results that stand, for sources that ``queries.source_counts`` gives.
    n_results: int

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("results:source-detail", args=[self.name])

    def opened(self, locator: str) -> str:
        """Where the file that a result names is, in the state that was read; the source itself where it names none.

        A locator may say another state than the source's, and the lines of the file:
        ``trec_results/x.txt#L12-L15 at 87e65ef478``.
        """
        path, _, state = locator.rpartition(" at ") if " at " in locator else (locator, "", "")
        if not path or not self.file_address:
            return self.address
        lines = _LINES.search(path)
        path = path[: lines.start()] if lines else path
        address = self.file_address.replace("{state}", quote(state or self.state)).replace("{path}", quote(path))
        if not lines:
            return address
        # GitHub shows Markdown as it is meant to be read, without its lines, unless it is asked for plain text.
        plain = "?plain=1" if path.endswith(".md") and address.startswith("https://github.com/") else ""
        return f"{address}{plain}{lines[0]}"
