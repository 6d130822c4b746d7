"""``python -m rebalance_proofs.report.symptoms`` writes the page, and importing it writes nothing."""

import runpy
import sys

import pytest

from rebalance_proofs.language import language, use
from rebalance_proofs.report.symptoms import page as of_symptoms


@pytest.mark.parametrize(("called", "written"), [("__main__", "the page\n"), ("imported", "")])
def test_main_writes_the_page_into_the_working_directory(called, written, monkeypatch, capsys):
    monkeypatch.setattr(of_symptoms, "page", lambda: "the page\n")
    monkeypatch.setattr(sys, "argv", ["symptoms"])
    runpy.run_module("rebalance_proofs.report.symptoms.__main__", run_name=called)
    assert capsys.readouterr().out == written


def test_main_writes_the_page_in_the_language_of_the_option(monkeypatch, capsys):
    monkeypatch.setattr(of_symptoms, "page", language)
    monkeypatch.setattr(sys, "argv", ["symptoms", "--lang", "zh"])
    try:
        runpy.run_module("rebalance_proofs.report.symptoms.__main__", run_name="__main__")
    finally:
        use("en")
    assert capsys.readouterr().out == "zh"
