"""The answer of ``rebalance conform --java``, which compares a client jar with the model."""

from collections.abc import Callable, Sequence
from typing import Any

from rebalance_proofs.model.own.call import Call
from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jar.conform import SORTED, Compared, Difference
from rebalance_proofs.recorded.jar.describe import Version
from rebalance_proofs.report.schemas import published
from rebalance_proofs.report.text.english import count

FORMAT = 1
"""Version of the JSON; it increases when a reader of the old form would misread the new one."""


def heading(version: Version, profile: Profile) -> str:
    """Return the client's version, its source, and the model that it is compared with."""
    return f"RocketMQ {version.number} ({version.where}) compared with the model {profile.name}"


def line(compared: Compared, of: str = "call") -> str:
    """Return the result of one strategy or one kind of step: ``ok  AVG: 20,350 calls, all agree``.

    If there are differences, it contains the smallest one. ``of`` is the noun for what was compared: ``call`` or
    ``list``.
    """
    made = f"{compared.name}: {count(compared.calls, of)}"
    if not compared.smallest:
        return f"ok  {made}, all agree"
    left_out = f", {compared.left_out:,} skipped" if compared.left_out else ""
    return f"BAD {made}{left_out}, {compared.differ:,} differ; the smallest: {_difference(compared.smallest)}"


def _difference(difference: Difference) -> str:
    both = f"the client {difference.client}, the model {difference.model}"
    inputs = _call(difference.call) if difference.call else difference.case
    return f"{inputs}: {both}" if inputs else both


def _call(call: Call) -> str:
    """Return the arguments as text. A sorted list is a call that has only this list."""
    ids = f"cidAll [{', '.join(map(repr, call.cid_all))}]"
    queues = f"mqAll [{', '.join(map(_queue, call.mq_all))}]"
    if call.consumer_group == SORTED:
        return queues if call.mq_all else ids
    return f"currentCID {call.current_cid!r}, {ids}, {queues}"


def _queue(queue: MessageQueue) -> str:
    return f"{queue.topic} {queue.broker_name!r} {queue.queue_id}"


def verdict(results: Sequence[Compared]) -> str:
    """Return the last line: whether all strategies and rebalance steps agree."""
    calls, wrong = sum(one.calls for one in results), [one for one in results if one.smallest]
    if wrong:
        return f"DIFFERS FROM THE MODEL: {'; '.join(one.name for one in wrong)}"
    return f"Same as the model in all {count(calls, 'call')}; null lists were not tried"


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of ``document``."""
    return published("conform_java")


def document(
    version: Version,
    profile: Profile,
    results: Sequence[Compared],
    release: str,
    steps: Sequence[Compared],
    remark: str = "",
) -> dict[str, Any]:
    """Return the answer as JSON: the client's version with a remark, and the result of each strategy and kind of step.

    ``release``: the modelled release with which the ``steps`` were compared.
    """
    return {
        "format": FORMAT,
        "version": version.number,
        "version_from": version.where,
        "model": profile.name,
        "remark": remark or None,
        "agrees": not any(each.smallest for each in (*results, *steps)),
        "strategies": [one(each) for each in results],
        "steps_model": release,
        "steps": [one(each, _step) for each in steps],
    }


def one(compared: Compared, smallest: Callable[[Difference], dict[str, Any]] | None = None) -> dict[str, Any]:
    """Return the result of one strategy as JSON; ``smallest`` renders another kind of difference."""
    smallest = smallest or _smallest
    return {
        "name": compared.name,
        "calls": compared.calls,
        "not_made": compared.left_out,
        "differ": compared.differ,
        "smallest": smallest(compared.smallest) if compared.smallest else None,
    }


def _step(difference: Difference) -> dict[str, Any]:
    return {"case": difference.case, "client": difference.client, "model": difference.model}


def _smallest(difference: Difference) -> dict[str, Any]:
    call = difference.call
    return {
        "call": call
        and {
            "consumer_group": call.consumer_group,
            "current_cid": call.current_cid,
            "mq_all": [queue._asdict() for queue in call.mq_all],
            "cid_all": list(call.cid_all),
        },
        "client": difference.client,
        "model": difference.model,
    }
