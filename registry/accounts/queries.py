"""Reading what is known of people."""

from allauth.account.models import EmailAddress

from registry.accounts.models import User


def mail_address(user: User) -> str:
    """Where mail reaches somebody: the address that they proved theirs; blank where there is none, or they left."""
    if not user.is_active or user.deleted_at:
        return ""
    address = EmailAddress.objects.filter(user=user, verified=True, primary=True).first()
    return address.email if address else ""
