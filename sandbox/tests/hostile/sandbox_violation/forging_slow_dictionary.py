"""Sends a dictionary whose keys all have one hash, which takes the judge minutes to build."""
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
    pairs = ",".join(f"[{n * (2**61 - 1)},0]" for n in range(90_000))
    say(b'{"id":"%s","value":{"d":[%s]},"tensors":[],"ms":1,"printed":0}' % (request()["id"].encode(), pairs.encode()))
    time.sleep(1000)
    return value + 1


def copy(x):
    return x.clone()
