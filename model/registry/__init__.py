"""A broker's registry of group members (channels, heartbeats, scans), and a client's polled route."""
