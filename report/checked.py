"""How findings of the enumeration are told, kind by kind; an unknown kind is told as a comparison of cases."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rebalance_proofs.report.english import count, group_size
from rebalance_proofs.report.kinds import ACTIONS
from rebalance_proofs.spark_enum.allocation.kinds import (
    BEYOND,
    ENUMERATOR,
    GROUPS,
    JOINS,
    SIZES,
    SMALLEST,
    SOLVER,
    UNATTAINED,
)
from rebalance_proofs.spark_enum.explorer.kinds import EXPLORED
from rebalance_proofs.spark_enum.results import Finding, Wrong
from rebalance_proofs.spark_enum.transition.kinds import CALLS, LETTERS, MODELS, PROMISES, SINGLES, TABLES


@dataclass(frozen=True)
class Words:
    """Of one kind of finding. What is in braces is filled in by ``said``."""

    missing: str = "{counted} compared, the closed form says {found.expected:,}"
    """Not every case was met once."""
    differing: str = "both sides differ in {differing}, first: {found.first}"
    broken: Mapping[str, str] = field(default_factory=dict)
    """What is not broken in a finding that is as expected -> what is to be said when it is."""
    noun: str = "case"
    meant: str = ""
    """What is compared with what."""
    suite: str = "transitions"
    """Of JUnit XML; empty for what is no test."""
    place: str = ""
    """The class name there."""
    size: tuple[str, str] = ("consumers", "queues")
    """What the size of a case tells."""
    line: str = "compared {found.name}: {met}"
    """How the line on a terminal begins."""

    def said(self, found: Finding, sentence: str, number: int = 0) -> str:
        """One of the sentences about the finding; ``number`` is in how many cases it is so."""
        solver, enumerator = (found.smallest.get(who) for who in (SOLVER, ENUMERATOR))
        counted, expected = count(found.counted, self.noun), count(found.expected, self.noun)
        return sentence.format(
            found=found,
            counted=counted,
            expected=expected,
            together=f", q + c <= {found.bounds['together']}" if "together" in found.bounds else "",
            met=counted if found.complete else f"{found.counted:,} of {expected}",
            differing=count(found.differing, self.noun),
            number=f"{number:,}",
            sizes=count(number, "size"),
            solver=size_of(solver),
            enumerator=size_of(enumerator),
        )


def size_of(group: Wrong | None) -> str:
    """How large a group is: ``2 consumers, 1 queue``."""
    if group is None:
        return group_size(None)
    consumers, queues = group.size
    return group_size((consumers, queues))


_CLAIMS = "not every case near to a benign round was met once"

WORDS: Mapping[str, Words] = {
    GROUPS: Words(
        missing="{counted} enumerated, the closed form says {found.expected:,}",
        differing="concrete result and compiled term differ in {differing}, first: {found.first}",
        noun="group",
        line="swept {found.name}: q <= {found.bounds[queues]}, c <= {found.bounds[consumers]}{together}, {met}",
        suite="enumeration",
        place="enumeration",
    ),
    JOINS: Words(
        missing="{found.counted:,} were counted, the closed form says {found.expected:,}",
        differing="in {found.differing:,} of them not as many queues change hands as is proved",
        broken={
            BEYOND: "in {number} of them more queues change hands than the proved bound",
            UNATTAINED: "at {sizes} the proved bound is not reached",
        },
        noun="join",
        line="joins {found.subject}: q <= {found.bounds[queues]}, c <= {found.bounds[consumers]} before the join, "
        "{counted}",
        suite="enumeration",
        place="movement",
    ),
    SIZES: Words(
        missing="solver and enumerator were compared at {found.counted} of {expected}",
        differing="solver and enumerator differ at {differing}, first: {found.first}",
        noun="size",
        suite="comparison",
        place="comparison.at-size",
    ),
    SMALLEST: Words(
        differing="the smallest counterexample of the solver is {solver}, of the enumerator {enumerator}",
        suite="comparison",
        place="comparison.smallest",
    ),
    LETTERS: Words(suite=""),
    SINGLES: Words(meant="the client's code with the compiled terms, in every state of one queue"),
    CALLS: Words(meant="the client's code on several queues with the same code on each alone"),
    TABLES: Words(meant="the compiled terms of several queues with the client's code on each alone"),
    MODELS: Words(meant="every model of the solver with the client's code"),
    **{
        actions.finding: Words(
            meant=f"{actions.code} with the compiled terms, one action from every state of {actions.state}",
            noun="action",
            suite=kind,
            place=f"{kind}.actions",
        )
        for kind, actions in ACTIONS.items()
    },
    EXPLORED: Words(
        missing="{counted} gone through, {found.expected:,} are recorded",
        differing="not as recorded, {found.first}",
        noun="state",
        meant="all states of a whole group: how many, and what is found in them, with what is recorded",
        suite="groups",
        place="groups.explored",
        line="rebalance {found.name}: {met}",
    ),
    PROMISES: Words(missing=_CLAIMS, differing=_CLAIMS, place="transitions.claims", size=("queues", "departures")),
}
"""In the order of the suites."""


def words_of(kind: str) -> Words:
    """Those of the kind, or of any comparison of cases."""
    return WORDS.get(kind, Words(meant=kind))


def sentences(found: Finding) -> tuple[str, ...]:
    """What is not as expected about it; each names it."""
    words = words_of(found.kind)
    said = [] if found.complete else [words.said(found, words.missing)]
    if found.differing:
        said.append(words.said(found, words.differing))
    for name, number in found.broken.items():
        if number and name in words.broken:
            said.append(words.said(found, words.broken[name], number))
    return tuple(f"{found.name}: {sentence}" for sentence in dict.fromkeys(said))
