"""Write docs/reference/upstream.md to stdout: ``python -m rebalance_proofs.report.export.upstream``.

The page lists the faults of released clients that have an exported test, with the state of each fault upstream.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rebalance_proofs.proofs.ledger import only
from rebalance_proofs.report.export.export import export
from rebalance_proofs.report.kinds import smallest
from rebalance_proofs.report.replay.steps import steps


@dataclass(frozen=True)
class Fault:
    """A fault of a released client, and what is known of it upstream."""

    claim: str
    """Id of a refuted claim, whose exported test shows the fault."""
    language: str
    """Value of ``--for``."""
    title: str
    """One line, as the title of a report."""
    affected: str
    """Releases with the fault, in words."""
    fixed: str = ""
    """The first mended release whose test passes; empty if there is none."""
    issue: str = ""
    """Address of the issue, or of the merged pull request, about this fault; empty if the search found none."""
    related: str = ""
    """Address of a thread about the same fault of another client."""
    given: str = ""
    """What holds before the first step, in a sentence, if the steps do not say it."""

    expected: str = ""
    """What should happen, in a sentence, if the claim's sentence does not say it well."""
    cause: str = ""
    """Where the code is wrong, in a sentence, if the steps do not show it."""

    @property
    def status(self) -> str:
        """The state upstream, in a few words with links."""
        known = f"[{_short(self.issue)}]({self.issue})" if self.issue else "no issue found"
        state = f"fixed in {self.fixed}; {known}" if self.fixed else f"known: {known}" if self.issue else known
        state += (
            ", merged, but not in the affected release"
            if self.issue and "/pull/" in self.issue and not self.fixed
            else ""
        )
        return f"{state}; like [{_short(self.related)}]({self.related})" if self.related else state


