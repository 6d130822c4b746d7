"""Offsets of one queue and one message in it: a consumer, with either listener or in Node's loop, and the broker."""
