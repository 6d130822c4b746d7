"""Pictures are standalone files: colours, background, headline; equal for equal groups."""

import re
from xml.etree import ElementTree

import pytest

from rebalance_proofs.report.allocation.figure import picture
from rebalance_proofs.report.palette import DARK, LIGHT, resolved
from tests.report.groups import smallest_of

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def drawn():
    return picture(smallest_of("clients.hash+hash-go.same"))


def test_picture_is_a_standalone_svg(drawn):
    root = ElementTree.fromstring(drawn)
    assert root.tag == f"{SVG}svg"
    assert [child.tag.removeprefix(SVG) for child in root][:4] == ["title", "desc", "style", "rect"]
    assert "c0 takes queue 0 by the Go client" in " ".join(text.text for text in root.iter(f"{SVG}text"))
    assert not re.search(r"var\(|url\(|href|<script|@import", drawn)


def test_picture_has_a_light_and_a_dark_theme(drawn):
    light, dark = drawn.split("@media (prefers-color-scheme: dark)")
    assert LIGHT["takes"] in light
    assert DARK["takes"] in dark
    assert DARK["ground"] in dark


def test_picture_is_deterministic(drawn):
    assert picture(smallest_of("clients.hash+hash-go.same")) == drawn


def test_picture_names_a_single_strategy():
    assert "Strategy: AVG." in picture(smallest_of("allocation.avg.disjoint.without-distinct-ids"))
    assert "Strategy: " not in picture(smallest_of("clients.hash+hash-go.disjoint.without-same-client"))


def test_both_palettes_have_the_same_colours():
    assert set(LIGHT) == set(DARK)
    assert resolved("fill: var(--on-takes);", LIGHT) == f"fill: {LIGHT['on-takes']};"
