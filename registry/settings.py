"""Settings of Plumbline, read from the environment; docs/settings.md lists every variable.

With nothing set, everything runs embedded: SQLite below ``var/``, and a worker that asks it for jobs. ``DATABASE_URL``
and ``REDIS_URL`` make it a team's installation.
"""

from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF

from registry.core.env import (
    env_address,
    env_bool,
    env_choice,
    env_contact,
    env_database,
    env_hosts,
    env_int,
    env_list,
    env_login,
    env_mail,
    env_origins,
    env_own_host,
    env_redis,
    env_secret,
    env_sender,
    env_text,
    refuse_removed,
)
from registry.core.logs import log_to_console
from registry.core.private import keep_private

refuse_removed(Path(__file__).with_name("removed_settings.csv"))

BASE_DIR = Path(__file__).resolve().parent.parent
HOME = Path(env_text("PLUMBLINE_HOME") or BASE_DIR / "var").resolve()
REDIS_URL = env_redis("REDIS_URL")
EMBEDDED = not env_text("DATABASE_URL")
BEHIND_PROXY = env_bool("PLUMBLINE_BEHIND_PROXY", False)
# Before the secret is read and the database is made. A proxy may serve the static files, which are in it.
keep_private(HOME, is_passable=BEHIND_PROXY)

DEBUG = env_bool("PLUMBLINE_DEBUG", False)
SECRET_KEY = env_secret("SECRET_KEY", HOME / "secret_key" if EMBEDDED else None)
SECRET_KEY_FALLBACKS = env_list("SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = env_hosts("PLUMBLINE_ALLOWED_HOSTS", ("localhost", "127.0.0.1", "[::1]"))
CSRF_TRUSTED_ORIGINS = env_origins("PLUMBLINE_TRUSTED_ORIGINS")
HTTPS = env_bool("PLUMBLINE_HTTPS", False)
SITE_URL = env_address("PLUMBLINE_SITE_URL")
PORT = env_int("PORT", 8000, minimum=1)
#: The host of the site in addresses for this machine.
OWN_HOST = env_own_host("HOST")

# Services that people can sign in through, each only where this site is registered with it (docs/accounts.md).
_LOGIN_SERVICES = {
    "orcid": env_login("PLUMBLINE_ORCID_CLIENT_ID", env_text("PLUMBLINE_ORCID_SECRET")),
    "github": env_login("PLUMBLINE_GITHUB_CLIENT_ID", env_text("PLUMBLINE_GITHUB_SECRET")),
}
LOGIN_SERVICES = {name: app for name, app in _LOGIN_SERVICES.items() if app}
LOGIN_SITES = {"orcid": "https://orcid.org", "github": "https://github.com"}

INSTALLED_APPS = [
    "registry.accounts.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    *(f"allauth.socialaccount.providers.{name}" for name in LOGIN_SERVICES),
    "rest_framework",
    "drf_spectacular",
    "registry.core",
    "registry.journal",
    "registry.accounts",
    "registry.catalog",
    "registry.results",
    "registry.curation",
    "registry.leaderboards",
    "registry.search",
    "registry.submissions",
    "registry.tools",
    "registry.dumps",
    "registry.runs",
    "registry.api",
]

MIDDLEWARE = [
    "registry.core.middleware.NameRequest",
    "registry.core.middleware.ForPrograms",
    "registry.core.middleware.RefuseUnknown",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "registry.core.middleware.SendPolicy",
    "registry.core.middleware.Compress",
    "registry.core.middleware.RefuseBodies",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    # Before the middleware that looks for a token in the body.
    "registry.core.middleware.AnswerAtHeaders",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "registry.core.middleware.KeepPrivate",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "registry.core.middleware.SayWhenToRetry",
]

ROOT_URLCONF = "registry.urls"
WSGI_APPLICATION = "registry.wsgi.application"
AUTH_USER_MODEL = "accounts.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["registry.core.templatetags.formatting"],
        },
    },
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "environment": "registry.core.templatetags.formatting.jinja_environment",
            "trim_blocks": True,
            "lstrip_blocks": True,
        },
    },
]

# --- data

