package main

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"time"
	"unsafe"

	"github.com/apache/rocketmq-client-go/v2/consumer"
	"github.com/apache/rocketmq-client-go/v2/internal"
	"github.com/apache/rocketmq-client-go/v2/internal/remote"
	"github.com/apache/rocketmq-client-go/v2/primitive"
)

const topic = "T"

// client answers the client's question for cidAll. A push consumer asks nothing else in a rebalance that gives no queue.
type client struct {
	internal.RMQClient
	ids []string
}

type namesrv struct{ internal.Namesrvs }

func (namesrv) FindBrokerAddrByTopic(string) string { return "127.0.0.1:1" }

func (c *client) GetNameSrv() internal.Namesrvs { return namesrv{} }

func (c *client) ClientID() string { return "c0" }

func (c *client) InvokeSync(context.Context, string, *remote.RemotingCommand, time.Duration) (*remote.RemotingCommand, error) {
	body, err := json.Marshal(map[string][]string{"consumerIdList": c.ids})
	return &remote.RemotingCommand{Body: body}, err
}

// sorted runs one rebalance of a push consumer, and returns both lists as its strategy gets them.
func sorted(given lists) (answer interface{}) {
	defer func() {
		if thrown := recover(); thrown != nil {
			answer = failure{"panic", fmt.Sprint(thrown)}
		}
	}()
	answer = failure{"Unsorted", "the rebalance does not call the strategy"}
	strategy := func(_, _ string, mqAll []*queue, cidAll []string) []*queue {
		found := lists{Mq: make([]triple, len(mqAll)), Cid: cidAll}
		for place, one := range mqAll {
			found.Mq[place] = triple(*one)
		}
		answer = found
		return nil
	}
	pushConsumer, err := consumer.NewPushConsumer(
		consumer.WithGroupName("GID_conform"),
		consumer.WithNsResolver(primitive.NewPassthroughResolver([]string{"127.0.0.1:1"})),
		consumer.WithStrategy(strategy),
	)
	if err != nil {
		return failure{"error", err.Error()}
	}
	var asked internal.RMQClient = &client{ids: given.Cid}
	field := reflect.ValueOf(pushConsumer).Elem().FieldByName("defaultConsumer").Elem().FieldByName("client")
	reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Set(reflect.ValueOf(asked))
	pushConsumer.Subscribe(topic, consumer.MessageSelector{}, nil)
	pushConsumer.UpdateTopicSubscribeInfo(topic, pointers(given.Mq))
	pushConsumer.Rebalance()
	return answer
}
