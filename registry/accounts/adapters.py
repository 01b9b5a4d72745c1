"""Our answers to allauth, which does sign-up and login: limits, addresses of links, mail, what is kept of a service."""

from contextlib import suppress
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse

from analysis.readers.rejections import Refused
from analysis.readers.text import clean_name
from registry.accounts import limits
from registry.accounts.models import EMAIL_LENGTH, User
from registry.accounts.services import release_address
from registry.core.http import client_address, site_address
from registry.core.limits import spend
from registry.core.locking import lock, unlock
from registry.core.mail import NotSent

_FACTORS = "second factors of accounts"  # The purpose under which their keys are locked.
#: The data that we keep from a service about somebody: only what their page links to.
_KEPT = {"orcid": ("orcid-identifier",), "github": ("login", "html_url")}


class AccountAdapter(DefaultAccountAdapter):
    """Sign-up, login, email addresses."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_taken": "This user name is taken.",
        "username_blacklisted": "This user name has a meaning here. Choose another one.",
        "email_password_mismatch": "The email address or the password is wrong.",
        "incorrect_password": "The password is wrong.",
        "enter_current_password": "This is not your password.",
        "incorrect_code": "The code is wrong, was used already, or is too old. Type the one shown now.",
    }

    def clean_email(self, email: str) -> str:
        if len(email) > EMAIL_LENGTH:
            raise ValidationError(f"An email address has at most {EMAIL_LENGTH} characters.", code="max_length")
        return email

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        limits.take_login(request, credentials.get("email", ""))

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if user is not None:
            limits.give_login_back(request, credentials.get("email", ""))
        return user

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        if not signup:
            spend("verification mail", emailconfirmation.email_address.email.casefold())
        super().send_confirmation_mail(request, emailconfirmation, signup)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        release_address(email=email_address.email, owner=email_address.user)
        return bool(super().confirm_email(request, email_address))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        known = {"request": self.request, "email": email, "site": site_address()}
        message = self.render_mail(template_prefix, email, known | context)
        try:
            message.send()
        except (SMTPException, OSError) as error:
            raise NotSent from error

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        return site_address(reverse("account_confirm_email", args=[emailconfirmation.key]))

    def get_reset_password_from_key_url(self, key: str) -> str:
        uid, _, rest = key.partition("-")
        path = reverse("account_reset_password_from_key", kwargs={"uidb36": uid, "key": rest})
        return site_address(path)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("accounts:account-detail")


class SocialAccountAdapter(DefaultSocialAccountAdapter):
    """Login through ORCID and GitHub."""

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        """Return what the sign-up form suggests; and of what the service told, the rest is dropped here."""
        account = sociallogin.account
        account.extra_data = {name: account.extra_data.get(name) for name in _KEPT[account.provider]}
        name = data.get("name") or f"{data.get('first_name') or ''} {data.get('last_name') or ''}"
        user: User = super().populate_user(request, sociallogin, data)
        with suppress(Refused):
            user.full_name = clean_name(name, max_length=150)
        return user


class SecondFactorAdapter(DefaultMFAAdapter):
    """Codes from an app, and recovery codes."""

    error_messages = DefaultMFAAdapter.error_messages | AccountAdapter.error_messages

    def get_totp_label(self, user: User) -> str:
        return user.username

    def encrypt(self, text: str) -> str:
        return lock(_FACTORS, text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return unlock(_FACTORS, encrypted_text.encode()).decode()
