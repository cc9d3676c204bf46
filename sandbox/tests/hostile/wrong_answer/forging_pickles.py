"""Returns objects that run a command when they are unpickled."""
# held by: separate processes

import os
import pickle


class Command:
    def __reduce__(self):
        return os.system, ("touch {CANARY_FOLDER}/{TOKEN}-pickled",)

    __reduce_ex__ = lambda self, version: self.__reduce__()


def square(x):
    return Command()


def next(value):
    return pickle.dumps(Command())


def copy(x):
    return [Command()]
