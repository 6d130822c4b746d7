package live;

import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;

/** A broker's requests as they arrive, and what it answers; of pulls only refusals. */
final class Heard implements RPCHook {
    private final Out out;

    Heard(Out out) {
        this.out = out;
    }

    @Override
    public void doBeforeRequest(String address, RemotingCommand request) {
        switch (request.getCode()) {
            case Codes.HEARTBEAT:
            case Codes.UNREGISTER:
            case Codes.LOCK:
            case Codes.UNLOCK:
            case Codes.RESET:
                out.event("heard", "code", Names.code(request.getCode()), "from", address, "opaque",
                    request.getOpaque(), "said", Said.request(request));
                break;
            default:
        }
    }

    @Override
    public void doAfterResponse(String address, RemotingCommand request, RemotingCommand response) {
        if (isTold(request.getCode(), response)) {
            out.event("answered", "code", Names.code(request.getCode()), "from", address, "opaque", request.getOpaque(),
                "asked", Said.request(request), "said", Said.response(request.getCode(), response));
        }
    }

    private static boolean isTold(int code, RemotingCommand response) {
        switch (code) {
            case Codes.PULL:
                return response != null && response.getCode() != 0 && response.getCode() != Codes.PULL_NOT_FOUND;
            case Codes.CONSUMER_LIST:
            case Codes.LOCK:
            case Codes.UNLOCK:
            case Codes.QUERY_OFFSET:
            case Codes.UPDATE_OFFSET:
            case Codes.HEARTBEAT:
            case Codes.UNREGISTER:
            case Codes.MAX_OFFSET:
            case Codes.RESET:
                return true;
            default:
                return false;
        }
    }
}
