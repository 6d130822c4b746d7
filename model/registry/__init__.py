"""A broker's registry of a group's members (channels, heartbeats, scans), and a client's polled route."""
