"""The cost of calling a strategy in Java: the JVM's start, and the calls, in the JVM and in Python."""

import shutil
import subprocess
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from benchmarks.history import Measured
from benchmarks.timing import measure, seconds
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.own.call import Call
from rebalance_proofs.model.own.java.worker import JavaWorker
from rebalance_proofs.model.queues import one_broker

QUEUES, CONSUMERS, CALLS = 8, 4, 2_000_000
CALLS_A_SECOND = 0.45e6
"""Goal, in calls a second of Python's processor time."""
SOURCE = """
import java.util.ArrayList;
import java.util.List;

public class Averagely {
    public static class Queue {
        private final String topic;
        private final String brokerName;
        private final int queueId;

        public Queue(String topic, String brokerName, int queueId) {
            this.topic = topic;
            this.brokerName = brokerName;
            this.queueId = queueId;
        }

        public String getTopic() {
            return topic;
        }

        public String getBrokerName() {
            return brokerName;
        }

        public int getQueueId() {
            return queueId;
        }
    }

    public List<Queue> allocate(String group, String cid, List<Queue> mqAll, List<String> cidAll) {
        int index = cidAll.indexOf(cid);
        int each = mqAll.size() / cidAll.size();
        int longer = mqAll.size() % cidAll.size();
        int start = index * each + Math.min(index, longer);
        List<Queue> taken = new ArrayList<>();
        for (int place = start; place < start + each + (index < longer ? 1 : 0); place++) {
            taken.add(mqAll.get(place));
        }
        return taken;
    }
}
"""


def figures() -> list[Measured]:
    """The figures; none without javac."""
    javac = shutil.which("javac")
    if not javac:
        return []
    with TemporaryDirectory() as folder:
        (Path(folder) / "Averagely.java").write_text(SOURCE, encoding="utf-8")
        subprocess.run([javac, "-d", folder, f"{folder}/Averagely.java"], check=True)
        started = measure(lambda: _called(folder, 0), runs=9)
        (before, _, _), (after, python, wall) = _called(folder, 0), _called(folder, CALLS)
    in_jvm, here = CALLS / (after - before), CALLS / python
    return [
        Measured("a JVM with a strategy in Java, start to end", seconds(started.median), detail=str(started)),
        Measured(
            "calls of a strategy in Java",
            f"{here / 1e6:.2f} million a CPU second",
            f"at least {CALLS_A_SECOND / 1e6:g} million",
            here >= CALLS_A_SECOND,
            f"{CALLS:,} calls of AVG, q = {QUEUES}, c = {CONSUMERS}, members of a group together: {here / 1e6:.2f} "
            f"million a second of Python's processor time, {in_jvm / 1e6:.1f} million a second of the JVM's, its "
            f"compilers included; {wall:.1f} s in all",
        ),
    ]


def _called(classes: str, calls: int) -> tuple[float, float, float]:
    """CPU seconds of the JVM from start to end, CPU seconds of Python for the calls, and their elapsed seconds."""
    queues, ids = one_broker(QUEUES), client_ids(CONSUMERS)
    some = [Call("group", client_id, queues, ids) for client_id in ids] * (calls // CONSUMERS // 10)
    start = _children()
    with JavaWorker("Averagely", classes) as worker:
        since, here = perf_counter(), process_time()
        for _ in range(10):
            worker.answers(some)
        python, wall = process_time() - here, perf_counter() - since
    return _children() - start, python, wall


def _children() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
