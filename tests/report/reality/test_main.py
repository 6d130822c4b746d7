"""``python -m rebalance_proofs.report.reality``: edits are tried only on request, and as many as requested."""

import pytest

from rebalance_proofs.report.reality import __main__ as module


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ([], "([],)"),
        (["--edits", "7"], "([], ('strength', {}, 7), ('tried', []))"),
        (["--edits", "0"], "([],)"),
    ],
)
def test_page_contains_the_requested_parts(words, printed, monkeypatch, capsys):
    monkeypatch.setattr(module, "all_shipped", dict)
    monkeypatch.setattr(module, "strength", lambda few, edits, jobs: ("strength", few, edits))
    monkeypatch.setattr(module, "tried", lambda few: ("tried", few))
    monkeypatch.setattr(module, "page", lambda *given: [given])
    module.main(words)
    assert capsys.readouterr().out == f"{printed}\n"


@pytest.mark.parametrize(
    ("words", "status", "printed"),
    [
        (["--help"], 0, "--edits N"),
        (["--edits", "-1"], 2, "--edits needs a number from 0 on"),
        (["--edits", "some"], 2, "argument --edits: invalid int value: 'some'"),
        (["--others", "7"], 2, "unrecognized arguments: --others 7"),
    ],
)
def test_words_that_ask_for_no_page_read_no_recording(words, status, printed, monkeypatch, capsys):
    monkeypatch.setattr(module, "all_shipped", None)
    with pytest.raises(SystemExit) as caught:
        module.main(words)
    said = capsys.readouterr()
    assert caught.value.code == status
    assert printed in said.out + said.err
