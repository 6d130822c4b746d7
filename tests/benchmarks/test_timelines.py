"""Figures of an audit's page."""

import pytest

from benchmarks import timelines


def test_page_has_a_size_also_without_a_browser(monkeypatch):
    def missing():
        pytest.skip("no browser")

    monkeypatch.setattr(timelines, "started", missing)
    rendering, size = timelines.figures(10)
    assert rendering.what == "page of an audit, 480 ownership periods: rendering"
    assert size.met
    assert size.goal == "at most 3 MB"
