"""Ends the process while it is loaded."""
# held by: separate processes

import os


os._exit(0)
