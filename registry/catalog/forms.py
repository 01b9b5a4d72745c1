"""Appointing curators."""

from django import forms

from registry.accounts.models import User
from registry.core.forms import CleanTextField


class CuratorForm(forms.Form):
    """Who is to look after a collection, and why."""

    username = forms.CharField(label="User name", max_length=150)
    reason = CleanTextField(
        widget=forms.Textarea(attrs={"rows": 2}), max_length=1000, help_text="Enters the public journal."
    )

    def clean_username(self) -> User:
        user = User.objects.public().named(self.cleaned_data["username"]).first()
        if user is None:
            raise forms.ValidationError("There is nobody of this name.", code="unknown")
        return user


class DismissalForm(forms.Form):
    """Why somebody is to look after a collection no longer."""

    reason = CleanTextField(max_length=1000)
