"""The user's own guarantee: a function of a group and of its members' shares, called in the child process."""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.queues import MessageQueue

VIOLATED = "Violated"
"""Name of the exception that says that the guarantee is violated."""


class JudgedGroup(NamedTuple):
    """A group, as a property gets it."""

    ids: tuple[str, ...]
    """The client ids of the members."""
    queues: tuple[MessageQueue, ...]
    """The queues of the topic, with ``topic``, ``broker_name`` and ``queue_id``."""


class Violated(Exception):
    """Raised if the property does not hold; the text is the reason."""


def judging(function: Any, name: str) -> Callable[..., list[MessageQueue]]:
    """Return a function with a strategy's arguments that judges the shares which ``consumer_group`` describes.

    It returns an empty list if the property holds, and raises ``Violated`` if not. Raises ``StrategyError`` for an
    object that is not a function of two arguments.
    """
    if not callable(function):
        raise StrategyError(f"{name} is of type {type(function).__name__}; name a function of a group and its shares")
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        raise StrategyError(f"{name} has to take two arguments: the group, and the shares of its members") from None
    except ValueError:
        pass  # some functions written in C do not expose their arguments

    def judge(
        consumer_group: str, current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]
    ) -> list[MessageQueue]:
        taken: Mapping[str, Sequence[Any]] = json.loads(consumer_group)
        shares = {
            one: [mq_all[queue] if isinstance(queue, int) else MessageQueue(*queue) for queue in queues]
            for one, queues in taken.items()
        }
        try:
            said = function(JudgedGroup(tuple(cid_all), tuple(mq_all)), shares)
        except AssertionError as error:
            raise Violated(str(error)) from None
        if isinstance(said, str):
            raise Violated(said)
        if said is not None and not isinstance(said, bool):
            raise TypeError(f"a property has to return True, False, None or a text, not {type(said).__name__}")
        if said is False:
            raise Violated("it returns False")
        return []

    vars(judge)["judged"] = function  # its file is named in errors
    return judge
