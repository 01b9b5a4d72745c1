"""What people call systems whose recorded names don't say it: ``data/other_names.csv``."""

import csv

from django.conf import settings

from registry.search.names import words_of

_FILE = settings.BASE_DIR / "data" / "other_names.csv"


class OtherNames:
    """The names by which systems go whose own names have certain words, one after the other."""

    def __init__(self) -> None:
        with _FILE.open(encoding="utf-8", newline="") as file:
            self._rules = [(_phrase(row["words"]), row["also"].split("|")) for row in csv.DictReader(file)]

    def of(self, name: str) -> list[str]:
        """What a system of this name is called, too."""
        phrase = _phrase(name)
        return [also for words, names in self._rules if words in phrase for also in names]


def _phrase(text: str) -> str:
    """The words of a text, each between blanks.

    >>> _phrase("ql") in _phrase("anserini_ql"), _phrase("ql") in _phrase("anserini_qlax")
    (True, False)
    """
    return f" {' '.join(words_of(text))} "
