"""Sending mail: by SMTP where EMAIL_URL says so; kept in files where nothing is set up, so that links in it work."""

import logging
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from smtplib import SMTPRecipientsRefused

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

from registry.core.http import TryLater

logger = logging.getLogger(__name__)


class NotSent(TryLater):
    """The mail server did not take a mail."""

    def __init__(self) -> None:
        super().__init__("The mail could not be sent. What you did before is kept; try again in a few minutes.", 60)


def deliver(message: EmailMessage) -> bool:
    """Return whether a mail server took the mail; False where it refuses the address for good.

    Raises
    ------
    SMTPException, OSError
        Where trying again may help.
    """
    try:
        message.send()
    except SMTPRecipientsRefused as refused:
        codes = [code for code, _ in refused.recipients.values()]
        if not codes or not all(500 <= code < 600 for code in codes):
            raise
        logger.warning("the mail server refuses an address for good: %s", codes)
        return False
    return True


class KeptMail(BaseEmailBackend):
    """Writes each mail to a file in ``MAIL_FOLDER`` that only the site's own user can read; the log says in which."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for message in email_messages:
            logger.warning("Mail is not sent from here but kept: %s", _keep(message))
        return len(email_messages)


def _keep(message: EmailMessage) -> Path:
    folder = Path(settings.MAIL_FOLDER)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"{timezone.now():%Y-%m-%dT%H%M%S}-{secrets.token_hex(4)}.txt"
    headers = {"To": ", ".join(message.to), "Subject": message.subject} | message.extra_headers
    text = "".join(f"{name}: {value}\n" for name, value in headers.items()) + f"\n{message.body}\n"
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    return path
