"""Fills memory while it is loaded."""
# held by: resource limits


kept = []
while True:
    kept.append(bytearray(1 << 20))
