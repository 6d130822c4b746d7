// A driver that calls the code of ali-ons. recorded/packages/driver.py describes its lines.
'use strict';

const fs = require('fs');
const readline = require('readline');
const MessageQueue = require('ali-ons/lib/message_queue');
const MQPushConsumer = require('ali-ons/lib/consumer/mq_push_consumer');

const STRATEGIES = { AVG: 'ali-ons/lib/consumer/rebalance/allocate_message_queue_averagely' };
const LOGGER = { info() {}, warn() {}, error() {}, debug() {} };

const queueOf = ([topic, brokerName, queueId]) => new MessageQueue(topic, brokerName, queueId);
const tripleOf = queue => [queue.topic, queue.brokerName, queue.queueId];
const failure = error => ({ x: error.name, m: error.message });

function say(answer) {
  fs.writeSync(1, JSON.stringify(answer) + '\n');
}

function construct({ strategy }) {
  if (!STRATEGIES[strategy]) return undefined;
  const Strategy = require(STRATEGIES[strategy]);
  return new Strategy();
}

function allocate(strategy, group, id, queues, ids) {
  try {
    const result = strategy.allocate(group, id, [...queues], [...ids]);
    if (result === null || result === undefined) return null;
    const places = new Map(queues.map((queue, place) => [queue, place]));
    return result.map(queue => (places.has(queue) ? places.get(queue) : queue ? tripleOf(queue) : null));
  } catch (error) {
    return failure(error);
  }
}

// Run one rebalance of a push consumer, and return both lists as its strategy gets them.
// The method is ali-ons' own. Its `this` has what the method reads: the lists, the strategy, the consumer's options.
async function sorted({ mq, cid }) {
  let found = { x: 'Unsorted', m: 'the rebalance does not call the strategy' };
  const consumer = {
    logger: LOGGER,
    options: { isBroadcast: false },
    consumerGroup: 'GID_conform',
    messageModel: 'CLUSTERING',
    _topicSubscribeInfoTable: new Map([['T', mq.map(queueOf)]]),
    _mqClient: { clientId: 'c0', findConsumerIdList: async () => [...cid] },
    allocateMessageQueueStrategy: {
      allocate(group, id, mqAll, cidAll) {
        found = { mq: mqAll.map(tripleOf), cid: cidAll };
        return [];
      },
    },
    updateProcessQueueTableInRebalance: async () => false,
  };
  try {
    await MQPushConsumer.prototype.rebalanceByTopic.call(consumer, 'T');
    return found;
  } catch (error) {
    return failure(error);
  }
}

async function main() {
  let strategy;
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const asked = JSON.parse(line);
    if (asked.make) {
      strategy = construct(asked.make);
      say(strategy ? 'ready' : 'absent');
    }
    const lists = (asked.lists || []).map(queues => queues.map(queueOf));
    for (const [group, id, mq, cid] of asked.calls || []) say(allocate(strategy, group, id, lists[mq], asked.ids[cid]));
    for (const lists of asked.sorts || []) say(await sorted(lists));
  }
}

main();
