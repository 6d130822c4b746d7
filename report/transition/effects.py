"""What a client does in a rebalance, in words: a phrase for each effect, to follow its name."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from rebalance_proofs.model.client import effects as does
from rebalance_proofs.model.client.effects import Effect
from rebalance_proofs.model.client.environment import DENIED, EXC, FAILS, NOT_FOUND, THROWS
from rebalance_proofs.report.english import clauses, seconds

ENTRY, OFFSET, LOCK, LISTENER = "the entry", "the offset", "the broker's lock", "the listener"
STORING = (does.UPDATE_OFFSET, does.WRITE_OFFSET)
IDLE_PERSIST = "persists nothing"
"""In the place of an effect: the client's own store is told to persist an offset, and has none or no place for it."""


class Phrase(NamedTuple):
    """``marks {} as dropped``, and what stands in the gap."""

    text: str
    thing: str = ""


def phrase(effect: Effect) -> Phrase:
    """One effect. What is not known here goes by its name in the model."""
    name, _, *details = effect
    match (name, *details):
        case (does.DROP,):
            return Phrase("marks {} as dropped", ENTRY)
        case (does.PERSIST,):
            return Phrase("persists {}", OFFSET)
        case (does.PERSIST, _):
            return Phrase("fails to persist {}", OFFSET)
        case (does.REMOVE_OFFSET,):
            return Phrase("forgets {}", OFFSET)
        case (does.TRY_CONSUME_LOCK, _, 1):
            return Phrase("makes sure that {} does not run", LISTENER)
        case (does.TRY_CONSUME_LOCK, limit, 0):
            return Phrase(f"waits {seconds(limit)} for {{}} in vain", LISTENER)
        case (does.TRY_CONSUME_LOCK, *_):
            return Phrase("is interrupted while it waits for {}", LISTENER)
        case (does.RELEASE_CONSUME_LOCK,):
            return Phrase("lets {} run again", LISTENER)
        case (does.TRY_UNLOCK_TIMES,):
            return Phrase("counts that as a failed attempt")
        case (does.PROCESS_QUEUE_LOCKED, locked):
            return Phrase(f"notes that {{}} is {'' if locked else 'not '}its own{'' if locked else ' any more'}", LOCK)
        case (does.LOCK, said) if said in (DENIED, EXC):
            return Phrase("is denied {}" if said == DENIED else "fails to ask for {}", LOCK)
        case (does.LOCK, *_):
            return Phrase("gets {}", LOCK)
        case (does.UNLOCK,):
            return Phrase("gives {} back", LOCK)
        case (does.UNLOCK, _):
            return Phrase("fails to give {} back", LOCK)
        case (does.SCHEDULE_UNLOCK, delay):
            return Phrase(f"puts off giving {{}} back for {seconds(delay)}", LOCK)
        case (does.OUT,):
            return Phrase("takes {} out of its table", ENTRY)
        case (does.IN,):
            return Phrase("puts a new entry into its table")
        case (does.READ_OFFSET, *_, offset):
            return _read(offset)
        case (does.QUERY_OFFSET, offset):
            vain = " in vain" if isinstance(offset, str) or offset < 0 else ""
            return Phrase(f"asks the broker for {{}}{vain}", OFFSET)
        case (does.MAX_OFFSET, offset):
            return _asked("the largest offset", offset)
        case (does.SEARCH_OFFSET, offset):
            return _asked("the offset of its time stamp", offset)
        case (does.UPDATE_OFFSET, offset, *failed):
            return Phrase(f"{'fails to send' if failed else 'sends'} {{}} to the broker ({offset})", OFFSET)
        case (does.WRITE_OFFSET, offset, *failed):
            return Phrase(f"{'fails to write' if failed else 'writes'} {{}} into its file ({offset})", OFFSET)
        case (does.PULL_REQUEST, offset, *delay):
            return Phrase(f"starts to pull from offset {offset}{f' in {seconds(*delay)}' if any(delay) else ''}")
        case (does.REBALANCE_LATER, delay):
            return Phrase(f"asks for another rebalance in {seconds(delay)}")
        case (does.ERROR,):
            return Phrase("reports an error to its user")
    return Phrase(" ".join(map(str, (name, *details))))


def _read(offset: int | str) -> Phrase:
    if offset == NOT_FOUND:
        return Phrase("finds no stored offset")
    if isinstance(offset, str) or offset < 0:
        return Phrase("fails to read {}", OFFSET)
    return Phrase(f"reads offset {offset}")


def _asked(what: str, offset: int | str) -> Phrase:
    if offset in (FAILS, THROWS):
        return Phrase(f"fails to ask the broker for {what}")
    return Phrase(f"asks the broker for {what}: {offset}")


def phrases(effects: Iterable[Effect], *, own_store: bool = True) -> tuple[str, ...]:
    """The effects one by one; what was named just before is "it", and what is done again at once is done "twice"."""
    found, last = [], ""
    for effect, same in groupby(_told(effects, own_store)):
        text, thing = phrase(effect)
        times = len(list(same))
        again = "" if times == 1 else " twice" if times == 2 else f" {times} times"
        found.append(text.format("it" if thing and thing == last else thing) + again)
        last = thing
    return tuple(found)


def one_by_one(effects: Iterable[Effect]) -> tuple[str, ...]:
    """Every effect by itself: ``marks the entry as dropped``."""
    return tuple(text.format(thing) for text, thing in map(phrase, effects))


def _told(effects: Iterable[Effect], own_store: bool) -> Iterator[Effect]:
    """What sends or writes an offset persists it: that is told once. A store that does neither persists nothing."""
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
    """``marks the entry as dropped, and persists the offset``: what is taken away, and what is added after that."""
    found = tuple(effects)
    start = does.addition_begins(found)
    parts = (part for part in (found[:start], found[start:]) if part)
    return tuple(clauses(phrases(part, own_store=own_store)) for part in parts) or ("does nothing",)
