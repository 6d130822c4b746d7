"""How a strategy is constructed, in words that ``rebalance/Construction.java`` reads."""

from collections.abc import Mapping, Sequence

from rebalance_proofs.model.queues import MessageQueue

Words = tuple[str, ...]
"""An object, or what a parameter is given."""

NULL: Words = ("null",)


def text(value: str) -> Words:
    """Taken for what the parameter wants: a String, a number, true or false, a constant of an enum."""
    return "text", value


def new(name: str, *values: Words) -> Words:
    """By the class's constructor that can be given these; one that wants numbers before one that wants a String."""
    return "new", name, str(len(values)), *(word for value in values for word in value)


def with_(obj: Words, setter: str, value: Words) -> Words:
    """The object, after that method of one argument was called."""
    return "with", setter, *obj, *value


def texts(values: Sequence[str]) -> Words:
    """A List or Set of them."""
    return "texts", str(len(values)), *values


def queues(values: Sequence[MessageQueue]) -> Words:
    """A List of them."""
    return "queues", str(len(values)), *(str(word) for queue in values for word in queue)


def rooms(values: Mapping[str, str]) -> Words:
    """An interface like ``MachineRoomResolver``: its methods look up a client id, or the brokerName of a queue.

    What is not named is in no room: null.
    """
    return "rooms", str(len(values)), *(word for name, room in values.items() for word in (name, room))
