"""All settings, in one file. Each is read from one environment variable, `PAPERJUDGE_*`, that has a working default.

A value that can't be used stops the start: all complaints are collected and shown at once.
"""

import os
from pathlib import Path
from typing import Any

from csp.constants import NONCE, SELF, WASM_UNSAFE_EVAL
from django.core.exceptions import ImproperlyConfigured

from judge import environment
from judge.environment import Environment
from judge.logs import logging_configuration

BASE_DIR = Path(__file__).resolve().parent.parent
ENVIRONMENT = Environment(os.environ)
_read, _complaints = ENVIRONMENT.read, ENVIRONMENT.complaints
_LOCAL = "localhost,127.0.0.1,[::1]"

ENVIRONMENT.group("Where things are")
VAR = _read(
    "PAPERJUDGE_VAR",
    str(BASE_DIR / "var"),
    environment.writable_folder,
    "the folder for everything that is written",
    shown_default="`var/` of the repository",
)
PROBLEMS = _read(
    "PAPERJUDGE_PROBLEMS",
    str(BASE_DIR / "problems"),
    environment.absolute,
    "the folder of problems that `load_problems` loads",
    shown_default="`problems/` of the repository",
)
SANDBOX_SOCKET = _read(
    "PAPERJUDGE_SANDBOX_SOCKET",
    str(VAR / "sandbox.sock"),
    environment.absolute,
    "the Unix socket at which a worker finds its sandbox",
    shown_default="`sandbox.sock` in `PAPERJUDGE_VAR`",
)
DATABASES = {
    "default": _read(
        "PAPERJUDGE_DATABASE",
        f"sqlite:///{VAR / 'db.sqlite3'}",
        environment.database,
        "`sqlite:////absolute/file` or `postgresql://user:password@host:5432/name`",
        shown_default="SQLite in `PAPERJUDGE_VAR`",
    )
}
BROKER = _read(
    "PAPERJUDGE_BROKER",
    "filesystem://",
    environment.broker,
    "`filesystem://` (a folder in `PAPERJUDGE_VAR`) or `redis://:password@host:6379/0`",
)
VITE_MANIFEST = BASE_DIR / "frontend" / "dist" / "manifest.json"

ENVIRONMENT.group("Who may reach the site, and how")
SECRET_KEY = _read(
    "PAPERJUDGE_SECRET_KEY",
    "",
    lambda text: text or environment.made_once(VAR / "secret-key"),
    "signs sessions; at least 32 characters",
    shown_default="made once, in `PAPERJUDGE_VAR`",
)
if len(SECRET_KEY) < 32:
    _complaints.append("PAPERJUDGE_SECRET_KEY is shorter than 32 characters: unset it, and one is made under var/.")
DEBUG = _read(
    "PAPERJUDGE_DEBUG", "0", environment.yes_or_no, "`1` shows tracebacks in the browser; only for development"
)
ALLOWED_HOSTS = _read(
    "PAPERJUDGE_HOSTS", _LOCAL, environment.words, "the names under which the site is reached, with commas between them"
)
IS_LOCAL = set(ALLOWED_HOSTS) <= set(environment.words(_LOCAL))
CSRF_TRUSTED_ORIGINS = _read(
    "PAPERJUDGE_ORIGINS",
    "",
    environment.origins,
    "origins that may send forms when a proxy changes them, such as `https://judge.example.org`",
)
HTTPS = _read(
    "PAPERJUDGE_HTTPS",
    "0",
    environment.yes_or_no,
    "`1` behind one proxy that speaks HTTPS and sets `X-Forwarded-Proto` and `X-Forwarded-For`: cookies are secure, "
    "plain HTTP is redirected, and browsers are told to stay with HTTPS for a year",
)
ACCEPT_UNPROTECTED = _read(
    "PAPERJUDGE_ACCEPT_UNPROTECTED",
    "0",
    environment.yes_or_no,
    "`1` starts the sandbox although a protection is open: for your own code, on 127.0.0.1 alone, with a warning on "
    "every page",
)
if ACCEPT_UNPROTECTED and not IS_LOCAL:
    _complaints.append("PAPERJUDGE_ACCEPT_UNPROTECTED is for this machine alone: unset PAPERJUDGE_HOSTS or unset it.")
SUBMISSIONS_A_MINUTE = _read(
    "PAPERJUDGE_SUBMISSIONS_A_MINUTE", "60", environment.count, "how often one person may hand in within a minute"
)
METRICS_TOKEN = _read(
    "PAPERJUDGE_METRICS_TOKEN",
    "",
    str,
    "if set, `/metrics` is for those who send `Authorization: Bearer` with it",
    shown_default="none",
)

# What the browser is told
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REDIRECT_EXEMPT = ["^healthz$", "^readyz$", "^metrics$"]  # asked from inside, without TLS
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 512 * 1024
# Whether HSTS covers other hosts of the domain, or the browsers' lists, is for the owner of the domain to decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
if IS_LOCAL and not HTTPS:
    # Nobody else reaches this site, and secure cookies would lock out the one who does.
    SILENCED_SYSTEM_CHECKS += ["security.W004", "security.W008", "security.W012", "security.W016"]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, WASM_UNSAFE_EVAL],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "worker-src": [SELF],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": [SELF],
        "frame-ancestors": ["'none'"],
    }
}

# Django
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "judge.accounts",
    "judge.catalog",
    "judge.submissions",
    "judge.classroom",
    "judge.operations",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "judge.classroom.viewing.ViewingMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "judge.outage.OutageMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "judge" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "judge.views.site_context",
            ],
            "libraries": {"vite": "judge.vite"},
        },
    }
]
ROOT_URLCONF = "judge.urls"
ASGI_APPLICATION = "judge.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "catalogue"
LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False

# Static files: what Vite built, served by whitenoise from where it is
STATIC_URL = "/static/"
STATICFILES_DIRS = [VITE_MANIFEST.parent] if VITE_MANIFEST.parent.is_dir() else []
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/assets/"

# The queue
CELERY_BROKER_URL = "filesystem://localhost" if BROKER == "filesystem://" else BROKER
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "judging"
VERIFYING_QUEUE = "verifying"  # packages that instructors have verified: a worker of its own reads it
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a broker may be away for longer than a hundred tries
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0.1}
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {"socket_connect_timeout": 2}
if BROKER == "filesystem://":
    for _folder in ("messages", "control"):
        (VAR / "broker" / _folder).mkdir(mode=0o700, parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(VAR / "broker" / "messages"),
        "data_folder_out": str(VAR / "broker" / "messages"),
        "control_folder": str(VAR / "broker" / "control"),
        "polling_interval": 0.02,
    }

# Logs
ENVIRONMENT.group("Logs")
LOGGING = logging_configuration(
    level=_read(
        "PAPERJUDGE_LOG_LEVEL",
        "INFO",
        environment.one_of("DEBUG", "INFO", "WARNING", "ERROR"),
        "`DEBUG`, `INFO`, `WARNING` or `ERROR`",
    ),
    style=_read(
        "PAPERJUDGE_LOG_STYLE", "text", environment.one_of("text", "json"), "`json` for one JSON object a line"
    ),
)

if _complaints:
    raise ImproperlyConfigured("\n".join(["these settings can't be used:", *_complaints]))
