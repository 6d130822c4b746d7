"""Explanations of the column heads of the page's tables, one sentence each."""

import re
from collections.abc import Iterable, Mapping
from html import unescape

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.english import capitalized, listing
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.mark import EXPLAINED
from rebalance_proofs.report.matrix import Matrix
from rebalance_proofs.report.subjects import releases_of
from rebalance_proofs.report.symptoms.asked import whose
from rebalance_proofs.report.trace_variables import TraceVariable

__all__ = ["FIXED", "heads"]

HEAD = re.compile(r'<th scope="col">([^<]*)</th>')

FIXED: Mapping[str, str] = {
    "Answers": "What each solver said, and how long it took. unsat: no exception exists; sat: there is one.",
    "Before": "The queue's entry in the client's table when the rebalance begins.",
    "After": "The queue's entry in the client's table when the rebalance has ended.",
    "Bounds": "Up to how many queues (q) and consumers (c) everything was tried. A bound is no proof.",
    "Broken by": "A wrong encoding for which the obligation does not hold: it notices something.",
    "Broken in cases": "In how many of the cases what the claim promises does not hold, way by way to use the client.",
    "Case": "Whether all premises hold, or which one is dropped, or by what else the strategy goes.",
    "Cases": "How many were met; = says that they are as many as a closed form says.",
    "Checks": "How many recorded results were compared with what the model computes.",
    "Claims about": "The strategies or clients, and the first of the parts of this page that has claims about them.",
    "How many": "Claims of this run.",
    "Real clients": EXPLAINED,
    "Recorded": "How many recorded results of a client the model computes too, or what recorded groups show.",
    "Claim": "What is claimed; the same claims in other words stand below their table.",
    "Comparison": "Whose code was compared with which terms, in which way to use the client.",
    "Consumers before": "How many there were before one more joined.",
    "Differences": "Sizes at which solver and enumerator do not say the same.",
    "Differing cases": "Cases in which the client's code and the terms do not come to the same.",
    "Differing groups": "Groups in which the client's code and the terms do not come to the same.",
    "Digest": "A number that all results of the space come down to, in whatever order they were computed.",
    "Disagreements": "Recorded results that are not what the model computes.",
    "Enumerator": "The smallest size at which trying every group, or every case, meets a violation.",
    "Fewest (place)": "How many queues change hands at the best place of the joiner; 0 sorts first.",
    "File": "A file of results that real clients were seen to compute.",
    "Groups": "How many were built; = says that they are as many as a closed form says.",
    "In words": "What the formula says.",
    "Joins": "How many were counted; = says that they are as many as a closed form says.",
    "Less than pinned": "Whether the file has fewer rows than were recorded.",
    "Malformed rows": "Rows that could not be read.",
    "Most (place)": "How many queues change hands at the worst place of the joiner; 0 sorts first.",
    "Mutant": "A mistake that one could make in the encoding, put in on purpose.",
    "Needed": "How many queues have to change hands at least, for the shares to be balanced.",
    "Not as proved": "What was counted that a claim says cannot be.",
    "Not compared": "Rows that the model does not speak of, with the reason.",
    "Noticed by": "The obligations that no solver proves any more with the mistake in.",
    "Obligation": "One formula that has to be proved; those of a claim give its sentence together.",
    "Out of the ordinary": "How many answers or states may be unusual at once in the cases that were tried.",
    "Positions compared": "How many positions of queues were compared between the client's code and the terms.",
    "Premises can be met": "Whether in some case all premises of the formula hold; it was run on the client's code.",
    "Premises leave open": "How many of the things that the premises must not exclude were found in a model of them.",
    "Promise": "What a rebalance is to do, or not to do.",
    "Queue": "A queue of the topic.",
    "Queues": "How many queues the cases have.",
    "Really wrong": "Whether a case was found in which the mistake breaks what users are promised.",
    "Rewordings proved": "Whether the formula was proved as well with other names and in another order.",
    "Rows": "How many results the file has.",
    "Same size": "Whether solver and enumerator found smallest counterexamples of the same size.",
    "Size asked for": "How many consumers and queues it was about; sat: there is a counterexample of that size.",
    "Sizes": "At how many sizes both were asked.",
    "Smallest": "The size of the smallest case in which it is broken.",
    "Solver": "The smallest size at which the solvers find a violation.",
    "States and answers of a queue": "How many different ones are told apart; all: every one there is.",
    "Step": "Its number; 0 is how it begins.",
    "Strategies": "Those that are enumerated together.",
    "Strategy": "How consumers divide queues, by the name that is set; in brackets, whose code it is.",
    "Time": "How long it took; in a run, the time since its beginning.",
    "Time in the solver": "How long the solvers took for all sizes.",
    "Used as": "The way to use the client: kind of consumer, listener, message model.",
    "Versions": "Which two are compared.",
    "Violated in groups (smallest c, q)": "In how many groups each guarantee does not hold, and the smallest of them.",
    "What happens": "What is done in this step, and what is different after it.",
    "What is compared": "Which two sides have to come to the same.",
    "What the client does": "What is done with the queue in the rebalance; numbers count over all queues.",
    "In the first rebalance": "What is done with the queue in it; numbers count over all queues.",
    "In the second rebalance": "What is done with the queue in it; numbers count over all queues.",
    "When": "Under which circumstances.",
    "consumers": "How many the group has; of moves, before one more joins. Beside it, for each number of queues.",
}
"""Heads that the templates contain."""


def heads(page: str, tables: Iterable[Matrix[ClaimResult]], things: Iterable[TraceVariable]) -> dict[str, str]:
    """Head -> explanation, for the columns of all tables in ``page``, in alphabetical order."""
    every = dict(FIXED) | {thing.name: thing.explained for thing in things} | _of_families(tables)
    here = sorted({unescape(head) for head in HEAD.findall(page)}, key=lambda head: (head.casefold(), head))
    return {head: every[head] for head in here if head in every}


def _of_families(tables: Iterable[Matrix[ClaimResult]]) -> dict[str, str]:
    """Heads of the tables of verdicts: guarantees and clients."""
    found: dict[str, str] = {}
    for table in tables:
        for name in table.family.corner:
            found.setdefault(name, FIXED.get(name, f"Which row of {table.family.title} it is."))
        for results in table.cells.values():
            for result in results:
                found.setdefault(shown(result.claim).column(result.claim), _column(result.claim))
    return found


def _column(claim: Claim) -> str:
    """For a guarantee its own sentence; for a client its releases."""
    name = shown(claim).column(claim)
    if name == claim.guarantee.name:
        return f"{capitalized(claim.guarantee.sentence)}."
    releases = listing(whose(release) for release in releases_of(claim))
    return f"Claims about {name}{f': {releases}' if releases else ''}."
