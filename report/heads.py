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
    "Answers": "Each solver's answer and its time. unsat: no exception exists; sat: there is one.",
    "Before": "The queue's entry in the client's table when the rebalance begins.",
    "After": "The queue's entry in the client's table when the rebalance has ended.",
    "Bounds": "The largest numbers of queues (q) and consumers (c) that were tried. A bound is no proof.",
    "Broken by": "A wrong encoding for which the obligation does not hold, so that the obligation notices something.",
    "Broken in cases": "The number of cases in which the claim does not hold, for each way to use the client.",
    "Case": "Whether all assumptions hold, or which one is dropped, or which other setting the strategy has.",
    "Cases": "The number of cases that were met. = means that it equals a closed form.",
    "Checks": "The number of recorded results that were compared with the model.",
    "Claims about": "The strategies or clients, and the first part of this page with claims about them.",
    "How many": "Claims of this run.",
    "Real clients": EXPLAINED,
    "Recorded": "The number of recorded results that the model computes too, or what recorded groups show.",
    "Claim": "The claim. Its table has the same claims in other words below it.",
    "Comparison": "The client's code and the terms that were compared, and the way to use the client.",
    "Consumers before": "The number of consumers before one more joined.",
    "Differences": "Sizes at which solver and enumerator disagree.",
    "Differing cases": "Cases in which the client's code and the terms differ.",
    "Differing groups": "Groups in which the client's code and the terms differ.",
    "Digest": "A number computed from all results of the space; it does not depend on their order.",
    "Disagreements": "Recorded results that differ from the model's.",
    "Enumerator": "The smallest size at which the enumerator finds a violation.",
    "Fewest (place)": "The number of queues that change hands at the joiner's best place; 0 sorts first.",
    "File": "A file of results that real clients computed.",
    "Groups": "The number of groups that were built. = means that it equals a closed form.",
    "In words": "What the formula says.",
    "Joins": "The number of joins that were counted. = means that it equals a closed form.",
    "Less than pinned": "Whether the file has fewer rows than were recorded.",
    "Malformed rows": "Rows that could not be read.",
    "Most (place)": "The number of queues that change hands at the joiner's worst place; 0 sorts first.",
    "Mutant": "A mistake put into the encoding on purpose.",
    "Needed": "The fewest queues that have to change hands to balance the shares.",
    "Not as proved": "Cases that a proved claim excludes.",
    "Not compared": "Rows outside the model, with the reason.",
    "Noticed by": "The obligations that no solver proves any more with this mistake.",
    "Obligation": "One formula that has to be proved. All obligations of a claim together give its sentence.",
    "Out of the ordinary": "How many answers or states may be unusual at once in the tried cases.",
    "Positions compared": "The number of queue positions compared between the client's code and the terms.",
    "Premises can be met": "Whether a case meets all assumptions of the formula. The case ran on the client's code.",
    "Premises leave open": "How many values that the assumptions must not exclude were found in a model of them.",
    "Guarantee": "What a rebalance guarantees.",
    "Queue": "A queue of the topic.",
    "Queues": "The number of queues in a case.",
    "Really wrong": "Whether a case was found in which the mistake breaks a guarantee.",
    "Rewordings proved": "Whether the formula was also proved with other names and in another order.",
    "Rows": "The number of results in the file.",
    "Same size": "Whether solver and enumerator found smallest counterexamples of the same size.",
    "Size asked for": "The number of consumers and queues asked about. sat: a counterexample has that size.",
    "Sizes": "The number of sizes at which both were asked.",
    "Smallest": "The size of the smallest case in which it is broken.",
    "Solver": "The smallest size at which the solvers find a violation.",
    "States and answers of a queue": "The number of distinguished states and answers; all: every one.",
    "Step": "The step's number; 0 is the beginning.",
    "Strategies": "The strategies that are enumerated together.",
    "Strategy": "How consumers divide queues, by the configured name; in brackets, whose code it is.",
    "Time": "The time that it took; in a trace, the time since its beginning.",
    "Time in the solver": "The solvers' time for all sizes.",
    "Used as": "The way to use the client: kind of consumer, listener, message model.",
    "Versions": "The two versions that are compared.",
    "Violated in groups (smallest c, q)": "The number of groups that violate each guarantee, and the smallest of them.",
    "What happens": "The step's action, and the changes after it.",
    "What is compared": "The two sides that have to agree.",
    "What the client does": "The client's actions on the queue in the rebalance. Numbers count over all queues.",
    "In the first rebalance": "The client's actions on the queue in it. Numbers count over all queues.",
    "In the second rebalance": "The client's actions on the queue in it. Numbers count over all queues.",
    "When": "The conditions.",
    "consumers": "The number of consumers; for moves, before one more joins. Further columns are numbers of queues.",
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
            found.setdefault(name, FIXED.get(name, f"The row's name in {table.family.title}."))
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
