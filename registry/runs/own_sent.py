"""What programs send of collections of one's own, as the forms of their pages take it."""

from typing import Annotated, Any

import msgspec
from typing_extensions import Doc

from registry.runs.models import OwnCollection

Visibility = OwnCollection.Visibility


class SentOwnCollection(msgspec.Struct, forbid_unknown_fields=True):
    """A collection of one's own: what is left out is as it is by default, or as it was."""

    name: Annotated[str | None, Doc("What it is called; a new one needs it.")] = None
    visibility: Annotated[
        Visibility | None,
        Doc("Who sees it: `private` you alone, as by default; `unlisted` whoever has its address; `public` everybody."),
    ] = None
    is_private: Annotated[bool | None, Doc("In its place: true as `private`, false as `unlisted`.")] = None
    topics: Annotated[list[str] | None, Doc("Their names; empty where they are those of what is sent.")] = None

    def as_form(self, stands: OwnCollection | None = None) -> dict[str, Any]:
        """As the form of the page sends it, of a new collection or of one that stands."""
        topics = self.topics if self.topics is not None else stands.topics if stands else []
        return {
            "name": self.name if self.name is not None else stands.name if stands else "",
            "seen": self._seen() or (stands.visibility if stands else Visibility.PRIVATE),
            "topics": "\n".join(topics),
        }

    def _seen(self) -> str | None:
        if self.visibility is None and self.is_private is not None:
            return Visibility.PRIVATE if self.is_private else Visibility.UNLISTED
        return self.visibility


class BegunOwnCollection(SentOwnCollection, forbid_unknown_fields=True):
    """A new collection of one's own, with its measures."""

    measures: Annotated[list[str], Doc("Names of measures, as `nDCG@10`; where one is refused, nothing is begun.")] = (
        msgspec.field(default_factory=list)
    )

    def as_form(self, stands: OwnCollection | None = None) -> dict[str, Any]:
        """As the form of the page sends it."""
        return super().as_form(stands) | {"measures": "\n".join(self.measures)}


class SentOwnMeasure(msgspec.Struct, forbid_unknown_fields=True):
    """A measure of a collection of one's own; one that is known here needs its name alone."""

    name: Annotated[str, Doc("As `nDCG@10`.")]
    low: Annotated[float | None, Doc("Null where there is no lower end.")] = None
    high: Annotated[float | None, Doc("Null where there is no upper end.")] = None
    higher_is_better: bool = True
    decimals: Annotated[int | None, Doc("To show; 4 by default.")] = None

    def as_form(self) -> dict[str, Any]:
        """As the form of the page sends it."""
        better = "more" if self.higher_is_better else "less"
        return {"name": self.name, "low": self.low, "high": self.high, "better": better, "decimals": self.decimals}
