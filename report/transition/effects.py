"""Describe a client's actions (effects) in a rebalance as phrases that follow the client's name."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from rebalance_proofs.model.client import effects as does
from rebalance_proofs.model.client.effects import Effect
from rebalance_proofs.model.client.environment import DENIED, EXC, FAILS, NOT_FOUND, THROWS
from rebalance_proofs.model.transition.rounds import Rounds
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.transition.search import run_case
from rebalance_proofs.report.text.english import clauses, seconds

# Run each client of a counterexample: one client, or two clients that are compared on the same case.


def sides(claim: Claim, example: Counterexample) -> tuple[Rounds, ...]:
    """Return the rounds (rebalances) of each client of the claim.

    The first are the counterexample's.
    """
    found = example.group
    return (found, *(run_case(claim.world, client, found.mode, found.case) for client in claim.subjects[1:]))


ENTRY, OFFSET, LOCK, LISTENER = "the process queue", "the offset", "the broker's lock", "the listener"
STORING = (does.UPDATE_OFFSET, does.WRITE_OFFSET)
IDLE_PERSIST = "persists nothing"
"""The phrase for "persist" if the default offset store has no offset, or no place for it.
"""


class Phrase(NamedTuple):
    """A phrase with a gap for its object, and the object: ``marks {} as dropped``, ``the process queue``."""

    text: str
    thing: str = ""


def _tried(limit: int, state: int | str) -> Phrase:
    if state == 1:
        return Phrase("checks that {} is not running", LISTENER)
    text = f"waits {seconds(limit)} for {{}} without success" if state == 0 else "is interrupted while it waits for {}"
    return Phrase(text, LISTENER)


def _in_vain(offset: int | str) -> bool:
    return isinstance(offset, str) or offset < 0


def _read(*details: int | str) -> Phrase:
    offset = details[-1]
    if offset == NOT_FOUND:
        return Phrase("finds no stored offset")
    return Phrase("fails to read {}", OFFSET) if _in_vain(offset) else Phrase(f"reads offset {offset}")


def _asked(what: str, offset: int | str) -> Phrase:
    failed = offset in (FAILS, THROWS)
    return Phrase(f"fails to ask the broker for {what}" if failed else f"asks the broker for {what}: {offset}")


PHRASES: Mapping[str, Callable[..., Phrase]] = {
    does.DROP: lambda: Phrase("marks {} as dropped", ENTRY),
    does.PERSIST: lambda *failed: Phrase("fails to persist {}" if failed else "persists {}", OFFSET),
    does.REMOVE_OFFSET: lambda: Phrase("forgets {}", OFFSET),
    does.TRY_CONSUME_LOCK: _tried,
    does.RELEASE_CONSUME_LOCK: lambda: Phrase("lets {} run again", LISTENER),
    does.TRY_UNLOCK_TIMES: lambda: Phrase("counts a failed attempt"),
    does.PROCESS_QUEUE_LOCKED: lambda locked: Phrase(
        "records that it holds {}" if locked else "records that it no longer holds {}", LOCK
    ),
    does.LOCK: lambda said: Phrase({DENIED: "is denied {}", EXC: "fails to ask for {}"}.get(said, "gets {}"), LOCK),
    does.UNLOCK: lambda *failed: Phrase("fails to release {}" if failed else "releases {}", LOCK),
    does.SCHEDULE_UNLOCK: lambda delay: Phrase(f"delays the release of {{}} by {seconds(delay)}", LOCK),
    does.OUT: lambda: Phrase("removes {} from its table", ENTRY),
    does.IN: lambda: Phrase("adds a new process queue to its table"),
    does.READ_OFFSET: _read,
    does.QUERY_OFFSET: lambda offset: Phrase(
        f"asks the broker for {{}}{' without success' if _in_vain(offset) else ''}", OFFSET
    ),
    does.MAX_OFFSET: lambda offset: _asked("the largest offset", offset),
    does.SEARCH_OFFSET: lambda offset: _asked("the offset of its time stamp", offset),
    does.UPDATE_OFFSET: lambda offset, *failed: Phrase(
        f"{'fails to send' if failed else 'sends'} {{}} to the broker ({offset})", OFFSET
    ),
    does.WRITE_OFFSET: lambda offset, *failed: Phrase(
        f"{'fails to write' if failed else 'writes'} {{}} into its file ({offset})", OFFSET
    ),
    does.PULL_REQUEST: lambda offset, *delay: Phrase(
        f"starts to pull from offset {offset}{f' in {seconds(*delay)}' if any(delay) else ''}"
    ),
    does.REBALANCE_LATER: lambda delay: Phrase(f"asks for another rebalance in {seconds(delay)}"),
    does.ERROR: lambda: Phrase("reports an error to its user"),
}
"""Effect's name -> function from its details to the phrase."""


def phrase(effect: Effect) -> Phrase:
    """Return the phrase of one effect, or the effect's name if it has no phrase."""
    name, _, *details = effect
    return PHRASES[name](*details) if name in PHRASES else Phrase(" ".join(map(str, (name, *details))))


def phrases(effects: Iterable[Effect], *, own_store: bool) -> tuple[str, ...]:
    """Return phrases for a sequence of effects.

    An object that the previous phrase names becomes "it", and a repeated effect is done "twice".
    """
    found, last = [], ""
    for effect, same in groupby(_told(effects, own_store)):
        text, thing = phrase(effect)
        times = len(list(same))
        again = "" if times == 1 else " twice" if times == 2 else f" {times} times"
        found.append(text.format("it" if thing and thing == last else thing) + again)
        last = thing
    return tuple(found)


def one_by_one(effects: Iterable[Effect]) -> tuple[str, ...]:
    """Return the phrase of each effect separately: ``marks the process queue as dropped``."""
    return tuple(text.format(thing) for text, thing in map(phrase, effects))


def _told(effects: Iterable[Effect], own_store: bool) -> Iterator[Effect]:
    """Yield the effects to print: the given ones, with a clearer "persist" for RocketMQ's offset stores.

    "Persist" is left out if the next effect sends or writes the offset; otherwise ``IDLE_PERSIST`` replaces it.
    """
    following: Effect | None = None
    kept = []
    for effect in reversed(tuple(effects)):
        if effect[0] != does.PERSIST or own_store:
            kept.append(effect)
        elif following is None or following[0] not in STORING:
            kept.append((IDLE_PERSIST, *effect[1:]))
        following = effect
    return reversed(kept)


def sentences(effects: Iterable[Effect], *, own_store: bool = True) -> tuple[str, ...]:
    """Return one sentence about removed process queues, and one about added process queues.

    Example: ``marks the process queue as dropped, and persists the offset``.
    """
    found = tuple(effects)
    start = does.addition_begins(found)
    parts = (part for part in (found[:start], found[start:]) if part)
    return tuple(clauses(phrases(part, own_store=own_store)) for part in parts) or ("does nothing",)
