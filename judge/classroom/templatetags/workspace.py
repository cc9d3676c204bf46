"""Figures and words of the workspace's tables."""

from django import template

register = template.Library()


@register.filter
def short(value: float | None) -> str:
    """A measured number with two digits that count; a dash where there is none."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if 100 <= abs(value) < 1e9 else f"{value:.2g}"


@register.filter
def words(value: str) -> str:
    """A verdict or a state as words."""
    return value.replace("_", " ")
