"""Faults about pull requests: code, terms, proofs."""

from tests.faults.fault import fault, proving

ENUMERATED = "enumerate pulls.java_v5_3_3.dies --quick"

FAULTS = (
    fault(
        "marked-entry-pulls",
        "PullsConsumer.pull_message",
        ("if entry.dropped:\n        return\n    entry.last_pull_timestamp = NOW"),
        "entry.last_pull_timestamp = NOW",
        ENUMERATED,
        "java_v5_3_3 pulls: both sides differ in",
    ),
    fault(
        "looks-again-before-it-sends",
        "PullsConsumer.sends",
        "self._send(entry, trouble=Trouble.NONE, thrown='')",
        ("if not entry.dropped:\n        self._send(entry, trouble=Trouble.NONE, thrown='')"),
        ENUMERATED,
        "java_v5_3_3 pulls: both sides differ in",
    ),
    fault(
        "query-forgotten",
        "ANSWERED",
        ", allows=dict.fromkeys(('revokes', 'repairs'), lambda s, c, lim: s.asking == 0))",
        ", allows={})",
        proving("pulls.java_v5_3_3.dies"),
        "pulls.java_v5_3_3.dies: expected PROVED, is",
    ),
    fault(
        "terms-lose-what-is-put-off",
        "takes",
        ".waiting - If(Or(s.dropped, sends), 1, 0), pulling",
        ".waiting - 1, pulling",
        proving("pulls.java_v5_3_3.has-request"),
        "pulls.java_v5_3_3.has-request: expected PROVED, is",
    ),
    fault(
        "code-fails-once",
        "RemotingV5_3.invoke_async",
        ("callback.on_exception(entry)\n        return False"),
        "return False",
        proving("pulls.java_v5_3_3.one-request.without-connection"),
        "pulls.java_v5_3_3.one-request.without-connection: expected REFUTED, is",
    ),
    fault(
        "every-error-is-survived",
        "PullsClient.consumer",
        ", catches_throwable=self.rules.thread_survives, limit",
        ", catches_throwable=True, limit",
        proving("pulls.java_v5_3_0.healed pulls.java_v5_3_0.healed.without-error"),
        "pulls.java_v5_3_0.healed.without-error: expected REFUTED, is",
    ),
    fault(
        "premise-forgotten",
        "NOT_LATE",
        ", lim: Not(c.old)})",
        ", lim: True})",
        proving("pulls.java_v5_3_3.hits-own-entry"),
        "pulls.java_v5_3_3.hits-own-entry: expected PROVED, is",
    ),
)
