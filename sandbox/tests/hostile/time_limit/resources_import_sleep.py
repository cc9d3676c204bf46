"""Sleeps while it is loaded, in a module that the judge would import."""
# held by: resource limits

import sys
import time


class Sleeper:
    def find_spec(self, name, path, target=None):
        time.sleep(1000)


sys.meta_path.insert(0, Sleeper())
import decimal_that_is_not_there
