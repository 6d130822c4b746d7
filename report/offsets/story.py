"""A run of two consumers and one message in words, action by action."""

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import NAMES
from rebalance_proofs.proofs.offsets.run import Run, Seen
from rebalance_proofs.proofs.results import Counterexample

__all__ = ["committed", "deed", "lines", "story"]

DEEDS = {
    "arrives": "The message arrives",
    "asks": "A rebalance of {} asks for the queue's offset",
    "adds": "{} hears the answer and adds the queue",
    "pulls": "{} has pulled the message",
    "starts": "The listener of {} is called with it",
    "ends": "The listener of {} returns: the message is consumed",
    "ends_late": "The listener of {} returns, whose entry has gone: the message is consumed, and nothing is noted",
    "cleans": "The listener of {} takes too long: the message is given back to be retried",
    "fails": "The listener of {} returns, and the message is to be tried again",
    "empty": "A pull of {} finds nothing, and its next offset is to be noted",
    "records": "{} notes the offset in its memory",
    "sends": "{} sends the offset in its memory to the broker",
    "commits": "The broker gets the offset that {} has sent",
    "marks": "A rebalance of {} marks the queue",
    "revokes": "A rebalance takes the queue from {}, which sends the offset in its memory, and forgets it",
    "unsubscribes": "{} is not subscribed to the topic any more: its entry goes, and no more",
    "copies": "The timer of {} copies the queues of its table, to send their offsets (`persistAll`)",
    "finishes": "`persistAll` of {} is over",
    "forgets": "`persistAll` of {} has sent the offsets of those queues, and forgets all others",
    "shuts": "{} is shut down, and sends the offset in its memory",
    "crashes": "The process of {} ends",
    "suspends": "A reset of the offset begins in {}, which is suspended: its entry is marked and emptied",
    "rewinds": "The reset puts its offset into the memory of {}, after ten seconds",
    "retires": "The reset has {} send the offset in its memory, and takes the entry away",
    "fixes": "The first pull of {} asks for the queue's offset once more",
    "notes": "{} notes the offset behind the batch in its memory",
    "interrupts": "{} is being shut down, and interrupts its listeners",
    "returns_interrupted": "The listener of {} returns, and its thread stays interrupted: nothing is noted just then",
    "others_fail": "The listener of {} is called with the next message, and asks for it again",
    "replicates": "A replica of the broker is told what is committed",
    "swaps": "A replica takes the broker's place, with what it was told of the offset",
}
HALF = "The listener of {} was interrupted: it returns success, and its work is half done"


BY_LOOP = {
    "ends_late": "The listener of {} returns, whose entry has gone: the message is consumed",
    "empty": "A pull of {} finds nothing, and {} notes its next offset in its memory",
    "skips": "The loop of {}, which was busy with other messages, takes the message for consumed, though its listener "
    "was not called: it is being shut down",
    "shuts": "{} is being shut down, and sends the offset in its memory; its table is not empty yet",
    "clears": "The table of {}, which is being shut down, is emptied",
    "empty_late": "A pull of {} that was under way when its entry left finds nothing, and its next offset is noted",
    "starts_late": "The listener of {} is called with the message, though its entry has gone",
    "fails_late": "The listener of {}, whose entry has gone, returns, and the message is to be tried again",
    "notes_late": "{}, whose entry has gone, notes the offset behind the batch in its memory",
    "skips_late": "The loop of {}, whose entry has gone, takes the message for consumed: it is being shut down",
}
"""What is different of a consumer that loops."""


NOTHING_TO_SEND = ", which has no offset in its memory to send"


def committed(offset: int | None) -> str:
    """``none``, ``offset 1``, ``-1, which is none``."""
    if offset is None:
        return "none"
    return f"offset {offset}" if offset >= 0 else f"{offset}, which is none"


