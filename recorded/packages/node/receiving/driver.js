// Run the assignment step of the installed rocketmq-client-nodejs, with its network and its clock replaced.
// recorded/packages/steps.py describes the lines and the steps.
'use strict';

const fs = require('fs');
const readline = require('readline');

const name = 'rocketmq-client-nodejs';
const { PushConsumer } = require(name);
const { TopicRouteData } = require(`${name}/dist/route`);
const pb = require(`${name}/proto/apache/rocketmq/v2/definition_pb`);
const service = require(`${name}/proto/apache/rocketmq/v2/service_pb`);

const TOPICS = ['T', 'U'];
const LONG = 1e6; // ms after which a process queue has expired
const LOGGER = { info() {}, warn() {}, error() {}, debug() {} };
const Table = Map;
const turn = () => new Promise(setImmediate); // all promises that can be settled are

let now = 1e12;
Date.now = () => now;

const ok = () => new pb.Status().setCode(pb.Code.OK);
const received = [new service.ReceiveMessageResponse().setStatus(ok())];

function queueOf(topic, number) {
  const address = new pb.Address().setHost('127.0.0.1').setPort(1);
  const endpoints = new pb.Endpoints().setScheme(pb.AddressScheme.IPV4).setAddressesList([address]);
  const broker = new pb.Broker().setName('broker').setId(0).setEndpoints(endpoints);
  return new pb.MessageQueue().setTopic(new pb.Resource().setName(topic)).setId(number).setBroker(broker);
}

const routes = new Table(TOPICS.map(topic => [topic, new TopicRouteData([queueOf(topic, 0)])]));

function assigned(topic, numbers) {
  const some = numbers.map(number => new pb.Assignment().setMessageQueue(queueOf(topic, number)));
  return new service.QueryAssignmentResponse().setStatus(ok()).setAssignmentsList(some);
}

// A consumer that has started, and whose requests wait for the driver's answers.
class Running {
  constructor() {
    this.queries = new Table(); // topic -> the query in flight
    this.requests = []; // receive requests in flight, and the queue of each
    this.stuck = new Set(); // queues whose loops make no progress
    this.live = true;
    const maps = (this.maps = []);
    const timer = global.setInterval;
    global.setInterval = call => (this.scan = call);
    global.Map = class extends Table {
      constructor(...values) {
        super(...values);
        maps.push(this);
      }
    };
    try {
      const subscriptions = new Table(TOPICS.map(topic => [topic, '*']));
      const options = { endpoints: '127.0.0.1:1', namespace: '', consumerGroup: 'G', logger: LOGGER };
      this.consumer = new PushConsumer({ ...options, subscriptions, messageListener: { consume() {} } });
      this.consumer.rpcClientManager = this;
      for (const [topic, route] of routes) this.consumer.topicRouteCache.set(topic, route);
      this.consumer.sleep = async ms => {
        now += 1000 * ms;
        await this.goOn();
      };
      const receive = this.consumer.receiveMessage;
      this.consumer.receiveMessage = (request, queue, ms) => {
        this.receiving = queue;
        return receive.call(this.consumer, request, queue, ms);
      };
      const later = global.setTimeout;
      global.setTimeout = () => undefined; // the first scan, which is the driver's
      this.consumer.startAssignmentScanning();
      global.setTimeout = later;
    } finally {
      global.setInterval = timer;
      global.Map = Table;
    }
  }

  // What the package calls

  queryAssignment(endpoints, request) {
    const topic = request.getTopic().getName();
    return new Promise((answer, fail) => {
      // One query of a topic gets an answer. A promise that all consumers share would keep them in memory.
      if (!this.queries.has(topic)) this.queries.set(topic, { answer, fail });
    });
  }

  receiveMessage() {
    const queue = this.receiving;
    return new Promise(answer => this.requests.push({ queue, answer }));
  }

  async notifyClientTermination() {}

  close() {}

  // Steps

  async begin() {
    this.scan();
    await turn();
  }

  // Each loop that goes on sends its next request.
  async goOn() {
    const requests = this.requests.filter(one => !this.stuck.has(one.queue));
    this.requests = this.requests.filter(one => this.stuck.has(one.queue));
    for (const one of requests) one.answer(received);
    await turn();
  }

  async take([kind, topic, more]) {
    const query = this.queries.get(topic);
    if (query && kind === 'answer') query.answer(assigned(topic, more));
    if (query && kind === 'fail') query.fail(new Error('the query fails'));
    if (kind === 'answer' || kind === 'fail') this.queries.delete(topic);
    if (kind === 'expire') {
      for (const { mq } of this.table()) if (mq.topic.name === topic && mq.queueId === more) this.stuck.add(mq);
      now += LONG;
    }
    if (kind === 'unsubscribe' && this.live) this.consumer.unsubscribe(topic);
    if (kind === 'shutdown' && this.live) {
      this.live = false;
      await this.consumer.shutdown();
    }
    await turn();
    await this.goOn();
    if (this.live) await this.begin();
  }

  // The entries of the table of process queues, which is private: a Map whose values have a `pq`.
  table() {
    return this.maps.flatMap(map => [...map.values()].filter(value => value && value.pq && value.mq));
  }

  shown() {
    const counts = new Table();
    for (const { queue } of this.requests) {
      if (!this.stuck.has(queue)) counts.set(queue, (counts.get(queue) || 0) + 1);
    }
    const rows = this.table().map(({ mq }) => [mq.topic.name, mq.queueId, counts.get(mq) || 0]);
    for (const { mq } of this.table()) counts.delete(mq);
    rows.sort((one, two) => (one[0] === two[0] ? one[1] - two[1] : one[0] < two[0] ? -1 : 1));
    return [rows, [...counts.values()].reduce((sum, count) => sum + count, 0)];
  }
}

async function main() {
  const first = new Running();
  const reason =
    typeof first.scan !== 'function' ? 'its PushConsumer sets no timer for scans' :
      (await first.begin(), await first.take(['answer', 'T', [0]]), first.shown()[0].length !== 1) ?
        'its PushConsumer has no table of process queues' : '';
  if (reason) {
    console.error(reason);
    process.exit(2);
  }
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const one = new Running();
    await one.begin();
    const rows = [];
    for (const step of JSON.parse(line)) {
      await one.take(step);
      rows.push(one.shown());
    }
    fs.writeSync(1, JSON.stringify(rows) + '\n');
  }
  process.exit(0);
}

main();
