"""Terms of a transition that are wrong in one of the things that are compared with the client's code."""

from collections.abc import Callable
from dataclasses import replace

import z3

from model.client.effects import PULL_REQUEST
from model.transition.client import Client
from model.transition.step import NO, Asked, Entry, Step, Thrown


def _no_pull(step: Step) -> Step:
    """No pull request is dispatched."""
    slots = (replace(slot, happens=NO) if slot.name == PULL_REQUEST else slot for slot in step.addition)
    return replace(step, addition=tuple(slots))


def _new_is_marked(step: Step) -> Step:
    """A new entry is marked."""
    return replace(step, after=replace(step.after, dropped=z3.Or(step.after.dropped, step.after.fresh)))


def _silent(step: Step) -> Step:
    """No change is reported."""
    return replace(step, changed=NO)


def _throws(step: Step) -> Step:
    """An exception leaves the method when an entry comes."""
    return replace(step, adding_throws=z3.Or(step.adding_throws, step.entered))


WRONG: dict[str, Callable[[Step], Step]] = {
    "an effect": _no_pull,
    "the entry that is left": _new_is_marked,
    "what is returned": _silent,
    "where an exception leaves": _throws,
}
"""What is wrong, and how the right step becomes wrong."""


def with_steps(client: Client, wrong: Callable[[Step], Step]) -> Client:
    """The client, whose code is right and whose terms are wrong."""
    right = client.encoding.step

    def step(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
        return wrong(right(entry, asked, thrown))

    return replace(client, encoding=replace(client.encoding, step=step))
