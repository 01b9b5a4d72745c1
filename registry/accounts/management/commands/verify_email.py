"""Verify somebody's e-mail address without a mail, on a machine that sends none."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.readers.rejections import Refused
from registry.accounts.models import User
from registry.accounts.services import verify_address


class Command(BaseCommand):
    help = "Verify the e-mail address of the account NAME (user name or e-mail address) without sending a mail."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME")

    def handle(self, *, name: str, **options: Any) -> None:
        user = find_user(name)
        try:
            address = verify_address(user=user)
        except Refused as refused:
            raise CommandError(refused.message) from refused
        self.stdout.write(f"{address.email} is verified; {user.username} can sign in.")


def find_user(name: str) -> User:
    """The account with this user name or e-mail address."""
    people = User.objects.existing()
    user = people.named(name).first() or people.filter(email__iexact=name).first()
    if user is None:
        raise CommandError(f"There is no account with the user name or e-mail address {name!r}.")
    return user
