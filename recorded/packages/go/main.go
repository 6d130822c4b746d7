// A driver that calls the allocation strategies of RocketMQ's Go client. recorded/packages/driver.py describes its lines.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/apache/rocketmq-client-go/v2/consumer"
	"github.com/apache/rocketmq-client-go/v2/primitive"
	"github.com/apache/rocketmq-client-go/v2/rlog"
)

type queue = primitive.MessageQueue

// triple is a queue in JSON: [topic, brokerName, queueId].
type triple queue

func (t *triple) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]interface{}{&t.Topic, &t.BrokerName, &t.QueueId})
}

func (t triple) MarshalJSON() ([]byte, error) {
	return json.Marshal([]interface{}{t.Topic, t.BrokerName, t.QueueId})
}

type construction struct {
	Strategy     string   `json:"strategy"`
	VirtualNodes *int     `json:"virtual_nodes"`
	Consumeridcs []string `json:"consumeridcs"`
	Queues       []triple `json:"queues"`
}

type request struct {
	Make  *construction `json:"make"`
	Lists [][]triple    `json:"lists"`
	Ids   [][]string    `json:"ids"`
	Calls []call        `json:"calls"`
	Sorts []lists       `json:"sorts"`
}

// call is [consumerGroup, currentCID, index of mqAll in lists, index of cidAll in ids].
type call struct {
	group, id string
	mq, cid   int
}

func (c *call) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]interface{}{&c.group, &c.id, &c.mq, &c.cid})
}

type lists struct {
	Mq  []triple `json:"mq"`
	Cid []string `json:"cid"`
}

type failure struct {
	Type    string `json:"x"`
	Message string `json:"m"`
}

// virtualNodes is Java's default number. The Go client has no default.
const virtualNodes = 10

func construct(made *construction) (consumer.AllocateStrategy, bool) {
	switch made.Strategy {
	case "AVG":
		return consumer.AllocateByAveragely, true
	case "AVG_BY_CIRCLE":
		return consumer.AllocateByAveragelyCircle, true
	case "MACHINE_ROOM_NEARBY":
		return consumer.AllocateByMachineNearby, true
	case "CONFIG":
		if made.Queues == nil {
			return consumer.AllocateByConfig(nil), true
		}
		return consumer.AllocateByConfig(pointers(made.Queues)), true
	case "MACHINE_ROOM":
		return consumer.AllocateByMachineRoom(made.Consumeridcs), true
	case "CONSISTENT_HASH":
		count := virtualNodes
		if made.VirtualNodes != nil {
			count = *made.VirtualNodes
		}
		return consumer.AllocateByConsistentHash(count), true
	}
	return nil, false
}

func pointers(queues []triple) []*queue {
	found := make([]*queue, len(queues))
	for place := range queues {
		found[place] = (*queue)(&queues[place])
	}
	return found
}

func allocate(strategy consumer.AllocateStrategy, asked call, given []*queue, ids []string) (answer interface{}) {
	defer func() {
		if thrown := recover(); thrown != nil {
			answer = failure{"panic", fmt.Sprint(thrown)}
		}
	}()
	result := strategy(asked.group, asked.id, append([]*queue{}, given...), append([]string{}, ids...))
	if result == nil {
		return nil
	}
	places := make(map[*queue]int, len(given))
	for place, one := range given {
		places[one] = place
	}
	found := make([]interface{}, len(result))
	for place, one := range result {
		if position, known := places[one]; known {
			found[place] = position
		} else if one != nil {
			found[place] = triple(*one)
		}
	}
	return found
}

func main() {
	rlog.SetLogLevel("fatal")
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	say := func(answer interface{}) {
		line, err := json.Marshal(answer)
		if err != nil {
			panic(err)
		}
		out.Write(append(line, '\n'))
		out.Flush()
	}
	var strategy consumer.AllocateStrategy
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked request
		if err := json.Unmarshal(line, &asked); err != nil {
			panic(err)
		}
		if asked.Make != nil {
			var known bool
			if strategy, known = construct(asked.Make); known {
				say("ready")
			} else {
				say("absent")
			}
		}
		given := make([][]*queue, len(asked.Lists))
		for place, queues := range asked.Lists {
			given[place] = pointers(queues)
		}
		for _, one := range asked.Calls {
			say(allocate(strategy, one, given[one.mq], asked.Ids[one.cid]))
		}
		for _, one := range asked.Sorts {
			say(sorted(one))
		}
	}
}
