"""The answer of ``rebalance safe``, in words and as JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.ordered.clients import CLIENTS, OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.proofs.ordered.circumstances import ALWAYS, IN_TIME, SHUTDOWN, Circumstances
from rebalance_proofs.proofs.ordered.condition import condition
from rebalance_proofs.proofs.ordered.configuration import CONFIGURATION
from rebalance_proofs.proofs.ordered.safe import Answer, Change, Repair, longest_listener
from rebalance_proofs.proofs.ordered.waiting import least
from rebalance_proofs.proofs.world import listed
from rebalance_proofs.report.aligned import aligned
from rebalance_proofs.report.english import seconds
from rebalance_proofs.report.mark import BRIEFLY, Mark
from rebalance_proofs.report.marks import mark_of
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.ordered.kind import TELLING, given
from rebalance_proofs.report.schemas import published

__all__ = ["FORMAT", "PROPERTIES", "document", "headline", "schema", "table", "told"]

FORMAT = 1
"""Version of the JSON's form; increases when a reader of the old form would misread the new one."""

PROPERTIES = {
    "unlock": "rocketmq.client.unlockDelayTimeMills",
    "broker": "rocketmq.broker.rebalance.lockMaxLiveTime",
    "client": "rocketmq.client.rebalance.lockMaxLiveTime",
    "renewal": "rocketmq.client.rebalance.lockInterval",
}
"""Full names of settings, as the sources spell them: Java system properties, read once, when the class is loaded."""
EXCLUSIVE, EXCEPT, NOT = "EXCLUSIVE", "EXCLUSIVE EXCEPT", "NOT EXCLUSIVE"
TIMES = {
    "delay": "delay",
    "client": "client's limit",
    "listener": "listener",
    "broker": "the broker's limit",
    "unlock": "the unlock delay",
}

COSTS = {
    "unlock": "a queue whose listener hangs is given away that much later",
    "broker": "after a crash of its consumer a queue pauses for up to that long",
    "client": "where a renewal is late, consumption pauses sooner",
    "listener": "smaller batches (consumeMessageBatchMaxSize), or less work in each",
}


LESS = " With a smaller -Drocketmq.client.maxTimeConsumeContinuously of every consumer less is enough."
"""Remark for clients from 5.0 on, where nothing else ends the calls of a request."""


def headline(answers: Sequence[Answer]) -> str:
    """The first line; for several clients, what holds for all of them."""
    verdict, unsure = decided(answers)
    return f"{verdict} WHEN {', or '.join(world.otherwise for world in unsure)}" if unsure else verdict


def decided(answers: Sequence[Answer]) -> tuple[str, tuple[Circumstances, ...]]:
    """The verdict, and the premises that it excepts."""
    if not all(answer.proved for answer in answers):
        return NOT, ()
    unsure = tuple(dict.fromkeys(world for answer in answers for world in answer.exceptions))
    return EXCEPT if unsure else EXCLUSIVE, unsure


def told(answers: Sequence[Answer]) -> Iterator[str]:
    """All lines of the answer."""
    yield readable(headline(answers))
    for answer in answers:
        yield ""
        yield from _of(answer)
    yield ""
    yield BRIEFLY


def _of(answer: Answer) -> Iterator[str]:
    limits = answer.limits
    yield f"{answer.client.rocketmq_name}, any number of consumers and queues; {given(answer.client, limits)}."
    yield f"  Real clients: {mark(answer.client)} ({_claim(answer.client)})."
    for part in condition(answer.client, IN_TIME):
        summands = " + ".join(f"{TIMES[name]} {seconds(getattr(limits, name))}" for name in part.summands)
        held = "is more than" if part in answer.unmet else "is at most"
        limit = f"{TIMES[part.within]} {seconds(getattr(limits, part.within))}"
        yield f"  {summands} = {seconds(number(part.total(limits)))} {held} {limit}"
    longest = longest_listener(answer.client, limits)
    if longest is None:
        yield "  With these settings no listener is short enough."
    else:
        yield f"  With these settings a listener may take {seconds(longest)}."
    if answer.unmet:
        renewed = f"Where a renewal is granted every {seconds(number(limits.renewal))}, and noted within the delay"
        yield f"  {renewed}, {_where_renewed(answer)}."
    if answer.run:
        yield "  How it comes to two listeners:"
        yield from (
            f"    {number}. {line}" for number, line in enumerate(TELLING.story(answer.run, CONFIGURATION), start=1)
        )
        yield (
            "  What repairs it, each by itself:"
            if any(len(one) == 1 for one in answer.repairs)
            else ("  No single setting repairs it. What does, together:")
        )
        for repair in answer.repairs:
            yield f"    - {_repair(repair, limits)}"
        if not answer.repairs:
            yield "    Nothing does."
        return
    yield "  Proved for these numbers by Z3. Assumes:"
    for world in answer.premises:
        yield f"    - {readable(world.sentence)} Otherwise: rebalance show {_otherwise(answer, world)}"
        if world.name == SHUTDOWN:
            yield f"      {_waiting(answer)}"
    yield from (f"    - {readable(listed([phrase]))}" for phrase in ALWAYS)
    yield "    - No pause longer than the delay between a grant and its time stamp."


