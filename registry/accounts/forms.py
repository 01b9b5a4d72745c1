"""Forms: allauth's with our limits and words, and our own."""

from typing import Any

from allauth.account.forms import AddEmailForm, ChangePasswordForm, ResetPasswordForm, SignupForm
from allauth.account.forms import LoginForm as AllauthLoginForm
from allauth.core import context
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.socialaccount.forms import SignupForm as SocialSignupForm
from django import forms
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from registry.accounts import limits
from registry.accounts.models import ApiToken, User
from registry.accounts.services import MAX_TOKEN_DAYS
from registry.core.forms import CleanTextField
from registry.core.http import TryLater
from registry.core.limits import MINUTE, Limited, refund, spend, take
from registry.core.locking import Locked

#: The base of mixins for forms of allauth, which have no types.
_Mixin: Any = object


class _Labelled(_Mixin):
    """A form whose fields have labels, and no placeholders that repeat them in other words."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)


class _SigningUp(_Labelled):
    """A sign-up: within its limits, in our words, and safe against a name or address taken meanwhile.

    Mostly that is a double click.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["username"].label = "User name"
        self.fields["username"].help_text = User._meta.get_field("username").help_text
        self.fields["email"].label = "Email address"
        self.fields["email"].help_text = "Not shown to anybody. You sign in with it."

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()
        if not self.errors:
            limits.take_mail("sign-up", context.request, cleaned["email"])
        return cleaned

    def try_save(self, request: HttpRequest) -> Any:
        try:
            with transaction.atomic():
                return super().try_save(request)
        except IntegrityError as error:
            if not User.objects.filter(email__iexact=self.cleaned_data["email"]).exists():
                raise TryLater("This user name was taken just now. Go back and choose another.", 1) from error
            self.account_already_exists = True
            return super().try_save(request)


class LoginForm(_Labelled, AllauthLoginForm):
    """An email address and a password, in the words of the other forms."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["login"].label = "Email address"
        self.fields["remember"].label = "Keep me signed in"
        self.fields["remember"].label_suffix = ""


class SignUpForm(_SigningUp, SignupForm):
    """A public name, an email address, a password."""

    def try_save(self, request: HttpRequest) -> Any:
        if self.account_already_exists:
            # Take as long as for a new account: the time must not tell whether there is one.
            make_password(self.cleaned_data["password1"])
        return super().try_save(request)


class ServiceSignUpForm(_SigningUp, SocialSignupForm):
    """The same after login at a service, which stands in for the password."""

    def clean_email(self) -> str:
        email: str = super().clean_email()
        # The service may vouch for the chosen address; other addresses of the person are none of our business.
        login = self.sociallogin
        login.email_addresses = [address for address in login.email_addresses if address.email.lower() == email]
        return email


class PasswordResetForm(_Labelled, ResetPasswordForm):
    """An address that a link is sent to, whether or not it has an account."""

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()
        if not self.errors:
            limits.take_mail("password reset", context.request, cleaned["email"])
        return cleaned


class PasswordChangeForm(_Labelled, ChangePasswordForm):
    """The old password and a new one."""

    def clean_oldpassword(self) -> str:
        limits.take_login(context.request, self.user.email)
        password: str = super().clean_oldpassword()
        limits.give_login_back(context.request, self.user.email)
        return password


class EmailChangeForm(_Labelled, AddEmailForm):
    """Another address, which takes the place of the old one once it is verified."""

    def clean_email(self) -> str:
        spend("email change", self.user.pk)
        return str(super().clean_email())


class _LimitedCode(_Mixin):
    """A code: few may be tried, and each works once, even between processes without the shared cache of allauth."""

    def clean_code(self) -> str:
        spend("second factor", self.user.pk)
        try:
            code: str = super().clean_code()
        except Locked as error:
            message = (
                "Your second factor can’t be read: the site’s own key is another one than when you set it up. An "
                "administrator can take the factor away."
            )
            raise forms.ValidationError(message, code="locked") from error
        try:
            take("second factor: code", f"{self.user.pk} {code}", 1, 2 * MINUTE)
        except Limited as error:
            raise forms.ValidationError("This code was used already. Wait for the next one.", code="used") from error
        refund("second factor", self.user.pk)
        return code


class SecondFactorForm(_LimitedCode, AuthenticateForm):
    """A code from an app, or a recovery code."""


class SecondFactorAgainForm(_LimitedCode, ReauthenticateForm):
    """The same before something that needs certainty."""


class ProfileForm(forms.Form):
    """The public profile, besides the user name."""

    full_name = CleanTextField(
        required=False, max_length=150, help_text="As in your papers. Public, and may stay blank.", label="Full name"
    )


class TokenForm(forms.Form):
    """A new token."""

    name = CleanTextField(max_length=100, help_text="What it is for, so that you know it again.")
    scopes = forms.MultipleChoiceField(
        choices=ApiToken.Scope, widget=forms.CheckboxSelectMultiple, label="It may", initial=["read"]
    )
    days = forms.IntegerField(min_value=1, max_value=MAX_TOKEN_DAYS, initial=90, label="Days until it expires")


class DeletionForm(forms.Form):
    """The user name again, so that nobody deletes an account by a slip."""

    username = forms.CharField(
        label="Your user name, to confirm", widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, user: User, **options: Any) -> None:
        super().__init__(*args, **options)
        self.user = user

    def clean_username(self) -> str:
        if self.cleaned_data["username"] != self.user.username:
            raise forms.ValidationError("This is not your user name.", code="other_name")
        return self.user.username


class RoleForm(forms.Form):
    """The role of somebody, and whether they may sign in at all."""

    role = forms.ChoiceField(choices=User.Role, widget=forms.RadioSelect)
    is_active = forms.BooleanField(
        required=False, label="May sign in", help_text="Without it the account is suspended."
    )
    has_lost_factor = forms.BooleanField(
        required=False, label="Take the second factor away", help_text="Where it is lost, and you know who asks."
    )
    reason = CleanTextField(
        widget=forms.Textarea(attrs={"rows": 3}), max_length=1000, help_text="Enters the public journal."
    )