def deed(seen: Seen, way: Way, *, remembers: bool = True) -> str:
    """One action; ``remembers``: of a consumer with an offset of the queue in its memory."""
    told = dict(seen.happens.said)
    who = seen.happens.who
    deeds = DEEDS | BY_LOOP if way is Way.BY_LOOP else DEEDS
    words = (HALF if told.get("half") else deeds[seen.happens.action]).format(*[NAMES[who]] * 2)
    if seen.happens.action in ("asks", "fixes"):
        none = seen.committed is None or seen.committed < 0
        answer = f"the broker answers {committed(None if none else seen.committed)}"
        if told.get("replica"):
            answer = f"a replica of the broker answers {committed(seen.copied)}"
        if told["silent"]:
            answer = "the broker does not answer"
        elif told["error"]:
            answer = "the broker answers with an error"
        elif told["zero"] and none:
            answer = "the broker answers 0"
        return f"{words}, and {answer}"
    if seen.happens.action == "adds":
        begins = seen.began[who]
        return f"{words}, from offset {begins} on" if begins is not None else f"{NAMES[who]} does not add the queue"
    if seen.happens.action == "revokes":
        return _revoked(seen, words if remembers else f"A rebalance takes the queue from {NAMES[who]}{NOTHING_TO_SEND}")
    if seen.happens.action == "shuts" and not remembers:
        return f"{NAMES[who]} is shut down{NOTHING_TO_SEND}"
    if seen.happens.action == "suspends":
        return f"{words} (to {'offset 0' if told['zero'] else 'the end of the queue'})"
    if seen.happens.action == "copies":
        return f"{words}; this one is {'' if seen.present[who] else 'not '}among them"
    if seen.happens.action == "sends" and way is not Way.BY_LOOP and not seen.present[who]:
        return f"{words}: its entry has gone, but `persistAll` was told of the queue"
    if seen.happens.action == "commits" and told.get("replica"):
        return f"A replica of the broker gets the offset that {NAMES[who]} has sent"
    return words


def _revoked(seen: Seen, words: str) -> str:
    told, name = dict(seen.happens.said), NAMES[seen.happens.who]
    if seen.present[seen.happens.who]:
        words = f"A rebalance marks the queue of {name}, which sends the offset in its memory; its listener is running"
    if told.get("stale"):
        words += "; its lock has not been renewed for long"
    if told.get("silent"):
        words = f"A rebalance takes the queue from {name}, which cannot send the offset in its memory, and keeps it"
    if told.get("in_set"):
        words += ", because it has pulled nothing for two minutes"
    # Only a loop can be busy where there is no other message.
    return f"{words}; its loop has other messages of the queue" if told.get("held") else words


def changes(run: Run) -> list[str]:
    """Behind each action, what is different after it: what is committed, what is in the consumer's memory."""
    found: list[str] = []
    before = run.before
    memory: list[int | None] = [None, None]
    for seen in run.seen:
        who, told = seen.happens.who, []
        if seen.committed != before:
            told.append(f"committed is {committed(seen.committed)}")
        if seen.memory[who] != memory[who] and seen.memory[who] is not None:
            told.append(f"in memory is {seen.memory[who]}")
        found.append(", ".join(told))
        before, memory[who] = seen.committed, seen.memory[who]
    return found


def given(run: Run) -> str:
    """What there is at first."""
    words = f"Two consumers, {' and '.join(NAMES)}, and one queue with a message at offset {run.message}"
    if run.before is not None:
        return f"{words}; committed is {committed(run.before)}."
    if run.world.later:
        words = f"Two consumers, {' and '.join(NAMES)}, and one queue; its next message has offset {run.message}"
    first = run.where is ConsumeFromWhere.FIRST_OFFSET
    return f"{words}; nothing is committed, and the group begins with the {'first' if first else 'last'} offset."


def story(run: Run) -> tuple[str, ...]:
    """One line an action."""
    found: list[str] = []
    memory: list[int | None] = [None, None]
    for place, (seen, change) in enumerate(zip(run.seen, changes(run), strict=True), start=1):
        who = seen.happens.who
        # Node sends -1 in the place of what it does not know.
        remembers = memory[who] is not None or run.client.way is Way.BY_LOOP
        words = deed(seen, run.client.way, remembers=remembers)
        found.append(f"{place}. {words}{f' ({change})' if change else ''}.")
        memory[who] = seen.memory[who]
    return tuple(found)


def lines(claim: Claim, example: Counterexample) -> tuple[str, ...]:
    """What there is at first, who did what, and what is wrong."""
    words = example.sentence[0].upper() + example.sentence[1:]
    return (given(example.group), *story(example.group), words)
