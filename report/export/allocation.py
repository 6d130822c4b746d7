"""Tests of allocation strategies: a counterexample about one group, with the client's own strategy classes.

A test calls each consumer's strategy with the lists that it sees, and checks the guarantee on all results.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import dedent

from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.worlds.kinds import Brokers
from rebalance_proofs.model.worlds.rings import Ring
from rebalance_proofs.model.worlds.rooms import ConfiguredRooms, Rooms
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.export.files import Body, Release
from rebalance_proofs.report.own.junit_5 import ASSERTIONS

Make = Callable[[Group, int], str]
"""Function from a group and the index of a consumer to the expression that creates its strategy."""


@dataclass(frozen=True)
class Syntax:
    """How a language writes a group and the check of a guarantee."""

    release: Release
    template: str
    strategies: Mapping[str, Make]
    """Name of a strategy in the model -> how this client creates it."""
    checks: Mapping[str, str]
    """Guarantee -> statements that check it on ``taken``; ``@LISTED@`` are the positions of queues in listed rooms."""
    queue: str
    """Expression for a queue."""
    take: str
    """Statement that calls one strategy, with ``{make}``, ``{id}``, ``{mq}`` and ``{cid}``."""
    rejects: str
    """Statements that end the test if the strategy's constructor rejects a setting, with ``{make}``."""
    nothing: str
    """Statement for a consumer that does not subscribe to the topic, and takes nothing."""
    beside: Mapping[str, str]
    """Path of a file that the test needs -> its template."""


def _text(text: str) -> str:
    return json.dumps(text)


def _list(texts: Sequence[object]) -> str:
    return ", ".join(map(str, texts))


def _virtual_nodes(group: Group) -> int:
    assert isinstance(group.setting, Ring)
    return group.setting.virtual_nodes


def _rooms(group: Group) -> tuple[str, ...]:
    return group.setting.rooms if isinstance(group.setting, Brokers) else ("room1",)


def _deployed(group: Group) -> tuple[str, str]:
    """Return the room of each queue, and of each consumer: a letter for each."""
    assert isinstance(group.setting, Rooms)
    return group.setting.of_queues, group.setting.of_consumers


def _given(group: Group, place: int) -> list[int]:
    """Return the queues that CONFIG gives to a consumer."""
    assert isinstance(group.setting, ConfiguredRooms)
    return [queue for queue, owner in enumerate(group.setting.given) if owner == place]


# ---- Java: JUnit 5


def _java_nearby(inner: Callable[[Group, int], str]) -> Make:
    def make(group: Group, place: int) -> str:
        queues, consumers = map(_text, _deployed(group))
        return f"new AllocateMachineRoomNearby({inner(group, place)}, rooms({queues}, {consumers}))"

    return make


def _java_config(group: Group, place: int) -> str:
    return f"config({_list(_given(group, place))})"


JAVA = Syntax(
    Release("org.apache.rocketmq:rocketmq-client", "5.5.0"),
    "export_allocation.java.txt",
    {
        "avg": lambda group, place: "new AllocateMessageQueueAveragely()",
        "circle": lambda group, place: "new AllocateMessageQueueAveragelyByCircle()",
        "hash": lambda group, place: f"new AllocateMessageQueueConsistentHash({_virtual_nodes(group)})",
        "nearby": _java_nearby(lambda group, place: "new AllocateMessageQueueAveragely()"),
        "nearby-config": _java_nearby(_java_config),
    },
    ASSERTIONS,
    "new MessageQueue({topic}, {broker}, {number})",
    "taken.add(take({make}, {id}, positions({mq}), Arrays.asList({cid})));",
    dedent("""\
        try {{
            {make};
        }} catch (IllegalArgumentException rejected) {{
            return; // mended: no consumer starts with this setting
        }}"""),
    "taken.add(new ArrayList<>());",
    {"pom.xml": "export_pom.xml.txt"},
)

# ---- Go


def _go_covers(each: str) -> str:
    """Return the statements that check that ``each`` place is given to a consumer."""
    return each + dedent("""\
         {
        \tcount := 0
        \tfor _, result := range taken {
        \t\tif has(result, place) {
        \t\t\tcount++
        \t\t}
        \t}
        \tif count == 0 {
        \t\tt.Errorf("queue %d is given to no consumer", place)
        \t}
        }""").lstrip("\n")


