"""A counterexample to a claim about transitions (rebalances) in words, line by line."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rebalance_proofs.model.transition.rounds import TOPIC, Round, Rounds, Watched
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.transition.scenario import Action
from rebalance_proofs.report.english import capitalized, clauses, listing, queues
from rebalance_proofs.report.transition import circumstances, effects
from rebalance_proofs.report.transition.sides import sides

BROKEN = "Broken: "
"""Prefix of the last line, which is about the broken guarantee."""


def story(claim: Claim, example: Counterexample) -> tuple[str, ...]:
    """Return the counterexample in words, in at most eight lines.

    These are the consumer, its process queues, inputs and effects of each round, delayed actions, and the violation.
    """
    told, apart = sides(claim, example), claim.world.apart
    lines = [_who(told), _held(example.group, apart=apart)]
    for number in range(len(example.group.rounds)):
        lines.append(brought(claim, example.group, number))
        for side in told:
            who = "the client" if len(told) == 1 else "it"
            done = _done(who, side, number, apart=apart)
            lines.append(capitalized(done) if len(told) == 1 else f"{side.client.rocketmq_name}: {done}")
    return (*lines, *_later(example.group), f"{BROKEN}{example.sentence}")


def _later(found: Rounds) -> Iterator[str]:
    """Yield lines about delayed actions, such as a delayed unlock, of a queue in the table."""
    for one in found.last.queues:
        if one.later and one.after:
            (done,) = effects.sentences(one.later)
            yield f"After the delay, the client {done}."


def _who(told: Sequence[Rounds]) -> str:
    found = told[0]
    also = circumstances.settings(found.case.consumer)
    names = listing(side.client.rocketmq_name for side in told) + (" in the same case:" if len(told) > 1 else ",")
    return f"{names} {circumstances.consumer(found.mode)}{f'; {clauses(also)}' if also else ''}."


def _held(found: Rounds, *, apart: bool) -> str:
    """Return sentences on the queues with a process queue at the start; equal facts share one."""
    known: dict[tuple[str, bool, str, tuple[str, ...]], list[int]] = {}
    for place, (seen, numbers) in enumerate(zip(found.rounds[0].queues, found.case.queues, strict=True)):
        who = f"Consumer {place}" if apart else "It"
        same = who, bool(seen.before), seen.queue.topic, tuple(circumstances.state(numbers))
        known.setdefault(same, []).append(seen.queue.queue_id)
    return " ".join(
        f"{who} {'holds' if held else 'does not hold'} {queues(same, topic)}{f': {clauses(state)}' if state else ''}."
        for (who, held, topic, state), same in known.items()
    )


def brought(claim: Claim, found: Rounds, number: int) -> str:
    """Return a line about the inputs of round ``number``: the queues in mqSet, and unusual answers."""
    if claim.world.action is Action.UNSUBSCRIBES:
        return f"The user unsubscribes from {TOPIC}, and the client rebalances."
    if claim.world.action is Action.RENEWS:
        return "The client renews the locks of its queues."
    seen = found.rounds[number].queues
    before: Sequence[Watched | None] = found.rounds[number - 1].queues if number else [None] * len(seen)
    placed: dict[str, list[str]] = {}
    for place, (one, was) in enumerate(zip(seen, before, strict=True)):
        said = _placed(one, was)
        if said:
            placed.setdefault(said, []).append(_name(one, place, apart=claim.world.apart))
    parts = [f"{_together(names)} {'are' if len(names) > 1 else 'is'} {said}" for said, names in placed.items()]
    for place, one in enumerate(seen):
        of = _name(one, place, apart=claim.world.apart) if len(seen) > 1 else ""
        parts += circumstances.answers(one, found.mode, of)
    foreign = "" if all(one.mine for one in seen) else f" of {TOPIC}"
    return f"{_title(found, number)}{foreign}: {clauses(parts) or 'these queues are not mentioned'}."


def _title(found: Rounds, number: int) -> str:
    return ("First rebalance", "Second rebalance")[number] if len(found.rounds) > 1 else "Rebalance"


def _name(seen: Watched, place: int, *, apart: bool) -> str:
    if apart:
        return f"{queues([seen.queue.queue_id])} of consumer {place}"
    return queues([seen.queue.queue_id], "" if seen.mine else seen.queue.topic)


def _placed(seen: Watched, was: Watched | None) -> str:
    """Return whether the queue is in mqSet, and whether this is new, in words.

    Empty for another topic's queue that is not in mqSet, which is normal.
    """
    if not seen.mine:
        return "in mqSet" if seen.asked.in_set else ""
    if not seen.asked.in_set:
        return "no longer in mqSet" if seen.before and (was is None or was.asked.in_set) else "not in mqSet"
    if was is not None:
        return "still in mqSet" if was.asked.in_set else "in mqSet again"
    if seen.before is None:
        return "now in mqSet"
    return "in mqSet" if seen.before.dropped else "still in mqSet"


def _together(names: Sequence[str]) -> str:
    """Return queue names joined: ``queues 0 and 1``; other names as a list."""
    numbers = [name.removeprefix("queue ") for name in names]
    return queues(numbers) if all(number.isdigit() for number in numbers) else listing(names)


def _done(who: str, found: Rounds, number: int, *, apart: bool) -> str:
    """Return a round's effects in order, queue by queue, and the exception that ended it, if any."""
    done = found.rounds[number]
    turns = list(_turns(done, apart=apart, own_store=bool(found.mode.own_store)))
    if not turns or len(done.queues) == 1:
        first, *then = turns[0][1] if turns else effects.sentences(())
        said = ". Then it ".join((f"{who} {first}", *then))
    else:
        said = "; ".join(f"with {name}, {who} {', then '.join(parts)}" for name, parts in turns)
    return f"{said}.{' An exception ends the rebalance.' if done.thrown else ''}"


def _turns(done: Round, *, apart: bool, own_store: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    if apart:
        for place, one in enumerate(done.queues):
            yield f"consumer {place}", effects.sentences(one.effects, own_store=own_store)
        return
    for queue, own in groupby(done.effects, key=lambda effect: effect[1]):
        name = "everything" if queue is None else queues([queue.queue_id])
        yield name, effects.sentences(own, own_store=own_store)
