"""Comparisons of code and terms made from the page of a machine (``model.machine.page``)."""

from functools import cache
from typing import Any

from rebalance_proofs.proofs.machine.declared import configuration, page
from rebalance_proofs.spark_enum.kinds import Kind
from rebalance_proofs.spark_enum.machine.steps import Space, Steps, by_name, machine_kind


@cache
def steps(name: str) -> type[Steps]:
    """Return the comparison of code and terms for the clients of a page."""
    of = page(name)
    found = of.compared
    space = Space(configuration(name), found.limits, found.parts, choices=found.choices, now=found.now)

    # Executors make the class again from the page's name.
    def reduce(one: Steps) -> tuple[Any, ...]:
        return _again, (name, one.client, one.every)

    own = {"kind": found.kind, "title": found.title, "space": space, "known": staticmethod(by_name(of.clients))}
    return type(f"{name.title()}Steps", (Steps,), {**own, "__reduce__": reduce, "__module__": __name__})


def _again(name: str, client: str, every: int) -> Steps:
    return steps(name)(client, every)


@cache
def kind(name: str) -> Kind:
    """Return the enumeration for the kind of claims of a page."""
    of = page(name)
    who, length = of.words.who, of.search.length
    return machine_kind(steps(name), f"{who} reaches a violation", f"{who} does not reach a violation in {length}")
