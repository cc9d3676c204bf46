"""The command line of the sandbox: `python -m sandbox serve` and `python -m sandbox doctor`."""

from __future__ import annotations

import argparse
import json
import logging
import os
import platform
import sys
from pathlib import Path

from sandbox import logs  # the others need Linux as soon as they are imported

DEFAULT_SOCKET = Path(__file__).resolve().parent.parent / "var" / "sandbox.sock"


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    if (system := platform.system()) != "Linux":
        return _refuse(system, as_json=options.command == "doctor" and options.json)
    if options.command == "doctor":
        return _doctor(as_json=options.json)
    return _serve(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m sandbox", description="Judges submissions in jails.")
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="take jobs on a Unix socket")
    serve.add_argument("--socket", type=Path, default=DEFAULT_SOCKET, help=f"default: {DEFAULT_SOCKET}")
    serve.add_argument("--jobs", type=int, default=2 * (os.cpu_count() or 1), help="jobs judged at once")
    serve.add_argument(
        "--without",
        default="",
        metavar="LAYER[,LAYER]",
        help="leave layers unused that this host has; refused where that opens a protection",
    )
    serve.add_argument(
        "--accept-unprotected",
        action="store_true",
        help="start although a protection is open: for your own code on your own machine, never for others'",
    )
    serve.add_argument(
        "--while-input-is-open",
        action="store_true",
        help="stop when standard input is closed: whoever started it ended",
    )
    serve.add_argument("--log-style", choices=logs.STYLES, default="text", help="lines for people, or JSON")
    check = commands.add_parser("doctor", help="say which layers hold which protection on this host")
    check.add_argument("--json", action="store_true", help="as JSON")
    return parser


def _refuse(system: str, *, as_json: bool) -> int:
    complaint = (
        f"The sandbox needs Linux; this is {system}. Run Paperjudge with `docker compose up` instead, which brings a "
        "Linux of its own."
    )
    if as_json:
        print(json.dumps({"ok": False, "system": system, "complaint": complaint}, indent=2))
    else:
        print(complaint, file=sys.stderr)
    return 2


def _doctor(*, as_json: bool) -> int:
    from sandbox import doctor
    from sandbox.layers import probe

    layers = probe()
    print(doctor.as_json(layers) if as_json else doctor.report(layers))
    return 1 if layers.open_protections() else 0


def _serve(options: argparse.Namespace) -> int:
    from sandbox import doctor
    from sandbox.layers import Layer, probe
    from sandbox.server import Server, stop_on_signals

    logs.set_up(options.log_style)
    try:
        without = [Layer(name.strip()) for name in options.without.split(",") if name.strip()]
    except ValueError as error:
        print(f"--without: {error}; the layers are {', '.join(Layer)}", file=sys.stderr)
        return 2
    layers = probe().without(without)
    if layers.open_protections() and not options.accept_unprotected:
        print(doctor.report(layers), file=sys.stderr)
        return 2
    logging.getLogger("sandbox").info(doctor.summary(layers))
    options.socket.parent.mkdir(parents=True, exist_ok=True)
    lifeline = sys.stdin.fileno() if options.while_input_is_open else None
    server = Server(options.socket, layers, jobs=max(1, options.jobs), lifeline=lifeline)
    with stop_on_signals(server):
        server.serve()
    return 0


if __name__ == "__main__":
    sys.exit(main())