GO = Syntax(
    Release("github.com/apache/rocketmq-client-go/v2", "v2.1.2"),
    "export_allocation.go.txt",
    {
        "avg": lambda group, place: "consumer.AllocateByAveragely",
        "circle": lambda group, place: "consumer.AllocateByAveragelyCircle",
        "hash-go": lambda group, place: f"consumer.AllocateByConsistentHash({_virtual_nodes(group)})",
        "room-go": lambda group, place: (
            f"consumer.AllocateByMachineRoom([]string{{{_list([_text(room) for room in _rooms(group)])}}})"
        ),
    },
    {
        "disjoint": dedent("""\
            for one := range taken {
            \tfor other := 0; other < one; other++ {
            \t\tfor place := 0; place < queues; place++ {
            \t\t\tif has(taken[one], place) && has(taken[other], place) {
            \t\t\t\tt.Errorf("queue %d is given to consumers %d and %d", place, other, one)
            \t\t\t}
            \t\t}
            \t}
            }"""),
        "covers": _go_covers("for place := 0; place < queues; place++"),
        "listed": dedent("""\
            listed := []int{@LISTED@}
            for _, result := range taken {
            \tfor _, place := range result {
            \t\tif !has(listed, place) {
            \t\t\tt.Errorf("queue %d is given to a consumer, but is in no listed room", place)
            \t\t}
            \t}
            }"""),
        "covers-listed": _go_covers("for _, place := range []int{@LISTED@}"),
    },
    "{{Topic: {topic}, BrokerName: {broker}, QueueId: {number}}}",
    "taken = append(taken, take({make}, {id}, []int{{{mq}}}, []string{{{cid}}}))",
    dedent("""\
        rejected := func() (panicked bool) {{
        \tdefer func() {{ panicked = recover() != nil }}()
        \t{make}
        \treturn false
        }}()
        if rejected {{
        \treturn // mended: no consumer starts with this setting
        }}"""),
    "taken = append(taken, []int{{}})",
    {"go.mod": "export_go.mod.txt"},
)

# ---- Rust


def _rust_nearby(inner: Callable[[Group, int], str]) -> Make:
    def make(group: Group, place: int) -> str:
        queues, consumers = map(_text, _deployed(group))
        return f"AllocateMachineRoomNearby::new({inner(group, place)}, rooms({queues}, {consumers}))"

    return make


RUST = Syntax(
    Release("rocketmq-model", "1.0.0"),
    "export_allocation.rs.txt",
    {
        "avg": lambda group, place: "AllocateMessageQueueAveragely",
        "circle": lambda group, place: "AllocateMessageQueueAveragelyByCircle",
        "hash": lambda group, place: f"AllocateMessageQueueConsistentHash::try_new({_virtual_nodes(group)}).unwrap()",
        "nearby": _rust_nearby(lambda group, place: "Box::new(AllocateMessageQueueAveragely)"),
        "nearby-config": _rust_nearby(lambda group, place: f"config(&[{_list(_given(group, place))}])"),
    },
    {
        "disjoint": dedent("""\
            for (other, one) in taken.iter().enumerate().flat_map(|(n, one)| taken[..n].iter().map(move |o| (o, one))) {
                for place in 0..queues {
                    let both = one.contains(&place) && other.contains(&place);
                    assert!(!both, "queue {place} is given to two consumers");
                }
            }"""),
        "covers": dedent("""\
            for place in 0..queues {
                assert!(taken.iter().any(|result| result.contains(&place)), "queue {place} is given to no consumer");
            }"""),
    },
    "MessageQueue::from_parts({topic}, {broker}, {number})",
    "taken.push(take(&{make}, {id}, &[{mq}], &[{cid}]));",
    dedent("""\
        if AllocateMessageQueueConsistentHash::try_new(0).is_err() {{
            return; // mended: no consumer starts with this setting
        }}"""),
    "taken.push(Vec::new());",
    {"Cargo.toml": "export_Cargo.toml.txt", "src/lib.rs": "export_lib.rs.txt"},
)
SYNTAXES: Mapping[str, Syntax] = {"junit": JAVA, "go": GO, "rust": RUST}
"""Value of ``--for`` -> how tests of strategies are written."""


def languages(claim: Claim) -> tuple[str, ...]:
    """Return the languages that have a writer for the claim."""
    if _abstract(claim):
        return ()
    return tuple(
        language
        for language, syntax in SYNTAXES.items()
        if claim.guarantee.name in syntax.checks and all(one.name in syntax.strategies for one in claim.subjects)
    )


