"""Fields without a pair of documents, each with the reason."""

from collections.abc import Mapping

FORMAT = "it is the version of the format"
ONE = "it is one sentence or value of the program, which no result changes"
CONSTANT: Mapping[str, Mapping[str, str]] = {
    "": {"format": FORMAT},
    "safe": {"kubernetes.proved": ONE},
    "settle": {"kubernetes.proved": ONE},
    "explore": {"runs_seen": ONE},
    "why": dict.fromkeys(("symptoms", "symptoms.name", "symptoms.question"), ONE),
    "releases": dict.fromkeys(("newest", "newest.client", "newest.version", "newest.where", "newest.checked"), ONE),
}
"""Document, "" for all -> fields that are the same in every document."""
PINNED = "no result here has it; tests/pins has the counterexamples of all machines"
RARE = "no result here has another value"
OPEN: Mapping[str, Mapping[str, str]] = {
    "results": {
        "*_counterexample.file": "it is made of the claim's id",
        "registry_action.*": PINNED,
        "effect.details": PINNED,
        "comparison.at_first": PINNED,
        "change.*": PINNED,
        "claim.if.family": "it is a condition of the schema",
        "claim.then.counterexample": "it is a condition of the schema",
        "obligation.proved": "it is computed from the proof's answers; tests/proofs/test_judges.py has both values",
    },
    "safe": {
        "kubernetes.shutdown_takes.sentence": "`settle` has the same part of the document",
        "kubernetes.cases.name": "`settle` has the same part of the document",
    },
    "settle": {"two_events.event": "it is the name of each event; tests/pins/settle.txt has them"},
    "check": {
        "complete": "tests/cli/test_check.py has a check of a part of the ids",
        "rows.with_other_names": "tests/cli/test_check_names.py has such a strategy",
        "names_tried.*": "tests/cli/test_check_names.py has checks with given names",
        "tried.queues": RARE,
    },
    "audit": {
        "known_lines*": "tests/report/audit/test_known.py has audits of known lines",
        "not_modelled.subject": RARE,
        "group.*": RARE,
    },
    "record": {
        "failed.why": RARE,
        "run.*": "tests/cli/test_record.py has recordings of released jars, and of early ends",
        "fact.kind": "it is the type of the fact; tests/pins/lived.txt has all kinds",
        "fact.then": RARE,
        "fact.bugs": RARE,
    },
    "why": {
        "signs.*": "tests/pins/signs.txt has the signs of printed tables",
        "understood.denied": "tests/pins/asked.txt has what is understood of questions",
    },
    "conform_java": {"steps_model": RARE},
}
"""Document -> fields, or patterns of fields, without a pair so far."""
MOST_OPEN: Mapping[str, int] = {
    "safe": 2,
    "settle": 1,
    "why": 2,
    "audit": 9,
    "check": 8,
    "record": 14,
    "results": 15,
    "conform_java": 1,
}
"""Document -> number of its fields in ``OPEN``; a new field needs a pair."""
