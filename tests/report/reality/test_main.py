"""``python -m rebalance_proofs.report.reality``: edits are tried only on request, and as many as requested."""

import pytest

from rebalance_proofs.report.reality import __main__ as module


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ([], "([],)"),
        (["--edits", "7"], "([], ('strength', {}, 7), ('tried', []))"),
        (["--edits", "0"], "([],)"),
        (["--others", "7"], "([],)"),
    ],
)
def test_page_contains_the_requested_parts(words, printed, monkeypatch, capsys):
    monkeypatch.setattr(module, "all_shipped", dict)
    monkeypatch.setattr(module, "strength", lambda few, edits: ("strength", few, edits))
    monkeypatch.setattr(module, "tried", lambda few: ("tried", few))
    monkeypatch.setattr(module, "page", lambda *given: [given])
    module.main(words)
    assert capsys.readouterr().out == f"{printed}\n"
