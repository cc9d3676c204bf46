"""Loops while it is loaded."""
# held by: resource limits


while True:
    pass
