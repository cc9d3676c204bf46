"""Following a stream that may fall silent."""

import queue
import threading
from collections.abc import Iterator
from typing import TypeVar

T = TypeVar("T")


def with_pauses(stream: Iterator[T], seconds: float) -> Iterator[T | None]:
    """The items of `stream`, and None whenever it has been silent for `seconds`.

    A thread reads the stream, so that results can be written down while the next is awaited. What the stream raises is
    raised here. When the reader here stops early, the thread closes the stream at its next item.
    """
    items: queue.SimpleQueue[tuple[str, T | BaseException | None]] = queue.SimpleQueue()
    stopped = threading.Event()

    def read() -> None:
        try:
            for item in stream:
                if stopped.is_set():
                    break
                items.put(("item", item))
        except BaseException as error:
            items.put(("raised", error))
        else:
            items.put(("ended", None))
        finally:
            close = getattr(stream, "close", None)
            if close is not None:
                close()

    threading.Thread(target=read, name="sandbox-events", daemon=True).start()
    try:
        while True:
            try:
                kind, value = items.get(timeout=seconds)
            except queue.Empty:
                yield None
                continue
            if kind == "ended":
                return
            if isinstance(value, BaseException):
                raise value
            yield value
    finally:
        stopped.set()
