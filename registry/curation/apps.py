"""Decisions of editors and curators."""

from functools import partial

from django.apps import AppConfig


class CurationConfig(AppConfig):
    name = "registry.curation"

    def ready(self) -> None:
        from registry.accounts.personal import Section
        from registry.accounts.personal import register as register_personal
        from registry.core import loading
        from registry.core.jobs import Kind, Routine, register
        from registry.curation.lineage.services import load_shipped_lineage, record_twins
        from registry.curation.lineage.training import erase_training_answers, export_training_answers
        from registry.curation.suites.refuted import check_refuted, warn_of_refuted
        from registry.curation.suites.services import (
            REFRESH,
            load_shipped_suites,
            refresh_after_load,
            refresh_elsewhere,
        )
        from registry.journal import verifying

        loading.register(load_shipped_lineage, finish=record_twins)
        loading.register(load_shipped_suites, finish=refresh_after_load)
        loading.register_finish(warn_of_refuted)
        register_personal(Section("training_answers", export_training_answers, erase_training_answers))
        verifying.register(verifying.Check("refuted result", "refuted results", check_refuted))
        register(Kind(REFRESH, refresh_elsewhere, later=True))
        for name, act, reason in (
            ("lineage.find_twins", record_twins, "looked for systems with the same scores"),
            ("suites.refresh_elsewhere", refresh_elsewhere, "scores on members changed"),
        ):
            register(Routine(name, partial(act, reason=reason), every=24 * 3600, expires=3600))
