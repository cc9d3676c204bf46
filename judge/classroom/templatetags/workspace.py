"""Figures and words of the workspace's tables."""

from django import template

register = template.Library()


@register.filter
def short(value: float | None) -> str:
    """A measured number with two digits that count; a dash where there is none."""
    return "–" if value is None else f"{value:.3g}" if abs(value) >= 100 else f"{value:.2g}"


@register.filter
def words(value: str) -> str:
    """A verdict or a state as words."""
    return value.replace("_", " ")
