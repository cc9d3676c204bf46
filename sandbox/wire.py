"""Frames: how processes of the sandbox speak with each other.

A frame is two lengths, a JSON text, and a block of bytes (tensors in the safetensors format, or nothing). Readers are
given limits and a deadline; whatever does not fit raises `FrameError`, also a peer that goes away in the middle.
"""

from __future__ import annotations

import array
import builtins
import json
import os
import select
import socket
import struct
import time
from collections.abc import Iterable
from typing import Any

globals()["__builtins__"] = dict(vars(builtins))  # foreign code that replaces a built-in function changes nothing here

MAX_CALL_JSON = 8 * 1024 * 1024
"""JSON of one frame between a checker and a solution, in bytes."""
MAX_CALL_BLOCK = 256 * 1024 * 1024
"""Tensors of one frame between a checker and a solution, in bytes."""
MAX_EVENT_JSON = 4 * 1024 * 1024
"""One event of a checker to the server, or of the server to a client, in bytes."""
MAX_JOB_JSON = 16 * 1024 * 1024
"""One job with its package, in bytes."""

_HEAD = struct.Struct("<II")
_read, _write, _encode = os.read, os.write, json.JSONEncoder(separators=(",", ":"), ensure_ascii=True).encode


class FrameError(Exception):
    """What arrived is no frame, or the peer went away."""


class PeerGone(FrameError):
    """The other end was closed."""


class TooLarge(Exception):
    """A message is larger than its reader would take. Nothing was sent."""


class Late(FrameError):
    """The deadline passed before the frame was complete."""


def pack(message: Any, block: bytes = b"") -> bytes:
    text = _encode(message).encode("ascii")
    return _HEAD.pack(len(text), len(block)) + text + block


def unpack(frame: bytes) -> tuple[Any, bytes]:
    """The inverse of `pack`. Raises `FrameError` for a text that is no JSON."""
    text_size, _ = _HEAD.unpack_from(frame)
    start = _HEAD.size + text_size
    return parse(frame[_HEAD.size : start]), frame[start:]


class Channel:
    """Frames over a pair of connected sockets, by plain reads and writes of a descriptor.

    It needs no socket calls, so that the filter of a solution can forbid them all.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._buffer = bytearray()

    def send(self, message: Any, block: bytes = b"", deadline: float | None = None) -> None:
        """Raises `TooLarge`, `PeerGone`, or `Late` when the peer has not read by `deadline` (of `time.monotonic`)."""
        frame = pack(message, block)
        if len(block) > MAX_CALL_BLOCK or len(frame) - len(block) > MAX_CALL_JSON:
            raise TooLarge(f"it takes {len(frame) / 2**20:.0f} MiB, more than can be sent")
        view = memoryview(frame)
        try:
            while view:
                if deadline is not None:
                    _wait(self.descriptor, select.POLLOUT, deadline)
                    sent = _write(self.descriptor, view[:65536])
                else:
                    sent = _write(self.descriptor, view)
                view = view[sent:]
        except (BrokenPipeError, ConnectionResetError) as error:
            raise PeerGone(str(error)) from None

    def receive(self, deadline: float | None = None) -> tuple[Any, bytes]:
        """The next frame. Raises `FrameError`, `PeerGone` or `Late`; after `Late` it may be called again."""
        self._gather(_HEAD.size, deadline)
        text_size, block_size = _HEAD.unpack_from(self._buffer)
        if _HEAD.size + text_size > MAX_CALL_JSON or block_size > MAX_CALL_BLOCK:
            raise FrameError(f"a frame of {text_size} and {block_size} bytes is over the limit")
        whole = _HEAD.size + text_size + block_size
        self._gather(whole, deadline)
        frame = bytes(self._buffer[:whole])
        del self._buffer[:whole]
        return unpack(frame)

    def _gather(self, size: int, deadline: float | None) -> None:
        while len(self._buffer) < size:
            if deadline is not None:
                _wait(self.descriptor, select.POLLIN, deadline)
            try:
                data = _read(self.descriptor, max(65536, size - len(self._buffer)))
            except ConnectionResetError:
                data = b""
            if not data:
                raise PeerGone("the other end was closed")
            self._buffer += data


def _wait(descriptor: int, event: int, deadline: float) -> None:
    poller = select.poll()
    poller.register(descriptor, event)
    if not poller.poll(max(0.0, deadline - time.monotonic()) * 1000):
        raise Late("the deadline passed")


def parse(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FrameError(f"not JSON: {error}") from None


def send_message(connection: socket.socket, message: Any, descriptors: tuple[int, ...] = ()) -> None:
    """One JSON message with descriptors, on a stream."""
    data = pack(message)
    sent = 0
    if descriptors:
        rights = array.array("i", descriptors)
        sent = connection.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
    if sent < len(data):
        # Not for nothing: even an empty send fails when the peer has read everything and gone.
        connection.sendall(data[sent:])


def send_messages(connection: socket.socket, messages: Iterable[Any]) -> None:
    """Several JSON messages at once: the peer wakes up one time."""
    connection.sendall(b"".join(map(pack, messages)))


class MessageReader:
    """The receiving side of `send_message`, with descriptors in their order of arrival."""

    def __init__(self, connection: socket.socket, limit: int) -> None:
        self._connection = connection
        self._limit = limit
        self._buffer = bytearray()
        self._descriptors: list[int] = []

    def next_buffered(self) -> Any | None:
        """A message that has arrived already, without waiting; None if there is none whole."""
        if len(self._buffer) < _HEAD.size:
            return None
        text_size, block_size = _HEAD.unpack_from(self._buffer)
        if text_size > self._limit or block_size:
            raise FrameError(f"a message of {text_size} bytes is over the limit of {self._limit}")
        if len(self._buffer) < _HEAD.size + text_size:
            return None
        text = bytes(self._buffer[_HEAD.size : _HEAD.size + text_size])
        del self._buffer[: _HEAD.size + text_size]
        return parse(text)

    def fill(self) -> None:
        """Waits for the next bytes. Raises `PeerGone`."""
        try:
            data, descriptors, _, _ = socket.recv_fds(self._connection, 65536, 8)
        except ConnectionResetError:
            data, descriptors = b"", []
        self._descriptors += descriptors
        if not data:
            raise PeerGone("the other end was closed")
        self._buffer += data

    def receive(self) -> Any:
        while (message := self.next_buffered()) is None:
            self.fill()
        return message

    def take_descriptor(self) -> int:
        if not self._descriptors:
            raise FrameError("a descriptor was announced and did not come")
        return self._descriptors.pop(0)
