"""Give somebody a role: how an installation gets its first administrator."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.readers.rejections import Refused
from registry.accounts.management.commands.verify_email import find_user
from registry.accounts.models import User
from registry.accounts.services import set_role


class Command(BaseCommand):
    help = "Give the account NAME (user name or e-mail address) a role. The journal names the registry as actor."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("role", choices=User.Role.values, metavar="ROLE", help=", ".join(User.Role.values))
        parser.add_argument("--reason", default="set on the server", metavar="TEXT", help="why, for the journal")

    def handle(self, *, name: str, role: str, reason: str, **options: Any) -> None:
        try:
            user = set_role(user=find_user(name), role=User.Role(role), actor=None, reason=reason)
        except Refused as refused:
            raise CommandError(refused.message) from refused
        self.stdout.write(f"{user.username} is {user.role.label}.")
