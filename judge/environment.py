"""Reading settings from the environment, each once, with a default that works and a sentence that says what it is for.

A setting `NAME` may also be given as `NAME_FILE`, the path of a file that holds its value: so a secret need not be in
the environment. All complaints are collected; what was read is kept for the reference in `docs/configuration.md`.
"""

import dataclasses
import os
import re
import secrets
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

T = TypeVar("T")


@dataclasses.dataclass(frozen=True)
class Setting:
    """What a person needs to know of one setting."""

    name: str
    default: str
    """As it is shown: the value, or words where the value depends on the machine."""
    meaning: str


class Environment:
    """The environment of this process, and what has been asked of it."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values
        self.complaints: list[str] = []
        self.groups: dict[str, list[Setting]] = {}

    def group(self, title: str) -> None:
        """What is read from here on belongs together."""
        self.groups[title] = []

    def read(
        self, name: str, default: str, convert: Callable[[str], T], meaning: str, *, shown_default: str | None = None
    ) -> T:
        """The setting `name` converted, or the default with a complaint. An empty variable counts as unset."""
        group = next(reversed(self.groups.values()))
        group.append(Setting(name, default if shown_default is None else shown_default, meaning))
        given, file = self._values.get(name, ""), self._values.get(f"{name}_FILE", "")
        # What a file holds may be secret, so it is not repeated.
        subject = f"{name}_FILE ({file})" if file else f"{name} is {given or default!r}"
        try:
            if file and given:
                raise ValueError(f"{name} is set too; unset one of them")
            return convert((Path(file).read_text(encoding="utf-8").strip() if file else given) or default)
        except (ValueError, OSError) as error:
            self.complaints.append(f"{subject}: {error}.")
            return convert(default)


def text(value: str) -> str:
    return value


def yes_or_no(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError("it must be 0 or 1")
    return text == "1"


def count(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,6}", text):
        raise ValueError("it must be a whole number from 1 on")
    return int(text)


def words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def one_of(*choices: str) -> Callable[[str], str]:
    def convert(text: str) -> str:
        if text not in choices:
            raise ValueError(f"it must be one of {', '.join(choices)}")
        return text

    return convert


def writable_folder(text: str) -> Path:
    folder = absolute(text)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise ValueError("this folder can't be written to")
    return folder


def absolute(text: str) -> Path:
    if not Path(text).is_absolute():
        raise ValueError("it must be an absolute path")
    return Path(text)


def origins(text: str) -> list[str]:
    for word in words(text):
        if not re.fullmatch(r"https?://[^/\s]+", word):
            raise ValueError(f"{word!r} must look like https://judge.example.org")
    return words(text)


def database(text: str) -> dict[str, Any]:
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
        # A request has a thread of its own, so connections that are kept by thread would never be used again.
        "OPTIONS": {"pool": {"min_size": 1, "max_size": 20, "timeout": 10}, "connect_timeout": 5},
    }


def broker(text: str) -> str:
    if text != "filesystem://" and not re.match(r"rediss?://[^/\s]+", text):
        raise ValueError("it must be filesystem:// or look like redis://host:6379/0")
    return text


def made_once(file: Path) -> str:
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
