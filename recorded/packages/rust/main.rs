// A driver that calls the allocation strategies of the Rust client. recorded/packages/driver.py describes its lines.
use std::collections::{HashMap, HashSet};
use std::io::{stdin, stdout, BufRead, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};

use cheetah_string::CheetahString;
use serde_json::{json, Value};

#[cfg(feature = "client")]
use rocketmq_client_rust as client;
#[cfg(not(feature = "client"))]
use rocketmq_model::allocation as client;

use client::AllocateMessageQueueStrategy;
use rocketmq_model::allocation::MachineRoomResolver;
use rocketmq_model::common::message::message_queue::MessageQueue;

type Strategy = Box<dyn AllocateMessageQueueStrategy>;

/// Name of a broker or client id -> its machine room.
struct Rooms(HashMap<String, String>);

impl MachineRoomResolver for Rooms {
    fn broker_deploy_in(&self, queue: &MessageQueue) -> Option<CheetahString> {
        self.0.get(queue.broker_name().as_str()).map(text)
    }

    fn consumer_deploy_in(&self, id: &CheetahString) -> Option<CheetahString> {
        self.0.get(id.as_str()).map(text)
    }
}

fn text(value: impl AsRef<str>) -> CheetahString {
    CheetahString::from(value.as_ref())
}

fn texts(value: &Value) -> Vec<CheetahString> {
    value.as_array().unwrap().iter().map(|one| text(one.as_str().unwrap())).collect()
}

fn queues(value: &Value) -> Vec<MessageQueue> {
    let parts = |one: &Value| {
        MessageQueue::from_parts(one[0].as_str().unwrap(), one[1].as_str().unwrap(), one[2].as_i64().unwrap() as i32)
    };
    value.as_array().unwrap().iter().map(parts).collect()
}

fn triple(queue: &MessageQueue) -> Value {
    json!([queue.topic().as_str(), queue.broker_name().as_str(), queue.queue_id()])
}

/// An error's text is `NAME: MESSAGE`.
fn failure(error: impl std::fmt::Display) -> Value {
    let said = error.to_string();
    let (name, message) = said.split_once(": ").unwrap_or(("Error", &said));
    json!({"x": name, "m": message})
}

fn construct(made: &Value) -> Result<Option<Strategy>, Value> {
    Ok(Some(match made["strategy"].as_str().unwrap() {
        "AVG" => Box::new(client::AllocateMessageQueueAveragely),
        "AVG_BY_CIRCLE" => Box::new(client::AllocateMessageQueueAveragelyByCircle),
        "CONFIG" => Box::new(client::AllocateMessageQueueByConfig::new(queues(&made["queues"]))),
        "MACHINE_ROOM" => {
            let rooms: HashSet<_> = texts(&made["consumeridcs"]).into_iter().collect();
            Box::new(client::AllocateMessageQueueByMachineRoom::new(rooms))
        }
        "CONSISTENT_HASH" => match made["virtual_nodes"].as_i64() {
            None => Box::new(client::AllocateMessageQueueConsistentHash::default()),
            Some(count) => {
                Box::new(client::AllocateMessageQueueConsistentHash::try_new(count as i32).map_err(failure)?)
            }
        },
        "MACHINE_ROOM_NEARBY" => {
            let Some(inner) = construct(&json!({"strategy": made["inner"]}))? else { return Ok(None) };
            let rooms = serde_json::from_value(made["rooms"].clone()).unwrap();
            Box::new(client::AllocateMachineRoomNearby::new(inner, Box::new(Rooms(rooms))))
        }
        _ => return Ok(None),
    }))
}

fn allocate(strategy: &Strategy, group: &Value, id: &Value, mq_all: &[MessageQueue], cid_all: &[CheetahString]) -> Value {
    match strategy.allocate(&text(group.as_str().unwrap()), &text(id.as_str().unwrap()), mq_all, cid_all) {
        Ok(found) => found
            .iter()
            .map(|queue| mq_all.iter().position(|one| one == queue).map_or_else(|| triple(queue), |place| json!(place)))
            .collect(),
        Err(error) => failure(error),
    }
}

/// The client's rebalance sorts these two types by this method.
fn sorted(asked: &Value) -> Value {
    let (mut mq_all, mut cid_all) = (queues(&asked["mq"]), texts(&asked["cid"]));
    mq_all.sort();
    cid_all.sort();
    let ids: Vec<_> = cid_all.iter().map(|id| id.as_str()).collect();
    json!({"mq": mq_all.iter().map(triple).collect::<Vec<_>>(), "cid": ids})
}

fn caught(answer: impl FnOnce() -> Value) -> Value {
    catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|thrown| {
        let said = thrown.downcast_ref::<String>().cloned();
        let said = said.or_else(|| thrown.downcast_ref::<&str>().map(|one| one.to_string()));
        json!({"x": "panic", "m": said.unwrap_or_default()})
    })
}

fn each(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn main() {
    let say = |answer: Value| {
        let mut out = stdout().lock();
        writeln!(out, "{answer}").and_then(|()| out.flush()).unwrap();
    };
    let mut strategy: Option<Strategy> = None;
    for line in stdin().lock().lines() {
        let asked: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if !asked["make"].is_null() {
            match construct(&asked["make"]) {
                Ok(made) => {
                    say(json!(if made.is_some() { "ready" } else { "absent" }));
                    strategy = made;
                }
                Err(thrown) => say(thrown),
            }
        }
        let lists: Vec<_> = each(&asked["lists"]).map(queues).collect();
        let ids: Vec<_> = each(&asked["ids"]).map(texts).collect();
        for call in each(&asked["calls"]) {
            let (mq, cid) = (call[2].as_u64().unwrap() as usize, call[3].as_u64().unwrap() as usize);
            let strategy = strategy.as_ref().unwrap();
            say(caught(|| allocate(strategy, &call[0], &call[1], &lists[mq], &ids[cid])));
        }
        for one in each(&asked["sorts"]) {
            say(caught(|| sorted(one)));
        }
    }
}
