"""What programs send to have a table reviewed."""

from typing import Annotated

import msgspec
from django.http import QueryDict

from registry.submissions.table_forms import ANSWER


class SentTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table of scores, and what has to be known of them."""

    text: Annotated[str, "CSV, TSV, Markdown, LaTeX or aligned text."]
    form: Annotated[str, "Which of these it is; else told by its looks."] = ""
    collection: Annotated[str, "Of the rows that name none."] = ""
    measure: Annotated[str, "Of the rows that name none."] = ""
    system: Annotated[str, "Of the rows that name none."] = ""
    unit: Annotated[str, "percent or fraction; else as the table says."] = ""
    baselines: Annotated[
        list[str] | None, "Systems that count as baselines; without them those that the table says are."
    ] = None
    own: Annotated[
        list[str] | None, "Rows of whoever made the table, of which alone it claims anything; none by default."
    ] = None
    answers: Annotated[dict[str, str], "By the keys of the questions that errors ask."] = {}

    def as_form(self) -> QueryDict:
        """As the form of the page sends it."""
        data = QueryDict(mutable=True)
        for name in ("text", "form", "collection", "measure", "system", "unit"):
            data[name] = getattr(self, name)
        for key, answer in self.answers.items():
            data[f"{ANSWER}{key}"] = answer
        return data