DATABASES = {
    "default": env_database(
        "DATABASE_URL",
        HOME / "plumbline.sqlite3",
        {
            "timeout": 20,
            # Without IMMEDIATE, a transaction that reads before it writes fails under WAL as soon as two meet.
            "transaction_mode": "IMMEDIATE",
            # FULL: what was acknowledged survives a power cut. recursive_triggers: REPLACE must not slip past the
            # triggers that keep snapshots and the journal as they were written.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; "
            "PRAGMA recursive_triggers=ON; PRAGMA mmap_size=134217728; PRAGMA cache_size=-20000; "
            "PRAGMA journal_size_limit=67108864;",
        },
    )
}
CACHES = {
    # Nothing: answers are kept in files (registry/core/kept.py).
    "default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"},
    # Drawings on pages of leaderboards, some 60 kB each, and the list of models.
    "figures": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "figures",
        "OPTIONS": {"MAX_ENTRIES": 300},
    },
}

# --- background work: the Job table is the queue; with Redis, Celery wakes workers up (docs/architecture.md)

PLUMBLINE_JOB_LEASE_SECONDS = 60
PLUMBLINE_JOB_CPU_SECONDS = env_int("PLUMBLINE_JOB_CPU_SECONDS", 600, minimum=1)
PLUMBLINE_JOB_CLOCK_SECONDS = 3600
PLUMBLINE_JOB_MAX_ATTEMPTS = 4
PLUMBLINE_JOB_RETRY_SECONDS = 3600
PLUMBLINE_JOB_KEEP_DAYS = 7
#: With Redis messages may be lost, so sweeps are frequent; workers that are woken directly need few.
PLUMBLINE_SWEEP_SECONDS = 10 if REDIS_URL else 30

#: Workers take from both, and from the first before the second; ``-Q awaited`` keeps a worker for what people wait for.
CELERY_TASK_QUEUES: dict[str, dict[str, str]] = {"awaited": {}, "celery": {}}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 1000
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE_FILENAME = str(HOME / "beat-schedule")
if REDIS_URL:
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        # The sweep sends the jobs of a killed worker again long before.
        "visibility_timeout": PLUMBLINE_JOB_CLOCK_SECONDS + 300,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        # kombu's default waits for ever on a broker that accepts and never answers.
        "socket_timeout": 2,
        "socket_connect_timeout": 1,
        "retry_on_timeout": False,
        "max_retries": 0,
        "health_check_interval": 25,
        "global_keyprefix": "plumbline:",
        "queue_order_strategy": "sorted",
    }
else:
    # Nothing is sent: workers ask (``manage.py work``).
    CELERY_BROKER_URL = "memory://"

# --- the web

STATIC_URL = "/static/"
STATIC_ROOT = HOME / "static"
STATICFILES_DIRS = [BASE_DIR / "static", ("docs", BASE_DIR / "docs" / "images")]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "registry.core.staticfiles.SheetFinder",
    "registry.core.staticfiles.PlotlyFinder",
]
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"file_permissions_mode": 0o600, "directory_permissions_mode": 0o700},
    },
    "staticfiles": {"BACKEND": "registry.core.staticfiles.PackedStorage"},
}
MEDIA_ROOT = HOME / "media"

TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = False

SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^-/health/"]
SECURE_HSTS_SECONDS = 63_072_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
TRUSTED_PROXIES = env_int("PLUMBLINE_PROXIES", 1, minimum=1) if BEHIND_PROXY else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_NAME = "__Host-sessionid" if HTTPS else "sessionid"
CSRF_COOKIE_NAME = "__Host-csrftoken" if HTTPS else "csrftoken"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        # The hash is of the map styles that plotly.js 4.1.1 adds when it loads; browser tests notice when it changes.
        "style-src": [SELF, "'sha256-ji27qzEtxXZW+7dun6UwjHXJ18e6WAin1VvNtkzIE/o='"],
        "img-src": [SELF, "data:", "blob:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        # Browsers hold redirects that follow a form to this as well.
        "form-action": [SELF, *(LOGIN_SITES[name] for name in LOGIN_SERVICES)],
        "base-uri": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}
