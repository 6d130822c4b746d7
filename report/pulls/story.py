"""A run of one queue's pull requests in words, action by action."""

from rebalance_proofs.model.pulls.clients import PullsClient
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.pulls.run import Run, Seen
from rebalance_proofs.proofs.results import Counterexample

__all__ = ["deed", "deeds", "lines", "story"]

DEEDS = {
    "adds": "A rebalance adds the queue: a new entry, and a pull request for it",
    "takes": "The pull request is taken, and sent to the broker",
    "asks": "The pull request is taken, and the broker asked for the offset at which an ordered queue's pulls begin",
    "answers": "The pull is answered, and its request waits for the next one",
    "illegal": "The broker answers that there is no such offset: the entry is marked, and a task is to repair that",
    "waits": "More than two minutes pass in which `PullMessageService` does not come to the request",
    "suspends": "`suspend()` is called",
    "resumes": "`resume()` is called",
    "throws": "The request is taken, the offset store throws, and `PullMessageService` logs that",
    "errs": "The request is taken, and an `Error` is thrown",
    "breaks": "The pull is answered, and an `Error` is thrown in the callback, which is logged",
    "interrupts": "The pull is answered, and the thread is interrupted as it puts the request back, which is logged",
    "hooks": "The request is taken, the RPC hook throws, and Netty logs that",
    "overtime": "The request is taken; when it is to be sent, the pull's time is over. It is put off for 1 s, "
    "and, as sending goes on and fails, once more",
}


def deed(client: PullsClient, seen: Seen, before: Seen | None = None) -> str:
    """One action; ``before``: what was the case until then."""
    action, told = seen.happens.action, dict(seen.happens.said)
    if seen.suspended and action in ("adds", "revokes"):
        others = action == "revokes" and not told["in_set"]
        return "It is time for a rebalance" + (
            ", as the queue is another consumer's now: suspended, the consumer makes none"
            if others
            else ", which a consumer that is suspended does not make"
        )
    if action == "adds" and told["silent"]:
        return "A rebalance does not learn where the queue begins, and does not add it"
    if action == "revokes":
        return _revoked(seen, in_set=told["in_set"], stays=told["stays"])
    if action == "takes":
        return _taken(seen, old=told["old"], later=told["later"])
    if action == "sends":
        return _sent(seen, old=told["old"], later=told["later"])
    if action == "repairs":
        return _repaired(client, before, old=told["old"])
    if action in ("answers", "illegal") and told["old"]:
        return "The pull is answered whose entry has gone" + (
            ": there is no such offset. A task is to repair that" if action == "illegal" else ""
        )
    if action == "errs" and seen.ended:
        return f"{DEEDS[action]}: the thread of `PullMessageService` ends"
    if action == "hooks" and client.rules.hook_heard:
        return "The request is taken, the RPC hook throws, and the request waits for 1 s"
    if action == "breaks" and client.rules.callback_survives:
        return "An `Error` is thrown in the callback, and the request waits for 1 s"
    if action == "overtime" and not client.rules.fails_twice:
        return "The request is taken, and the pull's time is over before it is sent: it waits for 1 s"
    return DEEDS[action]


def _revoked(seen: Seen, *, in_set: bool, stays: bool) -> str:
    if seen.live:
        return "A rebalance leaves the entry as it is"
    why = "it was not pulled for two minutes" if in_set else "the queue is another consumer's now"
    if stays or seen.present:
        return f"A rebalance marks the entry, as {why}, and cannot take it out yet"
    return f"A rebalance takes the entry out, as {why}"


def _taken(seen: Seen, *, old: bool, later: bool) -> str:
    if old:
        return "The pull request whose entry has gone is taken, and dies"
    if not seen.live:
        return "The pull request is taken, and dies with its entry, which is marked"
    if seen.suspended:
        return "The pull request is taken, and put off for a second, as the consumer is suspended"
    return "The pull request is taken, and put off" if later else DEEDS["takes"]


def _sent(seen: Seen, *, old: bool, later: bool) -> str:
    if later:
        return "The offset is not answered, and the pull request is put off"
    whose = ", though its entry has gone" if old else "" if seen.live else ", though its entry is marked"
    return f"The offset is answered, and the pull is sent{whose}"


def _repaired(client: PullsClient, before: Seen | None, *, old: bool) -> str:
    when = "At once" if client.rules.repairs_at_once else "Ten seconds after the answer"
    if not old:
        return f"{when} the task writes the offset, and takes the entry out"
    if before is not None and before.present:
        return f"{when} the task writes the offset of the queue, and takes its entry out, which is another one"
    return f"{when} the task writes the offset of the queue, which has no entry here"


def given(run: Run) -> str:
    """What there is at first."""
    return f"One consumer, which begins to hold a queue. An entry that has not pulled for {run.limit:,} ms is overdue."


def deeds(run: Run) -> tuple[str, ...]:
    """All actions."""
    before = (None, *run.seen)
    return tuple(deed(run.client, seen, former) for seen, former in zip(run.seen, before, strict=False))


def story(run: Run) -> tuple[str, ...]:
    """One line an action."""
    return tuple(f"{place}. {words}." for place, words in enumerate(deeds(run), start=1))


def lines(claim: Claim, example: Counterexample) -> tuple[str, ...]:
    """What there is at first, what happened, and what is wrong."""
    words = example.sentence[0].upper() + example.sentence[1:]
    return (given(example.group), *story(example.group), words)