def _abstract(claim: Claim) -> bool:
    """Return whether the counterexample has hash values that no known client id has."""
    return any(one.name.startswith("hash") for one in claim.subjects) and "virtual-nodes" not in claim.id


def body(claim: Claim, language: str, example: Counterexample) -> Body:
    """Return the parts of a claim's test."""
    syntax, group = SYNTAXES[language], example.group
    known = [*dict.fromkeys((*group.queues, *(queue for one in group.consumers for queue in one.mq_all)))]

    def called(place: int, consumer: Consumer) -> str:
        if not consumer.subscribes:
            return syntax.nothing.format()
        return syntax.take.format(
            make=syntax.strategies[consumer.strategy.name](group, place),
            id=_text(consumer.client_id),
            mq=_list([known.index(queue) for queue in consumer.mq_all]),
            cid=_list([_text(one) for one in consumer.cid_all]),
        )

    queues = [
        syntax.queue.format(topic=_text(one.topic), broker=_text(one.broker_name), number=one.queue_id) for one in known
    ]
    listed = group.setting.listed if isinstance(group.setting, Brokers) else ()
    check = syntax.checks[claim.guarantee.name].replace("@LISTED@", _list([at for at, yes in enumerate(listed) if yes]))
    calls = "\n".join(called(*one) for one in enumerate(group.consumers))
    parts = {
        "QUEUES": ",\n".join(queues) + ("," if language != "junit" else ""),
        "CALLS": calls,
        "REJECTS": _rejects(syntax, group),
        "CHECK": check,
        "COUNT": str(len(group.queues)),
        "CONSUMERS": str(len(group.consumers)),
        "HELPERS": _helpers(syntax, calls),
    }
    return Body(syntax.release, syntax.template, parts, beside=syntax.beside)


def _rejects(syntax: Syntax, group: Group) -> str:
    """Return the statements for a ring of no virtual nodes, which a mended constructor may reject; else nothing."""
    if not isinstance(group.setting, Ring) or group.setting.virtual_nodes:
        return ""
    return syntax.rejects.format(make=syntax.strategies[group.consumers[0].strategy.name](group, 0))


def _helpers(syntax: Syntax, calls: str) -> str:
    """Return the functions that the calls need: for machine rooms, and for configured queues."""
    return "\n\n".join(text for name, text in HELPERS[syntax.template].items() if name in calls)


HELPERS = {
    JAVA.template: {
        "rooms(": dedent("""\
            /** The rooms of queues and of consumers: a letter for each number. */
            private static AllocateMachineRoomNearby.MachineRoomResolver rooms(String queues, String consumers) {
                return new AllocateMachineRoomNearby.MachineRoomResolver() {
                    @Override
                    public String brokerDeployIn(MessageQueue queue) {
                        return queues.substring(queue.getQueueId(), queue.getQueueId() + 1);
                    }

                    @Override
                    public String consumerDeployIn(String id) {
                        int number = Integer.parseInt(id.substring(1));
                        return consumers.substring(number, number + 1);
                    }
                };
            }"""),
        "config(": dedent("""\
            private static AllocateMessageQueueByConfig config(Integer... places) {
                AllocateMessageQueueByConfig strategy = new AllocateMessageQueueByConfig();
                strategy.setMessageQueueList(positions(places));
                return strategy;
            }"""),
    },
    GO.template: {},
    RUST.template: {
        "rooms(": dedent("""\
            /// The rooms of queues and of consumers: a letter for each number.
            struct Rooms(&'static str, &'static str);

            impl MachineRoomResolver for Rooms {
                fn broker_deploy_in(&self, queue: &MessageQueue) -> Option<CheetahString> {
                    let number = queue.queue_id() as usize;
                    Some(CheetahString::from(&self.0[number..=number]))
                }

                fn consumer_deploy_in(&self, id: &CheetahString) -> Option<CheetahString> {
                    let number: usize = id.as_str()[1..].parse().unwrap();
                    Some(CheetahString::from(&self.1[number..=number]))
                }
            }

            fn rooms(queues: &'static str, consumers: &'static str) -> Box<dyn MachineRoomResolver> {
                Box::new(Rooms(queues, consumers))
            }"""),
        "config(": dedent("""\
            fn config(places: &[usize]) -> Box<dyn AllocateMessageQueueStrategy> {
                let all = queues();
                let given = places.iter().map(|place| all[*place].clone()).collect();
                Box::new(AllocateMessageQueueByConfig::new(given))
            }"""),
    },
}
"""Template -> (call -> the function that is called)."""
