"""Colours of pages and figures, for light and dark themes.

Style sheets use them as ``var(--ink)``.
"""

import re
from collections.abc import Mapping

LIGHT = {
    "ground": "#ffffff",
    "raised": "#f6f7f9",
    "ink": "#1b1f24",
    "faint": "#59636e",
    "line": "#d1d9e0",
    "link": "#0550ae",
    "proved": "#0b5c8a",
    "proved-ground": "#e3f1fa",
    "refuted": "#6b4a00",
    "refuted-ground": "#fff4d6",
    "alarm": "#ffffff",
    "alarm-ground": "#b3261e",
    "good": "#ffffff",
    "good-ground": "#1a6b3c",
    "takes": "#0b5c8a",
    "on-takes": "#ffffff",
    "other": "#7a3e9d",
    "on-other": "#ffffff",
    "several": "#b3261e",
    "several-ground": "#fde7e5",
    "nobody": "#8a5a00",
    "nobody-ground": "#fff1cc",
}
DARK = LIGHT | {
    "ground": "#0d1117",
    "raised": "#161b22",
    "ink": "#e6edf3",
    "faint": "#9aa4af",
    "line": "#343b44",
    "link": "#79b8ff",
    "proved": "#8fd0f5",
    "proved-ground": "#10324a",
    "refuted": "#f2cc60",
    "refuted-ground": "#3a2d08",
    "alarm-ground": "#c93c37",
    "good-ground": "#1f7a45",
    "takes": "#4aa3d8",
    "on-takes": "#06131c",
    "other": "#d2a8ff",
    "on-other": "#1a0b26",
    "several": "#ff8a80",
    "several-ground": "#4a1714",
    "nobody": "#f2cc60",
    "nobody-ground": "#3a2d08",
}


def variables(palette: Mapping[str, str]) -> str:
    """Return the palette as custom properties of a style sheet."""
    return " ".join(f"--{name}: {colour};" for name, colour in palette.items())


def resolved(style: str, palette: Mapping[str, str]) -> str:
    """Return the style sheet with colours instead of ``var(...)``, for programs without custom properties."""
    return re.sub(r"var\(--([\w-]+)\)", lambda found: palette[found[1]], style)
