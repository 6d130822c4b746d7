"""Who is in the group, as a broker says it: its table of channels, heartbeats, scans; and routes, which are polled."""
