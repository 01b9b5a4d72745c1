"""Tasks of people's accounts."""

from celery import shared_task

from registry.accounts import services


@shared_task(name="accounts.prune")
def prune() -> None:
    """Forget what nobody needs any more."""
    services.prune()
