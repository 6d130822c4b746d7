"""Counterexamples to transition claims for programs: the record in results.json, and the trace."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from rebalance_proofs.model.client.effects import Effect
from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.model.transition.rounds import TOPIC, Held, Round, Rounds, Watched
from rebalance_proofs.model.transition.variables import CONSUMER, QUEUE, ROUND, Variable
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.transition.scenario import Action
from rebalance_proofs.report.text.english import capitalized, clauses, listing, queues
from rebalance_proofs.report.transition import circumstances, effects
from rebalance_proofs.report.transition.effects import sides

# A counterexample to a claim about transitions (rebalances) in words, line by line.

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


TYPES = {
    "queues": "Seq({ topic: Str, broker: Str, id: Int })",
    "mqSet": "Seq(Int)",
    "answers": "Seq(Str)",
    "clients": "Seq({ name: Str, action: Seq(Str), throws: Str, table: Seq({ present: Bool, dropped: Bool, "
    "locked: Bool, tries: Int, fresh: Bool }) })",
}
"""Variables of a trace, with types: mqSet, answers, then each client's effects and new table."""

NO_ENTRY = Held(dropped=False, locked=False, tries=0, fresh=False)
"""What a trace has in place of a process queue for a queue that has none."""


def document(claim: Claim, example: Counterexample) -> dict[str, Any]:
    """Return the counterexample's record in results.json, without its trace's path.

    Schema: ``transition_counterexample``.
    """
    found = example.group
    case = found.case
    return {
        "sentence": example.sentence,
        "story": list(story(claim, example)),
        "departures": example.departures,
        "mode": found.mode.name,
        "consumer": _unusual(CONSUMER, case.consumer),
        "queues": [
            seen.queue._asdict() | {"unusual": _unusual(QUEUE, numbers)}
            for seen, numbers in zip(found.rounds[0].queues, case.queues, strict=True)
        ],
        "answers": [[_unusual(ROUND, asked) for asked in round_] for round_ in case.rounds],
        "clients": [_client(side) for side in sides(claim, example)],
    }


def _unusual(known: tuple[Variable, ...], numbers: Mapping[str, int]) -> dict[str, int]:
    return {found.name: value for found, value in circumstances.departures(known, numbers)}


def _client(side: Rounds) -> dict[str, Any]:
    return {
        "client": side.client.name,
        "name": side.client.rocketmq_name,
        "rounds": [
            {
                "changed": done.changed,
                "throws": done.thrown,
                "effects": [_effect(effect, side) for effect in done.effects],
                "before": [seen.before and asdict(seen.before) for seen in done.queues],
                "after": [seen.after and asdict(seen.after) for seen in done.queues],
            }
            for done in side.rounds
        ],
    }


def _effect(effect: Effect, found: Rounds) -> dict[str, Any]:
    name, queue, *details = effect
    known = [seen.queue for seen in found.rounds[0].queues]
    words = effects.one_by_one([effect])[0]
    place = known.index(queue) if queue in known else None
    return {"name": name, "queue": place, "details": [str(part) for part in details], "words": words}


def states(claim: Claim, example: Counterexample) -> list[dict[str, Any]]:
    """Return the trace's states: the tables before the first round, and after each round."""
    told = sides(claim, example)
    found = [_state(told, None)]
    return [*found, *(_state(told, number) for number in range(len(example.group.rounds)))]


def _state(told: tuple[Rounds, ...], number: int | None) -> dict[str, Any]:
    seen = told[0].rounds[number or 0].queues
    return {
        "queues": [
            {"topic": one.queue.topic, "broker": one.queue.broker_name, "id": one.queue.queue_id} for one in seen
        ],
        "mqSet": [] if number is None else [place for place, one in enumerate(seen) if one.asked.in_set],
        "answers": [] if number is None else _answers(seen, told[0].mode),
        "clients": [_table(side, number) for side in told],
    }


def _answers(seen: tuple[Watched, ...], mode: Mode) -> list[str]:
    named = ((one, queues([one.queue.queue_id])) for one in seen)
    return [said for one, name in named for said in circumstances.answers(one, mode, name)]


def _table(side: Rounds, number: int | None) -> dict[str, Any]:
    done = side.rounds[number or 0]
    held = [one.before if number is None else one.after for one in done.queues]
    return {
        "name": side.client.rocketmq_name,
        "action": [] if number is None else [_told(effect) for effect in done.effects],
        "throws": "" if number is None else done.thrown,
        "table": [{"present": one is not None} | asdict(one or NO_ENTRY) for one in held],
    }


def _told(effect: Effect) -> str:
    queue = effect[1]
    return f"{'' if queue is None else f'queue {queue.queue_id}: '}{effects.one_by_one([effect])[0]}"
