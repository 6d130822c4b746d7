"""Explanations of the tables' column heads on the HTML page, one sentence each."""

import re
from collections.abc import Iterable, Mapping
from html import unescape

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.claims.mark import EXPLAINED
from rebalance_proofs.report.claims.matrix import Matrix
from rebalance_proofs.report.claims.steps import TraceVariable
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.subjects import releases_of
from rebalance_proofs.report.symptoms.asked import whose
from rebalance_proofs.report.text.english import capitalized, listing

HEAD = re.compile(r'<th scope="col">([^<]*)</th>')

FIXED: Mapping[str, str] = {
    "Actions of the client": "The client's actions on the queue in the rebalance. Numbers count over all queues.",
    "Answers": "Each solver's answer and its time. unsat: no exception exists; sat: there is one.",
    "Before": "The queue's entry in the client's table when the rebalance begins.",
    "After": "The queue's entry in the client's table when the rebalance has ended.",
    "Bounds": "The largest numbers of queues (q) and consumers (c) that were tried. A bound is no proof.",
    "Assumptions satisfiable": "Whether a case meets all assumptions of the formula. It ran on the client's code.",
    "Breaks the guarantee": "Whether a case was found in which the mutant breaks the guarantee.",
    "Broken by": "The wrong encoding that breaks the obligation in its mutation test.",
    "Broken in cases": "The number of cases in which the claim does not hold, for each mode of the client.",
    "Case": "The dropped assumption, or another setting of the strategy; otherwise, all assumptions hold.",
    "Cases": "The number of cases that were run. = means that the number equals a closed form.",
    "Checks": "The number of recorded results that were compared with the model.",
    "Claims about": "The strategies or clients, and the first part of this page with claims about them.",
    "Number of claims": "The number of claims in this run.",
    "Mark": EXPLAINED,
    "Recorded": "The number of recorded results that equal the model's results, or what recorded groups did.",
    "Claim": "The claim, by its id.",
    "Comparison": "The client, and its mode, whose code was compared with the terms.",
    "Consumers before": "The number of consumers before one more joined.",
    "Differences": "Sizes at which solver and enumerator disagree.",
    "Differing cases": "Cases in which the client's code and the terms differ.",
    "Differing groups": "Groups in which the client's code and the terms differ.",
    "Digest": "A number computed from all results of the space; it does not depend on their order.",
    "Disagreements": "Recorded results that differ from the model's.",
    "Enumerator": "The smallest size at which the enumerator finds a violation.",
    "Fewest (place)": "The queues that change owners at the new consumer's best place in the list; 0 sorts first.",
    "File": "A file of results that real clients computed.",
    "Groups": "The number of groups that were built. = means that the number equals a closed form.",
    "In words": "The formula in words.",
    "Joins": "The number of joins that were counted. = means that the number equals a closed form.",
    "Malformed rows": "Rows that could not be read.",
    "Most (place)": "The queues that change owners at the new consumer's worst place in the list; 0 sorts first.",
    "Mutant": "A deliberate mistake in the encoding.",
    "Needed": "The fewest queues that must change owners to balance the shares.",
    "Not as proved": "Cases that a proved claim excludes.",
    "Not compared": "Rows outside the model, with the reason.",
    "Rejected by": "The obligations that no solver proves for the mutant.",
    "Obligation": "One formula that must be proved. All obligations of a claim together imply its sentence.",
    "Unusual values": "How many answers or states may be unusual at once in the tried cases.",
    "Positions compared": "The number of queue positions compared between the client's code and the terms.",
    "Rows missing": "Whether the file has fewer rows than were recorded.",
    "Vacuity check": "How many of the values that the assumptions must allow were found in a model of the assumptions.",
    "Guarantee": "What a rebalance guarantees.",
    "Queue": "A queue of the topic.",
    "Queues": "The number of queues in a case.",
    "Rewordings proved": "Whether the formula was also proved with other names and in another order.",
    "Rows": "The number of results in the file.",
    "Same size": "Whether solver and enumerator found smallest counterexamples of the same size.",
    "Size": "The number of consumers and queues in the query. sat: a counterexample has that size.",
    "Sizes": "The number of sizes at which solver and enumerator were compared.",
    "Smallest": "The size of the smallest case that breaks the claim.",
    "Solver": "The smallest size at which the solvers find a violation.",
    "States and answers of a queue": "The number of distinguished states and answers; all: every one.",
    "Step": "The step's number; 0 is the initial state.",
    "Strategies": "The strategies that are enumerated together.",
    "Strategy": "The allocation strategy, by its configured name; in brackets, the client that ships it.",
    "Time": "The time spent; in a trace, the time since its beginning.",
    "Time in the solver": "The solvers' time for all sizes.",
    "Used as": "The mode: kind of consumer, listener, message model.",
    "Versions": "The two versions that are compared.",
    "Violated in groups (smallest c, q)": "The number of groups that violate each guarantee, and the smallest of them.",
    "What happens": "The step's action, and the changes after it.",
    "What is compared": "The two sides that must agree.",
    "In the first rebalance": "The client's actions on the queue in this rebalance. Numbers count over all queues.",
    "In the second rebalance": "The client's actions on the queue in this rebalance. Numbers count over all queues.",
    "When": "The conditions.",
    "consumers": "The number of consumers; for moves, before one more joins. Further columns are numbers of queues.",
}
"""Explanation by column head, for column heads that are written in the page's templates."""


def heads(page: str, tables: Iterable[Matrix[ClaimResult]], things: Iterable[TraceVariable]) -> dict[str, str]:
    """Return the explanation of each column head that occurs in the text ``page``."""
    every = dict(FIXED) | {thing.name: thing.explained for thing in things} | _of_families(tables)
    here = sorted({unescape(head) for head in HEAD.findall(page)}, key=lambda head: (head.casefold(), head))
    return {head: every[head] for head in here if head in every}


def _of_families(tables: Iterable[Matrix[ClaimResult]]) -> dict[str, str]:
    """Return explanations of the heads of verdict tables, which name guarantees and clients."""
    found: dict[str, str] = {}
    for table in tables:
        for name in table.family.corner:
            found.setdefault(name, FIXED.get(name, f"The row's name in {table.family.title}."))
        for results in table.cells.values():
            for result in results:
                found.setdefault(shown(result.claim).column(result.claim), _column(result.claim))
    return found


def _column(claim: Claim) -> str:
    """Return the explanation of the claim's column head: the guarantee, or the client's releases."""
    name = shown(claim).column(claim)
    if name == claim.guarantee.name:
        return f"{capitalized(claim.guarantee.sentence)}."
    releases = listing(whose(release) for release in releases_of(claim))
    return f"Claims about {name}{f': {releases}' if releases else ''}."
