package org.apache.rocketmq.remoting;

import org.apache.rocketmq.remoting.protocol.RemotingCommand;

public interface RPCHook {
    void doBeforeRequest(String remoteAddr, RemotingCommand request);

    void doAfterResponse(String remoteAddr, RemotingCommand request, RemotingCommand response);
}
