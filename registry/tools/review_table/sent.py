"""What programs send to have a table reviewed."""

import msgspec
from django.http import QueryDict

from registry.submissions.table_forms import ANSWER


class SentTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table, and what has to be known of its scores.

    ``baselines`` are the systems that count as baselines, None for those that the table says are; ``answers`` are given
    under the keys of the questions that the table raised.
    """

    text: str
    form: str = ""
    collection: str = ""
    measure: str = ""
    system: str = ""
    unit: str = ""
    baselines: list[str] | None = None
    answers: dict[str, str] = {}

    def as_form(self) -> QueryDict:
        """As the form of the page sends it."""
        data = QueryDict(mutable=True)
        for name in ("text", "form", "collection", "measure", "system", "unit"):
            data[name] = getattr(self, name)
        for key, answer in self.answers.items():
            data[f"{ANSWER}{key}"] = answer
        return data