ISSUES = "https://github.com/apache"
GRPC_GO = "github.com/apache/rocketmq-clients/golang/v5 v5.1.3 to v5.1.4 (run: v5.1.4; compared: v5.1.3)"
GRPC_JAVA = "org.apache.rocketmq:rocketmq-client-java 5.0.8 to 5.2.1 (run: 5.0.8, 5.1.0, 5.2.0; read: 5.2.1)"
NO_NODES = "The strategy cannot be created with 0 virtual nodes, or it gives every queue to some consumer."
FAULTS = (
    Fault(
        "receiving.python_v5_1_1.one-loop",
        "pytest",
        "Python: each answer with a newly assigned queue begins another receive loop for every earlier queue",
        "rocketmq-python-client 5.0.9 to 5.1.1",
        fixed="5.1.2",
    ),
    Fault(
        "receiving.python_v5_1_1.received.without-progress",
        "pytest",
        "Python: an expired process queue is never replaced",
        "rocketmq-python-client 5.0.9 to 5.1.1",
        fixed="5.1.2",
    ),
    Fault(
        "receiving.python_v5_1_1.unsubscribed.without-in-time",
        "pytest",
        "Python: a late answer begins to receive a topic that is unsubscribed",
        "rocketmq-python-client 5.0.9 to 5.1.1",
        fixed="5.1.2",
    ),
    Fault(
        "receiving.python_v5_0.let-go",
        "pytest",
        "Python: queues are received after they are assigned to other consumers",
        "rocketmq-python-client 5.0.9",
        fixed="5.1.1",
    ),
    Fault(
        "receiving.python_v5_0.unsubscribed",
        "pytest",
        "Python: unsubscribe does not end the topic's receive loops",
        "rocketmq-python-client 5.0.9",
        fixed="5.1.1",
    ),
    Fault(
        "receiving.go.unharmed",
        "go",
        "Go: one failed query for an assignment drops all queues of the topic until the next scan",
        GRPC_GO,
        expected="After a failed query, the receive loop of the queue goes on.",
    ),
    Fault(
        "receiving.go.unsubscribed",
        "go",
        "Go: unsubscribe does not end the topic's receive loops",
        GRPC_GO,
        related=f"{ISSUES}/rocketmq-client-go/issues/1024",
    ),
    Fault(
        "receiving.go.one-loop",
        "go",
        "Go: receive loops of dropped process queues go on, and a returned queue has two",
        GRPC_GO,
        issue=f"{ISSUES}/rocketmq-clients/pull/1328",
    ),
    Fault(
        "receiving.go.received.without-progress",
        "go",
        "Go: an expired process queue is never found, because a time difference overflows",
        GRPC_GO,
        cause="`defaultProcessQueue.expired` subtracts `cacheFullNanoTime`, which is `math.MinInt64` until the cache "
        "is full for the first time. The difference overflows and is negative, so that `expired` returns false.",
    ),
    Fault(
        "receiving.java.received.without-progress",
        "junit",
        "Java: an expired process queue is never found, because a time difference overflows",
        GRPC_JAVA,
        cause="`ProcessQueueImpl.expired` subtracts `cacheFullNanoTime`, which is `Long.MIN_VALUE` until the cache is "
        "full for the first time. The difference overflows and is negative, so that `expired` returns false.",
    ),
    Fault(
        "receiving.java.unsubscribed",
        "junit",
        "Java: unsubscribe does not end the topic's receive loops",
        GRPC_JAVA,
        related=f"{ISSUES}/rocketmq-client-go/issues/1024",
    ),
    Fault(
        "receiving.node.unsubscribed",
        "node",
        "Node: unsubscribe does not end the topic's receive loops",
        "rocketmq-client-nodejs 1.0.8",
        related=f"{ISSUES}/rocketmq-client-go/issues/1024",
    ),
    Fault(
        "receiving.node.stopped.without-in-time",
        "node",
        "Node: an answer that arrives after shutdown begins to receive again",
        "rocketmq-client-nodejs 1.0.8",
    ),
    Fault(
        "allocation.room-go.disjoint.with-a-room-twice",
        "go",
        "Go: AllocateByMachineRoom gives a queue to two consumers if a room is listed twice",
        "github.com/apache/rocketmq-client-go/v2 v2.1.2",
    ),
    Fault(
        "allocation.room-go.listed",
        "go",
        "Go: AllocateByMachineRoom gives out queues of rooms that are not listed",
        "github.com/apache/rocketmq-client-go/v2 v2.1.2",
        related=f"{ISSUES}/rocketmq/issues/2477",
    ),
    Fault(
        "allocation.hash-go.covers.without-virtual-nodes",
        "go",
        "Go: AllocateByConsistentHash(0) panics in each rebalance, and no queue is consumed",
        "github.com/apache/rocketmq-client-go/v2 v2.1.2",
        expected=NO_NODES,
    ),
    Fault(
        "allocation.hash.covers.without-virtual-nodes",
        "junit",
        "Java: AllocateMessageQueueConsistentHash accepts 0 virtual nodes, and then no queue is consumed",
        "org.apache.rocketmq:rocketmq-client 4.9.8 to 5.5.0",
        expected=NO_NODES,
    ),
    Fault(
        "allocation.hash.covers.without-virtual-nodes",
        "rust",
        "Rust: AllocateMessageQueueConsistentHash accepts 0 virtual nodes, and then no queue is consumed",
        "rocketmq-model 1.0.0",
        expected=NO_NODES,
    ),
    Fault(
        "transition.java_v4_9_1.knows-lock.push-orderly",
        "junit",
        "Java: a new process queue does not know that the broker has granted its lock",
        "org.apache.rocketmq:rocketmq-client 4.9.1 to 4.9.4",
        fixed="4.9.5",
        issue=f"{ISSUES}/rocketmq/issues/5465",
    ),
    Fault(
        "transition.java_v4_9.offset-kept.push-orderly",
        "junit",
        "Java: a rebalance forgets the offset of a queue whose listener runs on",
        "org.apache.rocketmq:rocketmq-client 4.9.8 to 5.1.4",
        fixed="5.2.0",
        given="The queue's listener runs.",
    ),
    Fault(
        "transition.java_v4_9.late-unlock.push-orderly-as-shipped",
        "junit",
        "Java: a delayed unlock releases the lock of a queue that was assigned again",
        "org.apache.rocketmq:rocketmq-client 4.9.8 to 5.1.4",
        fixed="5.2.0",
        given="The process queue has a message that is not consumed.",
    ),
    Fault(
        "transition.java_v5_0.renewed.push-orderly",
        "junit",
        "Java: locks of static topics are never renewed",
        "org.apache.rocketmq:rocketmq-client 5.1.4 and 5.3.1",
        fixed="5.5.0",
    ),
    Fault(
        "transition.java_v5_2.no-group-lock.push-orderly-broadcasting-up-to-5-3-1",
        "junit",
        "Java: orderly broadcasting consumers compete for the group's lock",
        "org.apache.rocketmq:rocketmq-client 4.9.8 to 5.3.1",
        fixed="5.3.2",
        issue=f"{ISSUES}/rocketmq/issues/8772",
    ),
    Fault(
        "transition.java_v5_2.listener.push-orderly",
        "junit",
        "Java: a rebalance releases the broker's lock while the queue's listener runs",
        "org.apache.rocketmq:rocketmq-client 5.3.1 to 5.5.0",
        given="The queue's listener runs, and the lock was renewed more than 20 s ago.",
    ),
    Fault(
        "transition.java_v5_2.unsubscribed-lock.push-orderly",
        "junit",
        "Java: unsubscribe keeps the broker's locks, so that other consumers wait until they expire",
        "org.apache.rocketmq:rocketmq-client 4.9.8 to 5.5.0",
        related=f"{ISSUES}/rocketmq-client-go/pull/1220",
    ),
    Fault(
        "transition.java_v5_2.unsubscribed-offset",
        "junit",
        "Java: unsubscribe does not store the offsets of the topic's queues",
        "org.apache.rocketmq:rocketmq-client 4.9.8 to 5.5.0",
    ),
    Fault(
        "transition.java_v5_2.returns.push-orderly-as-shipped",
        "junit",
        "Java: a queue that is assigned again keeps its dropped process queue, and is not consumed",
        "org.apache.rocketmq:rocketmq-client 4.9.8 to 5.5.0",
        given="The queue's listener runs.",
    ),
)
"""All listed faults. ``affected`` names only releases whose test fails, or whose code was read or compared."""
HEAD = """\
# Faults of released clients

Each fault below has an exported test. The test fails on its own release, and passes where the fault is mended.
*Affected* names releases in which the test fails, whose code was read, or that `rebalance conform` compared with the
model of the faulty client.
*Fixed* names the first release in which the test passes, or the code read is mended. The stored issues of the clients'
repositories were searched for each fault; a recent or differently worded issue can be missing. *Like* is a thread about
the same fault of another client. `make docs` writes this page.

| fault | affected | upstream | test |
|---|---|---|---|"""
REPORTS = """\
## Reports

These faults are not fixed, and the search found no issue about them. Each report is ready to be filed, with its test.
"""


