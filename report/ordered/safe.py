"""The answer of ``rebalance safe``: do given timeouts keep ordered consumption exclusive?"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machine.world import listed
from rebalance_proofs.model.machines.ordered.actions import CLIENTS, OrderedClient
from rebalance_proofs.model.machines.ordered.assumptions import (
    ALWAYS,
    IN_TIME,
    SHUTS_IDLE,
    Circumstances,
    condition,
    least,
)
from rebalance_proofs.model.machines.ordered.claims import given_words
from rebalance_proofs.model.machines.ordered.state import Limits
from rebalance_proofs.proofs.ordered.safe import Answer, Change, Repair, longest_listener
from rebalance_proofs.proofs.ordered.two import CONFIGURATION
from rebalance_proofs.report.claims.mark import BRIEFLY, Mark, legend
from rebalance_proofs.report.index.entries import mark_of, word_of
from rebalance_proofs.report.machine.declared import telling
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.ordered.settings import PROPERTIES, Settings, raised, settings
from rebalance_proofs.report.ordered.settings import document as settings_document
from rebalance_proofs.report.ordered.settings import told as pasted
from rebalance_proofs.report.schemas import published
from rebalance_proofs.report.settling import kubernetes
from rebalance_proofs.report.text.english import seconds
from rebalance_proofs.report.text.wrapping import aligned

FORMAT = 1
"""Version of the JSON; increases when a reader of the old form would misread the new one."""

EXCLUSIVE, EXCEPT, NOT = "EXCLUSIVE", "EXCLUSIVE EXCEPT", "NOT EXCLUSIVE"
TIMES = {
    "delay": "broker answer",
    "client": "client lockMaxLiveTime",
    "listener": "listener",
    "broker": "broker lockMaxLiveTime",
    "unlock": "unlockDelayTimeMills",
}
"""Short names of the time limits, for the printed sums, by field of ``Limits``."""

COSTS = {
    "unlock": "a queue with a hanging listener changes hands that much later",
    "broker": "after a crash, the lock stays at the broker for that long",
    "client": "if a renewal is late, consumption pauses sooner",
    "listener": "smaller batches (consumeMessageBatchMaxSize), or less work for each message",
}
"""Disadvantage of each repair (changed time limit), by field of ``Limits``."""

SHORTER = " A smaller -Drocketmq.client.maxTimeConsumeContinuously on every consumer allows a shorter wait."
"""Remark for clients from 5.0 on, where a listener is called until its consume request ends."""
BOTH = "run their listeners on one ordered queue at the same time"


def headline(answers: Sequence[Answer]) -> str:
    """Return the answer in one sentence; for several clients, one that is true of all of them."""
    verdict, unsure = decided(answers)
    if verdict == NOT:
        return f"Not exclusive: two consumers can {BOTH}."
    if verdict == EXCLUSIVE:
        return f"Exclusive: no two consumers {BOTH}."
    return f"Exclusive, except when {', or when '.join(world.otherwise for world in unsure)}."


def decided(answers: Sequence[Answer]) -> tuple[str, tuple[Circumstances, ...]]:
    """Return (verdict for all clients, assumptions whose failure still lets two listeners run)."""
    if not all(answer.proved for answer in answers):
        return NOT, ()
    unsure = tuple(dict.fromkeys(world for answer in answers for world in answer.exceptions))
    return EXCEPT if unsure else EXCLUSIVE, unsure


def told(
    answers: Sequence[Answer], warnings: Sequence[str] = (), remarks: Sequence[str] = (), *, everything: bool = False
) -> Iterator[str]:
    """Yield the lines of the answer, with remarks on clients' versions.

    ``everything``: with counterexamples, repairs and all assumptions in full.
    """
    yield readable(headline(answers))
    yield from remarks
    yield ""
    for answer in answers:
        yield from _evidence(answer)
        if everything:
            yield from _details(answer)
    yield from warnings
    if not everything:
        yield f"`--all` lists {_left_out(answers)}."
    found = settings(answers)
    yield ""
    yield from pasted(found)
    yield f"  {_outcome(answers, found)}"
    yield ""
    named = [(one.client.rocketmq_name, kubernetes.ordered(one.client, one.limits)) for one in found]
    yield from kubernetes.told(named)
    yield ""
    yield BRIEFLY if everything else legend(map(mark, (answer.client for answer in answers)))


def _evidence(answer: Answer) -> Iterator[str]:
    """Yield at most five lines of evidence: client, sums of limits, longest listener, conformance mark."""
    limits = answer.limits
    yield f"{answer.client.rocketmq_name}, any number of consumers and queues:"
    for part in condition(answer.client, IN_TIME):
        summands = " + ".join(f"{TIMES[name]} {seconds(getattr(limits, name))}" for name in part.summands)
        holds = "is more than" if part in answer.unmet else "is at most"
        limit = f"{TIMES[part.within]} {seconds(getattr(limits, part.within))}"
        yield f"  {summands} = {seconds(number(part.total(limits)))} {holds} {limit}"
    longest = longest_listener(answer.client, limits)
    proved = "Proved by Z3 for these numbers. " if answer.proved else ""
    safe = "No listener is short enough" if longest is None else f"The longest safe listener takes {seconds(longest)}"
    yield f"  {proved}{safe}."
    yield f"  Real clients: {word_of(_claim(answer.client))} ({_claim(answer.client)})."


def _outcome(answers: Sequence[Answer], found: Sequence[Settings]) -> str:
    """Return a sentence on what the settings achieve, and on cases that no setting prevents."""
    after = [replace(answer, limits=one.limits) for answer, one in zip(answers, found, strict=True)]
    unsure = dict.fromkeys(world.otherwise for answer in after for world in answer.exceptions)
    exclusive = "With these settings: exclusive, under the assumptions that `--all` lists"
    if not unsure:
        return f"{exclusive}."
    return f"{exclusive}, except when {', or when '.join(unsure)}. No setting prevents that."


def _left_out(answers: Sequence[Answer]) -> str:
    """Return a sentence on what ``--all`` adds to this answer."""
    runs = [answer for answer in answers if answer.run]
    parts = ["the counterexample and all repairs"] * bool(runs)
    assumed = max(len(answer.premises) + len(ALWAYS) + 1 for answer in answers)
    return ", and ".join([*parts, f"all {assumed} assumptions of the proof"])


def _details(answer: Answer) -> Iterator[str]:
    """Yield the counterexample with all repairs, if there is one, and the assumptions of the proof."""
    limits = answer.limits
    yield f"  Settings: {given_words(answer.client, limits)}."
    if answer.unmet:
        renewed = f"If a renewal is granted every {seconds(number(limits.renewal))}, and noted within the broker answer"
        yield f"  {renewed}, {_where_renewed(answer)}."
    if answer.run:
        yield "  Counterexample:"
        yield from (
            f"    {number}. {line}"
            for number, line in enumerate(telling("ordered").story(answer.run, CONFIGURATION), start=1)
        )
        yield (
            "  Repairs, each sufficient alone:"
            if any(len(one) == 1 for one in answer.repairs)
            else "  No single setting repairs this. Sufficient together:"
        )
        for repair in answer.repairs:
            yield f"    - {_repair(repair, limits)}"
        if not answer.repairs:
            yield "    - none"
        answer = replace(answer, limits=raised(answer.client, limits))
        yield "  Assumptions of the proof with the settings to paste:"
    else:
        yield "  Assumptions of the proof:"
    for world in answer.premises:
        yield f"    - {readable(world.sentence)}"
        if world.gone is SHUTS_IDLE:
            yield f"      {_waiting(answer)}"
        yield f"      Without it: rebalance show {_otherwise(answer, world)}"
    yield from (f"    - {readable(listed([one.sentence]))}" for one in ALWAYS)
    yield "    - No pause between a grant and its time stamp is longer than the broker answer."


def _where_renewed(answer: Answer) -> str:
    if not answer.renewed_alike:
        return "it is not exclusive either"
    alike = "" if answer.renewed else " and no consumer of the group is older than 5.0"
    return f"it is exclusive if the assumptions hold{alike}; nothing guarantees such renewals"


def _waiting(answer: Answer) -> str:
    """Return sentences about the time that a shutdown must wait for running listeners."""
    shortest = least(answer.client.rules, answer.limits)
    if shortest is None:
        return (
            "This client has no such setting. Suspend it, wait 30 s until each earlier pull is answered, and let it "
            "consume the pulled messages. Then shut it down."
        )
    shorter = SHORTER if answer.client.rules.renews_on else ""
    enough = "is enough" if answer.waits_enough else "is not enough"
    return (
        f"With these settings it needs {shortest} ms or more; {answer.limits.wait} {enough}. A shutdown waits that "
        f"long, interrupts the listener, and waits that long again; without messages it ends at once.{shorter}"
        f"{_late(answer)}"
    )


def _late(answer: Answer) -> str:
    """Return a sentence about lock requests that arrive after a shutdown began.

    Empty if they do not matter.
    """
    late = seconds(number(answer.limits.late))
    sentence = f" This assumes that a lock request arrives at most {late} after the shutdown began, plus 1 s for each "
    return "" if answer.client.rules.renews_on else f"{sentence}further broker that does not answer."


def _repair(repair: Repair, limits: Limits) -> str:
    # Limits are raised first, and lowered afterwards.
    ordered = sorted(repair, key=lambda change: change.setting in ("client", "listener"))
    return ", then ".join(_change(change, limits) for change in ordered)


def _change(change: Change, limits: Limits) -> str:
    cost = COSTS[change.setting]
    if change.setting == "listener":
        return f"a listener of at most {seconds(change.after)} ({cost})"
    who = "on the broker" if change.setting == "broker" else "on every consumer"
    words = f"-D{PROPERTIES[change.setting]}={change.after} {who} ({cost}"
    if change.setting == "client" and change.after <= limits.renewal:
        words += f"; set -D{PROPERTIES['renewal']} below it, or consumption pauses in every period"
    return words + ")"


def table(limits: Limits) -> Iterator[str]:
    """Yield a table of the longest safe listener duration with these time limits, for every client."""
    rows = [("Client", "real clients", "longest safe listener")]
    for client in CLIENTS:
        longest = longest_listener(client, limits)
        rows.append((client.rocketmq_name, word_of(_claim(client)), "none" if longest is None else seconds(longest)))
    yield from aligned(rows)
    yield BRIEFLY


def mark(client: OrderedClient) -> Mark:
    """Return the mark of this client's claim about exclusive consumption."""
    return mark_of(_claim(client))


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of ``document``."""
    return published("safe")


def document(answers: Sequence[Answer], remarks: Sequence[str] = ()) -> dict[str, Any]:
    """Return the answer as JSON, with remarks on clients' versions; times in ms."""
    verdict, unsure = decided(answers)
    found = settings(answers)
    return {
        "format": FORMAT,
        "verdict": verdict,
        "remark": " ".join(remarks) or None,
        "exceptions": [world.name for world in unsure],
        "clients": [_document(*pair) for pair in zip(answers, found, strict=True)],
    }


def _document(answer: Answer, found: Settings) -> dict[str, Any]:
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
        "story": list(telling("ordered").story(answer.run, CONFIGURATION)) if answer.run else [],
        "repairs": [
            [vars(change) | {"property": PROPERTIES.get(change.setting)} for change in one] for one in answer.repairs
        ],
        "settings": settings_document(found),
        "kubernetes": kubernetes.document(kubernetes.ordered(found.client, found.limits)),
    }


def _otherwise(answer: Answer, world: Circumstances) -> str:
    """Return the id of the claim that drops the assumption ``world``."""
    return f"{_claim(answer.client)}.without-{world.name}"


def _claim(client: OrderedClient) -> str:
    return f"ordered.{client.name}.exclusive"
