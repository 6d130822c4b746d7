"""The recorder's table of process queues writes each removal, whichever thread makes it."""

import json
import subprocess

from rebalance_proofs.recorded.live.jvms import CLASSES
from tests.javac import compiled

TRY = """
package live;

import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.rocketmq.client.impl.consumer.ProcessQueue;
import org.apache.rocketmq.common.message.MessageQueue;

public class Try {
    static class Queue extends MessageQueue {
        public String getTopic() { return "T1"; }
        public String getBrokerName() { return "b0"; }
        public int getQueueId() { return 0; }
        public int compareTo(MessageQueue other) { return 0; }
    }

    static class Entry extends ProcessQueue {
        public boolean isDropped() { return true; }
        public boolean isLocked() { return false; }
        public AtomicLong getMsgCount() { return new AtomicLong(3); }
        public long getLastPullTimestamp() { return 0; }
        public long getLastLockTimestamp() { return 0; }
    }

    public static void main(String[] args) throws Exception {
        ConcurrentMap<MessageQueue, ProcessQueue> table = new Table(new Out(args[0], "c0"));
        MessageQueue q = new Queue();
        ProcessQueue entry = new Entry();
        for (String how : args[1].split(",")) {
            table.putIfAbsent(q, entry);
            table.putIfAbsent(q, new Entry());
            boolean known = table.keySet().contains(q) && table.values().contains(entry);
            if (table.get(q) != entry || table.size() != 1 || !known) {
                throw new IllegalStateException("the table has lost its entry");
            }
            if (how.equals("reset")) {
                Iterator<MessageQueue> each = table.keySet().iterator();
                each.next();
                each.remove();
            } else if (how.equals("rebalance")) {
                Iterator<Map.Entry<MessageQueue, ProcessQueue>> each = table.entrySet().iterator();
                each.next();
                each.remove();
            } else if (how.equals("remove")) {
                table.remove(q);
            } else {
                table.clear();
            }
            if (table.get(q) != null || !table.isEmpty()) {
                throw new IllegalStateException("the table still has its entry");
            }
        }
    }
}
"""


def test_every_removal_from_the_table_is_written(tmp_path):
    """An offset reset removes process queues through the iterator of the table's keys."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "Try.java").write_text(TRY, encoding="utf-8")
    classes = compiled([CLASSES / "live", CLASSES / "api", tmp_path / "src"], tmp_path / "classes")
    ways = ["rebalance", "reset", "remove", "clear"]
    call = ["java", "-cp", str(classes), "live.Try", str(tmp_path / "c0.jsonl"), ",".join(ways)]
    done = subprocess.run(call, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in (tmp_path / "c0.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["ev"] for line in lines] == ["entry-new", "entry-gone"] * len(ways)
    assert [line["how"] for line in lines if line["ev"] == "entry-gone"] == ways
