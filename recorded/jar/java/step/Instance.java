package step;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.impl.FindBrokerResult;
import org.apache.rocketmq.client.impl.MQAdminImpl;
import org.apache.rocketmq.client.impl.consumer.PullMessageService;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;

/** The client's instance: requests go to a scripted broker, and no thread starts. One serves all cases. */
final class Instance extends MQClientInstance {
    static final String CLIENT_ID = "C1";
    private static final int PORTS = 10005;
    private static final int PER_BROKER = 10;
    private static final List<String> BROKERS = new ArrayList<>();

    private Client client;

    Instance() {
        super(new ClientConfig(), 0, CLIENT_ID);
    }

    /** Serves this client from now on. */
    void serve(Client client) {
        this.client = client;
        Reflect.write(Reflect.read(this, "mQClientAPIImpl"), "remotingClient", client.broker.remoting());
        Reflect.write(this, "lockHeartbeat", new Heartbeats(client.effects));
    }

    private static String address(String broker) {
        if (!BROKERS.contains(broker)) {
            BROKERS.add(broker);
        }
        return "127.0.0.1:" + (PORTS + PER_BROKER * BROKERS.indexOf(broker));
    }

    static String brokerAt(String address) {
        int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
        return BROKERS.get((port - PORTS + PER_BROKER / 2) / PER_BROKER);
    }

    @Override
    public MQAdminImpl getMQAdminImpl() {
        return client.admin;
    }

    @Override
    public PullMessageService getPullMessageService() {
        return client.pulls;
    }

    @Override
    public ScheduledExecutorService getScheduledExecutorService() {
        return client.tasks.service();
    }

    @Override
    public String findBrokerAddressInPublish(String broker) {
        return address(broker);
    }

    @Override
    public FindBrokerResult findBrokerAddressInAdmin(String broker) {
        return new FindBrokerResult(address(broker), false);
    }

    @Override
    public FindBrokerResult findBrokerAddressInSubscribe(String broker, long id, boolean only) {
        return client.hasNoAddress(broker) ? null : new FindBrokerResult(address(broker), false);
    }

    @Override
    public String findBrokerAddrByTopic(String topic) {
        return address("b0");
    }

    @Override
    public List<String> findConsumerIdList(String topic, String group) {
        client.effects.add("findCids(" + topic + ")");
        return client.ids.get(topic);
    }

    @Override
    public void rebalanceLater(long delay) {
        client.effects.add("rebLater(" + delay + ")");
    }
}
