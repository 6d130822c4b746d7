"""Who is in the group, as a broker says it: its table of channels, heartbeats, the scan; and the route, which is polled."""
