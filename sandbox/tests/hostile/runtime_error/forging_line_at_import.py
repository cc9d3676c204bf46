"""Says at once that it could not be loaded, at line 10^300, in megabytes of words."""
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


say(b'{"raised":{"type":"E","bases":["%s"],"message":"%s","line":1%s,"trace":[],"memory":false},"printed":0}'
    % (b"\xc3\xa9" * 100_000, b"\xc3\xa9" * 1_500_000, b"0" * 300))
time.sleep(1000)
