"""Faults about pull requests: code, terms, proofs."""

from tests.faults.fault import fault, proving

ENUMERATED = "enumerate pulls.java_v5_3_3.dies --quick"

FAULTS = (
    fault(
        "marked-entry-pulls",
        "model/pulls/consumer.py",
        "        if entry.dropped:\n            return\n",
        "",
        ENUMERATED,
        "java_v5_3_3 pulls: both sides differ in",
    ),
    fault(
        "looks-again-before-it-sends",
        "model/pulls/consumer.py",
        '        self.fixed.add(entry)\n        self._send(entry, trouble=Trouble.NONE, thrown="")\n',
        "        self.fixed.add(entry)\n        if not entry.dropped:\n"
        '            self._send(entry, trouble=Trouble.NONE, thrown="")\n',
        ENUMERATED,
        "java_v5_3_3 pulls: both sides differ in",
    ),
    fault(
        "query-forgotten",
        "model/machines/pulls.py",
        'dict.fromkeys(("revokes", "repairs"), lambda s, c, lim: s.asking == 0)',
        "{}",
        proving("pulls.java_v5_3_3.dies"),
        "pulls.java_v5_3_3.dies: expected PROVED, is",
    ),
    fault(
        "terms-lose-what-is-put-off",
        "model/machines/pulls.py",
        "        waiting=s.waiting - If(Or(s.dropped, sends), 1, 0),\n",
        "        waiting=s.waiting - 1,\n",
        proving("pulls.java_v5_3_3.has-request"),
        "pulls.java_v5_3_3.has-request: expected PROVED, is",
    ),
    fault(
        "code-fails-once",
        "model/pulls/remoting.py",
        "            # No return: invokeAsyncImpl is called with no time left, and fails.\n"
        "            callback.on_exception(entry)\n",
        "",
        proving("pulls.java_v5_3_3.one-request.without-connection"),
        "pulls.java_v5_3_3.one-request.without-connection: expected REFUTED, is",
    ),
    fault(
        "every-error-is-survived",
        "model/machines/pulls.py",
        "catches_throwable=self.rules.thread_survives",
        "catches_throwable=True",
        proving("pulls.java_v5_3_0.healed pulls.java_v5_3_0.healed.without-error"),
        "pulls.java_v5_3_0.healed.without-error: expected REFUTED, is",
    ),
    fault(
        "premise-forgotten",
        "model/machines/pulls.py",
        'allows={"illegal": lambda s, c, lim: Not(c.old)}',
        'allows={"illegal": lambda s, c, lim: True}',
        proving("pulls.java_v5_3_3.hits-own-entry"),
        "pulls.java_v5_3_3.hits-own-entry: expected PROVED, is",
    ),
)
