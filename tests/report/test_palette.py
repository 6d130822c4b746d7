"""Contrast in both themes, by WCAG: 4.5 to 1 for text, 3 to 1 for drawings."""

import re
from importlib.resources import files

import pytest

from rebalance_proofs.report.palette import DARK, LIGHT

WRITTEN = [
    ("ink", "ground"),
    ("ink", "raised"),
    ("faint", "ground"),
    ("faint", "raised"),
    ("link", "ground"),
    ("link", "raised"),
    ("ground", "ink"),
    ("proved", "proved-ground"),
    ("refuted", "refuted-ground"),
    ("refuted", "ground"),
    ("alarm", "alarm-ground"),
    ("good", "good-ground"),
    ("on-takes", "takes"),
    ("on-takes", "several"),
    ("on-other", "other"),
    ("several", "several-ground"),
    ("nobody", "nobody-ground"),
]
DRAWN = [("takes", "ground"), ("other", "ground"), ("several", "ground"), ("nobody", "ground")]
MIXED = re.compile(r"\.heat \.h\d \{ background: color-mix\(in srgb, var\(--takes\) (\d+)%, var\(--ground\)\)")


def _parts(colour):
    return [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]


def _light(parts):
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _contrast(one, other):
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


def test_black_on_white_has_the_highest_contrast():
    assert round(_contrast(_parts("#000000"), _parts("#ffffff")), 2) == 21
    assert round(_contrast(_parts("#777777"), _parts("#ffffff")), 2) == 4.48


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_has_enough_contrast(theme):
    for words, ground in WRITTEN:
        assert _contrast(_parts(theme[words]), _parts(theme[ground])) >= 4.5, (words, ground)
    for line, ground in DRAWN:
        assert _contrast(_parts(theme[line]), _parts(theme[ground])) >= 3, (line, ground)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_numbers_have_enough_contrast_on_every_shade(theme):
    style = (files("rebalance_proofs.report") / "templates" / "atlas.css").read_text(encoding="utf-8")
    shades = [int(found) for found in MIXED.findall(style)]
    assert len(shades) == 5
    for shade in shades:
        mixed = [
            (shade * own + (100 - shade) * ground) / 100
            for own, ground in zip(_parts(theme["takes"]), _parts(theme["ground"]), strict=True)
        ]
        assert _contrast(_parts(theme["ink"]), mixed) >= 4.5
