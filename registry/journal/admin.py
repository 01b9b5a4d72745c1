"""Looking at the journal."""

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.db import models
from django.forms import ModelForm
from django.http import HttpRequest

from registry.journal.models import Entry, EntryQuerySet
from registry.journal.services import record

if TYPE_CHECKING:
    from registry.accounts.models import User

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[models.Model]
else:  # takes no parameters when the site runs
    ModelAdmin = admin.ModelAdmin


class OwnFiltersAdmin(ModelAdmin):
    """Rows narrowed down by the filters on their page alone.

    Django takes any relation in the address as well: asked for people by a submission, the list would name its author.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return lookup.partition("__")[0] in {*self.list_filter, self.date_hierarchy}


class ReadOnlyAdmin(OwnFiltersAdmin):
    """Rows to look at: what changes them is a service, which writes the journal."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


class JournalledAdmin(OwnFiltersAdmin):
    """Rows that are edited in place, each edit with an entry that says what was there before."""

    def save_model(
        self, request: HttpRequest, obj: models.Model, form: "ModelForm[models.Model]", change: bool
    ) -> None:
        before = {name: form.initial.get(name) for name in form.changed_data} if change else None
        super().save_model(request, obj, form, change)
        if change and not form.changed_data:
            return
        kind = str(obj._meta.model_name)
        record(
            # The admin is for people who signed in.
            actor=cast("User", request.user),
            action=f"{obj._meta.app_label}.{kind}.{'edited' if change else 'added'}",
            subject=(kind, self.subject_id(obj)),
            before=before and {name: _plain(value) for name, value in before.items()},
            after={name: _plain(form.cleaned_data[name]) for name in form.changed_data},
        )
        self.after_edit(obj)

    def delete_model(self, request: HttpRequest, obj: models.Model) -> None:
        kind, key = str(obj._meta.model_name), self.subject_id(obj)
        super().delete_model(request, obj)
        record(actor=cast("User", request.user), action=f"{obj._meta.app_label}.{kind}.removed", subject=(kind, key))

    def delete_queryset(self, request: HttpRequest, queryset: "models.QuerySet[Any]") -> None:
        for obj in queryset:
            self.delete_model(request, obj)

    def subject_id(self, obj: models.Model) -> str:
        """Return what entries call the row."""
        return str(obj.pk)

    def after_edit(self, obj: models.Model) -> None:
        """Do what an edit entails elsewhere."""


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    list_display = ["recorded_at", "actor_name", "action", "subject_type", "subject_id", "reason"]
    list_filter = ["action", "subject_type"]
    search_fields = ["subject_id", "actor__username", "reason"]
    list_select_related = ["actor"]
    date_hierarchy = "recorded_at"
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> EntryQuerySet:
        return Entry.objects.for_administrators()
