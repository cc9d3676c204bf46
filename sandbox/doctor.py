"""What holds on this host: the layers, the protections, and what to do where one is open."""

from __future__ import annotations

import json
import platform

from sandbox.layers import HELD_BY, Layer, Layers, Protection, needs


def report(layers: Layers) -> str:
    """The findings for a person."""
    system = f"{platform.system()} {platform.release()} ({platform.machine()})"
    lines = [f"Sandbox on {system}, Python {platform.python_version()}", "", "Layers"]
    for layer in Layer:
        if layer in layers:
            version = f" (version {layers.landlock_abi})" if layer is Layer.LANDLOCK else ""
            lines.append(f"  yes  {layer}{version}")
        else:
            lines.append(f"  no   {layer}: {layers.missing.get(layer, 'not offered')}")
            if (remedy := layers.remedies().get(layer)) is not None:
                lines.append(f"       to have it: {remedy}")
    lines += ["", "Protections"]
    for protection, by in layers.protections().items():
        if by:
            lines.append(f"  held  {protection}: {', '.join(by)}")
        else:
            lines.append(f"  OPEN  {protection}: needs {_ways(protection)}")
    lines += ["", summary(layers)]
    return "\n".join(lines)


def _ways(protection: Protection) -> str:
    ways = [(layer, *needs(protection, layer)) for layer in HELD_BY[protection]]
    return ", or ".join(" with ".join(way) for way in ways)


def summary(layers: Layers) -> str:
    """One line: whether the server starts here."""
    missing = layers.open_protections()
    if missing:
        return f"The sandbox refuses to start here: nothing protects {' and '.join(missing)}."
    return "Every protection is held: the sandbox starts here."


def as_json(layers: Layers) -> str:
    return json.dumps(
        {
            "ok": not layers.open_protections(),
            "layers": {str(layer): layer in layers for layer in Layer},
            "missing": {str(layer): reason for layer, reason in layers.missing.items()},
            "landlock_abi": layers.landlock_abi,
            "protections": {str(name): [str(layer) for layer in by] for name, by in layers.protections().items()},
            "remedies": {str(layer): remedy for layer, remedy in layers.remedies().items()},
        },
        indent=2,
    )
