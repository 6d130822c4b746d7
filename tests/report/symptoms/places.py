"""Places of known causes in the answer of ``rebalance why``."""

from dataclasses import replace

from rebalance_proofs.cli.why import why
from rebalance_proofs.model.releases import JAVA, UnknownRelease, resolved
from rebalance_proofs.report.claims.mine import chosen_strategy
from rebalance_proofs.report.symptoms.answer import found
from rebalance_proofs.report.symptoms.asked import asked
from rebalance_proofs.report.symptoms.cause import After, Facts, Reach, Symptom
from rebalance_proofs.report.symptoms.narrowed import ranked
from rebalance_proofs.report.symptoms.unmodelled import strategy_named
from tests.report.symptoms.cases import Case


def _covered(client: str) -> str:
    """The client as typed, or nothing where the answer refuses its major version: a user then leaves it out."""
    try:
        resolved(client or JAVA[-1])
    except UnknownRelease:
        return ""
    return client


def place_of(case: Case) -> int:
    """The place of the cause, counted from 1; one more than there are causes if it is none of them."""
    typed = why.make_context("why", list(case.typed)).params
    question = asked(_covered(typed["client"] or ""), typed["mode"] or "")
    if typed["strategy"]:
        question = replace(question, wanted=chosen_strategy(strategy_named(typed["strategy"])))
    after, reach = typed["after"], typed["reach"]
    facts = Facts(After(after) if after else None, Reach(reach) if reach else None, typed["over"], typed["lasted"])
    names = [one.found.cause.name for one in ranked(found(Symptom(typed["about"]), question, facts.lasted), facts)]
    return names.index(case.cause) + 1 if case.cause in names else len(names) + 1
