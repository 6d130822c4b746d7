"""How to construct a user's strategy object in Java, written as a list of words.

``rebalance/Construction.java`` reads these words.
"""

from collections.abc import Mapping, Sequence

from rebalance_proofs.model.queues import MessageQueue

Words = tuple[str, ...]
"""The words that construct one object, or that give one parameter's value."""

NULL: Words = ("null",)


def text(value: str) -> Words:
    """Return the words of a text, which is converted to the parameter's type.

    The type is a String, a number, true or false, or a constant of an enum.
    """
    return "text", value


def new(name: str, *values: Words) -> Words:
    """Return the words that construct an object by the constructor that accepts these values.

    Numeric parameters are preferred to Strings.
    """
    return "new", name, str(len(values)), *(word for value in values for word in value)


def with_(obj: Words, setter: str, value: Words) -> Words:
    """Return the words for the object ``obj`` after a call of a setter with one argument."""
    return "with", setter, *obj, *value


def vary(obj: Words, name: str, value: Words, *, required: bool) -> Words:
    """Return the words for the object with another value of its field; an unknown field is an error if ``required``."""
    return "vary", name, "1" if required else "0", *obj, *value


def texts(values: Sequence[str]) -> Words:
    """Return the words of a List or Set of Strings."""
    return "texts", str(len(values)), *values


def queues(values: Sequence[MessageQueue]) -> Words:
    """Return the words of a List of queues."""
    return "queues", str(len(values)), *(str(word) for queue in values for word in queue)


def rooms(values: Mapping[str, str]) -> Words:
    """Return the words of an interface like ``MachineRoomResolver``.

    Its methods look up a client id, or the brokerName of a queue. For an unknown name they return null: no room.
    """
    return "rooms", str(len(values)), *(word for name, room in values.items() for word in (name, room))
