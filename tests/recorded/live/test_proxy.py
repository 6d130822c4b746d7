"""The proxy in front of a broker: it forwards everything, in order, and delayed where requested."""

import socket
import threading
import time
from contextlib import closing, contextmanager

import pytest

from rebalance_proofs.recorded.live.cluster import Proxy
from rebalance_proofs.recorded.live.settings import Ports


@contextmanager
def echo(port):
    """A server that sends back what it gets."""

    def answer(connection):
        with connection:
            while piece := connection.recv(1000):
                connection.sendall(piece)

    def serve():
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=answer, args=(connection,), daemon=True).start()

    with closing(socket.create_server(("127.0.0.1", port))) as server:
        threading.Thread(target=serve, daemon=True).start()
        yield


@pytest.fixture
def ports():
    with Ports() as found:
        yield found.reserve(), found.reserve()


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def got(connection, number):
    found = b""
    while len(found) < number and (piece := connection.recv(number - len(found))):
        found += piece
    return found


def is_closed(connection):
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def test_proxy_passes_data_in_both_directions_in_order(ports):
    front, target = ports
    sent = bytes(range(256)) * 2000
    with echo(target), Proxy(front, target), connect(front) as connection:
        threading.Thread(target=connection.sendall, args=(sent,), daemon=True).start()
        assert got(connection, len(sent)) == sent


def test_proxy_delays_each_direction_until_stopped(ports):
    front, target = ports
    with echo(target), Proxy(front, target) as proxy, connect(front) as connection:
        proxy.delay(0.3)
        begun = time.monotonic()
        connection.sendall(b"a")
        assert got(connection, 1) == b"a"
        assert time.monotonic() - begun >= 0.6
        proxy.delay(0.0)
        connection.sendall(b"b")
        assert got(connection, 1) == b"b"


def test_proxy_holds_data_and_new_connections_of_a_partition(ports):
    front, target = ports
    with echo(target), Proxy(front, target) as proxy, connect(front) as connection:
        proxy.hold(True)
        connection.sendall(b"a")
        with connect(front) as other:
            other.sendall(b"b")
            for each in (connection, other):
                each.settimeout(0.2)
                with pytest.raises(TimeoutError):
                    each.recv(1)
                each.settimeout(10)
            proxy.hold(False)
            assert (got(connection, 1), got(other, 1)) == (b"a", b"b")


def test_proxied_connection_ends_with_the_client_or_a_missing_server(ports):
    front, target = ports
    with Proxy(front, target):
        with connect(front) as connection:
            assert is_closed(connection)
        with echo(target), connect(front) as connection:  # the server is back
            connection.sendall(b"a")
            assert got(connection, 1) == b"a"


def test_proxy_closes_connections_at_its_end(ports):
    front, target = ports
    with echo(target):
        with Proxy(front, target):
            connection = connect(front)
            connection.sendall(b"a")
            assert got(connection, 1) == b"a"
        with connection:
            assert is_closed(connection)