def _where_renewed(answer: Answer) -> str:
    if not answer.renewed_alike:
        return "it is not exclusive either"
    alike = "" if answer.renewed else " and no consumer of the group is older than 5.0"
    return f"it is exclusive, if the premises hold{alike}; but nothing promises such renewals"


def _waiting(answer: Answer) -> str:
    """Sentence about how long a shutdown has to wait if the consumer has messages."""
    shortest = least(answer.client.rules, answer.limits)
    if shortest is None:
        return (
            "It has no such setting: suspend it, wait until each pull that was sent before is answered (30 s), and let "
            "it consume what it has pulled, before it is shut down."
        )
    less = LESS if answer.client.rules.renews_on else ""
    is_it = "is enough" if answer.waits_enough else "is not enough"
    return (
        f"With these settings it has to be {shortest} or more, in ms; {answer.limits.wait} {is_it}. A shutdown waits "
        f"so long, interrupts the listener, and waits so long once more; without messages it is over at once.{less}"
        f"{_late(answer)}"
    )


def _late(answer: Answer) -> str:
    """Sentence about renewals that go out before a shutdown is heard of; empty if these do not matter."""
    late = seconds(number(answer.limits.late))
    told = f" A request for a lock is taken to arrive {late} after the shutdown at most, and a second later for each "
    return "" if answer.client.rules.renews_on else f"{told}further broker that does not answer."


def _repair(repair: Repair, limits: Limits) -> str:
    # Limits are raised first, and lowered afterwards.
    ordered = sorted(repair, key=lambda change: change.setting in ("client", "listener"))
    return ", then ".join(_change(change, limits) for change in ordered)


def _change(change: Change, limits: Limits) -> str:
    cost = COSTS[change.setting]
    if change.setting == "listener":
        return f"a listener of at most {seconds(change.after)} ({cost})"
    who = "of the broker" if change.setting == "broker" else "of every consumer"
    words = f"-D{PROPERTIES[change.setting]}={change.after} {who} ({cost}"
    if change.setting == "client" and change.after <= limits.renewal:
        words += f"; with -D{PROPERTIES['renewal']} below it, or consumption pauses in every period"
    return words + ")"


def table(limits: Limits) -> Iterator[str]:
    """Lines with the longest listener that is safe with these settings, for every client."""
    rows = [("Client", "real clients", "longest safe listener")]
    for client in CLIENTS:
        longest = longest_listener(client, limits)
        rows.append((client.rocketmq_name, str(mark(client)), "none" if longest is None else seconds(longest)))
    yield from aligned(rows)
    yield BRIEFLY


def mark(client: OrderedClient) -> Mark:
    """Return the mark of the claim that decides about this client."""
    return mark_of(_claim(client))


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of ``document``."""
    return published("safe")


def document(answers: Sequence[Answer]) -> dict[str, Any]:
    """The answer as JSON, by ``schema``; times in ms."""
    verdict, unsure = decided(answers)
    return {
        "format": FORMAT,
        "verdict": verdict,
        "exceptions": [world.name for world in unsure],
        "clients": [_document(answer) for answer in answers],
    }


def _document(answer: Answer) -> dict[str, Any]:
    return {
        "client": answer.client.name,
        "exclusive": answer.proved,
        "exclusive_where_renewed": answer.renewed,
        "exclusive_where_renewed_alike": answer.renewed_alike,
        "seen": mark(answer.client).value,
        "limits": vars(answer.limits),
        "unmet": [part.sentence for part in answer.unmet],
        "longest_listener": longest_listener(answer.client, answer.limits),
        "shortest_wait": least(answer.client.rules, answer.limits),
        "premises": [
            {"name": world.name, "sentence": readable(world.sentence), "otherwise": _otherwise(answer, world)}
            for world in answer.premises
        ],
        "story": list(TELLING.story(answer.run, CONFIGURATION)) if answer.run else [],
        "repairs": [
            [vars(change) | {"property": PROPERTIES.get(change.setting)} for change in one] for one in answer.repairs
        ],
    }


def _otherwise(answer: Answer, world: Circumstances) -> str:
    """Id of the claim that shows what happens without the premise."""
    return f"{_claim(answer.client)}.without-{world.name}"


def _claim(client: OrderedClient) -> str:
    return f"ordered.{client.name}.exclusive"
