"""A trace as a Mermaid sequence diagram, which GitHub and GitLab render inside Markdown."""

from collections.abc import Iterator

from rebalance_proofs.report.claims.steps import Played, Step
from rebalance_proofs.report.text.grouped import grouped

MOST_TEXT = 50_000
"""Largest number of characters that Mermaid renders (``maxTextSize``)."""
MOST_ARROWS = 500
"""Largest number of arrows that Mermaid renders (``maxEdges``)."""
LONGEST = 1000
"""Largest number of characters of a sentence in a diagram, before escaping."""
BEGINNING = ('%%{init: {"sequence": {"wrap": true}}}%%', "sequenceDiagram", "participant S as What is done")
FENCE = "```"
SAFE = frozenset(" ,.()'+-")


def diagram(told: Played) -> str:
    """Return a counterexample's diagram as a Markdown block.

    Empty if it is too large for Mermaid.
    """
    lines = [*BEGINNING, *_parties(told)]
    over = f"Note over S,P{len(told.parties) - 1}"
    for number, step in enumerate(told.everything):
        when = f", at {step.clock}" if step.clock else ""
        lines.append(f"{over}: {plain(f'{number}{when}. {step.words}')}")
        lines += _arrows(step, told)
    lines.append(f"{over}: {plain(told.wrong)}")
    text = "\n".join(lines)
    arrows = sum("->>" in line for line in lines)
    if len(text) > MOST_TEXT or arrows > MOST_ARROWS:
        return ""
    return f"{FENCE}mermaid\n{text}\n{FENCE}"


def plain(text: str) -> str:
    """Return the text on one line, with all characters escaped that Mermaid or Markdown interprets.

    These are ``;``, which ends a statement; ``#``, which begins a comment or an escaped character; ``:``, which could
    end ``wrap:``; and backquotes, which would end the block.
    """
    words = " ".join(text.split())
    cut = words if len(words) <= LONGEST else f"{words[:LONGEST]} ..."
    return "".join(
        one if one in SAFE or one.isalnum() else f"#{ord(one)};"
        for one in cut
        if one == " " or (one.isprintable() and not one.isspace())
    )


def _parties(told: Played) -> Iterator[str]:
    for place, party in enumerate(told.parties):
        yield f"participant P{place} as {plain(party.name) or 'State'}"


def _arrows(step: Step, told: Played) -> Iterator[str]:
    """Yield the step's arrows: one to each party (consumer, broker, ...) whose values change."""
    things = [(place, thing) for place, party in enumerate(told.parties) for thing in party.trace_variables]
    changed = [
        (place, thing, value) for (place, thing), value in zip(things, step.values, strict=True) if value.changed
    ]
    for place, own in grouped(changed, lambda one: one[0]).items():
        yield f"S->>P{place}: {plain(', '.join(f'{thing.name}: {value.words}' for _, thing, value in own))}"
