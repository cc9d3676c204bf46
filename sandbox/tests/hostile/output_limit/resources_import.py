"""Prints for ever while it is loaded."""
# held by: resource limits


while True:
    print("all work and no play")
