#!/usr/bin/env python
"""Runs a management command, from any working directory."""

import importlib
import os
import sys
from pathlib import Path


def main() -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "judge.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        importlib.import_module(os.environ["DJANGO_SETTINGS_MODULE"])
    except ImproperlyConfigured as error:
        sys.exit(f"Paperjudge can't start: {error}")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
