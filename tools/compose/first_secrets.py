"""Makes the secrets of an installation on its first start: no password is in any file of this repository.

    python tools/compose/first_secrets.py FOLDER

Each is a file that its owner and group may read. What exists is left as it is. Only the standard library is imported.
"""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path


def make(folder: Path) -> list[str]:
    """The names of those that were made."""
    made = []
    for name in ("postgres-password", "redis-password", "secret-key"):
        if _write_once(folder / name, secrets.token_urlsafe(48)):
            made.append(name)
    postgres, redis = ((folder / f"{name}-password").read_text().strip() for name in ("postgres", "redis"))
    for name, address in (
        ("database", f"postgresql://paperjudge:{postgres}@postgres:5432/paperjudge"),
        ("broker", f"redis://:{redis}@redis:6379/0"),
    ):
        if _write_once(folder / name, address):
            made.append(name)
    return made


def _write_once(file: Path, text: str) -> bool:
    """Whether it was written; it appears complete, so that an interrupted start leaves no half of a secret."""
    if file.exists():
        return False
    draft = file.with_name(f".{file.name}.draft")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o440), "w", encoding="ascii") as stream:
        stream.write(text + "\n")
        stream.flush()
        os.fsync(stream.fileno())
    draft.rename(file)
    return True


if __name__ == "__main__":
    print("Made: " + (", ".join(make(Path(sys.argv[1]))) or "nothing, all secrets are there") + ".")
