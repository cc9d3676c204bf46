"""The template tag `{% vite "src/main.ts" %}`: the scripts and styles that Vite built for an entry."""

import functools
import json
from typing import Any

from django import template
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def vite(entry: str) -> SafeString:
    """Styles and script of `entry`, and preloads of the chunks that it imports."""
    try:
        changed = settings.VITE_MANIFEST.stat().st_mtime_ns
    except FileNotFoundError:
        raise ImproperlyConfigured(
            f"The front end isn't built: there is no {settings.VITE_MANIFEST}. Run `make serve`, which builds it, or "
            "`npm ci && npm run build` in frontend/."
        ) from None
    return _elements(entry, changed)


@functools.lru_cache(maxsize=16)
def _elements(entry: str, changed: int) -> SafeString:
    manifest = json.loads(settings.VITE_MANIFEST.read_text(encoding="utf-8"))
    if entry not in manifest:
        raise ImproperlyConfigured(f"{settings.VITE_MANIFEST} has no entry {entry!r}; it has {', '.join(manifest)}.")
    chunks = _with_imports(manifest, entry, {})
    styles = dict.fromkeys(file for chunk in chunks.values() for file in chunk.get("css", []))
    imported = [chunk["file"] for name, chunk in chunks.items() if name != entry]
    return SafeString(
        format_html_join("\n", '<link rel="stylesheet" href="{}">', ((static(file),) for file in styles))
        + format_html_join("\n", '<link rel="modulepreload" href="{}">', ((static(file),) for file in imported))
        + format_html('<script type="module" src="{}"></script>', static(manifest[entry]["file"]))
    )


def _with_imports(manifest: dict[str, Any], name: str, found: dict[str, Any]) -> dict[str, Any]:
    """The chunk `name` and all that it imports statically, what is imported first."""
    if name not in found:
        for imported in manifest[name].get("imports", []):
            _with_imports(manifest, imported, found)
        found[name] = manifest[name]
    return found
