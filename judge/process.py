"""What this process is called wherever processes write who they are."""

import os
import socket


def name() -> str:
    """Host and process."""
    return f"{socket.gethostname()}:{os.getpid()}"
