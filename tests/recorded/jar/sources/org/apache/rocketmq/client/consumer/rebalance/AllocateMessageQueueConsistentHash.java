package org.apache.rocketmq.client.consumer.rebalance;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.rocketmq.common.message.MessageQueue;

/** The first node at or after a queue's hash. */
public class AllocateMessageQueueConsistentHash extends Checked {
    private final int nodes;

    public AllocateMessageQueueConsistentHash() {
        this(10);
    }

    public AllocateMessageQueueConsistentHash(int nodes) {
        require(nodes >= 0, "illegal virtualNodeCnt :" + nodes);
        this.nodes = nodes;
    }

    @Override
    List<MessageQueue> taken(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll) {
        TreeMap<BigInteger, String> ring = new TreeMap<>();
        for (String id : cidAll) {
            int first = Collections.frequency(ring.values(), id);
            for (int node = first; node < first + nodes; node++) {
                ring.put(hash(id + "-" + node), id);
            }
        }
        return mqAll.stream().filter(queue -> cid.equals(owner(ring, hash(queue.toString()))))
            .collect(Collectors.toList());
    }

    private static String owner(TreeMap<BigInteger, String> ring, BigInteger hash) {
        Map.Entry<BigInteger, String> found = ring.ceilingEntry(hash);
        return found != null ? found.getValue() : ring.isEmpty() ? null : ring.firstEntry().getValue();
    }

    private static BigInteger hash(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(key.getBytes(StandardCharsets.UTF_8));
            return new BigInteger(1, Arrays.copyOf(digest, 4));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }
}