def page() -> str:
    """Return the page."""
    return "\n".join([HEAD, *map(_row, FAULTS), "", REPORTS, *(part for one in FAULTS for part in _report(one))])


def _short(address: str) -> str:
    """Return ``rocketmq#8772`` for the address of an issue or a pull request."""
    *_, repository, _, number = address.split("/")
    return f"{repository}#{number}"


def _row(fault: Fault) -> str:
    return f"| {fault.title} | {fault.affected} | {fault.status} | `{_command(fault)}` |"


def _command(fault: Fault) -> str:
    return f"rebalance export-test {fault.claim} --for {fault.language}"


def _report(fault: Fault) -> Iterator[str]:
    """Yield the ready report of a fault that is neither fixed nor known."""
    if fault.fixed or fault.issue:
        return
    claim = only(fault.claim)
    example = smallest(claim)
    run = steps(claim, example)
    notes = getattr(getattr(example.group, "setting", None), "notes", ())
    test = export(claim, fault.language)
    (command,) = (
        line.removeprefix(f"{test.language.comment} Run: ") for line in test.text.splitlines() if " Run: " in line
    )
    expected, actual = (
        f"{text[0].upper()}{text[1:].rstrip('.')}." for text in (fault.expected or claim.guarantee.sentence, run.wrong)
    )
    yield f"### {fault.title}\n"
    yield f"**Affected:** {fault.affected}.\n"
    yield "**Steps:**\n"
    given = [*([fault.given] if fault.given else []), *notes, *(step.words for step in run.steps)]
    yield "\n".join(f"{place}. {words}" for place, words in enumerate(given, 1)) + "\n"
    yield f"**Expected:** {expected}\n"
    yield f"**Actual:** {actual.removeprefix('Broken: ')[0].upper()}{actual.removeprefix('Broken: ')[1:]}\n"
    if fault.cause:
        yield f"**Cause:** {fault.cause}\n"
    yield f"**Test:** `{_command(fault)}` writes `{test.path}`. Run it with:\n"
    yield f"```\n{command}\n```\n"


if __name__ == "__main__":
    print(page(), end="")
