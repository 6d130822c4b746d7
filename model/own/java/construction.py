"""The construction of a strategy, as words that ``rebalance/Construction.java`` reads."""

from collections.abc import Mapping, Sequence

from rebalance_proofs.model.queues import MessageQueue

Words = tuple[str, ...]
"""The words of an object, or of a parameter's value."""

NULL: Words = ("null",)


def text(value: str) -> Words:
    """A text, converted to the parameter's type: a String, a number, true or false, a constant of an enum."""
    return "text", value


def new(name: str, *values: Words) -> Words:
    """An object by the class's constructor that fits these values; numbers are preferred to Strings."""
    return "new", name, str(len(values)), *(word for value in values for word in value)


def with_(obj: Words, setter: str, value: Words) -> Words:
    """The object, after a call of that method with one argument."""
    return "with", setter, *obj, *value


def texts(values: Sequence[str]) -> Words:
    """A List or Set of Strings."""
    return "texts", str(len(values)), *values


def queues(values: Sequence[MessageQueue]) -> Words:
    """A List of queues."""
    return "queues", str(len(values)), *(str(word) for queue in values for word in queue)


def rooms(values: Mapping[str, str]) -> Words:
    """An interface like ``MachineRoomResolver``: its methods look up a client id, or the brokerName of a queue.

    For any other name they return null: no room.
    """
    return "rooms", str(len(values)), *(word for name, room in values.items() for word in (name, room))
