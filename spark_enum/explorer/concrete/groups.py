"""For each model, a group that runs the modelled client code."""

from collections.abc import Callable
from functools import partial

from rebalance_proofs.spark_enum.explorer.concrete.concurrent import ConcurrentGroup
from rebalance_proofs.spark_enum.explorer.concrete.group import Group, Setup
from rebalance_proofs.spark_enum.explorer.concrete.ordered import OrderedGroup
from rebalance_proofs.spark_enum.explorer.models import concurrent, ordered
from rebalance_proofs.spark_enum.explorer.subject import Settings, Subject, strategy_of


def code_of(subject: Subject, settings: Settings) -> Callable[[], Group] | None:
    """Return a function that makes the model's initial group with running code.

    None for a model without a client. Raises ``UsageError``.
    """
    if subject is concurrent.SUBJECT:
        return partial(ConcurrentGroup, _setup(concurrent.client_of(settings), settings))
    if subject is ordered.SUBJECT:
        return partial(OrderedGroup, _setup(ordered.client_of(settings), settings), ordered.limits_of(settings))
    return None


def _setup(client: object, settings: Settings) -> Setup:
    faults = frozenset(settings.faults)
    return Setup.of(client, strategy_of(settings), settings.consumers, settings.queues, faults)
