"""How often somebody wants to hear."""

from collections.abc import Iterable
from typing import Any

from django import forms

from registry.following.models import Following

#: The choice that ends following, beside those of how often.
STOP = "stop"
_CHANGES = [*Following.Every.choices, (STOP, "stop following")]


class FollowForm(forms.Form):
    """How often digests tell of one thing."""

    every = forms.ChoiceField(choices=Following.Every, widget=forms.RadioSelect, label="A digest by mail")

    def __init__(self, data: Any, following: Following | None) -> None:
        super().__init__(data, initial={"every": following.every if following else Following.Every.WEEK})
        every = self.fields["every"]
        assert isinstance(every, forms.ChoiceField)
        if following:
            every.choices = _CHANGES


class EverythingForm(forms.Form):
    """How often digests tell of all that is followed."""

    everything = forms.ChoiceField(choices=Following.Every, label="All of them")


class FollowingListForm(forms.Form):
    """How often digests tell of each thing that is followed: a field a row, by its id."""

    def __init__(self, data: Any, followings: Iterable[Following]) -> None:
        super().__init__(data)
        self.followings = list(followings)
        for following in self.followings:
            self.fields[f"every-{following.pk}"] = forms.ChoiceField(
                choices=_CHANGES,
                initial=following.every,
                # What is followed since the list was shown stays as it is.
                required=False,
                label=f"How often about {following.thing}",
            )

    def rows(self) -> list[tuple[Following, forms.BoundField]]:
        """What is followed, each with its field."""
        return [(following, self[f"every-{following.pk}"]) for following in self.followings]

    def changes(self) -> list[tuple[Following, str]]:
        """What was chosen otherwise than it is, of a valid form."""
        chosen = [(following, self.cleaned_data[f"every-{following.pk}"]) for following in self.followings]
        return [(following, every) for following, every in chosen if every and every != following.every]
