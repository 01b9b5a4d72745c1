"""What people say of the systems of a draft: whose each is, and which on record it is."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from analysis.readers.rejections import Refused
from registry.core.messages import say
from registry.results.models import Result
from registry.results.pipeline.rows import MAX_NAME_LENGTH
from registry.submissions.forms import VersionForm, as_sentence
from registry.submissions.pipeline.matching import DraftSystem, settle
from registry.submissions.pipeline.systems import KnownSystems

#: Of a system that is left out.
OUT = "out"
_ROLES = [(str(Result.Role.PROPOSED), "Mine"), (str(Result.Role.BASELINE), "A baseline"), (OUT, "Leave out")]


class SettlingForm(VersionForm):
    """A role and a name for each system of a page, with those that names and scores propose filled in."""

    def __init__(self, systems: Sequence[DraftSystem], data: Any = None, *, role: str = "", **options: Any) -> None:
        super().__init__(data, **options)
        self._systems = systems
        for system in systems:
            roles = _ROLES if system.role in dict(_ROLES) else [(system.role, Result.Role(system.role).label), *_ROLES]
            self.fields[f"role-{system.number}"] = forms.ChoiceField(
                choices=roles, initial=role or system.role, widget=forms.RadioSelect, label=f"{system.name} is"
            )
            name = system.proposed.label if system.proposed else "" if system.needs_name else system.name
            self.fields[f"known-{system.number}"] = forms.CharField(
                initial=name, required=False, max_length=MAX_NAME_LENGTH, label=f"Known system for {system.name}"
            )

    @property
    def systems(self) -> list[tuple[DraftSystem, forms.BoundField, forms.BoundField]]:
        """Return each system with its fields."""
        return [(system, self[f"role-{system.number}"], self[f"known-{system.number}"]) for system in self._systems]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        known = KnownSystems()
        self.changes: dict[int, dict[str, str] | None] = {}
        for system in self._systems:
            role, name = cleaned.get(f"role-{system.number}"), cleaned.get(f"known-{system.number}", "").strip()
            field = f"known-{system.number}"
            if role is None or self.has_error(field):
                continue
            try:
                if role != OUT and not name:
                    raise Refused("required", say("settle-needed"))
                cells = None if role == OUT else settle(system, name, known) | {"role": role}
            except Refused as refused:
                self.add_error(field, ValidationError(as_sentence(refused.message), code=refused.code))
            else:
                self.changes |= {row.line: cells for row in system.rows}
        return cleaned
