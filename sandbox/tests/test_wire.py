"""Frames and messages: what is whole arrives, and what is not is refused."""

from __future__ import annotations

import json
import os
import socket
import struct
import time
from collections.abc import Iterator
from typing import Any

import pytest

from sandbox.wire import (
    MAX_CALL_JSON,
    Channel,
    FrameError,
    Late,
    MessageReader,
    PeerGone,
    pack,
    send_message,
)


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    here, there = socket.socketpair()
    with here, there:
        yield here, there


def test_a_frame_arrives_as_it_was_sent(ends: tuple[socket.socket, socket.socket]) -> None:
    here, there = Channel(ends[0].fileno()), Channel(ends[1].fileno())
    here.send({"id": 1, "text": "é", "nan": float("inf")}, b"\x00\x01")
    here.send([2])
    assert there.receive() == ({"id": 1, "text": "é", "nan": float("inf")}, b"\x00\x01")
    assert there.receive() == ([2], b"")


def test_a_frame_in_single_bytes(ends: tuple[socket.socket, socket.socket]) -> None:
    for byte in pack({"a": [1, 2]}, b"xyz"):
        ends[0].send(bytes([byte]))
    assert Channel(ends[1].fileno()).receive(time.monotonic() + 5) == ({"a": [1, 2]}, b"xyz")


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (struct.pack("<II", MAX_CALL_JSON + 1, 0), "over the limit"),
        (struct.pack("<II", 1, 2**31), "over the limit"),
        (struct.pack("<II", 3, 0) + b"{,}", "not JSON"),
        (struct.pack("<II", 2, 0) + b"\xff\xfe", "not JSON"),
        (struct.pack("<II", 200_000, 0) + b"[" * 200_000, "not JSON"),
    ],
)
def test_noise_is_refused(ends: tuple[socket.socket, socket.socket], data: bytes, complaint: str) -> None:
    ends[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    ends[0].sendall(data)
    with pytest.raises(FrameError, match=complaint):
        Channel(ends[1].fileno()).receive(time.monotonic() + 5)


def test_a_peer_that_goes_away_in_the_middle(ends: tuple[socket.socket, socket.socket]) -> None:
    ends[0].sendall(pack([1])[:-1])
    ends[0].close()
    with pytest.raises(PeerGone):
        Channel(ends[1].fileno()).receive()
    with pytest.raises(PeerGone):
        Channel(ends[1].fileno()).send([1])


def test_a_silent_peer_is_late(ends: tuple[socket.socket, socket.socket]) -> None:
    with pytest.raises(Late):
        Channel(ends[1].fileno()).receive(time.monotonic() + 0.01)


def test_a_peer_that_does_not_read_is_late(ends: tuple[socket.socket, socket.socket]) -> None:
    with pytest.raises(Late):
        Channel(ends[0].fileno()).send([], bytes(8 << 20), time.monotonic() + 0.05)


def test_messages_carry_descriptors_in_order(ends: tuple[socket.socket, socket.socket]) -> None:
    reading, writing = os.pipe()
    send_message(ends[0], {"one": 1}, (reading,))
    send_message(ends[0], {"two": 2}, (writing,))
    reader = MessageReader(ends[1], 1000)
    assert [reader.receive(), reader.receive()] == [{"one": 1}, {"two": 2}]
    received = [reader.take_descriptor(), reader.take_descriptor()]
    os.write(received[1], b"x")
    assert os.read(received[0], 1) == b"x"
    for descriptor in (reading, writing, *received):
        os.close(descriptor)
    with pytest.raises(FrameError, match="did not come"):
        reader.take_descriptor()


def test_a_message_over_the_limit_is_refused(ends: tuple[socket.socket, socket.socket]) -> None:
    ends[0].sendall(pack(json.dumps("x" * 100)))
    with pytest.raises(FrameError, match="over the limit of 50"):
        MessageReader(ends[1], 50).receive()


class _Hasty(socket.socket):
    """A socket whose peer reads a message and ends before the sender's next call."""

    peer: socket.socket

    def sendmsg(self, *arguments: Any) -> int:
        sent = super().sendmsg(*arguments)
        self.peer.recv(1000)
        self.peer.close()
        return sent


def test_a_peer_that_ends_once_it_has_read_the_message(ends: tuple[socket.socket, socket.socket]) -> None:
    """Nothing may be sent after the last byte: even an empty send fails then."""
    with _Hasty(fileno=ends[0].detach()) as hasty, open(os.devnull) as file:
        hasty.peer = ends[1]
        send_message(hasty, {"a": 1}, (file.fileno(),))
