package live;

import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;

/** A client's requests as they are sent, answers of those that wait for one, and notifications. Pulls can throw. */
final class Requests implements RPCHook {
    private final Out out;
    private final Throws thrown;

    Requests(Out out, Throws thrown) {
        this.out = out;
        this.thrown = thrown;
    }

    @Override
    public void doBeforeRequest(String address, RemotingCommand request) {
        if (request.getCode() == Codes.NOTIFY) {
            out.event("notified", "said", Said.request(request), "from", address);
        } else if (request.getCode() == Codes.RESET_CLIENT) {
            out.event("reset-told", "said", Said.request(request), "from", address);
        } else if (isTold(request)) {
            if (request.getCode() == Codes.PULL) {
                thrown.at(Throws.HOOK, String.valueOf(Said.request(request).get("q")), address);
            }
            out.event("ask", "code", Names.code(request.getCode()), "opaque", request.getOpaque(), "oneway",
                request.isOnewayRPC(), "said", Said.request(request), "to", address, "thread",
                Thread.currentThread().getName());
        }
    }

    @Override
    public void doAfterResponse(String address, RemotingCommand request, RemotingCommand response) {
        if (request.getCode() == Codes.RESET_CLIENT) {
            out.event("reset-done", "from", address);
        } else if (isTold(request) && request.getCode() != Codes.NOTIFY) {
            out.event("answer", "code", Names.code(request.getCode()), "opaque", request.getOpaque(), "said",
                Said.response(request.getCode(), response));
        }
    }

    private static boolean isTold(RemotingCommand request) {
        int code = request.getCode();
        return code != Codes.RESET_CLIENT && code != Codes.ROUTE && code != Codes.SEND && code != Codes.SEND_V2;
    }
}
