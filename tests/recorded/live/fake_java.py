#!/usr/bin/env python3
"""A stand-in for java: does what the recorder's Java programs do, with a broker and members that only pretend."""

import json
import os
import socket
import sys
import threading
import time
from pathlib import Path

if "-version" in sys.argv:
    print('openjdk version "17.0.1" 2021-10-19', file=sys.stderr)
    sys.exit(0)
at = sys.argv.index("-cp")
main, arguments = sys.argv[at + 2], sys.argv[at + 3 :]
if main == "rebalance.Version":
    print("V5_3_3")
    sys.exit(0)
if main.endswith("NamesrvStartup"):
    said = dict(line.split("=", 1) for line in Path(arguments[1]).read_text(encoding="utf-8").splitlines())
    server = socket.create_server(("127.0.0.1", int(said["listenPort"])))
    while True:
        server.accept()
options = dict(word.split("=", 1) for word in arguments)
numbers = iter(range(10**9))
lock = threading.Lock()


def event(name, **more):
    with lock:
        line = {"at": int(time.time() * 1000), "who": options["who"], "ev": name, **more, "n": next(numbers)}
        with Path(options["out"]).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def commands():
    for line in sys.stdin:
        yield line.split()
    os._exit(1)


def broker():
    if os.environ.get("FAKE_BROKER") == "fails":
        print("|-INFO in AppenderModelHandler - Processing appender named [RocketmqStoreErrorSiftingAppender_inner]")
        print("java.lang.IllegalStateException: no room")
        sys.exit(1)
    event("broker-starting")
    event("broker-started")
    time.sleep(10**6)


def send():
    for n in range(10**6):
        if stop.wait(1 / int(options["rate"])):
            break
        event("sent", q="T1:b0:0", offset=n, key=f"T1-{n}", tag="A", status="SEND_OK")
    event("sending-ended")


def producer():
    event("producer-started")
    for words in commands():
        if words[0] == "create":
            event("topic", topic=words[1], queues=int(words[2]))
        elif words[0] == "reset":
            event("reset-asked", group=words[1], topic=words[2], timestamp=int(words[3]), failed=[])
        elif words[0] == "send":
            threading.Thread(target=send, daemon=True).start()
        elif words[0] == "stop":
            stop.set()


def consume():
    """Calls of a listener with each message that the producer has told."""
    done = 0
    while True:
        time.sleep(0.02)
        sent = [
            json.loads(line)
            for line in (Path(options["out"]).parent / "p.jsonl").read_text(encoding="utf-8").splitlines()
        ]
        for each in [one for one in sent if one["ev"] == "sent"][done:]:
            done += 1
            event(
                "begin",
                q=each["q"],
                offsets=[each["offset"]],
                keys=[each["key"]],
                tag="A",
                reconsumeTimes=0,
                bornAgo=0,
                thread="t",
            )
            event("end", q=each["q"], **{"from": each["offset"]}, to=each["offset"], result="SUCCESS")


def member():
    if "hold" in options:
        event("ready")
        while next(inputs)[0] != "start":
            pass
    event("started", clientId=f"127.0.0.1@{options['id']}")
    if options["who"] in os.environ.get("FAKE_READS", "c0").split(","):
        threading.Thread(target=consume, daemon=True).start()
    for words in inputs:
        if words[0] == "shutdown":
            event("shutdown-begin")
            event("shutdown-end")
        elif words[0] == "ms":
            event("listener-time", ms=int(words[1]))
        elif words[0] == "suspend":
            event("suspending")
            event("suspended")
        elif words[0] == "resume":
            event("resuming")
            event("resumed")
        elif words[0] == "throw":
            event("will-throw", where=words[1], times=int(words[2]))
        elif words[0] in ("subscribe", "unsubscribe"):
            event(f"{words[0]}d", topic=words[1])
        elif words[0] == "quit":
            event("quit")
            os._exit(0)


stop = threading.Event()
inputs = commands()
{"live.Broker": broker, "live.Producer": producer, "live.Member": member}[main]()
