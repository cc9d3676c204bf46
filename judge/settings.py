"""All settings, in one file. Each is read from one environment variable, `PAPERJUDGE_*`, that has a working default.

A value that can't be used stops the start: all complaints are collected and shown at once.
"""

import os
import re
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from csp.constants import NONCE, SELF, WASM_UNSAFE_EVAL
from django.core.exceptions import ImproperlyConfigured

from judge.logs import logging_configuration

T = TypeVar("T")
BASE_DIR = Path(__file__).resolve().parent.parent
_LOCAL = "localhost,127.0.0.1,[::1]"
_complaints: list[str] = []


def _read(name: str, default: str, convert: Callable[[str], T]) -> T:
    """The setting `name` converted, or the default with a complaint. An empty variable counts as unset."""
    text = os.environ.get(name) or default
    try:
        return convert(text)
    except (ValueError, OSError) as error:
        _complaints.append(f"{name} is {text!r}: {error}.")
        return convert(default)


def _yes_or_no(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError("it must be 0 or 1")
    return text == "1"


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _one_of(*choices: str) -> Callable[[str], str]:
    def convert(text: str) -> str:
        if text not in choices:
            raise ValueError(f"it must be one of {', '.join(choices)}")
        return text

    return convert


def _writable_folder(text: str) -> Path:
    folder = Path(text)
    if not folder.is_absolute():
        raise ValueError("it must be an absolute path")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise ValueError("this folder can't be written to")
    return folder


def _absolute(text: str) -> Path:
    if not Path(text).is_absolute():
        raise ValueError("it must be an absolute path")
    return Path(text)


def _origins(text: str) -> list[str]:
    for word in _words(text):
        if not re.fullmatch(r"https?://[^/\s]+", word):
            raise ValueError(f"{word!r} must look like https://judge.example.org")
    return _words(text)


def _database(text: str) -> dict[str, Any]:
    """The database that a URL names: `sqlite:////absolute/file` or `postgresql://user:password@host:port/name`."""
    url = urlsplit(text)
    if url.scheme == "sqlite":
        file = Path(url.path.removeprefix("/"))
        if url.netloc or not file.is_absolute():
            raise ValueError("it must look like sqlite:////absolute/path/of/the/file, with four slashes")
        options = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        }
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": str(file), "OPTIONS": options}
    if url.scheme not in ("postgresql", "postgres") or not url.hostname or not url.path.strip("/"):
        raise ValueError("it must look like postgresql://user:password@host:5432/name or sqlite:////path/of/the/file")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(url.path.strip("/")),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": url.hostname,
        "PORT": str(url.port or ""),
        "CONN_HEALTH_CHECKS": True,
    }


def _broker(text: str) -> str:
    if text != "filesystem://" and not re.match(r"rediss?://[^/\s]+", text):
        raise ValueError("it must be filesystem:// or look like redis://host:6379/0")
    return text


def _secret_key(file: Path) -> str:
    """The key in `file`, which is made the first time. It appears complete: several processes may start at once."""
    if not file.exists():
        with tempfile.NamedTemporaryFile("w", dir=file.parent, prefix=".secret-key-", encoding="ascii") as draft:
            draft.write(secrets.token_urlsafe(64))
            draft.flush()
            try:
                os.link(draft.name, file)
            except FileExistsError:
                pass
    return file.read_text(encoding="ascii").strip()


# Where things are
VAR = _read("PAPERJUDGE_VAR", str(BASE_DIR / "var"), _writable_folder)
PROBLEMS = _read("PAPERJUDGE_PROBLEMS", str(BASE_DIR / "problems"), _absolute)
SANDBOX_SOCKET = _read("PAPERJUDGE_SANDBOX_SOCKET", str(VAR / "sandbox.sock"), _absolute)
VITE_MANIFEST = BASE_DIR / "frontend" / "dist" / "manifest.json"

# Who may reach the site, and how
ACCEPT_UNPROTECTED = _read("PAPERJUDGE_ACCEPT_UNPROTECTED", "0", _yes_or_no)
"""For one's own code on one's own machine: the sandbox runs although a protection is open, and every page says so."""
SECRET_KEY = os.environ.get("PAPERJUDGE_SECRET_KEY") or _secret_key(VAR / "secret-key")
if len(SECRET_KEY) < 32:
    _complaints.append("PAPERJUDGE_SECRET_KEY is shorter than 32 characters: unset it, and one is made under var/.")
DEBUG = _read("PAPERJUDGE_DEBUG", "0", _yes_or_no)
ALLOWED_HOSTS = _read("PAPERJUDGE_HOSTS", _LOCAL, _words)
if ACCEPT_UNPROTECTED and not set(ALLOWED_HOSTS) <= set(_words(_LOCAL)):
    _complaints.append("PAPERJUDGE_ACCEPT_UNPROTECTED is for this machine alone: unset PAPERJUDGE_HOSTS or unset it.")
CSRF_TRUSTED_ORIGINS = _read("PAPERJUDGE_ORIGINS", "", _origins)
HTTPS = _read("PAPERJUDGE_HTTPS", "0", _yes_or_no)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 512 * 1024
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
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
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
DATABASES = {"default": _read("PAPERJUDGE_DATABASE", f"sqlite:///{VAR / 'db.sqlite3'}", _database)}
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
BROKER = _read("PAPERJUDGE_BROKER", "filesystem://", _broker)
CELERY_BROKER_URL = "filesystem://localhost" if BROKER == "filesystem://" else BROKER
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "judging"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
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
LOGGING = logging_configuration(
    level=_read("PAPERJUDGE_LOG_LEVEL", "INFO", _one_of("DEBUG", "INFO", "WARNING", "ERROR")),
    style=_read("PAPERJUDGE_LOG_STYLE", "text", _one_of("text", "json")),
)

if _complaints:
    raise ImproperlyConfigured("\n".join(["these settings can't be used:", *_complaints]))
