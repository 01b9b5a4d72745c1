"""What stands for a row in addresses."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import models


class OwnSlugField(models.CharField):  # type: ignore[type-arg]  # at run time it takes none
    """What stands for a row in addresses, made of the fields that tell it from others and never change: so it stays.

    Names of today are no part of it. Whoever writes rows past Django makes it with the same function.
    """

    def __init__(self, make: Callable[..., str] = str, *of: str, **options: Any) -> None:
        self.make, self.of = make, of
        own: dict[str, Any] = {"unique": True, "editable": False, "help_text": "Its address, which stays."}
        super().__init__(**(own | {"max_length": 120} | options))

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """A column of text to migrations, which say themselves what is in it."""
        name, _, arguments, options = super().deconstruct()
        return str(name), "django.db.models.CharField", list(arguments), dict(options)

    def pre_save(self, row: models.Model, add: bool) -> str:
        """The slug of the row, which it has from then on."""
        slug = self.of_columns(vars(row))
        setattr(row, self.attname, slug)
        return slug

    def of_columns(self, columns: Mapping[str, Any]) -> str:
        """The slug of a row with these columns."""
        return self.make(*(columns[name] for name in self.of))
