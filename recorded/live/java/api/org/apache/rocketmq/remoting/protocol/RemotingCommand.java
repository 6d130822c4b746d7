package org.apache.rocketmq.remoting.protocol;

import java.util.HashMap;
import org.apache.rocketmq.remoting.CommandCustomHeader;

public abstract class RemotingCommand {
    public abstract int getCode();

    public abstract int getOpaque();

    public abstract boolean isOnewayRPC();

    public abstract String getRemark();

    public abstract byte[] getBody();

    public abstract HashMap<String, String> getExtFields();

    public abstract CommandCustomHeader readCustomHeader();

    public abstract void makeCustomHeaderToNet();
}
