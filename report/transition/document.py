"""The story for tools: the counterexample in results.json, and the states of its trace."""

from typing import Any

from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.model.transition.rounds import Held, Rounds, Watched
from rebalance_proofs.model.transition.variables import CONSUMER, QUEUE, ROUND, Variable
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.transition import circumstances, effects
from rebalance_proofs.report.transition.sides import Side, sides
from rebalance_proofs.report.transition.story import story

TYPES = {
    "queues": "Seq({ topic: Str, broker: Str, id: Int })",
    "mqSet": "Seq(Int)",
    "answers": "Seq(Str)",
    "clients": "Seq({ name: Str, action: Seq(Str), throws: Str, table: Seq({ present: Bool, dropped: Bool, "
    "locked: Bool, tries: Int, fresh: Bool }) })",
}
"""The variables of a trace: what a round brings, and what each client did in it and has in its table after it."""


def document(claim: Claim, example: Counterexample) -> dict[str, Any]:
    """What results.json says of it besides where its trace lies; see ``transition_counterexample`` in the schema."""
    found = example.group
    case = found.case
    return {
        "sentence": example.sentence,
        "story": list(story(claim, example)),
        "departures": example.departures,
        "mode": found.mode.name,
        "consumer": _departures(CONSUMER, case.consumer),
        "queues": [
            seen.queue._asdict() | {"unusual": _departures(QUEUE, numbers)}
            for seen, numbers in zip(found.rounds[0].queues, case.queues, strict=True)
        ],
        "answers": [[_departures(ROUND, asked) for asked in round_] for round_ in case.rounds],
        "clients": [_client(side) for side in sides(claim, example)],
    }


def _departures(known: tuple[Variable, ...], numbers) -> dict[str, int]:
    return {found.name: numbers[found.name] for found in known if numbers[found.name] != found.benign}


def _client(side: Side) -> dict[str, Any]:
    return {
        "client": side.rounds.client.name,
        "name": side.name,
        "rounds": [
            {
                "changed": done.changed,
                "throws": done.thrown,
                "effects": [_effect(effect, side.rounds) for effect in done.effects],
                "before": [_entry(seen.before) for seen in done.queues],
                "after": [_entry(seen.after) for seen in done.queues],
            }
            for done in side.rounds.rounds
        ],
    }


def _effect(effect: tuple, found: Rounds) -> dict[str, Any]:
    name, queue, *details = effect
    known = [seen.queue for seen in found.rounds[0].queues]
    words = effects.one_by_one([effect])[0]
    place = known.index(queue) if queue in known else None
    return {"name": name, "queue": place, "details": [str(part) for part in details], "words": words}


def _entry(held: Held | None) -> dict[str, Any] | None:
    if held is None:
        return None
    return {"dropped": held.dropped, "locked": held.locked, "tries": held.tries, "fresh": held.fresh}


def states(claim: Claim, example: Counterexample) -> list[dict[str, Any]]:
    """The tables before, and after each round."""
    told = sides(claim, example)
    found = [_state(told, None)]
    return [*found, *(_state(told, number) for number in range(len(example.group.rounds)))]


def _state(told: tuple[Side, ...], number: int | None) -> dict[str, Any]:
    seen = told[0].rounds.rounds[number or 0].queues
    return {
        "queues": [
            {"topic": one.queue.topic, "broker": one.queue.broker_name, "id": one.queue.queue_id} for one in seen
        ],
        "mqSet": [] if number is None else [place for place, one in enumerate(seen) if one.asked.in_set],
        "answers": [] if number is None else _answers(seen, told[0].rounds.mode),
        "clients": [_table(side, number) for side in told],
    }


def _answers(seen: tuple[Watched, ...], mode: Mode) -> list[str]:
    named = ((one, circumstances.queues([one.queue.queue_id])) for one in seen)
    return [said for one, name in named for said in circumstances.answers(one, mode, name)]


def _table(side: Side, number: int | None) -> dict[str, Any]:
    done = side.rounds.rounds[number or 0]
    held = [one.before if number is None else one.after for one in done.queues]
    return {
        "name": side.name,
        "action": [] if number is None else [_told(effect) for effect in done.effects],
        "throws": "" if number is None else done.thrown,
        "table": [
            {
                "present": one is not None,
                "dropped": bool(one and one.dropped),
                "locked": bool(one and one.locked),
                "tries": one.tries if one else 0,
                "fresh": bool(one and one.fresh),
            }
            for one in held
        ],
    }


def _told(effect: tuple) -> str:
    queue = effect[1]
    return f"{'' if queue is None else f'queue {queue.queue_id}: '}{effects.one_by_one([effect])[0]}"
