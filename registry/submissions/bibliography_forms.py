"""A BibTeX file as curators hand it in."""

from django import forms
from django.core.validators import MaxLengthValidator

from registry.core.http import in_megabytes
from registry.submissions.forms import MAX_CHARACTERS, WithFile

_MOST = in_megabytes(MAX_CHARACTERS)
_TOO_LONG = f"This is more than {_MOST}. Take it in several parts, or by manage.py load_bibtex."


class BibliographyForm(WithFile):
    """The text of a file, or the file."""

    TOO_LONG = _TOO_LONG

    text = forms.CharField(
        label="BibTeX",
        required=False,
        strip=False,
        validators=[MaxLengthValidator(MAX_CHARACTERS, _TOO_LONG)],
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "wrap": "off"}),
        help_text="As many entries as you like. Broken ones are named by line and field, and keep no other out.",
    )
    file = forms.FileField(label="Or a file", required=False, help_text=f"The same, in UTF-8; {_MOST} at most.")
    source = forms.CharField(
        max_length=200, label="Taken from", help_text="Where the entries are from: dblp, the ACL Anthology, a person."
    )

    @property
    def bibtex(self) -> str:
        """What a valid form holds; a file before what was typed."""
        return str(self.cleaned_data["file"] or self.cleaned_data["text"])
