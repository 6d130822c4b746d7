"""Sequence diagrams: their content, and escaping of all text in them."""

import re
from dataclasses import replace

from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.claims.played import played
from rebalance_proofs.report.claims.steps import Party, Played, Step, TraceVariable, Value
from rebalance_proofs.report.kinds import smallest
from rebalance_proofs.report.results.markdown import MOST_ARROWS, MOST_TEXT, diagram, plain
from tests.each import each

HOSTILE = (
    "<script>alert(1)</script>",
    "end",
    "a; b",
    "#35; #quot;",
    "```\n```mermaid",
    "wrap: x",
    "%%{init: {}}%%",
    "x->>y: z",
    '@{ "type": "actor" }',
    "$$x$$",
    "one line\r\nNote over S: another\u2028and one",
    "style x: #fff;",
    "\u202e\x00\x1b[31m",
    "|~\\`*_[](){}&lt;",
)
"""What names in a counterexample might be, at their worst."""
LINE = re.compile(
    r"sequenceDiagram|%%\{init: \{\"sequence\": \{\"wrap\": true\}\}\}%%|participant (S|P\d+) as TEXT|"
    r"Note over S,P\d+: TEXT|S->>P\d+: TEXT".replace("TEXT", r"(?:[\w ,.()'+-]|#\d+;)+")
)


def of(*names: str, steps: int = 1) -> Played:
    """Everything in it is called so."""
    things = tuple(Party(name, (TraceVariable("value", name),)) for name in names)
    values = tuple(Value(name, "", True) for name in names)
    step = [Step(name, None, values) for name in names]
    return Played(things, step[0], (*step[1:], *step[:1] * steps), names[0])


def test_diagram_has_participants_actions_and_changes():
    (claim,) = select(["ordered.java_v5_2.exclusive.without-time"])
    lines = diagram(played(claim, smallest(claim))).splitlines()
    assert lines[0] == "```mermaid"
    assert lines[-1] == "```"
    assert lines[4:7] == ["participant P0 as X", "participant P1 as Y", "participant P2 as broker"]
    assert "S->>P0: listener#58; runs" in lines
    assert "Note over S,P2: 2, at 0.001 s. X receives the grant and adds the queue." in lines
    assert lines[-2] == "Note over S,P2: At 20.506 s the listeners of X and Y both run on this queue."


@each("name", HOSTILE)
def test_hostile_names_are_escaped(name):
    assert re.fullmatch(r"(?:[\w ,.()'+-]|#\d+;)*", plain(name), re.ASCII)
    told = diagram(of(name, "broker"))
    first, *lines, last = told.splitlines()
    assert (first, last) == ("```mermaid", "```")
    assert all(map(LINE.fullmatch, lines)), told
    assert len(lines) == 3 + 2 + 3 * 1 + 2 * 3 + 1


def test_non_ascii_letters_are_unchanged():
    assert plain("队列 é") == "队列 é"


def test_diagram_too_large_for_mermaid_is_omitted():
    assert diagram(of("a", "b", steps=MOST_ARROWS // 2 - 2))
    assert not diagram(of("a", "b", steps=MOST_ARROWS // 2))
    long = of("x " * 400, "b", steps=30)
    assert not diagram(long)
    text = diagram(replace(long, steps=long.steps[:5]))
    assert 0 < len(text) <= MOST_TEXT + 20
