"""What programs send to have a table reviewed."""

from typing import Annotated

import msgspec
from django.http import QueryDict
from typing_extensions import Doc

from registry.submissions.table_forms import ANSWER


class SentTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table of scores, and what has to be known of them."""

    text: Annotated[str, Doc("CSV, TSV, Markdown, LaTeX or aligned text.")]
    form: Annotated[str, Doc("Which of these it is; else told by its looks.")] = ""
    collection: Annotated[str, Doc("Of the rows that name none.")] = ""
    measure: Annotated[str, Doc("Of the rows that name none.")] = ""
    system: Annotated[str, Doc("Of the rows that name none.")] = ""
    unit: Annotated[str, Doc("percent or fraction; else as the table says.")] = ""
    baselines: Annotated[
        list[str] | None, Doc("Systems that count as baselines; without them those that the table says are.")
    ] = None
    own: Annotated[
        list[str] | None, Doc("Rows of whoever made the table, of which alone it claims anything; none by default.")
    ] = None
    answers: Annotated[dict[str, str], Doc("By the keys of the questions that errors ask.")] = {}

    def as_form(self) -> QueryDict:
        """As the form of the page sends it."""
        data = QueryDict(mutable=True)
        for name in ("text", "form", "collection", "measure", "system", "unit"):
            data[name] = getattr(self, name)
        for key, answer in self.answers.items():
            data[f"{ANSWER}{key}"] = answer
        return data
