"""What makers disclose of training, as a whole: beyond or short of the list of the mteb package. It ships, as it is."""

from collections.abc import Collection as AnyOf
from dataclasses import dataclass
from typing import Annotated

from registry.core.loading import shipped_rows

_WORDS = {
    "declared": "the package lists what it was trained on",
    "declared_none": "the package’s list is empty, which is a claim",
    "partly": "other sources name data that the package’s list leaves out",
    "says_nothing": "the package has no list of what it was trained on",
    "closed": "closed: neither weights nor a list of what it was trained on",
    "not_a_trained_model": "nothing was trained",
}
_BY = {
    "mteb maintainers": "maintainers of mteb",
    "a contributor, who is not told": "contributors whose part nobody tells",
    "maker (model card)": "its maker, in a model card",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosure:
    """What is disclosed of a system's training, and who handed its results in."""

    system: str
    disclosure: Annotated[
        str, "`declared`, `declared_none`, `partly`, `says_nothing`, `closed` or `not_a_trained_model`."
    ]
    source: Annotated[str, "The line of the package."]
    line: Annotated[str, "What it says."]
    extra: Annotated[str, "What other sources name; blank without."]
    other_sources: Annotated[str, "These, divided by semicolons."]
    base_model: Annotated[str, "Model that it was made from; blank where nothing is said."]
    handed_in_by: Annotated[str, "Who committed its results to MTEB's board, and how many, divided by semicolons."]

    @property
    def in_words(self) -> str:
        """Return what is disclosed, in a sentence."""
        said = _WORDS[self.disclosure]
        return f"{said[0].upper()}{said[1:]}{f' ({self.extra})' if self.extra else ''}."

    @property
    def handed_in(self) -> str:
        """Return who committed its results, in words; blank where nobody did."""
        counts = [one.rpartition(" ") for one in self.handed_in_by.split(";") if one]
        return ", ".join(f"{_BY[who]} ({n})" for who, _, n in counts)


def disclosures_of(systems: AnyOf[str]) -> list[Disclosure]:
    """Return what is disclosed of systems of these names."""
    return [Disclosure(**row) for row in shipped_rows("disclosures.csv") if row["system"] in systems]
