"""Counterexamples to transition claims for programs: the record in results.json, and the trace."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rebalance_proofs.model.client.effects import Effect
from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.model.transition.rounds import Held, Rounds, Watched
from rebalance_proofs.model.transition.variables import CONSUMER, QUEUE, ROUND, Variable
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.english import queues
from rebalance_proofs.report.transition import circumstances, effects
from rebalance_proofs.report.transition.sides import sides
from rebalance_proofs.report.transition.story import story

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
