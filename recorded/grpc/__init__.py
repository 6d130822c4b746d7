"""Real groups of gRPC clients: name server, broker and proxy on loopback, and what their members receive."""
