"""Give somebody a role, or verify their email address without a mail: how an installation gets its administrator."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.readers.rejections import Refused
from registry.accounts.models import User
from registry.accounts.services import set_role, verify_address


class Command(BaseCommand):
    help = "Change the account NAME (user name or email address). The journal names the registry as actor."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--role", choices=User.Role.values, metavar="ROLE", help=", ".join(User.Role.values))
        parser.add_argument("--reason", default="set on the server", metavar="TEXT", help="why, for the journal")
        parser.add_argument(
            "--verify-email", action="store_true", help="take the email address as verified, without sending a mail"
        )

    def handle(self, *, name: str, role: str | None, reason: str, verify_email: bool, **options: Any) -> None:
        if not role and not verify_email:
            raise CommandError("Say what to change: --role ROLE, --verify-email, or both.")
        user = find_user(name)
        try:
            if verify_email:
                address = verify_address(user=user)
                self.stdout.write(f"{address.email} is verified; {user.username} can sign in.")
            if role:
                user = set_role(user=user, role=User.Role(role), actor=None, reason=reason)
                self.stdout.write(f"{user.username} is {user.role.label}.")
        except Refused as refused:
            raise CommandError(refused.message) from refused


def find_user(name: str) -> User:
    """Return the account with this user name or email address."""
    people = User.objects.existing()
    user = people.named(name).first() or people.filter(email__iexact=name).first()
    if user is None:
        raise CommandError(f"There is no account with the user name or email address {name!r}.")
    return user
