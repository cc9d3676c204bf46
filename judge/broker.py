"""Celery's `filesystem://` transport, made safe for several processes.

Kombu's own writes a message in place, so that a worker may read half of it, and moves it through the temporary folder.
Here a message appears by a rename when it is complete, and a worker claims it by a rename that only one can win. A
worker that dies between claiming and working loses that doorbell; the sweep rings again.
"""

import os
import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps, loads


class FolderChannel(filesystem.Channel):
    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]  # two names in the stubs
        name = f"{time.time_ns():020}_{uuid.uuid4().hex}"
        draft = Path(self.data_folder_out, f"{name}.draft")
        draft.write_text(dumps(payload), encoding="utf-8")
        draft.rename(draft.with_name(f"{name}.{queue}.msg"))

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        ending = f".{queue}.msg"
        for name in sorted(os.listdir(self.data_folder_in)):  # noqa: PTH208 (names only: this is the polling loop)
            if not name.endswith(ending):
                continue
            message = Path(self.data_folder_in, name)
            claimed = message.with_name(f"{name}.claimed-{uuid.uuid4().hex}")
            try:
                message.rename(claimed)
            except FileNotFoundError:
                continue
            try:
                return loads(claimed.read_text(encoding="utf-8"))
            finally:
                claimed.unlink()
        raise Empty


class FolderTransport(filesystem.Transport):
    Channel = FolderChannel
