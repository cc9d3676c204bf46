"""Sends a tensor whose memory is not there."""
# held by: separate processes

import json
import os
import stat
import struct
import sys
import time


def channel():
    """The descriptor of the judge's channel: the only socket."""
    for number in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                return number
        except OSError:
            pass


def request():
    """What the judge asked, from the frames below."""
    frame = sys._getframe()
    while frame:
        if "request" in frame.f_locals:
            return frame.f_locals["request"]
        frame = frame.f_back


def say(message, block=b""):
    """Writes a frame of its own making to the judge."""
    text = message if type(message) is bytes else json.dumps(message).encode()
    view = memoryview(struct.pack("<II", len(text), len(block)) + text + block)
    while view:
        view = view[os.write(channel(), view) :]


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    row = {"d": "float32", "n": [4], "s": 7}
    say({"id": request()["id"], "value": {"x": 0}, "tensors": [row], "ms": 1.0, "printed": 0})
    time.sleep(1000)
    return value + 1


def copy(x):
    return x.clone()