PLUMBLINE_LOW_DISK_BYTES = 500_000_000
#: More than the largest table, with everything that is sent with it.
PLUMBLINE_MAX_BODY_BYTES = env_int("PLUMBLINE_MAX_BODY_BYTES", 6_000_000, minimum=1)
#: Of a run that a program sends with a token: MS MARCO's 6,980 topics with 1,000 documents each, packed.
PLUMBLINE_MAX_RUN_BYTES = env_int("PLUMBLINE_MAX_RUN_BYTES", 120_000_000, minimum=1)
PLUMBLINE_MAX_OPEN_RUNS = 4
#: Runs: what a file may hold once it is unpacked, and what reading and scoring it may cost.
PLUMBLINE_RUN_UNPACKED_BYTES = 1_000_000_000
PLUMBLINE_RUN_LINES = 20_000_000
PLUMBLINE_RUN_DOCUMENTS = 10_000
PLUMBLINE_RUN_SECONDS = 90
PLUMBLINE_RUN_MEMORY_BYTES = 2_000_000_000
#: How often runs may ever be scored on the sealed judgements of one collection, by all senders together.
PLUMBLINE_SEALED_ANSWERS = env_int("PLUMBLINE_SEALED_ANSWERS", 100, minimum=0)
PLUMBLINE_BODY_SECONDS = 600
PLUMBLINE_BODY_PAUSE_SECONDS = 20
PLUMBLINE_BODY_BYTES_PER_SECOND = 500
PLUMBLINE_MAX_OPEN_BODIES = 500
PLUMBLINE_HEADER_SECONDS = 15
#: Processor time that is spent for one address in five minutes.
PLUMBLINE_COMPUTE_SECONDS = env_int("PLUMBLINE_COMPUTE_SECONDS", 30, minimum=1)
PLUMBLINE_MAX_CONNECTIONS = 4000
# Whatever was small enough to be read can be shown again.
DATA_UPLOAD_MAX_MEMORY_SIZE = PLUMBLINE_MAX_BODY_BYTES
CSRF_FAILURE_VIEW = "registry.core.views.csrf_failed"

# --- taking the registry home (registry/dumps)

DUMPS = HOME / "dumps"
PLUMBLINE_DUMP_HOURS = env_int("PLUMBLINE_DUMP_HOURS", 24)
PLUMBLINE_KEPT_DUMPS = 2
#: The terms under which results are submitted (docs/terms.md).
SUBMITTED_LICENCE = "CC0-1.0"
#: How to reach whoever runs the site; blank if unset.
PLUMBLINE_CONTACT = env_contact("PLUMBLINE_CONTACT")

# --- mail

MAIL_FOLDER = HOME / "mail"
globals().update(env_mail("EMAIL_URL"))
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env_sender("PLUMBLINE_MAIL_FROM", "Plumbline <plumbline@localhost>")

# --- people (docs/accounts.md)

AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "home:home"
PASSWORD_RESET_TIMEOUT = 4 * 3600
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
PLUMBLINE_REQUIRE_SECOND_FACTOR = env_bool("PLUMBLINE_REQUIRE_SECOND_FACTOR", HTTPS)

ACCOUNT_ADAPTER = "registry.accounts.adapters.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "username*", "password1*"]
ACCOUNT_FORMS = {
    "login": "registry.accounts.forms.LoginForm",
    "signup": "registry.accounts.forms.SignUpForm",
    "reset_password": "registry.accounts.forms.PasswordResetForm",
    "change_password": "registry.accounts.forms.PasswordChangeForm",
    "add_email": "registry.accounts.forms.EmailChangeForm",
}
ACCOUNT_USERNAME_BLACKLIST = [
    "registry", "plumbline", "admin", "administrator", "root", "editor", "moderator", "system",
]  # fmt: skip
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Plumbline] "
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# Limits are ours (registry/accounts/limits.py): allauth's count in the cache, where attempts at one moment all pass.
ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = False
SOCIALACCOUNT_ADAPTER = "registry.accounts.adapters.SocialAccountAdapter"
SOCIALACCOUNT_FORMS = {"signup": "registry.accounts.forms.ServiceSignUpForm"}
SOCIALACCOUNT_PROVIDERS = {name: {"APP": app} for name, app in LOGIN_SERVICES.items()}
SOCIALACCOUNT_AUTO_SIGNUP = False
MFA_ADAPTER = "registry.accounts.adapters.SecondFactorAdapter"
MFA_FORMS = {
    "authenticate": "registry.accounts.forms.SecondFactorForm",
    "reauthenticate": "registry.accounts.forms.SecondFactorAgainForm",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Plumbline"
# The previous and the next code are accepted, too, as clocks of phones differ.
MFA_TOTP_TOLERANCE = 1
MFA_RECOVERY_CODES_SHOW_ONCE = True

# --- REST

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "registry.accounts.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "registry.api.errors.handle_exception",
    # Not ?format=json: the API has one format, and unknown parameters are refused.
    "URL_FORMAT_OVERRIDE": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Plumbline",
    "DESCRIPTION": "Published information-retrieval results, and how good the best of them really are.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": ["registry.api.shapes.add_components"],
}

_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
LOGGING = log_to_console(
    env_choice("PLUMBLINE_LOG_LEVEL", "WARNING", (*_LEVELS, *(f"{level} JSON" for level in _LEVELS)))
)
